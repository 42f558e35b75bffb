//! Where pieces go, computed when the crate is compiled.

use crate::square::{FILES, RANKS, SQUARES, Square, Squares};
use game::Player;

/// What a rook reaches on a rank: by its file and the occupied files.
pub(crate) static ALONG_RANK: [[u16; 1 << FILES]; FILES] = along_lines();
/// What a rook reaches on a file: by its rank and the occupied ranks.
pub(crate) static ALONG_FILE: [[u16; 1 << RANKS]; RANKS] = along_lines();
/// The points of file `a` with these ranks.
pub(crate) static UPRIGHT: [u128; 1 << RANKS] = upright();
/// A horse's targets: by its point and the occupied points beside it (see [`beside`]).
pub(crate) static HORSE: [[Squares; 16]; SQUARES] = horse();
/// An elephant's targets: by its point and the occupied points diagonally beside it (see
/// [`diagonally_beside`]); none away from the points of elephants.
pub(crate) static ELEPHANT: [[Squares; 16]; SQUARES] = elephant();
/// An advisor's targets by its point.
pub(crate) static ADVISOR: [Squares; SQUARES] = palace([(1, 1), (1, -1), (-1, 1), (-1, -1)]);
/// A king's targets by its point.
pub(crate) static KING: [Squares; SQUARES] = palace([(0, 1), (1, 0), (0, -1), (-1, 0)]);
/// A pawn's targets by its side and point.
pub(crate) static PAWN: [[Squares; SQUARES]; 2] = [pawn(Player::First), pawn(Player::Second)];
/// The point that must be empty for a horse to go from the first point to the second; 255 where none
/// goes.
pub(crate) static LEG: [[u8; SQUARES]; SQUARES] = legs();
/// The other points on the rank and the file of a point.
pub(crate) static CROSS: [Squares; SQUARES] = crosses();
/// The points from which a pawn of a side attacks a point.
pub(crate) static PAWN_ORIGINS: [[Squares; SQUARES]; 2] =
    [pawn_origins(&pawn(Player::First)), pawn_origins(&pawn(Player::Second))];
/// The points where a side's advisors may stand.
pub(crate) const ADVISOR_POINTS: [Squares; 2] = both_sides([(3, 0), (5, 0), (4, 1), (3, 2), (5, 2)]);
/// The points where a side's elephants may stand.
pub(crate) const ELEPHANT_POINTS: [Squares; 2] =
    both_sides([(2, 0), (6, 0), (0, 2), (4, 2), (8, 2), (2, 4), (6, 4)]);

/// Steps of a horse: the point beside it, then where it lands. The order is that of [`beside`].
const HORSE_STEPS: [[(i32, i32); 3]; 4] = [
    [(-1, 0), (-2, -1), (-2, 1)],
    [(0, -1), (-1, -2), (1, -2)],
    [(1, 0), (2, -1), (2, 1)],
    [(0, 1), (-1, 2), (1, 2)],
];
/// Diagonals in the order of [`diagonally_beside`].
const DIAGONALS: [(i32, i32); 4] = [(-1, -1), (-1, 1), (1, -1), (1, 1)];

/// Which points beside a point are occupied: left, below, right, above in bits 0 to 3; `rank` and
/// `file` are what is occupied on its lines.
#[inline]
pub(crate) const fn beside(square: Square, rank: u16, file: u16) -> usize {
    let across = (rank as u32) << 1 >> square.file() & 5;
    let upright = (file as u32) << 1 >> square.rank() & 5;
    (across | upright << 1) as usize
}

/// Which points diagonally beside a point are occupied, in bits 0 to 3. Bits of diagonals that leave
/// the board mean nothing; no piece goes there.
#[inline]
pub(crate) const fn diagonally_beside(square: Square, occupied: Squares) -> usize {
    // Below left, below right, above left, above right are 10 and 8 points before, 8 and 10 after.
    let around = (occupied.0 << (FILES + 1) >> square.index()) as u32;
    let pair = around & (1 | 1 << 2);
    let above = around >> 18 & (1 | 1 << 2);
    (pair | above << 1) as usize
}

