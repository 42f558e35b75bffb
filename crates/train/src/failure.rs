//! How a command ends: exit codes, and errors that know theirs.

use std::fmt;

/// Exit code of finished work.
pub const DONE: u8 = 0;
/// Exit code when the work failed.
pub const FAILED: u8 = 1;
/// Exit code when the command line, the config or another input was wrong.
pub const WRONG_INPUT: u8 = 2;
/// Exit code when Ctrl-C stopped the run after saving.
pub const STOPPED: u8 = 130;

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

    /// The exit code.
    pub const fn code(&self) -> u8 {
        match self {
            Failure::Input(_) => WRONG_INPUT,
            Failure::Work(_) => FAILED,
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

impl From<anyhow::Error> for Failure {
    fn from(error: anyhow::Error) -> Failure {
        Failure::Work(error)
    }
}

/// How a command ended when nothing failed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// Everything was done.
    Finished,
    /// Ctrl-C stopped it; the run is saved.
    Stopped,
}

impl End {
    /// The exit code.
    pub const fn code(self) -> u8 {
        match self {
            End::Finished => DONE,
            End::Stopped => STOPPED,
        }
    }
}
