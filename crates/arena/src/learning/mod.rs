//! Self-play and training samples of one game, for programs that know the game by name only.
//!
//! [`LearningGame`] begins a [`LearningSession`]; every game is one. A session owns the workers, the
//! shards of finished games and the replay window. It is called a few times a cycle and once a training
//! batch, never once a step. `session.rs` is what works behind the interface, `taught.rs` the games of a built-in
//! opponent that a network begins with.

mod session;
mod taught;

pub use session::Session;

use crate::opponents::BuiltIn;
use game::random::{Purpose, stream};
use game::{BoardGame, Fault, Faults};
use rand_chacha::ChaCha8Rng;
use search::SearchConfig;
use selfplay::{
    AuxiliaryHead, Batch, Counters, Evaluator, EvaluatorError, GameSummary, Retention, Retired,
    SelfPlayConfig, ShardError, TargetConfig, TrainBatch, UnfinishedGame, WindowSize, WorkerError,
    random_batch,
};
use serde::{Deserialize, Serialize};
use std::path::PathBuf;

/// Positions that 8-bit networks are calibrated on.
pub const CALIBRATION_ROWS: usize = 512;

/// What a session is begun with.
#[derive(Clone, Debug)]
pub struct LearningSettings {
    /// How games are played.
    pub selfplay: SelfPlayConfig,
    /// How steps are searched.
    pub search: SearchConfig,
    /// How many samples the replay window holds.
    pub window: WindowSize,
    /// What samples teach.
    pub targets: TargetConfig,
    /// What they teach besides.
    pub auxiliary: Vec<AuxiliaryHead>,
    /// Seed of the run.
    pub seed: u64,
    /// Worker threads, at least one. With one worker a session repeats exactly.
    pub workers: usize,
    /// Directory of the shards.
    pub games: PathBuf,
    /// Name of the run, for messages about shards.
    pub run: String,
    /// Cycle that is under way: the one after the last complete one, or that one while it trains.
    pub cycle: u64,
    /// What becomes of games that are in the shards already.
    pub kept: KeptGames,
}

/// Who plays the games that a network learns from before it plays its own.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Teacher {
    /// The opponent.
    pub player: BuiltIn,
    /// Share of turns played at random, which are not learned from; in [0, 1).
    pub random_turns: f32,
    /// What the policy learns.
    pub policy: TaughtPolicy,
}

/// What the policy learns from a teacher's choice.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TaughtPolicy {
    /// The step that was chosen.
    ChosenStep,
    /// All steps that the teacher found no worse, each as much ([`Opponent::equal_steps`](crate::opponents::Opponent::equal_steps)):
    /// on average the same as the chosen one alone where chance decides between them, with less noise
    /// (`docs/learning.md` has what it is worth).
    #[default]
    EqualSteps,
}

/// What becomes of the games of an earlier start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeptGames {
    /// All of them stay; those of the cycle under way count for it.
    All,
    /// Games that ended after this cycle are dropped, since the same ones will be played again.
    Through(u64),
}

/// Why a session cannot begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum LearningError {
    /// Settings are wrong.
    #[error(transparent)]
    Settings(#[from] WorkerError),
    /// The rules cannot be written.
    #[error("the rules cannot be written: {0}")]
    Rules(String),
    /// A shard cannot be read or written.
    #[error(transparent)]
    Shard(#[from] ShardError),
    /// A game in a shard is not one of this game and these rules.
    #[error("{}: {fault}", shard.display())]
    Replayed {
        /// The shard.
        shard: PathBuf,
        /// The game and its step, and what is wrong.
        fault: Fault,
    },
    /// There are no samples to draw.
    #[error("the replay window is empty")]
    EmptyWindow,
    /// A saved game is not one of this game and these rules.
    #[error("saved games: {0}")]
    Saved(Fault),
    /// A worker wrote a game that the rules do not confirm.
    #[error("self-play: {0}")]
    Record(Fault),
    /// An evaluator failed.
    #[error("self-play: {0}")]
    Evaluator(#[from] EvaluatorError),
    /// A worker thread panicked.
    #[error("self-play: a worker thread panicked")]
    Panicked,
}

/// Looks on while a session plays; called from one thread.
pub trait PlayWatch {
    /// New samples so far in this cycle, and games that finished.
    fn progress(&mut self, positions: u64, games: u64);

    /// Asked several times a second: whether to stop after the batches in hand.
    fn stop(&self) -> bool;
}

/// Why [`LearningSession::play`] came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlayEnd {
    /// There are as many new samples as were asked for.
    Complete,
    /// The watch stopped it. Games under way are in [`LearningSession::unfinished`].
    Stopped,
}

/// What self-play did.
#[derive(Clone, Debug)]
pub struct PlayReport {
    /// Why it ended.
    pub end: PlayEnd,
    /// The games that finished in this cycle.
    pub games: GameSummary,
    /// Work of all workers added up, of this call alone.
    pub counters: Counters,
    /// Wall-clock time of this call, seconds.
    pub seconds: f64,
}

/// What is in the replay window.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct WindowFill {
    /// Samples that may be drawn.
    pub samples: u64,
    /// Games that they come from.
    pub games: u64,
    /// Memory that they take, bytes.
    pub bytes: u64,
}

