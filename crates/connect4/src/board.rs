//! The bitboard.
//!
//! Bit `7 · file + height` is the point in file 0 (`a`) to 6 (`g`) at height 0 (bottom) to 5; bit 6
//! of every file stays empty, so that shifted boards never run into the next file.

use game::Player;

/// Number of files.
pub const COLUMNS: usize = 7;
/// Number of rows.
pub const ROWS: usize = 6;
/// Number of points.
pub const SQUARES: usize = ROWS * COLUMNS;

/// Distance in bits from a file to the next.
pub(crate) const FILE: u32 = ROWS as u32 + 1;
/// The bottom point of every file.
pub(crate) const BOTTOM: u64 = 0x0000_0408_1020_4081;
/// The top point of every file.
const TOP: u64 = BOTTOM << (ROWS - 1);
/// All points.
pub(crate) const FULL: u64 = BOTTOM * ((1 << ROWS) - 1);

/// A step: the file into which a stone is dropped.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Step(u8);

impl Step {
    /// The step into a file, 0 (`a`) to 6 (`g`).
    pub const fn into_file(file: usize) -> Option<Step> {
        if file < COLUMNS { Some(Step(file as u8)) } else { None }
    }

    /// The file, 0 to 6.
    #[inline]
    pub const fn file(self) -> usize {
        self.0 as usize
    }
}

/// A position that can arise in play, as far as its stones tell.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Position {
    /// Stones of the side to move.
    own: u64,
    /// All stones.
    stones: u64,
}

impl Position {
    /// The empty board.
    pub const START: Position = Position { own: 0, stones: 0 };

    /// A board out of the stones of both players, in this crate's bit order.
    pub(crate) const fn from_stones(first: u64, second: u64) -> Position {
        let stones = first | second;
        let own = if stones.count_ones().is_multiple_of(2) { first } else { second };
        Position { own, stones }
    }

    /// The side to move: stones are dropped in turn, so that their number tells it.
    #[inline]
    pub const fn mover(&self) -> Player {
        if self.stones.count_ones().is_multiple_of(2) { Player::First } else { Player::Second }
    }

    /// Number of stones.
    #[inline]
    pub const fn count(&self) -> u32 {
        self.stones.count_ones()
    }

    /// Stones of the side to move.
    #[inline]
    pub(crate) const fn own(&self) -> u64 {
        self.own
    }

    /// All stones.
    #[inline]
    pub(crate) const fn stones(&self) -> u64 {
        self.stones
    }

    /// Stones of the other side.
    #[inline]
    pub(crate) const fn enemy(&self) -> u64 {
        self.own ^ self.stones
    }

    /// Stones of a player.
    pub(crate) fn stones_of(&self, player: Player) -> u64 {
        if player == self.mover() { self.own } else { self.enemy() }
    }

    /// Whose stone is on a point, `height` 0 being the bottom.
    pub fn stone(&self, file: usize, height: usize) -> Option<Player> {
        let bit = point(file, height);
        Player::BOTH.into_iter().find(|&player| self.stones_of(player) & bit != 0)
    }

    /// Whether the board is full.
    #[inline]
    pub const fn is_full(&self) -> bool {
        self.stones == FULL
    }

    /// Whether the side that moved last has four in a line.
    #[inline]
    pub const fn is_won(&self) -> bool {
        has_four(self.enemy())
    }

    /// The top points of the files that still take a stone; empty when the game has ended.
    #[inline]
    pub(crate) const fn open_files(&self) -> u64 {
        if self.is_won() { 0 } else { !self.stones & TOP }
    }

    /// The lowest empty height of a file; 6 when it is full.
    #[inline]
    pub(crate) const fn height(&self, file: usize) -> usize {
        (self.stones >> (file as u32 * FILE)).trailing_ones() as usize
    }

    /// Drops a stone of the side to move into a file that has room.
    #[inline]
    pub(crate) fn drop(&mut self, step: Step) {
        debug_assert!(self.height(step.file()) < ROWS);
        self.own ^= self.stones;
        self.stones |= self.stones + (1 << (step.file() as u32 * FILE));
    }

    /// A number that no other position has: the enemy's stones, and one bit above each file's top
    /// stone to mark its height.
    #[inline]
    pub(crate) const fn number(&self) -> u64 {
        self.enemy() + self.stones + BOTTOM
    }

    /// The board mirrored left to right.
    pub(crate) fn mirrored(&self) -> Position {
        Position { own: mirror(self.own), stones: mirror(self.stones) }
    }
}

/// The files whose top points are set in `open`, from `a` to `g`.
#[inline]
pub(crate) fn files(mut open: u64) -> impl Iterator<Item = Step> {
    std::iter::from_fn(move || {
        if open == 0 {
            return None;
        }
        let bit = open.trailing_zeros();
        open &= open - 1;
        Some(Step((bit / FILE) as u8))
    })
}

/// The bit of a point.
#[inline]
pub(crate) const fn point(file: usize, height: usize) -> u64 {
    1 << (file as u32 * FILE + height as u32)
}

