//! Moves by piece, file and distance.

use crate::{Board, FILES, Id, Kind, RANKS, Square, Step};
use game::Player;

/// What the older notations say of a move. Files are counted 1 to 9 from the mover's right.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct FileMove {
    /// The kind of piece.
    pub kind: Kind,
    /// Which piece of that kind.
    pub which: Which,
    /// Where it goes.
    pub direction: Direction,
    /// The file it goes to, or else the number of points it goes straight forward or backward.
    pub number: u8,
}

/// Which piece of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Which {
    /// The one on this file.
    On(u8),
    /// One of several on one file.
    Among(Order),
    /// One of several on this file.
    AmongOn(Order, u8),
}

/// Which of several pieces of a kind on one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Order {
    /// The one nearest to the enemy.
    Front,
    /// The second of three.
    Middle,
    /// The last.
    Rear,
    /// By its number, from 1: from front to rear. Where no file is named and pawns stand behind each
    /// other on two files, the count goes on from the right file to the left one.
    Nth(u8),
}

/// Where a piece goes, as its side sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Direction {
    /// Towards the enemy.
    Forward,
    /// Back.
    Backward,
    /// Along its rank.
    Sideways,
}

/// Number of a point's file as a side counts.
pub(super) fn file_number(side: Player, square: Square) -> u8 {
    (FILES - square.seen_by(side).file()) as u8
}

/// Direction and number of a move of a kind of piece.
pub(super) fn course(side: Player, kind: Kind, Step { from, to }: Step) -> (Direction, u8) {
    let [start, end] = [from, to].map(|square| square.seen_by(side).rank());
    let direction = match end.cmp(&start) {
        std::cmp::Ordering::Greater => Direction::Forward,
        std::cmp::Ordering::Less => Direction::Backward,
        std::cmp::Ordering::Equal => Direction::Sideways,
    };
    let slanting = matches!(kind, Kind::Advisor | Kind::Elephant | Kind::Horse);
    match slanting || direction == Direction::Sideways {
        true => (direction, file_number(side, to)),
        false => (direction, end.abs_diff(start) as u8),
    }
}

/// Where a piece stands among its like.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Standing {
    /// Its file.
    pub file: u8,
    /// Its number on the file, from 1 at the front.
    pub number: u8,
    /// How many of its kind are on the file.
    pub of: u8,
    /// Its number among all of its kind that share a file with another one, from the right file to
    /// the left one and from front to rear; 0 where it is alone on its file.
    pub overall: u8,
    /// Whether there are two files with several of its kind.
    pub shared: bool,
}

impl Standing {
    /// Where the piece on `square` stands among those of its side and kind.
    pub fn of(board: &Board, id: Id) -> Standing {
        let side = id.side();
        let place = |square: Square| (file_number(side, square), RANKS - square.seen_by(side).rank());
        let like: Vec<(u8, usize)> = board
            .pieces(side)
            .filter(|other| other.kind() == id.kind())
            .map(|other| place(board.square(other)))
            .collect();
        let here = place(board.square(id));
        let count = |file: u8| like.iter().filter(|&&(other, _)| other == file).count() as u8;
        let before = |&&(file, rank): &&(u8, usize)| file == here.0 && rank <= here.1;
        let overall = |&&(file, rank): &&(u8, usize)| count(file) > 1 && (file, rank) <= here;
        let of = count(here.0);
        Standing {
            file: here.0,
            number: like.iter().filter(before).count() as u8,
            of,
            overall: if of > 1 { like.iter().filter(overall).count() as u8 } else { 0 },
            shared: like.iter().any(|&(file, _)| file != here.0 && count(file) > 1),
        }
    }
}

impl Which {
    /// Whether a piece that stands so is meant.
    pub(super) fn fits(self, standing: &Standing) -> bool {
        match self {
            Which::On(file) => file == standing.file,
            Which::Among(Order::Nth(number)) => number == standing.overall,
            Which::Among(order) => order.fits(standing),
            Which::AmongOn(order, file) => file == standing.file && order.fits(standing),
        }
    }
}

impl Order {
    /// Whether a piece has this order on its file.
    fn fits(self, standing: &Standing) -> bool {
        standing.of > 1
            && match self {
                Order::Front => standing.number == 1,
                Order::Middle => standing.of == 3 && standing.number == 2,
                Order::Rear => standing.number == standing.of,
                Order::Nth(number) => standing.number == number,
            }
    }
}
