//! A move.

use crate::square::Square;
use std::fmt;

/// A move: from where to where. Every turn is one step.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Step {
    /// Where the piece stands.
    pub from: Square,
    /// Where it goes.
    pub to: Square,
}

impl Step {
    /// Reads UCCI's form, `h2e2`, ranks from 0.
    pub fn read(text: &str) -> Option<Step> {
        let (from, to) = (text.get(..2)?, text.get(2..)?);
        Some(Step { from: Square::read(from)?, to: Square::read(to)? })
    }

    /// The step on the board mirrored left to right.
    pub const fn mirrored(self) -> Step {
        Step { from: self.from.mirrored(), to: self.to.mirrored() }
    }
}

/// UCCI's form: `h2e2`.
impl fmt::Display for Step {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}{}", self.from, self.to)
    }
}

impl fmt::Debug for Step {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}
