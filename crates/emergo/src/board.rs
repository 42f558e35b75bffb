//! The two boards as sets of squares.
//!
//! A set is a 64-bit word whose bit `n` is the square with number `n`. Neighbours are 4 or 5 bits
//! apart everywhere, on the smaller board too, since it is the corner a1 to g7 of the larger one. A
//! shifted set may wrap round the edge of a rank. Captured columns never stand at an edge, so that
//! jumps need no care; steps must not enter the file on the far side.

use crate::square::{FILES, SQUARES, Square};
use serde::{Deserialize, Serialize};

/// Which board is played on.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub enum BoardSize {
    /// 41 squares, twelve men a side.
    #[serde(rename = "9x9")]
    Nine,
    /// 25 squares, eight men a side.
    #[serde(rename = "7x7")]
    Seven,
}

/// Facts about a board.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Board {
    /// Files, and ranks.
    pub(crate) width: usize,
    /// Men of each side.
    pub(crate) men: u8,
    /// Squares in use.
    pub(crate) all: u64,
    /// Squares that have all four neighbours: only what stands there can be captured.
    pub(crate) interior: u64,
    /// The square in the middle.
    pub(crate) centre: Square,
}

impl BoardSize {
    /// The board of this size.
    pub(crate) const fn board(self) -> Board {
        match self {
            BoardSize::Nine => Board::new(9, 12),
            BoardSize::Seven => Board::new(7, 8),
        }
    }
}

impl Board {
    const fn new(width: usize, men: u8) -> Board {
        let (mut all, mut interior) = (0, 0);
        let mut index = 0;
        while index < SQUARES {
            let square = Square::from_index(index);
            let (file, rank) = (square.file(), square.rank());
            if file < width && rank < width {
                all |= square.bit();
            }
            if file > 0 && rank > 0 && file < width - 1 && rank < width - 1 {
                interior |= square.bit();
            }
            index += 1;
        }
        // The middle file and rank are equal, so that their square is in use.
        let centre = Square::from_index((FILES + 1) * (width / 2) / 2);
        Board { width, men, all, interior, centre }
    }

    /// Number of squares in use.
    pub(crate) const fn squares(&self) -> usize {
        self.all.count_ones() as usize
    }

    /// Place of a square in the planes: `row · width + column`, row 0 being the highest rank.
    #[inline]
    pub(crate) const fn place(&self, square: Square) -> usize {
        (self.width - 1 - square.rank()) * self.width + square.file()
    }

    /// Number of a square among those of this board, along the ranks from a1.
    #[inline]
    pub(crate) const fn number(&self, square: Square) -> usize {
        (self.width * square.rank() + square.file()) / 2
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::square::squares;

    #[test]
    fn both_boards_have_their_squares() {
        for (size, all, interior, centre) in
            [(BoardSize::Nine, 41, 25, "e5"), (BoardSize::Seven, 25, 13, "d4")]
        {
            let board = size.board();
            assert_eq!((board.squares(), board.interior.count_ones()), (all, interior));
            assert_eq!(board.centre.to_string(), centre);
            let numbers: Vec<usize> = squares(board.all).map(|square| board.number(square)).collect();
            assert_eq!(numbers, (0..all).collect::<Vec<_>>());
            assert_eq!(board.place(Square::read("a1").unwrap()), board.width * (board.width - 1));
        }
    }
}
