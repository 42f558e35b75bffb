//! Moves and games in writing.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

#[path = "notation/games.rs"]
mod games;
#[path = "notation/moves.rs"]
mod moves;
