//! Who played whom with what result.

use crate::pentanomial::Pentanomial;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// How a game ended for one player. Games that were cut off count as draws.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum GameResult {
    /// It lost.
    Loss,
    /// Nobody won.
    Draw,
    /// It won.
    Win,
}

impl GameResult {
    /// All results, the worst first.
    pub const ALL: [GameResult; 3] = [GameResult::Loss, GameResult::Draw, GameResult::Win];

    /// Halves of a point: 0, 1 or 2.
    pub const fn half_points(self) -> usize {
        match self {
            GameResult::Loss => 0,
            GameResult::Draw => 1,
            GameResult::Win => 2,
        }
    }

    /// The same game for the other player.
    pub const fn reversed(self) -> GameResult {
        match self {
            GameResult::Loss => GameResult::Win,
            GameResult::Draw => GameResult::Draw,
            GameResult::Win => GameResult::Loss,
        }
    }
}

/// Two players, the smaller number first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Couple {
    /// The smaller number; the couple's results are from this player's view.
    pub a: usize,
    /// The larger number.
    pub b: usize,
}

impl Couple {
    /// Two players in either order.
    pub fn new(one: usize, other: usize) -> Couple {
        Couple { a: one.min(other), b: one.max(other) }
    }

    /// All couples of so many players.
    pub fn all(players: usize) -> impl Iterator<Item = Couple> {
        (0..players).flat_map(move |a| (a + 1..players).map(move |b| Couple { a, b }))
    }
}

/// Pairs of games between two players, from the view of one of them, by the results of the game in which
/// it was the first player to move (rows) and of the game in which it was the second (columns).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct PairCounts([[u64; 3]; 3]);

impl PairCounts {
    /// Counts a pair.
    pub fn add(&mut self, as_first: GameResult, as_second: GameResult) {
        self.0[as_first as usize][as_second as usize] += 1;
    }

    /// Pairs with these results.
    pub const fn count(&self, as_first: GameResult, as_second: GameResult) -> u64 {
        self.0[as_first as usize][as_second as usize]
    }

    /// Number of pairs.
    pub fn pairs(&self) -> u64 {
        self.0.iter().flatten().sum()
    }

    /// Games in which the player was the first one, by result: losses, draws, wins.
    pub fn as_first(&self) -> [u64; 3] {
        self.0.map(|row| row.iter().sum())
    }

    /// Games in which the player was the second one, by result: losses, draws, wins.
    pub fn as_second(&self) -> [u64; 3] {
        [0, 1, 2].map(|column| self.0.iter().map(|row| row[column]).sum())
    }

    /// All games by result: losses, draws, wins.
    pub fn games(&self) -> [u64; 3] {
        let (first, second) = (self.as_first(), self.as_second());
        [0, 1, 2].map(|index| first[index] + second[index])
    }

    /// The same pairs as the other player saw them.
    pub fn reversed(&self) -> PairCounts {
        let mut reversed = PairCounts::default();
        for first in GameResult::ALL {
            for second in GameResult::ALL {
                // The other player was the first one where this one was the second.
                reversed.0[second.reversed() as usize][first.reversed() as usize] = self.count(first, second);
            }
        }
        reversed
    }

    /// The pairs by their points.
    pub fn pentanomial(&self) -> Pentanomial {
        let mut counts = [0; 5];
        for first in GameResult::ALL {
            for second in GameResult::ALL {
                counts[first.half_points() + second.half_points()] += self.count(first, second);
            }
        }
        Pentanomial::from_counts(counts)
    }
}

/// The pairs of a pool of players, who are numbers from 0 on.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Results {
    players: usize,
    couples: BTreeMap<Couple, PairCounts>,
}

impl Results {
    /// No pairs between so many players.
    pub fn new(players: usize) -> Results {
        Results { players, couples: BTreeMap::new() }
    }

