//! Values whose point of view is a type.
//!
//! A number that says "how good" is meaningless without saying for whom. [`OfMover`] wraps a value
//! seen by the side to move, [`OfFirst`] one seen by [`Player::First`]; only
//! [`OfMover::to_first`] and [`OfFirst::to_mover`] convert.

use crate::Player;
use serde::{Deserialize, Serialize};

/// A value that can be looked at from the other side.
pub trait Flip: Copy {
    /// The same value seen by the opponent.
    fn flip(self) -> Self;
}

impl Flip for f32 {
    #[inline]
    fn flip(self) -> f32 {
        -self
    }
}

impl Flip for i32 {
    #[inline]
    fn flip(self) -> i32 {
        -self
    }
}

/// Probabilities (or soft targets) of win, draw and loss; they sum to 1.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Wdl {
    /// Probability of a win.
    pub win: f32,
    /// Probability of a draw.
    pub draw: f32,
    /// Probability of a loss.
    pub loss: f32,
}

impl Wdl {
    /// A certain win.
    pub const WIN: Wdl = Wdl { win: 1.0, draw: 0.0, loss: 0.0 };
    /// A certain draw.
    pub const DRAW: Wdl = Wdl { win: 0.0, draw: 1.0, loss: 0.0 };
    /// A certain loss.
    pub const LOSS: Wdl = Wdl { win: 0.0, draw: 0.0, loss: 1.0 };

    /// Expected result in [−1, 1]: win − loss.
    #[inline]
    pub fn value(self) -> f32 {
        self.win - self.loss
    }
}

impl Flip for Wdl {
    #[inline]
    fn flip(self) -> Wdl {
        Wdl { win: self.loss, draw: self.draw, loss: self.win }
    }
}

/// A value seen by the side to move.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct OfMover<V>(pub V);

/// A value seen by [`Player::First`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct OfFirst<V>(pub V);

impl<V: Flip> OfMover<V> {
    /// The value as the first player sees it, `mover` being the side to move.
    #[inline]
    pub fn to_first(self, mover: Player) -> OfFirst<V> {
        match mover {
            Player::First => OfFirst(self.0),
            Player::Second => OfFirst(self.0.flip()),
        }
    }
}

impl<V: Flip> OfFirst<V> {
    /// The value as `mover`, the side to move, sees it.
    #[inline]
    pub fn to_mover(self, mover: Player) -> OfMover<V> {
        match mover {
            Player::First => OfMover(self.0),
            Player::Second => OfMover(self.0.flip()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn conversions_flip_only_for_the_second_player() {
        let seen = OfMover(Wdl { win: 0.5, draw: 0.3, loss: 0.2 });
        assert_eq!(seen.to_first(Player::First).0, seen.0);
        assert_eq!(seen.to_first(Player::Second).0, Wdl { win: 0.2, draw: 0.3, loss: 0.5 });
        for mover in Player::BOTH {
            assert_eq!(seen.to_first(mover).to_mover(mover), seen);
        }
        assert_eq!(OfMover(3).to_first(Player::Second), OfFirst(-3));
    }
}
