//! Xiangqi (Chinese chess) under CXQ rules.
//!
//! The rules page is `docs/rules/xiangqi.md`. A [`Board`] knows the pieces and their legal moves
//! (open `board.rs`, then `moves.rs` and `danger.rs`), a [`Position`] adds what the judge of perpetual
//! check and chase remembers, [`Setup`] is anything a person may write down. The crate knows nothing of
//! search or networks.

mod board;
mod danger;
mod keys;
mod moves;
mod perft;
mod piece;
mod position;
mod rules;
mod setup;
mod square;
mod step;
mod tables;

pub use board::Board;
pub use piece::{Id, Kind, Piece, SLOTS};
pub use position::Position;
pub use rules::{
    DiscoveredAttacks, DrawUnit, EffectiveAnswer, Judge, PerpetualEffect, RepetitionDraw, Rules, Switch,
};
pub use setup::Setup;
pub use square::{FILES, RANKS, SQUARES, Square, Squares};
pub use step::Step;
