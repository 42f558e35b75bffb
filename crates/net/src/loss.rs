//! The loss of a piece of a batch: policy over legal steps, result, margin.

use crate::architecture::Outputs;
use crate::batch::TrainBatch;
use crate::config::LossWeights;
use crate::error::NetError;
use crate::network::planes_tensor;
use game::{NO_CELL, PlaneShape, PolicyShape};
use std::ops::Range;
use tch::{Device, Kind, Reduction, Tensor};

/// Stands for the logit of a step that a row does not have; far below any real logit, yet finite, so
/// that its product with a target of 0 is 0.
const ABSENT: f32 = -1e30;

/// Some rows of a batch as tensors.
pub(crate) struct Piece {
    rows: usize,
    cells_per_step: i64,
    /// `[rows, channels, board rows, board columns]`
    pub planes: Tensor,
    /// `[rows · widest · cells_per_step]`: index into the policy of the whole piece.
    cells: Tensor,
    /// `[rows, widest, cells_per_step]`: 1 where the cell counts.
    counts: Tensor,
    /// `[rows, widest]`: 0 for a step, [`ABSENT`] for padding.
    absent: Tensor,
    /// `[rows, widest]`
    policy_target: Tensor,
    /// `[rows]`
    policy_weight: Tensor,
    /// `[rows, 3]`
    result_target: Tensor,
    /// `[rows]`
    margin_target: Tensor,
}

impl Piece {
    /// Rows `range` of a batch that was checked.
    pub fn new(
        batch: &TrainBatch,
        range: Range<usize>,
        planes: PlaneShape,
        policy: PolicyShape,
        device: Device,
    ) -> Result<Piece, NetError> {
        let rows = range.len();
        let width = policy.cells_per_step;
        let widest = range.clone().map(|row| batch.step_range(row).len()).max().unwrap_or(0).max(1);
        let mut cells = vec![0i64; rows * widest * width];
        let mut counts = vec![0f32; rows * widest * width];
        let mut absent = vec![ABSENT; rows * widest];
        let mut target = vec![0f32; rows * widest];
        for (index, row) in range.clone().enumerate() {
            let steps = batch.step_range(row);
            let start = index * widest;
            absent[start..start + steps.len()].fill(0.0);
            target[start..start + steps.len()].copy_from_slice(&batch.policy_target[steps.clone()]);
            let first = (index * policy.cells()) as i64;
            let places = start * width..;
            let row_cells = &batch.cells[steps.start * width..steps.end * width];
            for ((place, count), &cell) in
                cells[places.clone()].iter_mut().zip(&mut counts[places]).zip(row_cells)
            {
                if cell != NO_CELL {
                    *place = first + i64::from(cell);
                    *count = 1.0;
                }
            }
        }
        let results: Vec<f32> = batch.wdl_target[range.clone()].concat();
        let shape = [rows as i64, widest as i64];
        let on_device = |tensor: Tensor| tensor.f_to_device(device);
        let numbers = planes.len();
        Ok(Piece {
            rows,
            cells_per_step: width as i64,
            planes: planes_tensor(
                &batch.planes[range.start * numbers..range.end * numbers],
                rows,
                planes,
                device,
            )?,
            cells: on_device(Tensor::f_from_slice(&cells)?)?,
            counts: on_device(Tensor::f_from_slice(&counts)?.f_view([shape[0], shape[1], width as i64])?)?,
            absent: on_device(Tensor::f_from_slice(&absent)?.f_view(shape)?)?,
            policy_target: on_device(Tensor::f_from_slice(&target)?.f_view(shape)?)?,
            policy_weight: on_device(Tensor::f_from_slice(&batch.policy_weight[range.clone()])?)?,
            result_target: on_device(Tensor::f_from_slice(&results)?.f_view([shape[0], 3])?)?,
            margin_target: on_device(Tensor::f_from_slice(&batch.margin_target[range])?)?,
        })
    }

    /// Logarithms of the probabilities of legal steps, `[rows, widest]`: gather the cells, add them up
    /// step by step, softmax over the steps of a row.
    pub fn log_probabilities(&self, policy: &Tensor) -> Result<Tensor, NetError> {
        // Square-major, so for the memory order of the convolutions this is a view.
        let flat = policy.f_permute([0, 2, 3, 1])?.f_reshape([-1])?;
        let parts = flat.f_index_select(0, &self.cells)?.f_view(self.counts.size().as_slice())?;
        debug_assert_eq!(self.counts.size()[2], self.cells_per_step);
        let logits = parts
            .f_mul(&self.counts)?
            .f_sum_dim_intlist([-1i64].as_slice(), false, Kind::Float)?
            .f_add(&self.absent)?;
        Ok(logits.f_log_softmax(-1, Kind::Float)?)
    }

