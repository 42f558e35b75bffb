//! Many games at once feeding full batches of planes to an evaluator; game shards and the replay
//! window on disk. Knows no network: an [`Evaluator`] judges batches. Open `evaluator.rs` first.

pub mod evaluator;
pub mod train_batch;

pub use evaluator::{Batch, Evaluator, EvaluatorError, Judgement, UniformEvaluator};
pub use train_batch::TrainBatch;
