//! The board: stacks on points, with the sets and counts that rules ask for often.

use crate::bits::Bits;
use crate::piece::Kind;
use crate::point::{POINTS, Point};
use crate::stack::Stack;
use crate::zobrist::stack_key;
use game::Player;

/// Stacks on points. Sets, counts and commanders always agree with the stacks; keys agree as long
/// as every change is made with `KEYS`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Board {
    stacks: [Stack; POINTS],
    occupied: [Bits; 2],
    defenders: [Bits; 2],
    commanders: [Point; 2],
    counts: [[u16; 12]; 2],
    keys: [u64; 2],
}

impl Board {
    /// A board without pieces.
    pub const EMPTY: Board = Board {
        stacks: [Stack::EMPTY; POINTS],
        occupied: [Bits::EMPTY; 2],
        defenders: [Bits::EMPTY; 2],
        commanders: [Point::NONE; 2],
        counts: [[0; 12]; 2],
        keys: [0; 2],
    };

    /// What stands on a point.
    #[inline]
    pub const fn at(&self, point: Point) -> Stack {
        self.stacks[point.index()]
    }

    /// Points with pieces of a side.
    #[inline]
    pub const fn occupied(&self, side: Player) -> Bits {
        self.occupied[side.index()]
    }

    /// Points with an anti-air, missile or navy of a side, as carrier or as cargo.
    #[inline]
    pub const fn defenders(&self, side: Player) -> Bits {
        self.defenders[side.index()]
    }

    /// Where the commander of a side stands.
    #[inline]
    pub fn commander(&self, side: Player) -> Option<Point> {
        let point = self.commanders[side.index()];
        (point != Point::NONE).then_some(point)
    }

    /// Number of pieces of a kind.
    #[inline]
    pub const fn count(&self, side: Player, kind: Kind) -> u16 {
        self.counts[side.index()][kind.index()]
    }

    /// Number of all pieces of a side.
    #[inline]
    pub const fn total(&self, side: Player) -> u16 {
        self.counts[side.index()][0]
    }

    /// Key of the board as a side sees it: the same for the same situation with colours exchanged.
    #[inline]
    pub const fn key(&self, viewer: Player) -> u64 {
        self.keys[viewer.index()]
    }

    /// Replaces what stands on a point. Without `KEYS` the keys are left alone, for boards that are
    /// only looked at.
    #[inline]
    pub fn set<const KEYS: bool>(&mut self, point: Point, stack: Stack) {
        let old = self.stacks[point.index()];
        if old == stack {
            return;
        }
        self.stacks[point.index()] = stack;
        if KEYS {
            self.keys[0] ^= stack_key(point, old) ^ stack_key(point, stack);
            let seen = point.mirrored();
            self.keys[1] ^= stack_key(seen, old.flipped()) ^ stack_key(seen, stack.flipped());
        }
        if !old.is_empty() {
            let side = old.side().index();
            self.occupied[side].remove(point);
            self.defenders[side].remove(point);
            for piece in old.pieces() {
                let kind = piece.kind();
                self.counts[side][0] -= 1;
                self.counts[side][kind.index()] -= 1;
                if kind == Kind::Commander && self.commanders[side] == point {
                    self.commanders[side] = Point::NONE;
                }
            }
        }
        if !stack.is_empty() {
            let side = stack.side().index();
            self.occupied[side].insert(point);
            for piece in stack.pieces() {
                let kind = piece.kind();
                self.counts[side][0] += 1;
                self.counts[side][kind.index()] += 1;
                if kind == Kind::Commander {
                    self.commanders[side] = point;
                }
                if kind.is_defender() {
                    self.defenders[side].insert(point);
                }
            }
        }
    }

    /// The board made again from its stacks alone, for tests of the incremental parts.
    pub fn rebuilt(&self) -> Board {
        let mut board = Board::EMPTY;
        for (index, &stack) in self.stacks.iter().enumerate() {
            board.set::<true>(Point::from_index(index), stack);
        }
        board
    }

    /// The same situation with colours exchanged: mirrored top to bottom, sides swapped.
    pub fn flipped(&self) -> Board {
        let mut board = Board::EMPTY;
        for (index, &stack) in self.stacks.iter().enumerate() {
            board.set::<true>(Point::from_index(index).mirrored(), stack.flipped());
        }
        board
    }
}
