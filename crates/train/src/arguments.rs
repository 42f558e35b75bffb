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
    /// Numbers of inference in self-play.
    #[arg(long, default_value = "auto", value_name = "auto|fp32|bf16")]
    pub precision: Precision,
}

impl RunArguments {
    /// All overrides of the config: those of --set, and the limits.
    pub fn all_overrides(&self) -> Vec<String> {
        let mut overrides = self.overrides.clone();
        overrides.extend(self.cycles.map(|cycles| format!("limits.cycles={cycles}")));
        overrides.extend(self.minutes.map(|minutes| format!("limits.minutes={minutes}")));
        overrides
    }
}