/// Whether there are four in a line.
#[inline]
pub(crate) const fn has_four(stones: u64) -> bool {
    // Pairs of neighbours first, then pairs of pairs, in each of the four directions.
    let column = stones & (stones >> 1);
    let row = stones & (stones >> FILE);
    let falling = stones & (stones >> (FILE - 1));
    let rising = stones & (stones >> (FILE + 1));
    (column & (column >> 2))
        | (row & (row >> (2 * FILE)))
        | (falling & (falling >> (2 * (FILE - 1))))
        | (rising & (rising >> (2 * (FILE + 1))))
        != 0
}

/// All stones that stand in a line of four.
pub(crate) fn fours(stones: u64) -> u64 {
    let mut found = 0;
    for shift in [1, FILE, FILE - 1, FILE + 1] {
        let pairs = stones & (stones >> shift);
        let starts = pairs & (pairs >> (2 * shift));
        for distance in 0..4 {
            found |= starts << (distance * shift);
        }
    }
    found
}

/// Indices of the set points among the squares of the planes: row 0 is the top row, file `a` the
/// left column.
#[inline]
pub(crate) fn squares(mut stones: u64) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        if stones == 0 {
            return None;
        }
        let bit = stones.trailing_zeros();
        stones &= stones - 1;
        Some(square((bit / FILE) as usize, (bit % FILE) as usize))
    })
}

/// The index of a point among the squares of the planes.
#[inline]
pub(crate) const fn square(file: usize, height: usize) -> usize {
    (ROWS - 1 - height) * COLUMNS + file
}

/// The stones mirrored left to right.
pub(crate) fn mirror(stones: u64) -> u64 {
    let file_points = (1 << FILE) - 1;
    (0..COLUMNS as u32).fold(0, |mirrored, file| {
        let points = (stones >> (file * FILE)) & file_points;
        mirrored | points << ((COLUMNS as u32 - 1 - file) * FILE)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// All 69 lines of four, found without bit tricks.
    fn lines() -> Vec<u64> {
        let mut lines = Vec::new();
        for file in 0..COLUMNS as i32 {
            for height in 0..ROWS as i32 {
                for (across, up) in [(0, 1), (1, 0), (1, 1), (1, -1)] {
                    let (end_file, end_height) = (file + 3 * across, height + 3 * up);
                    if (0..COLUMNS as i32).contains(&end_file) && (0..ROWS as i32).contains(&end_height) {
                        lines.push((0..4).fold(0, |line, distance| {
                            line | point(
                                (file + distance * across) as usize,
                                (height + distance * up) as usize,
                            )
                        }));
                    }
                }
            }
        }
        lines
    }

    #[test]
    fn exactly_the_69_lines_are_fours() {
        let lines = lines();
        assert_eq!(lines.len(), 69);
        for &line in &lines {
            assert!(has_four(line));
            assert_eq!(fours(line), line);
            for missing in squares_as_bits(line) {
                assert!(!has_four(line & !missing));
            }
            assert!(!has_four(FULL & !lines.iter().fold(0, |all, &line| all | line)));
        }
        // Stones that are neighbours only across the edge of the board are no line.
        assert!(!has_four(point(0, 4) | point(0, 5) | point(1, 0) | point(1, 1)));
        assert!(!has_four(point(0, 5) | point(1, 5) | point(2, 5) | point(4, 0)));
    }

    fn squares_as_bits(stones: u64) -> impl Iterator<Item = u64> {
        (0..64).map(|bit| 1 << bit).filter(move |bit| stones & bit != 0)
    }

    #[test]
    fn random_boards_agree_with_the_lines() {
        let lines = lines();
        let mut state = 1_u64;
        let mut found = 0;
        for _ in 0..20_000 {
            let mut stones = FULL;
            for _ in 0..2 {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                stones &= state.rotate_right(23) ^ (state >> 7);
            }
            let expected: u64 =
                lines.iter().filter(|&&line| stones & line == line).fold(0, |all, line| all | line);
            assert_eq!(has_four(stones), expected != 0);
            assert_eq!(fours(stones), expected);
            found += usize::from(expected != 0);
        }
        assert!((1_000..19_000).contains(&found), "{found} boards with a four say little");
    }

    #[test]
    fn stones_fall_on_each_other_and_sides_alternate() {
        let mut position = Position::START;
        for height in 0..ROWS {
            assert_eq!(position.height(3), height);
            let mover = position.mover();
            assert_eq!(mover.index(), height % 2);
            position.drop(Step(3));
            assert_eq!(position.stone(3, height), Some(mover));
        }
        assert_eq!(position.height(3), ROWS);
        let open: Vec<usize> = files(position.open_files()).map(Step::file).collect();
        assert_eq!(open, [0, 1, 2, 4, 5, 6]);
        assert_eq!(position.mirrored(), position);
        position.drop(Step(0));
        assert_eq!(position.mirrored().stone(6, 0), Some(Player::First));
    }
}
