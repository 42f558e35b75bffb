//! Ratings of any number of players from the pairs that they have played.
//!
//! `results.rs` holds who played whom with what result, `model.rs` says how likely results are, `fit.rs`
//! finds the ratings that make them likeliest, and `ratings.rs` what can be read off: ratings, intervals,
//! differences.

mod fit;
mod model;
mod ratings;
mod results;

pub use fit::{PRIOR_PAIRS, RatingError, rate};
pub use model::{Chances, Model};
pub use ratings::{Difference, Rating, Ratings};
pub use results::{Couple, GameResult, PairCounts, Results};
