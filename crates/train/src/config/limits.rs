//! Section `[limits]`: when a run is over.

use serde::{Deserialize, Serialize};

/// When a run is over: at the first limit that is reached. The numbers count from the run's very
/// beginning, however often it was interrupted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LimitsConfig {
    /// Cycles; 0: no limit.
    pub cycles: u64,
    /// Minutes of work by the clock; 0: no limit. A cycle that has begun is finished.
    pub minutes: f64,
    /// Minutes of processor time, of all threads together; 0: no limit. Two threads that are busy use up two in a
    /// minute, and what other programs take from them does not count: for runs that are compared.
    pub processor_minutes: f64,
}

impl LimitsConfig {
    /// The limits of time, each with its key.
    pub(super) fn times(&self) -> [(&'static str, f64); 2] {
        [("limits.minutes", self.minutes), ("limits.processor_minutes", self.processor_minutes)]
    }
}
