//! The AlphaZero formula (Silver et al. 2018, methods, "Search"): argmax of
//! Q(a) + C(s) · P(a) · √N(s) / (1 + N(a)), all values of the node's mover.

use crate::arena::{Arena, Choice, NO_NODE, Node};
use crate::config::{FirstPlay, PuctConfig};

/// The formula at one node.
struct Formula {
    /// C(s) · √N(s).
    exploration: f32,
    /// Value of a step without visits.
    first_play: f32,
}

impl Formula {
    #[inline]
    fn of_closed(&self, prior: f32) -> f32 {
        self.first_play + self.exploration * prior
    }

    #[inline]
    fn of_visited<S: Copy>(&self, arena: &Arena<S>, parent: &Node, child: &Node, prior: f32) -> f32 {
        let value = arena.utility(child).to_mover(parent.mover).0;
        value + self.exploration * prior / (1.0 + child.visits as f32)
    }
}

impl PuctConfig {
    /// `closed_prior` is the prior of all steps without visits.
    #[inline]
    fn formula<S: Copy>(&self, arena: &Arena<S>, node: u32, closed_prior: f32) -> Formula {
        let parent = arena.node(node);
        let visits = parent.visits as f32;
        let rate = ((1.0 + visits + self.exploration_base) / self.exploration_base).ln() + self.exploration;
        let first_play = match self.first_play {
            FirstPlay::Loss => -arena.utility_bound(),
            FirstPlay::Draw => 0.0,
            FirstPlay::Parent => {
                let value = arena.utility(parent).to_mover(parent.mover).0;
                value - self.first_play_reduction * (1.0 - closed_prior).max(0.0).sqrt()
            }
        };
        Formula { exploration: rate * visits.sqrt(), first_play }
    }

    /// The step to take at a node without noise. The node must have steps.
    #[inline]
    pub(crate) fn select<S: Copy>(&self, arena: &mut Arena<S>, node: u32) -> Choice {
        let closed = arena.closed(node);
        let formula = self.formula(arena, node, closed.map_or(0.0, |closed| closed.all_priors));
        let mut best = Choice { order: u32::MAX, child: NO_NODE };
        let mut best_score = f32::NEG_INFINITY;
        if let Some(closed) = closed {
            best.order = closed.order;
            best_score = formula.of_closed(closed.prior);
        }
        let parent = arena.node(node);
        for (index, child) in arena.children(node) {
            let score = formula.of_visited(arena, parent, child, child.prior);
            if score > best_score || (score == best_score && child.order < best.order) {
                best = Choice { order: child.order, child: index };
                best_score = score;
            }
        }
        best
    }

    /// The step to take at a root with noise, one weight a step by order; `children` are the root's
    /// children by order, `NO_NODE` where there is none.
    pub(crate) fn select_with_noise<S: Copy>(
        &self,
        arena: &mut Arena<S>,
        node: u32,
        noise: &[f32],
        children: &[u32],
    ) -> Choice {
        let closed_prior = arena.closed(node).map_or(0.0, |closed| closed.all_priors);
        let formula = self.formula(arena, node, closed_prior);
        let parent = arena.node(node);
        let mut best = Choice { order: u32::MAX, child: NO_NODE };
        let mut best_score = f32::NEG_INFINITY;
        let steps = arena.priors(node).zip(noise).zip(children).zip(0..);
        for (((prior, noise), &child), order) in steps {
            let prior = (1.0 - self.noise_share) * prior + self.noise_share * noise;
            let score = match child {
                NO_NODE => formula.of_closed(prior),
                child => formula.of_visited(arena, parent, arena.node(child), prior),
            };
            if score > best_score {
                best = Choice { order, child };
                best_score = score;
            }
        }
        best
    }
}
