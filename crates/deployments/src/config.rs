//! What a study does, stated before it begins.

use commander::deployment::Prior;
use game::Faults;
use serde::{Deserialize, Serialize};

/// A study's config: every key, with defaults that suit a raw policy or few simulations.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Config {
    /// All random streams come from it.
    pub seed: u64,
    /// Who plays and under which rules.
    pub agent: AgentConfig,
    /// Which set-ups are looked at.
    pub generate: GenerateConfig,
    /// How many of them values let through.
    pub screen: ScreenConfig,
    /// How many of those games let through.
    pub race: RaceConfig,
    /// The games between the survivors.
    pub matrix: MatrixConfig,
    /// The search for better replies.
    pub oracle: OracleConfig,
    /// The same ranking by other players.
    pub control: ControlConfig,
    /// When the study ends: whatever comes first.
    pub stop: StopConfig,
}

/// Who plays.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct AgentConfig {
    /// A run or checkpoint directory, or a built-in opponent such as `greedy`.
    pub player: String,
    /// A preset of the rules; those of the checkpoint, or else the default, where there is none.
    pub preset: Option<String>,
    /// Rule options over it, each `key=value`.
    pub options: Vec<String>,
    /// Random turns at the start of each game, so that games differ.
    pub opening_turns: u32,
}

impl Default for AgentConfig {
    fn default() -> AgentConfig {
        AgentConfig { player: "greedy".to_owned(), preset: None, options: Vec::new(), opening_turns: 2 }
    }
}

/// Which set-ups are looked at, beside the hand-made ones and those of a file.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GenerateConfig {
    /// Drawn uniformly.
    pub uniform: u32,
    /// Drawn by simple ideas.
    pub prior: u32,
    /// Changes, up to four each, of set-ups that are there already.
    pub mutations: u32,
    /// Whether the hand-made set-ups take part.
    pub named: bool,
    /// Set-ups, one a line, as in [`crate::named::read`]. Weights before them do not matter.
    pub file: Option<String>,
    /// The run of a learned policy, see [`crate::learned`].
    pub policy: Option<String>,
    /// Drawn from that policy.
    pub proposals: u32,
    /// The simple ideas.
    pub settings: Prior,
}

impl Default for GenerateConfig {
    fn default() -> GenerateConfig {
        GenerateConfig {
            uniform: 400,
            prior: 1200,
            mutations: 400,
            named: true,
            file: None,
            policy: None,
            proposals: 0,
            settings: Prior::default(),
        }
    }
}

/// Screening by the network's value; left out where the player has no network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ScreenConfig {
    /// Set-ups that every other one is judged against: the hand-made ones, and drawn ones up to this number.
    pub panel: u32,
    /// Set-ups that are kept, hand-made ones not counted.
    pub keep: u32,
    /// Of those kept, the share that comes from the archive, the best of each cell, so that different ideas stay.
    pub diverse: f64,
    /// Set-ups of all values that are played too, to see what values are worth; 0 for none.
    pub calibration: u32,
    /// Pairs that each of them plays.
    pub calibration_pairs: u32,
}

impl Default for ScreenConfig {
    fn default() -> ScreenConfig {
        ScreenConfig { panel: 16, keep: 48, diverse: 0.5, calibration: 24, calibration_pairs: 16 }
    }
}

/// Successive halving with paired games.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RaceConfig {
    /// Simulations of each rung; the better half goes on to the next one.
    pub simulations: Vec<u32>,
    /// Pairs that each set-up plays on the first rung; twice as many on each further one.
    pub pairs: u32,
    /// Set-ups that go on to the matrix, hand-made ones that are always kept not counted.
    pub keep: u32,
    /// Names of set-ups that go on however they do.
    pub always: Vec<String>,
}

impl Default for RaceConfig {
    fn default() -> RaceConfig {
        RaceConfig { simulations: vec![0, 0, 8], pairs: 8, keep: 10, always: vec!["standard".to_owned()] }
    }
}

/// The matrix of the survivors.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct MatrixConfig {
    /// Simulations a turn.
    pub simulations: u32,
    /// Pairs that every cell has at least.
    pub least_pairs: u32,
    /// Pairs between two looks.
    pub batch: u32,
    /// Pairs for the matrix of one round, the least ones included.
    pub pairs: u32,
}

impl Default for MatrixConfig {
    fn default() -> MatrixConfig {
        MatrixConfig { simulations: 8, least_pairs: 4, batch: 64, pairs: 1500 }
    }
}

/// The search for set-ups that do better against the mixture than it does itself.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OracleConfig {
    /// Replies tried a round: changes of the mixture's set-ups, the archive's best, fresh draws.
    pub candidates: u32,
    /// Of those, the ones that values let through to games; all where there is no network.
    pub games: u32,
    /// Pairs that each of them plays against the mixture on the first rung.
    pub pairs: u32,
    /// Pairs that the best one plays to confirm its gain.
    pub confirm: u32,
    /// Replies that the learned policy of `generate.policy` proposes a round, at most a quarter of those looked at.
    pub proposals: u32,
}

impl Default for OracleConfig {
    fn default() -> OracleConfig {
        OracleConfig { candidates: 600, games: 24, pairs: 12, confirm: 150, proposals: 0 }
    }
}

/// The ranking repeated by other players.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct ControlConfig {
    /// Built-in opponents and checkpoints.
    pub players: Vec<String>,
    /// Simulations of checkpoints among them.
    pub simulations: u32,
    /// Pairs of every set-up of the matrix for each of them.
    pub pairs: u32,
}

