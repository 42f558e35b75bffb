//! The loss of a piece of a batch: policy over legal steps, result, margin.

use crate::architecture::Outputs;
use crate::batch::TrainBatch;
use crate::config::{LossWeights, NetConfig};
use crate::error::NetError;
use crate::network::planes_tensor;
use crate::policy_head::{PolicyHead, StepPlaces, StepTensors, sum_of_rows};
use game::{PlaneShape, PolicyShape};
use selfplay::AuxiliaryHead;
use std::ops::Range;
use tch::{Device, Kind, Reduction, Tensor};

/// Stands for the logit of a step that a row does not have; far below any real logit, yet finite, so
/// that its product with a target of 0 is 0.
const ABSENT: f32 = -1e30;

/// Steps of some rows as tensors: what makes their logits, and their targets.
struct Steps {
    /// Of `rows · widest` steps.
    places: StepTensors,
    /// `[rows, widest]`: 0 for a step, [`ABSENT`] for padding.
    absent: Tensor,
    /// `[rows, widest]`
    target: Tensor,
}

impl Steps {
    /// Steps of rows whose places in `cells` and `target` are `ranges`.
    fn new(
        ranges: &[Range<usize>],
        all_cells: &[u32],
        all_targets: &[f32],
        head: PolicyHead,
        policy: PolicyShape,
        device: Device,
    ) -> Result<Steps, NetError> {
        let (rows, width) = (ranges.len(), policy.cells_per_step);
        let widest = ranges.iter().map(Range::len).max().unwrap_or(0).max(1);
        let mut places = StepPlaces::new(head, policy, rows * widest);
        let mut absent = vec![ABSENT; rows * widest];
        let mut target = vec![0f32; rows * widest];
        for (row, steps) in ranges.iter().enumerate() {
            let start = row * widest;
            absent[start..start + steps.len()].fill(0.0);
            target[start..start + steps.len()].copy_from_slice(&all_targets[steps.clone()]);
            places.enter(start, row, &all_cells[steps.start * width..steps.end * width]);
        }
        let shape = [rows as i64, widest as i64];
        let on_device = |tensor: Tensor| tensor.f_to_device(device);
        Ok(Steps {
            places: places.tensors(device)?,
            absent: on_device(Tensor::f_from_slice(&absent)?.f_view(shape)?)?,
            target: on_device(Tensor::f_from_slice(&target)?.f_view(shape)?)?,
        })
    }

    /// Logarithms of the probabilities of legal steps, `[rows, widest]`: softmax over the steps of a row.
    fn log_probabilities(&self, answer: &Tensor) -> Result<Tensor, NetError> {
        let logits = self.places.logits(answer)?.f_view_as(&self.absent)?.f_add(&self.absent)?;
        Ok(logits.f_log_softmax(-1, Kind::Float)?)
    }

    /// Cross-entropy of log probabilities with the targets, `[rows]`. 0 for a row without steps.
    fn cross_entropy(&self, logs: &Tensor) -> Result<Tensor, NetError> {
        Ok(sum_of_rows(&self.target.f_mul(logs)?)?.f_neg()?)
    }
}

/// Some rows of a batch as tensors.
pub(crate) struct Piece {
    rows: usize,
    /// `[rows, channels, board rows, board columns]`
    pub planes: Tensor,
    steps: Steps,
    /// `[rows]`
    policy_weight: Tensor,
    /// `[rows, 3]`
    result_target: Tensor,
    /// `[rows]`
    margin_target: Tensor,
    auxiliary: Vec<AuxiliaryTarget>,
}

/// What one auxiliary head is to learn.
enum AuxiliaryTarget {
    /// `[rows]`
    TurnsLeft(Tensor),
    Reply(Steps),
    /// Owners by number, `[rows, squares]`.
    Owners(Tensor),
}

