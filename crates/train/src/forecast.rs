//! `train plan`: what a config will take, by a short measurement on this machine.

use crate::arguments::PlanArguments;
use crate::clock;
use crate::config::TrainConfig;
use crate::failure::Failure;
use crate::interrupt::Interrupt;
use crate::machine::{self, GIB, Memory};
use crate::manifest::cores;
use crate::measurement::{MIB, Measured, measure};
use crate::progress::Progress;
use anyhow::{Context, anyhow};
use selfplay::Retention;
use serde::Serialize;
use std::path::PathBuf;

/// What a config will take. Times are those of the untrained network: games of a trained one are often
/// longer, and shorter where it mates.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Forecast {
    /// The config.
    pub config: PathBuf,
    /// What was measured.
    pub measured: Measured,
    /// Seconds of a cycle by phase, once training has begun.
    pub cycle_seconds: CycleSeconds,
    /// Cycles a day.
    pub cycles_per_day: f64,
    /// Hours of the teacher's cycles, training included; `None` without a teacher. All other numbers are of cycles that
    /// the network plays.
    pub taught_hours: Option<f64>,
    /// Games an hour, training and evaluation included.
    pub games_per_hour: f64,
    /// Games an hour of self-play alone.
    pub games_per_hour_of_play: f64,
    /// Samples that the replay window holds when it is first full.
    pub window_samples: u64,
    /// Hours until then.
    pub window_hours: f64,
    /// Minutes until training begins (`window.least_samples`).
    pub training_begins_minutes: f64,
    /// Bytes of finished games a day.
    pub game_bytes_per_day: f64,
    /// Bytes of games that stay in the end, where `retention.games` sets a bound.
    pub game_bytes_at_most: Option<f64>,
    /// Bytes of one checkpoint.
    pub checkpoint_bytes: f64,
    /// Bytes of checkpoints written a day; those that do not stay are removed again.
    pub checkpoint_bytes_per_day: f64,
    /// Most memory, MiB: what the measurement took, with the full window, and with evaluation caches as full as the
    /// play of a cycle makes them.
    pub peak_mib: f64,
    /// Hours of the whole run, where `limits` sets an end.
    pub run_hours: Option<f64>,
    /// What stands in the way on this machine.
    pub warnings: Vec<String>,
}

/// Seconds of a cycle.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct CycleSeconds {
    /// Self-play.
    pub play: f64,
    /// Training.
    pub train: f64,
    /// Making the network ready.
    pub publish: f64,
    /// The ladder, spread over the cycles between two evaluations: the network's part of it.
    pub evaluate: f64,
    /// Checkpoints, spread over the cycles between two of them.
    pub save: f64,
}

impl CycleSeconds {
    /// All together.
    pub fn total(&self) -> f64 {
        self.play + self.train + self.publish + self.evaluate + self.save
    }
}

const DAY: f64 = 86_400.0;

