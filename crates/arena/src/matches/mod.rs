//! Matches: pairs of games from one start with the colours exchanged.
//!
//! `plan.rs` says what is played, `pairs.rs` plays it on a few threads with the help of `live.rs`
//! (games under way), `tally.rs` counts, `statistics.rs` has the formulas and `report.rs` the words.
//! [`MatchSession`] is the interface for programs that know a game by name only.

mod contestant;
mod live;
mod openings;
mod pairs;
mod plan;
mod report;
mod session;
pub mod statistics;

mod tally;

pub use contestant::{Contestant, MakeEvaluator, NetworkPlayer};
pub use openings::{OPENING_TRIES, Starts};
pub use pairs::run;
pub use plan::{MatchError, MatchPlan, StartFault, Stop, Watch};
pub use report::{ColourCounts, MatchReport, Names, ReasonCounts};
pub use session::MatchSession;
pub use tally::{Counts, MatchGame, PairResult, Tally};
