//! A second, plain implementation of Commander Chess, written from the rules alone and independent of the engine:
//! a map from points to stacks, every step a clone, no tables, no tricks. It exists to be compared with.
//!
//! Read `position.rs` first; `reach.rs` says what one piece can do, `step.rs` lists steps, `game.rs` ends games.

// Each test program uses a part of it.
#![allow(dead_code)]

pub mod arbitrary;
pub mod board;
pub mod deployment;
pub mod fen;
pub mod game;
pub mod options;
pub mod position;
pub mod reach;
pub mod step;

/// The start position of the standard set-up, Red to move.
pub const START: &str =
    "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 r - - 0 1";