impl Forecast {
    /// Works out a forecast.
    pub fn new(path: PathBuf, config: &TrainConfig, measured: Measured) -> Forecast {
        let positions = config.cycle.positions as f64;
        let training = &config.training;
        let mut steps = positions * training.reuse / training.batch as f64;
        if training.most_steps > 0 {
            steps = steps.min(training.most_steps as f64);
        }
        // Both sides of a match search, and every game is played to its end.
        let evaluations: f64 = config
            .evaluation
            .ladder
            .iter()
            .map(|rung| {
                let networks = if matches!(rung.opponent.as_str(), "first" | "previous") { 1.0 } else { 0.5 };
                let games = 2.0 * f64::from(rung.pairs);
                games * measured.steps_per_game * networks * f64::from(rung.simulations.max(1))
            })
            .sum();
        let per_evaluation = match config.evaluation.every_cycles {
            0 => 0.0,
            every => evaluations / measured.evaluations_per_second.max(1e-9) / every as f64,
        };
        let seconds = CycleSeconds {
            play: positions / measured.positions_per_second.max(1e-9),
            train: steps * measured.seconds_per_step,
            publish: measured.publish_seconds,
            evaluate: per_evaluation,
            save: measured.save_seconds / config.checkpoint.every_cycles.max(1) as f64,
        };
        let taught_hours = measured.taught_positions_per_second.map(|rate| {
            let samples = config.teacher.positions as f64;
            let cycles = (samples / positions).ceil();
            cycles * (positions / rate.max(1e-9) + seconds.train + seconds.save) / 3600.0
        });
        let cycles_per_day = DAY / seconds.total().max(1e-9);
        let games_per_cycle = positions / measured.samples_per_game.max(1e-9);
        let window_samples = full_window(config);
        let cycles = (window_samples as f64 / positions).ceil();
        let begins = (config.window.least_samples.max(training.batch as u64) as f64 / positions).ceil();
        let bytes_per_sample = measured.game_bytes_per_sample;
        let most_window = config.window.size.most() as f64;
        let game_bytes_at_most = match config.retention.games {
            Retention::All => None,
            Retention::Window => Some(most_window * bytes_per_sample),
            Retention::Cycles(count) => Some((count as f64 * positions).max(most_window) * bytes_per_sample),
        };
        let limits = &config.limits;
        let by_cycles = (limits.cycles > 0).then(|| {
            let all = limits.cycles as f64;
            let taught = (config.teacher.positions as f64 / positions).ceil();
            let own = (all - taught).max(0.0) * seconds.total() / 3600.0;
            own + taught_hours.map_or(0.0, |hours| hours * (all / taught).min(1.0))
        });
        let by_minutes = (limits.minutes > 0.0).then_some(limits.minutes / 60.0);
        // As many threads as workers are busy nearly all the time.
        let by_processor = (limits.processor_minutes > 0.0)
            .then(|| limits.processor_minutes / 60.0 / config.workers(cores()) as f64);
        let mut forecast = Forecast {
            config: path,
            cycles_per_day,
            games_per_hour: games_per_cycle * cycles_per_day / 24.0,
            games_per_hour_of_play: games_per_cycle / seconds.play.max(1e-9) * 3600.0,
            window_samples,
            window_hours: cycles * seconds.total() / 3600.0,
            // Without training until then.
            training_begins_minutes: begins * (seconds.play + seconds.publish) / 60.0,
            taught_hours,
            game_bytes_per_day: positions * bytes_per_sample * cycles_per_day,
            game_bytes_at_most,
            checkpoint_bytes: measured.checkpoint_bytes,
            checkpoint_bytes_per_day: measured.checkpoint_bytes * cycles_per_day
                / config.checkpoint.every_cycles.max(1) as f64,
            peak_mib: measured.peak_mib - measured.window_mib
                + most_window * measured.window_bytes_per_sample / MIB
                + measured.missing_cache_mib,
            run_hours: [by_cycles, by_minutes, by_processor].into_iter().flatten().reduce(f64::min),
            cycle_seconds: seconds,
            measured,
            warnings: Vec::new(),
        };
        forecast.warn();
        forecast
    }

    fn warn(&mut self) {
        if let Some(memory) = Memory::here()
            && self.peak_mib * MIB > memory.available * 0.9
        {
            self.warnings.push(format!(
                "{:.1} GiB of memory are available: lower window.size, selfplay.games_per_worker or \
                 selfplay.cache_megabytes",
                memory.available / GIB
            ));
        }
        let days = self.run_hours.unwrap_or(24.0) / 24.0;
        let games = self.game_bytes_per_day * days;
        let games = self.game_bytes_at_most.map_or(games, |most| games.min(most));
        if let Ok(free) = machine::free_bytes(std::path::Path::new("."))
            && games + 10.0 * self.checkpoint_bytes > free
        {
            self.warnings.push(format!(
                "{:.1} GiB are free here: set retention.games = \"window\", or choose another place for --run",
                free / GIB
            ));
        }
        if self.cycle_seconds.evaluate > 0.5 * (self.cycle_seconds.play + self.cycle_seconds.train) {
            self.warnings.push(
                "the ladder takes more than a third of the time: raise evaluation.every_cycles or lower pairs"
                    .to_owned(),
            );
        }
    }

