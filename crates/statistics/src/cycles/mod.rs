//! What a rating leaves out: who beats whom in a circle.
//!
//! A rating puts players in a line. Where A beats B, B beats C and C beats A no line is right, and an
//! average over opponents depends on who happens to be in the pool. `matrix.rs` holds what is known of
//! each couple, `parts.rs` splits it into what a rating can say and what it cannot, and `nash.rs` finds
//! the mixture of players that nobody beats, and how everybody does against it.

mod matrix;
mod nash;
mod parts;

pub use matrix::{OddsMatrix, PRIOR_GAMES};
pub use nash::{NashAverage, NashError, NashSpread, nash_average, nash_spread};
pub use parts::{Cycle, CyclicPart};
