//! The notation of the World Xiangqi Federation: `C2=5`.

use super::file_move::{Direction, FileMove, Order, Standing, Which, course};
use super::{Spelling, plain, resolve};
use crate::{Kind, Position, Step};

/// `C2=5`: piece, file, direction (`+` forward, `-` backward, `=` or `.` sideways), and the new file
/// or the number of points. Letters are `K A E H R C P`; `B` and `N` are read for `E` and `H`.
///
/// Of two like pieces on one file `+` is the front and `-` the rear one: `R+=3`, `C--1`; advisors and
/// elephants need no such sign. Of two pawns on one file, another file holding several too, the file
/// is named instead of the letter: `3+=4`. Of three and more pawns on one file the first digit is the
/// pawn's number from the front and the second the file: `13+1`. Read are also `+R=3`, and for pawns
/// `Pa+1` to `Pe+1`, counted as in the Chinese notation. Where a position has more like pieces than this
/// tells apart, the points are written: `H2-E2`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Wxf;

impl Spelling for Wxf {
    fn write(&self, position: &Position, step: Step) -> String {
        let board = position.board();
        // A legal move has a piece to move.
        let Some(id) = board.at(step.from) else { return String::new() };
        let kind = id.kind();
        let standing = Standing::of(board, id);
        let (direction, number) = course(id.side(), kind, step);
        let sign = if standing.number == 1 { '+' } else { '-' };
        let which = match (kind, standing.of) {
            (_, 1) | (Kind::Advisor | Kind::Elephant, _) => format!("{}{}", letter(kind), standing.file),
            (Kind::Pawn, 2) if standing.shared => format!("{}{sign}", standing.file),
            (Kind::Pawn, 3..) => format!("{}{}", standing.number, standing.file),
            _ => format!("{}{sign}", letter(kind)),
        };
        let direction = match direction {
            Direction::Forward => '+',
            Direction::Backward => '-',
            Direction::Sideways => '=',
        };
        resolve::or_points(self, position, step, format!("{which}{direction}{number}"))
    }

    fn read(&self, position: &Position, text: &str) -> Result<Step, String> {
        let letters: Vec<char> = text.chars().map(plain).collect();
        match file_move(&letters) {
            Some(sought) => resolve::only(position, &sought),
            None => resolve::points(position, text, "C2=5, R+=3 or 13+1"),
        }
    }
}

const fn letter(kind: Kind) -> char {
    match kind {
        Kind::Elephant => 'E',
        Kind::Horse => 'H',
        _ => kind.letter(),
    }
}

fn file_move(letters: &[char]) -> Option<FileMove> {
    let &[first, second, direction, number] = letters else { return None };
    let direction = match direction {
        '+' => Direction::Forward,
        '-' => Direction::Backward,
        '=' | '.' => Direction::Sideways,
        _ => return None,
    };
    let digit = |letter: char| letter.to_digit(10).filter(|&digit| digit > 0).map(|digit| digit as u8);
    let order = |letter: char| match letter {
        '+' => Some(Order::Front),
        '.' => Some(Order::Middle),
        '-' => Some(Order::Rear),
        _ => None,
    };
    let (kind, which) = if let Some(file) = digit(first) {
        let order = order(second).or(digit(second).map(|_| Order::Nth(file)));
        (Kind::Pawn, Which::AmongOn(order?, digit(second).unwrap_or(file)))
    } else if let Some(order) = order(first) {
        (Kind::from_letter(second)?, Which::Among(order))
    } else {
        let kind = Kind::from_letter(first)?;
        let which = match (digit(second), order(second)) {
            (Some(file), _) => Which::On(file),
            (_, Some(order)) => Which::Among(order),
            _ => Which::Among(Order::Nth(('a'..='e').position(|letter| letter == second)? as u8 + 1)),
        };
        (kind, which)
    };
    Some(FileMove { kind, which, direction, number: digit(number)? })
}
