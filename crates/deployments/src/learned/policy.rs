//! What places pieces, and what can be taught to.

use super::planes::{CHANNELS, SQUARES};

/// A policy or its network failed.
#[derive(Debug, thiserror::Error)]
#[error("the deployment policy: {0}")]
pub struct PolicyError(pub String);

/// What a policy says of set-ups under way.
#[derive(Clone, Debug, PartialEq)]
pub struct Answers {
    /// `[rows, SQUARES]`: a logit for every point of the own half, from a1 along the ranks. Points that are not
    /// open to the next piece count nothing.
    pub logits: Vec<f32>,
    /// `[rows]`: the score that is expected of the set-up once it is complete, 0 to 1. It lowers the variance
    /// of the gradient and changes nothing else; any constant will do.
    pub expected: Vec<f32>,
}

/// Says where the next piece goes.
pub trait Policy {
    /// Answers for rows of [`planes`](super::planes()), `[rows, 6, 11, CHANNELS]`.
    ///
    /// # Errors
    /// A network that fails.
    fn answer(&self, planes: &[f32], rows: usize) -> Result<Answers, PolicyError>;
}

/// Placements to learn from, each a row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Batch {
    /// `[rows, 6, 11, CHANNELS]`
    pub planes: Vec<f32>,
    /// `[rows, SQUARES]`: whether the piece may go there.
    pub open: Vec<bool>,
    /// `[rows]`: where it went.
    pub chosen: Vec<u32>,
    /// `[rows]`: how much better than expected that turned out, see [`super::returns::advantages`].
    pub advantages: Vec<f32>,
    /// `[rows]`: the score that came out, from 0 to 1, which is what is to be expected.
    pub scores: Vec<f32>,
    /// What a nat of a row's entropy is worth.
    pub entropy_weight: f64,
}

impl Batch {
    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.chosen.len()
    }

    /// Whether every list has the length that belongs to the number of rows.
    pub fn is_sound(&self) -> bool {
        let rows = self.rows();
        let right = [self.advantages.len(), self.scores.len()].iter().all(|&length| length == rows);
        let points = self.chosen.iter().zip(self.open.chunks(SQUARES));
        right
            && self.planes.len() == rows * SQUARES * CHANNELS
            && self.open.len() == rows * SQUARES
            && points.into_iter().all(|(&chosen, open)| open.get(chosen as usize) == Some(&true))
    }
}

/// What a step of learning measured before it changed the policy.
#[derive(Clone, Copy, Debug, Default, PartialEq, serde::Serialize, serde::Deserialize)]
pub struct Learned {
    /// Mean of −advantage · ln π − entropy weight · entropy over the rows.
    pub policy_loss: f64,
    /// Mean square of expected minus found score.
    pub expectation_loss: f64,
    /// Mean entropy of a row, in nats.
    pub entropy: f64,
    /// Euclidean norm of the gradient before it was clipped.
    pub gradient_norm: f64,
}

/// A policy that learns.
pub trait Learner: Policy {
    /// One step up the gradient of `mean(advantage · ln π(chosen) + entropy weight · entropy)`, and of what is
    /// expected towards what was found.
    ///
    /// # Errors
    /// Numbers that are not finite, and a network that fails.
    fn learn(&mut self, batch: &Batch, learning_rate: f64) -> Result<Learned, PolicyError>;

    /// The policy as it is now, which goes on to place pieces when this one has learned more.
    ///
    /// # Errors
    /// A network that fails.
    fn snapshot(&self) -> Result<Box<dyn Policy>, PolicyError>;
}
