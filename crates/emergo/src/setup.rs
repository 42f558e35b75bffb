//! What a person may write down as a position, and the way from there to a legal [`Position`].

use crate::board::Board;
use crate::column::Column;
use crate::direction::Direction;
use crate::emergo::Emergo;
use crate::position::{Capture, Position};
use crate::square::{FILES, Square, file_name};
use game::{Faults, Player};

/// A column as written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrittenColumn {
    /// Whose guards.
    pub owner: Player,
    /// Men of the owner, 1 to 12.
    pub guards: u8,
    /// Men of the other side below them, 0 to 12.
    pub prisoners: u8,
}

/// Anything that a FEN can say, on a board of either size.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The columns with file and rank, both counted from 0; also on squares that are not in use.
    pub columns: Vec<(usize, usize, WrittenColumn)>,
    /// Side to move.
    pub mover: Player,
    /// Turns played before.
    pub ply: u16,
    /// Men in hand of White and of Black.
    pub hands: [u8; 2],
    /// Square and last direction of the column that is in the middle of a capture.
    pub capturer: Option<(Square, Direction)>,
}

impl Setup {
    /// Reads a FEN for a board of `width` files and ranks. What cannot be read is named in the faults
    /// and left out of the set-up.
    pub fn read(text: &str, width: usize) -> (Setup, Faults) {
        let mut setup =
            Setup { columns: Vec::new(), mover: Player::First, ply: 0, hands: [0; 2], capturer: None };
        let mut faults = Faults::new();
        let mut fields = text.split_whitespace();
        match fields.next() {
            Some(board) => setup.read_board(board, width, &mut faults),
            None => faults.add("position", "is empty, expected `board side ply handW,handB`"),
        }
        match fields.next() {
            Some("w") => setup.mover = Player::First,
            Some("b") => setup.mover = Player::Second,
            Some(other) => faults.add("side", format!("found `{other}`, expected w or b")),
            None => faults.add("side", "is missing, expected w or b after the board"),
        }
        match fields.next().map(str::parse) {
            Some(Ok(ply)) => setup.ply = ply,
            Some(Err(_)) => faults.add("ply", format!("is no number from 0 to {}", u16::MAX)),
            None => faults.add("ply", "is missing, expected the number of turns played before"),
        }
        match fields.next() {
            Some(field) => setup.read_hands(field, &mut faults),
            None => faults.add("hands", "are missing, expected two numbers as in `12,12`"),
        }
        match fields.next() {
            None | Some("-") => {}
            Some(field) => setup.read_capturer(field, &mut faults),
        }
        for extra in fields {
            faults.add("end", format!("found `{extra}`, expected nothing after the fifth field"));
        }
        (setup, faults)
    }

    fn read_board(&mut self, text: &str, width: usize, faults: &mut Faults) {
        let ranks: Vec<&str> = text.split('/').collect();
        if ranks.len() != width {
            faults.add("board", format!("has {} ranks, expected {width} separated by /", ranks.len()));
        }
        for (rank_text, rank) in ranks.into_iter().zip((0..width).rev()) {
            self.read_rank(rank_text, rank, width, faults);
        }
    }

    fn read_rank(&mut self, text: &str, rank: usize, width: usize, faults: &mut Faults) {
        let mut file = 0;
        let mut letters = text.chars();
        while let Some(letter) = letters.next() {
            if let Some(empty) = letter.to_digit(10) {
                if !(1..=width as u32).contains(&empty) {
                    faults.add(
                        place(file, rank, width),
                        format!("found `{letter}`, expected 1 to {width} empty squares"),
                    );
                }
                file += empty as usize;
                continue;
            }
            let Some(owner) = owner(letter) else {
                let found = letter.escape_default();
                faults.add(
                    place(file, rank, width),
                    format!("found `{found}`, expected guards A to L or a to l, or empty squares as a digit"),
                );
                continue;
            };
            let second = letters.clone().next();
            match second.and_then(|second| prisoners(second, owner)) {
                Some(prisoners) => {
                    letters.next();
                    let column = WrittenColumn { owner, guards: number(letter), prisoners };
                    self.columns.push((file, rank, column));
                }
                None => {
                    let found = second.map_or("the end of the rank".to_owned(), |second| {
                        format!("`{}`", second.escape_default())
                    });
                    faults.add(
                        place(file, rank, width),
                        format!(
                            "found {found} after guards `{letter}`, expected prisoners: @ for none, or a letter \
                             of the same case"
                        ),
                    );
                    // A letter that cannot stand there was meant as the prisoners; digits go on.
                    if second.is_some_and(|second| second.is_alphabetic()) {
                        letters.next();
                    }
                }
            }
            file += 1;
        }
        if file != width {
            faults.add(
                format!("rank {}", rank + 1),
                format!("`{text}` describes {file} squares, expected {width}"),
            );
        }
    }

