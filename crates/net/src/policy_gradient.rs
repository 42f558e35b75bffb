//! Policy gradient on a network whose steps are single cells of its policy.
//!
//! The network is normalised by its running statistics, in training as in play, and they stay as they are: what
//! draws and what learns is the same function, to the number, so that the gradient is that of the policy which
//! drew. (A fresh network's statistics make its normalisations plain gains and biases.) The margin's head says
//! what is expected: `2 · score − 1`.

use crate::error::NetError;
use crate::network::{Net, planes_tensor};
use crate::optimizer::global_norm;
use crate::policy_head::PolicyHead;
use crate::threads::Threads;
use crate::trainer::Trainer;
use std::ops::Range;
use tch::{Device, Kind, Reduction, Tensor, no_grad};

/// Stands for the logit of a cell that is closed; finite, so that its product with a probability of 0 is 0.
const CLOSED: f64 = -1e30;

/// Choices to learn from, each a row.
#[derive(Clone, Copy, Debug)]
pub struct GradientBatch<'a> {
    /// `[rows, board rows, columns, channels]`
    pub planes: &'a [f32],
    /// `[rows, policy cells]`: which cells could be chosen.
    pub open: &'a [bool],
    /// `[rows]`: the cell that was.
    pub chosen: &'a [u32],
    /// `[rows]`: how much better than expected that turned out.
    pub advantages: &'a [f32],
    /// `[rows]`: the score that came out, 0 to 1.
    pub scores: &'a [f32],
    /// What a nat of a row's entropy is worth.
    pub entropy_weight: f64,
    /// What the mean square of expected minus found score counts in the loss.
    pub expectation_weight: f64,
}

/// What a step measured before it changed the weights; means over the rows, in nats.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct GradientReport {
    /// −advantage · ln π(chosen) − entropy weight · entropy.
    pub policy_loss: f64,
    /// (expected − found score)².
    pub expectation_loss: f64,
    /// Entropy of the choice.
    pub entropy: f64,
    /// Euclidean norm of the gradient before clipping.
    pub gradient_norm: f64,
}

/// Sums over rows, each a tensor of one number.
struct Sums {
    policy: Tensor,
    expectation: Tensor,
    entropy: Tensor,
}

impl Net {
    /// Logits of all policy cells, `[rows, cells]`, and the expected score of each row, 0 to 1. `threads` share the
    /// rows.
    ///
    /// # Errors
    /// [`NetError::Batch`] for planes of another size and for a policy head that is not [`PolicyHead::Cells`].
    pub fn cells_and_scores(
        &self,
        planes: &[f32],
        rows: usize,
        threads: &Threads,
    ) -> Result<(Vec<f32>, Vec<f32>), NetError> {
        let size = self.plane_shape().len();
        if planes.len() != rows * size {
            return Err(NetError::Batch(vec![format!("{} numbers for {rows} rows of {size}", planes.len())]));
        }
        let faults: Vec<String> = head_fault(self).into_iter().collect();
        if !faults.is_empty() {
            return Err(NetError::Batch(faults));
        }
        let parts = in_parallel(threads, self, &cut(rows, threads.count()), |net, range| {
            no_grad(|| {
                let part = &planes[range.start * size..range.end * size];
                let input = planes_tensor(part, range.len(), net.plane_shape(), net.device())?;
                let outputs = net.fixed_forward(&input)?;
                let scores = outputs.margin.f_add_scalar(1.0)?.f_mul_scalar(0.5)?;
                Ok((host(&cells(&outputs.policy)?)?, host(&scores)?))
            })
        })?;
        let (mut logits, mut scores) = (Vec::new(), Vec::new());
        for (part, expected) in parts {
            logits.extend(part);
            scores.extend(expected);
        }
        Ok((logits, scores))
    }
}

