//! The command line.

use clap::{Args, Parser, Subcommand};
use evaluate::arguments::{MachineArguments, RulesArguments};
use std::path::PathBuf;

/// Studies opening deployments of Commander Chess, and openings of any game.
///
/// Exit codes: 0 done, 1 the work failed, 2 wrong command line or input, 130 stopped by Ctrl-C.
#[derive(Debug, Parser)]
#[command(name = "study", version, about)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Run a whole study: screen, race, matrix, equilibrium, oracle
    Deployments(DeploymentsArguments),
    /// Tell how good a set-up is against a panel
    Score(ScoreArguments),
    /// Play two set-ups against each other
    Duel(DuelArguments),
    /// Look for a set-up that beats a given one
    Counter(CounterArguments),
    /// Tell what moving a piece of a set-up, or exchanging two, does
    WhatIf(WhatIfArguments),
    /// Print the findings of a study, or describe a set-up
    Show(ShowArguments),
    /// Write the page and the tables of a study
    Report(ReportArguments),
    /// Teach a policy to place pieces, and say what a reply gains against it
    Deploy(DeployArguments),
    /// Draw set-ups from a learned policy, as a file for studies and self-play
    Propose(ProposeArguments),
    /// Draw the tree of what a checkpoint plays from the start, of any game
    Openings(OpeningsArguments),
}

/// `study deployments`.
#[derive(Debug, Args)]
pub struct DeploymentsArguments {
    /// The config, TOML; see configs/studies/quick.toml
    #[arg(value_name = "CONFIG")]
    pub config: PathBuf,
    /// The study's directory
    #[arg(long, value_name = "DIR")]
    pub run: PathBuf,
    /// Go on with the study in the directory
    #[arg(long)]
    pub resume: bool,
    #[command(flatten)]
    /// What networks run on.
    pub machine: MachineArguments,
}

/// Who plays the games of a question.
#[derive(Debug, Args)]
pub struct PlayerArguments {
    /// A run or checkpoint directory, or a built-in opponent: greedy, alphabeta:D, rollouts:N, random
    #[arg(long, value_name = "PLAYER", default_value = "greedy")]
    pub agent: String,
    /// Simulations a turn of a checkpoint; 0 plays its raw policy
    #[arg(long, value_name = "N", default_value_t = 0, value_parser = clap::value_parser!(u32).range(0..=1_000_000))]
    pub sims: u32,
    /// Pairs of games
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u64).range(2..=1_000_000))]
    pub pairs: u64,
    /// Random turns at the start of each game, so that games differ
    #[arg(long, value_name = "K", default_value_t = 2, value_parser = clap::value_parser!(u32).range(0..=1_000))]
    pub opening_turns: u32,
    /// Seed of all chance
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Print the answer as one JSON value
    #[arg(long)]
    pub json: bool,
    #[command(flatten)]
    /// The rules.
    pub rules: RulesArguments,
    #[command(flatten)]
    /// What networks run on.
    pub machine: MachineArguments,
}

/// `study score`.
#[derive(Debug, Args)]
pub struct ScoreArguments {
    /// A set-up: its line, the name of a hand-made one, or a file with one
    #[arg(value_name = "SET-UP")]
    pub set_up: String,
    /// Set-ups to play against, one a line [default: the hand-made ones]
    #[arg(long, value_name = "FILE")]
    pub against: Option<PathBuf>,
    #[command(flatten)]
    /// Who plays.
    pub player: PlayerArguments,
}

/// `study duel`.
#[derive(Debug, Args)]
pub struct DuelArguments {
    /// A set-up: its line, the name of a hand-made one, or a file with one
    #[arg(value_name = "A")]
    pub a: String,
    /// The other one
    #[arg(value_name = "B")]
    pub b: String,
    #[command(flatten)]
    /// Who plays.
    pub player: PlayerArguments,
}

/// `study counter`.
#[derive(Debug, Args)]
pub struct CounterArguments {
    /// A set-up: its line, the name of a hand-made one, or a file with one
    #[arg(value_name = "SET-UP")]
    pub set_up: String,
    /// Replies that are looked at by value; without a network, and of the best of them, 24 play
    #[arg(long, value_name = "N", default_value_t = 600, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub candidates: u32,
    /// Draw the answer into this file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    #[command(flatten)]
    /// Who plays; --pairs are those that the best reply plays at the end.
    pub player: PlayerArguments,
}

/// `study what-if`.
#[derive(Debug, Args)]
pub struct WhatIfArguments {
    /// A set-up: its line, the name of a hand-made one, or a file with one
    #[arg(value_name = "SET-UP")]
    pub set_up: String,
    /// A piece by its letter, its point, and where it goes; where another piece stands the two change places
    #[arg(long = "move", num_args = 3, value_names = ["PIECE", "FROM", "TO"], required = true)]
    pub change: Vec<String>,
    /// Set-ups to play against, one a line [default: the hand-made ones]
    #[arg(long, value_name = "FILE")]
    pub against: Option<PathBuf>,
    #[command(flatten)]
    /// Who plays.
    pub player: PlayerArguments,
}

/// `study show`.
#[derive(Debug, Args)]
pub struct ShowArguments {
    /// A directory of a study or of a policy, or a set-up: its line, the name of a hand-made one, or a file with one
    #[arg(value_name = "DIR|SET-UP")]
    pub what: String,
    /// Print it as one JSON value
    #[arg(long)]
    pub json: bool,
}

/// `study report`.
#[derive(Debug, Args)]
pub struct ReportArguments {
    /// The directory of a study or of a policy
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
    /// Where page and tables go [default: the directory]
    #[arg(long, value_name = "DIR")]
    pub out: Option<PathBuf>,
}

/// `study deploy`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  study deploy configs/studies/deploy.toml --run policies/mine\n\n\
    The directory then holds learned.json, report.html and set_ups.txt.")]
pub struct DeployArguments {
    /// The config, TOML; see configs/studies/deploy.toml
    #[arg(value_name = "CONFIG")]
    pub config: PathBuf,
    /// The policy's directory
    #[arg(long, value_name = "DIR")]
    pub run: PathBuf,
    /// Go on with the training in the directory
    #[arg(long)]
    pub resume: bool,
    #[command(flatten)]
    /// What networks run on.
    pub machine: MachineArguments,
}

/// `study propose`.
#[derive(Debug, Args)]
#[command(after_help = "Example:\n  study propose policies/mine --count 500 --out set-ups.txt\n\n\
    selfplay.starts takes the file with kind = \"set-ups\", a study with generate.file.")]
pub struct ProposeArguments {
    /// A policy's directory, or one of its checkpoints
    #[arg(value_name = "DIR")]
    pub policy: PathBuf,
    /// How many draws
    #[arg(long, value_name = "N", default_value_t = 100, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub count: u32,
    /// Seed of the draws
    #[arg(long, value_name = "S", default_value_t = 1)]
    pub seed: u64,
    /// Write them into this file
    #[arg(long, value_name = "FILE")]
    pub out: Option<PathBuf>,
    #[command(flatten)]
    /// What networks run on.
    pub machine: MachineArguments,
}

/// `study openings`.
#[derive(Debug, Args)]
pub struct OpeningsArguments {
    /// The config, TOML; see configs/studies/openings.toml
    #[arg(value_name = "CONFIG")]
    pub config: PathBuf,
    /// Where tree, page and opening file go
    #[arg(long, value_name = "DIR")]
    pub out: PathBuf,
    #[command(flatten)]
    /// What networks run on.
    pub machine: MachineArguments,
}