    /// The loss terms of each row. `outputs` must be 32-bit numbers.
    pub fn terms(&self, outputs: &Outputs<Tensor>, weights: &LossWeights) -> Result<Terms, NetError> {
        let logs = self.log_probabilities(&outputs.policy)?;
        let per_row = [-1i64];
        let sum = |tensor: Tensor| tensor.f_sum_dim_intlist(per_row.as_slice(), false, Kind::Float);
        let policy = sum(self.policy_target.f_mul(&logs)?)?.f_neg()?;
        let probabilities = logs.detach().f_exp()?;
        let entropy = sum(probabilities.f_mul(&logs.detach().f_clamp_min(-1e4)?)?)?.f_neg()?;
        let results = outputs.result.f_log_softmax(-1, Kind::Float)?;
        let result = sum(self.result_target.f_mul(&results)?)?.f_neg()?;
        let margin = outputs.margin.f_view([self.rows as i64])?.f_huber_loss(
            &self.margin_target,
            Reduction::None,
            weights.margin_delta,
        )?;
        let likeliest = |tensor: &Tensor| tensor.f_argmax(-1, false);
        let agreement = likeliest(&logs.detach())?
            .f_eq_tensor(&likeliest(&self.policy_target)?)?
            .f_to_kind(Kind::Float)?;
        Ok(Terms { policy, result, margin, entropy, agreement })
    }

    /// The scalar whose gradient is this piece's share of the whole batch's: weighted sums over the
    /// piece divided by the whole batch's weights.
    pub fn total(
        &self,
        terms: &Terms,
        weights: &LossWeights,
        policy_weight_of_batch: f64,
        rows_of_batch: usize,
    ) -> Result<Tensor, NetError> {
        let rows = rows_of_batch as f64;
        // Products of 32-bit tensors with double scalars stay 32-bit.
        let policy_scale =
            if policy_weight_of_batch > 0.0 { weights.policy / policy_weight_of_batch } else { 0.0 };
        let policy =
            terms.policy.f_mul(&self.policy_weight)?.f_sum(Kind::Float)?.f_mul_scalar(policy_scale)?;
        let result = terms.result.f_sum(Kind::Float)?.f_mul_scalar(weights.value / rows)?;
        let margin = terms.margin.f_sum(Kind::Float)?.f_mul_scalar(weights.margin / rows)?;
        Ok(policy.f_add(&result)?.f_add(&margin)?)
    }
}

/// Loss terms, `[rows]` each.
pub(crate) struct Terms {
    /// Cross-entropy of the policy.
    pub policy: Tensor,
    /// Cross-entropy of win, draw and loss.
    pub result: Tensor,
    /// Huber loss of the margin.
    pub margin: Tensor,
    /// Entropy of the network's own policy; not part of the loss.
    pub entropy: Tensor,
    /// 1 where the network's likeliest step is the target's, else 0; not part of the loss.
    pub agreement: Tensor,
}

