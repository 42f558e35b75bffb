//! Opponents as words on the command line.

use super::BuiltIn;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Most simulations or playouts a step that can be asked for.
const MOST_SIMULATIONS: u32 = 1_000_000;

/// Most turns that `alphabeta` can be asked to look ahead.
const MOST_DEPTH: u32 = 12;

/// Longest time for a turn that can be asked for.
const MOST_TIME: Duration = Duration::from_secs(3_600);

/// Who plays, as written: `random | greedy | rollouts:N | alphabeta:D | DIR[/checkpoints/N][@budget] |
/// engine:NAME[@budget]`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum OpponentSpec {
    /// An opponent that needs no network.
    BuiltIn(BuiltIn),
    /// A network read from a run directory or a checkpoint.
    Checkpoint {
        /// The directory.
        path: PathBuf,
        /// What it may spend on a turn, 0 simulations for the raw policy; `None` where the text does not
        /// say.
        budget: Option<TurnBudget>,
    },
    /// A program of its own.
    Engine {
        /// Its name in a list of engines, or its program with settings (see
        /// [`EngineSettings::parse`](engine::EngineSettings::parse)).
        name: String,
        /// What it may spend on a turn; `None` where the text does not say.
        budget: Option<TurnBudget>,
    },
}

/// What an opponent may spend on a turn, as written behind an `@`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TurnBudget {
    /// Simulations of a search, nodes of an engine: `64`.
    Count(u32),
    /// Time: `1s`, `0.5s`, `500ms`.
    Time(Duration),
}

impl TurnBudget {
    fn parse(found: &str) -> Option<TurnBudget> {
        let unit = found.trim_start_matches(|letter: char| letter.is_ascii_digit() || letter == '.');
        let number = &found[..found.len() - unit.len()];
        let milliseconds = match unit {
            "" => {
                return number.parse().ok().filter(|&count| count <= MOST_SIMULATIONS).map(TurnBudget::Count);
            }
            "s" => number.parse::<f64>().ok()? * 1_000.0,
            "ms" => number.parse::<f64>().ok()?,
            _ => return None,
        };
        let time = Duration::try_from_secs_f64((milliseconds / 1_000.0).min(1e6)).ok()?;
        (time >= Duration::from_millis(1) && time <= MOST_TIME).then_some(TurnBudget::Time(time))
    }
}

impl fmt::Display for TurnBudget {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TurnBudget::Count(count) => count.fmt(formatter),
            TurnBudget::Time(time) if time.subsec_millis() == 0 => write!(formatter, "{}s", time.as_secs()),
            TurnBudget::Time(time) => write!(formatter, "{}ms", time.as_millis()),
        }
    }
}

/// Why a text names no opponent.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SpecError {
    /// Neither a known word nor a directory.
    #[error(
        "unknown opponent `{0}`: use random, greedy, rollouts:N, alphabeta:D, engine:NAME or a directory \
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
    /// What stands behind the `@` is no budget.
    #[error(
        "opponent `{text}`: the budget of a turn is {found} and should be a whole number of {unit} from {least} \
         to {MOST_SIMULATIONS}, or a time up to an hour such as 1s or 500ms"
    )]
    Budget {
        /// The whole text.
        text: String,
        /// What was found, in quotes, or `missing`.
        found: String,
        /// What a number would count.
        unit: &'static str,
        /// The least number.
        least: u32,
    },
    /// There is nothing behind `engine:`.
    #[error("opponent `{0}`: which engine? write engine:NAME, a name from a list of engines or a program")]
    NoEngine(String),
    /// A number stands where none belongs.
    #[error("opponent `{text}`: {word} takes no number; write `{word}` alone")]
    Surplus {
        /// The whole text.
        text: String,
        /// The opponent.
        word: &'static str,
    },
}

impl BuiltIn {
    /// Reads the name of a built-in opponent.
    ///
    /// # Errors
    /// What is wrong with it, in words; directories and engines are refused.
    pub fn parse(text: &str) -> Result<BuiltIn, String> {
        match OpponentSpec::parse(text) {
            Ok(OpponentSpec::BuiltIn(opponent)) => Ok(opponent),
            Ok(OpponentSpec::Checkpoint { .. } | OpponentSpec::Engine { .. }) => Err(format!(
                "found {text}, a directory or an engine; use random, greedy, rollouts:N or alphabeta:D"
            )),
            Err(error) => Err(error.to_string()),
        }
    }
}

