//! `train run`: from arguments to a loop at work.

use crate::alarm_watch::AlarmWatch;
use crate::arguments::RunArguments;
use crate::checkpoints;
use crate::clock::{self, WorkClock, WorkTime};
use crate::config::{Changes, FIXED_KEYS, TrainConfig};
use crate::failure::{End, Failure};
use crate::interrupt::Interrupt;
use crate::learning_loop::LearningLoop;
use crate::lock::{Holder, LockError, RunLock};
use crate::log::{self, Level, Log};
use crate::manifest::{LIBTORCH, Processor, RUN_SCHEMA, Source, Start, cores};
use crate::metrics::{self, Metric, MetricsWriter};
use crate::progress::Progress;
use crate::report_page;
use crate::run_directory::{RunDirectory, RunDirectoryError};
use crate::run_state::RunState;
use anyhow::{Context, anyhow};
use arena::games::AnyGame;
use arena::learning::{KeptGames, LearningError, LearningSession, LearningSettings};
use game::random::{Purpose, stream};
use net::checkpoint::CheckpointError;
use net::{
    Device, DeviceChoice, Expected, Identity, Net, NetError, Plan, RulesCheck, Trainer, training_precision,
};
use rand_chacha::rand_core::RngCore;
use serde_json::json;
use std::collections::BTreeMap;
use std::path::Path;

/// Runs the command.
///
/// # Errors
/// [`Failure::Input`] for everything that the user can mend by writing something else, before anything is
/// changed on the disk; [`Failure::Work`] for what fails later.
pub fn run(arguments: &RunArguments, interrupt: &Interrupt, progress: &Progress) -> Result<End, Failure> {
    let (config, game) =
        TrainConfig::read_with_game(&arguments.config, &arguments.all_overrides()).map_err(Failure::input)?;
    let device = config.open_device(arguments.device)?;
    let facts = game.facts();
    let expected = Expected {
        identity: Identity { game: facts.name.to_owned(), rules: facts.rules },
        planes: facts.planes,
        policy: facts.policy,
        rules_check: RulesCheck::Same,
    };
    let first_net = first_net(arguments.init_from.as_deref(), &config, &expected)?;

    let directory = RunDirectory::new(&arguments.run);
    if arguments.resume {
        directory.check_resumable().map_err(directory_failure)?;
    } else {
        directory.create().map_err(directory_failure)?;
    }
    // From here on this process alone writes into the directory.
    let (_lock, stale) = RunLock::take(directory.root()).map_err(lock_failure)?;
    directory.clean().map_err(directory_failure)?;
    let changes = if arguments.resume { changes(&directory, &config)? } else { Vec::new() };
    let log = Log::open(&directory.log(), progress.clone())
        .with_context(|| directory.log().display().to_string())?;
    let begun = Begun { arguments, config, game, device, expected, directory, log, interrupt, progress };
    let ended = begun.go(first_net, stale.as_ref(), &changes);
    if let Err(Failure::Work(error)) = &ended {
        begun.log.write(Level::Error, log::FAILED, &format!("{error:#}"), json!({}));
    }
    // Once more, now that the log says how it ended. What stopped the run matters more than the page.
    let _ = report_page::write(begun.directory.root(), None);
    ended
}

/// A run that has its directory.
struct Begun<'a> {
    arguments: &'a RunArguments,
    config: TrainConfig,
    game: Box<dyn AnyGame>,
    device: Device,
    expected: Expected,
    directory: RunDirectory,
    log: Log,
    interrupt: &'a Interrupt,
    progress: &'a Progress,
}

