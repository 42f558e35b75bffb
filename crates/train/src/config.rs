//! Everything that can be chosen about a training run: one TOML file.

use crate::config_check::{self, ConfigFault};
use crate::evaluation::Rung;
use crate::schedule::LearningRate;
use arena::games::{self, AnyGame};
use game::Fault;
use net::{AdamWConfig, Averaging, LossWeights, NetConfig, Precision, TrainerConfig};
use search::SearchConfig;
use selfplay::{SelfPlayConfig, TargetConfig, WindowSize};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::Path;
use toml::{Table, Value};

/// A training run. The defaults of all sections are the [`Default`] of their types; a config names only
/// what differs.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TrainConfig {
    /// Seed of everything random, below 2⁶³.
    pub seed: u64,
    /// What is played.
    pub game: GameConfig,
    /// When the run is over.
    pub limits: LimitsConfig,
    /// The network.
    pub net: NetConfig,
    /// The search.
    pub search: SearchConfig,
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
}

/// What is played.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GameConfig {
    /// Name of the game; there is no default.
    pub name: String,
    /// Preset of its rules; empty: the game's first.
    pub preset: String,
    /// Single rules over the preset, in the words of the game's rules page.
    pub options: Table,
}

/// When a run is over: at the first limit that is reached. The numbers count from the run's very
/// beginning, however often it was interrupted.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LimitsConfig {
    /// Cycles; 0: no limit.
    pub cycles: u64,
    /// Minutes of work; 0: no limit. A cycle that has begun is finished.
    pub minutes: f64,
}

/// The replay window.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct WindowConfig {
    /// How many samples it holds.
    pub size: WindowSize,
    /// Samples that must be in it before training begins.
    pub least_samples: u64,
}

impl Default for WindowConfig {
    fn default() -> WindowConfig {
        WindowConfig { size: WindowSize::default(), least_samples: 5_000 }
    }
}

/// Optimisation.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct TrainingConfig {
    /// Samples of one training step.
    pub batch: usize,
    /// How often a new sample is trained on, on average: each cycle trains
    /// `new samples · reuse / batch` steps.
    pub reuse: f64,
    /// Most training steps of a cycle; 0: no limit.
    pub most_steps: u64,
    /// The learning rate.
    pub learning_rate: LearningRate,
    /// What samples teach.
    pub targets: TargetConfig,
    /// The optimiser.
    pub optimizer: AdamWConfig,
    /// Largest Euclidean norm of the gradient; a longer one is scaled down to it. 0: no limit.
    pub clip_norm: f64,
    /// Weights of the loss terms.
    pub loss: LossWeights,
    /// Average of the weights for play.
    pub averaging: Averaging,
    /// Pieces that a batch is cut into; each is normalised by its own statistics.
    pub pieces: usize,
    /// Threads that work on pieces; 0: one a core.
    pub threads: usize,
    /// Numbers of the forward and backward pass on a CPU: `auto` is bf16 where the processor has such
    /// instructions.
    pub precision: Precision,
    /// Training steps from one record in `metrics.jsonl` to the next.
    pub metrics_every: u64,
}

impl Default for TrainingConfig {
    fn default() -> TrainingConfig {
        let trainer = TrainerConfig::default();
        TrainingConfig {
            batch: 256,
            reuse: 4.0,
            most_steps: 0,
            learning_rate: LearningRate::default(),
            targets: TargetConfig::default(),
            optimizer: trainer.optimizer,
            clip_norm: trainer.clip_norm,
            loss: trainer.loss,
            averaging: trainer.averaging,
            pieces: trainer.pieces,
            threads: 0,
            precision: trainer.precision,
            metrics_every: 20,
        }
    }
}

impl TrainingConfig {
    /// The settings in the words of the network crate; `cores` stands in for `threads = 0`.
    pub fn trainer(&self, cores: usize) -> TrainerConfig {
        TrainerConfig {
            optimizer: self.optimizer.clone(),
            clip_norm: self.clip_norm,
            loss: self.loss.clone(),
            averaging: self.averaging,
            pieces: self.pieces,
            threads: if self.threads == 0 { cores.min(64) } else { self.threads },
            precision: self.precision,
        }
    }
}

/// One cycle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CycleConfig {
    /// New samples (searched steps of finished games) that self-play makes before training. Games that
    /// are under way then go on in the next cycle.
    pub positions: u64,
    /// Worker threads of self-play; 0: one a core. One worker makes a run deterministic.
    pub workers: usize,
}

impl Default for CycleConfig {
    fn default() -> CycleConfig {
        CycleConfig { positions: 10_000, workers: 0 }
    }
}

/// The fixed ladder: short matches that show whether the agent learns.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct EvaluationConfig {
    /// Evaluation before the first cycle and after every so many cycles; 0: never.
    pub every_cycles: u64,
    /// Uniformly random legal turns at the beginning of each pair of games.
    pub opening_turns: u32,
    /// The opponents.
    pub ladder: Vec<LadderConfig>,
}

