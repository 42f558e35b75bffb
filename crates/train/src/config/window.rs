//! Section `[window]`: the replay window.

use selfplay::WindowSize;
use serde::{Deserialize, Serialize};

/// The replay window.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WindowConfig {
    /// How many samples it holds.
    pub size: WindowSize,
    /// Samples that must be in it before training begins.
    pub least_samples: u64,
}

impl Default for WindowConfig {
    fn default() -> WindowConfig {
        WindowConfig { size: WindowSize::default(), least_samples: 5_000 }
    }
}
