//! Trains an agent from scratch: play, train, publish, evaluate, go on.
pub mod clock;
pub mod config_check;
pub mod failure;
pub mod interrupt;
pub mod lock;
pub mod log;
pub mod manifest;
pub mod metrics;
pub mod progress;
pub mod run_directory;
pub mod schedule;
pub mod tensorboard;
