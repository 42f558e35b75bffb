//! Points of the board and sets of them.

use game::Player;
use std::fmt;

/// Files of the board, `a` to `i` from Red's left.
pub const FILES: usize = 9;
/// Ranks of the board, 0 to 9 from Red's side.
pub const RANKS: usize = 10;
/// Points of the board.
pub const SQUARES: usize = FILES * RANKS;

/// A point of the board: `rank · 9 + file`, `a0` at Red's left corner.
#[derive(Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Square(u8);

impl Square {
    /// No point: where captured pieces are.
    pub const NONE: Square = Square(SQUARES as u8);

    /// The point of a file (0 to 8) and a rank (0 to 9).
    #[inline]
    pub const fn new(file: usize, rank: usize) -> Square {
        debug_assert!(file < FILES && rank < RANKS);
        Square((rank * FILES + file) as u8)
    }

    /// The point with this number, below 90.
    #[inline]
    pub const fn from_index(index: usize) -> Square {
        debug_assert!(index < SQUARES);
        Square(index as u8)
    }

    /// Reads `a0` to `i9`.
    pub fn read(text: &str) -> Option<Square> {
        match *text.as_bytes() {
            [file @ b'a'..=b'i', rank @ b'0'..=b'9'] => {
                Some(Square::new((file - b'a') as usize, (rank - b'0') as usize))
            }
            _ => None,
        }
    }

    /// All points, `a0` first, rank by rank.
    pub fn all() -> impl DoubleEndedIterator<Item = Square> {
        (0..SQUARES).map(Square::from_index)
    }

    /// `rank · 9 + file`.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize
    }

    /// 0 for file `a`.
    #[inline]
    pub const fn file(self) -> usize {
        self.0 as usize % FILES
    }

    /// 0 for Red's first rank.
    #[inline]
    pub const fn rank(self) -> usize {
        self.0 as usize / FILES
    }

    /// The point at the same place of the board as `player` sees it: itself for Red, turned by half a
    /// turn for Black. Its own inverse.
    #[inline]
    pub const fn seen_by(self, player: Player) -> Square {
        match player {
            Player::First => self,
            Player::Second => Square((SQUARES - 1) as u8 - self.0),
        }
    }

    /// The point on the other side of the middle file.
    #[inline]
    pub const fn mirrored(self) -> Square {
        Square::new(FILES - 1 - self.file(), self.rank())
    }

    /// Whether the point is on `player`'s own side of the river.
    #[inline]
    pub const fn on_side_of(self, player: Player) -> bool {
        self.seen_by(player).0 < (SQUARES / 2) as u8
    }

    /// Whether the point is in `player`'s palace.
    pub const fn in_palace_of(self, player: Player) -> bool {
        let seen = self.seen_by(player);
        seen.rank() <= 2 && seen.file() >= 3 && seen.file() <= 5
    }
}

impl fmt::Display for Square {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if *self == Square::NONE {
            return formatter.write_str("-");
        }
        write!(formatter, "{}{}", char::from(b'a' + self.file() as u8), self.rank())
    }
}

impl fmt::Debug for Square {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, formatter)
    }
}

/// A set of points: bit `index` of 90.
#[derive(Clone, Copy, Default, PartialEq, Eq, Hash)]
pub struct Squares(pub u128);

impl Squares {
    /// No point.
    pub const EMPTY: Squares = Squares(0);
    /// All points.
    pub const ALL: Squares = Squares((1 << SQUARES) - 1);

    /// One point, which must not be [`Square::NONE`].
    #[inline]
    pub const fn of(square: Square) -> Squares {
        Squares(1 << square.index())
    }

    /// Whether the point is in the set.
    #[inline]
    pub const fn contains(self, square: Square) -> bool {
        self.0 >> square.index() & 1 != 0
    }

    /// Whether there is no point.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Whether there is exactly one point.
    #[inline]
    pub const fn is_single(self) -> bool {
        self.0 != 0 && self.0 & (self.0 - 1) == 0
    }

    /// Whether there are exactly two points.
    #[inline]
    pub const fn is_pair(self) -> bool {
        let rest = self.0 & self.0.wrapping_sub(1);
        rest != 0 && rest & (rest - 1) == 0
    }

    /// Number of points.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// The points of both sets.
    #[inline]
    pub const fn and(self, other: Squares) -> Squares {
        Squares(self.0 & other.0)
    }

    /// The points of either set.
    #[inline]
    pub const fn or(self, other: Squares) -> Squares {
        Squares(self.0 | other.0)
    }

    /// The points that are not in the other set.
    #[inline]
    pub const fn without(self, other: Squares) -> Squares {
        Squares(self.0 & !other.0)
    }

    /// The points in the order in which `player` sees them: his first rank first, from his left.
    #[inline(always)]
    pub const fn seen_by(self, player: Player) -> SquaresSeen {
        SquaresSeen { low: self.0 as u64, high: (self.0 >> 64) as u64, player }
    }
}

/// The points on a side's own side of the river.
pub(crate) const fn own_half(side: Player) -> Squares {
    let low = (1 << (SQUARES / 2)) - 1;
    match side {
        Player::First => Squares(low),
        Player::Second => Squares(low << (SQUARES / 2)),
    }
}

impl FromIterator<Square> for Squares {
    fn from_iter<I: IntoIterator<Item = Square>>(squares: I) -> Squares {
        squares.into_iter().fold(Squares::EMPTY, |set, square| set.or(Squares::of(square)))
    }
}

impl fmt::Debug for Squares {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_set().entries(self.seen_by(Player::First)).finish()
    }
}

/// Iterator of [`Squares::seen_by`].
#[derive(Clone, Debug)]
pub struct SquaresSeen {
    /// Points 0 to 63 and 64 to 89 that are still to come.
    low: u64,
    high: u64,
    player: Player,
}

impl Iterator for SquaresSeen {
    type Item = Square;

    #[inline(always)]
    fn next(&mut self) -> Option<Square> {
        let index = match self.player {
            Player::First if self.low != 0 => take_lowest(&mut self.low),
            Player::First if self.high != 0 => 64 + take_lowest(&mut self.high),
            Player::Second if self.high != 0 => 64 + take_highest(&mut self.high),
            Player::Second if self.low != 0 => take_highest(&mut self.low),
            Player::First | Player::Second => return None,
        };
        Some(Square(index as u8))
    }
}

#[inline(always)]
fn take_lowest(word: &mut u64) -> u32 {
    let index = word.trailing_zeros();
    *word &= *word - 1;
    index
}

#[inline(always)]
fn take_highest(word: &mut u64) -> u32 {
    let index = 63 - word.leading_zeros();
    *word ^= 1 << index;
    index
}
