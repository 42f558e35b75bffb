//! From what a text says to the one legal move, or to the reason why there is none.

use super::Spelling;
use super::coordinates::Coordinates;
use super::file_move::{FileMove, Standing, course};
use crate::text::{name, why_not_on_board};
use crate::{Id, Piece, Position, Step};

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
    let meant: Vec<Id> = board
        .pieces(side)
        .filter(|&id| id.kind() == sought.kind && sought.which.fits(&Standing::of(board, id)))
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

/// The text if it gives the move back, or else the move's two points: positions may have more like
/// pieces than a notation by files tells apart.
pub(super) fn or_points(spelling: &impl Spelling, position: &Position, step: Step, text: String) -> String {
    match spelling.read(position, &text) == Ok(step) {
        true => text,
        false => Coordinates::Iccs.write(position, step),
    }
}

/// The legal move with these two points; `examples` are told where the text has none.
pub(super) fn points(position: &Position, text: &str, examples: &str) -> Result<Step, String> {
    match Coordinates::Iccs.parse(text) {
        Some(step) => legal(position, step),
        None => Err(format!("no move: write it as in {examples}")),
    }
}
