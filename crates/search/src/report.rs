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
