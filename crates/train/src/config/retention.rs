//! Section `[retention]`: which finished games stay.

use selfplay::Retention;
use serde::{Deserialize, Serialize};

/// What stays of a run's games.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RetentionConfig {
    /// Which shards of finished games stay after a checkpoint: `"all"`, `"window"` (those that the replay
    /// window reads) or `{ cycles = N }` (those, and the games of the newest N cycles).
    pub games: Retention,
}
