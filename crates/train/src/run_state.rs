//! Where a run stands: everything beside weights and optimiser that going on needs.

use crate::metrics::{Losses, PlayMetrics, TrainingMetrics};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;

/// Saved in a checkpoint's `state.json`. Random streams need no place here: each is named by the run's
/// seed and by numbers that follow from these.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct RunState {
    /// Complete cycles.
    pub cycle: u64,
    /// Training, or the evaluation after it, that was interrupted, of the cycle after the complete ones.
    pub training: Option<InterruptedTraining>,
    /// Minutes of work so far, where an older version kept them here. Now they stand in `clock.json`, since
    /// a checkpoint of a deterministic run is the same every time.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub minutes: Option<f64>,
    /// New samples of all complete cycles.
    pub positions: u64,
    /// Games of all complete cycles.
    pub games: u64,
    /// Samples that are owed to training: less than a batch, or saved up while the window was too small.
    pub owed_samples: f64,
    /// File of the games under way, below `games/`; `None` where there are none.
    pub unfinished: Option<String>,
    /// Cycle of the last evaluation.
    pub evaluated: Option<u64>,
    /// Cycle of the checkpoint whose network plays, where a gate holds back newer ones.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub playing: Option<u64>,
}

/// A cycle whose self-play is complete and whose training, or evaluation, was interrupted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct InterruptedTraining {
    /// What self-play did.
    pub play: PlayMetrics,
    /// Seconds of its phases so far.
    pub seconds: BTreeMap<String, f64>,
    /// Steps of the cycle.
    pub planned: u64,
    /// Those that are done.
    pub done: u64,
    /// Sums of their losses.
    pub losses: Losses,
    /// Learning rate of the last one.
    #[serde(default)]
    pub learning_rate: f64,
    /// Samples trained a second.
    #[serde(default)]
    pub positions_per_second: f64,
    /// Share of the run's limits that was used up when training began.
    pub share: f64,
}

impl InterruptedTraining {
    /// Means for the metrics; `None` where no step was to be done.
    pub fn metrics(&self) -> Option<TrainingMetrics> {
        (self.done > 0).then(|| TrainingMetrics {
            steps: self.done,
            learning_rate: self.learning_rate,
            losses: self.losses.divided(self.done),
            positions_per_second: self.positions_per_second,
        })
    }
}

impl RunState {
    /// The cycle under way.
    pub fn current_cycle(&self) -> u64 {
        self.cycle + 1
    }

    /// The counters of a checkpoint, for readers that know nothing of this type.
    pub fn counters(&self) -> BTreeMap<String, u64> {
        BTreeMap::from([
            ("cycles".to_owned(), self.cycle),
            ("games".to_owned(), self.games),
            ("positions".to_owned(), self.positions),
        ])
    }
}
