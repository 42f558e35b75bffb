//! Looking into an agent: what its network and its search make of given positions.
//!
//! [`InspectionSession`] searches many positions side by side, so that an evaluator gets full batches,
//! and tells of each what a person wants to see: priors, visits, values, principal lines. Every game is
//! one. `searches.rs` runs the searches, `lines.rs` writes lines as turns, `arrows.rs` draws a policy
//! over a board.

mod arrows;
mod lines;
mod searches;

pub use arrows::{Arrow, draw_arrows};
pub(crate) use lines::line_texts;
pub(crate) use searches::inspection;

use game::{BoardGame, Fault, Faults, Play, Player, StepCode};
use search::{RootValue, SearchConfig};
use selfplay::{Evaluator, EvaluatorError};
use serde::Serialize;

/// How positions are searched: without noise, from an empty tree.
#[derive(Clone, Debug)]
pub struct InspectionPlan {
    /// How the search works.
    pub search: SearchConfig,
    /// Simulations a position; 0 asks for the raw policy.
    pub simulations: u32,
    /// Positions that a thread searches side by side: the size of its batches.
    pub at_once: usize,
}

/// What an agent makes of a position. All values are of the side to move.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Inspection {
    /// The position as the game writes it.
    pub fen: String,
    /// The side to move.
    pub mover: Player,
    /// What the network says without looking ahead.
    pub network: Appraisal,
    /// What the search says.
    pub search: Appraisal,
    /// Simulations of the search.
    pub simulations: u32,
    /// Index of the step that the agent plays.
    pub chosen: usize,
    /// The legal steps in the game's order.
    pub steps: Vec<InspectedStep>,
}

/// A judgement of a position.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize)]
pub struct Appraisal {
    /// Probability of a win.
    pub win: f32,
    /// Probability of a draw.
    pub draw: f32,
    /// Probability of a loss.
    pub loss: f32,
    /// Expected points margin in the game's margin units squashed by `tanh`, in [−1, 1]; 0 where the
    /// game has no points.
    pub margin: f32,
    /// What the search maximises: win − loss, and the weighted margin where the run has one.
    pub utility: f32,
}

impl From<RootValue> for Appraisal {
    fn from(value: RootValue) -> Appraisal {
        let RootValue { wdl, margin, utility } = value;
        Appraisal { win: wdl.0.win, draw: wdl.0.draw, loss: wdl.0.loss, margin: margin.0, utility: utility.0 }
    }
}

/// What an agent makes of a step.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct InspectedStep {
    /// The step.
    pub step: String,
    /// Its code.
    pub code: StepCode,
    /// The network's probability.
    pub prior: f32,
    /// Visits of the search.
    pub visits: u32,
    /// Mean utility of the visits; `None` without visits.
    pub value: Option<f32>,
    /// Weight in the search's policy.
    pub policy: f32,
    /// How the search expects the game to go on with this step, turn by turn; the last turn may be
    /// incomplete.
    pub line: Vec<String>,
}

/// A position after a step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Successor {
    /// The position as the game writes it.
    pub position: String,
    /// Why the game ends there, if it does.
    pub ended: Option<&'static str>,
    /// Of all its images under the game's symmetries the one whose text is the first in alphabetical order: the
    /// same for two positions if they are the same position or mirror images.
    pub canonical: String,
}

