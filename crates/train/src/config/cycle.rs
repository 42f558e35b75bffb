//! Section `[cycle]`: one cycle of play and training.

use serde::{Deserialize, Serialize};
use statistics::sequential::{Hypotheses, Scale};

/// One cycle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CycleConfig {
    /// New samples (searched steps of finished games) that self-play makes before training. Games that
    /// are under way then go on in the next cycle.
    pub positions: u64,
    /// Worker threads of self-play; 0: one a core, or one alone in deterministic mode.
    pub workers: usize,
    /// Whether a network must win a match before it plays in self-play.
    pub gate: Gate,
}

impl Default for CycleConfig {
    fn default() -> CycleConfig {
        CycleConfig { positions: 10_000, workers: 0, gate: Gate::Open }
    }
}

/// Whether the newest network plays in self-play at once.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum Gate {
    /// At once (AlphaZero).
    Open,
    /// When a sequential test against the network that plays says that it is stronger (AlphaGo Zero's gate,
    /// which asked for 55 % of 400 games).
    SequentialTest(SequentialGate),
}

/// A match between the newest network and the one that plays. Where it says that the newest is stronger, that
/// one takes over; otherwise the other one goes on playing, and training goes on from the newest weights all the
/// same.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SequentialGate {
    /// The match is played after every so many cycles, at least 1.
    pub every_cycles: u64,
    /// Simulations a turn of both; 0: raw policy.
    pub simulations: u32,
    /// Uniformly random legal turns at the beginning of each pair of games.
    pub opening_turns: u32,
    /// H0: the newest network is this much stronger, in Elo of expected scores.
    pub elo0: f64,
    /// H1: it is this much stronger; accepted, it takes over.
    pub elo1: f64,
    /// Probability that it takes over where H0 is true.
    pub alpha: f64,
    /// Probability that it does not where H1 is true and the pairs suffice.
    pub beta: f64,
    /// Pairs of games after which an undecided test ends, and nothing changes.
    pub most_pairs: u32,
}

impl Default for SequentialGate {
    fn default() -> SequentialGate {
        SequentialGate {
            every_cycles: 1,
            simulations: 16,
            opening_turns: 6,
            elo0: 0.0,
            elo1: 50.0,
            alpha: 0.1,
            beta: 0.1,
            most_pairs: 100,
        }
    }
}

impl SequentialGate {
    /// What is decided between.
    pub const fn hypotheses(&self) -> Hypotheses {
        let SequentialGate { elo0, elo1, alpha, beta, .. } = *self;
        Hypotheses { scale: Scale::Elo, elo0, elo1, alpha, beta }
    }

    /// Values out of range, each beginning with its key.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = self.hypotheses().check().map_or_else(|error| error.0, |()| Vec::new());
        for (name, found, low, high) in [
            ("every_cycles", self.every_cycles, 1, 1_000_000_000),
            ("simulations", self.simulations.into(), 0, 1_000_000),
            ("opening_turns", self.opening_turns.into(), 0, 100),
            ("most_pairs", self.most_pairs.into(), 2, 1_000_000),
        ] {
            if !(low..=high).contains(&found) {
                faults.push(format!("{name}: found {found}; it must be {low} to {high}"));
            }
        }
        faults
    }
}
