//! The record of a match: pairs of games in a file of JSON lines.
//!
//! The first line, a [`MatchHeader`], says what is played and by whom; every further line is a
//! [`Pair`]: two games from one start with the colours exchanged. Pairs are appended as they finish,
//! so that a match that was stopped goes on where it was, and one that was too short is made longer.
//! Every line ends with its own checksum; a last line that was cut off while it was written is
//! dropped and named, anything else that is wrong refuses the file.
//!
//! The crate knows neither games nor players nor statistics: texts and numbers only. Open `file.rs`
//! first; `header.rs` and `pair.rs` are the contents, `line.rs` the checksums.

mod file;
mod header;
pub mod line;
mod pair;

pub use file::{MatchRecord, PairFile, PairFileError, TornLine, is_begun, read};
pub use header::{Budget, Clock, FORMAT, MatchHeader, PlayerHeader, PlayerKind, StartsHeader, VERSION};
pub use pair::{Pair, PlayedGame, Thought, Winner};
