//! What draws start positions.

use super::config::{ListedStart, StartSides};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use toml::Table;

/// A source that is asked of a game: one of its kinds, with what was said of it.
#[derive(Clone, Debug)]
pub struct StartRequest<'a> {
    /// Name of the kind.
    pub kind: &'static str,
    /// For which sides.
    pub sides: StartSides,
    /// The lines of its file; empty where the kind has none.
    pub list: &'a [ListedStart],
    /// Numbers of the game's own.
    pub settings: &'a Table,
}

/// Draws start positions of one game under its rules.
pub trait StartSource<P>: Send + Sync {
    /// Draws a start position in which the game has not ended. The same stream gives the same positions.
    fn draw(&self, random: &mut ChaCha8Rng) -> DrawnStart<P>;
}

/// A drawn start position, and what was thrown away on the way to it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DrawnStart<P> {
    /// The position.
    pub position: P,
    /// Starts that were drawn before it and that the rules declare void.
    pub void: u32,
    /// Whether the source was given up after too many void starts and something else stands in for it.
    pub fallback: bool,
}

impl<P> DrawnStart<P> {
    /// A start that was drawn at once.
    pub const fn at_once(position: P) -> DrawnStart<P> {
        DrawnStart { position, void: 0, fallback: false }
    }
}

/// Given positions, each equally likely.
#[derive(Clone, Debug)]
pub struct FixedStarts<P> {
    positions: Vec<P>,
}

impl<P: Copy> FixedStarts<P> {
    /// One position.
    pub fn one(position: P) -> FixedStarts<P> {
        FixedStarts { positions: vec![position] }
    }

    /// These positions; `None` where there are none.
    pub fn new(positions: Vec<P>) -> Option<FixedStarts<P>> {
        (!positions.is_empty()).then_some(FixedStarts { positions })
    }
}

impl<P: Copy + Send + Sync> StartSource<P> for FixedStarts<P> {
    fn draw(&self, random: &mut ChaCha8Rng) -> DrawnStart<P> {
        DrawnStart::at_once(self.positions[random.random_range(0..self.positions.len())])
    }
}