    /// Counts a pair between two different players. The results are those of `player`; larger numbers than
    /// the pool's enlarge it.
    pub fn add(&mut self, player: usize, opponent: usize, as_first: GameResult, as_second: GameResult) {
        self.players = self.players.max(player.max(opponent) + 1);
        let couple = Couple::new(player, opponent);
        let counts = self.couples.entry(couple).or_default();
        if player == couple.a {
            counts.add(as_first, as_second);
        } else {
            counts.add(as_second.reversed(), as_first.reversed());
        }
    }

    /// Number of players.
    pub const fn players(&self) -> usize {
        self.players
    }

    /// The couples that have played, with their pairs from the view of the smaller number.
    pub fn couples(&self) -> impl Iterator<Item = (Couple, &PairCounts)> {
        self.couples.iter().map(|(&couple, counts)| (couple, counts))
    }

    /// The pairs of two players from the view of the first named one.
    pub fn between(&self, player: usize, opponent: usize) -> PairCounts {
        let couple = Couple::new(player, opponent);
        let counts = self.couples.get(&couple).copied().unwrap_or_default();
        if player == couple.a { counts } else { counts.reversed() }
    }

    /// All pairs of a player from its view.
    pub fn of(&self, player: usize) -> PairCounts {
        let mut sum = PairCounts::default();
        for opponent in (0..self.players).filter(|&opponent| opponent != player) {
            let counts = self.between(player, opponent);
            for (sum, count) in sum.0.iter_mut().flatten().zip(counts.0.iter().flatten()) {
                *sum += count;
            }
        }
        sum
    }

    /// Number of pairs.
    pub fn pairs(&self) -> u64 {
        self.couples.values().map(PairCounts::pairs).sum()
    }

    /// The players in groups that have met, directly or through others; one group where all can be
    /// compared. Each group rises, and so do the groups' first players.
    pub fn groups(&self) -> Vec<Vec<usize>> {
        let mut group: Vec<usize> = (0..self.players).collect();
        for couple in self.couples.iter().filter(|(_, counts)| counts.pairs() > 0).map(|(couple, _)| couple) {
            let (kept, joined) = (group[couple.a].min(group[couple.b]), group[couple.a].max(group[couple.b]));
            for number in group.iter_mut().filter(|number| **number == joined) {
                *number = kept;
            }
        }
        let mut groups: BTreeMap<usize, Vec<usize>> = BTreeMap::new();
        for (player, number) in group.into_iter().enumerate() {
            groups.entry(number).or_default().push(player);
        }
        groups.into_values().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use GameResult::{Draw, Loss, Win};

    #[test]
    fn pairs_are_the_same_from_both_sides() {
        let mut results = Results::new(3);
        // Player 2 won with the first move and drew without it.
        results.add(2, 0, Win, Draw);
        let (own, other) = (results.between(2, 0), results.between(0, 2));
        assert_eq!((own.as_first(), own.as_second()), ([0, 0, 1], [0, 1, 0]));
        assert_eq!((other.as_first(), other.as_second()), ([0, 1, 0], [1, 0, 0]));
        assert_eq!(own.reversed(), other);
        assert_eq!(own.pentanomial().counts(), [0, 0, 0, 1, 0]);
        assert_eq!(other.games(), [1, 1, 0]);
        results.add(0, 2, Loss, Loss);
        assert_eq!(results.between(2, 0).count(Win, Win), 1);
        assert_eq!(results.of(2).pairs(), 2);
    }

    #[test]
    fn groups_have_met() {
        let mut results = Results::new(5);
        assert_eq!(results.groups().len(), 5);
        results.add(3, 1, Win, Win);
        results.add(4, 0, Win, Win);
        assert_eq!(results.groups(), [vec![0, 4], vec![1, 3], vec![2]]);
        results.add(1, 4, Win, Win);
        assert_eq!(results.groups(), [vec![0, 1, 3, 4], vec![2]]);
    }
}
