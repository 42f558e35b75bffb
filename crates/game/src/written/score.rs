//! The result of a written game.

use crate::{Outcome, Player, Verdict};

/// The result that is written down with a game.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Score {
    /// The first player won.
    First,
    /// The second player won.
    Second,
    /// Nobody won.
    Draw,
    /// No result: the game goes on, was cut off, or nobody says.
    #[default]
    Open,
}

impl Score {
    /// `1-0`, `0-1`, `1/2-1/2` or `*`.
    pub const fn text(self) -> &'static str {
        match self {
            Score::First => "1-0",
            Score::Second => "0-1",
            Score::Draw => "1/2-1/2",
            Score::Open => "*",
        }
    }

    /// `first`, `second`, `draw` or `none`.
    pub const fn word(self) -> &'static str {
        match self {
            Score::First => "first",
            Score::Second => "second",
            Score::Draw => "draw",
            Score::Open => "none",
        }
    }

    /// Reads what [`Score::text`] writes, and `½-½`, as it ends the turns of a game.
    pub fn read(text: &str) -> Option<Score> {
        match text {
            "1-0" => Some(Score::First),
            "0-1" => Some(Score::Second),
            "1/2-1/2" | "½-½" => Some(Score::Draw),
            "*" => Some(Score::Open),
            _ => None,
        }
    }

    /// Reads what [`Score::word`] writes.
    pub fn from_word(word: &str) -> Option<Score> {
        [Score::First, Score::Second, Score::Draw, Score::Open].into_iter().find(|score| score.word() == word)
    }

    /// The result of a game that ended so.
    pub const fn of(outcome: &Outcome) -> Score {
        match outcome.verdict {
            Verdict::Win(Player::First) => Score::First,
            Verdict::Win(Player::Second) => Score::Second,
            Verdict::Draw => Score::Draw,
            Verdict::Truncated => Score::Open,
        }
    }
}
