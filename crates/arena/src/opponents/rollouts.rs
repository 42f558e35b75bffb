//! Tree search without knowledge: UCT with random playouts.

use super::trial::{Trial, margin};
use super::{BuiltIn, Opponent};
use game::{BoardGame, Outcome, Play, Player, Verdict};
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;
use std::ops::ControlFlow;

/// Most steps of a playout; a game that is not over then is judged by its points.
pub const PLAYOUT_STEPS: usize = 200;

/// Weight of the exploration term, for results in [0, 1]: √2, as in UCB1.
pub const EXPLORATION: f64 = std::f64::consts::SQRT_2;

/// UCT (Kocsis and Szepesvári 2006, with the UCB1 bonus of Auer and others 2002, figure 1) with a
/// fixed number of playouts for every step that it chooses, each time from an empty tree; a turn of
/// several steps gets that many for each of them. A playout plays uniformly random legal steps
/// ([`game::Game::random_step`]) until the game ends or [`PLAYOUT_STEPS`] are over; then the result is the logistic function of the
/// points margin in units of [`game::Encoding::margin_unit`] (one half where a game has no points).
/// Each playout adds the children of at most one node. A node counts results for the side that
/// chose the step into it. Plays the step visited most; ties go to the better mean, then to the
/// random stream.
pub struct Rollouts<G: BoardGame> {
    playouts: u32,
    trial: Trial<G>,
    nodes: Vec<Node<G::Step>>,
    path: Vec<usize>,
    steps: Vec<G::Step>,
}

struct Node<S> {
    /// The step into this node; `None` at the root.
    step: Option<S>,
    /// Who chose that step.
    chooser: Player,
    visits: u32,
    /// Sum of results in [0, 1] for `chooser`.
    result_sum: f64,
    /// Where the children stand; empty until the node is expanded.
    children: std::ops::Range<usize>,
}

impl<S> Node<S> {
    fn mean(&self) -> f64 {
        self.result_sum / f64::from(self.visits)
    }
}

impl<G: BoardGame> Rollouts<G> {
    /// An opponent with so many playouts a step, at least one.
    pub fn new(game: &G, playouts: u32) -> Rollouts<G> {
        Rollouts {
            playouts: playouts.max(1),
            trial: Trial::new(game),
            nodes: Vec::new(),
            path: Vec::new(),
            steps: Vec::new(),
        }
    }

    /// Adds the children of a node, in random order; the trial stands at its position.
    fn expand(&mut self, game: &G, node: usize, random: &mut ChaCha8Rng) {
        let position = *self.trial.position();
        let chooser = game.mover(&position);
        game.legal_steps(&position, &mut self.steps);
        self.steps.shuffle(random);
        let start = self.nodes.len();
        for &step in &self.steps {
            self.nodes.push(Node { step: Some(step), chooser, visits: 0, result_sum: 0.0, children: 0..0 });
        }
        self.nodes[node].children = start..self.nodes.len();
    }

    /// The child with the largest upper confidence bound; one that was never visited comes first.
    fn select(&self, node: usize) -> usize {
        let parent = &self.nodes[node];
        let spread = f64::from(parent.visits).ln();
        let mut best = parent.children.start;
        let mut best_bound = f64::NEG_INFINITY;
        for index in parent.children.clone() {
            let child = &self.nodes[index];
            if child.visits == 0 {
                return index;
            }
            let bound = child.mean() + EXPLORATION * (spread / f64::from(child.visits)).sqrt();
            if bound > best_bound {
                best_bound = bound;
                best = index;
            }
        }
        best
    }

    /// Plays on at random; the result in [0, 1] for the first player.
    fn playout(&mut self, game: &G, random: &mut ChaCha8Rng) -> f64 {
        let mut outcome = None;
        for _ in 0..PLAYOUT_STEPS {
            match self.trial.random_step(game, random, &mut self.steps) {
                ControlFlow::Continue(step) => self.trial.step(game, step),
                ControlFlow::Break(end) => {
                    outcome = end;
                    break;
                }
            }
        }
        let outcome = outcome.or_else(|| self.trial.outcome(game));
        outcome.map_or_else(|| self.points_result(game), |outcome| self.result_of(game, outcome))
    }

    fn result(&self, game: &G) -> Option<f64> {
        self.trial.outcome(game).map(|outcome| self.result_of(game, outcome))
    }

    fn result_of(&self, game: &G, outcome: Outcome) -> f64 {
        match outcome.verdict {
            Verdict::Win(Player::First) => 1.0,
            Verdict::Win(Player::Second) => 0.0,
            Verdict::Draw => 0.5,
            Verdict::Truncated => self.points_result(game),
        }
    }

    fn points_result(&self, game: &G) -> f64 {
        let unit = f64::from(game.margin_unit());
        if unit <= 0.0 {
            return 0.5;
        }
        let margin = f64::from(margin(game, self.trial.position(), Player::First));
        1.0 / (1.0 + (-margin / unit).exp())
    }
}

impl<G: BoardGame> Opponent<G> for Rollouts<G> {
    fn choose(&mut self, game: &G, play: &Play<G>, random: &mut ChaCha8Rng) -> Option<G::Step> {
        self.trial.begin(play);
        let start = self.trial.bookmark();
        self.nodes.clear();
        let chooser = game.mover(&play.position);
        self.nodes.push(Node { step: None, chooser, visits: 0, result_sum: 0.0, children: 0..0 });
        self.expand(game, 0, random);
        if self.nodes[0].children.len() == 1 {
            return self.nodes[1].step;
        }
        for _ in 0..self.playouts {
            self.path.clear();
            self.path.push(0);
            let mut node = 0;
            let mut result = None;
            while !self.nodes[node].children.is_empty() {
                node = self.select(node);
                self.path.push(node);
                if let Some(step) = self.nodes[node].step {
                    self.trial.step(game, step);
                }
                result = self.result(game);
                if result.is_some() {
                    break;
                }
                // A node gets children on its second visit: most leaves are seen once only.
                if self.nodes[node].visits == 1 {
                    self.expand(game, node, random);
                }
            }
            let result = match result {
                Some(result) => result,
                None => self.playout(game, random),
            };
            for &index in &self.path {
                let node = &mut self.nodes[index];
                node.visits += 1;
                node.result_sum += match node.chooser {
                    Player::First => result,
                    Player::Second => 1.0 - result,
                };
            }
            self.trial.back_to(&start);
        }
        let mut best: Option<&Node<G::Step>> = None;
        for child in &self.nodes[self.nodes[0].children.clone()] {
            let better = best.is_none_or(|best| {
                child.visits > best.visits || (child.visits == best.visits && child.mean() > best.mean())
            });
            if better {
                best = Some(child);
            }
        }
        best.and_then(|child| child.step)
    }
}

impl<G: BoardGame> std::fmt::Debug for Rollouts<G> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{:?}", BuiltIn::Rollouts { playouts: self.playouts })
    }
}
