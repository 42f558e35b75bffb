//! Optimisation steps on prepared batches.

use crate::architecture::Outputs;
use crate::average::Average;
use crate::batch::{self, TrainBatch};
use crate::config::{Averaging, LossWeights, TrainerConfig};
use crate::error::NetError;
use crate::loss::{Piece, target_entropy};
use crate::module::Autocast;
use crate::network::Net;
use crate::optimizer::{AdamW, global_norm};
use crate::plan::Precision;
use crate::policy_head::sum_of_rows;
use crate::threads::Threads;
use crate::training_precision::training_precision;
use selfplay::{AuxiliaryHead, Difference};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use tch::{Device, Kind, Tensor, no_grad};

/// A network being trained: its weights, the optimiser's state and the average for play.
pub struct Trainer {
    pub(crate) config: TrainerConfig,
    pub(crate) net: Net,
    pub(crate) optimizer: AdamW,
    pub(crate) average: Option<Average>,
    pub(crate) threads: Arc<Threads>,
    device: Device,
}

/// What one step measured, before it changed the weights. Losses are means over the batch, in nats.
#[derive(Clone, Debug, PartialEq, serde::Serialize)]
pub struct StepReport {
    /// Weighted sum of all losses.
    pub total_loss: f64,
    /// Cross-entropy of the policy, weighted with the rows' policy weights.
    pub policy_loss: f64,
    /// Cross-entropy of win, draw and loss.
    pub value_loss: f64,
    /// Huber loss of the points margin.
    pub margin_loss: f64,
    /// Losses of the auxiliary heads, in the order of the network's configuration.
    pub auxiliary_losses: Vec<(AuxiliaryHead, f64)>,
    /// Entropy of the network's policy.
    pub policy_entropy: f64,
    /// Entropy of the target policies, the least that `policy_loss` can be; weighted like it.
    pub target_entropy: f64,
    /// Share of rows whose likeliest step is the target's, weighted like `policy_loss`.
    pub top1_agreement: f64,
    /// Euclidean norm of the gradient before clipping.
    pub gradient_norm: f64,
    /// Rows of the batch.
    pub rows: usize,
}

/// What one piece gives back.
struct PieceResult {
    gradients: Vec<Tensor>,
    statistics: Vec<Tensor>,
    policy: Vec<f32>,
    value: Vec<f32>,
    margin: Vec<f32>,
    entropy: Vec<f32>,
    agreement: Vec<f32>,
    auxiliary: Vec<(AuxiliaryHead, Vec<f32>)>,
}

impl Trainer {
    /// A trainer with a fresh optimiser. The network is copied.
    ///
    /// # Errors
    /// [`NetError::Config`] with all faults of the settings.
    pub fn new(net: &Net, config: &TrainerConfig, device: Device) -> Result<Trainer, NetError> {
        let faults = config.faults();
        if !faults.is_empty() {
            return Err(NetError::Config(faults));
        }
        let net = net.copy_to(device)?;
        let optimizer = AdamW::new(&net, &config.optimizer)?;
        let average = match config.averaging {
            Averaging::None => None,
            Averaging::Exponential { decay } => Some(Average::new(&net, decay)?),
        };
        Trainer::assemble(config, net, optimizer, average, device)
    }

    /// A trainer from its parts, which are on `device` already.
    pub(crate) fn assemble(
        config: &TrainerConfig,
        net: Net,
        optimizer: AdamW,
        average: Option<Average>,
        device: Device,
    ) -> Result<Trainer, NetError> {
        for index in net.learned() {
            let _ = net.tensors()[index].f_set_requires_grad(true)?;
        }
        let threads = Arc::new(Threads::new(config.threads)?);
        Ok(Trainer { config: config.clone(), net, optimizer, average, threads, device })
    }

    /// The network being trained.
    pub fn net(&self) -> &Net {
        &self.net
    }

    /// The network that plays: the average where there is one, else the one being trained.
    pub fn play_net(&self) -> &Net {
        self.average.as_ref().map_or(&self.net, Average::net)
    }

    /// The settings.
    pub fn config(&self) -> &TrainerConfig {
        &self.config
    }

    /// The threads that it works with, for whoever runs its network between two steps.
    pub fn threads(&self) -> &Arc<Threads> {
        &self.threads
    }

    /// Optimisation steps so far.
    pub fn steps(&self) -> u64 {
        self.optimizer.steps()
    }

