//! The contract between games and everything else.
//!
//! A game is a value of a type that implements three traits: [`Game`] (rules and play), [`Notation`]
//! (text and pictures) and [`Encoding`] (planes and policy cells for a network). Positions are small
//! `Copy` values without history; the history that repetition rules need is a [`Line`] beside them,
//! and a [`Play`] holds both. This crate also has what works for every game: records, written games,
//! perft, option parsing, random streams and the [`examination`] that every game must pass.
//!
//! It knows nothing of search, threads or networks. Open `contract.rs` first.

pub mod arrow;
pub mod contract;
pub mod encoding;
pub mod examination;
pub mod judged;
pub mod line;
pub mod notation;
pub mod options;
pub mod outcome;
pub mod owner;
pub mod perft;
pub mod planes;
pub mod play;
pub mod player;
pub mod policy;
pub mod random;
pub mod record;
pub mod setup;
pub mod starts;
pub mod turns;
pub mod value;
pub mod written;

pub use arrow::Arrow;
pub use contract::Game;
pub use encoding::{BoardGame, Encoding};
pub use judged::Judged;
pub use line::{Line, LineEntry};
pub use notation::{Notation, PictureLayer, StepTrace};
pub use outcome::{Outcome, Reason, Verdict};
pub use owner::Owner;
pub use planes::{PlaneShape, PlanesMut};
pub use play::Play;
pub use player::Player;
pub use policy::{NO_CELL, PolicyShape, StepCode};
pub use setup::{Fault, Faults};
pub use turns::Turns;
pub use value::{Flip, OfFirst, OfMover, Wdl};
