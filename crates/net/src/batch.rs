//! A training batch as plain numbers, checked before tensors are made of it.

use crate::error::NetError;
use game::{NO_CELL, Owner, PlaneShape, PolicyShape};
use selfplay::{AuxiliaryHead, AuxiliaryTargets};

pub use selfplay::TrainBatch;

/// Checks all lengths, cells and numbers before anything is computed from them.
///
/// # Errors
/// [`NetError::Batch`] with all faults of form; [`NetError::NonFiniteSample`] for the first number
/// that is not finite.
pub(crate) fn check(
    batch: &TrainBatch,
    heads: &[AuxiliaryHead],
    planes: PlaneShape,
    policy: PolicyShape,
) -> Result<(), NetError> {
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
    faults.extend(auxiliary_faults(&batch.auxiliary, heads, rows, policy));
    if !batch.step_ends.is_sorted() || !batch.auxiliary.reply_ends.is_sorted() {
        faults.push("the ends of rows fall".to_string());
    }
    let limit = policy.cells() as u32;
    let mut cells = batch.cells.iter().chain(&batch.auxiliary.reply_cells);
    if let Some(cell) = cells.find(|&&cell| cell >= limit && cell != NO_CELL) {
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
        let auxiliary = heads.iter().filter_map(|head| match head {
            AuxiliaryHead::TurnsLeft => Some(("turns left", &batch.auxiliary.turns_left[row..=row])),
            AuxiliaryHead::Reply => {
                Some(("reply target", &batch.auxiliary.reply[batch.auxiliary.reply_range(row)]))
            }
            AuxiliaryHead::Owners => None,
        });
        for (what, numbers) in numbers.into_iter().chain(auxiliary) {
            if !all_finite(numbers) {
                return Err(NetError::NonFiniteSample { id: batch.ids[row], row, what });
            }
        }
    }
    Ok(())
}

/// What is wrong with the form of the targets that these heads ask for.
fn auxiliary_faults(
    targets: &AuxiliaryTargets,
    heads: &[AuxiliaryHead],
    rows: usize,
    policy: PolicyShape,
) -> Vec<String> {
    let steps = targets.reply_ends.last().map_or(0, |&end| end as usize);
    let mut faults = Vec::new();
    for head in heads {
        let lists = match head {
            AuxiliaryHead::TurnsLeft => vec![("turns_left", targets.turns_left.len(), rows)],
            AuxiliaryHead::Owners => vec![("owners", targets.owners.len(), rows * policy.squares)],
            AuxiliaryHead::Reply => vec![
                ("reply_ends", targets.reply_ends.len(), rows),
                ("reply_cells", targets.reply_cells.len(), steps * policy.cells_per_step),
                ("reply", targets.reply.len(), steps),
            ],
        };
        for (what, found, right) in lists {
            if found != right {
                faults.push(format!("auxiliary {what} has {found} entries and should have {right}"));
            }
        }
    }
    let owners = Owner::ALL.len() as u8;
    if let Some(owner) = targets.owners.iter().find(|&&owner| owner >= owners) {
        faults.push(format!("owner {owner} is not below {owners}"));
    }
    faults
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
