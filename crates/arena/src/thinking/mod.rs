//! Searches of one game at a time under a limit: turns that have time, and checkpoints as engines.
//!
//! Where many games are searched side by side their leaves fill batches ([`matches`](crate::matches),
//! [`inspection`](crate::inspection)); here one game thinks alone, and a limit may also be time, a
//! depth, or a word from outside. `judge.rs` runs a search, `stopwatch.rs` measures its time,
//! `game_thinker.rs` is a game behind an engine protocol ([`ThinkingSession`]).

mod game_thinker;
mod judge;
mod stopwatch;

pub use judge::{Judge, Spent, ThinkingLimit};
pub use stopwatch::Stopwatch;

use engine::Thinker;
use game::BoardGame;
use game_thinker::GameThinker;
use search::SearchConfig;
use selfplay::Evaluator;

/// What a game needs to be an engine.
pub struct ThinkerPlan {
    /// What the engine is called.
    pub name: String,
    /// The network.
    pub evaluator: Box<dyn Evaluator>,
    /// How the search works.
    pub search: SearchConfig,
    /// Simulations a turn where nothing else limits it.
    pub simulations: u32,
    /// Most positions of the tree that are judged together, at least 1.
    pub leaves: usize,
}

/// Positions of one tree that are judged together on a processor where nobody says otherwise: one is as fast
/// there as several (`docs/speed.md`, the network alone by batch).
pub const LEAVES: usize = 1;

/// The network reads other shapes than the game writes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the network has other shapes than the game")]
pub struct OtherShapes;

/// A game that can be an engine; every game is one.
pub trait ThinkingSession {
    /// A thinker for an engine protocol.
    ///
    /// # Errors
    /// A network for something else.
    fn thinker(&self, plan: ThinkerPlan) -> Result<Box<dyn Thinker>, OtherShapes>;
}

impl<G: BoardGame> ThinkingSession for G {
    fn thinker(&self, plan: ThinkerPlan) -> Result<Box<dyn Thinker>, OtherShapes> {
        Ok(Box::new(GameThinker::new(self.clone(), plan)?))
    }
}
