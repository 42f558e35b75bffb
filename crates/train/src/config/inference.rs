//! Section `[inference]`: how networks are run in play and evaluation.

use net::Precision;
use serde::{Deserialize, Serialize};

/// How networks are run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct InferenceConfig {
    /// Numbers of the network in self-play and in the ladder's matches: `auto` takes what is fastest on this
    /// machine.
    pub precision: Precision,
}