/// When a study ends.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct StopConfig {
    /// It ends when no reply that was tried gains more than this over ½...
    pub epsilon: f64,
    /// ... with this confidence.
    pub confidence: f64,
    /// Rounds of the oracle at most.
    pub rounds: u32,
    /// Pairs of games at most, all stages together.
    pub pairs: u64,
}

impl Default for StopConfig {
    fn default() -> StopConfig {
        StopConfig { epsilon: 0.03, confidence: 0.95, rounds: 4, pairs: 20_000 }
    }
}

impl Config {
    /// Checks that numbers are in their ranges.
    ///
    /// # Errors
    /// All faults, each with its key.
    pub fn check(&self) -> Result<(), Faults> {
        let mut faults = Faults::new();
        let mut least = |key: &str, found: u64, wanted: u64| {
            if found < wanted {
                faults.add(key, format!("found {found}, expected {wanted} or more"));
            }
        };
        least("screen.panel", self.screen.panel.into(), 1);
        least("screen.keep", self.screen.keep.into(), 1);
        least("race.pairs", self.race.pairs.into(), 1);
        least("race.keep", self.race.keep.into(), 2);
        least("race.simulations", self.race.simulations.len() as u64, 1);
        least("matrix.least_pairs", self.matrix.least_pairs.into(), 1);
        least("matrix.batch", self.matrix.batch.into(), 1);
        least("oracle.games", self.oracle.games.into(), 1);
        least("oracle.pairs", self.oracle.pairs.into(), 1);
        least("oracle.confirm", self.oracle.confirm.into(), 2);
        least("stop.pairs", self.stop.pairs, 1);
        if self.generate.policy.is_some() {
            let proposals = u64::from(self.generate.proposals) + u64::from(self.oracle.proposals);
            least("generate.proposals or oracle.proposals", proposals, 1);
        }
        if !self.control.players.is_empty() {
            least("control.pairs", self.control.pairs.into(), 1);
        }
        let mut most = |key: &str, found: u64, most: u64| {
            if found > most {
                faults.add(key, format!("found {found}, expected {most} or less"));
            }
        };
        // Set-ups and pairs are all in memory.
        for (key, found) in [
            ("generate.uniform", self.generate.uniform),
            ("generate.prior", self.generate.prior),
            ("generate.mutations", self.generate.mutations),
            ("screen.panel", self.screen.panel),
            ("screen.keep", self.screen.keep),
            ("screen.calibration", self.screen.calibration),
            ("screen.calibration_pairs", self.screen.calibration_pairs),
            ("race.pairs", self.race.pairs),
            ("race.keep", self.race.keep),
            ("matrix.least_pairs", self.matrix.least_pairs),
            ("matrix.batch", self.matrix.batch),
            ("generate.proposals", self.generate.proposals),
            ("oracle.candidates", self.oracle.candidates),
            ("oracle.proposals", self.oracle.proposals),
            ("oracle.games", self.oracle.games),
            ("oracle.pairs", self.oracle.pairs),
            ("oracle.confirm", self.oracle.confirm),
            ("control.pairs", self.control.pairs),
            ("agent.opening_turns", self.agent.opening_turns),
        ] {
            most(key, found.into(), 1_000_000);
        }
        most("matrix.pairs", self.matrix.pairs.into(), 100_000_000);
        most("stop.pairs", self.stop.pairs, 100_000_000);
        most("stop.rounds", self.stop.rounds.into(), 1_000);
        most("race.simulations", self.race.simulations.len() as u64, 16);
        let searches =
            self.race.simulations.iter().chain([&self.matrix.simulations, &self.control.simulations]);
        most("simulations", searches.copied().max().unwrap_or_default().into(), 10_000_000);
        let mut between = |key: &str, found: f64, low: f64, high: f64| {
            if !(low..=high).contains(&found) {
                faults.add(key, format!("found {found}, expected {low} to {high}"));
            }
        };
        between("stop.epsilon", self.stop.epsilon, 0.001, 0.5);
        between("stop.confidence", self.stop.confidence, 0.5, 0.999);
        between("screen.diverse", self.screen.diverse, 0.0, 1.0);
        for (key, number) in
            [("generate.proposals", self.generate.proposals), ("oracle.proposals", self.oracle.proposals)]
        {
            if number > 0 && self.generate.policy.is_none() {
                faults
                    .add(key, format!("found {number} and no generate.policy, expected the run of a policy"));
            }
        }
        if let Err(more) = self.generate.settings.check() {
            for fault in more.0 {
                faults.add(format!("generate.settings.{}", fault.place), fault.message);
            }
        }
        faults.into_result(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn defaults_are_right_and_faults_are_all_named() {
        Config::default().check().unwrap();
        let mut config = Config::default();
        config.race.keep = 1;
        config.stop.epsilon = 0.0;
        config.control.players = vec!["greedy".to_owned()];
        config.oracle.proposals = 8;
        let told: Vec<String> = config.check().unwrap_err().0.iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "race.keep: found 1, expected 2 or more",
                "control.pairs: found 0, expected 1 or more",
                "stop.epsilon: found 0, expected 0.001 to 0.5",
                "oracle.proposals: found 8 and no generate.policy, expected the run of a policy",
            ]
        );
        config = Config::default();
        config.generate.uniform = u32::MAX;
        config.race.simulations = vec![u32::MAX; 17];
        config.stop.rounds = 1_001;
        assert_eq!(config.check().unwrap_err().0.len(), 4);
        let unknown = toml::from_str::<Config>("[race]\nkept = 3\n").unwrap_err().to_string();
        assert!(unknown.contains("kept"), "{unknown}");
    }
}