impl Trainer {
    /// One step down the gradient of the mean over the rows of `policy loss + expectation weight · expectation loss`,
    /// see [`GradientReport`]. Statistics of normalisations stay as they are. The rows are cut into the pieces of
    /// the trainer's settings, whose gradients are added in order.
    ///
    /// # Errors
    /// [`NetError::Batch`] for lists that do not fit each other or the network and for numbers that are not finite;
    /// [`NetError::NonFiniteWeight`] after a step that spoiled the weights.
    pub fn policy_gradient_step(
        &mut self,
        batch: &GradientBatch<'_>,
        learning_rate: f64,
    ) -> Result<GradientReport, NetError> {
        check(&self.net, batch)?;
        let rows = batch.chosen.len() as f64;
        let pieces = cut(batch.chosen.len(), self.config.pieces);
        let results = in_parallel(&self.threads, &self.net, &pieces, |net, range| piece(net, batch, range))?;
        let mut report = GradientReport::default();
        let mut sum: Vec<Tensor> = Vec::new();
        for (gradients, [policy, expectation, entropy]) in results {
            report.policy_loss += policy / rows;
            report.expectation_loss += expectation / rows;
            report.entropy += entropy / rows;
            sum = match sum.is_empty() {
                true => gradients,
                false => {
                    sum.iter().zip(&gradients).map(|(sum, one)| sum.f_add(one)).collect::<Result<_, _>>()?
                }
            };
        }
        report.gradient_norm = global_norm(&sum)?;
        if !report.gradient_norm.is_finite() {
            return Err(NetError::Batch(vec![
                "its gradient is not finite; the weights were not changed".to_owned(),
            ]));
        }
        if self.config.clip_norm > 0.0 && report.gradient_norm > self.config.clip_norm {
            for gradient in &mut sum {
                *gradient = gradient.f_mul_scalar(self.config.clip_norm / report.gradient_norm)?;
            }
        }
        self.optimizer.step(&self.net, &sum, learning_rate)?;
        if let Some(average) = &mut self.average {
            average.update(&self.net)?;
        }
        match self.net.first_not_finite()? {
            Some(tensor) => Err(NetError::NonFiniteWeight { tensor }),
            None => Ok(report),
        }
    }
}

/// The gradient of a piece of the batch, and its sums.
fn piece(
    net: &Net,
    batch: &GradientBatch<'_>,
    range: Range<usize>,
) -> Result<(Vec<Tensor>, [f64; 3]), NetError> {
    let (size, cells_of_row) = (net.plane_shape().len(), net.policy_shape().cells());
    let device = net.device();
    let planes = &batch.planes[range.start * size..range.end * size];
    let outputs = net.fixed_forward(&planes_tensor(planes, range.len(), net.plane_shape(), device)?)?;
    let open = &batch.open[range.start * cells_of_row..range.end * cells_of_row];
    let part = GradientBatch {
        planes,
        open,
        chosen: &batch.chosen[range.clone()],
        advantages: &batch.advantages[range.clone()],
        scores: &batch.scores[range],
        ..*batch
    };
    let sums = losses(&cells(&outputs.policy)?, &outputs.margin, &part)?;
    let total = sums.policy.f_add(&sums.expectation.f_mul_scalar(batch.expectation_weight)?)?;
    let total = total.f_mul_scalar(1.0 / batch.chosen.len() as f64)?;
    let learned: Vec<&Tensor> = net.learned().into_iter().map(|index| &net.tensors()[index]).collect();
    // What the loss does not reach, such as the result's layer, has no gradient.
    let gradients = total_gradients(&total, &learned)?;
    let number = |tensor: &Tensor| tensor.f_double_value(&[]).map_err(NetError::from);
    Ok((gradients, [number(&sums.policy)?, number(&sums.expectation)?, number(&sums.entropy)?]))
}

/// Gradients of all learned tensors; zeros for those that take no part.
fn total_gradients(total: &Tensor, learned: &[&Tensor]) -> Result<Vec<Tensor>, NetError> {
    // LibTorch refuses tensors that the loss does not reach: each takes part with a factor of 0.
    let mut whole = total.shallow_clone();
    for tensor in learned {
        whole = whole.f_add(&tensor.f_sum(Kind::Float)?.f_mul_scalar(0.0)?)?;
    }
    Ok(Tensor::f_run_backward(&[whole], learned, false, false)?)
}

