//! Everything that can be chosen about a training run: one TOML file.
//!
//! Each section has a file of its own; `ranges.rs` says which values are out of range, `changes.rs` which keys a
//! resumed run may change.

mod alarms;
mod changes;
mod checkpoint;
mod cycle;
mod deterministic;
mod evaluation;
mod game;
mod inference;
mod limits;
mod overrides;
mod ranges;
mod retention;
mod teacher;
mod training;
mod window;

pub use alarms::AlarmsConfig;
pub use changes::{Changes, FIXED_KEYS};
pub use checkpoint::{CheckpointConfig, Keep};
pub use cycle::{CycleConfig, Gate, SequentialGate};
pub use evaluation::{EvaluationConfig, LadderConfig};
pub use game::GameConfig;
pub use inference::InferenceConfig;
pub use limits::LimitsConfig;
pub use retention::RetentionConfig;
pub use teacher::TeacherConfig;
pub use training::TrainingConfig;
pub use window::WindowConfig;

use crate::config_check::{self, ConfigFault};
use net::NetConfig;
use overrides::set;
use search::SearchConfig;
use selfplay::SelfPlayConfig;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::Path;
use toml::Table;

/// A training run. The defaults of all sections are the [`Default`] of their types; a config names only
/// what differs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TrainConfig {
    /// Seed of everything random, below 2⁶³.
    pub seed: u64,
    /// Whether the run is to come out the same to the bit every time, however often it is interrupted: one
    /// worker, one training thread, calls of one shape. `docs/determinism.md` says what is promised.
    pub deterministic: bool,
    /// What is played.
    pub game: GameConfig,
    /// When the run is over.
    pub limits: LimitsConfig,
    /// The network.
    pub net: NetConfig,
    /// How networks are run.
    pub inference: InferenceConfig,
    /// The search.
    pub search: SearchConfig,
    /// Who plays before the network does.
    pub teacher: TeacherConfig,
    /// Self-play.
    pub selfplay: SelfPlayConfig,
    /// The replay window.
    pub window: WindowConfig,
    /// Optimisation.
    pub training: TrainingConfig,
    /// One cycle of play, training, publishing and evaluation.
    pub cycle: CycleConfig,
    /// The fixed ladder.
    pub evaluation: EvaluationConfig,
    /// Checkpoints.
    pub checkpoint: CheckpointConfig,
    /// Which finished games stay.
    pub retention: RetentionConfig,
    /// From which values on a run warns its reader.
    pub alarms: AlarmsConfig,
}

impl Default for TrainConfig {
    fn default() -> TrainConfig {
        TrainConfig {
            seed: 1,
            deterministic: false,
            game: GameConfig::default(),
            limits: LimitsConfig::default(),
            net: NetConfig::default(),
            inference: InferenceConfig::default(),
            search: SearchConfig::default(),
            teacher: TeacherConfig::default(),
            selfplay: SelfPlayConfig::default(),
            window: WindowConfig::default(),
            training: TrainingConfig::default(),
            cycle: CycleConfig::default(),
            evaluation: EvaluationConfig::default(),
            checkpoint: CheckpointConfig::default(),
            retention: RetentionConfig::default(),
            alarms: AlarmsConfig::default(),
        }
    }
}

/// Why there is no config; every fault at once.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ConfigError {
    /// The file, or what else the text came from.
    pub source: String,
    /// The faults.
    pub faults: Vec<ConfigFault>,
}

impl fmt::Display for ConfigError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: ", self.source)?;
        for (index, fault) in self.faults.iter().enumerate() {
            write!(formatter, "{}{fault}", if index > 0 { "; " } else { "" })?;
        }
        Ok(())
    }
}

impl std::error::Error for ConfigError {}

impl TrainConfig {
    /// Reads a config file and puts the overrides (`key.path=value`) over it.
    ///
    /// # Errors
    /// A file that cannot be read or is no TOML; else all unknown keys, wrong types and values out of
    /// range at once.
    pub fn read(path: &Path, overrides: &[String]) -> Result<TrainConfig, ConfigError> {
        let source = path.display().to_string();
        let single = |message: String| ConfigError {
            source: source.clone(),
            faults: vec![ConfigFault::new("config", message)],
        };
        let text = files::read_text(path).map_err(|error| single(format!("cannot be read: {error}")))?;
        let table: Table = text.parse().map_err(|error: toml::de::Error| {
            let line = error.span().map_or(1, |span| text[..span.start].matches('\n').count() + 1);
            single(format!("line {line}: {}", error.message().replace('\n', " ")))
        })?;
        TrainConfig::from_table(table, overrides).map_err(|faults| ConfigError { source, faults })
    }

