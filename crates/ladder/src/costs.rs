//! What pairs cost in time, also those that have not been played.

use crate::league::{League, Match};
use crate::times::Times;
use pairs::{Budget, PlayerHeader};
use statistics::rating::Couple;
use std::collections::HashMap;

/// Turns of a game of which none like it has been played.
const USUAL_TURNS: f64 = 60.0;

/// How many turns of its own weigh as much as what is expected of a player.
const PRIOR_TURNS: f64 = 10.0;

/// Rounds of expectation and maximisation. They are cheap, and a few dozen settle all digits that matter.
const ROUNDS: usize = 50;

/// Expected seconds of a pair, in seconds of a thread.
///
/// A player is taken to need some time for a turn, whoever it plays, and a pair to take what the turns of
/// its two games need. What pairs took is shared out between their two players in proportion to what the
/// players are thought to need, what a player needs follows from its shares, and so on: expectation and
/// maximisation for a sum of which only the total is seen (Dempster, Laird and Rubin, "Maximum likelihood
/// from incomplete data via the EM algorithm", JRSS B 39, 1977). A player of whom nothing has been timed
/// needs as much for a simulation, a node or a step as the others of its kind. Players with a budget of
/// time need that.
#[derive(Clone, Debug)]
pub struct Costs {
    /// Seconds a turn, by player.
    turn: Vec<f64>,
    /// Turns of a pair after its openings, by couple.
    turns: HashMap<Couple, f64>,
    /// The same of a couple that has not met.
    usual_turns: f64,
}

/// What a player's time is spent on.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    /// Simulations of a search with a network.
    Simulation,
    /// Nodes of an engine.
    Node,
    /// Playouts or positions of a built-in opponent.
    BuiltIn,
    /// Seconds, of which it is known how long they are.
    Second,
}

impl Unit {
    /// All units in the order of their numbers.
    const ALL: [Unit; 4] = [Unit::Simulation, Unit::Node, Unit::BuiltIn, Unit::Second];

    /// Seconds, before anything has been timed.
    const fn guess(self) -> f64 {
        match self {
            Unit::Simulation => 1e-3,
            Unit::Node => 2e-6,
            Unit::BuiltIn => 1e-4,
            Unit::Second => 1.0,
        }
    }
}

/// How many units of what a player spends on a turn.
fn effort(player: &PlayerHeader) -> (Unit, f64) {
    match player.budget {
        // The position itself is judged too.
        Budget::Simulations(simulations) => (Unit::Simulation, f64::from(simulations) + 1.0),
        Budget::Nodes(nodes) => (Unit::Node, nodes as f64),
        Budget::Time { milliseconds, .. } => (Unit::Second, milliseconds as f64 / 1_000.0),
        // `rollouts:100` has its number behind the colon; of others nothing is known.
        Budget::Own => {
            let number = player.identity.split_once(':').and_then(|(_, number)| number.parse().ok());
            (Unit::BuiltIn, f64::max(number.unwrap_or(1.0), 1.0))
        }
    }
}

/// Pairs of two players that were timed.
struct Timed {
    players: [usize; 2],
    /// Turns of each player in them.
    turns: f64,
    seconds: f64,
}

impl Costs {
    /// What is known from the pairs of a league and what they took.
    pub fn new(league: &League, times: &Times) -> Costs {
        let mut turns = HashMap::new();
        let (mut all_turns, mut all_pairs) = (0.0, 0.0);
        let mut timed = Vec::new();
        for one in league.matches.iter().filter(|one| !one.pairs.is_empty()) {
            let pairs = one.pairs.len() as f64;
            let a_pair = played_turns(one) / pairs;
            all_turns += a_pair * pairs;
            all_pairs += pairs;
            turns.insert(Couple::new(one.players[0], one.players[1]), a_pair);
            if let Some(found) = times.of(one) {
                let turns = found.pairs as f64 * a_pair / 2.0;
                timed.push(Timed { players: one.players, turns, seconds: found.seconds });
            }
        }
        let usual_turns = if all_pairs > 0.0 { all_turns / all_pairs } else { 2.0 * USUAL_TURNS };
        Costs { turn: seconds_a_turn(&league.players, &timed), turns, usual_turns }
    }

    /// Expected seconds of a pair.
    pub fn pair(&self, couple: Couple) -> f64 {
        let turns = self.turns.get(&couple).copied().unwrap_or(self.usual_turns).max(1.0);
        turns / 2.0 * (self.turn(couple.a) + self.turn(couple.b))
    }