impl Piece {
    /// Rows `range` of a batch that was checked, for a network of this configuration.
    pub fn new(
        batch: &TrainBatch,
        range: Range<usize>,
        config: &NetConfig,
        planes: PlaneShape,
        policy: PolicyShape,
        device: Device,
    ) -> Result<Piece, NetError> {
        let rows = range.len();
        let results: Vec<f32> = batch.wdl_target[range.clone()].concat();
        let on_device = |tensor: Tensor| tensor.f_to_device(device);
        let numbers = planes.len();
        let steps: Vec<_> = range.clone().map(|row| batch.step_range(row)).collect();
        let targets = &batch.auxiliary;
        let auxiliary = config
            .auxiliary
            .iter()
            .map(|head| {
                Ok(match head {
                    AuxiliaryHead::TurnsLeft => AuxiliaryTarget::TurnsLeft(on_device(Tensor::f_from_slice(
                        &targets.turns_left[range.clone()],
                    )?)?),
                    AuxiliaryHead::Reply => {
                        let steps: Vec<_> = range.clone().map(|row| targets.reply_range(row)).collect();
                        let (cells, target) = (&targets.reply_cells, &targets.reply);
                        AuxiliaryTarget::Reply(Steps::new(
                            &steps,
                            cells,
                            target,
                            PolicyHead::Cells,
                            policy,
                            device,
                        )?)
                    }
                    AuxiliaryHead::Owners => {
                        let squares = range.start * policy.squares..range.end * policy.squares;
                        let owners: Vec<i64> =
                            targets.owners[squares].iter().map(|&owner| owner.into()).collect();
                        let shape = [rows as i64, policy.squares as i64];
                        AuxiliaryTarget::Owners(on_device(Tensor::f_from_slice(&owners)?.f_view(shape)?)?)
                    }
                })
            })
            .collect::<Result<_, NetError>>()?;
        Ok(Piece {
            rows,
            planes: planes_tensor(
                &batch.planes[range.start * numbers..range.end * numbers],
                rows,
                planes,
                device,
            )?,
            steps: Steps::new(
                &steps,
                &batch.cells,
                &batch.policy_target,
                config.policy_head,
                policy,
                device,
            )?,
            policy_weight: on_device(Tensor::f_from_slice(&batch.policy_weight[range.clone()])?)?,
            result_target: on_device(Tensor::f_from_slice(&results)?.f_view([rows as i64, 3])?)?,
            margin_target: on_device(Tensor::f_from_slice(&batch.margin_target[range])?)?,
            auxiliary,
        })
    }

    /// The loss terms of each row. `outputs` must be 32-bit numbers.
    pub fn terms(&self, outputs: &Outputs<Tensor>, weights: &LossWeights) -> Result<Terms, NetError> {
        let logs = self.steps.log_probabilities(&outputs.policy)?;
        let policy = self.steps.cross_entropy(&logs)?;
        let probabilities = logs.detach().f_exp()?;
        let entropy = sum_of_rows(&probabilities.f_mul(&logs.detach().f_clamp_min(-1e4)?)?)?.f_neg()?;
        let results = outputs.result.f_log_softmax(-1, Kind::Float)?;
        let result = sum_of_rows(&self.result_target.f_mul(&results)?)?.f_neg()?;
        let huber = |output: &Tensor, target: &Tensor, delta: f64| {
            output.f_view([self.rows as i64])?.f_huber_loss(target, Reduction::None, delta)
        };
        let margin = huber(&outputs.margin, &self.margin_target, weights.margin_delta)?;
        let likeliest = |tensor: &Tensor| tensor.f_argmax(-1, false);
        let agreement = likeliest(&logs.detach())?
            .f_eq_tensor(&likeliest(&self.steps.target)?)?
            .f_to_kind(Kind::Float)?;
        let auxiliary = self
            .auxiliary
            .iter()
            .zip(&outputs.auxiliary)
            .map(|(target, (head, output))| {
                let term = match target {
                    AuxiliaryTarget::TurnsLeft(target) => huber(output, target, 1.0)?,
                    AuxiliaryTarget::Reply(steps) => {
                        steps.cross_entropy(&steps.log_probabilities(output)?)?
                    }
                    AuxiliaryTarget::Owners(owners) => {
                        let logs = output.f_flatten(2, -1)?.f_log_softmax(1, Kind::Float)?;
                        let found = logs.f_gather(1, &owners.f_unsqueeze(1)?, false)?.f_squeeze_dim(1)?;
                        found.f_mean_dim([-1i64].as_slice(), false, Kind::Float)?.f_neg()?
                    }
                };
                Ok((*head, term))
            })
            .collect::<Result<_, NetError>>()?;
        Ok(Terms { policy, result, margin, entropy, agreement, auxiliary })
    }

