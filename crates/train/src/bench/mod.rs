//! `train bench`: how fast this binary runs a config's network, how much of that self-play and training keep, and
//! what share of the processor's peak it is.
//!
//! `inference.rs` runs networks alone, every way that there is; `play.rs` sets self-play against the same network run
//! alone, in turns in the same run; `training.rs` times optimisation steps. `table.rs` is the answer for people,
//! `counts.rs` lets programs look on while it only plays.
//! Rates are told twice where other processes may be at work: a second by the clock, and a second of processor time.

mod counts;
mod inference;
mod play;
mod table;
mod training;

pub use inference::InferenceRate;
pub use play::{PlayRate, PlayRound};
pub use training::TrainingRate;

use crate::arguments::BenchArguments;
use crate::config::TrainConfig;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::manifest::{Processor, cores};
use crate::progress::Progress;
use anyhow::{Context, Result, anyhow};
use arena::games::AnyGame;
use game::random::{Purpose, stream};
use net::flops::flops_per_position;
use net::peak::Peak;
use net::plan::has_bf16_instructions;
use net::runtime::process_seconds;
use net::{Device, Net, Precision};
use rand_chacha::rand_core::RngCore;
use serde::Serialize;
use std::time::{Duration, Instant};

/// Everything that was measured.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Bench {
    /// What is played.
    pub game: String,
    /// The processor.
    pub processor: Processor,
    /// Residual blocks of the network.
    pub blocks: usize,
    /// Channels of its trunk.
    pub channels: usize,
    /// Learned numbers of the network.
    pub parameters: usize,
    /// Floating-point operations of one position ([`flops_per_position`]).
    pub flops_per_position: u64,
    /// How networks are run in self-play, and why.
    pub plan: String,
    /// What one core can do at best, by numbers.
    pub peaks: Vec<PeakRate>,
    /// The network alone, on one core; of a GPU, by one thread.
    pub inference: Vec<InferenceRate>,
    /// Self-play against the network alone.
    pub play: PlayRate,
    /// Optimisation steps.
    pub training: Vec<TrainingRate>,
}

/// The peak of one core.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PeakRate {
    /// Of these numbers.
    pub precision: Precision,
    /// Operations a second.
    #[serde(flatten)]
    pub peak: Peak,
}

/// What all measurements of one call share.
struct Setting<'a> {
    config: &'a TrainConfig,
    game: &'a dyn AnyGame,
    net: &'a Net,
    device: Device,
    cores: usize,
    peaks: Vec<PeakRate>,
    flops: u64,
    interrupt: &'a Interrupt,
    progress: &'a Progress,
}

impl Setting<'_> {
    /// Share of the peak of a core that `rate` positions a second reach; `None` on a GPU.
    fn share_of_peak(&self, precision: Precision, rate: f64) -> Option<f64> {
        let peak = self.peaks.iter().find(|peak| peak.precision == precision)?.peak.best();
        self.share_of(peak, rate)
    }

    /// Share of `peak` operations a second that `rate` positions a second reach; `None` on a GPU.
    fn share_of(&self, peak: f64, rate: f64) -> Option<f64> {
        (self.device == Device::Cpu).then(|| rate * self.flops as f64 / peak.max(1.0))
    }

    fn go_on(&self) -> Result<()> {
        if self.interrupt.asked() { Err(anyhow!("stopped before everything was measured")) } else { Ok(()) }
    }
}

/// Time by the clock, and processor time of all threads, since it began.
struct Stopwatch {
    begin: Instant,
    processor: f64,
}

impl Stopwatch {
    fn start() -> Stopwatch {
        Stopwatch { begin: Instant::now(), processor: process_seconds() }
    }

    fn seconds(&self) -> f64 {
        self.begin.elapsed().as_secs_f64()
    }

    fn processor_seconds(&self) -> f64 {
        process_seconds() - self.processor
    }
}

/// The middle one; of an even number the lower of both.
fn median(numbers: &mut [f64]) -> f64 {
    numbers.sort_by(f64::total_cmp);
    numbers.get(numbers.len().saturating_sub(1) / 2).copied().unwrap_or_default()
}