impl Begun<'_> {
    fn go(&self, first_net: Net, stale: Option<&Holder>, changes: &[String]) -> Result<End, Failure> {
        if let Some(holder) = stale {
            let text = format!(
                "process {} ended without giving the run back; going on from what it saved",
                holder.pid
            );
            self.log.warning("stale lock", &text, json!({"pid": holder.pid}));
        }
        for change in changes {
            self.log.info("config", &format!("changed: {change}"), json!({}));
        }
        let (trainer, mut state, begins) = self.trainer(&first_net)?;
        if begins {
            // Before the config, which makes the run one that can be resumed: without its first checkpoint it
            // would know nothing of --init-from.
            checkpoints::save(&self.directory, &trainer, &self.expected.identity, &mut state, &[])
                .context("the run cannot be saved")?;
        }
        self.write_config()?;
        let session = self.session(&state)?;
        let plan = self
            .config
            .plan(trainer.play_net(), self.device, self.game.as_ref())
            .map_err(|error| Failure::Work(error.into()))?;
        self.compare_with_last_start(&state)?;
        self.write_start(&state, &plan)?;
        let (metrics, dropped) = MetricsWriter::open(
            &self.directory.metrics(),
            &self.directory.events(),
            state.cycle,
            trainer.steps(),
        )
        .context("metrics")?;
        let past = metrics::read(&self.directory.metrics()).context("metrics")?;
        // The first checkpoint is written before the untrained network is evaluated.
        if past.iter().any(|record| matches!(record, Metric::Cycle(metrics) if metrics.cycle == 0)) {
            state.evaluated = state.evaluated.or(Some(0));
        }
        let clock = self.directory.clock();
        let work = WorkClock::read(&clock).with_context(|| clock.display().to_string())?;
        let minutes_of_state = state.minutes.take();
        let work = work.unwrap_or_else(|| WorkTime {
            minutes: minutes_of_state.unwrap_or_default(),
            processor_minutes: 0.0,
        });
        if dropped.later > 0 {
            let later = dropped.later;
            let text = format!("{later} records of work that is done again were dropped from metrics.jsonl");
            self.log.detail("metrics", &text, json!({}));
        }
        if !dropped.damaged.is_empty() {
            let path = self.directory.metrics();
            let text =
                format!("{}: lines {:?} are damaged and were dropped", path.display(), dropped.damaged);
            self.log.warning("metrics", &text, json!({"lines": dropped.damaged}));
        }
        self.introduce(&trainer, session.as_ref(), &state, &plan);
        let mut learning = LearningLoop {
            config: self.config.clone(),
            directory: self.directory.clone(),
            game: self.game.as_ref(),
            expected: self.expected.clone(),
            trainer,
            session,
            plan,
            clock: WorkClock::from(work),
            state,
            saved: true,
            threads: self.config.threads(cores()),
            stop_after: self.arguments.stop_after,
            save_seconds: 0.0,
            metrics,
            alarms: AlarmWatch::new(&self.config.alarms, &past),
            log: self.log.clone(),
            interrupt: self.interrupt.clone(),
            progress: self.progress.clone(),
        };
        learning.work().map_err(Failure::Work)
    }

    /// Writes the resolved config; running it gives this run.
    fn write_config(&self) -> Result<(), Failure> {
        let path = self.directory.config();
        let text = self.config.to_toml().context("config.toml")?;
        let head = "# The config of this run with every key, as it was last started. It can be run itself.\n";
        files::write(&path, format!("{head}{text}").as_bytes())
            .with_context(|| path.display().to_string())?;
        Ok(())
    }

    /// The trainer and where the run stands; the last part says whether the run begins.
    fn trainer(&self, first_net: &Net) -> Result<(Trainer, RunState, bool), Failure> {
        let settings = self.config.training.trainer(self.config.threads(cores()));
        let begins = !self.arguments.resume
            || (self.directory.checkpoint_cycles().map_err(directory_failure)?.is_empty()
                && !self.directory.interrupted().is_dir());
        if begins {
            let trainer = Trainer::new(first_net, &settings, self.device)
                .map_err(|error| Failure::Work(error.into()))?;
            return Ok((trainer, RunState::default(), true));
        }
        let newest = checkpoints::newest(&self.directory)?;
        let loaded = checkpoints::load(&newest, &settings, self.device, &self.expected);
        let (trainer, state) = loaded.map_err(|error| match error.downcast_ref() {
            Some(CheckpointError::Mismatch { .. }) => Failure::Input(error),
            Some(CheckpointError::Damaged { directory, .. }) => {
                let mend = format!("delete {} to go on from the checkpoint before it", directory.display());
                Failure::Work(anyhow!("{error:#}; {mend}"))
            }
            _ => Failure::Work(error),
        })?;
        self.log.info(
            "resume",
            &format!(
                "going on after {} cycles, {} games, {} training steps ({})",
                state.cycle,
                state.games,
                trainer.steps(),
                newest.display()
            ),
            json!({"cycle": state.cycle, "games": state.games, "steps": trainer.steps()}),
        );
        Ok((trainer, state, false))
    }

    fn session(&self, state: &RunState) -> Result<Box<dyn LearningSession>, Failure> {
        let workers = self.config.workers(cores());
        // With one worker the games of a cycle that was cut off come out the same again.
        let played = if state.training.is_some() { state.current_cycle() } else { state.cycle };
        let settings = LearningSettings {
            selfplay: self.config.selfplay.clone(),
            search: self.config.search.clone(),
            window: self.config.window.size,
            targets: self.config.training.targets,
            auxiliary: self.config.net.auxiliary.clone(),
            seed: self.config.seed,
            workers,
            games: self.directory.games(),
            run: self.directory.root().file_name().unwrap_or_default().to_string_lossy().into_owned(),
            cycle: state.current_cycle(),
            kept: if workers == 1 { KeptGames::Through(played) } else { KeptGames::All },
        };
        let mut session = self.game.begin_learning(&settings).map_err(learning_failure)?;
        for note in session.notes() {
            self.log.info("games", note, json!({}));
        }
        if let Some(name) = &state.unfinished {
            match checkpoints::load_games(&self.directory, name)? {
                Some(games) => session.restore(games).map_err(learning_failure)?,
                None => self.log.warning(
                    "games",
                    "the games under way were not kept: new ones are begun, so that the run is not the one it \
                     would have been",
                    json!({"unfinished": name}),
                ),
            }
        }
        Ok(session)
    }

    /// A deterministic run is the same on one machine with one program; says where a resumed one has others.
    fn compare_with_last_start(&self, state: &RunState) -> Result<(), Failure> {
        if !self.config.deterministic || (state.cycle == 0 && state.training.is_none()) {
            return Ok(());
        }
        let Some(last) = self.directory.last_start().map_err(directory_failure)? else { return Ok(()) };
        let (here, source) = (Processor::here(), Source::here());
        let commit = |source: &Option<Source>| source.as_ref().map(|source| source.commit.clone());
        let mut others = Vec::new();
        if (&last.processor.name, &last.processor.flags) != (&here.name, &here.flags) {
            others.push(format!("processor {}, before {}", here.name, last.processor.name));
        }
        if last.libtorch != LIBTORCH {
            others.push(format!("LibTorch {LIBTORCH}, before {}", last.libtorch));
        }
        if last.version != env!("CARGO_PKG_VERSION") || commit(&last.source) != commit(&source) {
            others.push("another build of this program".to_owned());
        }
        if !others.is_empty() {
            let text = format!("deterministic mode promises nothing from here on: {}", others.join("; "));
            self.log.warning("determinism", &text, json!({"cycle": state.cycle}));
        }
        Ok(())
    }

    fn write_start(&self, state: &RunState, plan: &Plan) -> Result<(), Failure> {
        let schemas = BTreeMap::from([
            ("run".to_owned(), RUN_SCHEMA),
            ("checkpoint".to_owned(), net::checkpoint::SCHEMA),
            ("shard".to_owned(), selfplay::shard::SCHEMA),
            (format!("rules of {}", self.expected.identity.game), self.game.facts().rules_version),
        ]);
        let start = Start {
            time: clock::unix_time(),
            version: env!("CARGO_PKG_VERSION").to_owned(),
            source: Source::here(),
            libtorch: LIBTORCH.to_owned(),
            device: match self.arguments.device {
                DeviceChoice::Cpu => "cpu".to_owned(),
                DeviceChoice::Cuda => "cuda".to_owned(),
            },
            processor: Processor::here(),
            inference: plan.to_string(),
            seed: self.config.seed,
            from_cycle: state.cycle,
            schemas,
            command: std::env::args().collect(),
        };
        self.directory.add_start(start).map_err(directory_failure)
    }

    fn introduce(&self, trainer: &Trainer, session: &dyn LearningSession, state: &RunState, plan: &Plan) {
        let net = trainer.net();
        let config = &self.config;
        let workers = session.workers();
        let cache = config.selfplay.cache_megabytes as usize * workers;
        let numbers = training_precision(config.training.precision, plan.device);
        self.log.info(
            log::START,
            &format!(
                "{} ({}), network {}x{} with {} parameters, inference {plan}, training in {numbers}, {workers} workers \
                 with {} games each, evaluation caches up to {cache} MiB, seed {}",
                self.expected.identity.game,
                config.game.preset,
                config.net.blocks,
                config.net.channels,
                net.parameters(),
                config.selfplay.games_per_worker,
                config.seed,
            ),
            json!({
                "game": self.expected.identity.game,
                "parameters": net.parameters(),
                "workers": workers,
                "inference": plan.to_string(),
                "training": numbers.to_string(),
                "from_cycle": state.cycle,
            }),
        );
    }
}

