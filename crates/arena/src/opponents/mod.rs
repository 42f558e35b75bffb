//! Built-in opponents, generic over games.
//!
//! [`Opponent`] chooses steps; `spec.rs` reads the words of the command line. Networks are not built
//! in: they come to [`matches`](crate::matches) as evaluators.

mod alphabeta;
mod greedy;
mod random;
mod rollouts;
mod spec;
mod table;
mod trial;

pub use alphabeta::{AlphaBeta, Found, QUIESCENCE_TURNS, WIN};
pub use greedy::Greedy;
pub use random::Random;
pub use rollouts::{EXPLORATION, PLAYOUT_STEPS, Rollouts};
pub use spec::{OpponentSpec, SpecError, TurnBudget};

use game::{BoardGame, Play};
use rand_chacha::ChaCha8Rng;

/// Somebody who chooses steps. An opponent keeps no memory of earlier choices: what it chooses
/// depends on the play and on the random stream alone, so that one value serves many games.
pub trait Opponent<G: BoardGame>: Send {
    /// The step to play, or `None` where there is no legal step. The game must not have ended.
    fn choose(&mut self, game: &G, play: &Play<G>, random: &mut ChaCha8Rng) -> Option<G::Step>;

    /// The steps that the last call of [`choose`](Self::choose) found no worse than `chosen`, the one it returned, with
    /// that one among them. Of an opponent that has no such thing, `chosen` alone.
    fn equal_steps(&self, chosen: G::Step, equal: &mut Vec<G::Step>) {
        equal.clear();
        equal.push(chosen);
    }
}

/// One of the built-in opponents with its numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum BuiltIn {
    /// See [`Random`].
    Random,
    /// See [`Greedy`].
    Greedy,
    /// See [`Rollouts`].
    Rollouts {
        /// Playouts a step.
        playouts: u32,
    },
    /// See [`AlphaBeta`].
    AlphaBeta {
        /// Single turns that it looks ahead.
        depth: u32,
    },
}

impl BuiltIn {
    /// The opponent for a game.
    pub fn for_game<G: BoardGame>(self, game: &G) -> Box<dyn Opponent<G>> {
        match self {
            BuiltIn::Random => Box::new(Random::default()),
            BuiltIn::Greedy => Box::new(Greedy::new(game)),
            BuiltIn::Rollouts { playouts } => Box::new(Rollouts::new(game, playouts)),
            BuiltIn::AlphaBeta { depth } => Box::new(AlphaBeta::new(game, depth)),
        }
    }
}
