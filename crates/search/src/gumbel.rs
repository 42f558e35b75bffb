//! Completed values, the improved policy, and the deterministic choice below the root.
//!
//! Danihelka et al. 2022: a step without visits is taken to be worth the mixed value of its node
//! (equation 33), and the improved policy is π′ = softmax(logits + σ(completed q)) (equation 11). All
//! values here are of the node's mover.

use crate::arena::{Arena, Choice, NO_NODE, NO_STEP};
use crate::config::{GumbelConfig, ValueRange};
use crate::lanes;

/// What a choice needs of a visited step.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Visited {
    pub order: u32,
    child: u32,
    visits: u32,
    prior: f32,
    pub value: f32,
}

/// The transform σ at one node, and the value of steps without visits.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Completion {
    /// Mixed value: what a step without visits is taken to be worth.
    pub mixed: f32,
    /// Largest completed value.
    largest: f32,
    /// σ(q) = `slope · q` but for a constant, which no use of σ can see.
    slope: f32,
}

impl Completion {
    /// σ(q) − σ(largest completed value): never above 0.
    #[inline]
    pub fn sigma(&self, q: f32) -> f32 {
        self.slope * (q - self.largest)
    }
}

impl GumbelConfig {
    /// Completes the values at a node and leaves those of its visited steps in `visited`.
    #[inline]
    pub(crate) fn complete<S: Copy>(
        &self,
        arena: &Arena<S>,
        node: u32,
        visited: &mut Vec<Visited>,
    ) -> Completion {
        visited.clear();
        let parent = arena.node(node);
        let mover = parent.mover;
        let (mut visited_prior, mut visited_value) = (0.0f32, 0.0f32);
        let (mut most_visits, mut all_visits) = (0, 0);
        let (mut smallest, mut largest) = (f32::INFINITY, f32::NEG_INFINITY);
        for (index, child) in arena.children(node) {
            let value = arena.utility(child).to_mover(mover).0;
            let (order, visits, prior) = (child.order, child.counted_visits(), child.prior);
            visited.push(Visited { order, child: index, visits, prior, value });
            visited_prior += prior;
            visited_value += prior * value;
            most_visits = most_visits.max(visits);
            all_visits += visits;
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
        if visited.len() < parent.steps() {
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

    /// The step to take at a node below the root: argmax of π′(a) − N(a) / (1 + ΣN) (equation 14);
    /// `NO_STEP` where leaves behind all of them wait. The node must have steps.
    #[inline]
    pub(crate) fn select<S: Copy>(
        &self,
        arena: &mut Arena<S>,
        node: u32,
        visited: &mut Vec<Visited>,
    ) -> Choice {
        let closed = arena.closed(node);
        let completion = self.complete(arena, node, visited);
        // One exponential a visited step, one for all the rest.
        let rest = lanes::exp(completion.sigma(completion.mixed));
        let mut total = closed.map_or(0.0, |closed| closed.all_priors * rest);
        let mut visits = 1;
        for step in visited.iter_mut() {
            // From here on the weight of π′ in place of the value.
            step.value = step.prior * lanes::exp(completion.sigma(step.value));
            total += step.value;
            visits += step.visits;
        }
        let share = 1.0 / visits as f32;
        let mut best = Choice { order: NO_STEP, child: NO_NODE };
        let mut best_score = f32::NEG_INFINITY;
        if let Some(closed) = closed {
            best.order = closed.order;
            best_score = closed.prior * rest / total;
        }
        for step in visited.iter() {
            let score = step.value / total - step.visits as f32 * share;
            if score > best_score || (score == best_score && step.order < best.order) {
                best = Choice { order: step.order, child: step.child };
                best_score = score;
            }
        }
        best
    }

    /// The improved policy π′ of a node, by order of its steps; it sums to 1.
    pub(crate) fn improved_policy<S: Copy>(&self, arena: &Arena<S>, node: u32) -> Vec<f32> {
        let mut visited = Vec::new();
        let completion = self.complete(arena, node, &mut visited);
        let mut sigmas = vec![completion.sigma(completion.mixed); arena.node(node).steps()];
        for step in visited {
            sigmas[step.order as usize] = completion.sigma(step.value);
        }
        let logs: Vec<f64> = arena
            .priors(node)
            .zip(sigmas)
            .map(|(prior, sigma)| f64::from(prior).ln() + f64::from(sigma))
            .collect();
        let largest = logs.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let total: f64 = logs.iter().map(|log| (log - largest).exp()).sum();
        logs.iter().map(|log| ((log - largest).exp() / total) as f32).collect()
    }
}
