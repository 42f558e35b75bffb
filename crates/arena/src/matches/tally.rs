//! Finished games and what they add up to, from side A's view.

use super::statistics::Pentanomial;
use game::{Outcome, Player, StepCode, Verdict};
use serde::Serialize;
use std::collections::{BTreeMap, HashSet};

/// A finished game of a match.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchGame {
    /// The player that side A was.
    pub a_plays: Player,
    /// Start position as the game writes it, before the opening.
    pub start: String,
    /// How many of the turns are the random opening.
    pub opening_turns: usize,
    /// All turns in the game's notation.
    pub turns: Vec<String>,
    /// All steps, the opening's included.
    pub steps: Vec<StepCode>,
    /// How it ended.
    pub outcome: Outcome,
    /// Points captured by the first and the second player.
    pub points: [i32; 2],
}

impl MatchGame {
    /// What the game brought side A, in halves of a point. A truncated game counts like a draw.
    pub fn half_points(&self) -> usize {
        match self.outcome.winner() {
            Some(winner) if winner == self.a_plays => 2,
            Some(_) => 0,
            None => 1,
        }
    }

    /// Equal for equal games: same colours, same start, same steps.
    fn fingerprint(&self) -> [u8; 32] {
        let mut hasher = blake3::Hasher::new();
        hasher.update(&[self.a_plays.index() as u8]);
        hasher.update(&(self.start.len() as u64).to_le_bytes());
        hasher.update(self.start.as_bytes());
        for step in &self.steps {
            hasher.update(&step.0.to_le_bytes());
        }
        *hasher.finalize().as_bytes()
    }
}

/// Two games from one start: side A is the first player in the first of them, the second player in
/// the other.
#[derive(Clone, Debug, PartialEq)]
pub struct PairResult {
    /// Number of the pair, from 0.
    pub pair: u64,
    /// The games.
    pub games: [MatchGame; 2],
}

/// Games counted by their result.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize)]
pub struct Counts {
    /// Games that side A won.
    pub wins: u64,
    /// Draws.
    pub draws: u64,
    /// Games that side A lost.
    pub losses: u64,
    /// Games cut off without a result; not among the draws, though the score treats them alike.
    pub truncated: u64,
}

impl Counts {
    fn add(&mut self, game: &MatchGame) {
        match game.outcome.verdict {
            Verdict::Win(winner) if winner == game.a_plays => self.wins += 1,
            Verdict::Win(_) => self.losses += 1,
            Verdict::Draw => self.draws += 1,
            Verdict::Truncated => self.truncated += 1,
        }
    }

    /// All games.
    pub fn games(&self) -> u64 {
        self.wins + self.draws + self.losses + self.truncated
    }

    /// Mean score of a game, from 0 to 1; `None` without games.
    pub fn score(&self) -> Option<f64> {
        let halves = 2 * self.wins + self.draws + self.truncated;
        (self.games() > 0).then(|| halves as f64 / (2 * self.games()) as f64)
    }
}

/// What the pairs of a match add up to; independent of their order.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// All games.
    pub counts: Counts,
    /// Games in which side A was the first player, and those in which it was the second.
    pub by_colour: [Counts; 2],
    /// Games by the reason of their end.
    pub by_reason: BTreeMap<String, Counts>,
    /// Pairs by their score.
    pub pentanomial: Pentanomial,
    /// Turns of all games, the openings' included.
    pub turns: u64,
    fingerprints: HashSet<[u8; 32]>,
}

impl Tally {
    /// Counts pairs.
    pub fn of(pairs: &[PairResult]) -> Tally {
        let mut tally = Tally::default();
        for pair in pairs {
            tally.add(pair);
        }
        tally
    }

    /// Counts a pair.
    pub fn add(&mut self, pair: &PairResult) {
        for game in &pair.games {
            self.counts.add(game);
            self.by_colour[game.a_plays.index()].add(game);
            self.by_reason.entry(game.outcome.reason.to_string()).or_default().add(game);
            self.turns += game.turns.len() as u64;
            self.fingerprints.insert(game.fingerprint());
        }
        self.pentanomial.add(pair.games.iter().map(MatchGame::half_points).sum());
    }

    /// How many games differ from all others in colours, start or steps.
    pub fn distinct_games(&self) -> u64 {
        self.fingerprints.len() as u64
    }
}
