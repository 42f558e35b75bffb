//! Points of the board and the eight directions.

use game::Player;
use std::fmt;

/// Number of points: 11 files by 12 ranks.
pub const POINTS: usize = 132;
/// Number of files, `a` to `k`.
pub const FILES: usize = 11;
/// Number of ranks, `1` to `12`.
pub const RANKS: usize = 12;

/// A point of the board: 0 is a1, then along the ranks (`rank · 11 + file`).
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Point(u8);

impl Point {
    /// Stands for "no point".
    pub const NONE: Point = Point(u8::MAX);

    /// The point with this index, below [`POINTS`].
    #[inline]
    pub const fn from_index(index: usize) -> Point {
        debug_assert!(index < POINTS);
        Point(index as u8)
    }

    /// The point at a file and a rank, both from 0.
    #[inline]
    pub const fn at(file: usize, rank: usize) -> Point {
        debug_assert!(file < FILES && rank < RANKS);
        Point((rank * FILES + file) as u8)
    }

    /// Index from 0 to 131.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// File from 0 (`a`) to 10 (`k`).
    #[inline]
    pub const fn file(self) -> usize {
        self.0 as usize % FILES
    }

    /// Rank from 0 (`1`) to 11 (`12`).
    #[inline]
    pub const fn rank(self) -> usize {
        self.0 as usize / FILES
    }

    /// The point mirrored top to bottom.
    #[inline]
    pub const fn mirrored(self) -> Point {
        MIRRORED[self.0 as usize]
    }

    /// The point as `player` sees the board from the own side: mirrored for Blue. Its own inverse.
    #[inline]
    pub const fn seen_by(self, player: Player) -> Point {
        match player {
            Player::First => self,
            Player::Second => self.mirrored(),
        }
    }

    /// Whether it lies on the upper bank (ranks 7 to 12).
    #[inline]
    pub const fn upper_bank(self) -> bool {
        self.0 as usize >= 6 * FILES
    }

    /// Reads `c9` at the start of a text; also the number of characters read.
    pub fn read_prefix(text: &str) -> Option<(Point, usize)> {
        let bytes = text.as_bytes();
        let file = bytes.first()?.checked_sub(b'a').filter(|&file| (file as usize) < FILES)? as usize;
        let digits = bytes[1..].iter().take(2).take_while(|byte| byte.is_ascii_digit()).count();
        let rank: usize = text[1..1 + digits].parse().ok()?;
        if bytes[1] == b'0' || !(1..=RANKS).contains(&rank) {
            return None;
        }
        Some((Point::at(file, rank - 1), 1 + digits))
    }

    /// Reads `c9`, `k12`.
    pub fn read(text: &str) -> Option<Point> {
        Point::read_prefix(text).filter(|&(_, length)| length == text.len()).map(|(point, _)| point)
    }
}

/// The points mirrored top to bottom.
const MIRRORED: [Point; POINTS] = {
    let mut points = [Point::NONE; POINTS];
    let mut index = 0;
    while index < POINTS {
        points[index] = Point::at(index % FILES, RANKS - 1 - index / FILES);
        index += 1;
    }
    points
};

impl fmt::Display for Point {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Point::NONE {
            return formatter.write_str("none");
        }
        write!(formatter, "{}{}", char::from(b'a' + self.file() as u8), self.rank() + 1)
    }
}

impl fmt::Debug for Point {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// Number of directions. 0 up, 1 down, 2 right, 3 left, 4 up-right, 5 down-right, 6 up-left,
/// 7 down-left.
pub const DIRECTIONS: usize = 8;

/// File and rank differences of the directions.
pub const OFFSETS: [(i32, i32); DIRECTIONS] =
    [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)];

/// Number of straight directions, which come first in every order.
pub const STRAIGHT: usize = 4;

/// The directions in the order of the mover's view: Blue's list is Red's mirrored top to bottom.
pub const DIRECTION_ORDER: [[usize; DIRECTIONS]; 2] = [[0, 1, 2, 3, 4, 5, 6, 7], [1, 0, 2, 3, 5, 4, 7, 6]];

/// Whether a direction is diagonal.
#[inline]
pub const fn is_diagonal(direction: usize) -> bool {
    direction >= 4
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_round_trip_and_bad_names_are_refused() {
        for index in 0..POINTS {
            let point = Point::from_index(index);
            assert_eq!(Point::read(&point.to_string()), Some(point));
            assert_eq!(point.mirrored().mirrored(), point);
        }
        for bad in ["", "a", "a0", "a13", "l1", "a1x", "a01", "A1", "1a"] {
            assert_eq!(Point::read(bad), None, "{bad}");
        }
    }
}
