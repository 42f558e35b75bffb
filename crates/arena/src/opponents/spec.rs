//! Opponents as words on the command line.

use super::BuiltIn;
use std::fmt;
use std::path::{Path, PathBuf};

/// Most simulations or playouts a step that can be asked for.
const MOST_SIMULATIONS: u32 = 1_000_000;

/// Most turns that `alphabeta` can be asked to look ahead.
const MOST_DEPTH: u32 = 12;

/// Who plays, as written: `random | greedy | rollouts:N | alphabeta:D | DIR[/checkpoints/N][@sims]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpponentSpec {
    /// An opponent that needs no network.
    BuiltIn(BuiltIn),
    /// A network read from a run directory or a checkpoint.
    Checkpoint {
        /// The directory.
        path: PathBuf,
        /// Simulations a turn, 0 for the raw policy; `None` where the text does not say.
        simulations: Option<u32>,
    },
}

/// Why a text names no opponent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// Neither a known word nor a directory.
    #[error(
        "unknown opponent `{0}`: use random, greedy, rollouts:N, alphabeta:D or a directory \
         DIR[/checkpoints/N][@simulations]; no directory of this name exists"
    )]
    Unknown(String),
    /// What can only be a directory does not exist.
    #[error("opponent `{text}`: there is no directory {path}")]
    NoDirectory {
        /// The whole text.
        text: String,
        /// The directory.
        path: String,
    },
    /// A number is missing, unreadable or out of range.
    #[error("opponent `{text}`: {what} is {found} and should be a whole number from {least} to {most}")]
    Number {
        /// The whole text.
        text: String,
        /// What the number counts.
        what: &'static str,
        /// What was found in its place, in quotes, or `missing`.
        found: String,
        /// Least number allowed.
        least: u32,
        /// Largest number allowed.
        most: u32,
    },
    /// A number stands where none belongs.
    #[error("opponent `{text}`: {word} takes no number; write `{word}` alone")]
    Surplus {
        /// The whole text.
        text: String,
        /// The opponent.
        word: &'static str,
    },
}

impl OpponentSpec {
    /// Reads a text. Looks at the file system only to see whether a directory exists.
    pub fn parse(text: &str) -> Result<OpponentSpec, SpecError> {
        let built_in = |opponent| Ok(OpponentSpec::BuiltIn(opponent));
        let (word, rest) = match text.find([':', '@']) {
            Some(end) => (&text[..end], Some(&text[end..])),
            None => (text, None),
        };
        match (word, rest) {
            ("random", None) => built_in(BuiltIn::Random),
            ("greedy", None) => built_in(BuiltIn::Greedy),
            ("random", Some(_)) => Err(SpecError::Surplus { text: text.to_owned(), word: "random" }),
            ("greedy", Some(_)) => Err(SpecError::Surplus { text: text.to_owned(), word: "greedy" }),
            ("rollouts", rest) => {
                let found = rest.unwrap_or_default().trim_start_matches(':');
                let playouts = number(text, "the number of playouts", found, 1, MOST_SIMULATIONS)?;
                built_in(BuiltIn::Rollouts { playouts })
            }
            ("alphabeta", rest) => {
                let found = rest.unwrap_or_default().trim_start_matches(':');
                let depth = number(text, "the depth in turns", found, 1, MOST_DEPTH)?;
                built_in(BuiltIn::AlphaBeta { depth })
            }
            _ => checkpoint(text),
        }
    }
}

fn checkpoint(text: &str) -> Result<OpponentSpec, SpecError> {
    // A directory may have an `@` in its name: the whole text is looked for first.
    if let Some(path) = directory(text) {
        return Ok(OpponentSpec::Checkpoint { path, simulations: None });
    }
    let (path, found) = match text.rsplit_once('@') {
        Some((path, found)) => (path, Some(found)),
        None => (text, None),
    };
    match (directory(path), found) {
        (Some(path), Some(found)) => {
            let simulations = number(text, "the number of simulations", found, 0, MOST_SIMULATIONS)?;
            Ok(OpponentSpec::Checkpoint { path, simulations: Some(simulations) })
        }
        _ if path.contains('/') => {
            Err(SpecError::NoDirectory { text: text.to_owned(), path: path.to_owned() })
        }
        _ => Err(SpecError::Unknown(text.to_owned())),
    }
}

