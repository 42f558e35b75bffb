//! The command line of `rules setup`.

use crate::arguments::Common;
use clap::{Args, Subcommand, ValueEnum};
use commander::deployment::Metric;
use std::path::PathBuf;

/// `rules setup`.
#[derive(Debug, Args)]
pub struct Setup {
    /// What to do.
    #[command(subcommand)]
    pub command: Option<SetupCommand>,
}

/// The commands about set-ups.
#[derive(Debug, Subcommand)]
pub enum SetupCommand {
    /// Draw legal set-ups, or pairs of them, at random
    Sample(Sample),
    /// Check set-ups; every fault is named with its point
    Check(Check),
    /// Show a set-up as a board to edit, or the position of two
    Show(Show),
    /// Tell how many steps lead from one set-up to another, and which piece goes where
    Distance(Distance),
    /// Count the legal set-ups of one side, and measure how many pairs are void
    Count(Count),
}

/// `rules setup sample`.
#[derive(Debug, Args)]
pub struct Sample {
    #[command(flatten)]
    /// The game.
    pub common: Common,
    /// Number of set-ups
    #[arg(long, value_name = "N", default_value_t = 1, value_parser = clap::value_parser!(u64).range(1..=1_000_000))]
    pub count: u64,
    /// Seed of the draws; draw N of a seed is always the same
    #[arg(long, value_name = "S", default_value_t = 1, allow_negative_numbers = true)]
    pub seed: u64,
    /// Weight set-ups by simple ideas of where pieces belong, or by those of a TOML file
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    pub prior: Option<Option<PathBuf>>,
    /// Draw pairs and print the positions of those that are not void
    #[arg(long)]
    pub pairs: bool,
}

/// `rules setup check`.
#[derive(Debug, Args)]
pub struct Check {
    #[command(flatten)]
    /// The game.
    pub common: Common,
    /// A set-up in a line, or a file of set-ups, a board in characters or a picture; - is standard input
    #[arg(value_name = "SET-UP")]
    pub setup: String,
}

/// `rules setup show`.
#[derive(Debug, Args)]
pub struct Show {
    #[command(flatten)]
    /// The game.
    pub common: Common,
    /// A set-up in a line, `standard`, or a file with one; - is standard input
    #[arg(value_name = "SET-UP")]
    pub setup: String,
    /// Blue's set-up, the other one being Red's
    #[arg(value_name = "BLUE")]
    pub blue: Option<String>,
    /// Also draw it into this file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
}

/// `rules setup distance`.
#[derive(Debug, Args)]
pub struct Distance {
    #[command(flatten)]
    /// The game.
    pub common: Common,
    /// A set-up in a line, `standard`, or a file with one
    #[arg(value_name = "FROM")]
    pub from: String,
    /// The other set-up
    #[arg(value_name = "TO")]
    pub to: String,
    /// How steps are counted
    #[arg(long, value_enum, default_value = "straight")]
    pub metric: MetricWord,
}

/// A way of counting steps, as a word of the command line.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum MetricWord {
    /// Along files and ranks
    Straight,
    /// In eight directions
    Diagonal,
}

impl MetricWord {
    /// The word.
    pub const fn word(self) -> &'static str {
        match self {
            MetricWord::Straight => "straight",
            MetricWord::Diagonal => "diagonal",
        }
    }
}

impl From<MetricWord> for Metric {
    fn from(word: MetricWord) -> Metric {
        match word {
            MetricWord::Straight => Metric::Straight,
            MetricWord::Diagonal => Metric::Diagonal,
        }
    }
}

/// `rules setup count`.
#[derive(Debug, Args)]
pub struct Count {
    #[command(flatten)]
    /// The game.
    pub common: Common,
    /// Pairs to draw for the share of void ones
    #[arg(long, value_name = "N", default_value_t = 1000, value_parser = clap::value_parser!(u64).range(0..=10_000_000))]
    pub pairs: u64,
    /// Seed of the draws
    #[arg(long, value_name = "S", default_value_t = 1, allow_negative_numbers = true)]
    pub seed: u64,
    /// Draw by simple ideas of where pieces belong, or by those of a TOML file
    #[arg(long, value_name = "FILE", num_args = 0..=1, require_equals = true)]
    pub prior: Option<Option<PathBuf>>,
}
