//! How many pieces of each kind a side has.

use crate::piece::Kind;

/// Numbers of pieces by kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Army([u8; 12]);

impl Army {
    /// No pieces.
    pub const NONE: Army = Army([0; 12]);

    /// The 19 pieces of the standard and of free set-ups: one commander, missile and militia, and two of each
    /// other kind.
    pub const FULL: Army = Army([0, 2, 2, 2, 2, 2, 2, 2, 1, 1, 2, 1]);

    /// The pieces of these kinds.
    pub fn of(kinds: impl IntoIterator<Item = Kind>) -> Army {
        let mut army = Army::NONE;
        for kind in kinds {
            army.0[kind.index()] += 1;
        }
        army
    }

    /// Number of pieces of a kind.
    pub const fn count(&self, kind: Kind) -> u8 {
        self.0[kind.index()]
    }

    /// Number of all pieces.
    pub fn total(&self) -> u32 {
        self.0.iter().map(|&count| u32::from(count)).sum()
    }

    /// What is left without `times` times the pieces of `part`; `None` where they are not there.
    pub fn without(&self, part: &Army, times: u8) -> Option<Army> {
        let mut left = *self;
        for (have, need) in left.0.iter_mut().zip(part.0) {
            *have = have.checked_sub(need.checked_mul(times)?)?;
        }
        Some(left)
    }
}
