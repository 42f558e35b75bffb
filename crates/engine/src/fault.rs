//! Every way in which an engine can fail.

use std::io;
use std::time::Duration;

/// How an engine failed.
#[derive(Debug, thiserror::Error)]
pub enum EngineFault {
    /// Its program cannot be started.
    #[error("{command} cannot be started: {error}")]
    Start {
        /// The program.
        command: String,
        /// What the system says.
        error: io::Error,
    },
    /// It did not answer the first word, or was not ready, in time.
    #[error("no `{wanted}` within {}", seconds(.within))]
    Handshake {
        /// The word that was waited for.
        wanted: &'static str,
        /// How long it was waited for.
        within: Duration,
    },
    /// It has no such option.
    #[error("it has no option `{name}`; it has {}", listed(.known))]
    Option {
        /// The option.
        name: String,
        /// The options that it has.
        known: Vec<String>,
    },
    /// It did not play in time.
    #[error("no turn within {}", seconds(.within))]
    TooLate {
        /// How long it was waited for.
        within: Duration,
    },
    /// Its process ended.
    #[error("it ended by itself ({how})")]
    Ended {
        /// Its exit code or signal, as far as known.
        how: String,
    },
    /// It says that it has no turn.
    #[error("it says that it has no turn (`{line}`)")]
    NoTurn {
        /// Its words.
        line: String,
    },
    /// It gives up.
    #[error("it gives up (`{line}`)")]
    GivesUp {
        /// Its words.
        line: String,
    },
    /// It could not be talked to.
    #[error("it cannot be talked to: {0}")]
    Pipe(io::Error),
}

impl EngineFault {
    /// Whether it never got ready: then something about its settings is wrong.
    pub fn is_start(&self) -> bool {
        matches!(self, EngineFault::Start { .. } | EngineFault::Handshake { .. } | EngineFault::Option { .. })
    }
}

fn seconds(time: &Duration) -> String {
    format!("{:.1} s", time.as_secs_f64())
}

fn listed(names: &[String]) -> String {
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}
