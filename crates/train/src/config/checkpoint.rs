//! Section `[checkpoint]`: which checkpoints are written and kept.

use serde::{Deserialize, Serialize};

/// Which checkpoints are written and kept. The first one, of the untrained network, and the last one are
/// always there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CheckpointConfig {
    /// A checkpoint after every so many cycles, at least 1.
    pub every_cycles: u64,
    /// Which ones stay.
    pub keep: Keep,
}

/// Which checkpoints stay.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum Keep {
    /// All of them.
    All,
    /// The newest ones, and those whose cycle is a multiple of `milestone` (0: none).
    Recent {
        /// How many of the newest, at least 1.
        count: usize,
        /// Cycles from one that stays for good to the next.
        milestone: u64,
    },
}

impl Default for CheckpointConfig {
    fn default() -> CheckpointConfig {
        CheckpointConfig { every_cycles: 1, keep: Keep::Recent { count: 3, milestone: 10 } }
    }
}
