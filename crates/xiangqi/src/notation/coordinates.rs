//! Moves by their two points.

use super::{Spelling, plain, resolve};
use crate::{FILES, Position, RANKS, Square, Step};

/// A way to write the two points of a move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Coordinates {
    /// `h2e2`: files `a` to `i`, ranks 0 to 9 from Red's side.
    Ucci,
    /// `h3e3`: the same with ranks 1 to 10.
    Uci,
    /// `H2-E2`.
    Iccs,
    /// `7747`: files 0 to 8 from Red's left, ranks 0 to 9 from Black's side.
    DhtmlXq,
}

impl Spelling for Coordinates {
    fn write(&self, _position: &Position, Step { from, to }: Step) -> String {
        match self {
            Coordinates::Ucci => format!("{from}{to}"),
            Coordinates::Uci => {
                let point = |square: Square| format!("{}{}", file_letter(square), square.rank() + 1);
                point(from) + &point(to)
            }
            Coordinates::Iccs => format!("{from}-{to}").to_ascii_uppercase(),
            Coordinates::DhtmlXq => digits(from) + &digits(to),
        }
    }

    fn read(&self, position: &Position, text: &str) -> Result<Step, String> {
        let step = self.parse(text).ok_or_else(|| format!("no move: write it as in {}", self.example()))?;
        resolve::legal(position, step)
    }
}

impl Coordinates {
    /// The two points of a text.
    pub(super) fn parse(self, text: &str) -> Option<Step> {
        let letters: Vec<char> = text.chars().map(|letter| plain(letter).to_ascii_lowercase()).collect();
        match self {
            Coordinates::Ucci => points(&letters, 0),
            Coordinates::Uci => points(&letters, 1),
            Coordinates::Iccs => {
                let joined: Vec<char> = letters.iter().copied().filter(|&letter| letter != '-').collect();
                let dashes = letters.len() - joined.len();
                let placed = dashes == 0 || dashes == 1 && letters.get(2) == Some(&'-');
                points(&joined, 0).filter(|_| placed)
            }
            Coordinates::DhtmlXq => from_digits(&letters),
        }
    }

    const fn example(self) -> &'static str {
        match self {
            Coordinates::Ucci => "h2e2",
            Coordinates::Uci => "h3e3",
            Coordinates::Iccs => "H2-E2",
            Coordinates::DhtmlXq => "7747",
        }
    }
}

/// Two points, the ranks counted from `first_rank`.
fn points(letters: &[char], first_rank: usize) -> Option<Step> {
    let mut rest = letters;
    let step = Step { from: point(&mut rest, first_rank)?, to: point(&mut rest, first_rank)? };
    rest.is_empty().then_some(step)
}

fn point(rest: &mut &[char], first_rank: usize) -> Option<Square> {
    let (&letter, ranks) = rest.split_first()?;
    let file = ('a'..='i').position(|file| file == letter)?;
    let count = ranks.iter().take_while(|letter| letter.is_ascii_digit()).count();
    let digits: String = ranks[..count].iter().collect();
    if digits.len() > 1 && digits.starts_with('0') {
        return None;
    }
    let rank = digits.parse::<usize>().ok()?.checked_sub(first_rank)?;
    *rest = &ranks[count..];
    (rank < RANKS).then(|| Square::new(file, rank))
}

fn file_letter(square: Square) -> char {
    char::from(b'a' + square.file() as u8)
}

fn digits(square: Square) -> String {
    format!("{}{}", square.file(), RANKS - 1 - square.rank())
}

fn from_digits(letters: &[char]) -> Option<Step> {
    let &[from_x, from_y, to_x, to_y] = letters else { return None };
    Some(Step { from: from_digit_pair(from_x, from_y)?, to: from_digit_pair(to_x, to_y)? })
}

/// The point that DhtmlXQ's two digits mean.
pub(super) fn from_digit_pair(x: char, y: char) -> Option<Square> {
    let (file, rank) = (x.to_digit(10)? as usize, y.to_digit(10)? as usize);
    (file < FILES).then(|| Square::new(file, RANKS - 1 - rank))
}
