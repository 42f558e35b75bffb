//! Self-play alone, its counts told as they grow: for scripts that let other programs take turns with this one.
//!
//! Every line of the answer is a JSON object: first what plays ([`Setting`](super::Setting) in short), then the counts
//! so far. A line is written when it is known, so that a script may stop and continue the process between lines.

use super::play::Play;
use super::{PeakRate, Setting, Stopwatch};
use anyhow::{Context, Result};
use net::Plan;
use selfplay::{Counters, Simulations};
use serde::Serialize;
use std::io::{ErrorKind, Write};

/// Time between two lines, seconds.
const EVERY: f64 = 0.5;

/// The first line: what plays, and what its counts are shares of.
#[derive(Clone, Debug, PartialEq, Serialize)]
struct Player<'a> {
    game: &'a str,
    plan: String,
    blocks: usize,
    channels: usize,
    workers: usize,
    games_per_worker: usize,
    batch_size: usize,
    simulations: Simulations,
    cache_megabytes: u32,
    /// Floating-point operations of one evaluation.
    flops_per_position: u64,
    /// What one core can do at best, by numbers.
    peaks: &'a [PeakRate],
}

/// What has been done since play began.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
struct Count {
    /// By the clock; standing still counts.
    seconds: f64,
    processor_seconds: f64,
    /// Searched positions.
    states: u64,
    /// Positions judged by the network.
    evaluations: u64,
    /// Answers to searches, those of the caches included.
    answers: u64,
    games: u64,
}

/// Plays for `seconds` and writes the lines to `out`; ends early, and well, when nobody reads them any more.
///
/// # Errors
/// What self-play or the output says, and the wish to stop.
pub fn tell(setting: &Setting<'_>, plan: &Plan, seconds: f64, out: &mut impl Write) -> Result<()> {
    let config = setting.config;
    let mut play = Play::begin(setting, plan)?;
    let player = Player {
        game: setting.game.facts().name,
        plan: plan.to_string(),
        blocks: setting.net.config().blocks,
        channels: setting.net.config().channels,
        workers: play.workers(),
        games_per_worker: config.selfplay.games_per_worker,
        batch_size: config.selfplay.batch_size,
        simulations: config.selfplay.simulations,
        cache_megabytes: config.selfplay.cache_megabytes,
        flops_per_position: setting.flops,
        peaks: &setting.peaks,
    };
    if !write(out, &player)? {
        return Ok(());
    }
    let watch = Stopwatch::start();
    let mut done = Counters::default();
    while watch.seconds() < seconds {
        setting.go_on()?;
        done += play.run(EVERY)?.0;
        let count = Count {
            seconds: watch.seconds(),
            processor_seconds: watch.processor_seconds(),
            states: done.steps,
            evaluations: done.evaluations,
            answers: done.evaluations + done.cache_hits + done.shared,
            games: done.games,
        };
        if !write(out, &count)? {
            break;
        }
    }
    Ok(())
}

/// Writes one line; `false` where nobody reads it.
fn write(out: &mut impl Write, line: &impl Serialize) -> Result<bool> {
    let text = serde_json::to_string(line).context("counts")? + "\n";
    match out.write_all(text.as_bytes()).and_then(|()| out.flush()) {
        Ok(()) => Ok(true),
        Err(error) if error.kind() == ErrorKind::BrokenPipe => Ok(false),
        Err(error) => Err(error).context("standard output"),
    }
}
