//! Where games start: named start distributions, alone or mixed.
//!
//! A game lists the kinds of starts that it offers ([`Game::start_kinds`]) and makes a [`StartSource`] of
//! each. A [`StartConfig`] is one source as a person writes it down; a [`StartSampler`] draws from
//! weighted sources. Every drawn position is written into the record of its game, so that records do not
//! depend on any of this.

mod config;
mod kind;
mod sampler;
mod source;

pub use config::{ListedStart, StartConfig, StartSides};
pub use kind::{StartKey, StartKind};
pub use sampler::StartSampler;
pub use source::{DrawnStart, FixedStarts, StartRequest, StartSource};

#[cfg(doc)]
use crate::Game;
