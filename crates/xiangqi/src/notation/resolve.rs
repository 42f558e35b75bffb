//! From what a text says to the one legal move, or to the reason why there is none.

use super::file_move::{FileMove, Standing, course};
use crate::text::{name, why_not_on_board};
use crate::{Id, Piece, Position, Square, Step};

/// The move, if it is legal on the board.
pub(super) fn legal(position: &Position, step: Step) -> Result<Step, String> {
    match why_not_on_board(position, step) {
        None => Ok(step),
        Some(why) => Err(format!("not legal: {why}")),
    }
}

/// The only move that fits and is legal on the board.
pub(super) fn only(position: &Position, sought: &FileMove) -> Result<Step, String> {
    let board = position.board();
    let side = board.mover();
    let meant: Vec<Id> = Id::of_kind(side, sought.kind)
        .filter(|&id| board.square(id) != Square::NONE && sought.which.fits(&Standing::of(board, id)))
        .collect();
    let mut possible = Vec::new();
    for &id in &meant {
        let from = board.square(id);
        let steps = board.targets(id).seen_by(side).map(|to| Step { from, to });
        possible.extend(
            steps.filter(|&step| course(side, sought.kind, step) == (sought.direction, sought.number)),
        );
    }
    let legal: Vec<Step> = possible.iter().copied().filter(|&step| board.is_legal(step)).collect();
    let piece = name(Piece { side, kind: sought.kind });
    match (legal.as_slice(), possible.as_slice(), meant.as_slice()) {
        (&[step], _, _) => Ok(step),
        (&[one, other, ..], _, _) => Err(format!("may mean {one} or {other}: name the points")),
        ([], &[step, ..], _) => self::legal(position, step),
        ([], [], []) => Err(format!("not legal: no {piece} stands there")),
        ([], [], &[id]) => Err(format!("not legal: the {piece} on {} does not go there", board.square(id))),
        ([], [], _) => Err(format!("not legal: no such {piece} goes there")),
    }
}