impl Default for EvaluationConfig {
    fn default() -> EvaluationConfig {
        let rung = |opponent: &str| LadderConfig { opponent: opponent.to_owned(), ..LadderConfig::default() };
        EvaluationConfig { every_cycles: 5, opening_turns: 6, ladder: vec![rung("random"), rung("greedy")] }
    }
}

/// One opponent of the ladder.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LadderConfig {
    /// `random`, `greedy`, `rollouts:N`, `alphabeta:D`, `first` (the untrained network of this run) or
    /// `previous` (its network of the evaluation before).
    pub opponent: String,
    /// Pairs of games from one start with colours swapped.
    pub pairs: u32,
    /// Simulations a turn of the network, and of the opponent where it is one. 0: raw policy.
    pub simulations: u32,
}

impl Default for LadderConfig {
    fn default() -> LadderConfig {
        LadderConfig { opponent: "random".to_owned(), pairs: 10, simulations: 16 }
    }
}

/// Which checkpoints are written and kept. The first one, of the untrained network, and the last one are
/// always there.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct CheckpointConfig {
    /// A checkpoint after every so many cycles, at least 1.
    pub every_cycles: u64,
    /// Which ones stay.
    pub keep: Keep,
}

/// Which checkpoints stay.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum Keep {
    /// All of them.
    All,
    /// The newest ones, and those whose cycle is a multiple of `milestone` (0: none).
    Recent {
        /// How many of the newest, at least 1.
        count: usize,
        /// Cycles from one that stays for good to the next.
        milestone: u64,
    },
}

impl Default for CheckpointConfig {
    fn default() -> CheckpointConfig {
        CheckpointConfig { every_cycles: 1, keep: Keep::Recent { count: 3, milestone: 10 } }
    }
}

