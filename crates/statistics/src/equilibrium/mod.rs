//! Matrix games whose payoffs have to be played out: what to mix, and how surely.
//!
//! Two sides choose a way to begin in secret; pairs of games say how good each choice is against each other
//! one. [`Payoffs`] counts them, [`Belief`] is what they say of every cell (those not played included),
//! [`solve()`] finds the mixture of a matrix that nothing beats, [`Answer`] does so for a belief with
//! intervals and with what a reply could gain at most, and [`next_pairs`] says which pairs to play next.
//!
//! Payoffs are scores of the row from 0 to 1. A cell without any doubt, such as a choice against itself, is
//! [`Cell::Known`].

mod answer;
mod belief;
mod payoffs;
mod regrets;
mod sampling;
mod smoothed;

pub use answer::{Answer, DRAWS};
pub use belief::Belief;
pub use payoffs::{Cell, Kind, Payoffs};
pub use sampling::{LOOKS, next_pairs};
pub use smoothed::{Equilibrium, solve};
pub(crate) use smoothed::{NoEquilibrium, Path, entropy_limit};
