//! Many games at once feeding full batches of planes to an evaluator; game shards and the replay
//! window. Knows no network: an [`Evaluator`] judges batches.
//!
//! Open `evaluator.rs` (what is asked of a network) and `worker.rs` (who asks) first. Finished games
//! are [`GameRecord`](game::record::GameRecord)s: `shard.rs` keeps them on disk, `window.rs` makes
//! training samples of them.

pub mod auxiliary;
pub mod cache;
pub mod config;
pub mod counters;
pub mod difference;
pub mod evaluator;
pub mod game_store;
mod handover;
pub mod hash_evaluator;
pub mod live_game;
pub mod opening;
pub mod random_batch;
pub mod resignation;
pub mod retention;
mod searched_policy;
pub mod server;
pub mod shard;
pub mod statistics;
mod sync;
pub mod targets;
pub mod train_batch;
pub mod window;
pub mod window_size;
pub mod worker;

pub use auxiliary::{AuxiliaryHead, AuxiliaryTargets, turns_left_target};
pub use cache::EvaluationCache;
pub use config::{RandomOpenings, SelfPlayConfig, Simulations, StartDistribution, TemperatureSchedule};
pub use counters::Counters;
pub use difference::Difference;
pub use evaluator::{Batch, Evaluator, EvaluatorError, Judgement, UniformEvaluator};
pub use game_store::{Fate, GameStore, Loaded, Recovered, Totals, read_shard, shard_paths};
pub use hash_evaluator::HashEvaluator;
pub use live_game::UnfinishedGame;
pub use opening::Opening;
pub use random_batch::random_batch;
pub use resignation::Resignation;
pub use retention::{Retention, Retired};
pub use server::{SharedEvaluator, share};
pub use shard::{Identity, ShardError, ShardFault, ShardReader, ShardWriter, searched_steps};
pub use statistics::{GameStatistics, GameSummary};
pub use targets::{MOST_DRAWS, ProvenValue, TargetConfig, ValueTarget};
pub use train_batch::TrainBatch;
pub use window::Window;
pub use window_size::WindowSize;
pub use worker::{Ended, Proceed, Worker, WorkerError};
