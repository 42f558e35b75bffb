//! What the games of an examination were like.

use crate::Outcome;
use std::collections::BTreeMap;
use std::fmt;

/// Counts over all games of an examination.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Statistics {
    /// Bytes of a position and of a step.
    pub sizes: [usize; 2],
    /// Games played to their end.
    pub games: u64,
    /// Games won by the first player, drawn, won by the second player, truncated.
    pub results: [u64; 4],
    /// Games by reason.
    pub reasons: BTreeMap<&'static str, u64>,
    /// Complete turns.
    pub turns: u64,
    /// Turns of the longest game.
    pub longest_game: u64,
    /// Turns by number of steps.
    pub turn_lengths: BTreeMap<usize, u64>,
    /// Steps that captured.
    pub captures: u64,
    /// Positions examined, ends and positions inside turns included.
    pub positions: u64,
    /// Legal steps of all of them.
    pub legal_steps: u64,
    /// Most legal steps of one position.
    pub most_legal_steps: usize,
    /// Legal steps that share all their policy cells with another legal step of the same position:
    /// a network cannot tell them apart.
    pub aliased_steps: u64,
    /// Positions whose text gave back exactly the same value; the others carry something that text
    /// does not have, such as the number of turns since the start.
    pub exact_texts: u64,
    /// Different planes seen.
    pub distinct_planes: u64,
}

impl Statistics {
    pub(super) fn add_position(&mut self, legal: usize) {
        self.positions += 1;
        self.legal_steps += legal as u64;
        self.most_legal_steps = self.most_legal_steps.max(legal);
    }

    pub(super) fn add_game(&mut self, outcome: Outcome, turns: u64) {
        self.games += 1;
        let index = match outcome.winner_word() {
            "first" => 0,
            "draw" => 1,
            "second" => 2,
            _ => 3,
        };
        self.results[index] += 1;
        *self.reasons.entry(outcome.reason.0).or_default() += 1;
        self.longest_game = self.longest_game.max(turns);
    }
}

impl fmt::Display for Statistics {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mean = |sum: u64, count: u64| sum as f64 / count.max(1) as f64;
        let [first, draw, second, truncated] = self.results;
        writeln!(formatter, "a position has {} bytes, a step {}", self.sizes[0], self.sizes[1])?;
        writeln!(
            formatter,
            "{} games: first {first}, draw {draw}, second {second}, truncated {truncated}; reasons {:?}",
            self.games, self.reasons
        )?;
        writeln!(
            formatter,
            "turns a game: mean {:.1}, most {}; turns by steps {:?}; captures a game {:.1}",
            mean(self.turns, self.games),
            self.longest_game,
            self.turn_lengths,
            mean(self.captures, self.games)
        )?;
        writeln!(
            formatter,
            "legal steps: mean {:.1}, most {}, aliased {}; positions {}, of which {} read back exactly; planes {}",
            mean(self.legal_steps, self.positions),
            self.most_legal_steps,
            self.aliased_steps,
            self.positions,
            self.exact_texts,
            self.distinct_planes
        )
    }
}