/// Sums of the losses over the rows. `logits` is `[rows, cells]`, `margin` is `[rows, 1]`.
fn losses(logits: &Tensor, margin: &Tensor, batch: &GradientBatch<'_>) -> Result<Sums, NetError> {
    let rows = batch.chosen.len() as i64;
    let device = logits.device();
    let column = |numbers: &[f32]| Tensor::f_from_slice(numbers)?.f_view([rows, 1])?.f_to_device(device);
    let closed: Vec<bool> = batch.open.iter().map(|open| !open).collect();
    let closed = Tensor::f_from_slice(&closed)?.f_view([rows, -1])?.f_to_device(device)?;
    let chosen: Vec<i64> = batch.chosen.iter().map(|&cell| i64::from(cell)).collect();
    let chosen = Tensor::f_from_slice(&chosen)?.f_view([rows, 1])?.f_to_device(device)?;
    let chances = logits.f_masked_fill(&closed, CLOSED)?.f_log_softmax(1, Kind::Float)?;
    let taken = chances.f_gather(1, &chosen, false)?;
    let entropy = chances.f_exp()?.f_mul(&chances)?.f_sum(Kind::Float)?.f_neg()?;
    let gained = taken.f_mul(&column(batch.advantages)?)?.f_sum(Kind::Float)?;
    let policy = gained.f_add(&entropy.f_mul_scalar(batch.entropy_weight)?)?.f_neg()?;
    let expected = margin.f_add_scalar(1.0)?.f_mul_scalar(0.5)?;
    let expectation = expected.f_mse_loss(&column(batch.scores)?, Reduction::Sum)?;
    Ok(Sums { policy, expectation, entropy })
}

/// The numbers of a tensor.
fn host(tensor: &Tensor) -> Result<Vec<f32>, NetError> {
    Ok(Vec::try_from(tensor.f_to_device(Device::Cpu)?.f_reshape([-1])?)?)
}

/// Policy planes `[rows, planes, board rows, columns]` as cells, square by square: `[rows, cells]`.
fn cells(policy: &Tensor) -> Result<Tensor, NetError> {
    Ok(policy.f_permute([0, 2, 3, 1])?.f_flatten(1, -1)?)
}

/// A choice is one cell here, so that there are no pairs to multiply.
fn head_fault(net: &Net) -> Option<String> {
    let head = net.config().policy_head;
    (head != PolicyHead::Cells).then(|| format!("the network's policy head is {head:?}, it must be Cells"))
}

/// Every fault of a batch.
fn check(net: &Net, batch: &GradientBatch<'_>) -> Result<(), NetError> {
    let rows = batch.chosen.len();
    let cells = net.policy_shape().cells();
    let mut faults: Vec<String> = head_fault(net).into_iter().collect();
    if rows == 0 {
        faults.push("it has no rows".to_owned());
    }
    for (name, found, wanted) in [
        ("planes", batch.planes.len(), rows * net.plane_shape().len()),
        ("open", batch.open.len(), rows * cells),
        ("advantages", batch.advantages.len(), rows),
        ("scores", batch.scores.len(), rows),
    ] {
        if found != wanted {
            faults.push(format!("{name} has {found} numbers, {wanted} are wanted"));
        }
    }
    for (name, numbers) in
        [("planes", batch.planes), ("advantages", batch.advantages), ("scores", batch.scores)]
    {
        if numbers.iter().any(|number| !number.is_finite()) {
            faults.push(format!("{name} holds a number that is not finite"));
        }
    }
    if batch.open.len() == rows * cells {
        let mut rows = batch.chosen.iter().zip(batch.open.chunks(cells.max(1)));
        if let Some(row) = rows.position(|(&chosen, open)| open.get(chosen as usize) != Some(&true)) {
            faults.push(format!("row {row} chooses a cell that is closed"));
        }
    }
    if faults.is_empty() { Ok(()) } else { Err(NetError::Batch(faults)) }
}

