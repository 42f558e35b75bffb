//! The promises of the contract, named.

use std::fmt;

/// One promise of the contract.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[non_exhaustive]
pub enum Check {
    /// Presets exist and open; unknown ones do not.
    Presets,
    /// Rules written as a table of options are read back the same, and unknown keys are refused.
    RulesText,
    /// Start distributions have names of their own, the standard start first. Those that can be drawn by name
    /// alone give the same position for the same stream, which is written and read back and in which the
    /// game has not ended, or say why these rules have none; unknown ones are refused.
    Starts,
    /// Legal steps are listed in the same order every time, and counted as they are listed.
    StepOrder,
    /// A step drawn at random is legal, each as often as the others, and none is drawn where the game has ended.
    RandomStep,
    /// Complete turns are counted as they are walked through.
    TurnCount,
    /// There are no legal steps exactly when the game has ended.
    StepsUntilTheEnd,
    /// A game that has ended without looking back has also ended with its line.
    Outcome,
    /// The mover stays through a turn and changes after it.
    Mover,
    /// Games end within their longest length.
    LongestGame,
    /// Points change by captures only, and no step takes points from its own side.
    Points,
    /// The repetition key depends on the position alone and changes with every turn.
    RepetitionKey,
    /// After an irreversible turn no earlier position comes back.
    Irreversible,
    /// What a viewer sees of what he sees is the same, and the mover sees his steps.
    Observe,
    /// A written position is read back.
    PositionText,
    /// Wrong text of a position is refused with faults, or read as a position that is written again.
    WrongPositionText,
    /// Texts of legal steps differ and are read back.
    StepText,
    /// Texts of complete turns differ and are read back.
    TurnText,
    /// The turn so far leads to the position.
    TurnSoFar,
    /// Boards in characters and pictures can be shown.
    Picture,
    /// Codes of legal steps differ and are decoded; other codes are not.
    StepCode,
    /// Policy cells lie inside the policy shape and every step has one.
    PolicyCells,
    /// What is one side's own is the other side's enemy's, on the square where the other side sees it.
    Owners,
    /// Planes are finite numbers and the same every time.
    Planes,
    /// Evaluation keys are equal exactly when planes are.
    EvaluationKey,
    /// Positions with equal planes have the same legal steps in the same order.
    PlanesShowSteps,
    /// All bits of evaluation keys are mixed.
    KeyBits,
    /// The margin unit is a number that fits the points.
    MarginUnit,
    /// Symmetries go with play, planes and policy cells.
    Symmetry,
    /// A recorded game is replayed, and a wrong record is refused.
    Record,
}

impl fmt::Display for Check {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Debug::fmt(self, formatter)
    }
}

/// A promise that was not kept.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Failure {
    /// The promise.
    pub check: Check,
    /// Where: mostly the position as the game writes it.
    pub place: String,
    /// What was found.
    pub found: String,
}
