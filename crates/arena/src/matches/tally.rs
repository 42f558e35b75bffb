//! What the games of a match add up to, from side A's view.

use pairs::{Pair, PlayedGame, Winner};
use serde::Serialize;
use statistics::Pentanomial;
use std::collections::{BTreeMap, HashSet};

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
    fn add(&mut self, game: &PlayedGame) {
        match (game.winner, game.winner.player()) {
            (_, Some(winner)) if winner == game.a_plays => self.wins += 1,
            (_, Some(_)) => self.losses += 1,
            (Winner::Draw, _) => self.draws += 1,
            (_, None) => self.truncated += 1,
        }
    }

    /// These games and others.
    pub fn and(self, other: Counts) -> Counts {
        Counts {
            wins: self.wins + other.wins,
            draws: self.draws + other.draws,
            losses: self.losses + other.losses,
            truncated: self.truncated + other.truncated,
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
    /// Games by their number of turns, the openings' included.
    pub by_turns: BTreeMap<u64, Counts>,
    /// Pairs by their score.
    pub pentanomial: Pentanomial,
    /// Turns of all games, the openings' included.
    pub turns: u64,
    fingerprints: HashSet<[u8; 32]>,
}

impl Tally {
    /// Counts pairs.
    pub fn of(pairs: &[Pair]) -> Tally {
        let mut tally = Tally::default();
        for pair in pairs {
            tally.add(pair);
        }
        tally
    }

    /// Counts a pair.
    pub fn add(&mut self, pair: &Pair) {
        for game in &pair.games {
            self.counts.add(game);
            self.by_colour[game.a_plays.index()].add(game);
            self.by_reason.entry(game.reason.clone()).or_default().add(game);
            let turns = game.turns.len() as u64;
            self.by_turns.entry(turns).or_default().add(game);
            self.turns += turns;
            self.fingerprints.insert(game.fingerprint());
        }
        self.pentanomial.add(pair.half_points());
    }

    /// How many games differ from all others in colours, start or steps.
    pub fn distinct_games(&self) -> u64 {
        self.fingerprints.len() as u64
    }
}
