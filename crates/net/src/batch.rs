//! A training batch as plain numbers, filled without tensors.

use crate::error::NetError;
use game::{NO_CELL, PlaneShape, PolicyShape};
use std::ops::Range;

/// Samples for one optimisation step. All values are seen by the side to move in the sample.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TrainBatch {
    /// Planes, `[rows, board rows, board columns, channels]`.
    pub planes: Vec<f32>,
    /// End of each row in the list of all steps, `[rows]`, never falling.
    pub step_ends: Vec<u32>,
    /// Policy cells of the legal steps, `[steps of all rows, cells_per_step]`, padded with
    /// [`NO_CELL`].
    pub cells: Vec<u32>,
    /// Target probability of each legal step, `[steps of all rows]`; a row sums to 1.
    pub policy_target: Vec<f32>,
    /// What the row's policy counts, `[rows]`: 0 where the sample has no trustworthy policy. The
    /// policy loss is the mean over rows weighted with these.
    pub policy_weight: Vec<f32>,
    /// Target probabilities of win, draw and loss, `[rows]`.
    pub wdl_target: Vec<[f32; 3]>,
    /// Target of the margin head in [−1, 1], `[rows]`.
    pub margin_target: Vec<f32>,
    /// Where each sample comes from, `[rows]`; errors name it.
    pub ids: Vec<u64>,
}

impl TrainBatch {
    /// Number of rows.
    pub fn len(&self) -> usize {
        self.step_ends.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.step_ends.is_empty()
    }

    /// Forgets all rows, keeping the memory.
    pub fn clear(&mut self) {
        self.planes.clear();
        self.step_ends.clear();
        self.cells.clear();
        self.policy_target.clear();
        self.policy_weight.clear();
        self.wdl_target.clear();
        self.margin_target.clear();
        self.ids.clear();
    }

    /// Where the steps of a row stand in the list of all steps.
    pub fn step_range(&self, row: usize) -> Range<usize> {
        let start = if row == 0 { 0 } else { self.step_ends[row - 1] as usize };
        start..self.step_ends[row] as usize
    }

    /// Checks all lengths, cells and numbers before anything is computed from them.
    ///
    /// # Errors
    /// [`NetError::Batch`] with all faults of form; [`NetError::NonFiniteSample`] for the first number
    /// that is not finite.
    pub fn check(&self, planes: PlaneShape, policy: PolicyShape) -> Result<(), NetError> {
        let rows = self.len();
        let steps = self.step_ends.last().map_or(0, |&end| end as usize);
        let mut faults = Vec::new();
        if rows == 0 {
            faults.push("it has no rows".to_string());
        }
        for (what, found, right) in [
            ("planes", self.planes.len(), rows * planes.len()),
            ("cells", self.cells.len(), steps * policy.cells_per_step),
            ("policy_target", self.policy_target.len(), steps),
            ("policy_weight", self.policy_weight.len(), rows),
            ("wdl_target", self.wdl_target.len(), rows),
            ("margin_target", self.margin_target.len(), rows),
            ("ids", self.ids.len(), rows),
        ] {
            if found != right {
                faults.push(format!("{what} has {found} entries and should have {right}"));
            }
        }
        if !self.step_ends.is_sorted() {
            faults.push("step_ends falls".to_string());
        }
        let limit = policy.cells() as u32;
        if let Some(cell) = self.cells.iter().find(|&&cell| cell >= limit && cell != NO_CELL) {
            faults.push(format!("cell {cell} is not below {limit}"));
        }
        if !faults.is_empty() {
            return Err(NetError::Batch(faults));
        }
        for row in 0..rows {
            let numbers = [
                ("planes", &self.planes[row * planes.len()..(row + 1) * planes.len()]),
                ("policy target", &self.policy_target[self.step_range(row)]),
                ("policy weight", &self.policy_weight[row..=row]),
                ("value target", &self.wdl_target[row][..]),
                ("margin target", &self.margin_target[row..=row]),
            ];
            for (what, numbers) in numbers {
                if !all_finite(numbers) {
                    return Err(NetError::NonFiniteSample { id: self.ids[row], row, what });
                }
            }
        }
        Ok(())
    }
}

/// Whether every number is finite. (A number times 0 is 0 exactly when it is finite, and a sum of such
/// products vectorises, which a search for the first bad number does not.)
pub(crate) fn all_finite(numbers: &[f32]) -> bool {
    let mut sums = [0.0f32; 16];
    let chunks = numbers.chunks_exact(sums.len());
    let rest: f32 = chunks.remainder().iter().map(|number| number * 0.0).sum();
    for chunk in chunks {
        for (sum, number) in sums.iter_mut().zip(chunk) {
            *sum += number * 0.0;
        }
    }
    sums.iter().sum::<f32>() + rest == 0.0
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_bad_number_anywhere_is_seen() {
        for length in [1, 15, 16, 17, 100] {
            let good = vec![3.0f32; length];
            assert!(all_finite(&good));
            for place in 0..length {
                for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
                    let mut numbers = good.clone();
                    numbers[place] = bad;
                    assert!(!all_finite(&numbers));
                }
            }
        }
    }
}