    /// For people.
    pub fn lines(&self) -> String {
        let CycleSeconds { play, train, publish, evaluate, save } = self.cycle_seconds;
        let words = clock::in_words;
        let measured = &self.measured;
        let at_most =
            self.game_bytes_at_most.map_or(String::new(), |most| format!(", at most {}", bytes(most)));
        let mut text = format!(
            "{}: measured for {} with {} workers ({})\n\
             \x20 cycle        {} (play {}, train {}, publish {}, evaluate about {}, save {})\n\
             \x20 games        {:.0} an hour ({:.0} of play alone), {:.0} steps a game\n\
             \x20 speed        {:.0} evaluations/s, {:.0} positions/s, {:.2} s a training step\n\
             \x20 training     begins after {}\n\
             \x20 window       {} samples, full after {}\n\
             \x20 games' disk  {} a day{at_most}\n\
             \x20 checkpoints  {} each, {} written a day\n\
             \x20 memory       {:.1} GiB at most\n",
            self.config.display(),
            words(measured.seconds),
            measured.workers,
            measured.inference,
            words(self.cycle_seconds.total()),
            words(play),
            words(train),
            words(publish),
            words(evaluate),
            words(save),
            self.games_per_hour,
            self.games_per_hour_of_play,
            measured.steps_per_game,
            measured.evaluations_per_second,
            measured.positions_per_second,
            measured.seconds_per_step,
            words(self.training_begins_minutes * 60.0),
            self.window_samples,
            words(self.window_hours * 3600.0),
            bytes(self.game_bytes_per_day),
            bytes(self.checkpoint_bytes),
            bytes(self.checkpoint_bytes_per_day),
            self.peak_mib / 1024.0,
        );
        if let (Some(hours), Some(rate)) = (self.taught_hours, measured.taught_positions_per_second) {
            text.push_str(&format!(
                "  teacher      {} before that, {rate:.0} positions/s\n",
                words(hours * 3600.0)
            ));
        }
        if let Some(hours) = self.run_hours {
            text.push_str(&format!("  whole run    {}\n", words(hours * 3600.0)));
        }
        for note in measured.notes.iter() {
            text.push_str(&format!("  note: {note}\n"));
        }
        for warning in &self.warnings {
            text.push_str(&format!("  warning: {warning}\n"));
        }
        text
    }
}

fn bytes(number: f64) -> String {
    if number >= GIB { format!("{:.1} GiB", number / GIB) } else { format!("{:.1} MiB", number / MIB) }
}

/// Samples of the window when it is first full: where it holds all that were ever made for the last time.
fn full_window(config: &TrainConfig) -> u64 {
    config.window.size.samples(0).max(1)
}

/// Runs the command; the answer is for standard output.
///
/// # Errors
/// [`Failure::Input`] for a config with faults, [`Failure::Work`] for what fails while measuring.
pub fn plan(
    arguments: &PlanArguments,
    interrupt: &Interrupt,
    progress: &Progress,
) -> Result<String, Failure> {
    let measuring = &arguments.measuring;
    let overrides = measuring.all_overrides();
    let (config, game) =
        TrainConfig::read_with_game(&arguments.config, &overrides).map_err(Failure::input)?;
    let seconds = measuring.checked_seconds()?;
    let device = config.open_device(measuring.device)?;
    let measured = measure(&config, game.as_ref(), device, seconds, cores(), interrupt, progress)?;
    let Some(measured) = measured else {
        return Err(Failure::Work(anyhow!("stopped before anything was measured")));
    };
    let forecast = Forecast::new(arguments.config.clone(), &config, measured);
    if measuring.json {
        return Ok(serde_json::to_string_pretty(&forecast).context("plan")? + "\n");
    }
    Ok(forecast.lines())
}
