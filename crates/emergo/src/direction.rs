//! The four diagonal directions.

use crate::square::Square;

/// A direction of steps and jumps, as White sees the board: north is towards higher ranks.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[repr(u8)]
pub enum Direction {
    /// Up and right.
    NorthEast = 0,
    /// Up and left.
    NorthWest = 1,
    /// Down and right.
    SouthEast = 2,
    /// Down and left.
    SouthWest = 3,
}

/// Difference of square numbers from a square to its neighbour.
const OFFSETS: [i8; 4] = [5, 4, -4, -5];

impl Direction {
    /// All directions in order.
    pub const ALL: [Direction; 4] =
        [Direction::NorthEast, Direction::NorthWest, Direction::SouthEast, Direction::SouthWest];

    /// The direction with this number, of which the two lowest bits count.
    #[inline]
    pub(crate) const fn from_number(number: u32) -> Direction {
        Direction::ALL[(number & 3) as usize]
    }

    /// The opposite direction.
    #[inline]
    pub const fn reverse(self) -> Direction {
        Direction::ALL[3 - self as usize]
    }

    /// Its word in the fifth field of a FEN: `ne`, `nw`, `se` or `sw`.
    pub const fn word(self) -> &'static str {
        ["ne", "nw", "se", "sw"][self as usize]
    }

    /// The direction with this word.
    pub fn read(word: &str) -> Option<Direction> {
        Direction::ALL.into_iter().find(|direction| direction.word() == word)
    }

    /// What to add to a file and to a rank.
    pub(crate) const fn deltas(self) -> (i8, i8) {
        match self {
            Direction::NorthEast => (1, 1),
            Direction::NorthWest => (-1, 1),
            Direction::SouthEast => (1, -1),
            Direction::SouthWest => (-1, -1),
        }
    }

    /// All squares of a set moved by one square. Those at the edge of the 9×9 board may come back in at
    /// the other side; intersect with what cannot be reached that way.
    #[inline(always)]
    pub(crate) const fn shift(self, set: u64) -> u64 {
        set.rotate_left(OFFSETS[self as usize] as u32 & 63)
    }

    /// The square `distance` squares away, which must be on the board.
    #[inline(always)]
    pub(crate) const fn from(self, square: Square, distance: i8) -> Square {
        Square::from_index((square.index() as i8 + distance * OFFSETS[self as usize]) as usize)
    }

    /// The direction from one square to another that lies exactly `distance` diagonal squares away.
    pub(crate) fn between(from: Square, to: Square, distance: i8) -> Option<Direction> {
        Direction::ALL.into_iter().find(|direction| {
            let (file, rank) = direction.deltas();
            from.file() as i8 + distance * file == to.file() as i8
                && from.rank() as i8 + distance * rank == to.rank() as i8
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_reverses_and_neighbours() {
        let centre = Square::read("e5").unwrap();
        for (direction, near, far) in [
            (Direction::NorthEast, "f6", "g7"),
            (Direction::NorthWest, "d6", "c7"),
            (Direction::SouthEast, "f4", "g3"),
            (Direction::SouthWest, "d4", "c3"),
        ] {
            let [near, far] = [near, far].map(|name| Square::read(name).unwrap());
            assert_eq!([direction.from(centre, 1), direction.from(centre, 2)], [near, far]);
            assert_eq!(direction.shift(centre.bit()), near.bit());
            assert_eq!(direction.reverse().shift(near.bit()), centre.bit());
            assert_eq!(Direction::between(centre, near, 1), Some(direction));
            assert_eq!(Direction::between(centre, far, 2), Some(direction));
            assert_eq!(Direction::between(centre, far, 1), None);
            assert_eq!(Direction::between(far, centre, 2), Some(direction.reverse()));
            assert_eq!(Direction::read(direction.word()), Some(direction));
            assert_eq!(Direction::from_number(direction as u32 + 4), direction);
        }
        assert_eq!(Direction::read("n"), None);
    }
}
