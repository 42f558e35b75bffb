//! Who plays a match, ready to play.

use crate::opponents::BuiltIn;
use engine::{EngineSettings, Limit};
use pairs::Clock;
use search::SearchConfig;
use selfplay::{Evaluator, EvaluatorError};
use std::time::Duration;

/// Makes an evaluator for one worker thread.
pub type MakeEvaluator = dyn Fn() -> Result<Box<dyn Evaluator>, EvaluatorError> + Send + Sync;

/// One of the two sides of a match.
pub enum Contestant {
    /// An opponent that needs no network.
    BuiltIn(BuiltIn),
    /// A search with a network, limited by simulations.
    Network(NetworkPlayer),
    /// A search with a network, limited by time; the player's simulations do not count.
    Timed(NetworkPlayer, TurnTime),
    /// A program of its own.
    Engine(EnginePlayer),
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

/// Time for a turn, on average: what a turn takes too long is taken off the player's next ones.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TurnTime {
    /// How much.
    pub time: Duration,
    /// By which clock.
    pub clock: Clock,
}

impl TurnTime {
    /// What a turn may take for a player who owes time: at least half of the usual.
    pub(super) fn after(&self, owed: Duration) -> Duration {
        self.time.saturating_sub(owed).max(self.time / 2)
    }
}

/// An engine and what it may spend on a turn.
#[derive(Clone, Debug, PartialEq)]
pub struct EnginePlayer {
    /// What it is called in messages.
    pub name: String,
    /// Its program, found.
    pub settings: EngineSettings,
    /// Nodes or time for a turn; time by the clock on the wall, on average as in [`TurnTime`].
    pub limit: Limit,
}

impl Contestant {
    /// Whether its games need a thread for themselves: where time counts, and where a process is
    /// waited for.
    pub fn plays_alone(&self) -> bool {
        matches!(self, Contestant::Timed(..) | Contestant::Engine(_))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn owed_time_is_taken_off_up_to_half_a_turn() {
        let time = TurnTime { time: Duration::from_millis(100), clock: Clock::Wall };
        let after = |owed| time.after(Duration::from_millis(owed)).as_millis();
        assert_eq!([after(0), after(30), after(50), after(80), after(1_000)], [100, 70, 50, 50, 50]);
    }
}