/// The directory of this name. Checkpoints are numbered with six digits, and `checkpoints/20` means
/// `checkpoints/000020`.
fn directory(text: &str) -> Option<PathBuf> {
    let path = Path::new(text);
    if path.is_dir() {
        return Some(path.to_owned());
    }
    let number: u64 = path.file_name()?.to_str()?.parse().ok()?;
    let padded = path.with_file_name(format!("{number:06}"));
    padded.is_dir().then_some(padded)
}

fn number(text: &str, what: &'static str, found: &str, least: u32, most: u32) -> Result<u32, SpecError> {
    match found.parse() {
        Ok(number) if (least..=most).contains(&number) => Ok(number),
        _ => Err(SpecError::Number { text: text.to_owned(), what, found: quoted(found), least, most }),
    }
}

fn quoted(found: &str) -> String {
    if found.is_empty() { "missing".to_owned() } else { format!("`{found}`") }
}

impl fmt::Display for BuiltIn {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            BuiltIn::Random => formatter.write_str("random"),
            BuiltIn::Greedy => formatter.write_str("greedy"),
            BuiltIn::Rollouts { playouts } => write!(formatter, "rollouts:{playouts}"),
            BuiltIn::AlphaBeta { depth } => write!(formatter, "alphabeta:{depth}"),
        }
    }
}

impl fmt::Display for OpponentSpec {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OpponentSpec::BuiltIn(opponent) => opponent.fmt(formatter),
            OpponentSpec::Checkpoint { path, simulations: None } => write!(formatter, "{}", path.display()),
            OpponentSpec::Checkpoint { path, simulations: Some(simulations) } => {
                write!(formatter, "{}@{simulations}", path.display())
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_and_written_back() {
        for text in ["random", "greedy", "rollouts:800", "alphabeta:2", ".", ".@0", "./src@64"] {
            assert_eq!(OpponentSpec::parse(text).map(|spec| spec.to_string()), Ok(text.to_owned()));
        }
        assert_eq!(
            OpponentSpec::parse("rollouts:3"),
            Ok(OpponentSpec::BuiltIn(BuiltIn::Rollouts { playouts: 3 }))
        );
        assert_eq!(
            OpponentSpec::parse("src@0"),
            Ok(OpponentSpec::Checkpoint { path: "src".into(), simulations: Some(0) })
        );
    }

    #[test]
    fn faults_name_what_was_found() {
        for (text, message) in [
            (
                "rollouts",
                "opponent `rollouts`: the number of playouts is missing and should be a whole number from 1 to 1000000",
            ),
            (
                "rollouts:many",
                "opponent `rollouts:many`: the number of playouts is `many` and should be a whole number from 1 \
                 to 1000000",
            ),
            (
                "alphabeta:0",
                "opponent `alphabeta:0`: the depth in turns is `0` and should be a whole number from 1 to 12",
            ),
            (
                "alphabeta:-1",
                "opponent `alphabeta:-1`: the depth in turns is `-1` and should be a whole number from 1 to 12",
            ),
            ("runs/none@8", "opponent `runs/none@8`: there is no directory runs/none"),
            ("random:3", "opponent `random:3`: random takes no number; write `random` alone"),
            ("greedy@8", "opponent `greedy@8`: greedy takes no number; write `greedy` alone"),
            (
                "src@some",
                "opponent `src@some`: the number of simulations is `some` and should be a whole number from 0 to \
                 1000000",
            ),
            (
                "gredy",
                "unknown opponent `gredy`: use random, greedy, rollouts:N, alphabeta:D or a directory \
                 DIR[/checkpoints/N][@simulations]; no directory of this name exists",
            ),
        ] {
            assert_eq!(OpponentSpec::parse(text).unwrap_err().to_string(), message);
        }
    }
}
