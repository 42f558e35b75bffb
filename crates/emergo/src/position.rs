//! The position.

use crate::column::Column;
use crate::direction::Direction;
use crate::square::{SQUARES, Square};
use game::Player;
use std::fmt;

/// The columns of all squares, with room up to whole words; [`Column::NONE`] where nothing stands.
#[derive(Clone, Copy, PartialEq, Eq)]
#[repr(align(8))]
pub(crate) struct Columns([Column; 48]);

impl Columns {
    /// Nothing anywhere.
    pub(crate) const EMPTY: Columns = Columns([Column::NONE; 48]);

    /// The column on a square.
    #[inline(always)]
    pub(crate) const fn at(&self, square: Square) -> Column {
        self.0[square.index()]
    }

    /// Puts a column on a square, or [`Column::NONE`].
    #[inline(always)]
    pub(crate) const fn put(&mut self, square: Square, column: Column) {
        self.0[square.index()] = column;
    }

    /// The columns eight by eight as words.
    #[inline(always)]
    pub(crate) fn words(&self) -> [u64; 6] {
        let mut words = [0; 6];
        for (word, eight) in words.iter_mut().zip(self.0.chunks_exact(8)) {
            let mut bytes = [0; 8];
            for (byte, column) in bytes.iter_mut().zip(eight) {
                *byte = column.bits();
            }
            *word = u64::from_le_bytes(bytes);
        }
        words
    }
}

impl fmt::Debug for Columns {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let squares = (0..SQUARES).map(Square::from_index);
        let occupied = squares.filter(|&square| self.at(square) != Column::NONE);
        let numbers = |column: Column| (column.guards(), column.prisoners());
        formatter.debug_map().entries(occupied.map(|square| (square, numbers(self.at(square))))).finish()
    }
}

/// A capture that has begun and must go on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Capture {
    /// Directions of the jumps so far, two bits each, the last one lowest.
    path: u32,
    /// Where the capturing column stands; [`Capture::NOWHERE`] between turns.
    square: u8,
    /// How many jumps of the turn are known: all of them in play, none when the position was read from
    /// text, which tells only the last direction.
    jumps: u8,
}

impl Capture {
    const NOWHERE: u8 = u8::MAX;

    /// No capture is under way.
    pub(crate) const NONE: Capture = Capture { path: 0, square: Capture::NOWHERE, jumps: 0 };

    /// A capture of which only the last jump's direction is known.
    pub(crate) const fn resumed(square: Square, last: Direction) -> Capture {
        Capture { path: last as u32, square: square.index() as u8, jumps: 0 }
    }

    /// Whether a capture is under way.
    #[inline(always)]
    pub(crate) const fn under_way(&self) -> bool {
        self.square != Capture::NOWHERE
    }

    /// Where the capturing column stands and the direction of its last jump.
    #[inline(always)]
    pub(crate) const fn capturer(&self) -> Option<(Square, Direction)> {
        if self.under_way() {
            Some((Square::from_index(self.square as usize), Direction::from_number(self.path)))
        } else {
            None
        }
    }

    /// The capture after one more jump, to `square`.
    #[inline(always)]
    pub(crate) const fn after(&self, direction: Direction, square: Square) -> Capture {
        let square = square.index() as u8;
        if self.under_way() && self.jumps == 0 {
            return Capture { path: direction as u32, square, jumps: 0 };
        }
        // A turn takes at most twelve men, so that 16 jumps fit.
        Capture { path: self.path << 2 | direction as u32, square, jumps: self.jumps + 1 }
    }

    /// Directions of the known jumps, the last one first.
    pub(crate) fn backwards(&self) -> impl Iterator<Item = Direction> + use<> {
        let path = self.path;
        (0..u32::from(self.jumps)).map(move |jump| Direction::from_number(path >> (2 * jump)))
    }

    /// The capture with every direction replaced and the capturer on another square: its image under
    /// a symmetry of the board.
    pub(crate) fn mapped(&self, square: Square, direction: impl Fn(Direction) -> Direction) -> Capture {
        let path = (0..16).fold(0, |path, jump| {
            path | (direction(Direction::from_number(self.path >> (2 * jump))) as u32) << (2 * jump)
        });
        // Jumps that never were have no direction.
        let used = 2 * u32::from(self.jumps.max(1));
        Capture { path: path & (u32::MAX >> (32 - used)), square: square.index() as u8, jumps: self.jumps }
    }
}

/// A position of Emergo, also in the middle of a capture. It does not know its rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Position {
    pub(crate) columns: Columns,
    /// Squares of the columns that White and Black own.
    pub(crate) sides: [u64; 2],
    pub(crate) capture: Capture,
    /// Turns played since ply 0; in the middle of a turn those before it.
    pub(crate) ply: u16,
    /// Men in hand of White and Black.
    pub(crate) hands: [u8; 2],
    pub(crate) mover: Player,
    /// Whether the last turn was an entry, as far as known.
    pub(crate) entered: bool,
}

impl Position {
    /// The empty board with White to move and `men` in each hand.
    pub(crate) const fn start(men: u8) -> Position {
        Position {
            columns: Columns::EMPTY,
            sides: [0; 2],
            capture: Capture::NONE,
            ply: 0,
            hands: [men; 2],
            mover: Player::First,
            entered: false,
        }
    }

    /// The side to move.
    pub const fn mover(&self) -> Player {
        self.mover
    }

    /// Men of a side that wait to be entered.
    pub const fn hand(&self, side: Player) -> u8 {
        self.hands[side.index()]
    }

    /// Turns played since ply 0; in the middle of a turn those before it.
    pub const fn ply(&self) -> u16 {
        self.ply
    }

    /// The column on a square and its owner.
    pub fn column(&self, square: Square) -> Option<(Player, Column)> {
        let owner = Player::BOTH.into_iter().find(|side| self.sides[side.index()] & square.bit() != 0)?;
        Some((owner, self.columns.at(square)))
    }

    /// The column in the middle of a capture and the direction of its last jump; `None` between turns.
    pub fn capturer(&self) -> Option<(Square, Direction)> {
        self.capture.capturer()
    }

    /// Men of the other side that a side holds as prisoners.
    pub fn prisoners(&self, side: Player) -> u8 {
        let own = self.sides[side.index()];
        (0..SQUARES)
            .map(Square::from_index)
            .filter(|square| own & square.bit() != 0)
            .map(|square| self.columns.at(square).prisoners())
            .sum()
    }

    /// Squares of the mover's columns.
    #[inline(always)]
    pub(crate) const fn own(&self) -> u64 {
        self.sides[self.mover.index()]
    }

    /// Squares of the other side's columns.
    #[inline(always)]
    pub(crate) const fn enemy(&self) -> u64 {
        self.sides[self.mover.opponent().index()]
    }

    /// Men in the mover's hand.
    #[inline(always)]
    pub(crate) const fn own_hand(&self) -> u8 {
        self.hands[self.mover.index()]
    }

    /// Men in the other side's hand.
    #[inline(always)]
    pub(crate) const fn enemy_hand(&self) -> u8 {
        self.hands[self.mover.opponent().index()]
    }

    /// Empty squares among `all`.
    #[inline(always)]
    pub(crate) const fn empty(&self, all: u64) -> u64 {
        all & !(self.sides[0] | self.sides[1])
    }
}