    /// One optimisation step. The learning rate is the caller's schedule.
    ///
    /// # Errors
    /// [`NetError::Batch`], [`NetError::NonFiniteSample`] and [`NetError::NonFiniteGradient`] leave
    /// everything unchanged; after [`NetError::NonFiniteUpdate`] the weights are spoiled.
    pub fn step(&mut self, batch: &TrainBatch, learning_rate: f64) -> Result<StepReport, NetError> {
        let heads = &self.net.config().auxiliary;
        batch::check(batch, heads, self.net.plane_shape(), self.net.policy_shape())?;
        let results = self.run_pieces(batch)?;
        let losses = Losses::of(&results);
        let report = self.report(batch, &losses)?;

        let mut results = results.into_iter();
        // `run_pieces` gives at least one result, since a checked batch has rows.
        let Some(mut first) = results.next() else {
            return Err(NetError::Batch(vec!["it has no rows".to_string()]));
        };
        let mut pieces = 1.0;
        no_grad(|| {
            for other in results {
                for (sum, gradient) in first.gradients.iter_mut().zip(&other.gradients) {
                    *sum = sum.f_add(gradient)?;
                }
                for (sum, statistic) in first.statistics.iter_mut().zip(&other.statistics) {
                    *sum = sum.f_add(statistic)?;
                }
                pieces += 1.0;
            }
            Ok::<(), NetError>(())
        })?;
        let norm = global_norm(&first.gradients)?;
        if !norm.is_finite() {
            return Err(self.gradient_error(batch, &first.gradients, &losses));
        }
        if self.config.clip_norm > 0.0 && norm > self.config.clip_norm {
            for gradient in &mut first.gradients {
                *gradient = gradient.f_mul_scalar(self.config.clip_norm / norm)?;
            }
        }
        self.optimizer.step(&self.net, &first.gradients, learning_rate)?;
        no_grad(|| {
            for (index, sum) in self.net.measured().into_iter().zip(&first.statistics) {
                let mean = sum.f_mul_scalar(1.0 / pieces)?;
                self.net.tensors()[index].shallow_clone().f_copy_(&mean)?;
            }
            Ok::<(), NetError>(())
        })?;
        if let Some(average) = &mut self.average {
            average.update(&self.net)?;
        }
        if let Some(tensor) = self.net.first_not_finite()? {
            let (id, loss) = largest_loss(batch, &losses);
            return Err(NetError::NonFiniteUpdate { tensor, id, loss });
        }
        Ok(StepReport { gradient_norm: norm, ..report })
    }

    /// How far the pass that trains is from the same pass in 32-bit numbers, on the rows of a batch, both
    /// normalised by the statistics of the batch; `None` where the passes are in 32-bit numbers anyway. Nothing
    /// is changed.
    ///
    /// # Errors
    /// As [`Trainer::step`], and what LibTorch says.
    pub fn precision_difference(&self, batch: &TrainBatch) -> Result<Option<Difference>, NetError> {
        if training_precision(self.config.precision, self.device) != Precision::Bf16 {
            return Ok(None);
        }
        let (planes, policy) = (self.net.plane_shape(), self.net.policy_shape());
        let heads = &self.net.config().auxiliary;
        batch::check(batch, heads, planes, policy)?;
        no_grad(|| {
            let piece = Piece::new(batch, 0..batch.len(), self.net.config(), planes, policy, self.device)?;
            // Passes move the running statistics: those of a copy.
            let pass = |half: bool| {
                let net = self.net.share_learned()?;
                let outputs = {
                    let _autocast = half.then(Autocast::start);
                    net.train_forward(&piece.planes)?
                };
                piece.probabilities(&as_floats(&outputs)?)
            };
            let ([policy, result], [exact_policy, exact_result]) = (pass(true)?, pass(false)?);
            // Half the sum over the steps; win minus loss.
            let policies = sum_of_rows(&policy.f_sub(&exact_policy)?.f_abs()?)?.f_mul_scalar(0.5)?;
            let win_less_loss = Tensor::f_from_slice(&[1f32, 0.0, -1.0])?;
            let values = sum_of_rows(&result.f_sub(&exact_result)?.f_mul(&win_less_loss)?)?.f_abs()?;
            let number = |tensor: Tensor| tensor.f_double_value(&[]);
            Ok(Some(Difference {
                policy: number(policies.f_mean(Kind::Float)?)?,
                largest_policy: number(policies.f_max()?)?,
                value: number(values.f_mean(Kind::Float)?)?,
                largest_value: number(values.f_max()?)?,
            }))
        })
    }

