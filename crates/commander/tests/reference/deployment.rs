//! Free set-ups of one side and void pairs (section 9).

use super::board::{Board, KINDS, Kind, Piece, Point, Role, Side, Stack, legal_stack, sort};
use super::options::Options;
use super::position::Position;
use super::reach::exposed;
use std::collections::BTreeMap;
use std::rc::Rc;

/// What may be deployed: `free_zone` and `free_stacks`.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    pub zone: &'static str,
    pub stacks: &'static str,
}

/// A piece on a point, seen from the own side.
pub type Placed = (Piece, Point);

/// How many of each kind the army has.
fn wanted(kind: Kind) -> usize {
    match kind {
        Kind::Commander | Kind::Missile | Kind::Militia => 1,
        _ => 2,
    }
}

pub fn piece(letter: char, hero: bool) -> Piece {
    let kind = KINDS.iter().find(|row| row.1 == letter).unwrap().0;
    Piece { kind, hero, role: Role::Bystander }
}

fn by_point(pieces: &[Placed]) -> BTreeMap<Point, Vec<Piece>> {
    let mut points: BTreeMap<Point, Vec<Piece>> = BTreeMap::new();
    for (piece, point) in pieces {
        points.entry(*point).or_default().push(*piece);
    }
    for here in points.values_mut() {
        sort(here);
    }
    points
}

/// Whether these pieces may be deployed on one point.
fn together(pieces: &[Piece], terms: Terms, options: &Options) -> bool {
    let mut kinds: Vec<Kind> = pieces.iter().map(|piece| piece.kind).collect();
    kinds.sort();
    pieces.len() == 1
        || match terms.stacks {
            "none" => false,
            "hq" => kinds == [Kind::Headquarters, Kind::Commander],
            "any" => legal_stack(pieces, options),
            other => panic!("no value {other}"),
        }
}

/// Where a set-up breaks a rule, once for each fault: a point, all points of a kind with too many pieces, the letter
/// of a kind with too few. Empty when it is legal.
pub fn faults(pieces: &[Placed], terms: Terms, options: &Options) -> Vec<String> {
    let mut places = Vec::new();
    let last_rank = if terms.zone == "half" { 6 } else { 5 };
    for (point, here) in by_point(pieces) {
        let mut fault = || places.push(point.text());
        if point.rank > last_rank {
            fault();
        }
        for _ in here.iter().filter(|piece| piece.hero) {
            fault();
        }
        if together(&here, terms, options) {
            if !point.bears(here[0].kind) {
                fault();
            }
        } else {
            fault();
            for _ in here.iter().filter(|piece| !point.bears(piece.kind)) {
                fault();
            }
        }
    }
    for (kind, letter, _) in KINDS {
        let mut points: Vec<Point> =
            pieces.iter().filter(|(piece, _)| piece.kind == kind).map(|(_, point)| *point).collect();
        points.sort();
        if points.len() < wanted(kind) {
            places.push(letter.to_string());
        } else if points.len() > wanted(kind) {
            places.push(points.iter().map(|point| point.text()).collect::<Vec<_>>().join(" and "));
        }
    }
    places.sort();
    places
}

/// The position of two set-ups, Red to move; Blue's is mirrored top to bottom.
pub fn position(red: &[Placed], blue: &[Placed], options: &Rc<Options>) -> Position {
    let mut board = Board::default();
    for (point, pieces) in by_point(red) {
        board.stacks.insert(point, Stack::new(Side::Red, pieces));
    }
    for (point, pieces) in by_point(blue) {
        let seen = Point { rank: 13 - point.rank, file: point.file };
        board.stacks.insert(seen, Stack::new(Side::Blue, pieces));
    }
    Position {
        options: options.clone(),
        board,
        side: Side::Red,
        quiet: 0,
        number: 1,
        points: [0, 0],
        turn: None,
    }
}

/// Why a pair is void, if it is: `exposed`, `takeable`, or `over` when the side to move has no turn.
pub fn void(position: &Position) -> Option<&'static str> {
    if exposed(&position.board, &position.options) {
        return Some("exposed");
    }
    let turns = position.turns();
    let taken = |reason: &str| reason == "commander_captured";
    if turns.iter().any(|turn| turn.ending.as_ref().is_some_and(|ending| taken(&ending.reason))) {
        return Some("takeable");
    }
    turns.is_empty().then_some("over")
}
