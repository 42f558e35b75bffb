//! Takes what it can get now.

use super::trial::{Trial, margin};
use super::{BuiltIn, Opponent};
use game::{BoardGame, Play};
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

/// Plays the legal step with the largest (points captured − points lost in the same step); a step
/// that wins the game comes first. Ties are broken by the random stream, uniformly. Looks at single
/// steps, never at complete turns.
pub struct Greedy<G: BoardGame> {
    trial: Trial<G>,
    steps: Vec<G::Step>,
    best: Vec<G::Step>,
}

impl<G: BoardGame> Greedy<G> {
    /// A greedy opponent.
    pub fn new(game: &G) -> Greedy<G> {
        Greedy { trial: Trial::new(game), steps: Vec::new(), best: Vec::new() }
    }

    /// All legal steps that are as good as any, in the order of the legal steps.
    pub fn best_steps(&mut self, game: &G, play: &Play<G>) -> &[G::Step] {
        let mover = game.mover(&play.position);
        let before = margin(game, &play.position, mover);
        self.trial.begin(play);
        let bookmark = self.trial.bookmark();
        game.legal_steps(&play.position, &mut self.steps);
        self.best.clear();
        let mut best = (false, i32::MIN);
        for &step in &self.steps {
            self.trial.step(game, step);
            let wins = self.trial.outcome(game).and_then(|outcome| outcome.winner()) == Some(mover);
            let gain = margin(game, self.trial.position(), mover) - before;
            self.trial.back_to(&bookmark);
            // Among winning steps points do not matter: all of them are ties.
            let worth = (wins, if wins { 0 } else { gain });
            if worth > best {
                best = worth;
                self.best.clear();
            }
            if worth == best {
                self.best.push(step);
            }
        }
        &self.best
    }
}

impl<G: BoardGame> Opponent<G> for Greedy<G> {
    fn choose(&mut self, game: &G, play: &Play<G>, random: &mut ChaCha8Rng) -> Option<G::Step> {
        self.best_steps(game, play).choose(random).copied()
    }

    fn equal_steps(&self, _chosen: G::Step, equal: &mut Vec<G::Step>) {
        equal.clone_from(&self.best);
    }
}

impl<G: BoardGame> std::fmt::Debug for Greedy<G> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{:?}", BuiltIn::Greedy)
    }
}