    /// Runs all pieces of a batch, on several threads where there are several, and returns their
    /// results in order.
    fn run_pieces(&self, batch: &TrainBatch) -> Result<Vec<PieceResult>, NetError> {
        let ranges = pieces(batch.len(), if self.device.is_cuda() { 1 } else { self.config.pieces });
        let work = Work {
            batch,
            ranges: &ranges,
            weights: &self.config.loss,
            policy_weight: batch.policy_weight.iter().map(|&weight| f64::from(weight)).sum(),
            device: self.device,
            half: training_precision(self.config.precision, self.device) == Precision::Bf16,
            next: AtomicUsize::new(0),
        };
        let parts = match ranges.len() {
            1 => vec![work.run(&self.net)?],
            _ => self.threads.each(&self.net, |_, net| work.run(net))?,
        };
        let mut results: Vec<(usize, PieceResult)> = parts.into_iter().flatten().collect();
        results.sort_by_key(|&(index, _)| index);
        Ok(results.into_iter().map(|(_, result)| result).collect())
    }

    /// Mean losses over the batch.
    fn report(&self, batch: &TrainBatch, losses: &Losses) -> Result<StepReport, NetError> {
        let rows = batch.len();
        let mut terms = vec![
            ("policy loss", &losses.policy),
            ("value loss", &losses.value),
            ("margin loss", &losses.margin),
        ];
        terms.extend(losses.auxiliary.iter().map(|(_, losses)| ("auxiliary loss", losses)));
        for row in 0..rows {
            if let Some((what, _)) = terms.iter().find(|(_, losses)| !losses[row].is_finite()) {
                return Err(NetError::NonFiniteSample { id: batch.ids[row], row, what });
            }
        }
        let mean =
            |numbers: &[f32]| numbers.iter().map(|&number| f64::from(number)).sum::<f64>() / rows as f64;
        let weights: f64 = batch.policy_weight.iter().map(|&weight| f64::from(weight)).sum();
        let weighted = |number: &dyn Fn(usize) -> f64| {
            let sum: f64 = (0..rows).map(|row| f64::from(batch.policy_weight[row]) * number(row)).sum();
            if weights > 0.0 { sum / weights } else { 0.0 }
        };
        let policy_loss = weighted(&|row| f64::from(losses.policy[row]));
        let value_loss = mean(&losses.value);
        let margin_loss = mean(&losses.margin);
        let scales = &self.config.loss;
        let auxiliary_losses: Vec<_> =
            losses.auxiliary.iter().map(|(head, losses)| (*head, mean(losses))).collect();
        let auxiliary: f64 = auxiliary_losses.iter().map(|&(head, loss)| scales.of(head) * loss).sum();
        let total_loss =
            scales.policy * policy_loss + scales.value * value_loss + scales.margin * margin_loss + auxiliary;
        Ok(StepReport {
            total_loss,
            auxiliary_losses,
            policy_loss,
            value_loss,
            margin_loss,
            policy_entropy: mean(&losses.entropy),
            top1_agreement: weighted(&|row| f64::from(losses.agreement[row])),
            target_entropy: weighted(&|row| target_entropy(&batch.policy_target[batch.step_range(row)])),
            gradient_norm: 0.0,
            rows,
        })
    }

    /// Names a tensor with a bad gradient and the sample with the largest loss.
    fn gradient_error(&self, batch: &TrainBatch, gradients: &[Tensor], losses: &Losses) -> NetError {
        let bad = self.net.learned().into_iter().zip(gradients).find(|(_, gradient)| {
            gradient.f_norm().and_then(|norm| norm.f_double_value(&[])).is_ok_and(|norm| !norm.is_finite())
        });
        let tensor =
            bad.map_or_else(|| "the sum".to_string(), |(index, _)| self.net.specs()[index].name.clone());
        let (id, loss) = largest_loss(batch, losses);
        NetError::NonFiniteGradient { tensor, id, loss }
    }
}

/// Outputs in 32-bit numbers, whatever they were computed in.
fn as_floats(outputs: &Outputs<Tensor>) -> Result<Outputs<Tensor>, NetError> {
    let floats = |tensor: &Tensor| tensor.f_to_kind(Kind::Float);
    Ok(Outputs {
        policy: floats(&outputs.policy)?,
        result: floats(&outputs.result)?,
        margin: floats(&outputs.margin)?,
        auxiliary: outputs
            .auxiliary
            .iter()
            .map(|(head, output)| Ok((*head, floats(output)?)))
            .collect::<Result<_, NetError>>()?,
    })
}

