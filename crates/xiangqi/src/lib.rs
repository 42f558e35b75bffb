//! Xiangqi (Chinese chess) under CXQ rules.
//!
//! The rules page is `docs/rules/xiangqi.md`. A [`Board`] knows the pieces and their legal moves
//! (open `board.rs`, then `moves.rs` and `danger.rs`), a [`Position`] adds what the judge of perpetual
//! check and chase remembers (`chase.rs` finds attacks, `streaks.rs` and `cycle.rs` judge them),
//! [`Xiangqi`] is the game, [`Setup`] anything a person may write down, [`notation`] how players write
//! moves and games. The crate knows nothing of search or networks.

mod board;
mod chase;
mod contract;
mod cycle;
mod danger;
mod encoding;
mod glyphs;
mod judgement;
mod keys;
mod moves;
pub mod notation;
mod perft;
mod picture;
mod piece;
mod planes;
mod policy;
mod position;
mod rules;
mod setup;
mod square;
mod step;
mod streaks;
mod svg;
mod tables;
mod text;
mod xiangqi;

pub use board::Board;
pub use cycle::Mark;
pub use piece::{Id, Kind, Piece, SLOTS};
pub use position::Position;
pub use rules::{
    DiscoveredAttacks, DrawUnit, EffectiveAnswer, Judge, PerpetualEffect, RepetitionDraw, Rules, Switch,
};
pub use setup::Setup;
pub use square::{FILES, RANKS, SQUARES, Square, Squares};
pub use step::Step;
pub use streaks::{Attackers, Class, Pieces, Streaks, limit};
pub use xiangqi::Xiangqi;