    /// Probabilities of the steps, `[rows, widest]`, and of win, draw and loss, `[rows, 3]`. `outputs` must be
    /// 32-bit numbers.
    pub fn probabilities(&self, outputs: &Outputs<Tensor>) -> Result<[Tensor; 2], NetError> {
        let policy = self.steps.log_probabilities(&outputs.policy)?.f_exp()?;
        Ok([policy, outputs.result.f_softmax(-1, Kind::Float)?])
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
        let mut total = policy.f_add(&result)?.f_add(&margin)?;
        for (head, term) in &terms.auxiliary {
            total = total.f_add(&term.f_sum(Kind::Float)?.f_mul_scalar(weights.of(*head) / rows)?)?;
        }
        Ok(total)
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
    /// Losses of the auxiliary heads.
    pub auxiliary: Vec<(AuxiliaryHead, Tensor)>,
}

/// Entropy of the target policy of a row in nats: the least its cross-entropy can be.
pub fn target_entropy(target: &[f32]) -> f64 {
    target.iter().filter(|&&share| share > 0.0).map(|&share| -f64::from(share) * f64::from(share).ln()).sum()
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::NO_CELL;
    use selfplay::AuxiliaryTargets;

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
            auxiliary: AuxiliaryTargets::default(),
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
            let piece = Piece::new(&batch, range.clone(), &NetConfig::default(), PLANES, POLICY, Device::Cpu)
                .unwrap();
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
                auxiliary: Vec::new(),
            };
            let weights = LossWeights {
                policy: 2.0,
                value: 3.0,
                margin: 4.0,
                margin_delta: 0.5,
                ..LossWeights::default()
            };
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
    fn auxiliary_terms_equal_the_naive_computation() {
        let mut batch = batch();
        batch.auxiliary = AuxiliaryTargets {
            turns_left: vec![0.0, 0.5, 4.0],
            reply_ends: vec![0, 2, 4],
            reply_cells: vec![0, 11, 4, NO_CELL, 7, 7, 3, NO_CELL],
            reply: vec![0.25, 0.75, 1.0, 0.0],
            owners: (0..18).map(|at| at % 3).collect(),
        };
        for range in [0..3, 1..3] {
            let rows = range.len();
            let config = NetConfig { auxiliary: AuxiliaryHead::ALL.to_vec(), ..NetConfig::default() };
            let piece = Piece::new(&batch, range.clone(), &config, PLANES, POLICY, Device::Cpu).unwrap();
            let board = |planes: usize, offset: usize| {
                let numbers: Vec<f32> = range
                    .clone()
                    .flat_map(|row| {
                        (0..6 * planes).map(move |at| number(row * 6 * planes + at + offset) as f32)
                    })
                    .collect();
                Tensor::from_slice(&numbers).view([rows as i64, 2, 3, planes as i64]).permute([0, 3, 1, 2])
            };
            let turns: Vec<f32> = range.clone().map(|row| number(row + 300) as f32).collect();
            let outputs = Outputs {
                policy: board(2, 0),
                result: Tensor::zeros([rows as i64, 3], (Kind::Float, Device::Cpu)),
                margin: Tensor::zeros([rows as i64, 1], (Kind::Float, Device::Cpu)),
                auxiliary: vec![
                    (AuxiliaryHead::TurnsLeft, Tensor::from_slice(&turns).view([-1, 1])),
                    (AuxiliaryHead::Reply, board(2, 400)),
                    (AuxiliaryHead::Owners, board(3, 500)),
                ],
            };
            let weights = LossWeights { turns_left: 2.0, reply: 3.0, owners: 5.0, ..LossWeights::default() };
            let terms = piece.terms(&outputs, &weights).unwrap();
            let softmax = |logits: &[f64], at: usize| {
                logits.iter().map(|logit| logit.exp()).sum::<f64>().ln() - logits[at]
            };
            let mut sum = 0.0;
            for (index, row) in range.clone().enumerate() {
                let error = (number(row + 300) - f64::from(batch.auxiliary.turns_left[row])).abs();
                let turns = if error < 1.0 { error * error / 2.0 } else { error - 0.5 };
                let steps = batch.auxiliary.reply_range(row);
                let logits: Vec<f64> = steps
                    .clone()
                    .map(|step| {
                        let cells = &batch.auxiliary.reply_cells[step * 2..step * 2 + 2];
                        let cells = cells.iter().filter(|&&cell| cell != NO_CELL);
                        cells.map(|&cell| number(row * 12 + cell as usize + 400)).sum()
                    })
                    .collect();
                let reply: f64 = steps
                    .enumerate()
                    .map(|(at, step)| f64::from(batch.auxiliary.reply[step]) * softmax(&logits, at))
                    .sum();
                let owners: f64 = (0..6)
                    .map(|square| {
                        let logits = [0, 1, 2].map(|owner| number(row * 18 + square * 3 + owner + 500));
                        softmax(&logits, batch.auxiliary.owners[row * 6 + square] as usize) / 6.0
                    })
                    .sum();
                for ((head, found), right) in terms.auxiliary.iter().zip([turns, reply, owners]) {
                    let found = found.double_value(&[index as i64]);
                    assert!((found - right).abs() < 1e-4, "row {row} {head:?}: {found} {right}");
                }
                sum += (2.0 * turns + 3.0 * reply + 5.0 * owners) / 3.0;
            }
            let with = piece.total(&terms, &weights, 1.5, 3).unwrap().double_value(&[]);
            let without = Terms { auxiliary: Vec::new(), ..terms };
            let without = piece.total(&without, &weights, 1.5, 3).unwrap().double_value(&[]);
            assert!((with - without - sum).abs() < 1e-3, "{with} {without} {sum}");
        }
    }

    #[test]
    fn entropy_of_an_even_target_is_the_logarithm_of_its_length() {
        assert!((target_entropy(&[0.25; 4]) - 4f64.ln()).abs() < 1e-12);
        assert_eq!(target_entropy(&[1.0, 0.0]), 0.0);
    }
}
