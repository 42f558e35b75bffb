//! A step: what a player does at once.

use crate::direction::Direction;
use crate::square::Square;

/// A step; its directions are absolute, the same for both sides.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Step {
    /// A man from the hand, or the shadow piece, is entered.
    Enter {
        /// Where.
        square: Square,
    },
    /// A column goes to a neighbouring empty square.
    Move {
        /// Where it stands.
        from: Square,
        /// Where it goes.
        direction: Direction,
    },
    /// A column jumps over an enemy column and takes its top man; a turn may have several jumps.
    Jump {
        /// Where it stands.
        from: Square,
        /// Where it jumps.
        direction: Direction,
    },
}

impl Step {
    /// The square on which the entered man or the column stands afterwards.
    #[inline]
    pub const fn target(self) -> Square {
        match self {
            Step::Enter { square } => square,
            Step::Move { from, direction } => direction.from(from, 1),
            Step::Jump { from, direction } => direction.from(from, 2),
        }
    }
}