    /// The same from a table.
    ///
    /// # Errors
    /// All faults at once.
    pub fn from_table(mut table: Table, overrides: &[String]) -> Result<TrainConfig, Vec<ConfigFault>> {
        let mut faults = Vec::new();
        for text in overrides {
            if let Err(fault) = set(&mut table, text) {
                faults.push(fault);
            }
        }
        let (config, found) = config_check::read::<TrainConfig>(&table, &["game.options"]);
        faults.extend(found);
        faults.extend(config.faults());
        if faults.is_empty() { Ok(config) } else { Err(faults) }
    }

    /// The config as TOML; reading it gives the same config.
    ///
    /// # Errors
    /// A value that TOML cannot hold.
    pub fn to_toml(&self) -> Result<String, toml::ser::Error> {
        toml::to_string_pretty(self)
    }

    /// The config as a table, for comparisons.
    ///
    /// # Errors
    /// A value that TOML cannot hold.
    pub fn to_table(&self) -> Result<Table, toml::ser::Error> {
        Table::try_from(self)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parse(text: &str, overrides: &[&str]) -> Result<TrainConfig, Vec<String>> {
        let overrides: Vec<String> = overrides.iter().map(|text| (*text).to_owned()).collect();
        TrainConfig::from_table(text.parse().unwrap(), &overrides)
            .map_err(|faults| faults.iter().map(ToString::to_string).collect())
    }

    const GAME: &str = "[game]\nname = \"connect4\"\n";

    #[test]
    fn the_default_lacks_only_a_game() {
        assert_eq!(parse("", &[]).unwrap_err().len(), 1);
        let config = parse(GAME, &[]).unwrap();
        assert_eq!(config.training, TrainingConfig::default());
    }

    #[test]
    fn a_resolved_config_reads_back_the_same() {
        let config = parse(
            GAME,
            &[
                "seed=7",
                "training.learning_rate.decay={ steps = { factor = 0.5, at = [10, 20] } }",
                "selfplay.simulations={ mixed = { full = 64, fast = 8, full_share = 0.25 } }",
                "checkpoint.keep=all",
                "evaluation.ladder=[{ opponent = \"random\", pairs = 2 }]",
                "training.averaging={ kind = \"none\" }",
                "limits.minutes=1",
            ],
        )
        .unwrap();
        assert_eq!(config.checkpoint.keep, Keep::All);
        assert_eq!(config.evaluation.ladder[0].simulations, LadderConfig::default().simulations);
        let again = parse(&config.to_toml().unwrap(), &[]).unwrap();
        assert_eq!(again, config);
    }

    #[test]
    fn all_faults_of_all_sections_are_named_at_once() {
        let faults = parse(
            "sed = 3\n[game]\nname = \"connect4\"\n[net]\nchannels = 1\n[training]\nbatch = \"many\"\nreuse = -1.0\n\
             [training.learning_rate]\npeak = 5.0\n[search]\nmargin_weight = -1.0\n[selfplay]\nbatch_size = 0\n\
             [evaluation]\nladder = [{ oponent = \"random\" }]\n",
            &["limits.minutes=-2", "limits.processor_minutes=-3", "nonsense", "checkpoint.keep.recent.count=0"],
        )
        .unwrap_err();
        for start in [
            "sed: unknown key; did you mean `seed`?",
            "net.channels: 1 must be 4 to 1024",
            "training.batch: found the text \"many\"; it must be a whole number",
            "training.reuse: found -1",
            "training.learning_rate.peak: 5 must be",
            "search.margin_weight: found -1",
            "selfplay.batch_size: ",
            "evaluation.ladder: ",
            "limits.minutes: found -2",
            "limits.processor_minutes: found -3",
            "--set nonsense: write it as key.path=value",
            "checkpoint.keep.recent",
        ] {
            assert!(faults.iter().any(|fault| fault.starts_with(start)), "{start} in {faults:#?}");
        }
    }

    #[test]
    fn a_resumed_run_keeps_its_game_and_network() {
        let before = parse(GAME, &[]).unwrap();
        let now = parse(
            GAME,
            &[
                "net.blocks=9",
                "training.batch=64",
                "training.averaging={ kind = \"exponential\", decay = 0.5 }",
            ],
        )
        .unwrap();
        let changes = now.changes(&before).unwrap();
        assert_eq!(changes.fixed.len(), 1);
        assert_eq!(changes.fixed[0].0, "net.blocks");
        let free: Vec<&str> = changes.free.iter().map(|(key, _, _)| key.as_str()).collect();
        assert_eq!(free, ["training.averaging", "training.batch"]);
        assert!(Changes::in_words(&changes.free).contains("training.batch: 256 -> 64"));
        let now = parse(GAME, &["training.averaging={ kind = \"none\" }"]).unwrap();
        assert_eq!(now.changes(&before).unwrap().fixed[0].0, "training.averaging");
    }
}
