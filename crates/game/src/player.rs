//! The two sides.

use serde::{Deserialize, Serialize};

/// One of the two sides. `First` is the side that a game's rules name first (Red, White, `x`),
/// not the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Player {
    /// Red in Commander Chess and Xiangqi, White in Emergo, `x` in Connect Four.
    First = 0,
    /// The other side.
    Second = 1,
}

impl Player {
    /// Both sides, `First` first: `Player::BOTH[player.index()] == player`.
    pub const BOTH: [Player; 2] = [Player::First, Player::Second];

    /// The other side.
    #[inline]
    pub const fn opponent(self) -> Player {
        match self {
            Player::First => Player::Second,
            Player::Second => Player::First,
        }
    }

    /// `first` or `second`: the word of files, of the command line and of people.
    pub const fn word(self) -> &'static str {
        match self {
            Player::First => "first",
            Player::Second => "second",
        }
    }

    /// 0 for `First`, 1 for `Second`: for indexing arrays with one entry a side.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }
}
