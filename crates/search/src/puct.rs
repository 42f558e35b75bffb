//! The AlphaZero formula (Silver et al. 2018, methods, "Search"): argmax of
//! Q(a) + C(s) · P(a) · √N(s) / (1 + N(a)), all values of the node's mover.

use crate::arena::{Arena, Closed, Edge};
use crate::config::{FirstPlay, PuctConfig};

/// What the formula needs of a node.
struct Terms {
    /// C(s) · √N(s).
    exploration: f32,
    /// Value of a step without visits.
    first_play: f32,
}

impl PuctConfig {
    fn terms<S: Copy>(&self, arena: &Arena<S>, node: u32) -> Terms {
        let parent = arena.node(node);
        let visits = parent.visits as f32;
        let rate = ((1.0 + visits + self.exploration_base) / self.exploration_base).ln() + self.exploration;
        let first_play = match self.first_play {
            FirstPlay::Loss => -arena.utility_bound(),
            FirstPlay::Draw => 0.0,
            FirstPlay::Parent => {
                let visited: f32 = arena.opened(node).iter().map(|edge| edge.prior).sum();
                let value = arena.utility(parent).to_mover(parent.mover).0;
                value - self.first_play_reduction * visited.sqrt()
            }
        };
        Terms { exploration: rate * visits.sqrt(), first_play }
    }

    /// The step to take at a node without noise. Returns the index of its edge. The node must have
    /// steps.
    #[inline]
    pub(crate) fn select<S: Copy>(&self, arena: &mut Arena<S>, node: u32) -> usize {
        let closed = arena.closed(node);
        let terms = self.terms(arena, node);
        let first = arena.first_edge(node);
        let mover = arena.node(node).mover;
        let (mut best, mut best_score, mut best_order) = match closed {
            Some(Closed { edge, prior, order, .. }) => {
                (edge, terms.first_play + terms.exploration * prior, order)
            }
            None => (first, f32::NEG_INFINITY, u32::MAX),
        };
        for (index, edge) in arena.opened(node).iter().enumerate() {
            let child = arena.node(edge.child);
            let value = arena.utility(child).to_mover(mover).0;
            let score = value + terms.exploration * edge.prior / (1.0 + child.visits as f32);
            if score > best_score || (score == best_score && edge.order < best_order) {
                (best, best_score, best_order) = (first + index, score, edge.order);
            }
        }
        best
    }

    /// The step to take at a root with noise, one weight a step by its order.
    pub(crate) fn select_with_noise<S: Copy>(&self, arena: &Arena<S>, node: u32, noise: &[f32]) -> usize {
        let terms = self.terms(arena, node);
        let mover = arena.node(node).mover;
        let score = |edge: &Edge<S>| {
            let share = self.noise_share;
            let prior = (1.0 - share) * edge.prior + share * noise[edge.order as usize];
            match arena.child(edge) {
                None => terms.first_play + terms.exploration * prior,
                Some(child) => {
                    let value = arena.utility(child).to_mover(mover).0;
                    value + terms.exploration * prior / (1.0 + child.visits as f32)
                }
            }
        };
        let first = arena.first_edge(node);
        let (mut best, mut best_score, mut best_order) = (first, f32::NEG_INFINITY, u32::MAX);
        for (index, edge) in arena.edges_of(node).iter().enumerate() {
            let score = score(edge);
            if score > best_score || (score == best_score && edge.order < best_order) {
                (best, best_score, best_order) = (first + index, score, edge.order);
            }
        }
        best
    }
}
