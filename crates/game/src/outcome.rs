//! How a game ended, and why.

use crate::{OfFirst, Player, Wdl};
use std::fmt;

/// What a finished game counts as.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Verdict {
    /// This side won.
    Win(Player),
    /// Nobody won.
    Draw,
    /// The game was cut off at its longest length without a result. Not a draw: training may
    /// bootstrap it, matches count it apart.
    Truncated,
}

/// Why a game ended: one of the words that the game's rules page lists, for example `mate`, `four`
/// or `air+marine`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Reason(pub &'static str);

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.0)
    }
}

/// The end of a game.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Outcome {
    /// Who won, if anybody.
    pub verdict: Verdict,
    /// By which rule.
    pub reason: Reason,
}

impl Outcome {
    /// A win of `player`.
    pub const fn win(player: Player, reason: &'static str) -> Outcome {
        Outcome { verdict: Verdict::Win(player), reason: Reason(reason) }
    }

    /// A draw.
    pub const fn draw(reason: &'static str) -> Outcome {
        Outcome { verdict: Verdict::Draw, reason: Reason(reason) }
    }

    /// A game cut off without a result.
    pub const fn truncated(reason: &'static str) -> Outcome {
        Outcome { verdict: Verdict::Truncated, reason: Reason(reason) }
    }

    /// The winner, if there is one.
    pub const fn winner(&self) -> Option<Player> {
        match self.verdict {
            Verdict::Win(player) => Some(player),
            Verdict::Draw | Verdict::Truncated => None,
        }
    }

    /// The result as the first player sees it. A truncated game has the value of a draw; who must
    /// tell the two apart looks at [`Outcome::verdict`].
    pub const fn wdl(&self) -> OfFirst<Wdl> {
        OfFirst(match self.verdict {
            Verdict::Win(Player::First) => Wdl::WIN,
            Verdict::Win(Player::Second) => Wdl::LOSS,
            Verdict::Draw | Verdict::Truncated => Wdl::DRAW,
        })
    }

    /// The word that the command line's JSON uses for the winner: `first`, `second`, `draw`, or
    /// `none` for a truncated game.
    pub const fn winner_word(&self) -> &'static str {
        match self.verdict {
            Verdict::Win(Player::First) => "first",
            Verdict::Win(Player::Second) => "second",
            Verdict::Draw => "draw",
            Verdict::Truncated => "none",
        }
    }
}