/// The sample with the largest loss, and that loss.
fn largest_loss(batch: &TrainBatch, losses: &Losses) -> (u64, f32) {
    let sums = (0..batch.len()).map(|row| losses.policy[row] + losses.value[row] + losses.margin[row]);
    let (row, loss) = sums.enumerate().max_by(|a, b| a.1.total_cmp(&b.1)).unwrap_or_default();
    (batch.ids[row], loss)
}

/// Loss terms of all rows of a batch.
struct Losses {
    policy: Vec<f32>,
    value: Vec<f32>,
    margin: Vec<f32>,
    entropy: Vec<f32>,
    agreement: Vec<f32>,
    auxiliary: Vec<(AuxiliaryHead, Vec<f32>)>,
}

impl Losses {
    fn of(results: &[PieceResult]) -> Losses {
        let all = |part: fn(&PieceResult) -> &Vec<f32>| results.iter().flat_map(part).copied().collect();
        let mut auxiliary: Vec<(AuxiliaryHead, Vec<f32>)> = Vec::new();
        for (head, losses) in results.iter().flat_map(|piece| &piece.auxiliary) {
            match auxiliary.iter_mut().find(|entry| entry.0 == *head) {
                Some((_, all)) => all.extend(losses),
                None => auxiliary.push((*head, losses.clone())),
            }
        }
        Losses {
            policy: all(|piece| &piece.policy),
            value: all(|piece| &piece.value),
            margin: all(|piece| &piece.margin),
            entropy: all(|piece| &piece.entropy),
            agreement: all(|piece| &piece.agreement),
            auxiliary,
        }
    }
}

/// Cuts rows into at most `count` ranges of nearly equal length.
fn pieces(rows: usize, count: usize) -> Vec<Range<usize>> {
    let count = count.min(rows).max(1);
    (0..count).map(|index| index * rows / count..(index + 1) * rows / count).collect()
}

/// A queue of pieces.
struct Work<'a> {
    batch: &'a TrainBatch,
    ranges: &'a [Range<usize>],
    weights: &'a LossWeights,
    policy_weight: f64,
    device: Device,
    /// Whether the passes compute in 16-bit brain floats.
    half: bool,
    next: AtomicUsize,
}

impl Work<'_> {
    /// Takes pieces until none is left.
    fn run(&self, net: &Net) -> Result<Vec<(usize, PieceResult)>, NetError> {
        let mut results = Vec::new();
        loop {
            let index = self.next.fetch_add(1, Ordering::Relaxed);
            let Some(range) = self.ranges.get(index) else { return Ok(results) };
            results.push((index, self.piece(net, range.clone())?));
        }
    }

    fn piece(&self, net: &Net, range: Range<usize>) -> Result<PieceResult, NetError> {
        let net = net.share_learned()?;
        let (planes, policy) = (net.plane_shape(), net.policy_shape());
        let piece = Piece::new(self.batch, range, net.config(), planes, policy, self.device)?;
        let outputs = {
            let _autocast = self.half.then(Autocast::start);
            net.train_forward(&piece.planes)?
        };
        let outputs = as_floats(&outputs)?;
        let terms = piece.terms(&outputs, self.weights)?;
        let total = piece.total(&terms, self.weights, self.policy_weight, self.batch.len())?;
        let learned: Vec<&Tensor> = net.learned().into_iter().map(|index| &net.tensors()[index]).collect();
        let gradients = Tensor::f_run_backward(&[total], &learned, false, false)?;
        let statistics =
            net.measured().into_iter().map(|index| net.tensors()[index].shallow_clone()).collect();
        let host = |tensor: &Tensor| {
            Vec::<f32>::try_from(tensor.detach().f_to_device(Device::Cpu)?).map_err(NetError::from)
        };
        Ok(PieceResult {
            gradients,
            statistics,
            policy: host(&terms.policy)?,
            value: host(&terms.result)?,
            margin: host(&terms.margin)?,
            entropy: host(&terms.entropy)?,
            agreement: host(&terms.agreement)?,
            auxiliary: terms
                .auxiliary
                .iter()
                .map(|(head, losses)| Ok((*head, host(losses)?)))
                .collect::<Result<_, NetError>>()?,
        })
    }
}
