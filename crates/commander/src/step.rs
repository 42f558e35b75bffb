//! A step: what one player does at once.

use crate::point::Point;

/// What a step does. The sign is that of the machine notation (rules, section 10).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum StepKind {
    /// `-` onto an empty point.
    Move = 0,
    /// `x` onto the captured stack's point.
    Capture = 1,
    /// `_` captures and stays.
    StayCapture = 2,
    /// `@` attacker and target both vanish.
    Crash = 3,
    /// `&` onto a friendly stack, by reach or riding along.
    Join = 4,
    /// `!` removes a headquarters from over its commander.
    Breach = 5,
    /// `~` an air force drops passengers and returns.
    Drop = 6,
    /// `.` ends a turn whose stack could still act.
    EndTurn = 7,
}

impl StepKind {
    /// All kinds in order.
    pub const ALL: [StepKind; 8] = [
        StepKind::Move,
        StepKind::Capture,
        StepKind::StayCapture,
        StepKind::Crash,
        StepKind::Join,
        StepKind::Breach,
        StepKind::Drop,
        StepKind::EndTurn,
    ];

    /// The sign in the machine notation.
    pub const fn sign(self) -> char {
        b"-x_@&!~."[self as usize] as char
    }

    /// Whether the step captures; a breach counts as a capture of 0 points.
    #[inline]
    pub const fn is_capture(self) -> bool {
        matches!(self, StepKind::Capture | StepKind::StayCapture | StepKind::Crash | StepKind::Breach)
    }
}

/// A step of the stack on `origin`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Step {
    /// Where the acting stack stands; also for [`StepKind::EndTurn`].
    pub origin: Point,
    /// The point it acts upon; the origin for [`StepKind::EndTurn`].
    pub target: Point,
    /// What it does.
    pub kind: StepKind,
    /// Slots of the origin's present stack that act (bit 0: the carrier). Of equal members always
    /// the lowest slots. 0 for [`StepKind::EndTurn`].
    pub members: u8,
}

impl Step {
    /// The step that ends the turn of the stack on `origin`.
    pub const fn end_turn(origin: Point) -> Step {
        Step { origin, target: origin, kind: StepKind::EndTurn, members: 0 }
    }
}
