//! What is fuzzed: for every game the text of positions, sequences of steps, written games and finished games of
//! self-play; for Commander Chess also what a person may write down as a position or as one side's set-up; and
//! files: shards, pairs of matches, records and findings of studies.
//!
//! A [`Target`] is a function of bytes that panics when a promise is broken. [`campaign`](mod@campaign)
//! drives targets with mutations of a committed corpus (`fuzz/corpus`) and needs nothing but stable Rust;
//! `fuzz/` drives the same functions with libFuzzer, which sees what code an input reaches. Both are
//! started by `scripts/fuzz`. Open `target.rs` first.

pub mod campaign;
pub mod corpus;
mod deployments;
mod games;
mod input;
mod matches;
pub mod mutation;
mod place;
mod positions;
mod records;
mod setups;
mod shards;
mod studies;
pub mod target;
mod turns;

pub use campaign::{Campaign, Finding};
pub use target::{Grammar, TARGETS, Target};
