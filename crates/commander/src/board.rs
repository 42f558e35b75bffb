//! The board: stacks on points, with the sets that rules ask for often.

use crate::bits::Bits;
use crate::contents::{DEFENDS, EMPTY, FORCES, ODD, STACKS, number};
use crate::piece::{Kind, Piece};
use crate::point::{POINTS, Point};
use crate::stack::Stack;
use crate::zobrist::stack_key;
use game::Player;

/// Stacks on points, in 192 bytes. Sets and commanders always agree with the stacks; the key agrees as
/// long as every change is made with `KEYS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    /// What stands on a point, its side apart, as a number of `contents.rs`.
    contents: [u8; POINTS],
    /// The stack under the number [`ODD`], if there is one.
    odd: Stack,
    commanders: [Point; 2],
    occupied: [Bits; 2],
    key: u64,
}

impl Board {
    /// A board without pieces.
    pub const EMPTY: Board = Board {
        contents: [EMPTY; POINTS],
        odd: Stack::EMPTY,
        commanders: [Point::NONE; 2],
        occupied: [Bits::EMPTY; 2],
        key: 0,
    };

    /// What stands on a point.
    #[inline]
    pub fn at(&self, point: Point) -> Stack {
        let number = self.contents[point.index()];
        if number == ODD {
            return self.odd;
        }
        let side = if self.occupied[1].contains(point) { Player::Second } else { Player::First };
        STACKS[number as usize].of_side(side)
    }

    /// The number of what stands on a point, its side apart.
    #[inline]
    pub(crate) const fn number_at(&self, point: Point) -> u8 {
        self.contents[point.index()]
    }

    /// Whether nothing stands on a point.
    #[inline]
    pub const fn is_empty(&self, point: Point) -> bool {
        self.contents[point.index()] == EMPTY
    }

    /// Points with pieces of a side.
    #[inline]
    pub const fn occupied(&self, side: Player) -> Bits {
        self.occupied[side.index()]
    }

    /// Where the commander of a side stands.
    #[inline]
    pub fn commander(&self, side: Player) -> Option<Point> {
        let point = self.commanders[side.index()];
        (point != Point::NONE).then_some(point)
    }

    /// The stacks of a side with their points, a1 first, along the ranks.
    #[inline]
    pub fn stacks(&self, side: Player) -> impl Iterator<Item = (Point, Stack)> {
        self.occupied(side).into_iter().map(|point| (point, self.at(point)))
    }

    /// The pieces of a side.
    #[inline]
    pub fn pieces(&self, side: Player) -> impl Iterator<Item = Piece> {
        self.stacks(side).flat_map(|(_, stack)| stack.pieces())
    }

    /// Number of pieces of a kind.
    pub fn count(&self, side: Player, kind: Kind) -> u16 {
        self.pieces(side).map(|piece| u16::from(piece.kind() == kind)).sum()
    }

    /// Number of all pieces of a side.
    pub fn total(&self, side: Player) -> u16 {
        self.stacks(side).map(|(_, stack)| stack.len() as u16).sum()
    }

    /// Points with an anti-air, missile or navy of a side, as carrier or as cargo.
    #[inline]
    pub fn defenders(&self, side: Player) -> impl Iterator<Item = Point> {
        // A pair that a carrier left behind has none of these.
        self.occupied(side).into_iter().filter(|point| DEFENDS[self.contents[point.index()] as usize])
    }

    /// The battle forces of a side, as [`Stack::forces`] has them.
    #[inline]
    pub(crate) fn forces(&self, side: Player) -> u8 {
        const ALL: u8 = 7;
        let mut forces = 0;
        for point in self.occupied(side) {
            let number = self.number_at(point);
            forces |= if number == ODD { self.odd.forces() } else { FORCES[number as usize] };
            if forces == ALL {
                break;
            }
        }
        forces
    }

    /// Key of the board as a side sees it: the same for the same situation with colours exchanged.
    #[inline]
    pub fn key(&self, viewer: Player) -> u64 {
        match viewer {
            Player::First => self.key,
            Player::Second => Player::BOTH
                .into_iter()
                .flat_map(|side| self.stacks(side))
                .fold(0, |key, (point, stack)| key ^ stack_key(point.mirrored(), stack.flipped())),
        }
    }

    /// Replaces what stands on a point. Without `KEYS` the key is left alone, for boards that are only
    /// looked at.
    #[inline]
    pub fn set<const KEYS: bool>(&mut self, point: Point, stack: Stack) {
        let old = self.at(point);
        if old == stack {
            return;
        }
        if KEYS {
            self.key ^= stack_key(point, old) ^ stack_key(point, stack);
        }
        if self.contents[point.index()] == ODD {
            self.odd = Stack::EMPTY;
        }
        let number = number(stack);
        self.contents[point.index()] = number;
        if number == ODD {
            debug_assert!(self.odd.is_empty(), "only one stack is being split");
            self.odd = stack;
        }
        if !old.is_empty() {
            let side = old.side().index();
            self.occupied[side].remove(point);
            if self.commanders[side] == point {
                self.commanders[side] = Point::NONE;
            }
        }
        if !stack.is_empty() {
            let side = stack.side().index();
            self.occupied[side].insert(point);
            if stack.contains(Kind::Commander) {
                self.commanders[side] = point;
            }
        }
    }

    /// The board made again from its stacks alone, for tests of the incremental parts.
    pub fn rebuilt(&self) -> Board {
        let mut board = Board::EMPTY;
        for (point, stack) in Player::BOTH.into_iter().flat_map(|side| self.stacks(side)) {
            board.set::<true>(point, stack);
        }
        board
    }

    /// The same situation with colours exchanged: mirrored top to bottom, sides swapped.
    pub fn flipped(&self) -> Board {
        let mut board = Board::EMPTY;
        for (point, stack) in Player::BOTH.into_iter().flat_map(|side| self.stacks(side)) {
            board.set::<true>(point.mirrored(), stack.flipped());
        }
        board
    }
}
