//! Entries and steps (rules, *Entering* and *Stepping*).

use crate::captures::Field;
use crate::direction::Direction;
use crate::emergo::Emergo;
use crate::position::Position;
use game::Player;

/// The files that no step to the east, and none to the west, ends on.
const FILE_A: u64 = 1 | 1 << 9 | 1 << 18 | 1 << 27 | 1 << 36;
const FILE_I: u64 = FILE_A << 4;

impl Emergo {
    /// Squares on which the mover may enter, no capture being possible; none with an empty hand.
    #[inline(always)]
    pub(crate) const fn entries(&self, position: &Position) -> u64 {
        if position.own_hand() == 0 {
            return 0;
        }
        let empty = position.empty(self.board.all);
        let enemy = position.enemy();
        let mut entries = empty;
        let attack = Field { targets: position.own() & self.board.interior, empty };
        if attack.all_victims(enemy) == 0 {
            // Nothing may be fed to a side that has no capture yet.
            let fed = Field { targets: empty & self.board.interior, empty };
            entries &= !fed.all_victims(enemy);
        }
        if self.centre_barred(position, position.mover) {
            entries &= !self.board.centre.bit();
        }
        entries
    }

    /// Whether the next entry of `side` is White's first one, which may not be on the centre.
    #[inline(always)]
    pub(crate) const fn centre_barred(&self, position: &Position, side: Player) -> bool {
        matches!(side, Player::First) && position.hands[0] == self.board.men
    }
}

impl Position {
    /// The mover's columns that can step in a direction.
    #[inline(always)]
    pub(crate) const fn steppers(&self, all: u64, direction: Direction) -> u64 {
        let entered = match direction {
            Direction::NorthEast | Direction::SouthEast => !FILE_A,
            Direction::NorthWest | Direction::SouthWest => !FILE_I,
        };
        direction.reverse().shift(self.empty(all) & entered & direction.shift(self.own()))
    }
}
