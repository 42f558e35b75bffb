//! Deciding between two hypotheses with as few pairs as possible: the generalised sequential probability
//! ratio test.
//!
//! `hypotheses.rs` says what is decided and how often it may be wrong, `likelihood.rs` how much more
//! likely the pairs are under the one hypothesis than under the other, `test.rs` when that is enough, and `ordered.rs` waits for pairs that finish late.
//! The formulas are those of M. Van den Bergh's "A practical introduction to the GSPRT" (2019) and
//! "Normalized Elo" (2020).

mod hypotheses;
mod likelihood;
mod ordered;
mod test;

pub use hypotheses::{Hypotheses, HypothesesError, LARGEST_ELO, LARGEST_ERROR, LEAST_ERROR, Scale};
pub use likelihood::{EMPTY_COUNT, log_likelihood_ratio};
pub use ordered::OrderedTest;
pub use test::{Overshoot, SequentialTest, Verdict};
