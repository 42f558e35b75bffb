//! The command line.

use crate::setup::arguments::Setup;
use clap::error::ErrorKind;
use clap::{Args, CommandFactory, Parser, Subcommand, ValueEnum};
use game::perft::Count;
use std::ffi::OsString;
use std::path::PathBuf;

/// Questions about the rules of a game.
#[derive(Debug, Parser)]
#[command(name = "rules", version, about = "Counts, lists, shows and plays by the rules of a game.")]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
}

/// The commands.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Count everything that can be played to a depth
    Perft(Perft),
    /// List the legal steps of a position
    Steps(Position),
    /// List the complete turns of a position and where they lead
    Turns(Position),
    /// Show a position
    Show(Show),
    /// Say who wins with perfect play, and which steps keep it (Connect Four; minutes near the start)
    Solve(Position),
    /// Play a game of random steps to its end
    Play(Play),
    /// Ask the judge of repeated attacks about moves
    Judge(Judge),
    /// List the named starts of a game
    Starts(Common),
    /// Draw, check, show and compare the set-ups of one side (Commander Chess)
    Setup(Setup),
    /// List the formats of written games
    Formats(Common),
    /// Convert written games from one format to another
    Convert(Convert),
    /// Check that the turns of written games are legal and their results right
    Check(Check),
    /// Measure how fast this machine plays the game
    Bench(Bench),
}

/// A game with its rules, and how to answer.
#[derive(Debug, Args)]
pub struct Common {
    /// Name of the game
    pub game: String,
    /// Named set of rule options
    #[arg(long, value_name = "P")]
    pub preset: Option<String>,
    /// One rule option over the preset; may be repeated
    #[arg(long = "option", value_name = "KEY=VALUE")]
    pub options: Vec<String>,
    /// Print one JSON value
    #[arg(long)]
    pub json: bool,
}

/// A game and a position.
#[derive(Debug, Args)]
pub struct Position {
    #[command(flatten)]
    /// The game.
    pub common: Common,
    /// Position [default: the start of the game]
    #[arg(long, value_name = "F")]
    pub fen: Option<String>,
    /// Begin from a named start (see `rules starts`), drawn by a seed [default seed: 1]
    #[arg(long, value_name = "NAME[:SEED]", conflicts_with = "fen", value_parser = start_name)]
    pub start: Option<StartName>,
}

/// A named start and the seed that it is drawn by.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct StartName {
    /// Name of the kind.
    pub kind: String,
    /// Seed of the draw.
    pub seed: u64,
}

/// `rules perft`.
#[derive(Debug, Args)]
pub struct Perft {
    #[command(flatten)]
    /// The game and position.
    pub position: Position,
    /// Depth in turns
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = clap::value_parser!(u32).range(0..=1000))]
    pub depth: u32,
    /// What to count
    #[arg(long, value_enum, value_name = "WHAT", default_value = "steps")]
    pub count: CountWord,
    /// Split by first turn
    #[arg(long)]
    pub divide: bool,
}

/// What perft counts, as a word of the command line.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum CountWord {
    /// Complete turns before the last depth, there legal first steps
    Steps,
    /// Ordered complete turns
    Turns,
    /// Distinct positions after one turn
    Boards,
}

impl From<CountWord> for Count {
    fn from(word: CountWord) -> Count {
        match word {
            CountWord::Steps => Count::Steps,
            CountWord::Turns => Count::Turns,
            CountWord::Boards => Count::Boards,
        }
    }
}

/// `rules show`.
#[derive(Debug, Args)]
pub struct Show {
    #[command(flatten)]
    /// The game and position.
    pub position: Position,
    /// Play a complete turn first; the picture shows its steps as arrows
    #[arg(long, value_name = "T")]
    pub turn: Option<String>,
    /// Also draw the board into this file
    #[arg(long, value_name = "FILE")]
    pub svg: Option<PathBuf>,
    /// Show more on the picture; may be repeated (Commander Chess: air-defence)
    #[arg(long = "layer", value_name = "NAME", requires = "svg")]
    pub layers: Vec<String>,
}

