//! What a deployment policy is taught, stated before it begins.

use crate::config::{AgentConfig, OracleConfig};
use commander::deployment::Prior;
use game::Faults;
use serde::{Deserialize, Serialize};

/// The config of a training: every key, with defaults.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LearnConfig {
    /// All random streams come from it.
    pub seed: u64,
    /// Steps of learning.
    pub updates: u64,
    /// Whose values are the reward, who plays where games are, and under which rules.
    pub agent: AgentConfig,
    /// Size of the policy's network.
    pub network: NetworkConfig,
    /// How it is changed.
    pub optimizer: OptimizerConfig,
    /// What one step learns from.
    pub batch: BatchConfig,
    /// Whom it meets.
    pub opponents: OpponentsConfig,
    /// What keeps it mixed.
    pub regulariser: RegulariserConfig,
    /// Games instead of values.
    pub games: GamesConfig,
    /// What a reply gains against it, by values, while it learns.
    pub estimate: EstimateConfig,
    /// The search for a reply by games when it has learned; the same keys as a study's.
    pub oracle: OracleConfig,
}

impl Default for LearnConfig {
    fn default() -> LearnConfig {
        LearnConfig {
            seed: 0,
            updates: 1000,
            agent: AgentConfig::default(),
            network: NetworkConfig::default(),
            optimizer: OptimizerConfig::default(),
            batch: BatchConfig::default(),
            opponents: OpponentsConfig::default(),
            regulariser: RegulariserConfig::default(),
            games: GamesConfig::default(),
            estimate: EstimateConfig::default(),
            oracle: OracleConfig::default(),
        }
    }
}

/// Size of the policy's network.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct NetworkConfig {
    /// Residual blocks.
    pub blocks: u32,
    /// Channels.
    pub channels: u32,
}

impl Default for NetworkConfig {
    fn default() -> NetworkConfig {
        NetworkConfig { blocks: 2, channels: 32 }
    }
}

/// AdamW.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OptimizerConfig {
    /// Length of a step.
    pub learning_rate: f64,
    /// Weight decay.
    pub weight_decay: f64,
    /// Largest Euclidean norm of the gradient; 0 for no limit.
    pub clip_norm: f64,
}

impl Default for OptimizerConfig {
    fn default() -> OptimizerConfig {
        OptimizerConfig { learning_rate: 0.001, weight_decay: 0.0001, clip_norm: 1.0 }
    }
}

/// What one step learns from.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct BatchConfig {
    /// Pairs of set-ups. Where the policy meets itself it learns from both sides.
    pub pairs: u32,
}

impl Default for BatchConfig {
    fn default() -> BatchConfig {
        BatchConfig { pairs: 64 }
    }
}

/// Whom the policy meets. The shares are relative to each other.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct OpponentsConfig {
    /// Itself as it is.
    pub current: f64,
    /// Itself as it was, each of the pool equally likely; itself as it is while the pool is empty.
    pub past: f64,
    /// The sampler of the regulariser.
    pub sampler: f64,
    /// Past policies that are kept.
    pub pool: u32,
    /// Updates between two policies that are offered to the pool, and between two checkpoints.
    pub every: u64,
}

impl Default for OpponentsConfig {
    fn default() -> OpponentsConfig {
        OpponentsConfig { current: 0.4, past: 0.5, sampler: 0.1, pool: 16, every: 25 }
    }
}

/// The sampler that the policy is kept near.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Towards {
    /// Every legal set-up equally likely.
    Uniform,
    /// Simple ideas of where pieces belong.
    Prior,
}

/// What keeps the policy mixed.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct RegulariserConfig {
    /// What a nat of divergence from the sampler costs, in scores.
    pub weight: f64,
    /// Which sampler.
    pub towards: Towards,
    /// The simple ideas.
    pub settings: Prior,
}

impl Default for RegulariserConfig {
    fn default() -> RegulariserConfig {
        RegulariserConfig { weight: 0.005, towards: Towards::Prior, settings: Prior::default() }
    }
}

/// Games instead of values.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GamesConfig {
    /// Share of the pairs of set-ups that play a pair of games; the others are judged by value.
    pub share: f64,
    /// Simulations a turn, here and where a reply is confirmed.
    pub simulations: u32,
}

/// What a reply gains, by values.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EstimateConfig {
    /// Updates between two estimates; 0 for none.
    pub every: u64,
    /// Set-ups of the policy that replies are looked for against.
    pub set_ups: u32,
    /// Replies that are looked at.
    pub candidates: u32,
    /// Fresh set-ups of the policy that the best reply meets.
    pub confirm: u32,
    /// Set-ups of the policy that stand for it when it has learned: replies by games meet them, heat maps show them.
    pub mixture: u32,
    /// Confidence of bounds.
    pub confidence: f64,
}