    fn read_hands(&mut self, text: &str, faults: &mut Faults) {
        let numbers: Vec<Option<u8>> = text.split(',').map(|number| number.parse().ok()).collect();
        match numbers[..] {
            [Some(white), Some(black)] => self.hands = [white, black],
            _ => faults.add("hands", format!("found `{text}`, expected two numbers as in `12,12`")),
        }
    }

    fn read_capturer(&mut self, text: &str, faults: &mut Faults) {
        let parts = text.split_at_checked(2);
        self.capturer =
            parts.and_then(|(square, direction)| Some((Square::read(square)?, Direction::read(direction)?)));
        if self.capturer.is_none() {
            let message =
                format!("found `{text}`, expected - or a square and ne, nw, se or sw, as in `e5ne`");
            faults.add("capture", message);
        }
    }
}

impl Emergo {
    /// The position of a set-up under these rules.
    ///
    /// # Errors
    /// All that is wrong with it: columns on squares that are not in use, too many men of a colour, a
    /// capture that cannot go on.
    pub fn position(&self, setup: &Setup) -> Result<Position, Faults> {
        let Board { width, men, .. } = self.board;
        let mut faults = Faults::new();
        let mut position = Position::start(0);
        position.mover = setup.mover;
        position.ply = setup.ply;
        position.hands = setup.hands;
        let mut totals = setup.hands.map(u32::from);
        for &(file, rank, column) in &setup.columns {
            let WrittenColumn { owner, guards, prisoners } = column;
            totals[owner.index()] += u32::from(guards);
            totals[owner.opponent().index()] += u32::from(prisoners);
            match Square::at(file, rank) {
                Some(_) if guards == 0 || guards > 12 || prisoners > 12 => {
                    faults.add(place(file, rank, width), "expected 1 to 12 guards over at most 12 prisoners")
                }
                Some(square) if file < width && rank < width => {
                    position.columns.put(square, Column::new(guards, prisoners));
                    position.sides[owner.index()] |= square.bit();
                }
                Some(_) | None => faults.add(
                    place(file, rank, width),
                    "this square is not in use: file and rank must add up to an even number",
                ),
            }
        }
        for (name, total) in ["White", "Black"].into_iter().zip(totals) {
            if total > u32::from(men) {
                let message =
                    format!("{name} has {total}, prisoners and hand included, expected at most {men}");
                faults.add("men", message);
            }
        }
        if faults.0.is_empty()
            && let Some((square, last)) = setup.capturer
        {
            let word = last.word();
            position.capture = Capture::resumed(square, last);
            if position.own() & square.bit() == 0 {
                faults.add("capture", format!("no column of the side to move stands on {square}"));
            } else if !self.came_from(square, last) {
                faults.add("capture", format!("no jump to {word} ends on {square}"));
            } else if self.jumpers(&position).is_empty() {
                faults.add("capture", format!("{square} has no jump after one to {word}, write - instead"));
            }
        }
        faults.into_result(position)
    }
}

impl Emergo {
    /// Whether a jump in this direction can end on a square: whether the board goes two squares back.
    fn came_from(&self, square: Square, last: Direction) -> bool {
        let (file, rank) = last.deltas();
        let inside = |place: usize, delta: i8| {
            place.checked_add_signed(-2 * isize::from(delta)).is_some_and(|place| place < self.board.width)
        };
        inside(square.file(), file) && inside(square.rank(), rank)
    }
}

/// The owner of a column with this letter for its guards.
const fn owner(letter: char) -> Option<Player> {
    match letter {
        'A'..='L' => Some(Player::First),
        'a'..='l' => Some(Player::Second),
        _ => None,
    }
}

/// The number of prisoners that a letter stands for in a column of `owner`.
fn prisoners(letter: char, owner_of_column: Player) -> Option<u8> {
    match owner(letter) {
        Some(side) if side == owner_of_column => Some(number(letter)),
        None if letter == '@' => Some(0),
        Some(_) | None => None,
    }
}

/// 1 for the letter A.
const fn number(letter: char) -> u8 {
    letter.to_ascii_uppercase() as u8 - b'@'
}

/// Where something stands.
fn place(file: usize, rank: usize, width: usize) -> String {
    if file < width.min(FILES) {
        format!("{}{}", file_name(file), rank + 1)
    } else {
        format!("rank {}", rank + 1)
    }
}
