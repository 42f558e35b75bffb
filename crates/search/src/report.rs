//! What a search has found at its root.

use game::{Game, OfMover, Wdl};
use std::fmt;

/// What a search has found. All values are of the side to move at the root.
#[derive(Clone)]
pub struct RootReport<'a, G: Game> {
    /// The root.
    pub position: &'a G::Position,
    /// One entry a legal step, in the game's order; empty when the game has ended.
    pub steps: Vec<StepReport<G::Step>>,
    /// What the evaluator said of the root, or the result when the game has ended.
    pub before: RootValue,
    /// The mean over all visits of the root, those of a kept tree included; the proven result where
    /// there is one.
    pub after: RootValue,
    /// Simulations of this search.
    pub simulations: u32,
}

impl<G: Game> RootReport<'_, G> {
    /// How far the search's policy is from the prior: the Kullback–Leibler divergence
    /// Σ policy · ln(policy / prior), in nats; 0 or more.
    pub fn surprise(&self) -> f32 {
        surprise(self.steps.iter().copied())
    }
}

fn surprise<S>(steps: impl Iterator<Item = StepReport<S>>) -> f32 {
    let weighted = steps.filter(|step| step.policy > 0.0);
    // A prior of 0 by underflow still leaves a finite number; rounding can bring a sum of equals below 0.
    let sum: f32 =
        weighted.map(|step| step.policy * (step.policy / step.prior.max(f32::MIN_POSITIVE)).ln()).sum();
    sum.max(0.0)
}

impl<G: Game> fmt::Debug for RootReport<'_, G> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("RootReport")
            .field("position", self.position)
            .field("steps", &self.steps)
            .field("before", &self.before)
            .field("after", &self.after)
            .field("simulations", &self.simulations)
            .finish()
    }
}

/// What a position is worth to the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct RootValue {
    /// Win, draw, loss.
    pub wdl: OfMover<Wdl>,
    /// Points margin, in [−1, 1].
    pub margin: OfMover<f32>,
    /// What the search maximises: win − loss + `margin_weight` · margin.
    pub utility: OfMover<f32>,
}

/// What a search has found about one legal step.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct StepReport<S> {
    /// The step.
    pub step: S,
    /// Softmax of the evaluator's logits, without noise. Sums to 1 over the steps.
    pub prior: f32,
    /// Visits, those of a kept tree included.
    pub visits: u32,
    /// Mean utility of the visits to the side to move at the root; `None` without visits.
    pub value: Option<OfMover<f32>>,
    /// Weight in the search's policy, what a network should learn: the improved policy of a Gumbel
    /// search, the share of visits of a PUCT search, the prior without simulations. Sums to 1.
    pub policy: f32,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn surprise_is_the_divergence_of_policy_from_prior() {
        let step = |prior, policy| StepReport { step: 0, prior, visits: 0, value: None, policy };
        let surprise =
            |steps: &[(f32, f32)]| surprise(steps.iter().map(|&(prior, policy)| step(prior, policy)));
        assert_eq!(surprise(&[(0.25, 0.25), (0.75, 0.75)]), 0.0);
        // ¾·ln 3 + ¼·ln ⅓ = ½·ln 3
        assert!((surprise(&[(0.25, 0.75), (0.75, 0.25)]) - 0.5 * 3f32.ln()).abs() < 1e-6);
        assert!((surprise(&[(0.5, 1.0), (0.5, 0.0)]) - 2f32.ln()).abs() < 1e-6);
        assert!(surprise(&[(0.0, 1.0), (1.0, 0.0)]).is_finite());
    }
}