/// Self-play and samples of one game.
pub trait LearningSession: Send {
    /// Number of workers: as many evaluators are needed.
    fn workers(&self) -> usize;

    /// Things that happened when the session began and that deserve a line in the log.
    fn notes(&self) -> &[String];

    /// Begins a cycle with new evaluators: cached answers are forgotten and searches under way begin
    /// anew.
    fn begin_cycle(&mut self, cycle: u64);

    /// Plays until the cycle has `positions` new samples, one worker for each evaluator.
    ///
    /// # Errors
    /// What an evaluator or the file system says. Games that finished before are in the shards.
    fn play(
        &mut self,
        evaluators: Vec<Box<dyn Evaluator>>,
        positions: u64,
        watch: &mut dyn PlayWatch,
    ) -> Result<PlayReport, LearningError>;

    /// The same with a built-in opponent on both sides of every game, one game at a time for each worker. Games in
    /// hand of [`play`](LearningSession::play) stay as they are; what the watch stops is forgotten.
    ///
    /// # Errors
    /// Wrong settings of starts, or what the file system says.
    fn play_taught(
        &mut self,
        teacher: Teacher,
        positions: u64,
        watch: &mut dyn PlayWatch,
    ) -> Result<PlayReport, LearningError>;

    /// What is in the replay window.
    fn window(&self) -> WindowFill;

    /// Bytes of the evaluation caches that have not been written to: what they may still take.
    fn unused_cache_bytes(&self) -> u64;

    /// Draws `rows` samples into `batch`, which is cleared before.
    ///
    /// # Errors
    /// An empty window.
    fn sample(
        &mut self,
        rows: usize,
        random: &mut ChaCha8Rng,
        batch: &mut TrainBatch,
    ) -> Result<(), LearningError>;

    /// Removes shards of games that neither the replay window nor `retention` wants any more; to be called
    /// when everything up to the cycle under way is saved. Returns what was removed now.
    ///
    /// # Errors
    /// What the file system says.
    fn retire(&mut self, retention: Retention) -> Result<Retired, LearningError>;

    /// Games under way, by worker.
    fn unfinished(&self) -> Vec<Vec<UnfinishedGame>>;

    /// Takes games under way, as they were saved. Games that are finished in the shards are left out;
    /// where the number of workers has changed the games are dealt out anew.
    ///
    /// # Errors
    /// A game that its rules do not confirm.
    fn restore(&mut self, games: Vec<Vec<UnfinishedGame>>) -> Result<(), LearningError>;
}

/// A game that can learn; every game is one.
pub trait LearningGame {
    /// Checks what can be checked of the settings without beginning anything: where games start.
    ///
    /// # Errors
    /// All faulty positions and sources.
    fn check_starts(&self, selfplay: &SelfPlayConfig) -> Result<(), Faults>;

    /// Begins a session.
    ///
    /// # Errors
    /// Wrong settings, or shards that cannot be read.
    fn begin_learning(&self, settings: &LearningSettings) -> Result<Box<dyn LearningSession>, LearningError>;

    /// Positions of random games as an evaluator gets them, for measurements and calibration; the same for the same
    /// seed.
    fn random_batch(&self, rows: usize, seed: u64) -> Batch;

    /// What 8-bit networks are calibrated on where no games of their own are at hand: positions of random games,
    /// always the same.
    fn calibration_batch(&self) -> Batch {
        self.random_batch(CALIBRATION_ROWS, 0)
    }
}

impl<G: BoardGame> LearningGame for G {
    fn check_starts(&self, selfplay: &SelfPlayConfig) -> Result<(), Faults> {
        selfplay.starts.sampler(self).map(|_| ())
    }

    fn begin_learning(&self, settings: &LearningSettings) -> Result<Box<dyn LearningSession>, LearningError> {
        Ok(Box::new(Session::new(self.clone(), settings)?))
    }

    fn random_batch(&self, rows: usize, seed: u64) -> Batch {
        random_batch(self, rows, &mut stream(seed, Purpose::Playout, &[]))
    }
}
