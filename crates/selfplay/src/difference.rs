//! How far two evaluators are apart on the same positions: a fast one from an exact one.

use crate::evaluator::{Batch, Evaluator, EvaluatorError, Judgement};
use serde::{Deserialize, Serialize};

/// Distances between the answers of two evaluators, over the rows of a batch.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Difference {
    /// Mean distance of the policies: half the sum of |p − q| over the steps (total variation), from 0 (the
    /// same) to 1 (nothing in common).
    pub policy: f64,
    /// The largest distance of the policies.
    pub largest_policy: f64,
    /// Mean distance of the expected results, win minus loss, from 0 to 2.
    pub value: f64,
    /// The largest distance of the expected results.
    pub largest_value: f64,
}

impl Difference {
    /// Asks both about the rows of `batch`, whose answers are the second one's afterwards. Rows without steps
    /// say nothing about policies.
    ///
    /// # Errors
    /// What either says, also that an answer is not finite.
    pub fn between(
        fast: &mut dyn Evaluator,
        exact: &mut dyn Evaluator,
        batch: &mut Batch,
    ) -> Result<Difference, EvaluatorError> {
        fast.evaluate(batch)?;
        let answers: Vec<(Vec<f64>, f64)> = (0..batch.len()).map(|row| answer(batch, row)).collect();
        exact.evaluate(batch)?;
        let mut found = Difference::default();
        let mut policies = 0;
        for (row, (policy, value)) in answers.iter().enumerate() {
            let (other_policy, other_value) = answer(batch, row);
            let distance = (value - other_value).abs();
            found.value += distance;
            found.largest_value = found.largest_value.max(distance);
            if policy.is_empty() {
                continue;
            }
            let distance = policy.iter().zip(&other_policy).map(|(p, q)| (p - q).abs()).sum::<f64>() / 2.0;
            policies += 1;
            found.policy += distance;
            found.largest_policy = found.largest_policy.max(distance);
        }
        found.value /= batch.len().max(1) as f64;
        found.policy /= f64::from(policies.max(1));
        Ok(found)
    }
}

/// Policy and expected result of a row.
fn answer(batch: &Batch, row: usize) -> (Vec<f64>, f64) {
    let (logits, Judgement { wdl, .. }) = batch.answer(row);
    let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
    let weights: Vec<f64> = logits.iter().map(|logit| f64::from(logit - largest).exp()).collect();
    let sum: f64 = weights.iter().sum();
    (weights.iter().map(|weight| weight / sum).collect(), f64::from(wdl.0.win) - f64::from(wdl.0.loss))
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{OfMover, PlaneShape, PolicyShape, Wdl};

    const PLANES: PlaneShape = PlaneShape { channels: 1, rows: 1, columns: 2 };
    const POLICY: PolicyShape = PolicyShape { squares: 2, planes: 1, cells_per_step: 1 };

    /// Answers every row with the same logits and win probability.
    struct Fixed([f32; 2], f32);

    impl Evaluator for Fixed {
        fn plane_shape(&self) -> PlaneShape {
            PLANES
        }

        fn policy_shape(&self) -> PolicyShape {
            POLICY
        }

        fn evaluate(&mut self, batch: &mut Batch) -> Result<(), EvaluatorError> {
            let (logits, judgements) = batch.answers_mut();
            logits.copy_from_slice(&self.0);
            let wdl = Wdl { win: self.1, draw: 0.0, loss: 1.0 - self.1 };
            judgements.fill(Judgement { wdl: OfMover(wdl), margin: OfMover(0.0) });
            Ok(())
        }
    }

    #[test]
    fn distances_are_those_of_probabilities() {
        let mut batch = Batch::new(PLANES, POLICY, 2);
        batch.push_numbers(&[0.0, 1.0], &[0, 1]);
        batch.push_numbers(&[1.0, 1.0], &[]);
        // Probabilities 3/4 and 1/4 against even ones; a shift of all logits changes nothing.
        let (mut fast, mut exact) = (Fixed([3f32.ln() + 7.0, 7.0], 0.75), Fixed([0.0, 0.0], 0.5));
        let found = Difference::between(&mut fast, &mut exact, &mut batch).unwrap();
        assert!(
            (found.policy - 0.25).abs() < 1e-6 && (found.largest_policy - 0.25).abs() < 1e-6,
            "{found:?}"
        );
        assert!((found.value - 0.5).abs() < 1e-6 && (found.largest_value - 0.5).abs() < 1e-6, "{found:?}");
        let found = Difference::between(&mut exact, &mut Fixed([1.0, 1.0], 0.5), &mut batch).unwrap();
        assert_eq!(found, Difference::default());
    }
}
