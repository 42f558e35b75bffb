//! Section `[training]`: optimisation.

use crate::schedule::LearningRate;
use net::{AdamWConfig, Averaging, LossWeights, Precision, TrainerConfig};
use selfplay::TargetConfig;
use serde::{Deserialize, Serialize};

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
    /// Threads that work on pieces; 0: one a core, or one alone in deterministic mode.
    pub threads: usize,
    /// Numbers of the forward and backward pass on a CPU: `auto` is bf16 where the processor is faster in
    /// it, which is measured.
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
