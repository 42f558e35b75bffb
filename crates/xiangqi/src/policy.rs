//! Policy cells, from the mover's view.
//!
//! A move is the sum of two cells: on its origin where it goes, which is different for any two legal
//! moves, and on its target what arrives and whether it captures.

use crate::piece::Kind;
use crate::position::Position;
use crate::step::Step;

/// Straight distances: across in each direction, then up and down.
const ACROSS: usize = 8;
const UPRIGHT: usize = 9;
/// First plane of diagonal moves by one point, by two points, and of the horse's.
const DIAGONAL: usize = 2 * ACROSS + 2 * UPRIGHT;
const DOUBLE: usize = DIAGONAL + 4;
const HORSE: usize = DOUBLE + 4;
/// First plane of arrivals: 7 kinds without capture, then 7 with.
const ARRIVALS: usize = HORSE + 8;
/// Planes of the policy.
pub(crate) const PLANES: usize = ARRIVALS + 14;
/// Cells of a move.
pub(crate) const CELLS_PER_STEP: usize = 2;

pub(crate) fn write_cells(position: &Position, step: Step, cells: &mut [u32]) {
    let mover = position.mover();
    let (from, to) = (step.from.seen_by(mover), step.to.seen_by(mover));
    let cell = |square: usize, plane: usize| (square * PLANES + plane) as u32;
    let files = to.file() as i32 - from.file() as i32;
    let ranks = to.rank() as i32 - from.rank() as i32;
    cells[0] = cell(from.index(), displacement(files, ranks));
    let kind = position.board.at(step.from).map_or(Kind::King, |id| id.kind());
    let capture = usize::from(position.board.at(step.to).is_some());
    cells[1] = cell(to.index(), ARRIVALS + 7 * capture + kind as usize);
}

/// Plane of a move by so many files to the right and ranks forward.
fn displacement(files: i32, ranks: i32) -> usize {
    let [across, up] = [files, ranks].map(i32::unsigned_abs).map(|distance| distance as usize);
    let quarter = usize::from(files > 0) + 2 * usize::from(ranks > 0);
    match (across, up) {
        (_, 0) => usize::from(files > 0) * ACROSS + across - 1,
        (0, _) => 2 * ACROSS + usize::from(ranks > 0) * UPRIGHT + up - 1,
        (1, 1) => DIAGONAL + quarter,
        (2, 2) => DOUBLE + quarter,
        (1, _) => HORSE + quarter,
        _ => HORSE + 4 + quarter,
    }
}