impl Default for TrainConfig {
    fn default() -> TrainConfig {
        TrainConfig {
            seed: 1,
            game: GameConfig::default(),
            limits: LimitsConfig::default(),
            net: NetConfig::default(),
            search: SearchConfig::default(),
            selfplay: SelfPlayConfig::default(),
            window: WindowConfig::default(),
            training: TrainingConfig::default(),
            cycle: CycleConfig::default(),
            evaluation: EvaluationConfig::default(),
            checkpoint: CheckpointConfig::default(),
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

/// Keys that a resumed run cannot change: the network would not fit, or the run would be another one.
pub const FIXED_KEYS: [&str; 4] = ["seed", "game", "net", "training.averaging"];

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
        let text =
            std::fs::read_to_string(path).map_err(|error| single(format!("cannot be read: {error}")))?;
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

    /// All values out of range, those of the game included.
    pub fn faults(&self) -> Vec<ConfigFault> {
        let mut faults = Vec::new();
        let mut add = |path: &str, message: String| faults.push(ConfigFault::new(path, message));
        if self.game.name.is_empty() {
            add("game.name", "is missing; name the game to be played".to_owned());
        }
        if i64::try_from(self.seed).is_err() {
            add("seed", format!("found {}; it must be below 2^63", self.seed));
        }
        let minutes = self.limits.minutes;
        if !(minutes >= 0.0 && minutes.is_finite()) {
            add("limits.minutes", format!("found {minutes}; it must be at least 0 (0: no limit)"));
        }
        let training = &self.training;
        let mut range = |path: &str, found: f64, low: f64, high: f64| {
            if !(low..=high).contains(&found) {
                add(path, format!("found {found}; it must be {low} to {high}"));
            }
        };
        range("training.batch", training.batch as f64, 2.0, 65536.0);
        range("training.reuse", training.reuse, 0.01, 1000.0);
        range("training.metrics_every", training.metrics_every as f64, 1.0, 1e6);
        range("training.threads", training.threads as f64, 0.0, 64.0);
        range("cycle.positions", self.cycle.positions as f64, 1.0, 1e12);
        range("cycle.workers", self.cycle.workers as f64, 0.0, 1024.0);
        range("evaluation.opening_turns", f64::from(self.evaluation.opening_turns), 0.0, 100.0);
        range("window.least_samples", self.window.least_samples as f64, 1.0, self.window.size.most() as f64);
        range("checkpoint.every_cycles", self.checkpoint.every_cycles as f64, 1.0, 1e9);
        if let Keep::Recent { count, .. } = self.checkpoint.keep {
            range("checkpoint.keep.recent.count", count as f64, 1.0, 1e9);
        }
        for (index, rung) in self.evaluation.ladder.iter().enumerate() {
            range(&format!("evaluation.ladder[{index}].pairs"), f64::from(rung.pairs), 1.0, 100_000.0);
        }
        // A batch cut into more pieces than it has samples would leave some without any.
        if training.pieces > training.batch {
            let message =
                format!("found {}; it must be at most the batch, {}", training.pieces, training.batch);
            add("training.pieces", message);
        }
        for (index, rung) in self.evaluation.ladder.iter().enumerate() {
            if let Err(message) = Rung::parse(&rung.opponent) {
                faults.push(ConfigFault::new(format!("evaluation.ladder[{index}].opponent"), message));
            }
        }
        let mut below = |section: &str, found: Vec<String>| {
            for fault in found {
                faults.push(split_fault(section, &fault));
            }
        };
        below("net", self.net.faults());
        below("training.learning_rate", training.learning_rate.faults());
        below("training", training.trainer(1).faults());
        below("selfplay", self.selfplay.faults());
        below("window.size", self.window.size.faults());
        below("training.targets", training.targets.faults());
        if let Err(found) = self.search.check() {
            for fault in found.0 {
                faults.push(ConfigFault::new(format!("search.{}", fault.place), fault.message));
            }
        }
        if !self.game.name.is_empty() {
            faults.extend(self.open_game().err().into_iter().flatten());
        }
        faults
    }

    /// The game with its rules.
    ///
    /// # Errors
    /// Unknown names and values, and start positions of self-play that are none.
    pub fn open_game(&self) -> Result<Box<dyn AnyGame>, Vec<ConfigFault>> {
        let GameConfig { name, preset, options } = &self.game;
        let preset = Some(preset.as_str()).filter(|preset| !preset.is_empty());
        let options: Vec<_> = options.iter().map(|(key, value)| (key.clone(), value.clone())).collect();
        let game = games::open(name, preset, &options)
            .map_err(|error| vec![ConfigFault::new("game", error.to_string())])?;
        match game.check_starts(&self.selfplay) {
            Ok(()) => Ok(game),
            Err(faults) => {
                let fault =
                    |fault: Fault| ConfigFault::new(format!("selfplay.{}", fault.place), fault.message);
                Err(faults.0.into_iter().map(fault).collect())
            }
        }
    }

    /// Differences to an earlier config of the same run, and among them those that a resumed run cannot
    /// have.
    ///
    /// # Errors
    /// A value that TOML cannot hold.
    pub fn changes(&self, before: &TrainConfig) -> Result<Changes, toml::ser::Error> {
        let all = config_check::differences(&before.to_table()?, &self.to_table()?);
        let is_fixed = |path: &str| {
            FIXED_KEYS.iter().any(|key| {
                path.strip_prefix(key).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            })
        };
        // The decay of an average may change, its being there may not.
        let same_averaging = std::mem::discriminant(&self.training.averaging)
            == std::mem::discriminant(&before.training.averaging);
        let (fixed, free) = all.into_iter().partition(|(path, _, _)| {
            is_fixed(path) && !(path.starts_with("training.averaging") && same_averaging)
        });
        Ok(Changes { fixed, free })
    }
}

/// How a config differs from an earlier one: key, value before, value now.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Changes {
    /// Keys that a resumed run cannot change.
    pub fixed: Vec<(String, String, String)>,
    /// Keys that it can.
    pub free: Vec<(String, String, String)>,
}

impl Changes {
    /// A list of changes in one line.
    pub fn in_words(list: &[(String, String, String)]) -> String {
        let one = |(key, before, now): &(String, String, String)| format!("{key}: {before} -> {now}");
        list.iter().map(one).collect::<Vec<_>>().join("; ")
    }
}

/// A fault that begins with its key, as other crates write them: `key = 3 must be …` or `` `key` is … ``.
fn split_fault(section: &str, fault: &str) -> ConfigFault {
    let text = fault.strip_prefix('`').unwrap_or(fault);
    let end = text.find([' ', '`', ':']).unwrap_or(0);
    let (key, rest) = text.split_at(end);
    let rest = rest.trim_start_matches(['`', ':']).trim_start();
    ConfigFault::new(format!("{section}.{key}"), rest.strip_prefix("= ").unwrap_or(rest))
}

/// Puts `key.path=value` over a table. The value is TOML; what is no TOML is taken as text.
fn set(table: &mut Table, text: &str) -> Result<(), ConfigFault> {
    let fault = |message: &str| ConfigFault::new(format!("--set {text}"), message);
    let Some((path, value)) = text.split_once('=') else {
        return Err(fault("write it as key.path=value"));
    };
    let path: Vec<String> = path.split('.').map(|part| part.trim().to_owned()).collect();
    if path.iter().any(String::is_empty) {
        return Err(fault("write it as key.path=value"));
    }
    let value = value.trim();
    let parsed = format!("value = {value}").parse::<Table>().ok().and_then(|mut table| table.remove("value"));
    let value = parsed.unwrap_or_else(|| Value::String(value.to_owned()));
    if config_check::insert(table, &path, value) {
        Ok(())
    } else {
        Err(fault("a part of the path is a value and no section"))
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
            &["limits.minutes=-2", "nonsense", "checkpoint.keep.recent.count=0"],
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