    /// Expected seconds of a player's turn.
    pub fn turn(&self, player: usize) -> f64 {
        self.turn.get(player).copied().unwrap_or(Unit::BuiltIn.guess())
    }
}

/// Turns of both sides after the openings.
fn played_turns(one: &Match) -> f64 {
    let games = one.pairs.iter().flat_map(|pair| &pair.games);
    games.map(|game| game.turns.len().saturating_sub(game.opening_turns) as f64).sum()
}

/// See [`Costs`].
fn seconds_a_turn(players: &[PlayerHeader], timed: &[Timed]) -> Vec<f64> {
    let efforts: Vec<(Unit, f64)> = players.iter().map(effort).collect();
    let mut units = Unit::ALL.map(Unit::guess);
    let mut turn: Vec<f64> = efforts.iter().map(|&(unit, amount)| amount * units[unit as usize]).collect();
    for _ in 0..ROUNDS {
        let (mut shares, mut turns) = (vec![0.0; players.len()], vec![0.0; players.len()]);
        for Timed { players, turns: each, seconds } in timed {
            let sum: f64 = players.iter().map(|&player| turn[player]).sum();
            for &player in players {
                shares[player] += seconds * turn[player] / sum.max(f64::MIN_POSITIVE);
                turns[player] += each;
            }
        }
        for unit in Unit::ALL.into_iter().filter(|&unit| unit != Unit::Second) {
            let (mut seconds, mut amount) = (0.0, 0.0);
            for (player, _) in efforts.iter().enumerate().filter(|(_, effort)| effort.0 == unit) {
                seconds += shares[player];
                amount += turns[player] * efforts[player].1;
            }
            if amount > 0.0 {
                units[unit as usize] = seconds / amount;
            }
        }
        for (player, &(unit, amount)) in efforts.iter().enumerate() {
            let expected = amount * units[unit as usize];
            turn[player] = match unit {
                Unit::Second => expected,
                _ => (PRIOR_TURNS * expected + shares[player]) / (PRIOR_TURNS + turns[player]),
            };
        }
    }
    turn
}

#[cfg(test)]
mod tests {
    use super::*;
    use pairs::{Clock, PlayerKind};
    use serde_json::Value;

    fn player(identity: &str, budget: Budget) -> PlayerHeader {
        let (name, identity) = (identity.to_owned(), identity.to_owned());
        PlayerHeader { name, kind: PlayerKind::BuiltIn, identity, budget, settings: Value::Null }
    }

    /// Everybody against everybody but the last one, who plays nobody; times of so many seconds a turn.
    fn timed(seconds: &[f64]) -> Vec<Timed> {
        Couple::all(seconds.len())
            .map(|Couple { a, b }| {
                let turns = 300.0 + 10.0 * a as f64;
                Timed { players: [a, b], turns, seconds: turns * (seconds[a] + seconds[b]) }
            })
            .collect()
    }

    #[test]
    fn times_of_pairs_are_shared_out_between_players() {
        let players = [
            player("random", Budget::Own),
            player("rollouts:40", Budget::Own),
            player("one", Budget::Simulations(63)),
            player("two", Budget::Simulations(63)),
            player("three", Budget::Simulations(127)),
        ];
        let truth = [1e-5, 2e-2, 0.3, 0.5];
        let found = seconds_a_turn(&players, &timed(&truth));
        for (found, truth) in found.iter().zip(truth).skip(1) {
            assert!((found / truth - 1.0).abs() < 0.1, "{found} {truth}");
        }
        // Nobody knows better of somebody who takes next to nothing beside the others.
        assert!(found[0] < 1e-2, "{found:?}");
        // The one who has not played: twice the simulations of the other two.
        assert!((found[4] / 0.8 - 1.0).abs() < 0.1, "{found:?}");
    }

    #[test]
    fn before_anything_is_timed_budgets_say_what_turns_cost() {
        let time = Budget::Time { milliseconds: 500, clock: Clock::Wall };
        let players = [
            player("random", Budget::Own),
            player("rollouts:1000", Budget::Own),
            player("a", Budget::Simulations(64)),
            player("b", Budget::Simulations(640)),
            player("c", time),
        ];
        let found = seconds_a_turn(&players, &[]);
        assert!(found[0] < found[1] && found[2] < found[3]);
        assert_eq!(found[4], 0.5);
        // A budget of time stays what it is, whatever the others took.
        let pairs = Timed { players: [3, 4], turns: 100.0, seconds: 250.0 };
        let found = seconds_a_turn(&players, &[pairs]);
        assert_eq!(found[4], 0.5);
        assert!((found[3] - 2.0).abs() < 0.3, "{found:?}");
    }
}
