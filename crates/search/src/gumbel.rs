//! Completed values, the improved policy, and the deterministic choice below the root.
//!
//! Danihelka et al. 2022: a step without visits is taken to be worth the mixed value of its node
//! (equation 33), and the improved policy is π′ = softmax(logits + σ(completed q)) (equation 11). All
//! values here are of the node's mover.

use crate::arena::{Arena, Closed};
use crate::config::{GumbelConfig, ValueRange};

/// The transform σ at one node, and the value of steps without visits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Completion {
    /// Mixed value: what a step without visits is taken to be worth.
    pub mixed: f32,
    /// Largest completed value.
    pub largest: f32,
    /// σ(q) = `slope · q` but for a constant, which no use of σ can see.
    pub slope: f32,
}

impl Completion {
    /// σ(q) − σ(largest completed value): never above 0.
    #[inline]
    pub fn sigma(&self, q: f32) -> f32 {
        self.slope * (q - self.largest)
    }
}

impl GumbelConfig {
    /// Completes the values at a node and leaves those of its opened edges in `values`.
    #[inline]
    pub(crate) fn complete<S: Copy>(
        &self,
        arena: &Arena<S>,
        node: u32,
        values: &mut Vec<(f32, u32)>,
    ) -> Completion {
        values.clear();
        let parent = arena.node(node);
        let mover = parent.mover;
        let (mut visited_prior, mut visited_value) = (0.0f32, 0.0f32);
        let (mut most_visits, mut all_visits) = (0, 0);
        let (mut smallest, mut largest) = (f32::INFINITY, f32::NEG_INFINITY);
        for edge in arena.opened(node) {
            let child = arena.node(edge.child);
            let value = arena.utility(child).to_mover(mover).0;
            values.push((value, child.visits));
            visited_prior += edge.prior;
            visited_value += edge.prior * value;
            most_visits = most_visits.max(child.visits);
            all_visits += child.visits;
            smallest = smallest.min(value);
            largest = largest.max(value);
        }
        let own = arena.utility_of(&parent.own).to_mover(mover).0;
        let mixed = if all_visits == 0 {
            own
        } else {
            let visits = all_visits as f32;
            (own + visits * (visited_value / visited_prior)) / (1.0 + visits)
        };
        if values.len() < parent.steps() {
            smallest = smallest.min(mixed);
            largest = largest.max(mixed);
        }
        let range = match self.value_range {
            ValueRange::Bounds => 2.0 * arena.utility_bound(),
            ValueRange::Siblings => (largest - smallest).max(1e-5),
        };
        let slope = (self.visit_offset + most_visits as f32) * self.value_scale / range;
        Completion { mixed, largest, slope }
    }

    /// The step to take at a node below the root: argmax of π′(a) − N(a) / (1 + ΣN) (equation 14).
    /// Returns the index of its edge. The node must have steps.
    #[inline]
    pub(crate) fn select<S: Copy>(
        &self,
        arena: &mut Arena<S>,
        node: u32,
        values: &mut Vec<(f32, u32)>,
    ) -> usize {
        let closed = arena.closed(node);
        let completion = self.complete(arena, node, values);
        let edges = arena.opened(node);
        // Weights of π′ replace the values: one exponential an opened step, one for all the rest.
        let mut total = 0.0f32;
        let mut visits = 1;
        for (edge, (value, child_visits)) in edges.iter().zip(values.iter_mut()) {
            let weight = edge.prior * completion.sigma(*value).exp();
            *value = weight;
            total += weight;
            visits += *child_visits;
        }
        let rest = completion.sigma(completion.mixed).exp();
        if let Some(Closed { all_priors, .. }) = closed {
            total += all_priors * rest;
        }
        let share = 1.0 / visits as f32;
        let first = arena.first_edge(node);
        let (mut best, mut best_score, mut best_order) = match closed {
            Some(Closed { edge, prior, order, .. }) => (edge, prior * rest / total, order),
            None => (first, f32::NEG_INFINITY, u32::MAX),
        };
        for (index, (edge, &(weight, child_visits))) in edges.iter().zip(values.iter()).enumerate() {
            let score = weight / total - child_visits as f32 * share;
            if score > best_score || (score == best_score && edge.order < best_order) {
                (best, best_score, best_order) = (first + index, score, edge.order);
            }
        }
        best
    }

    /// The improved policy π′ of a node, by order of its steps; it sums to 1.
    pub(crate) fn improved_policy<S: Copy>(&self, arena: &Arena<S>, node: u32) -> Vec<f32> {
        let mut values = Vec::new();
        let completion = self.complete(arena, node, &mut values);
        let edges = arena.edges_of(node);
        let mut policy = vec![0.0; edges.len()];
        let sigmas = values.iter().map(|&(value, _)| completion.sigma(value));
        let sigmas = sigmas.chain(std::iter::repeat(completion.sigma(completion.mixed)));
        let mut logs = vec![0.0f64; edges.len()];
        for (edge, sigma) in edges.iter().zip(sigmas) {
            logs[edge.order as usize] = f64::from(edge.prior).ln() + f64::from(sigma);
        }
        let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let total: f64 = logs.iter().map(|log| (log - largest).exp()).sum();
        for (weight, log) in policy.iter_mut().zip(logs) {
            *weight = ((log - largest).exp() / total) as f32;
        }
        policy
    }
}
