//! Which secret set-ups of Commander Chess are good against which, what mixture to play, and why.
//!
//! Set-ups are the rows and columns of a symmetric matrix game whose cells are pairs of games with the sides
//! exchanged ([`statistics::equilibrium`]). [`Study`] is the pipeline: `generate.rs` and `named.rs` say
//! what is looked at, `screen.rs`, `race.rs`, `matrix.rs` and `oracle.rs` are its stages, `record.rs` keeps
//! what was played so that a study that was killed goes on, [`Findings`] is what came out. `descriptors.rs`,
//! `change.rs`, `clusters.rs`, `archive.rs` and `explain.rs` describe and compare set-ups. [`learned`] teaches a
//! policy to place pieces.
//!
//! The crate knows no network and plays no game: a [`Table`] plays and a [`Judge`] gives values, so that
//! everything is tested on made-up games. [`Questions`] answers single questions without a study, [`page`] and
//! [`tables`] show findings. Open `study.rs` first.

pub mod agreement;
pub mod archive;
pub mod change;
pub mod clusters;
pub mod config;
pub mod descriptors;
pub mod explain;
mod findings;
pub mod generate;
pub mod learned;
mod matrix;
pub mod named;
mod oracle;
pub mod page;
pub mod questions;
mod race;
pub mod record;
mod screen;
mod session;
mod study;
pub mod table;
pub mod tables;

pub use config::Config;
pub use descriptors::Descriptors;
pub use findings::{
    Calibration, CellFinding, Control, Findings, Games, OracleRound, RaceRow, Rung, SCHEMA, Screened, SetUp,
};
pub use named::{Named, named};
pub use questions::Questions;
pub use record::{Record, RecordError};
pub use study::{Study, StudyError};
pub use table::{Judge, PairRequest, Seat, Table, TableError};
