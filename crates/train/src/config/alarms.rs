//! Section `[alarms]`: from which values on a run warns its reader. `docs/alarms.md` describes every alarm.

use serde::{Deserialize, Serialize};

/// Thresholds of the alarms. A value out of reach turns an alarm off, for example `draw_share = 2`,
/// `policy_entropy = 0` or `score_against_first = 0`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AlarmsConfig {
    /// Games that a cycle must have before its shares and means are judged.
    pub least_games: u64,
    /// `draw-share`: share of drawn games, from which on.
    pub draw_share: f64,
    /// `truncated-share`: share of games that were cut off at their longest length, from which on.
    pub truncated_share: f64,
    /// `game-length`: how many times longer or shorter than before the median game is, in turns, from which
    /// on; before is the mean of the medians of the cycles in `length_cycles`.
    pub length_factor: f64,
    /// How many cycles before make the usual length; that many must have been judged first.
    pub length_cycles: usize,
    /// `repeated-games`: share of games that differ from one another, below which.
    pub distinct_share: f64,
    /// `policy-entropy`: mean entropy, in nats, of the policy targets of full searches, below which.
    pub policy_entropy: f64,
    /// `false-resignation`: share of the games played on that the side which would have given up did not
    /// lose, above which. Judged where at least `least_games` were played on.
    pub false_resignation: f64,
    /// `value-saturation`: mean size of the expected result, from 0 (even) to 1 (decided), from which on.
    pub value_size: f64,
    /// `inference-drift` and `training-drift`: mean distance, from 0 to 1, of the policies of the network as it
    /// plays (in bf16, or compiled) or trains (in bf16) from those of the same network run exactly, from which on.
    pub policy_difference: f64,
    /// The same for the expected results, from 0 to 2.
    pub value_difference: f64,
    /// `weaker-than-first`: upper end of the 95 % interval of the score against the run's untrained network
    /// (opponent `first` of the ladder), below which. Against other opponents of the ladder the alarm rings
    /// where that end lies below the lower end of the untrained network's interval.
    pub score_against_first: f64,
    /// `weaker-than-previous`: the same for the network of the evaluation before (opponent `previous`).
    pub score_against_previous: f64,
}

impl Default for AlarmsConfig {
    fn default() -> AlarmsConfig {
        AlarmsConfig {
            least_games: 20,
            draw_share: 0.8,
            truncated_share: 0.5,
            length_factor: 2.5,
            length_cycles: 3,
            distinct_share: 0.9,
            policy_entropy: 0.1,
            false_resignation: 0.05,
            value_size: 0.95,
            policy_difference: 0.05,
            value_difference: 0.05,
            score_against_first: 0.5,
            score_against_previous: 0.5,
        }
    }
}

impl AlarmsConfig {
    /// All faults, each with its key.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        for (key, found) in [
            ("draw_share", self.draw_share),
            ("truncated_share", self.truncated_share),
            ("distinct_share", self.distinct_share),
            ("policy_entropy", self.policy_entropy),
            ("value_size", self.value_size),
            ("false_resignation", self.false_resignation),
            ("policy_difference", self.policy_difference),
            ("value_difference", self.value_difference),
            ("score_against_first", self.score_against_first),
            ("score_against_previous", self.score_against_previous),
        ] {
            if !(found >= 0.0 && found.is_finite()) {
                faults.push(format!("{key} = {found} must be a number of at least 0"));
            }
        }
        if !(self.length_factor > 1.0 && self.length_factor.is_finite()) {
            faults.push(format!("length_factor = {} must be more than 1", self.length_factor));
        }
        if !(1..=1000).contains(&self.length_cycles) {
            faults.push(format!("length_cycles = {} must be 1 to 1000", self.length_cycles));
        }
        faults
    }
}
