//! The command line.

use clap::{Parser, Subcommand};
use net::{DeviceChoice, Precision};
use std::path::PathBuf;

/// Trains agents by self-play.
#[derive(Debug, Parser)]
#[command(name = "train", version, about, max_term_width = 100)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Trains from scratch, or goes on with a run: play, train, publish, evaluate, and again.
    Run(RunArguments),
    /// Says by a short measurement what a config will take: games an hour, memory, disk, time a cycle.
    Plan(PlanArguments),
    /// Looks at what this program runs on, and says what to mend.
    Doctor(DoctorArguments),
    /// Prints BLAKE3 checksums of what a run has made: games, weights, optimiser, state.
    Digest(DigestArguments),
}

/// Arguments of `train run`.
#[derive(Clone, Debug, clap::Args)]
pub struct RunArguments {
    /// The config, a TOML file (see configs/).
    pub config: PathBuf,
    /// The run directory: made for a new run, continued with --resume.
    #[arg(long, value_name = "DIR")]
    pub run: PathBuf,
    /// Goes on with the run in DIR after anything: its end, Ctrl-C, a crash.
    #[arg(long, conflicts_with = "init_from")]
    pub resume: bool,
    /// Begins with the weights of a checkpoint (or of a run's newest one), and with nothing else of it.
    #[arg(long, value_name = "DIR")]
    pub init_from: Option<PathBuf>,
    /// Changes a key of the config, for example --set training.batch=512. May be repeated.
    #[arg(long = "set", value_name = "KEY.PATH=VALUE")]
    pub overrides: Vec<String>,
    /// Where networks run.
    #[arg(long, default_value = "cpu", value_name = "cpu|cuda")]
    pub device: DeviceChoice,
    /// Stops after this many cycles in all, earlier starts of the run included (limits.cycles).
    #[arg(long, value_name = "N")]
    pub cycles: Option<u64>,
    /// Stops when the run has worked for this many minutes in all (limits.minutes).
    #[arg(long, value_name = "M")]
    pub minutes: Option<f64>,
    /// Saves and stops once the run has this many cycles, as Ctrl-C would; the limits, and what depends on
    /// them, stay as they are.
    #[arg(long, value_name = "CYCLE")]
    pub stop_after: Option<u64>,
    /// Numbers of the network in play (inference.precision).
    #[arg(long, value_name = "auto|fp32|bf16")]
    pub precision: Option<Precision>,
}

impl RunArguments {
    /// All overrides of the config: those of --set, and the limits.
    pub fn all_overrides(&self) -> Vec<String> {
        let mut overrides = self.overrides.clone();
        overrides.extend(self.cycles.map(|cycles| format!("limits.cycles={cycles}")));
        overrides.extend(self.minutes.map(|minutes| format!("limits.minutes={minutes}")));
        overrides.extend(self.precision.map(|precision| format!("inference.precision={precision}")));
        overrides
    }
}

/// Arguments of `train plan`.
#[derive(Clone, Debug, clap::Args)]
pub struct PlanArguments {
    /// The config, a TOML file (see configs/).
    pub config: PathBuf,
    /// How long to measure, about.
    #[arg(long, default_value_t = 60.0, value_name = "N")]
    pub seconds: f64,
    /// Changes a key of the config, as in `train run`. May be repeated.
    #[arg(long = "set", value_name = "KEY.PATH=VALUE")]
    pub overrides: Vec<String>,
    /// Where networks run.
    #[arg(long, default_value = "cpu", value_name = "cpu|cuda")]
    pub device: DeviceChoice,
    /// Numbers of the network in play (inference.precision).
    #[arg(long, value_name = "auto|fp32|bf16")]
    pub precision: Option<Precision>,
    /// Prints JSON.
    #[arg(long)]
    pub json: bool,
}

impl PlanArguments {
    /// All overrides of the config.
    pub fn all_overrides(&self) -> Vec<String> {
        let precision = self.precision.map(|precision| format!("inference.precision={precision}"));
        self.overrides.iter().cloned().chain(precision).collect()
    }
}

/// Arguments of `train doctor`.
#[derive(Clone, Debug, clap::Args)]
pub struct DoctorArguments {
    /// Where runs are to live: its disk is looked at.
    #[arg(long = "run", default_value = ".", value_name = "DIR")]
    pub directory: PathBuf,
    /// The device to look at.
    #[arg(long, default_value = "cpu", value_name = "cpu|cuda")]
    pub device: DeviceChoice,
    /// Prints JSON.
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `train digest`.
#[derive(Clone, Debug, clap::Args)]
pub struct DigestArguments {
    /// The run directory.
    pub run: PathBuf,
    /// The complete checkpoint to look at, by its cycle; else the newest one.
    #[arg(long, value_name = "N")]
    pub cycle: Option<u64>,
    /// Prints JSON.
    #[arg(long)]
    pub json: bool,
}
