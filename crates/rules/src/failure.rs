//! How a command fails, and with which exit code.

use arena::games::OpenError;
use arena::judge_session::JudgeError;
use arena::rules_session::RulesError;
use arena::written_session::WrittenError;
use std::io;
use std::path::PathBuf;

/// Why a command failed. The message is one line.
#[derive(Debug, thiserror::Error)]
pub enum Failure {
    /// The command line or an input was wrong.
    #[error("{0}")]
    Input(String),
    /// A file cannot be written.
    #[error("{}: cannot be written: {error}", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A text that was asked about is wrong; the answer says so.
    #[error("{message}")]
    Verdict {
        /// The answer, for standard output.
        answer: String,
        /// What is wrong, in a line.
        message: String,
    },
    /// Standard output cannot be written.
    #[error("standard output cannot be written: {0}")]
    Output(io::Error),
    /// Whoever read standard output has seen enough.
    #[error("standard output was closed")]
    ClosedPipe,
}

impl Failure {
    /// The exit code of the program.
    pub fn exit_code(&self) -> u8 {
        match self {
            Failure::Input(_) | Failure::Verdict { .. } => 2,
            Failure::File { .. } | Failure::Output(_) => 1,
            Failure::ClosedPipe => 0,
        }
    }

    /// A fault of writing to standard output.
    pub fn from_output(error: io::Error) -> Failure {
        match error.kind() {
            io::ErrorKind::BrokenPipe => Failure::ClosedPipe,
            _ => Failure::Output(error),
        }
    }
}

impl From<OpenError> for Failure {
    fn from(error: OpenError) -> Failure {
        Failure::Input(error.to_string())
    }
}

impl From<JudgeError> for Failure {
    fn from(error: JudgeError) -> Failure {
        Failure::Input(error.to_string())
    }
}

impl From<WrittenError> for Failure {
    fn from(error: WrittenError) -> Failure {
        Failure::Input(error.to_string())
    }
}

impl From<RulesError> for Failure {
    fn from(error: RulesError) -> Failure {
        Failure::Input(error.to_string())
    }
}