/// `rules play`.
#[derive(Debug, Args)]
pub struct Play {
    #[command(flatten)]
    /// The game and position.
    pub position: Position,
    /// Seed of the random steps
    #[arg(long, value_name = "S", allow_negative_numbers = true)]
    pub seed: u64,
}

/// `rules judge`.
#[derive(Debug, Args)]
pub struct Judge {
    #[command(flatten)]
    /// The game and position.
    pub position: Position,
    /// Moves from the position, with blanks between; those after a verdict do not count
    #[arg(long, value_name = "M")]
    pub moves: String,
}

/// `rules convert`.
#[derive(Debug, Args)]
pub struct Convert {
    #[command(flatten)]
    /// The game.
    pub common: Common,
    /// Format of the text, one of `rules formats GAME`
    #[arg(long, value_name = "F")]
    pub from: String,
    /// Format to write
    #[arg(long, value_name = "F")]
    pub to: String,
    /// Text in UTF-8; - is standard input
    #[arg(value_name = "FILE", default_value = "-")]
    pub file: PathBuf,
}

/// `rules check`.
#[derive(Debug, Args)]
pub struct Check {
    #[command(flatten)]
    /// The game.
    pub common: Common,
    /// Format of the text, one of `rules formats GAME`
    #[arg(long, value_name = "F", default_value = "turns")]
    pub format: String,
    /// Text in UTF-8; - is standard input
    #[arg(value_name = "FILE")]
    pub file: PathBuf,
}

/// `rules bench`.
#[derive(Debug, Args)]
pub struct Bench {
    #[command(flatten)]
    /// The game.
    pub common: Common,
    /// Time for each of the three figures
    #[arg(long, value_name = "S", default_value = "2", allow_negative_numbers = true, value_parser = seconds)]
    pub seconds: f64,
}

/// What the program says instead of running a command.
#[derive(Debug)]
pub enum Answer {
    /// Help or version, for standard output.
    Help(String),
    /// What is wrong with the command line, in one line.
    Fault(String),
}

impl Arguments {
    /// Reads the command line, the program's name first.
    pub fn read(words: impl IntoIterator<Item = OsString>) -> Result<Arguments, Answer> {
        Arguments::try_parse_from(words).map_err(|error| match error.kind() {
            ErrorKind::DisplayHelp | ErrorKind::DisplayVersion => Answer::Help(error.to_string()),
            ErrorKind::DisplayHelpOnMissingArgumentOrSubcommand | ErrorKind::MissingSubcommand => {
                let command = Arguments::command();
                let names: Vec<&str> = command.get_subcommands().map(clap::Command::get_name).collect();
                Answer::Fault(format!("no command: use one of {} (see --help)", names.join(", ")))
            }
            _ => Answer::Fault(one_line(&error.to_string())),
        })
    }
}

/// The message of an error of clap without its usage, in one line.
fn one_line(message: &str) -> String {
    let mut line = String::new();
    for part in message.lines().map(str::trim).take_while(|part| !part.starts_with("Usage:")) {
        if part.is_empty() || part.starts_with("For more information") {
            continue;
        }
        if !line.is_empty() {
            line.push_str(if line.ends_with(':') { " " } else { "; " });
        }
        line.push_str(part.strip_prefix("error: ").unwrap_or(part));
    }
    line.push_str(" (see --help)");
    line
}

fn start_name(text: &str) -> Result<StartName, String> {
    let (kind, seed) = match text.split_once(':') {
        None => (text, Ok(1)),
        Some((kind, seed)) => (kind, seed.parse()),
    };
    match seed {
        Ok(seed) => Ok(StartName { kind: kind.to_owned(), seed }),
        Err(_) => Err("write NAME or NAME:SEED, the seed a whole number of at least 0".to_owned()),
    }
}

fn seconds(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(seconds) if (0.0..=3600.0).contains(&seconds) => Ok(seconds),
        _ => Err("write a number of seconds from 0 to 3600".to_owned()),
    }
}
