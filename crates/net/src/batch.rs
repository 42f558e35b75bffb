//! A training batch as plain numbers, checked before tensors are made of it.

use crate::error::NetError;
use game::{NO_CELL, PlaneShape, PolicyShape};

pub use selfplay::TrainBatch;

/// Checks all lengths, cells and numbers before anything is computed from them.
///
/// # Errors
/// [`NetError::Batch`] with all faults of form; [`NetError::NonFiniteSample`] for the first number
/// that is not finite.
pub(crate) fn check(batch: &TrainBatch, planes: PlaneShape, policy: PolicyShape) -> Result<(), NetError> {
    let rows = batch.len();
    let steps = batch.step_ends.last().map_or(0, |&end| end as usize);
    let mut faults = Vec::new();
    if rows == 0 {
        faults.push("it has no rows".to_string());
    }
    for (what, found, right) in [
        ("planes", batch.planes.len(), rows * planes.len()),
        ("cells", batch.cells.len(), steps * policy.cells_per_step),
        ("policy_target", batch.policy_target.len(), steps),
        ("policy_weight", batch.policy_weight.len(), rows),
        ("wdl_target", batch.wdl_target.len(), rows),
        ("margin_target", batch.margin_target.len(), rows),
        ("ids", batch.ids.len(), rows),
    ] {
        if found != right {
            faults.push(format!("{what} has {found} entries and should have {right}"));
        }
    }
    if !batch.step_ends.is_sorted() {
        faults.push("step_ends falls".to_string());
    }
    let limit = policy.cells() as u32;
    if let Some(cell) = batch.cells.iter().find(|&&cell| cell >= limit && cell != NO_CELL) {
        faults.push(format!("cell {cell} is not below {limit}"));
    }
    if !faults.is_empty() {
        return Err(NetError::Batch(faults));
    }
    for row in 0..rows {
        let numbers = [
            ("planes", &batch.planes[row * planes.len()..(row + 1) * planes.len()]),
            ("policy target", &batch.policy_target[batch.step_range(row)]),
            ("policy weight", &batch.policy_weight[row..=row]),
            ("value target", &batch.wdl_target[row][..]),
            ("margin target", &batch.margin_target[row..=row]),
        ];
        for (what, numbers) in numbers {
            if !all_finite(numbers) {
                return Err(NetError::NonFiniteSample { id: batch.ids[row], row, what });
            }
        }
    }
    Ok(())
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
