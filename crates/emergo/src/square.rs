//! Squares: those of the 9×9 board whose file and rank add up to an even number.
//!
//! They are numbered along the ranks from a1: five on the first rank, four on the second, and so on.
//! The smaller board uses some of the same squares under the same names, a1 to g7.

use std::fmt;

/// Squares in use on the 9×9 board.
pub const SQUARES: usize = 41;

/// Files, and ranks, of the 9×9 board.
pub(crate) const FILES: usize = 9;

/// A square in use.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Square(u8);

impl Square {
    /// The square on a file and a rank, both counted from 0 (`a1` is 0, 0); `None` where no square
    /// is in use.
    #[inline]
    pub const fn at(file: usize, rank: usize) -> Option<Square> {
        if file >= FILES || rank >= FILES || !(file + rank).is_multiple_of(2) {
            return None;
        }
        // Two ranks have nine squares in use, so that counting all squares and halving numbers them.
        Some(Square(((FILES * rank + file) / 2) as u8))
    }

    /// The square with this number, below [`SQUARES`].
    #[inline]
    pub(crate) const fn from_index(index: usize) -> Square {
        debug_assert!(index < SQUARES);
        Square(index as u8)
    }

    /// The square of the only bit that is set.
    #[inline]
    pub(crate) const fn from_bit(bit: u64) -> Square {
        Square::from_index(bit.trailing_zeros() as usize)
    }

    /// Its number, below [`SQUARES`].
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// Its file, 0 for `a`.
    #[inline]
    pub const fn file(self) -> usize {
        2 * self.index() % FILES
    }

    /// Its rank, 0 for the first.
    #[inline]
    pub const fn rank(self) -> usize {
        2 * self.index() / FILES
    }

    /// The set of this square alone.
    #[inline]
    pub(crate) const fn bit(self) -> u64 {
        1 << self.0
    }

    /// Reads a name such as `e5`; `None` for anything else, squares that are not in use included.
    pub fn read(text: &str) -> Option<Square> {
        match *text.as_bytes() {
            [file @ b'a'..=b'i', rank @ b'1'..=b'9'] => {
                Square::at(usize::from(file - b'a'), usize::from(rank - b'1'))
            }
            _ => None,
        }
    }
}

impl fmt::Display for Square {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}{}", file_name(self.file()), self.rank() + 1)
    }
}

/// The letter of a file.
pub(crate) const fn file_name(file: usize) -> char {
    (b'a' + file as u8) as char
}

/// The squares of a set, in the order of their numbers.
#[inline]
pub(crate) fn squares(mut set: u64) -> impl Iterator<Item = Square> {
    std::iter::from_fn(move || {
        if set == 0 {
            return None;
        }
        let square = Square::from_bit(set);
        set &= set - 1;
        Some(square)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_files_and_ranks_agree() {
        let mut index = 0;
        for rank in 0..FILES {
            for file in 0..FILES {
                let Some(square) = Square::at(file, rank) else {
                    assert!((file + rank) % 2 == 1);
                    continue;
                };
                assert_eq!((square.index(), square.file(), square.rank()), (index, file, rank));
                assert_eq!(Square::read(&square.to_string()), Some(square));
                index += 1;
            }
        }
        assert_eq!(index, SQUARES);
        for wrong in ["", "e", "e55", "E5", "j1", "a0", "d5", "é5"] {
            assert_eq!(Square::read(wrong), None, "{wrong}");
        }
    }
}