/// Cuts rows into at most `count` ranges of nearly equal length.
fn cut(rows: usize, count: usize) -> Vec<Range<usize>> {
    let count = count.min(rows).max(1);
    (0..count).map(|index| index * rows / count..(index + 1) * rows / count).collect()
}

/// Works on each range, as many at the same time as there are threads; results in order.
fn in_parallel<T: Send>(
    threads: &Threads,
    net: &Net,
    ranges: &[Range<usize>],
    work: impl Fn(&Net, Range<usize>) -> Result<T, NetError> + Sync,
) -> Result<Vec<T>, NetError> {
    let mut results = Vec::with_capacity(ranges.len());
    for turn in ranges.chunks(threads.count()) {
        let one = |index: usize, net: &Net| turn.get(index).map(|range| work(net, range.clone())).transpose();
        results.extend(threads.each(net, one)?.into_iter().flatten());
    }
    Ok(results)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::config::{Averaging, NetConfig, TrainerConfig};
    use crate::runtime;
    use game::{PlaneShape, PolicyShape};
    use std::f64::consts::LN_2;

    const PLANES: PlaneShape = PlaneShape { channels: 2, rows: 2, columns: 3 };
    const POLICY: PolicyShape = PolicyShape { squares: 6, planes: 1, cells_per_step: 1 };

    fn batch<'a>(
        open: &'a [bool],
        chosen: &'a [u32],
        advantages: &'a [f32],
        scores: &'a [f32],
    ) -> GradientBatch<'a> {
        let (entropy_weight, expectation_weight) = (0.1, 1.0);
        GradientBatch { planes: &[], open, chosen, advantages, scores, entropy_weight, expectation_weight }
    }

    fn trainer(seed: u64, pieces: usize) -> Trainer {
        runtime::prepare();
        let config = NetConfig { blocks: 1, channels: 8, ..NetConfig::default() };
        let net = Net::new(&config, PLANES, POLICY, seed).unwrap();
        let settings =
            TrainerConfig { averaging: Averaging::None, pieces, threads: pieces, ..TrainerConfig::default() };
        Trainer::new(&net, &settings, Device::Cpu).unwrap()
    }

    #[test]
    fn losses_and_their_gradient_match_numbers_by_hand() {
        // Two rows of three cells; in the first one the last is closed. Probabilities 1/4 and 3/4; 1/2, 1/4, 1/4.
        let logits = Tensor::from_slice(&[0.0, 3f64.ln(), 99.0, 4f64.ln(), 2f64.ln(), 2f64.ln()])
            .view([2, 3])
            .to_kind(Kind::Float)
            .set_requires_grad(true);
        let margin = Tensor::from_slice(&[0.0f32, 0.5]).view([2, 1]).set_requires_grad(true);
        let open = [true, true, false, true, true, true];
        let rows = batch(&open, &[1, 0], &[2.0, -1.0], &[0.75, 0.5]);
        let sums = losses(&logits, &margin, &rows).unwrap();
        let near = |found: f64, right: f64| assert!((found - right).abs() < 1e-6, "{found} {right}");
        // Entropies: 0.5623351446 (of 1/4 and 3/4) and 1.5 ln 2 = 1.0397207708.
        near(sums.entropy.double_value(&[]), 1.602_055_915_4);
        // −(2 ln 3/4 − ln 1/2) − 0.1 · entropy
        near(sums.policy.double_value(&[]), 0.575_364_144_9 - LN_2 - 0.160_205_591_5);
        // (1/2 − 3/4)² + (3/4 − 1/2)²
        near(sums.expectation.double_value(&[]), 0.125);
        sums.policy.f_add(&sums.expectation).unwrap().backward();
        // Of a logit: −advantage · (1 if chosen − p) + 0.1 · p · (ln p + entropy).
        let right = [
            2.0 * 0.25 + 0.1 * 0.25 * (-1.386_294_361_1 + 0.562_335_144_6),
            -2.0 * 0.25 + 0.1 * 0.75 * (-0.287_682_072_5 + 0.562_335_144_6),
            0.0,
            0.5 + 0.1 * 0.5 * (1.039_720_770_8 - LN_2),
            -0.25 + 0.1 * 0.25 * (-1.386_294_361_1 + 1.039_720_770_8),
            -0.25 + 0.1 * 0.25 * (-1.386_294_361_1 + 1.039_720_770_8),
        ];
        for (index, right) in right.into_iter().enumerate() {
            near(logits.grad().double_value(&[index as i64 / 3, index as i64 % 3]), right);
        }
        // Expected is (margin + 1) / 2, so that its gradient is expected − found.
        near(margin.grad().double_value(&[0, 0]), -0.25);
        near(margin.grad().double_value(&[1, 0]), 0.25);
    }

    #[test]
    fn what_draws_is_what_learns_and_a_step_makes_the_good_choice_likelier() {
        let planes: Vec<f32> = (0..4 * PLANES.len()).map(|index| ((index * 7) % 5) as f32 / 5.0).collect();
        let open = [true; 24];
        let (chosen, advantages, scores) = ([0, 1, 2, 3], [1.0, 1.0, -0.5, 0.0], [1.0, 0.9, 0.1, 0.5]);
        let rows = GradientBatch { planes: &planes, ..batch(&open, &chosen, &advantages, &scores) };
        let mut reports: Vec<GradientReport> = Vec::new();
        for pieces in [1, 3] {
            let mut trainer = trainer(4, pieces);
            let before = trainer.net().cells_and_scores(&planes, 4, &Threads::new(pieces).unwrap()).unwrap();
            let statistics = trainer.net().numbers("stem.norm.variance").unwrap();
            reports.push(trainer.policy_gradient_step(&rows, 0.01).unwrap());
            for _ in 0..20 {
                trainer.policy_gradient_step(&rows, 0.01).unwrap();
            }
            let last = trainer.policy_gradient_step(&rows, 0.01).unwrap();
            assert_eq!(trainer.net().numbers("stem.norm.variance").unwrap(), statistics);
            let after = trainer.net().cells_and_scores(&planes, 4, &Threads::new(1).unwrap()).unwrap();
            let chance = |logits: &[f32], row: usize| {
                let row_logits = &logits[6 * row..6 * row + 6];
                let sum: f32 = row_logits.iter().map(|logit| logit.exp()).sum();
                logits[6 * row + chosen[row] as usize].exp() / sum
            };
            let good = |logits: &[f32]| chance(logits, 0) + chance(logits, 1);
            assert!(good(&after.0) > good(&before.0) + 0.05, "{} {}", good(&before.0), good(&after.0));
            assert!(chance(&after.0, 2) < chance(&before.0, 2));
            let first = reports[reports.len() - 1];
            assert!(last.policy_loss < first.policy_loss && last.expectation_loss < first.expectation_loss);
            assert!(after.1[0] > before.1[0] && after.1[2] < before.1[2]);
        }
        assert!((reports[0].policy_loss - reports[1].policy_loss).abs() < 1e-6, "{reports:?}");
        assert!((reports[0].gradient_norm - reports[1].gradient_norm).abs() < 1e-5, "{reports:?}");
    }

    #[test]
    fn every_fault_of_a_batch_is_named() {
        let planes = vec![0.0; 2 * PLANES.len()];
        let mut open = [true; 12];
        open[7] = false;
        let rows = GradientBatch { planes: &planes, ..batch(&open, &[0, 1], &[f32::NAN, 0.0], &[0.5]) };
        let told = trainer(1, 1).policy_gradient_step(&rows, 0.01).unwrap_err().to_string();
        for part in ["scores has 1 numbers, 2", "advantages holds", "row 1 chooses a cell that is closed"] {
            assert!(told.contains(part), "{told}");
        }
    }
}
