//! The command line.

use crate::failure::Failure;
use crate::report_page::Over;
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
    /// Measures how fast a config's network runs here alone, in self-play and in training, beside the
    /// processor's peak. The network alone is measured in fp32, and in bf16 where the processor has such
    /// instructions or it is asked for.
    Bench(BenchArguments),
    /// Looks at what this program runs on, and says what to mend.
    Doctor(DoctorArguments),
    /// Prints BLAKE3 checksums of what a run has made: games, weights, optimiser, state.
    Digest(DigestArguments),
    /// Writes a run's page, report.html: curves, results, alarms and games to step through. A run at work
    /// writes it after every cycle by itself.
    Report(ReportArguments),
    /// Shows runs side by side: how they stand, and where their configs differ.
    Compare(CompareArguments),
    /// Lists runs with their game, cycles, work, state and newest results.
    List(ListArguments),
    /// Writes a run's games as a table of steps, or a checkpoint's network as a TorchScript module.
    Export(ExportArguments),
}

/// Arguments of `train report`.
#[derive(Clone, Debug, clap::Args)]
pub struct ReportArguments {
    /// The run.
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
    /// Where the page is written instead of DIR/report.html.
    #[arg(long, value_name = "FILE.html")]
    pub out: Option<PathBuf>,
}

/// Arguments of `train compare`.
#[derive(Clone, Debug, clap::Args)]
pub struct CompareArguments {
    /// The runs.
    #[arg(value_name = "DIR", required = true, num_args = 2..)]
    pub runs: Vec<PathBuf>,
    /// Prints one JSON value instead of tables.
    #[arg(long)]
    pub json: bool,
    /// Also writes a page with the runs' curves over one another.
    #[arg(long, value_name = "FILE.html")]
    pub html: Option<PathBuf>,
    /// What the curves of the page run over.
    #[arg(long, value_enum, default_value = "cycles")]
    pub over: Over,
}

/// Arguments of `train list`.
#[derive(Clone, Debug, clap::Args)]
pub struct ListArguments {
    /// A run, or a directory of runs.
    #[arg(value_name = "DIR", default_value = "runs")]
    pub directory: PathBuf,
    /// Prints one JSON value instead of a table.
    #[arg(long)]
    pub json: bool,
}

/// Arguments of `train export`.
#[derive(Clone, Debug, clap::Args)]
pub struct ExportArguments {
    /// The run; for --net also a checkpoint.
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
    /// Writes all games, a row a step (docs/exports.md has the columns).
    #[arg(long, value_name = "FILE.jsonl|FILE.parquet", required_unless_present = "net")]
    pub games: Option<PathBuf>,
    /// Writes the network that plays as a TorchScript module.
    #[arg(long, value_name = "FILE.pt")]
    pub net: Option<PathBuf>,
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
    #[arg(long, value_name = "auto|fp32|bf16|int8")]
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

/// What commands that measure have in common.
#[derive(Clone, Debug, clap::Args)]
pub struct MeasuringArguments {
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
    #[arg(long, value_name = "auto|fp32|bf16|int8")]
    pub precision: Option<Precision>,
    /// Prints JSON.
    #[arg(long)]
    pub json: bool,
}

impl MeasuringArguments {
    /// All overrides of the config.
    pub fn all_overrides(&self) -> Vec<String> {
        let precision = self.precision.map(|precision| format!("inference.precision={precision}"));
        self.overrides.iter().cloned().chain(precision).collect()
    }

    /// How long to measure, in seconds.
    ///
    /// # Errors
    /// A time out of range.
    pub fn checked_seconds(&self) -> Result<f64, Failure> {
        let seconds = self.seconds;
        if (1.0..=86_400.0).contains(&seconds) {
            Ok(seconds)
        } else {
            Err(Failure::input(format!("--seconds {seconds}: it must be 1 to 86400")))
        }
    }
}

/// Arguments of `train plan`.
#[derive(Clone, Debug, clap::Args)]
pub struct PlanArguments {
    /// The config, a TOML file (see configs/).
    pub config: PathBuf,
    /// How it is measured.
    #[command(flatten)]
    pub measuring: MeasuringArguments,
}

/// Arguments of `train bench`.
#[derive(Clone, Debug, clap::Args)]
pub struct BenchArguments {
    /// The config, a TOML file (see configs/).
    #[arg(required_unless_present = "game")]
    pub config: Option<PathBuf>,
    /// Measures with the default settings of this game instead: a network of 4 blocks x 64 channels.
    #[arg(long, value_name = "GAME", conflicts_with = "config")]
    pub game: Option<String>,
    /// Only plays, and prints what has been done so far as a line of JSON twice a second (scripts/bench-selfplay).
    #[arg(long, conflicts_with = "json")]
    pub counts: bool,
    /// How it is measured.
    #[command(flatten)]
    pub measuring: MeasuringArguments,
}

impl BenchArguments {
    /// All overrides of the config.
    pub fn all_overrides(&self) -> Vec<String> {
        let game = self.game.as_ref().map(|game| format!("game.name={game}"));
        game.into_iter().chain(self.measuring.all_overrides()).collect()
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
