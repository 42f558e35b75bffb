//! A set of points of the board.

use crate::point::{POINTS, Point};
use std::ops::{BitAnd, BitOr, BitOrAssign};

/// A set of points as 132 bits.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Bits([u64; 3]);

impl Bits {
    /// No points.
    pub const EMPTY: Bits = Bits([0; 3]);

    /// All points.
    pub const ALL: Bits = Bits([u64::MAX, u64::MAX, 0xf]);

    /// Whether the point is in the set.
    #[inline]
    pub const fn contains(self, point: Point) -> bool {
        self.0[point.index() >> 6] >> (point.index() & 63) & 1 != 0
    }

    /// Adds a point.
    #[inline]
    pub const fn insert(&mut self, point: Point) {
        self.0[point.index() >> 6] |= 1 << (point.index() & 63);
    }

    /// Takes a point away.
    #[inline]
    pub const fn remove(&mut self, point: Point) {
        self.0[point.index() >> 6] &= !(1 << (point.index() & 63));
    }

    /// Whether no point is in the set.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0[0] | self.0[1] | self.0[2] == 0
    }

    /// Number of points.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0[0].count_ones() + self.0[1].count_ones() + self.0[2].count_ones()
    }

    /// The points of this set that are not in the other.
    #[inline]
    pub const fn without(self, other: Bits) -> Bits {
        Bits([self.0[0] & !other.0[0], self.0[1] & !other.0[1], self.0[2] & !other.0[2]])
    }

    /// Whether the two sets share a point.
    #[inline]
    pub const fn meets(self, other: Bits) -> bool {
        (self.0[0] & other.0[0]) | (self.0[1] & other.0[1]) | (self.0[2] & other.0[2]) != 0
    }

    /// The points of one rank as the low 11 bits, file a lowest.
    #[inline]
    pub const fn rank(self, rank: usize) -> u32 {
        let start = rank * 11;
        let (word, shift) = (start >> 6, start & 63);
        let mut row = self.0[word] >> shift;
        if shift > 53 && word < 2 {
            row |= self.0[word + 1] << (64 - shift);
        }
        (row & 0x7ff) as u32
    }
}

impl BitAnd for Bits {
    type Output = Bits;
    #[inline]
    fn bitand(self, other: Bits) -> Bits {
        Bits([self.0[0] & other.0[0], self.0[1] & other.0[1], self.0[2] & other.0[2]])
    }
}

impl BitOr for Bits {
    type Output = Bits;
    #[inline]
    fn bitor(self, other: Bits) -> Bits {
        Bits([self.0[0] | other.0[0], self.0[1] | other.0[1], self.0[2] | other.0[2]])
    }
}

impl BitOrAssign for Bits {
    #[inline]
    fn bitor_assign(&mut self, other: Bits) {
        *self = *self | other;
    }
}

impl FromIterator<Point> for Bits {
    fn from_iter<I: IntoIterator<Item = Point>>(points: I) -> Bits {
        points.into_iter().fold(Bits::EMPTY, |mut bits, point| {
            bits.insert(point);
            bits
        })
    }
}

impl IntoIterator for Bits {
    type Item = Point;
    type IntoIter = Points;
    #[inline]
    fn into_iter(self) -> Points {
        Points { words: self.0, word: 0 }
    }
}

/// The points of a set, a1 first, along the ranks.
#[derive(Clone, Copy, Debug)]
pub struct Points {
    words: [u64; 3],
    word: usize,
}

impl Iterator for Points {
    type Item = Point;
    #[inline]
    fn next(&mut self) -> Option<Point> {
        while self.word < 3 {
            let bits = self.words[self.word];
            if bits != 0 {
                self.words[self.word] = bits & (bits - 1);
                let index = self.word * 64 + bits.trailing_zeros() as usize;
                debug_assert!(index < POINTS);
                return Some(Point::from_index(index));
            }
            self.word += 1;
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranks_and_iteration_agree_with_membership() {
        let mut set = Bits::EMPTY;
        let wanted: Vec<Point> =
            (0..POINTS).filter(|i| i % 7 == 3 || i % 11 == 0).map(Point::from_index).collect();
        for &point in &wanted {
            set.insert(point);
        }
        assert_eq!(set.into_iter().collect::<Vec<_>>(), wanted);
        assert_eq!(set.len() as usize, wanted.len());
        assert!(!Bits::ALL.without(set).meets(set) && set.without(Bits::ALL).is_empty());
        for index in 0..POINTS {
            let point = Point::from_index(index);
            assert_eq!(set.rank(point.rank()) >> point.file() & 1 == 1, set.contains(point));
        }
        for point in wanted {
            set.remove(point);
        }
        assert!(set.is_empty());
    }
}
