//! The command line.

use clap::{Parser, Subcommand};
use net::{DeviceChoice, Precision};
use std::path::PathBuf;

/// Evaluates agents.
#[derive(Debug, Parser)]
#[command(name = "evaluate", version, about, max_term_width = 100)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Plays pairs of games with colours exchanged between A and B and says how A did.
    Match(MatchArguments),
}

/// Arguments of `evaluate match`.
#[derive(Clone, Debug, clap::Args)]
pub struct MatchArguments {
    /// One side: `random | greedy | rollouts:N | alphabeta:D | DIR[/checkpoints/N][@simulations]`.
    ///
    /// rollouts:N plays N random games before each step, alphabeta:D looks D turns ahead. DIR is a run
    /// directory (its newest checkpoint) or a checkpoint; @0 plays its raw policy.
    pub a: String,
    /// The other side, written like A.
    pub b: String,
    /// The game.
    #[arg(long, value_name = "GAME")]
    pub game: String,
    /// Pairs of games.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub pairs: u64,
    /// Simulations a turn of checkpoints that do not say theirs with @.
    #[arg(long, value_name = "N", default_value_t = 64, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub sims: u32,
    /// Uniformly random legal turns at the start of each pair, the same for both of its games.
    #[arg(long, value_name = "K", default_value_t = 6, value_parser = clap::value_parser!(u32).range(0..=1_000))]
    pub opening_steps: u32,
    /// A file with start positions, one FEN a line, instead of the game's own start; the pairs take
    /// them in turn.
    #[arg(long, value_name = "FILE")]
    pub starts: Option<PathBuf>,
    /// Seed of openings, ties and playouts.
    #[arg(long, value_name = "S", default_value_t = 0)]
    pub seed: u64,
    /// Prints the result as one JSON value.
    #[arg(long)]
    pub json: bool,
    /// A preset of the game's rules. Without --preset and --option the rules are those of the
    /// checkpoints, or else the game's default preset.
    #[arg(long, value_name = "P")]
    pub preset: Option<String>,
    /// A rule option over the preset. May be repeated.
    #[arg(long = "option", value_name = "KEY=VALUE")]
    pub options: Vec<String>,
    /// Lets checkpoints play under rules that they were not trained for.
    #[arg(long)]
    pub allow_other_rules: bool,
    /// Where networks run.
    #[arg(long, default_value = "cpu", value_name = "cpu|cuda")]
    pub device: DeviceChoice,
    /// Worker threads; by default one for each processor core.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u16).range(1..=1_024))]
    pub threads: Option<u16>,
    /// Numbers of networks.
    #[arg(long, default_value = "auto", value_name = "auto|fp32|bf16")]
    pub precision: Precision,
    /// Writes all games into a new file, one JSON value a line.
    #[arg(long, value_name = "FILE.jsonl")]
    pub save: Option<PathBuf>,
}
