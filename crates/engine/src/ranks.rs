//! Where the ranks of a board are counted from.
//!
//! A board of ten ranks has them numbered from 0 to 9 in UCCI and by some UCI engines, from 1 to 10 by
//! others. Turns are translated word by word: every number that follows a letter is a rank.

use serde::{Deserialize, Serialize};
use std::str::FromStr;

/// The number of the lowest rank in the turns of an engine, for games that count it 0 themselves.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Ranks {
    /// As the game writes them: nothing is translated.
    #[default]
    FromZero,
    /// One more than the game writes.
    FromOne,
}

impl Ranks {
    /// A turn of the game as the engine writes it.
    pub fn to_engine(self, turn: &str) -> String {
        match self {
            Ranks::FromZero => turn.to_owned(),
            Ranks::FromOne => shifted(turn, |rank| rank.checked_add(1)),
        }
    }

    /// A turn of the engine as the game writes it.
    pub fn from_engine(self, turn: &str) -> String {
        match self {
            Ranks::FromZero => turn.to_owned(),
            Ranks::FromOne => shifted(turn, |rank| rank.checked_sub(1)),
        }
    }
}

impl FromStr for Ranks {
    type Err = String;

    fn from_str(text: &str) -> Result<Ranks, String> {
        match text {
            "from-zero" => Ok(Ranks::FromZero),
            "from-one" => Ok(Ranks::FromOne),
            _ => Err(format!("ranks '{text}' are not known; they are from-zero or from-one")),
        }
    }
}

/// The text with every number behind a letter changed; a number that cannot be changed stays, and is then
/// no rank of the game either.
fn shifted(text: &str, change: impl Fn(u32) -> Option<u32>) -> String {
    let mut result = String::with_capacity(text.len() + 2);
    let mut rest = text;
    while let Some(first) = rest.chars().next() {
        let digits = rest.len() - rest.trim_start_matches(|digit: char| digit.is_ascii_digit()).len();
        let behind_letter = result.ends_with(|letter: char| letter.is_ascii_alphabetic());
        let length = if digits > 0 { digits } else { first.len_utf8() };
        match rest[..digits].parse().ok().filter(|_| behind_letter).and_then(&change) {
            Some(rank) => result.push_str(&rank.to_string()),
            None => result.push_str(&rest[..length]),
        }
        rest = &rest[length..];
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_are_translated_both_ways() {
        for (own, engine) in [("h2e2", "h3e3"), ("a9a0", "a10a1"), ("i9h7", "i10h8"), ("@d4", "@d5")] {
            assert_eq!(Ranks::FromOne.to_engine(own), engine);
            assert_eq!(Ranks::FromOne.from_engine(engine), own);
            assert_eq!(Ranks::FromZero.to_engine(own), own);
        }
        assert_eq!(Ranks::FromOne.from_engine("h0e1"), "h0e0");
        assert_eq!(Ranks::FromOne.from_engine("(none)"), "(none)");
        assert_eq!(Ranks::FromOne.from_engine("ü 99999999999999"), "ü 99999999999999");
    }
}
