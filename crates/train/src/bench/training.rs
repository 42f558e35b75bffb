//! Optimisation steps.

use super::{Setting, Stopwatch, median, play};
use anyhow::Result;
use net::{Device, Precision, TrainBatch, Trainer, TrainerConfig, training_precision};
use selfplay::{AuxiliaryHead, AuxiliaryTargets, Batch};
use serde::Serialize;

/// Training with so many threads. Rates are medians over steps.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct TrainingRate {
    /// Threads, each with pieces of the batch.
    pub threads: usize,
    /// Samples of a step.
    pub batch: usize,
    /// Numbers of the passes; weights, losses and the optimiser are 32-bit.
    pub precision: Precision,
    /// Samples a second by the clock.
    pub positions_per_second: f64,
    /// Samples a second of processor time of all threads.
    pub positions_per_processor_second: f64,
    /// Share of what as many threads multiply at once in the same numbers ([`net::peak::sustained`], on average before
    /// and after the steps), by processor time, with three forward passes' worth of operations a sample; `None` on a
    /// GPU.
    pub share_of_peak: Option<f64>,
}

/// Measures one thread and all that the config has, by turns, for about `seconds` in all.
pub fn measure(setting: &Setting<'_>, seconds: f64) -> Result<Vec<TrainingRate>> {
    let config = setting.config;
    let settings = config.training.trainer(config.threads(setting.cores));
    let batch =
        samples(&setting.game.random_batch(config.training.batch, config.seed), &config.net.auxiliary);
    let mut counts = vec![settings.threads];
    if settings.threads > 1 && setting.device == Device::Cpu {
        counts.insert(0, 1);
    }
    let mut trainers = Vec::new();
    for &threads in &counts {
        let settings = TrainerConfig { threads, ..settings.clone() };
        let mut trainer = Trainer::new(setting.net, &settings, setting.device)?;
        // The first step also allocates and compiles.
        trainer.step(&batch, 1e-4)?;
        trainers.push((threads, trainer, Vec::new(), Vec::new()));
    }
    let bar = setting.progress.phase("measure training", "s", seconds.ceil() as u64);
    // Play and training may have different numbers, so training has a peak of its own.
    let precision = training_precision(settings.precision, setting.device);
    let peak = || play::peak(precision, settings.threads, seconds * 0.1);
    let before = peak()?;
    let whole = Stopwatch::start();
    while whole.seconds() < seconds * 0.8 {
        setting.go_on()?;
        for (_, trainer, by_clock, by_processor) in &mut trainers {
            let watch = Stopwatch::start();
            trainer.step(&batch, 1e-4)?;
            by_clock.push(watch.seconds());
            by_processor.push(watch.processor_seconds());
        }
        bar.update(whole.seconds() as u64);
    }
    let peak = f64::midpoint(before, peak()?);
    let rate = |(threads, _, mut by_clock, mut by_processor): (usize, Trainer, Vec<f64>, Vec<f64>)| {
        let rows = batch.len() as f64;
        let per_processor_second = rows / median(&mut by_processor).max(1e-9);
        TrainingRate {
            threads,
            batch: batch.len(),
            precision,
            positions_per_second: rows / median(&mut by_clock).max(1e-9),
            positions_per_processor_second: per_processor_second,
            share_of_peak: setting.share_of(peak, 3.0 * per_processor_second),
        }
    };
    Ok(trainers.into_iter().map(rate).collect())
}

/// Positions as samples whose targets say nothing: a step with them takes as long as any.
fn samples(batch: &Batch, heads: &[AuxiliaryHead]) -> TrainBatch {
    let rows = batch.len();
    let policy = |row: usize| {
        let steps = batch.step_range(row).len();
        std::iter::repeat_n(1.0 / steps as f32, steps)
    };
    let policy_target: Vec<f32> = (0..rows).flat_map(policy).collect();
    let mut auxiliary = AuxiliaryTargets::default();
    for head in heads {
        match head {
            AuxiliaryHead::TurnsLeft => auxiliary.turns_left = vec![1.0; rows],
            AuxiliaryHead::Reply => {
                // The row's own steps do as well as those of a reply.
                auxiliary.reply_ends = batch.step_ends().to_vec();
                auxiliary.reply_cells = batch.cells().to_vec();
                auxiliary.reply = policy_target.clone();
            }
            AuxiliaryHead::Owners => auxiliary.owners = vec![0; rows * batch.policy_shape().squares],
        }
    }
    TrainBatch {
        planes: batch.planes().to_vec(),
        step_ends: batch.step_ends().to_vec(),
        cells: batch.cells().to_vec(),
        policy_target,
        policy_weight: vec![1.0; rows],
        wdl_target: vec![[1.0 / 3.0; 3]; rows],
        margin_target: vec![0.0; rows],
        auxiliary,
        ids: (0..rows as u64).collect(),
    }
}
