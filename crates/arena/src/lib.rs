//! Where generic code meets the games: sessions per game behind one small interface, opponents and matches.

mod bench;
pub mod duel;
pub mod games;
pub mod inspection;
pub mod judge_session;
pub mod learning;
pub mod matches;
pub mod opponents;
pub mod rules_session;
pub mod thinking;
pub mod written_session;
