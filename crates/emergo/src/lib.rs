//! Emergo: stacking draughts by Christian Freeling and Ed van Zon.
//!
//! [`Emergo`] is the game object: rule options ([`Rules`]) and the board they choose. It implements
//! the three traits of the contract for the small `Copy` value [`Position`] and the meaningful
//! [`Step`]. The rules are in `docs/rules/emergo.md`; comments name its sections. This crate knows
//! nothing of search, threads or networks.
//!
//! Open `contract.rs` first, then `legal.rs` (what is legal), `entries.rs` and `captures.rs` (how it
//! is found) and `play.rs` (what a step changes). `board.rs` says how squares lie in a 64-bit word.

mod board;
mod captures;
mod column;
mod contract;
mod direction;
mod emergo;
mod encoding;
mod ending;
mod entries;
mod key;
mod legal;
mod notation;
mod picture;
mod planes;
mod play;
mod position;
mod rules;
mod setup;
mod square;
mod step;
mod svg;
mod symmetry;

pub use crate::board::BoardSize;
pub use crate::column::Column;
pub use crate::direction::Direction;
pub use crate::emergo::Emergo;
pub use crate::position::Position;
pub use crate::rules::{Blocked, Majority, MaxTurnsResult, NoEntry, Repetition, Rules};
pub use crate::setup::{Setup, WrittenColumn};
pub use crate::square::{SQUARES, Square};
pub use crate::step::Step;
