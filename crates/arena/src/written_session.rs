//! Written games, for programs that know a game by name only.

use game::written::{self, Checked, RecordFault, RecordFormat, Score};
use game::{BoardGame, Notation};
use serde::Serialize;

/// A game whose written form can be read, checked and converted; every game is one. Formats are
/// named, never guessed.
pub trait WrittenSession {
    /// The formats that this game has, the default first.
    fn formats(&self) -> Vec<FormatFacts>;

    /// Reads the games of a text in one format and writes them in another.
    ///
    /// # Errors
    /// An unknown format, any game that cannot be read, or one that the other format cannot express.
    fn convert(&self, from: &str, to: &str, text: &str) -> Result<Converted, WrittenError>;

    /// Plays the games of a text by the rules.
    ///
    /// # Errors
    /// An unknown format or a text without games. Games with faults are no error: the report names
    /// them.
    fn check(&self, format: &str, text: &str) -> Result<Vec<CheckedGame>, WrittenError>;
}

/// A format of written games.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct FormatFacts {
    /// Its name on the command line.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
}

/// Games in another format.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Converted {
    /// Number of games.
    pub games: usize,
    /// Number of turns of all games together.
    pub turns: usize,
    /// The text.
    pub text: String,
}

/// What the rules say of a written game.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct CheckedGame {
    /// Number of the game in the text, from 1.
    pub game: usize,
    /// Number of turns; `null` where the game cannot be read.
    pub turns: Option<usize>,
    /// The stated result, `first`, `second`, `draw` or `none`; where none is stated, the one that
    /// the rules give.
    pub result: Option<&'static str>,
    /// The winner by the rules, where the turns end the game.
    pub winner: Option<&'static str>,
    /// Why the turns end the game.
    pub reason: Option<&'static str>,
    /// Everything that is wrong, the first illegal turn or other reason why the game cannot be read
    /// included.
    pub faults: Vec<LocatedFault>,
}

/// A fault of a written game, its parts apart.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct LocatedFault {
    /// Line, from 1.
    pub line: usize,
    /// Character of the line, from 1.
    pub column: usize,
    /// Number of the turn, from 1; `null` for other parts of the game.
    pub turn: Option<usize>,
    /// The text in question.
    pub text: String,
    /// What was found and what would be right.
    pub message: String,
    /// All of it in one line.
    #[serde(skip)]
    pub told: String,
}

/// Why written games have no answer.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum WrittenError {
    /// No format of that name.
    #[error("unknown format `{found}` for {game}: known are {known}")]
    UnknownFormat {
        /// The game.
        game: &'static str,
        /// The name that was asked for.
        found: String,
        /// The formats that exist.
        known: String,
    },
    /// Nothing to read.
    #[error("there is no game in the text")]
    NoGames,
    /// Games that cannot be read or written.
    #[error("{}{}", told(.0), more(.0.len()))]
    Faults(Vec<RecordFault>),
}

/// Faults that are told in a message; the others are only counted.
const TOLD: usize = 8;

fn told(faults: &[RecordFault]) -> String {
    let texts: Vec<String> = faults.iter().take(TOLD).map(ToString::to_string).collect();
    texts.join("; ")
}

fn more(count: usize) -> String {
    match count.saturating_sub(TOLD) {
        0 => String::new(),
        more => format!("; and {more} more"),
    }
}

impl<G: BoardGame> WrittenSession for G {
    fn formats(&self) -> Vec<FormatFacts> {
        let formats = written::formats::<G>().into_iter();
        formats.map(|format| FormatFacts { name: format.name(), about: format.about() }).collect()
    }

    fn convert(&self, from: &str, to: &str, text: &str) -> Result<Converted, WrittenError> {
        let (from, to) = (find::<G>(from)?, find::<G>(to)?);
        let mut games = Vec::new();
        let mut faults = Vec::new();
        for read in from.read(self, text) {
            match read {
                Ok(checked) => games.push(checked.written),
                Err(fault) => faults.push(fault),
            }
        }
        if !faults.is_empty() {
            return Err(WrittenError::Faults(faults));
        }
        if games.is_empty() {
            return Err(WrittenError::NoGames);
        }
        let text = to.write(self, &games).map_err(|fault| WrittenError::Faults(vec![fault]))?;
        let turns = games.iter().map(|game| game.turns.len()).sum();
        Ok(Converted { games: games.len(), turns, text })
    }

    fn check(&self, format: &str, text: &str) -> Result<Vec<CheckedGame>, WrittenError> {
        let read = find::<G>(format)?.read(self, text);
        if read.is_empty() {
            return Err(WrittenError::NoGames);
        }
        let reports = read.into_iter().enumerate();
        Ok(reports.map(|(index, read)| report(index + 1, read)).collect())
    }
}

fn find<G: Notation>(name: &str) -> Result<&'static dyn RecordFormat<G>, WrittenError> {
    written::find(name).ok_or_else(|| {
        let known: Vec<&str> = written::formats::<G>().iter().map(|format| format.name()).collect();
        WrittenError::UnknownFormat { game: G::NAME, found: name.to_owned(), known: known.join(", ") }
    })
}

fn report<G: BoardGame>(number: usize, read: Result<Checked<G>, RecordFault>) -> CheckedGame {
    match read {
        Ok(checked) => CheckedGame {
            game: number,
            turns: Some(checked.written.turns.len()),
            result: Some(Score::word(checked.written.score)),
            winner: checked.outcome.map(|outcome| outcome.winner_word()),
            reason: checked.outcome.map(|outcome| outcome.reason.0),
            faults: checked.remarks.into_iter().map(located).collect(),
        },
        Err(fault) => CheckedGame {
            game: number,
            turns: None,
            result: None,
            winner: None,
            reason: None,
            faults: vec![located(fault)],
        },
    }
}

fn located(fault: RecordFault) -> LocatedFault {
    LocatedFault {
        line: fault.place.line,
        column: fault.place.column,
        turn: fault.turn,
        told: fault.to_string(),
        text: fault.text,
        message: fault.message,
    }
}
