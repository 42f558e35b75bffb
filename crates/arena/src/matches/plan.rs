//! What a match plays, and what can go wrong with it.

use super::Tally;
use engine::EngineFault;
use pairs::Pair;
use selfplay::EvaluatorError;

/// Size and randomness of a match.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct MatchPlan {
    /// Pairs of games.
    pub pairs: u64,
    /// Random turns at the start of each pair.
    pub opening_turns: u32,
    /// All random streams of the match come from it.
    pub seed: u64,
    /// Worker threads, each with evaluators of its own.
    pub threads: usize,
    /// Games that a thread plays side by side when a network takes part and time does not count; more make
    /// larger batches.
    pub games_at_once: usize,
}

/// How urgently a match should stop.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Stop {
    /// Not at all.
    GoOn,
    /// Finish the pairs under way, begin no more.
    FinishPairs,
    /// At once; pairs under way do not count.
    Now,
}

/// Looks on while a match is played; called from several threads.
pub trait Watch: Sync {
    /// A pair has ended; `tally` counts all pairs that have, those that were played earlier included.
    /// Calls do not overlap.
    fn pair_finished(&self, pair: &Pair, tally: &Tally);

    /// The network of side A (0) or B (1) has judged a batch of so many positions.
    fn batch_judged(&self, _side: usize, _rows: usize) {}

    /// Asked before every step.
    fn stop(&self) -> Stop;
}

/// A fault of a file of start positions.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("line {line}: {message}")]
pub struct StartFault {
    /// Line, from 1.
    pub line: usize,
    /// What is wrong.
    pub message: String,
}

/// Why a match could not be played.
#[derive(Debug, thiserror::Error)]
pub enum MatchError {
    /// Start positions are faulty; all faults at once.
    #[error("start positions: {}", join(.0))]
    Starts(Vec<StartFault>),
    /// No random opening of this length leaves a game to play.
    #[error(
        "pair {pair}: each of {tries} random openings of {turns} turns ended the game; ask for fewer opening turns"
    )]
    Opening {
        /// The pair, from 0.
        pair: u64,
        /// Turns of an opening.
        turns: u32,
        /// Openings drawn.
        tries: u32,
    },
    /// An evaluator failed.
    #[error(transparent)]
    Evaluator(#[from] EvaluatorError),
    /// The evaluator reads other shapes than the game writes.
    #[error("the network of side {side} has other shapes than the game")]
    Shapes {
        /// `A` or `B`.
        side: char,
    },
    /// An engine does not get ready.
    #[error("engine `{name}`: {fault}")]
    Engine {
        /// Side A (0) or B (1).
        side: usize,
        /// What it is called.
        name: String,
        /// How it failed.
        fault: EngineFault,
    },
    /// An engine has failed and does not get ready again.
    #[error("engine `{name}` cannot be started again: {fault}")]
    EngineGone {
        /// Side A (0) or B (1).
        side: usize,
        /// What it is called.
        name: String,
        /// How it failed.
        fault: EngineFault,
    },
    /// A position that has not ended has no step. The game breaks its contract.
    #[error("no legal step in a game that has not ended: {position}")]
    NoStep {
        /// The position as the game writes it.
        position: String,
    },
}

impl MatchError {
    /// Whether the request was wrong, rather than the work having failed.
    pub fn is_input(&self) -> bool {
        matches!(
            self,
            MatchError::Starts(_)
                | MatchError::Opening { .. }
                | MatchError::Shapes { .. }
                | MatchError::Engine { .. }
        )
    }
}

fn join(faults: &[StartFault]) -> String {
    faults.iter().map(ToString::to_string).collect::<Vec<_>>().join("; ")
}