/// Why positions cannot be inspected.
#[derive(Debug, thiserror::Error)]
pub enum InspectionError {
    /// A text is no position of the game.
    #[error("position `{text}`: {faults}")]
    Position {
        /// The text.
        text: String,
        /// All that is wrong with it.
        faults: Faults,
    },
    /// There is nothing to decide.
    #[error("position `{text}`: the game has ended here ({reason})")]
    Ended {
        /// The text.
        text: String,
        /// Why it has ended.
        reason: &'static str,
    },
    /// The evaluator reads other shapes than the game writes.
    #[error("the network has other shapes than the game")]
    Shapes,
    /// An evaluator failed.
    #[error(transparent)]
    Evaluator(#[from] EvaluatorError),
    /// The watch stopped it.
    #[error("stopped")]
    Stopped,
}

impl InspectionError {
    /// Whether the request was wrong, rather than the work having failed.
    pub const fn is_input(&self) -> bool {
        matches!(
            self,
            InspectionError::Position { .. } | InspectionError::Ended { .. } | InspectionError::Shapes
        )
    }
}

/// A game whose positions can be inspected; every game is one.
pub trait InspectionSession {
    /// Searches positions, `None` standing for the game's start, one thread for each evaluator. The
    /// answers are in the order of the positions. `stop` is asked before every batch.
    ///
    /// # Errors
    /// Positions that are none or where the game has ended, evaluators that do not fit or fail.
    fn inspect(
        &self,
        positions: &[Option<&str>],
        evaluators: Vec<Box<dyn Evaluator>>,
        plan: &InspectionPlan,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<Inspection>, InspectionError>;

    /// The board of an inspection in characters.
    ///
    /// # Errors
    /// A position of another game.
    fn inspected_board(&self, inspection: &Inspection) -> Result<String, InspectionError>;

    /// The board of an inspection as an SVG document, its policy drawn over it as arrows.
    ///
    /// # Errors
    /// A position of another game.
    fn inspected_picture(&self, inspection: &Inspection) -> Result<String, InspectionError>;

    /// The code of a step, or of the first step of a turn, in a position.
    ///
    /// # Errors
    /// A position or a step that is none, in words.
    fn find_step(&self, position: &str, text: &str) -> Result<StepCode, String>;

    /// The position after an inspected step. Repetition is not applied: it belongs to games and not to positions.
    ///
    /// # Errors
    /// A position that is none, or one that has no such step.
    fn after(&self, position: &str, step: StepCode) -> Result<Successor, InspectionError>;
}

impl<G: BoardGame> InspectionSession for G {
    fn inspect(
        &self,
        positions: &[Option<&str>],
        evaluators: Vec<Box<dyn Evaluator>>,
        plan: &InspectionPlan,
        stop: &(dyn Fn() -> bool + Sync),
    ) -> Result<Vec<Inspection>, InspectionError> {
        let mut plays = Vec::with_capacity(positions.len());
        for text in positions {
            let position = text.map_or(Ok(self.start()), |text| read(self, text))?;
            let play = Play::new(self, position);
            if let Some(outcome) = play.outcome(self) {
                return Err(InspectionError::Ended {
                    text: self.write_position(&position),
                    reason: outcome.reason.0,
                });
            }
            plays.push(play);
        }
        searches::run(self, &plays, evaluators, plan, stop)
    }

    fn inspected_board(&self, inspection: &Inspection) -> Result<String, InspectionError> {
        Ok(self.board_text(&read(self, &inspection.fen)?))
    }

    fn inspected_picture(&self, inspection: &Inspection) -> Result<String, InspectionError> {
        let position = read(self, &inspection.fen)?;
        let (before, done) = self.turn_so_far(&position);
        let begun = (!done.is_empty()).then_some((&before, done.as_slice()));
        let picture = self.board_svg(&position, begun);
        let arrows = inspection.steps.iter().filter_map(|step| {
            let trace = self.step_trace(&position, self.step_from_code(&position, step.code)?)?;
            Some(Arrow { trace, share: step.policy })
        });
        Ok(draw_arrows(&picture, arrows.collect()))
    }

    fn find_step(&self, position: &str, text: &str) -> Result<StepCode, String> {
        let position = self.read_position(position).map_err(|faults| faults.to_string())?;
        let step = match self.read_step(&position, text) {
            Ok(step) => step,
            Err(fault) => {
                let turn = self.read_turn(&position, text).ok();
                turn.and_then(|steps| steps.first().copied()).ok_or_else(|| fault.to_string())?
            }
        };
        Ok(self.step_code(&position, step))
    }

    fn after(&self, position: &str, step: StepCode) -> Result<Successor, InspectionError> {
        let here = read(self, position)?;
        let legal = self.step_from_code(&here, step);
        let step = legal.ok_or_else(|| InspectionError::Position {
            text: position.to_owned(),
            faults: Fault::new("step", format!("code {} is no legal step here", step.0)).into(),
        })?;
        let mut play = Play::new(self, here);
        play.step(self, step);
        let position = self.write_position(&play.position);
        let image = |symmetry| self.write_position(&self.transform(&play.position, symmetry));
        let canonical = (1..self.symmetries()).map(image).chain([position.clone()]).min();
        Ok(Successor {
            ended: play.outcome(self).map(|outcome| outcome.reason.0),
            canonical: canonical.unwrap_or_default(),
            position,
        })
    }
}

fn read<G: BoardGame>(game: &G, text: &str) -> Result<G::Position, InspectionError> {
    game.read_position(text).map_err(|faults| InspectionError::Position { text: text.to_owned(), faults })
}
