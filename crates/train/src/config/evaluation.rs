//! Section `[evaluation]`: the fixed ladder.

use serde::{Deserialize, Serialize};

/// The fixed ladder: short matches that show whether the agent learns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EvaluationConfig {
    /// Evaluation before the first cycle and after every so many cycles; 0: never.
    pub every_cycles: u64,
    /// Uniformly random legal turns at the beginning of each pair of games.
    pub opening_turns: u32,
    /// The opponents.
    pub ladder: Vec<LadderConfig>,
}

impl Default for EvaluationConfig {
    fn default() -> EvaluationConfig {
        let rung = |opponent: &str| LadderConfig { opponent: opponent.to_owned(), ..LadderConfig::default() };
        EvaluationConfig { every_cycles: 5, opening_turns: 6, ladder: vec![rung("random"), rung("greedy")] }
    }
}

/// One opponent of the ladder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LadderConfig {
    /// `random`, `greedy`, `rollouts:N`, `alphabeta:D`, `first` (the untrained network of this run) or
    /// `previous` (its network of the evaluation before).
    pub opponent: String,
    /// Pairs of games from one start with colours swapped.
    pub pairs: u32,
    /// Simulations a turn of the network, and of the opponent where it is one. 0: raw policy.
    pub simulations: u32,
}

impl Default for LadderConfig {
    fn default() -> LadderConfig {
        LadderConfig { opponent: "random".to_owned(), pairs: 10, simulations: 16 }
    }
}