/// Entropy of the target policy of a row in nats: the least its cross-entropy can be.
pub fn target_entropy(target: &[f32]) -> f64 {
    target.iter().filter(|&&share| share > 0.0).map(|&share| -f64::from(share) * f64::from(share).ln()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    const PLANES: PlaneShape = PlaneShape { channels: 1, rows: 2, columns: 3 };
    const POLICY: PolicyShape = PolicyShape { squares: 6, planes: 2, cells_per_step: 2 };

    fn batch() -> TrainBatch {
        TrainBatch {
            planes: vec![0.0; 3 * PLANES.len()],
            step_ends: vec![3, 3, 5],
            cells: vec![0, 11, 4, NO_CELL, 7, 7, 3, 2, 11, NO_CELL],
            policy_target: vec![0.5, 0.25, 0.25, 0.9, 0.1],
            policy_weight: vec![1.0, 0.0, 0.5],
            wdl_target: vec![[1.0, 0.0, 0.0], [0.0, 0.5, 0.5], [0.2, 0.3, 0.5]],
            margin_target: vec![0.5, -1.0, 0.0],
            ids: vec![1, 2, 3],
        }
    }

    fn number(index: usize) -> f64 {
        ((index * 37 + 11) % 29) as f64 / 7.0 - 2.0
    }

    #[test]
    fn terms_equal_the_naive_computation() {
        let batch = batch();
        // Rows 1 and 2 as a piece of their own: offsets must be counted from the piece.
        for range in [0..3, 1..3] {
            let piece = Piece::new(&batch, range.clone(), PLANES, POLICY, Device::Cpu).unwrap();
            let rows = range.len();
            // By row, square and plane, as the cells are numbered.
            let cell = |row: usize, cell: usize| number(row * 12 + cell);
            let policy: Vec<f32> =
                range.clone().flat_map(|row| (0..12).map(move |at| cell(row, at) as f32)).collect();
            let policy = Tensor::from_slice(&policy).view([rows as i64, 2, 3, 2]).permute([0, 3, 1, 2]);
            let result = |row: usize| [0, 1, 2].map(|at| number(row * 3 + at + 100));
            let results: Vec<f32> = range.clone().flat_map(result).map(|number| number as f32).collect();
            let margin = |row: usize| number(row + 200);
            let margins: Vec<f32> = range.clone().map(|row| margin(row) as f32).collect();
            let outputs = Outputs {
                policy,
                result: Tensor::from_slice(&results).view([-1, 3]),
                margin: Tensor::from_slice(&margins).view([-1, 1]),
            };
            let weights = LossWeights { policy: 2.0, value: 3.0, margin: 4.0, margin_delta: 0.5 };
            let terms = piece.terms(&outputs, &weights).unwrap();

            let mut total = 0.0;
            for (index, row) in range.clone().enumerate() {
                let logits: Vec<f64> = batch
                    .step_range(row)
                    .map(|step| {
                        let cells = &batch.cells[step * 2..step * 2 + 2];
                        cells.iter().filter(|&&at| at != NO_CELL).map(|&at| cell(row, at as usize)).sum()
                    })
                    .collect();
                let cross_entropy = |logits: &[f64], target: &[f32]| -> f64 {
                    let sum: f64 = logits.iter().map(|logit| logit.exp()).sum();
                    logits
                        .iter()
                        .zip(target)
                        .map(|(logit, &share)| f64::from(share) * (sum.ln() - logit))
                        .sum()
                };
                let target = &batch.policy_target[batch.step_range(row)];
                let policy = cross_entropy(&logits, target);
                let value = cross_entropy(&result(row), &batch.wdl_target[row]);
                let error = (margin(row) - f64::from(batch.margin_target[row])).abs();
                let huber = if error < 0.5 { error * error / 2.0 } else { 0.5 * (error - 0.25) };
                let entropy = -cross_entropy(&logits, &vec![0.0; logits.len()])
                    + cross_entropy(&logits, &{
                        let sum: f64 = logits.iter().map(|logit| logit.exp()).sum();
                        logits.iter().map(|logit| (logit.exp() / sum) as f32).collect::<Vec<_>>()
                    });
                for (what, found, right) in [
                    ("policy", &terms.policy, policy),
                    ("value", &terms.result, value),
                    ("margin", &terms.margin, huber),
                    ("entropy", &terms.entropy, entropy),
                ] {
                    let found = found.double_value(&[index as i64]);
                    // A row without steps has no policy to speak of, only a finite one.
                    let free = batch.step_range(row).is_empty() && what == "entropy";
                    assert!(free || (found - right).abs() < 1e-4, "row {row} {what}: {found} {right}");
                    assert!(found.is_finite());
                }
                let weight = f64::from(batch.policy_weight[row]);
                total += 2.0 * weight * policy / 1.5 + 3.0 * value / 3.0 + 4.0 * huber / 3.0;
            }
            let found = piece.total(&terms, &weights, 1.5, 3).unwrap().double_value(&[]);
            assert!((found - total).abs() < 1e-4, "{found} {total}");
        }
    }

    #[test]
    fn entropy_of_an_even_target_is_the_logarithm_of_its_length() {
        assert!((target_entropy(&[0.25; 4]) - 4f64.ln()).abs() < 1e-12);
        assert_eq!(target_entropy(&[1.0, 0.0]), 0.0);
    }
}
