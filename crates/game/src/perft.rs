//! Perft: counting legal continuations.
