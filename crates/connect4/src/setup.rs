//! Anything a person may write down as a Connect Four position, and what may be wrong with it.

use crate::board::{COLUMNS, Position, ROWS, has_four, point};
use game::{Faults, Player};

/// A board as written: any stones anywhere, and a side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// Whose stone is on a point, `[file][height]`, height 0 at the bottom.
    pub points: [[Option<Player>; ROWS]; COLUMNS],
    /// The side to move.
    pub mover: Player,
}

impl Setup {
    /// Reads `rows side`: six rows from the top, `/` between them, with `x` for stones of the first
    /// player, `o` for the second and digits for empty points; then `x` or `o` to move.
    ///
    /// # Errors
    /// All faults of the text, each with its place (`row 6`, `side`, …).
    pub fn read(text: &str) -> Result<Setup, Faults> {
        let mut faults = Faults::new();
        let mut fields = text.split_whitespace();
        let mut points = [[None; ROWS]; COLUMNS];
        match fields.next() {
            Some(rows) => read_rows(rows, &mut points, &mut faults),
            None => faults
                .add("rows", "nothing there: write six rows and the side to move, as in `7/7/7/7/7/7 x`"),
        }
        let mover = match fields.next() {
            Some("x") => Player::First,
            Some("o") => Player::Second,
            Some(other) => {
                faults.add("side", format!("`{other}`: write x or o"));
                Player::First
            }
            None => {
                faults.add("side", "missing: write x or o after the rows");
                Player::First
            }
        };
        for extra in fields {
            faults.add("end", format!("`{extra}`: nothing may follow the side to move"));
        }
        faults.into_result(Setup { points, mover })
    }

    /// The legal position of this set-up.
    ///
    /// # Errors
    /// Everything that shows it cannot arise in play: stones that hang in the air, numbers of
    /// stones that do not fit the side to move, lines of four that play would not have reached.
    pub fn position(&self) -> Result<Position, Faults> {
        let mut faults = Faults::new();
        let mut stones = [0_u64; 2];
        for (file, points) in self.points.iter().enumerate() {
            for (height, stone) in points.iter().enumerate() {
                let Some(player) = stone else { continue };
                stones[player.index()] |= point(file, height);
                if height > 0 && points[height - 1].is_none() {
                    let below = point_name(file, height - 1);
                    faults
                        .add(point_name(file, height), format!("a stone hangs in the air: {below} is empty"));
                }
            }
        }
        let [first, second] = stones.map(u64::count_ones);
        let expected = match self.mover {
            Player::First => second,
            Player::Second => second + 1,
        };
        if first != expected {
            let (side, rule) = match self.mover {
                Player::First => ("x", "as many of each"),
                Player::Second => ("o", "one x more than o"),
            };
            faults.add("side", format!("{first} x and {second} o with {side} to move: there must be {rule}"));
        }
        let last = self.mover.opponent();
        if has_four(stones[self.mover.index()]) {
            faults.add("side", "the side to move has four in a line already: it would have won before");
        } else if has_four(stones[last.index()]) && !self.won_by_one_stone(stones[last.index()], last) {
            faults.add("rows", "no single last stone completes all lines of four");
        }
        faults.into_result(Position::from_stones(stones[0], stones[1]))
    }

    /// Whether without one top stone of `player` no four is left.
    fn won_by_one_stone(&self, stones: u64, player: Player) -> bool {
        self.points.iter().enumerate().any(|(file, points)| {
            let top = points.iter().rposition(Option::is_some);
            top.is_some_and(|height| {
                points[height] == Some(player) && !has_four(stones & !point(file, height))
            })
        })
    }
}

impl From<&Position> for Setup {
    fn from(position: &Position) -> Setup {
        let mut points = [[None; ROWS]; COLUMNS];
        for (file, column) in points.iter_mut().enumerate() {
            for (height, stone) in column.iter_mut().enumerate() {
                *stone = position.stone(file, height);
            }
        }
        Setup { points, mover: position.mover() }
    }
}

/// The name of a point: `a1` at the bottom left, `g6` at the top right.
pub(crate) fn point_name(file: usize, height: usize) -> String {
    format!("{}{}", file_name(file), height + 1)
}

/// The letter of a file.
pub(crate) fn file_name(file: usize) -> char {
    char::from(b'a' + file as u8)
}

fn read_rows(text: &str, points: &mut [[Option<Player>; ROWS]; COLUMNS], faults: &mut Faults) {
    let rows: Vec<&str> = text.split('/').collect();
    if rows.len() != ROWS {
        faults.add("rows", format!("{} rows: there must be {ROWS}", rows.len()));
    }
    for (index, row) in rows.iter().enumerate() {
        let place =
            if index < ROWS { format!("row {}", ROWS - index) } else { format!("extra row {}", index + 1) };
        let mut width = 0;
        for letter in row.chars() {
            let stone = match letter {
                'x' => Some(Player::First),
                'o' => Some(Player::Second),
                '1'..='7' => {
                    width += letter as usize - '0' as usize;
                    continue;
                }
                _ => {
                    faults.add(
                        &place,
                        format!("`{}`: write x, o or a digit from 1 to 7", letter.escape_default()),
                    );
                    None
                }
            };
            if width < COLUMNS && index < ROWS {
                points[width][ROWS - 1 - index] = stone;
            }
            width += 1;
        }
        if width != COLUMNS {
            faults.add(&place, format!("`{row}` has {width} points: there must be {COLUMNS}"));
        }
    }
}
