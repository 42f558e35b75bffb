//! Trains an agent from scratch: play, train, evaluate, save, go on.
//!
//! `config.rs` is everything that can be chosen, `run.rs` begins or resumes a run, and `learning_loop.rs`
//! is the loop: open it first. A run's files are laid out in `run_directory.rs`; `run_state.rs` is what
//! going on needs beside the network, `metrics.rs` what is measured, `alarm_watch.rs` what should worry the
//! reader. `run_data.rs` reads a run for those who look at it: `report_page`, `compare.rs`, `list.rs` and
//! `export`. `doctor.rs`, `forecast.rs` (`train plan`), `bench` and `digest.rs` are
//! commands of their own. The games come in through
//! [`arena::games`], networks from [`net`]; nothing here is generic over either.

pub mod alarm;
pub mod alarm_watch;
pub mod arguments;
pub mod bench;
mod calibration;
pub mod checkpoints;
pub mod clock;
pub mod compare;
pub mod config;
pub mod config_check;
pub mod digest;
pub mod doctor;
pub mod evaluation;
pub mod export;
pub mod failure;
mod file_error;
pub mod forecast;
pub mod gate;
pub mod interrupt;
pub mod learning_loop;
pub mod list;
pub mod lock;
pub mod log;
pub mod machine;
pub mod manifest;
pub mod measurement;
pub mod metrics;
pub mod progress;
pub mod report_page;
pub mod run;
pub mod run_data;
pub mod run_directory;
pub mod run_state;
pub mod run_summary;
pub mod schedule;
pub mod summary;
pub mod tensorboard;
pub mod text_table;
mod thinned;
pub mod training;

pub use run::run;
