//! Section `[cycle]`: one cycle of play and training.

use serde::{Deserialize, Serialize};

/// One cycle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CycleConfig {
    /// New samples (searched steps of finished games) that self-play makes before training. Games that
    /// are under way then go on in the next cycle.
    pub positions: u64,
    /// Worker threads of self-play; 0: one a core, or one alone in deterministic mode.
    pub workers: usize,
}

impl Default for CycleConfig {
    fn default() -> CycleConfig {
        CycleConfig { positions: 10_000, workers: 0 }
    }
}
