//! How a command ends: exit codes, and errors that know theirs.

use ::ladder::LeagueError;
use arena::matches::MatchError;
use pairs::PairFileError;
use std::path::Path;
use std::process::ExitCode;
use std::{fmt, io};

/// Why a command did not do what it was asked for.
#[derive(Debug)]
pub enum Failure {
    /// Something that the user wrote is wrong: exit code 2.
    Input(anyhow::Error),
    /// The work failed: exit code 1.
    Work(anyhow::Error),
}

impl Failure {
    /// A wrong input, in words.
    pub fn input(message: impl fmt::Display) -> Failure {
        Failure::Input(anyhow::anyhow!("{message}"))
    }

    /// Failed work, in words.
    pub fn work(message: impl fmt::Display) -> Failure {
        Failure::Work(anyhow::anyhow!("{message}"))
    }

    /// A path that cannot be written: wrong input where another path would do.
    pub fn path(path: &Path, error: &io::Error) -> Failure {
        let message = format!("{}: {error}", path.display());
        if files::is_wrong_path(error) { Failure::input(message) } else { Failure::work(message) }
    }

    /// The exit code.
    pub const fn code(&self) -> u8 {
        match self {
            Failure::Input(_) => 2,
            Failure::Work(_) => 1,
        }
    }
}

impl From<MatchError> for Failure {
    fn from(error: MatchError) -> Failure {
        if error.is_input() { Failure::input(error) } else { Failure::work(error) }
    }
}

impl From<PairFileError> for Failure {
    fn from(error: PairFileError) -> Failure {
        if error.is_input() { Failure::input(error) } else { Failure::work(error) }
    }
}

impl From<LeagueError> for Failure {
    fn from(error: LeagueError) -> Failure {
        match error {
            LeagueError::Pairs(error) => error.into(),
            error => Failure::input(error),
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failure::Input(error) | Failure::Work(error) => write!(formatter, "{error:#}"),
        }
    }
}

/// How a command ended when nothing failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Everything was done.
    Finished,
    /// Ctrl-C stopped it; what was finished has been printed.
    Stopped,
}

impl End {
    /// The exit code.
    pub const fn code(self) -> u8 {
        match self {
            End::Finished => 0,
            End::Stopped => 130,
        }
    }
}

/// The exit code of a binary whose command came to this; a failure is told on standard error.
pub fn exit(result: Result<End, Failure>) -> ExitCode {
    match result {
        Ok(end) => ExitCode::from(end.code()),
        Err(failure) => {
            crate::say(&format!("error: {failure}"));
            ExitCode::from(failure.code())
        }
    }
}
