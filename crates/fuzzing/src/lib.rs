//! What is fuzzed: for every game the text of positions, sequences of steps and written games; for
//! Commander Chess also what a person may write down as a position or as one side's set-up.
//!
//! A [`Target`] is a function of bytes that panics when a promise is broken. [`campaign`](mod@campaign)
//! drives targets with mutations of a committed corpus (`fuzz/corpus`) and needs nothing but stable Rust;
//! `fuzz/` drives the same functions with libFuzzer, which sees what code an input reaches. Both are
//! started by `scripts/fuzz`. Open `target.rs` first.

pub mod campaign;
pub mod corpus;
mod deployments;
mod input;
pub mod mutation;
mod positions;
mod records;
mod setups;
pub mod target;
mod turns;

pub use campaign::{Campaign, Finding};
pub use target::{TARGETS, Target};
