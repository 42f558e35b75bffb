//! Where a run stands: everything beside weights and optimiser that going on needs.

use crate::metrics::{Losses, PlayMetrics, TrainingMetrics};
use selfplay::Difference;
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

/// No counter of a run comes near this.
const MOST: u64 = 1 << 48;

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
    /// How far its passes in bf16 are from those in 32-bit numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precision_difference: Option<Difference>,
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
            precision_difference: self.precision_difference,
        })
    }
}

impl RunState {
    /// What is wrong with a state that was read, if anything is: whatever its file says, nothing outside the
    /// run is read or written by it, and no work is done that nobody planned.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        let is_name = |name: &str| {
            let digits = name.strip_suffix("-training").unwrap_or(name);
            (6..=20).contains(&digits.len()) && digits.bytes().all(|byte| byte.is_ascii_digit())
        };
        if let Some(name) = self.unfinished.as_deref().filter(|name| !is_name(name)) {
            faults.push(format!("unfinished is {name:?}, no name of saved games"));
        }
        let mut most = |key: &str, found: u64| {
            if found > MOST {
                faults.push(format!("{key} is {found}, more than {MOST}"));
            }
        };
        most("cycle", self.cycle);
        most("positions", self.positions);
        most("games", self.games);
        most("evaluated", self.evaluated.unwrap_or_default());
        most("playing", self.playing.unwrap_or_default());
        let mut amount = |key: &str, found: f64, most: f64| {
            if !(0.0..=most).contains(&found) {
                faults.push(format!("{key} is {found}, not 0 to {most}"));
            }
        };
        amount("owed_samples", self.owed_samples, MOST as f64);
        amount("minutes", self.minutes.unwrap_or_default(), MOST as f64);
        if let Some(work) = &self.training {
            amount("training.share", work.share, 1.0);
            if work.done > work.planned || work.planned > MOST {
                faults.push(format!("training.done is {} of {} planned steps", work.done, work.planned));
            }
        }
        faults
    }

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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn states_that_lead_elsewhere_are_refused() {
        let good = RunState { unfinished: Some("000012-training".to_owned()), ..RunState::default() };
        assert_eq!(good.faults(), [""; 0]);
        for name in
            ["../../elsewhere", "/etc/passwd", "", "00001", "000012/x", "000012-training/../x", "00001２"]
        {
            let state = RunState { unfinished: Some(name.to_owned()), ..RunState::default() };
            assert_eq!(state.faults().len(), 1, "{name}");
        }
        let work =
            InterruptedTraining { planned: 3, done: 4, share: f64::NAN, ..InterruptedTraining::default() };
        let state =
            RunState { cycle: u64::MAX, owed_samples: -1.0, training: Some(work), ..RunState::default() };
        assert_eq!(state.faults().len(), 4, "{:?}", state.faults());
    }
}