/// The network that a new run begins with.
fn first_net(init_from: Option<&Path>, config: &TrainConfig, expected: &Expected) -> Result<Net, Failure> {
    let Some(path) = init_from else {
        let seed = stream(config.seed, Purpose::Weights, &[]).next_u64();
        return Net::new(&config.net, expected.planes, expected.policy, seed)
            .map_err(|error| Failure::Work(error.into()));
    };
    let net = checkpoints::load_weights(path, expected).map_err(|error| match error {
        CheckpointError::Net(NetError::Torch(_)) => Failure::Work(error.into()),
        other => Failure::input(format!("--init-from: {other}")),
    })?;
    if net.config() != &config.net {
        return Err(Failure::input(format!(
            "--init-from {}: the network is {:?}, the config's section [net] says {:?}",
            path.display(),
            net.config(),
            config.net
        )));
    }
    Ok(net)
}

/// The differences to the config of the run so far, in words.
fn changes(directory: &RunDirectory, config: &TrainConfig) -> Result<Vec<String>, Failure> {
    let before = TrainConfig::read(&directory.config(), &[]).map_err(Failure::input)?;
    let changes = config.changes(&before).context("config")?;
    if !changes.fixed.is_empty() {
        return Err(Failure::input(format!(
            "{}: a resumed run cannot change {}: {}; every other key may change",
            directory.root().display(),
            FIXED_KEYS.join(", "),
            Changes::in_words(&changes.fixed)
        )));
    }
    Ok(changes.free.iter().map(|change| Changes::in_words(std::slice::from_ref(change))).collect())
}

fn directory_failure(error: RunDirectoryError) -> Failure {
    match error {
        RunDirectoryError::Io { .. } => Failure::Work(error.into()),
        // Also a directory with strangers in it.
        _ => Failure::input(error),
    }
}

fn lock_failure(error: LockError) -> Failure {
    match error {
        LockError::InUse { .. } => Failure::input(error),
        LockError::Io { .. } => Failure::Work(error.into()),
    }
}

fn learning_failure(error: LearningError) -> Failure {
    match error {
        LearningError::Settings(_) => Failure::input(error),
        _ => Failure::Work(anyhow!(error)),
    }
}
