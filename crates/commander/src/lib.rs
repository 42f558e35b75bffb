//! Commander Chess (Cờ Tư Lệnh): rules, notation and encoding.
//!
//! [`Commander`] is the game object: rule options ([`Rules`]) and the tables made from them. It
//! implements the three traits of the contract for the small `Copy` value [`Position`] and the
//! meaningful [`Step`]. The rules are in `docs/rules/commander-chess.md`; comments name its
//! sections. This crate knows nothing of search, threads or networks.
//!
//! Open `contract.rs` first, then `steps/mod.rs` (what is legal), `apply.rs` (what a step changes)
//! and `ending.rs` (when it is over). `rules/` lists the options, `deployment/` has the set-ups of
//! one side and the starts made of them, `setup.rs` reads any position. `notation.rs` has the machine
//! notation, `record/` the classical one.

mod air_defence;
mod apply;
mod attacks;
mod before;
pub mod bits;
pub mod board;
mod commander;
mod contents;
mod contract;
pub mod deployment;
mod encoding;
mod ending;
mod hanging;
mod heroes;
pub mod middle_games;
mod notation;
mod picture;
pub mod piece;
mod planes;
mod play;
pub mod point;
mod policy;
pub mod position;
pub mod record;
pub mod rules;
mod score;
pub mod setup;
pub mod stack;
pub mod step;
mod steps;
mod svg;
pub mod tables;
pub mod terrain;
pub mod turn;
mod ways;
mod zobrist;

pub use crate::commander::Commander;
pub use crate::deployment::Deployment;
pub use crate::position::Position;
pub use crate::rules::Rules;
pub use crate::step::{Step, StepKind};