/// The points strictly between two points of one rank or file.
#[inline]
pub(crate) const fn between(one: Square, other: Square) -> Squares {
    let (low, high) = if one.index() < other.index() { (one, other) } else { (other, one) };
    let span = ((1 << high.index()) - 1) & !((2 << low.index()) - 1);
    if low.file() == high.file() { Squares(span & FILE_A << low.file()) } else { Squares(span) }
}

/// The points of file `a`.
pub(crate) const FILE_A: u128 = {
    let mut points = 0;
    let mut rank = 0;
    while rank < RANKS {
        points |= 1 << (rank * FILES);
        rank += 1;
    }
    points
};

const fn along_lines<const LENGTH: usize, const SETS: usize>() -> [[u16; SETS]; LENGTH] {
    let mut table = [[0; SETS]; LENGTH];
    let mut place = 0;
    while place < LENGTH {
        let mut set = 0;
        while set < SETS {
            table[place][set] = along_line::<LENGTH>(place, set as u32);
            set += 1;
        }
        place += 1;
    }
    table
}

/// The places reached both ways on a line, the first occupied one each way included.
const fn along_line<const LENGTH: usize>(place: usize, set: u32) -> u16 {
    let line = (1 << LENGTH) - 1;
    let above = set >> place >> 1;
    let ahead = if above == 0 { LENGTH as u32 } else { above.trailing_zeros() + 1 };
    let up = ((1 << ahead) - 1) << place << 1;
    let below = set & ((1 << place) - 1);
    let stop = if below == 0 { 0 } else { 31 - below.leading_zeros() };
    let down = ((1 << place) - 1) & !((1 << stop) - 1);
    ((up | down) & line) as u16
}

const fn upright() -> [u128; 1 << RANKS] {
    let mut table = [0; 1 << RANKS];
    let mut set = 0;
    while set < 1 << RANKS {
        let mut rank = 0;
        while rank < RANKS {
            if set >> rank & 1 != 0 {
                table[set] |= 1 << (rank * FILES);
            }
            rank += 1;
        }
        set += 1;
    }
    table
}

/// The point that lies so many files and ranks away, if the board has it.
const fn shifted(square: Square, (files, ranks): (i32, i32)) -> Option<Square> {
    let file = square.file() as i32 + files;
    let rank = square.rank() as i32 + ranks;
    if file < 0 || file >= FILES as i32 || rank < 0 || rank >= RANKS as i32 {
        return None;
    }
    Some(Square::new(file as usize, rank as usize))
}

const fn with(squares: Squares, square: Option<Square>) -> Squares {
    match square {
        Some(square) => squares.or(Squares::of(square)),
        None => squares,
    }
}

const fn horse() -> [[Squares; 16]; SQUARES] {
    let mut table = [[Squares::EMPTY; 16]; SQUARES];
    let mut index = 0;
    while index < SQUARES {
        let square = Square::from_index(index);
        let mut set = 0;
        while set < 16 {
            let mut way = 0;
            while way < 4 {
                if set >> way & 1 == 0 {
                    let targets = with(table[index][set], shifted(square, HORSE_STEPS[way][1]));
                    table[index][set] = with(targets, shifted(square, HORSE_STEPS[way][2]));
                }
                way += 1;
            }
            set += 1;
        }
        index += 1;
    }
    table
}

const fn elephant() -> [[Squares; 16]; SQUARES] {
    let mut table = [[Squares::EMPTY; 16]; SQUARES];
    let mut index = 0;
    while index < SQUARES {
        let square = Square::from_index(index);
        let side = if square.on_side_of(Player::First) { 0 } else { 1 };
        let mut set = 0;
        while set < 16 && ELEPHANT_POINTS[side].contains(square) {
            let mut way = 0;
            while way < 4 {
                let (files, ranks) = DIAGONALS[way];
                if set >> way & 1 == 0 {
                    table[index][set] = with(table[index][set], shifted(square, (2 * files, 2 * ranks)));
                }
                way += 1;
            }
            table[index][set] = table[index][set].and(ELEPHANT_POINTS[side]);
            set += 1;
        }
        index += 1;
    }
    table
}

