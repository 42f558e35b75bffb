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
        let agreement =
            likeliest(&logs.detach())?.f_eq_tensor(&likeliest(&self.policy_target)?)?.f_to_kind(Kind::Float)?;
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
