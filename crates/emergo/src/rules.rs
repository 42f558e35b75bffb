//! The rule options (`docs/rules/emergo.md`, *Options*).

use crate::board::BoardSize;
use serde::{Deserialize, Serialize};

/// Whether a capture turn must take the most men possible.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Majority {
    /// Over all own columns, with a free choice among equals.
    On,
    /// Any capture may be chosen; the capturing column still goes on while it can.
    Off,
}

/// What it counts to have columns of which none can step or capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Blocked {
    /// A draw.
    Draw,
    /// A loss of the blocked side.
    Loss,
}

/// What it counts to have men in hand, no square to enter one and no capture.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum NoEntry {
    /// A draw.
    Draw,
    /// A loss of the side that cannot enter.
    Loss,
}

/// What it counts when board, side to move and hands occur for the third time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Repetition {
    /// A draw.
    Draw,
    /// Nothing.
    Off,
}

/// What a game counts that lasts `max_turns` turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum MaxTurnsResult {
    /// A draw.
    Draw,
    /// Cut off without a result.
    Truncate,
}

/// All rule options of Emergo.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {
    /// Which board.
    pub board: BoardSize,
    /// Whether the most men must be captured.
    pub majority: Majority,
    /// The value of having no legal turn with an empty hand.
    pub blocked: Blocked,
    /// The value of having no legal turn with men in hand.
    pub no_entry: NoEntry,
    /// The value of the third occurrence.
    pub repetition: Repetition,
    /// Turns, counted from ply 0, after which a game ends; at least 1.
    pub max_turns: u16,
    /// The value of that end.
    pub max_turns_result: MaxTurnsResult,
}

impl Rules {
    /// Names of the presets.
    pub(crate) const PRESETS: [&'static str; 1] = ["standard"];
}

impl Default for Rules {
    /// The preset `standard`: every option's default.
    fn default() -> Rules {
        Rules {
            board: BoardSize::Nine,
            majority: Majority::On,
            blocked: Blocked::Draw,
            no_entry: NoEntry::Draw,
            repetition: Repetition::Draw,
            max_turns: 1000,
            max_turns_result: MaxTurnsResult::Draw,
        }
    }
}
