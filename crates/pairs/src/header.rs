//! What a match is: everything that its games depend on.

use serde::{Deserialize, Serialize};
use serde_json::Value;

/// What the `format` of a file of pairs says.
pub const FORMAT: &str = "garrison match pairs";

/// Version of the format.
pub const VERSION: u32 = 1;

/// The first line of a file of pairs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MatchHeader {
    /// [`FORMAT`].
    pub format: String,
    /// [`VERSION`].
    pub version: u32,
    /// Name of the game.
    pub game: String,
    /// Version of the game's rules.
    pub rules_version: u32,
    /// All rule options.
    pub rules: Value,
    /// Sides A and B.
    pub players: [PlayerHeader; 2],
    /// All random streams of the match come from it.
    pub seed: u64,
    /// Random turns at the start of each pair.
    pub opening_turns: u32,
    /// Where the games begin, before the random turns.
    pub starts: StartsHeader,
}

impl MatchHeader {
    /// How another match differs from this one, a line for each difference; none where it is the same
    /// match. What players are called is not compared: a run may have been moved.
    pub fn differences(&self, other: &MatchHeader) -> Vec<String> {
        let mut found = Vec::new();
        let mut compare = |what: &str, own: String, others: String| {
            if own != others {
                found.push(format!("{what} {own} here, {others} in the file"));
            }
        };
        compare("game", self.game.clone(), other.game.clone());
        compare("rules version", self.rules_version.to_string(), other.rules_version.to_string());
        compare("rules", self.rules.to_string(), other.rules.to_string());
        for (side, (own, others)) in ["A", "B"].iter().zip(self.players.iter().zip(&other.players)) {
            compare(
                &format!("player {side}"),
                format!("{} {}", own.kind.word(), own.identity),
                format!("{} {}", others.kind.word(), others.identity),
            );
            compare(&format!("budget of {side}"), own.budget.to_string(), others.budget.to_string());
            compare(&format!("settings of {side}"), own.settings.to_string(), others.settings.to_string());
        }
        compare("seed", self.seed.to_string(), other.seed.to_string());
        compare("opening turns", self.opening_turns.to_string(), other.opening_turns.to_string());
        compare("starts", self.starts.words(), other.starts.words());
        found
    }
}

/// A side of a match.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayerHeader {
    /// What it is called, for people.
    pub name: String,
    /// What it is.
    pub kind: PlayerKind,
    /// Equal for equal players: a built-in opponent's words, the BLAKE3 of a checkpoint's weights, the
    /// BLAKE3 of an engine's executable file.
    pub identity: String,
    /// What it may spend on a turn.
    pub budget: Budget,
    /// What else decides how it plays: a checkpoint's search settings, an engine's protocol, arguments
    /// and options; null where nothing.
    pub settings: Value,
}

impl PlayerHeader {
    /// Whether both are the same player; what they are called does not matter.
    pub fn same_player(&self, other: &PlayerHeader) -> bool {
        let PlayerHeader { name: _, kind, identity, budget, settings } = self;
        (kind, identity, budget, settings) == (&other.kind, &other.identity, &other.budget, &other.settings)
    }
}

/// Kinds of players.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PlayerKind {
    /// An opponent that needs no network.
    BuiltIn,
    /// A search with a network.
    Checkpoint,
    /// A program of its own.
    Engine,
}

impl PlayerKind {
    /// The word of files and messages.
    pub const fn word(self) -> &'static str {
        match self {
            PlayerKind::BuiltIn => "built-in",
            PlayerKind::Checkpoint => "checkpoint",
            PlayerKind::Engine => "engine",
        }
    }
}

/// What a player may spend on a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Budget {
    /// What belongs to it: a built-in opponent's numbers are in its name.
    Own,
    /// Simulations of a search; 0 plays the step with the largest prior.
    Simulations(u32),
    /// Nodes, as an engine counts them.
    Nodes(u64),
    /// Time on average: what a turn takes too much is taken off the next.
    Time {
        /// Milliseconds.
        milliseconds: u64,
        /// What measures it.
        clock: Clock,
    },
}

/// What measures a player's time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Clock {
    /// The clock on the wall.
    Wall,
    /// Time that the processor works for the player's thread.
    Processor,
}

impl std::fmt::Display for Budget {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match *self {
            Budget::Own => formatter.write_str("its own"),
            Budget::Simulations(simulations) => write!(formatter, "{simulations} simulations"),
            Budget::Nodes(nodes) => write!(formatter, "{nodes} nodes"),
            Budget::Time { milliseconds, clock } => {
                let clock = match clock {
                    Clock::Wall => "",
                    Clock::Processor => " of the processor",
                };
                write!(formatter, "{milliseconds} ms{clock}")
            }
        }
    }
}

/// Where games begin.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase", deny_unknown_fields)]
pub enum StartsHeader {
    /// The game's own start.
    Standard,
    /// The lines of a text, taken in turn.
    File {
        /// BLAKE3 of the lines; comments and empty lines do not count.
        blake3: String,
    },
}

impl StartsHeader {
    /// The starts of a text of starts, one a line with its number from 1: empty lines and
    /// what follows `#` are left out.
    pub fn positions(text: &str) -> impl Iterator<Item = (usize, &str)> {
        let bare = text.lines().map(|line| line.split('#').next().unwrap_or_default().trim());
        (1..).zip(bare).filter(|(_, position)| !position.is_empty())
    }

    /// The header of a text of starts.
    pub fn of_text(text: &str) -> StartsHeader {
        let mut hasher = blake3::Hasher::new();
        for (_, position) in StartsHeader::positions(text) {
            hasher.update(position.as_bytes());
            hasher.update(b"\n");
        }
        StartsHeader::File { blake3: hasher.finalize().to_string() }
    }

    fn words(&self) -> String {
        match self {
            StartsHeader::Standard => "standard".to_owned(),
            StartsHeader::File { blake3 } => format!("file {blake3}"),
        }
    }
}
