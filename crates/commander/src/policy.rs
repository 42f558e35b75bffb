//! Policy cells, from the mover's view.
//!
//! A step is the sum of three cells: on its origin where it goes and whether it captures, on its
//! origin what it does with which members, on its target what arrives and how. The first two
//! together are different for any two legal steps. The end of a turn has one cell of its own.

use crate::commander::Commander;
use crate::point::{OFFSETS, is_diagonal};
use crate::position::Position;
use crate::step::{Step, StepKind};
use game::{NO_CELL, Player};

/// Distances along a straight line and along a diagonal.
const DISTANCES: [usize; 2] = [11, 5];
/// Directions and distances.
const DISPLACEMENTS: usize = 4 * (DISTANCES[0] + DISTANCES[1]);
/// Kinds of steps without the end of a turn.
const KINDS: usize = 7;
/// Sets of members.
const MEMBERS: usize = 7;
/// First plane of the origin's "what and who".
const ACTIONS: usize = 2 * DISPLACEMENTS;
/// The plane of the end of a turn.
const END: usize = ACTIONS + KINDS * MEMBERS;
/// First plane of the target.
const ARRIVALS: usize = END + 1;
/// Planes of the policy.
pub(crate) const PLANES: usize = ARRIVALS + KINDS * 11;
/// Cells of a step.
pub(crate) const CELLS_PER_STEP: usize = 3;

impl Commander {
    pub(crate) fn write_policy_cells(&self, position: &Position, step: Step, cells: &mut [u32]) {
        let mover = position.mover;
        let cell = |square: usize, plane: usize| (square * PLANES + plane) as u32;
        let origin = step.origin.seen_by(mover).index();
        cells.fill(NO_CELL);
        if step.kind == StepKind::EndTurn {
            cells[0] = cell(origin, END);
            return;
        }
        let kind = step.kind as usize;
        let target = step.target.seen_by(mover).index();
        let leader = position.board.at(step.origin).select(step.members).carrier().kind();
        let displacement = self.displacement(step, mover);
        cells[0] = cell(origin, 2 * displacement + step.kind.is_capture() as usize);
        cells[1] = cell(origin, ACTIONS + kind * MEMBERS + step.members as usize - 1);
        cells[2] = cell(target, ARRIVALS + kind * 11 + leader.index() - 1);
    }

    /// Number of a step's direction and distance as the mover sees them.
    fn displacement(&self, step: Step, mover: Player) -> usize {
        let (from, to) = (step.origin.seen_by(mover), step.target.seen_by(mover));
        // Every step goes along a ray; riding along follows one that another member went.
        let (direction, distance) = self.tables.relation(from, to).unwrap_or((0, 1));
        debug_assert!(direction < OFFSETS.len());
        if is_diagonal(direction) {
            4 * DISTANCES[0] + (direction - 4) * DISTANCES[1] + distance as usize - 1
        } else {
            direction * DISTANCES[0] + distance as usize - 1
        }
    }
}
