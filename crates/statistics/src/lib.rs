//! What matches and leagues say about strength, and how surely.
//!
//! The unit of all statistics is a pair: two games from one start with the colours exchanged. The games
//! of a pair are not independent of each other; pairs are. [`pentanomial`] counts the pairs of a match,
//! [`estimate`] makes scores, Elo and normalised Elo with intervals of them, [`sequential`] decides
//! between two hypotheses as soon as they allow it, [`rating`] rates any number of players, [`cycles`]
//! says what a rating leaves out (who beats whom in a circle, Nash averaging), [`choice`] which pairs
//! to play next, [`equilibrium`] what to mix in a game of secret choices, and [`regression`] what
//! goes with a score.
//!
//! The crate knows no game, no player and no file: players are numbers, results are counts. Formulas name
//! their source; `docs/evaluation.md` explains them to users.

pub mod choice;
pub mod cycles;
pub mod distinct;
pub mod elo;
pub mod equilibrium;
pub mod estimate;
pub mod interval;
mod linear;
pub mod pentanomial;
pub mod rating;
pub mod regression;
pub mod sequential;

pub use distinct::{MissingInterval, intervals_allowed};
pub use elo::{NORMALISED_ELO_UNIT, elo, expected_score};
pub use estimate::{Estimate, Intervals, PointEstimate};
pub use interval::{Interval, share_interval};
pub use pentanomial::Pentanomial;
