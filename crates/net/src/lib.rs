//! Policy-value networks over plane shapes: the only crate that links LibTorch.
//!
//! It is not generic over games: it sees a [`game::PlaneShape`], a [`game::PolicyShape`] and host
//! buffers. `architecture.rs` describes the network once, for training, for eager inference and for
//! the fused module; open it first. Then `trainer.rs` (one optimisation step on a [`TrainBatch`]),
//! `checkpoint.rs` (what is kept on disk) and `inference.rs` (a [`selfplay::evaluator::Evaluator`]).
//!
//! `policy_gradient.rs` is the other way to train one, without targets: on choices and how they turned out.
//!
//! `quantised.rs` is inference in 8-bit numbers, for those who ask for it (`docs/speed.md`).
//!
//! `flops.rs` and `peak.rs` say what speeds are measured against.
//!
//! Programs call [`runtime::prepare`] first and [`device::open`] before anything else here, and join their
//! worker threads before `main` returns: LibTorch crashes when it is taken down under a running evaluation.

pub mod architecture;
pub mod average;
pub mod batch;
pub mod checkpoint;
mod compiled;
pub mod config;
pub mod device;
pub mod error;
pub mod export;
pub mod files;
pub mod flops;
pub mod folded;
pub mod inference;
pub mod loss;
pub mod module;
pub mod network;
pub mod optimizer;
pub mod peak;
pub mod plan;
pub mod policy_gradient;
pub mod policy_head;
pub mod quantised;
pub mod runtime;
pub mod script;
pub mod tensors;
pub mod threads;
pub mod trainer;
pub mod training_precision;

pub use batch::TrainBatch;
pub use checkpoint::{CheckpointState, Expected, Identity, RulesCheck};
pub use config::{AdamWConfig, Averaging, LossWeights, NetConfig, TrainerConfig};
pub use device::DeviceChoice;
pub use error::NetError;
pub use inference::{InferenceModel, NetEvaluator};
pub use network::Net;
pub use plan::{Path, Plan, Precision, Rows};
pub use policy_head::PolicyHead;
pub use tch::{Device, Kind};
pub use threads::Threads;
pub use trainer::{StepReport, Trainer};
pub use training_precision::training_precision;
