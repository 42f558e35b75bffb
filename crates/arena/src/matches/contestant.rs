//! Who plays a match, ready to play.

use crate::opponents::BuiltIn;
use search::SearchConfig;
use selfplay::{Evaluator, EvaluatorError};

/// Makes an evaluator for one worker thread.
pub type MakeEvaluator = dyn Fn() -> Result<Box<dyn Evaluator>, EvaluatorError> + Send + Sync;

/// One of the two sides of a match.
pub enum Contestant {
    /// An opponent that needs no network.
    BuiltIn(BuiltIn),
    /// A search with a network.
    Network(NetworkPlayer),
}

/// A search with an evaluator. Its games are searched side by side and their leaves judged in
/// batches; it plays without noise, at temperature 0.
pub struct NetworkPlayer {
    /// Called once by every worker thread, on that thread.
    pub make_evaluator: Box<MakeEvaluator>,
    /// How the search works.
    pub search: SearchConfig,
    /// Simulations a turn; 0 plays the step with the largest prior.
    pub simulations: u32,
}