impl OpponentSpec {
    /// Reads a text. Looks at the file system only to see whether a directory exists.
    pub fn parse(text: &str) -> Result<OpponentSpec, SpecError> {
        let built_in = |opponent| Ok(OpponentSpec::BuiltIn(opponent));
        if let Some(name) = text.strip_prefix("engine:") {
            return engine(text, name);
        }
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
        return Ok(OpponentSpec::Checkpoint { path, budget: None });
    }
    let (path, found) = match text.rsplit_once('@') {
        Some((path, found)) => (path, Some(found)),
        None => (text, None),
    };
    match (directory(path), found) {
        (Some(path), Some(found)) => {
            let budget = budget(text, found, "simulations", 0)?;
            Ok(OpponentSpec::Checkpoint { path, budget: Some(budget) })
        }
        _ if path.contains('/') => {
            Err(SpecError::NoDirectory { text: text.to_owned(), path: path.to_owned() })
        }
        _ => Err(SpecError::Unknown(text.to_owned())),
    }
}

/// What is behind the last `@` is the budget, unless it is a part of a path.
fn engine(text: &str, name: &str) -> Result<OpponentSpec, SpecError> {
    let (name, found) = match name.rsplit_once('@') {
        Some((name, found)) if !found.contains('/') => (name, Some(found)),
        _ => (name, None),
    };
    if name.is_empty() {
        return Err(SpecError::NoEngine(text.to_owned()));
    }
    let budget = found.map(|found| budget(text, found, "nodes", 1)).transpose()?;
    Ok(OpponentSpec::Engine { name: name.to_owned(), budget })
}

fn budget(text: &str, found: &str, unit: &'static str, least: u32) -> Result<TurnBudget, SpecError> {
    let right = |budget: &TurnBudget| !matches!(budget, TurnBudget::Count(count) if *count < least);
    TurnBudget::parse(found).filter(right).ok_or_else(|| SpecError::Budget {
        text: text.to_owned(),
        found: quoted(found),
        unit,
        least,
    })
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
            OpponentSpec::Checkpoint { path, budget: None } => write!(formatter, "{}", path.display()),
            OpponentSpec::Checkpoint { path, budget: Some(budget) } => {
                write!(formatter, "{}@{budget}", path.display())
            }
            OpponentSpec::Engine { name, budget: None } => write!(formatter, "engine:{name}"),
            OpponentSpec::Engine { name, budget: Some(budget) } => {
                write!(formatter, "engine:{name}@{budget}")
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_read_and_written_back() {
        for text in [
            "random",
            "greedy",
            "rollouts:800",
            "alphabeta:2",
            ".",
            ".@0",
            "./src@64",
            ".@1s",
            ".@250ms",
            "engine:fairy",
            "engine:fairy@1000",
            "engine:/some@place/fairy?protocol=ucci",
            "engine:fairy?protocol=ucci@2s",
        ] {
            assert_eq!(OpponentSpec::parse(text).map(|spec| spec.to_string()), Ok(text.to_owned()));
        }
        assert_eq!(
            OpponentSpec::parse("rollouts:3"),
            Ok(OpponentSpec::BuiltIn(BuiltIn::Rollouts { playouts: 3 }))
        );
        assert_eq!(
            OpponentSpec::parse("src@0"),
            Ok(OpponentSpec::Checkpoint { path: "src".into(), budget: Some(TurnBudget::Count(0)) })
        );
        for text in [".@0.5s", ".@500ms", ".@500.0ms"] {
            let budget = Some(TurnBudget::Time(Duration::from_millis(500)));
            assert_eq!(
                OpponentSpec::parse(text),
                Ok(OpponentSpec::Checkpoint { path: ".".into(), budget }),
                "{text}"
            );
        }
    }

    #[test]
    fn times_are_within_reason() {
        for found in ["0ms", "0s", "2h", "-1s", "1e9s", "s", "ms", "9999999s", "1.2.3s", "5 s", "1000001"] {
            assert_eq!(TurnBudget::parse(found), None, "{found}");
        }
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
                "opponent `src@some`: the budget of a turn is `some` and should be a whole number of simulations \
                 from 0 to 1000000, or a time up to an hour such as 1s or 500ms",
            ),
            (
                "engine:fairy@0",
                "opponent `engine:fairy@0`: the budget of a turn is `0` and should be a whole number of nodes from 1 \
                 to 1000000, or a time up to an hour such as 1s or 500ms",
            ),
            (
                "engine:@1s",
                "opponent `engine:@1s`: which engine? write engine:NAME, a name from a list of engines or a program",
            ),
            (
                "gredy",
                "unknown opponent `gredy`: use random, greedy, rollouts:N, alphabeta:D, engine:NAME or a directory \
                 DIR[/checkpoints/N][@simulations]; no directory of this name exists",
            ),
        ] {
            assert_eq!(OpponentSpec::parse(text).unwrap_err().to_string(), message);
        }
    }
}
