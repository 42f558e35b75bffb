//! The network alone, on one thread, every way that there is.

use super::Setting;
use anyhow::{Context, Result};
use net::runtime::{prepare_thread, thread_seconds};
use net::{Device, InferenceModel, Path, Plan, Precision};
use selfplay::Evaluator;
use serde::Serialize;
use std::rc::Rc;
use std::time::Instant;

/// Rows of the batches that are measured.
pub const BATCHES: [usize; 5] = [1, 8, 16, 32, 64];

/// How often each measurement is taken; they go round, so that a disturbance hits all alike.
const ROUNDS: usize = 3;

/// A network run one way at one size of batch. On a processor rates count this thread's processor time, on a GPU
/// time by the clock; each is that of the fastest batch, as the peak is, since other processes only slow down.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct InferenceRate {
    /// The way.
    pub path: Path,
    /// Its numbers.
    pub precision: Precision,
    /// Rows of a batch.
    pub rows: usize,
    /// Positions a second through the evaluator that self-play uses: checked, and the answers of legal steps read.
    pub positions_per_second: f64,
    /// Positions a second of the network compiled for this size alone, its answers thrown away.
    pub bare_positions_per_second: f64,
    /// The evaluator's share of the peak of one core; `None` on a GPU.
    pub share_of_peak: Option<f64>,
}

/// A way that is measured, with what is needed for it.
struct Way {
    path: Path,
    precision: Precision,
    rows: usize,
    model: Rc<InferenceModel>,
    bare: InferenceModel,
    /// Of the fastest batch: of the evaluator, and bare.
    seconds: [f64; 2],
}

/// Measures every path in these precisions for about `seconds` in all.
pub fn measure(setting: &Setting<'_>, precisions: &[Precision], seconds: f64) -> Result<Vec<InferenceRate>> {
    prepare_thread();
    let paths: &[Path] = if setting.device == Device::Cpu {
        &[Path::Eager, Path::Frozen, Path::Fused]
    } else {
        &[Path::Eager]
    };
    let mut ways = Vec::new();
    for &precision in precisions {
        let paths: &[Path] = if precision == Precision::Int8 { &[Path::Fused] } else { paths };
        for &path in paths {
            let plan = Plan::fixed(path, precision.kind(), setting.device)
                .calibrated(|| setting.game.calibration_batch());
            let context = || format!("{path} {precision}");
            let model = Rc::new(InferenceModel::new(setting.net, &plan).with_context(context)?);
            for rows in BATCHES {
                setting.go_on()?;
                let bare = InferenceModel::for_rows(setting.net, &plan, rows).with_context(context)?;
                let (model, seconds) = (Rc::clone(&model), [f64::INFINITY; 2]);
                ways.push(Way { path, precision, rows, model, bare, seconds });
            }
        }
    }
    let slice = seconds / (ROUNDS * ways.len() * 2) as f64;
    let bar = setting.progress.phase("measure inference", "rounds", ROUNDS as u64);
    for round in 0..ROUNDS {
        for way in &mut ways {
            setting.go_on()?;
            way.measure(setting, slice)?;
        }
        bar.update(round as u64 + 1);
    }
    Ok(ways.into_iter().map(|way| way.rate(setting)).collect())
}

impl Way {
    /// Runs both for `slice` seconds each.
    fn measure(&mut self, setting: &Setting<'_>, slice: f64) -> Result<()> {
        let mut batch = setting.game.random_batch(self.rows, setting.config.seed);
        let mut evaluator = self.model.evaluator();
        let [evaluated, bare] = &mut self.seconds;
        time(setting.device, slice, evaluated, || Ok(evaluator.evaluate(&mut batch)?))?;
        let (model, rows) = (&self.bare, self.rows);
        time(setting.device, slice, bare, || Ok(model.run_bare(batch.planes(), rows)?))
    }

    fn rate(self, setting: &Setting<'_>) -> InferenceRate {
        let [positions_per_second, bare_positions_per_second] =
            self.seconds.map(|seconds| self.rows as f64 / seconds.max(1e-9));
        InferenceRate {
            path: self.path,
            precision: self.precision,
            rows: self.rows,
            positions_per_second,
            bare_positions_per_second,
            share_of_peak: setting.share_of_peak(self.precision, positions_per_second),
        }
    }
}

/// Runs `work` as often as fits into `slice`, after once that does not count; `fastest` becomes the seconds of the
/// fastest run.
fn time(device: Device, slice: f64, fastest: &mut f64, mut work: impl FnMut() -> Result<()>) -> Result<()> {
    work()?;
    let clock = Instant::now();
    let now = || if device == Device::Cpu { thread_seconds() } else { clock.elapsed().as_secs_f64() };
    let begin = now();
    loop {
        let before = now();
        work()?;
        let after = now();
        *fastest = fastest.min(after - before);
        if after - begin >= slice {
            return Ok(());
        }
    }
}
