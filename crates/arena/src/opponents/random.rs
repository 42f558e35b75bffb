//! The weakest opponent.

use super::Opponent;
use game::{BoardGame, Play};
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

/// Plays a uniformly random legal step.
#[derive(Debug)]
pub struct Random<S> {
    steps: Vec<S>,
}

impl<S> Default for Random<S> {
    fn default() -> Self {
        Random { steps: Vec::new() }
    }
}

impl<G: BoardGame> Opponent<G> for Random<G::Step> {
    fn choose(&mut self, game: &G, play: &Play<G>, random: &mut ChaCha8Rng) -> Option<G::Step> {
        game.legal_steps(&play.position, &mut self.steps);
        self.steps.choose(random).copied()
    }

    fn equal_steps(&self, _chosen: G::Step, equal: &mut Vec<G::Step>) {
        equal.clone_from(&self.steps);
    }
}
