//! A game between a person and an opponent, for programs that know the game by name only.
//!
//! A [`Duel`] is the game under way: it reads turns and steps as text, answers with the opponent's
//! turns, gives hints and takes back. Who plays which side is up to the caller. Every game can be
//! played ([`DuelSession`]); `game_under_way.rs` is what works behind the interface.

mod game_under_way;

use crate::inspection::Inspection;
use crate::opponents::BuiltIn;
use game::{BoardGame, Fault, Faults, Outcome, Player, StepCode};
use game_under_way::GameUnderWay;
use search::SearchConfig;
use selfplay::{Evaluator, EvaluatorError};
use serde::{Deserialize, Serialize};

/// Who a person plays against.
pub enum DuelOpponent {
    /// An opponent that needs no network.
    BuiltIn(BuiltIn),
    /// A search with a network, without noise.
    Network {
        /// The network.
        evaluator: Box<dyn Evaluator>,
        /// How the search works.
        search: SearchConfig,
        /// Simulations a turn; 0 plays the step with the largest prior.
        simulations: u32,
    },
}

/// A finished turn of a duel.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct DuelTurn {
    /// Who played it.
    pub player: Player,
    /// The turn as the game writes it.
    pub text: String,
}

/// What is on the board.
#[derive(Clone, Debug, PartialEq)]
pub struct DuelView {
    /// The position as the game writes it.
    pub fen: String,
    /// The board in characters.
    pub board: String,
    /// The side to move.
    pub mover: Player,
    /// Points captured by the first and the second player; both 0 where a game has none.
    pub points: [i32; 2],
    /// The turn under way as far as it has been played; empty between turns.
    pub begun: Vec<String>,
    /// The end of the game, if it has ended.
    pub outcome: Option<Outcome>,
}

/// What to play.
#[derive(Clone, Debug, PartialEq)]
pub struct Hint {
    /// A whole turn, or the rest of the one under way.
    pub turn: String,
    /// What the network makes of the position, where the opponent has one.
    pub inspection: Option<Inspection>,
}

/// A game from its start, to be saved and gone on with.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct DuelRecord {
    /// The start position.
    pub start: String,
    /// The finished turns, for people.
    pub turns: Vec<String>,
    /// The codes of all steps, those of a turn under way included.
    pub steps: Vec<StepCode>,
}

/// Why a duel cannot begin or go on.
#[derive(Debug, thiserror::Error)]
pub enum DuelError {
    /// The start is no position of the game.
    #[error("position `{text}`: {faults}")]
    Start {
        /// The text.
        text: String,
        /// All that is wrong with it.
        faults: Faults,
    },
    /// The opponent's network reads other shapes than the game writes.
    #[error("the network has other shapes than the game")]
    Shapes,
    /// The opponent's network failed.
    #[error(transparent)]
    Evaluator(#[from] EvaluatorError),
    /// There is no legal step: the game has ended.
    #[error("the game has ended")]
    Ended,
    /// A record is not one of this game and these rules.
    #[error("step {step} of the record is not legal")]
    Record {
        /// The step, from 1.
        step: usize,
    },
}

/// A game under way between two sides, one of which may be the opponent.
pub trait Duel {
    /// What is on the board.
    fn view(&self) -> DuelView;

    /// The board as an SVG document, the last turn marked.
    fn picture(&self) -> String;

    /// The finished turns, oldest first.
    fn turns(&self) -> &[DuelTurn];

    /// Texts of the legal steps; none when the game has ended.
    fn legal_steps(&self) -> Vec<String>;

    /// Plays what a text says: between turns a whole turn or else a step that begins one, inside a turn
    /// a step that goes on with it.
    ///
    /// # Errors
    /// What is wrong with the text; nothing has been played then.
    fn enter(&mut self, text: &str) -> Result<(), Fault>;

    /// Plays one step, which leaves the turn open where it may go on.
    ///
    /// # Errors
    /// What is wrong with the text; nothing has been played then.
    fn enter_step(&mut self, text: &str) -> Result<(), Fault>;

    /// Lets the opponent play a whole turn for the side to move, or the rest of one; its text.
    ///
    /// # Errors
    /// A game that has ended, a network that fails.
    fn reply(&mut self) -> Result<String, DuelError>;

    /// What the opponent would play for the side to move.
    ///
    /// # Errors
    /// As [`Duel::reply`].
    fn hint(&mut self) -> Result<Hint, DuelError>;

    /// Takes back the last step of a turn under way, or else the last turn; whether there was one.
    fn take_back(&mut self) -> bool;

    /// The game so far.
    fn record(&self) -> DuelRecord;

    /// Replaces the game by a recorded one.
    ///
    /// # Errors
    /// A record of something else; the game stays as it was then.
    fn restore(&mut self, record: &DuelRecord) -> Result<(), DuelError>;
}

/// A game that can be played against an opponent; every game is one.
pub trait DuelSession {
    /// Begins a game at a position, `None` standing for the game's start. The opponent's chance comes
    /// from `seed` and the number of steps played alone, so that a turn taken back is answered again in
    /// the same way.
    ///
    /// # Errors
    /// A start that is no position, a network that does not fit.
    fn begin_duel(
        &self,
        start: Option<&str>,
        opponent: DuelOpponent,
        seed: u64,
    ) -> Result<Box<dyn Duel>, DuelError>;
}

impl<G: BoardGame> DuelSession for G {
    fn begin_duel(
        &self,
        start: Option<&str>,
        opponent: DuelOpponent,
        seed: u64,
    ) -> Result<Box<dyn Duel>, DuelError> {
        Ok(Box::new(GameUnderWay::new(self.clone(), start, opponent, seed)?))
    }
}
