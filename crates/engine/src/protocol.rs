//! The two protocols and the words in which they differ.

use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;

/// How a program and an engine talk to each other.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Protocol {
    /// The universal chess interface (S. Meyer-Kahlen, April 2006).
    #[default]
    Uci,
    /// The universal Chinese chess protocol (UCCI 3.0, elephantbase).
    Ucci,
}

impl Protocol {
    /// Both.
    pub const ALL: [Protocol; 2] = [Protocol::Uci, Protocol::Ucci];

    /// Its name, which is also the first word that is said to an engine.
    pub const fn word(self) -> &'static str {
        match self {
            Protocol::Uci => "uci",
            Protocol::Ucci => "ucci",
        }
    }

    /// What an engine says when it has told all about itself.
    pub const fn ready_word(self) -> &'static str {
        match self {
            Protocol::Uci => "uciok",
            Protocol::Ucci => "ucciok",
        }
    }

    /// What an engine says where it has no turn.
    pub const fn no_turn(self) -> &'static str {
        match self {
            Protocol::Uci => "bestmove (none)",
            Protocol::Ucci => "nobestmove",
        }
    }

    /// The line that sets an option.
    pub fn set_option(self, name: &str, value: &str) -> String {
        match self {
            Protocol::Uci => format!("setoption name {name} value {value}"),
            Protocol::Ucci => format!("setoption {name} {value}"),
        }
    }
}

impl fmt::Display for Protocol {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.word())
    }
}

impl FromStr for Protocol {
    type Err = String;

    fn from_str(text: &str) -> Result<Protocol, String> {
        let found = Protocol::ALL.into_iter().find(|protocol| protocol.word() == text);
        found.ok_or_else(|| format!("protocol '{text}' is not known; it is uci or ucci"))
    }
}
