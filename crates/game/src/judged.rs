//! What a judge of repeated attacks says of a game, for games that have one.

use serde::Serialize;
use std::collections::BTreeMap;

/// The verdict over a list of turns and the state of the judge after the last one that counted.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Judged {
    /// `first`, `second`, `draw`, or `none` where the game goes on or the turn was forbidden.
    pub verdict: &'static str,
    /// Number of the turn that brought the verdict (turns after it do not count), of the forbidden
    /// turn, or of the last turn.
    pub ply: usize,
    /// The reason's word; empty where the game goes on.
    pub reason: &'static str,
    /// The rule and the pieces in a sentence; empty where the game goes on.
    pub explanation: String,
    /// Streaks of both sides that have a length.
    pub streaks: SideStreaks,
    /// Counters that draw, by name.
    pub counters: BTreeMap<&'static str, Counter>,
    /// The position.
    pub fen: String,
}

/// Streaks by side.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize)]
pub struct SideStreaks {
    /// Of the first player.
    pub first: Vec<Streak>,
    /// Of the second player.
    pub second: Vec<Streak>,
}

/// Attacks of one sort in a row.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Streak {
    /// What the turns were: `check`, `chase`.
    pub attack: &'static str,
    /// The attacked piece and its point, where the streak is about one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub target: Option<String>,
    /// The attackers and their points.
    pub by: Vec<String>,
    /// Turns in a row.
    pub length: u32,
    /// Most turns in a row that do not violate a rule.
    pub limit: u32,
}

/// Turns counted so far, and the number that draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Counter {
    /// Counted so far.
    pub plies: u32,
    /// The game is drawn at this number.
    pub limit: u32,
}
