//! What `study openings` is told.

use game::Faults;
use serde::{Deserialize, Serialize};

/// A config of `study openings`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OpeningsConfig {
    /// The game.
    pub game: String,
    /// Run or checkpoint directories. The first one's play makes the tree; the others are asked about it, in this
    /// order, such as checkpoints of a run from the first to the last.
    pub checkpoints: Vec<String>,
    /// Simulations a step; 0 asks for the raw policy.
    pub simulations: u32,
    /// Where games begin: named starts of the game, `NAME` or `NAME:SEED` (`rules starts GAME` lists them).
    pub starts: Vec<String>,
    /// Steps that the tree is deep.
    pub steps: u32,
    /// A position is looked at where the agent gets there with at least this probability.
    pub least_share: f64,
    /// Games from every position at which the tree ends; 0 for none.
    pub games: u32,
    /// Random turns at the start of each of them, so that they differ.
    pub opening_turns: u32,
    /// Of all chance.
    pub seed: u64,
}

impl Default for OpeningsConfig {
    fn default() -> OpeningsConfig {
        OpeningsConfig {
            game: "commander".to_owned(),
            checkpoints: Vec::new(),
            simulations: 32,
            starts: vec!["standard".to_owned()],
            steps: 6,
            least_share: 0.02,
            games: 8,
            opening_turns: 1,
            seed: 1,
        }
    }
}

impl OpeningsConfig {
    /// Checks that numbers are in their ranges.
    ///
    /// # Errors
    /// All faults, each with its key.
    pub fn check(&self) -> Result<(), Faults> {
        let mut faults = Faults::new();
        if self.checkpoints.is_empty() {
            faults.add("checkpoints", "found none, expected at least one run or checkpoint directory");
        }
        if self.starts.is_empty() {
            faults.add("starts", "found none, expected at least one, such as \"standard\"");
        }
        if !(1..=64).contains(&self.steps) {
            faults.add("steps", format!("found {}, expected 1 to 64", self.steps));
        }
        if !(0.0001..=1.0).contains(&self.least_share) {
            faults.add("least_share", format!("found {}, expected 0.0001 to 1", self.least_share));
        }
        faults.into_result(())
    }
}