const fn palace(directions: [(i32, i32); 4]) -> [Squares; SQUARES] {
    let mut table = [Squares::EMPTY; SQUARES];
    let mut index = 0;
    while index < SQUARES {
        let square = Square::from_index(index);
        let owner = if square.on_side_of(Player::First) { Player::First } else { Player::Second };
        let mut way = 0;
        while way < 4 && square.in_palace_of(owner) {
            if let Some(target) = shifted(square, directions[way])
                && target.in_palace_of(owner)
            {
                table[index] = table[index].or(Squares::of(target));
            }
            way += 1;
        }
        index += 1;
    }
    table
}

const fn pawn(side: Player) -> [Squares; SQUARES] {
    let forward = match side {
        Player::First => 1,
        Player::Second => -1,
    };
    let mut table = [Squares::EMPTY; SQUARES];
    let mut index = 0;
    while index < SQUARES {
        let square = Square::from_index(index);
        table[index] = with(Squares::EMPTY, shifted(square, (0, forward)));
        if !square.on_side_of(side) {
            table[index] = with(table[index], shifted(square, (-1, 0)));
            table[index] = with(table[index], shifted(square, (1, 0)));
        }
        index += 1;
    }
    table
}

const fn crosses() -> [Squares; SQUARES] {
    let mut table = [Squares::EMPTY; SQUARES];
    let mut index = 0;
    while index < SQUARES {
        let square = Square::from_index(index);
        let rank = ((1 << FILES) - 1) << (square.rank() * FILES);
        table[index] = Squares((rank | FILE_A << square.file()) & !(1 << index));
        index += 1;
    }
    table
}

const fn pawn_origins(targets: &[Squares; SQUARES]) -> [Squares; SQUARES] {
    let mut table = [Squares::EMPTY; SQUARES];
    let mut from = 0;
    while from < SQUARES {
        let mut to = 0;
        while to < SQUARES {
            if targets[from].contains(Square::from_index(to)) {
                table[to] = table[to].or(Squares::of(Square::from_index(from)));
            }
            to += 1;
        }
        from += 1;
    }
    table
}

const fn legs() -> [[u8; SQUARES]; SQUARES] {
    let mut table = [[u8::MAX; SQUARES]; SQUARES];
    let mut index = 0;
    while index < SQUARES {
        let square = Square::from_index(index);
        let mut way = 0;
        while way < 4 {
            let [leg, one, other] = HORSE_STEPS[way];
            if let Some(leg) = shifted(square, leg) {
                if let Some(target) = shifted(square, one) {
                    table[index][target.index()] = leg.index() as u8;
                }
                if let Some(target) = shifted(square, other) {
                    table[index][target.index()] = leg.index() as u8;
                }
            }
            way += 1;
        }
        index += 1;
    }
    table
}

const fn both_sides<const COUNT: usize>(points: [(usize, usize); COUNT]) -> [Squares; 2] {
    let mut sets = [Squares::EMPTY; 2];
    let mut index = 0;
    while index < COUNT {
        let square = Square::new(points[index].0, points[index].1);
        sets[0] = sets[0].or(Squares::of(square));
        sets[1] = sets[1].or(Squares::of(square.seen_by(Player::Second)));
        index += 1;
    }
    sets
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_stop_at_the_first_piece_each_way() {
        assert_eq!(ALONG_RANK[4][0], 0b1_1110_1111);
        assert_eq!(ALONG_RANK[4][0b0_0100_0010], 0b0_0110_1110);
        assert_eq!(ALONG_RANK[0][0b0_0000_0011], 0b10);
        assert_eq!(ALONG_FILE[9][0b01_0000_0000], 0b01_0000_0000);
        assert_eq!(ALONG_FILE[9][0], 0b01_1111_1111);
    }

    #[test]
    fn points_between_lie_on_a_line() {
        let square = |text: &str| Square::read(text).unwrap();
        let set = |texts: &[&str]| -> Squares { texts.iter().map(|text| square(text)).collect() };
        assert_eq!(between(square("c4"), square("g4")), set(&["d4", "e4", "f4"]));
        assert_eq!(between(square("c7"), square("c4")), set(&["c5", "c6"]));
        assert_eq!(between(square("a9"), square("i9")).len(), 7);
        assert_eq!(between(square("c4"), square("d4")), Squares::EMPTY);
    }
}
