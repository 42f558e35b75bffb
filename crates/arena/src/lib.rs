//! Where generic code meets the games: sessions per game behind one small interface, opponents and matches.