/// Measures the peaks, for about `seconds` each; what a processor multiplies in 8 bits is not known.
fn measure_peaks(setting: &mut Setting<'_>, precisions: &[Precision], seconds: f64) -> Result<()> {
    for &precision in precisions.iter().filter(|&&precision| precision != Precision::Int8) {
        let bar = setting.progress.phase("measure the peak", "s", 1);
        setting.peaks.push(PeakRate { precision, peak: Peak::measure(precision.kind(), seconds)? });
        bar.update(1);
    }
    Ok(())
}

fn measure(setting: &mut Setting<'_>, precisions: &[Precision], time: Duration) -> Result<Bench> {
    let seconds = time.as_secs_f64();
    measure_peaks(setting, precisions, seconds * 0.03)?;
    let inference = inference::measure(setting, precisions, seconds * 0.3)?;
    let plan = setting.config.plan(setting.net, setting.device, setting.game)?;
    let play = play::measure(setting, &plan, &inference, seconds * 0.45)?;
    let training = training::measure(setting, seconds * 0.2)?;
    let net = setting.net;
    Ok(Bench {
        game: setting.game.facts().name.to_owned(),
        processor: Processor::here(),
        blocks: net.config().blocks,
        channels: net.config().channels,
        parameters: net.parameters(),
        flops_per_position: setting.flops,
        plan: plan.to_string(),
        peaks: std::mem::take(&mut setting.peaks),
        inference,
        play,
        training,
    })
}

/// Runs the command; the answer is for standard output.
///
/// # Errors
/// [`Failure::Input`] for a config with faults, [`Failure::Work`] for what fails while measuring.
pub fn bench(
    arguments: &BenchArguments,
    interrupt: &Interrupt,
    progress: &Progress,
) -> Result<String, Failure> {
    let measuring = &arguments.measuring;
    let (config, game) = read_config(arguments)?;
    let seconds = measuring.checked_seconds()?;
    let device = config.open_device(measuring.device)?;
    // LibTorch's own settings of this thread, which measures the network alone.
    net::runtime::prepare_thread();
    let facts = game.facts();
    let seed = stream(config.seed, Purpose::Weights, &[]).next_u64();
    let net = Net::new(&config.net, facts.planes, facts.policy, seed).context("network")?;
    let mut setting = Setting {
        flops: flops_per_position(&config.net, facts.planes, facts.policy),
        config: &config,
        game: game.as_ref(),
        net: &net,
        device,
        cores: cores(),
        peaks: Vec::new(),
        interrupt,
        progress,
    };
    let half = config.inference.precision == Precision::Bf16 || has_bf16_instructions();
    let mut precisions = vec![Precision::Fp32];
    precisions.extend(half.then_some(Precision::Bf16));
    precisions.extend((config.inference.precision == Precision::Int8).then_some(Precision::Int8));
    let precisions = precisions.as_slice();
    if arguments.counts {
        measure_peaks(&mut setting, precisions, 1.0)?;
        let plan = config.plan(&net, device, game.as_ref()).context("inference")?;
        counts::tell(&setting, &plan, seconds, &mut std::io::stdout().lock())?;
        return Ok(String::new());
    }
    let bench = measure(&mut setting, precisions, Duration::from_secs_f64(seconds))?;
    if measuring.json {
        return Ok(serde_json::to_string_pretty(&bench).context("bench")? + "\n");
    }
    Ok(table::lines(&bench))
}

/// The config, or the defaults with a game's name.
fn read_config(arguments: &BenchArguments) -> Result<(TrainConfig, Box<dyn AnyGame>), Failure> {
    let overrides = arguments.all_overrides();
    if let Some(path) = &arguments.config {
        return TrainConfig::read_with_game(path, &overrides).map_err(Failure::input);
    }
    let all = |faults: Vec<crate::config_check::ConfigFault>| {
        let texts: Vec<String> = faults.iter().map(ToString::to_string).collect();
        Failure::input(texts.join("; "))
    };
    let config = TrainConfig::from_table(toml::Table::new(), &overrides).map_err(all)?;
    let game = config.open_game().map_err(all)?;
    Ok((config, game))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_median_is_a_number_of_the_list() {
        assert_eq!(median(&mut [3.0, 1.0, 2.0]), 2.0);
        assert_eq!(median(&mut [4.0, 1.0, 2.0, 3.0]), 2.0);
        assert_eq!(median(&mut []), 0.0);
    }
}