impl Default for EstimateConfig {
    fn default() -> EstimateConfig {
        EstimateConfig {
            every: 50,
            set_ups: 16,
            candidates: 120,
            confirm: 128,
            mixture: 400,
            confidence: 0.95,
        }
    }
}

impl LearnConfig {
    /// Checks that numbers are in their ranges.
    ///
    /// # Errors
    /// All faults, each with its key.
    pub fn check(&self) -> Result<(), Faults> {
        let mut faults = Faults::new();
        let mut between = |key: &str, found: f64, low: f64, high: f64| {
            if !(low..=high).contains(&found) {
                faults.add(key, format!("found {found}, expected {low} to {high}"));
            }
        };
        between("network.blocks", self.network.blocks.into(), 1.0, 64.0);
        between("network.channels", self.network.channels.into(), 4.0, 1024.0);
        between("optimizer.learning_rate", self.optimizer.learning_rate, 1e-7, 1.0);
        between("optimizer.weight_decay", self.optimizer.weight_decay, 0.0, 1.0);
        between("optimizer.clip_norm", self.optimizer.clip_norm, 0.0, 1e6);
        between("batch.pairs", self.batch.pairs.into(), 2.0, 65_536.0);
        between("opponents.current", self.opponents.current, 0.0, 1e6);
        between("opponents.past", self.opponents.past, 0.0, 1e6);
        between("opponents.sampler", self.opponents.sampler, 0.0, 1e6);
        between("opponents.pool", self.opponents.pool.into(), 0.0, 1024.0);
        between("regulariser.weight", self.regulariser.weight, 0.0, 1.0);
        between("games.share", self.games.share, 0.0, 1.0);
        between("estimate.confidence", self.estimate.confidence, 0.5, 0.999);
        let mut least = |key: &str, found: u64, wanted: u64| {
            if found < wanted {
                faults.add(key, format!("found {found}, expected {wanted} or more"));
            }
        };
        least("updates", self.updates, 1);
        least("opponents.every", self.opponents.every, 1);
        least("estimate.set_ups", self.estimate.set_ups.into(), 1);
        least("estimate.candidates", self.estimate.candidates.into(), 1);
        least("estimate.confirm", self.estimate.confirm.into(), 2);
        least("estimate.mixture", self.estimate.mixture.into(), 2);
        least("oracle.games", self.oracle.games.into(), 1);
        least("oracle.pairs", self.oracle.pairs.into(), 1);
        least("oracle.confirm", self.oracle.confirm.into(), 2);
        let OpponentsConfig { current, past, sampler, .. } = self.opponents;
        if current + past + sampler <= 0.0 {
            faults.add("opponents", "found shares of 0 alone, expected one above 0");
        }
        if self.oracle.proposals > 0 {
            faults.add(
                "oracle.proposals",
                "is for studies: here replies are made from the policy's own set-ups",
            );
        }
        let settings = &self.regulariser.settings;
        for (key, number) in [
            ("commander_in_headquarters", settings.commander_in_headquarters),
            ("other_stacks", settings.other_stacks),
        ] {
            if number == 0 && self.regulariser.towards == Towards::Prior {
                let message = "found 0, expected 1 or more: what the sampler never draws would be infinitely far from it";
                faults.add(format!("regulariser.settings.{key}"), message);
            }
        }
        if let Err(more) = settings.check() {
            for fault in more.0 {
                faults.add(format!("regulariser.settings.{}", fault.place), fault.message);
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
        LearnConfig::default().check().unwrap();
        let text = "updates = 0\n[opponents]\ncurrent = 0\npast = 0\nsampler = 0\n[games]\nshare = 1.5\n\
                    [oracle]\nproposals = 3\n[regulariser.settings.tank]\ncompany = 0\n";
        let config: LearnConfig = toml::from_str(text).unwrap();
        let told: Vec<String> = config.check().unwrap_err().0.iter().map(ToString::to_string).collect();
        assert_eq!(
            told,
            [
                "games.share: found 1.5, expected 0 to 1",
                "updates: found 0, expected 1 or more",
                "opponents: found shares of 0 alone, expected one above 0",
                "oracle.proposals: is for studies: here replies are made from the policy's own set-ups",
                "regulariser.settings.tank.company: found 0, expected 0.001 to 1000",
            ]
        );
        let unknown = toml::from_str::<LearnConfig>("[batch]\npair = 3\n").unwrap_err().to_string();
        assert!(unknown.contains("pair"), "{unknown}");
    }
}
