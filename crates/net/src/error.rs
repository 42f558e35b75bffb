//! What can go wrong with networks.

use tch::TchError;

/// Errors of this crate, checkpoints apart (see [`crate::checkpoint::CheckpointError`]).
#[derive(Debug, thiserror::Error)]
pub enum NetError {
    /// LibTorch refused an operation.
    #[error("LibTorch: {}", first_line(.0))]
    Torch(#[from] TchError),
    /// LibTorch refused to build or run the exported module.
    #[error("exported network: {0}")]
    Module(String),
    /// The network cannot be run in 8-bit numbers.
    #[error("8-bit numbers: {0}")]
    Quantised(String),
    /// The network's configuration cannot work; all faults at once, each with its key.
    #[error("network configuration: {}", .0.join("; "))]
    Config(Vec<String>),
    /// The training batch does not fit the network or itself; all faults at once.
    #[error("training batch: {}", .0.join("; "))]
    Batch(Vec<String>),
    /// `cuda` was asked for and cannot be had.
    #[error("device cuda: {0}")]
    Cuda(String),
    /// A weight, or one computed from it for inference, is not finite.
    #[error("the weights '{tensor}' hold a number that is not finite")]
    NonFiniteWeight {
        /// The tensor.
        tensor: String,
    },
    /// A number of a sample, or a loss computed from it, is not finite. Nothing was changed.
    #[error(
        "sample {id} (row {row} of the batch): {what} is not a finite number; the weights were not changed"
    )]
    NonFiniteSample {
        /// Id of the sample, as given in [`crate::TrainBatch::ids`].
        id: u64,
        /// Its row.
        row: usize,
        /// Which number: "planes", "value target", "policy loss" and so on.
        what: &'static str,
    },
    /// The step itself spoiled the weights (too large a learning rate or weight decay): they are not to be
    /// used or saved any more.
    #[error(
        "the weights '{tensor}' are not finite after the step; the largest loss of its batch was {loss} at \
         sample {id}"
    )]
    NonFiniteUpdate {
        /// First tensor with such a number.
        tensor: String,
        /// Sample with the largest loss.
        id: u64,
        /// That loss.
        loss: f32,
    },
    /// The gradient overflowed although every loss is finite. Nothing was changed.
    #[error(
        "the gradient of '{tensor}' is not finite; the largest loss of the batch is {loss} at sample {id}; \
         the weights were not changed"
    )]
    NonFiniteGradient {
        /// First tensor with such a gradient.
        tensor: String,
        /// Sample with the largest loss.
        id: u64,
        /// That loss.
        loss: f32,
    },
}

/// LibTorch adds pages of stack trace below its message.
fn first_line(error: &TchError) -> String {
    let text = error.to_string();
    text.lines().next().unwrap_or_default().to_string()
}
