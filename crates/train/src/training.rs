//! The training phase of a cycle.

use crate::config::TrainingConfig;
use crate::interrupt::Interrupt;
use crate::metrics::{Losses, Metric, MetricsWriter, StepMetrics};
use crate::progress::Progress;
use crate::run_state::InterruptedTraining;
use anyhow::{Context, Result};
use arena::learning::{LearningError, LearningSession};
use game::random::{Purpose, stream};
use net::{NetError, StepReport, TrainBatch, Trainer};
use std::sync::mpsc;
use std::time::Instant;

/// What a training phase is to do.
#[derive(Clone, Copy, Debug)]
pub struct TrainingPhase<'a> {
    /// Settings.
    pub config: &'a TrainingConfig,
    /// Seed of the run.
    pub seed: u64,
    /// The cycle.
    pub cycle: u64,
}

/// Batches that are drawn ahead of the step that needs them.
const AHEAD: usize = 2;

/// Trains until all planned steps of the cycle are done or an interrupt asks to stop; `work` says how far it
/// came. A thread draws the batches ahead; what it draws depends on the number of the step alone.
///
/// # Errors
/// What the window or the network says; a number that is not finite is named with its sample, and the
/// weights are those before that step.
pub fn train(
    phase: TrainingPhase<'_>,
    trainer: &mut Trainer,
    session: &mut dyn LearningSession,
    work: &mut InterruptedTraining,
    metrics: &mut MetricsWriter,
    interrupt: &Interrupt,
    progress: &Progress,
) -> Result<()> {
    let config = phase.config;
    let first = trainer.steps();
    let left = work.planned - work.done;
    let bar = progress.phase("train", "steps", work.planned);
    let mut interval = Interval::new();
    let begin = Instant::now();
    let mut rows = 0;
    std::thread::scope(|scope| -> Result<()> {
        let (sender, batches) = mpsc::sync_channel(AHEAD);
        let (used_sender, used) = mpsc::channel::<TrainBatch>();
        scope.spawn(move || {
            for step in first..first + left {
                let mut batch = used.try_recv().unwrap_or_default();
                let mut random = stream(phase.seed, Purpose::Sampling, &[step]);
                let drawn: Result<(), LearningError> = session.sample(config.batch, &mut random, &mut batch);
                let failed = drawn.is_err();
                // The receiver is gone when training was interrupted or failed.
                if sender.send(drawn.map(|()| batch)).is_err() || failed {
                    return;
                }
            }
        });
        for step in first..first + left {
            if interrupt.asked() {
                return Ok(());
            }
            let batch = batches.recv().context("the thread that draws samples is gone")??;
            let rate = config.learning_rate.at(step, work.share);
            if work.done == 0 {
                work.precision_difference = trainer.precision_difference(&batch).map_err(|error| {
                    let place = format!("training step {}{}", step + 1, origin(&error));
                    anyhow::Error::new(error).context(place)
                })?;
            }
            let report = trainer.step(&batch, rate).map_err(|error| {
                let place = format!("training step {}{}", step + 1, origin(&error));
                anyhow::Error::new(error).context(place)
            })?;
            rows += report.rows;
            work.done += 1;
            work.learning_rate = rate;
            work.losses.add(&report);
            interval.add(&report);
            bar.update(work.done);
            if (step + 1).is_multiple_of(config.metrics_every) {
                let record = Metric::Step(interval.finish(phase.cycle, step + 1, rate));
                metrics.write(&record).context("metrics")?;
            }
            // Its memory is used again; the thread may be through with drawing.
            let _ = used_sender.send(batch);
        }
        Ok(())
    })?;
    work.positions_per_second = rows as f64 / begin.elapsed().as_secs_f64().max(1e-9);
    Ok(())
}

/// Where the sample that an error names comes from.
fn origin(error: &NetError) -> String {
    match error {
        NetError::NonFiniteSample { id, .. }
        | NetError::NonFiniteGradient { id, .. }
        | NetError::NonFiniteUpdate { id, .. } => {
            let (game, step) = TrainBatch::game_and_step(*id);
            format!(", sample of game {game}, step {}", step + 1)
        }
        _ => String::new(),
    }
}

/// Steps since the last record.
struct Interval {
    sums: Losses,
    steps: u64,
    rows: usize,
    begin: Instant,
}

impl Interval {
    fn new() -> Interval {
        Interval { sums: Losses::default(), steps: 0, rows: 0, begin: Instant::now() }
    }

    fn add(&mut self, report: &StepReport) {
        self.sums.add(report);
        self.steps += 1;
        self.rows += report.rows;
    }

    /// The record of the interval; the next one begins.
    fn finish(&mut self, cycle: u64, step: u64, learning_rate: f64) -> StepMetrics {
        let done = std::mem::replace(self, Interval::new());
        StepMetrics {
            time: crate::clock::unix_time(),
            cycle,
            step,
            learning_rate,
            losses: done.sums.divided(done.steps),
            positions_per_second: done.rows as f64 / done.begin.elapsed().as_secs_f64().max(1e-9),
        }
    }
}

impl Losses {
    /// Adds what a step measured.
    pub fn add(&mut self, report: &StepReport) {
        self.total += report.total_loss;
        self.policy += report.policy_loss;
        self.value += report.value_loss;
        self.margin += report.margin_loss;
        self.policy_entropy += report.policy_entropy;
        self.target_entropy += report.target_entropy;
        self.top1_agreement += report.top1_agreement;
        self.gradient_norm += report.gradient_norm;
        for (head, loss) in &report.auxiliary_losses {
            *self.auxiliary.entry(head.word().to_owned()).or_default() += loss;
        }
    }

    /// Means of sums over so many steps.
    pub fn divided(&self, steps: u64) -> Losses {
        let share = 1.0 / steps.max(1) as f64;
        Losses {
            total: self.total * share,
            policy: self.policy * share,
            value: self.value * share,
            margin: self.margin * share,
            policy_entropy: self.policy_entropy * share,
            target_entropy: self.target_entropy * share,
            top1_agreement: self.top1_agreement * share,
            gradient_norm: self.gradient_norm * share,
            auxiliary: self.auxiliary.iter().map(|(head, sum)| (head.clone(), sum * share)).collect(),
        }
    }
}
