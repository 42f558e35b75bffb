//! Who should play next.

use crate::costs::Costs;
use crate::league::{League, Match};
use crate::standings::Rated;
use statistics::choice::{Choice, connections};
use statistics::rating::Couple;

/// What is to be played next.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Next {
    /// The players, as numbers of the league.
    pub couple: Couple,
    /// Pairs to play on top of those that they have played.
    pub pairs: u64,
    /// Why.
    pub reason: Reason,
}

/// Why two players should play.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Reason {
    /// One of them cannot be compared with the others otherwise.
    Connects,
    /// It lowers the variance of the differences between players by this share.
    TellsMost(f64),
}

/// Chooses pairs for the players that can play.
#[derive(Clone, Debug)]
pub struct Schedule {
    /// Which players of the league can play: those that were named, not those that only the files know.
    pub playable: Vec<bool>,
    /// Pairs that are played at a time.
    pub block: u64,
    /// Most pairs of one couple; where starts run out, more would be copies.
    pub most_pairs: u64,
    /// What is not to be wasted.
    pub economy: Economy,
}

/// What pairs are chosen to make the most of.
#[derive(Clone, Debug)]
pub enum Economy {
    /// Pairs: those come next that tell most, whatever they cost.
    Pairs,
    /// Time: those come next that tell most for each second that they are expected to take.
    Time(Costs),
}

impl Economy {
    fn cost(&self, couple: Couple) -> f64 {
        match self {
            Economy::Pairs => 1.0,
            Economy::Time(costs) => costs.pair(couple),
        }
    }
}

impl Schedule {
    /// The next block, or `None` where every couple has all its pairs. `rated` are the league's ratings.
    ///
    /// Players who have not met the others come first, each against the nearest one before it in the
    /// league; then those whose pairs tell most ([`Choice`]) for what they cost.
    pub fn next(&self, league: &League, rated: Option<&Rated>) -> Option<Next> {
        let open = |couple: Couple| -> Option<u64> {
            let can = |player: usize| self.playable.get(player).copied().unwrap_or(false);
            let left = self.most_pairs.saturating_sub(played(league, couple));
            (can(couple.a) && can(couple.b) && left > 0).then(|| left.min(self.block))
        };
        let connecting = connections(&league.results(), |couple| open(couple).is_some());
        if let Some(&couple) = connecting.first() {
            return Some(Next { couple, pairs: open(couple)?, reason: Reason::Connects });
        }
        let Rated { ratings, players, .. } = rated?;
        let choice = Choice::new(ratings);
        let own = |couple: Couple| Couple::new(players[couple.a], players[couple.b]);
        let (couple, reduction) =
            choice.best(self.block, |couple| open(own(couple)).map(|_| self.economy.cost(own(couple))))?;
        let couple = own(couple);
        let share = reduction / choice.variance();
        Some(Next { couple, pairs: open(couple)?, reason: Reason::TellsMost(share) })
    }
}

/// Pairs that two players have played.
fn played(league: &League, couple: Couple) -> u64 {
    let theirs = |one: &&Match| Couple::new(one.players[0], one.players[1]) == couple;
    league.matches.iter().filter(theirs).map(|one| one.pairs.len() as u64).sum()
}
