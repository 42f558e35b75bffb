//! Matches: pairs of games from one start with the colours exchanged.
//!
//! `plan.rs` says what is played, `contestant.rs` by whom; `play.rs` plays it on a few threads with the
//! help of `live.rs` (games under way) and `seat.rs` (the sides, engines among them). What comes out are
//! [`pairs::Pair`]s: `tally.rs` counts them, crate [`statistics`] has the formulas and `report.rs` the words.
//! [`MatchSession`] is the interface for programs that know a game by name only.

mod contestant;
mod live;
mod openings;
mod plan;
mod play;
mod report;
mod seat;
mod session;
mod tally;

pub use contestant::{Contestant, EnginePlayer, MakeEvaluator, NetworkPlayer, TurnTime};
pub use openings::{DRAW, OPENING_TRIES, OwnStarts, Starts};
pub use plan::{MatchError, MatchPlan, StartFault, Stop, Watch};
pub use play::run;
pub use report::{ColourCounts, LengthCounts, MatchReport, Names, ReasonCounts};
pub use session::MatchSession;
pub use tally::{Counts, Tally};
