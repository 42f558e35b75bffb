//! Who plays the games of a study, and who judges positions without playing.

use commander::Deployment;
use pairs::Pair;

/// Two games between two set-ups: in the first one the first set-up is Red's, in the other one Blue's. The same
/// player plays both sides of both.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PairRequest {
    /// Number of the pair within the study; it names its chance.
    pub number: u64,
    /// The set-ups; the pair's score is that of the first one.
    pub sides: [Deployment; 2],
}

/// Who plays, and how carefully.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Seat {
    /// Which player: 0 for the study's agent, from 1 on the players of its control.
    pub player: usize,
    /// Simulations a turn; players without a network have their own measure.
    pub simulations: u32,
}

/// Why a study cannot go on.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// It was asked to stop.
    #[error("stopped")]
    Stopped,
    /// Playing or judging failed.
    #[error("{0}")]
    Failed(String),
}

/// Plays pairs of games.
pub trait Table {
    /// Plays pairs and hands each one to `kept` as it ends, in any order; a game that the rules declare void
    /// is [`pairs::PlayedGame::void`]. Where `kept` returns false the table stops as soon as it can.
    ///
    /// # Errors
    /// [`TableError::Stopped`] when some are missing because the user asked to stop.
    fn play(
        &self,
        seat: Seat,
        pairs: &[PairRequest],
        kept: &(dyn Fn(&PairRequest, &Pair) -> bool + Sync),
    ) -> Result<(), TableError>;
}

/// Gives values of positions without playing.
pub trait Judge {
    /// Red's expected score, from 0 to 1, in each position before the first turn: Red's set-up and Blue's.
    /// None of the pairs is void.
    ///
    /// # Errors
    /// [`TableError::Stopped`] when the user asked to stop.
    fn judge(&self, positions: &[[&Deployment; 2]]) -> Result<Vec<f64>, TableError>;
}
