//! The learning half of the contract; planes are in `planes.rs`, symmetries in `symmetry.rs`.
//!
//! The policy has nine planes: entering on a square, then from a square steps in four directions, then
//! jumps in four directions. A step has one cell, on the square where it starts.

use crate::emergo::Emergo;
use crate::planes;
use crate::position::Position;
use crate::square::{Square, squares};
use crate::step::Step;
use crate::symmetry::SYMMETRIES;
use game::{Encoding, Owner, PlaneShape, PlanesMut, Player, PolicyShape, StepCode};

/// Plane of entries, first plane of steps, first plane of jumps.
const PLANES: [usize; 3] = [0, 1, 5];

/// Square and policy plane of a step.
const fn origin(step: Step) -> (Square, usize) {
    match step {
        Step::Enter { square } => (square, PLANES[0]),
        Step::Move { from, direction } => (from, PLANES[1] + direction as usize),
        Step::Jump { from, direction } => (from, PLANES[2] + direction as usize),
    }
}

impl Encoding for Emergo {
    fn plane_shape(&self) -> PlaneShape {
        PlaneShape { channels: planes::CHANNELS, rows: self.board.width, columns: self.board.width }
    }

    fn policy_shape(&self) -> PolicyShape {
        PolicyShape { squares: self.board.width * self.board.width, planes: 9, cells_per_step: 1 }
    }

    fn write_planes(&self, position: &Position, planes: &mut PlanesMut<'_>) {
        self.write_all_planes(position, planes);
    }

    #[inline]
    fn evaluation_key(&self, position: &Position) -> u64 {
        self.key_of_planes(position)
    }

    /// Entries first, by square; then steps by square and direction; then jumps likewise: 369 codes on
    /// the 9×9 board, 225 on the 7×7 board.
    #[inline]
    fn step_code(&self, _position: &Position, step: Step) -> StepCode {
        let squares = self.board.squares();
        let number = |square| self.board.number(square);
        StepCode(match step {
            Step::Enter { square } => number(square),
            Step::Move { from, direction } => squares + 4 * number(from) + direction as usize,
            Step::Jump { from, direction } => 5 * squares + 4 * number(from) + direction as usize,
        } as u32)
    }

    #[inline]
    fn policy_cells(&self, _position: &Position, step: Step, cells: &mut [u32]) {
        let (square, plane) = origin(step);
        cells[0] = self.policy_shape().cell(self.board.place(square), plane);
    }

    /// Half the men of the larger board.
    fn margin_unit(&self) -> f32 {
        planes::MARGIN_UNIT
    }

    fn owners(&self, position: &Position, viewer: Player, owners: &mut [Owner]) {
        owners.fill(Owner::Nobody);
        for side in Player::BOTH {
            for square in squares(position.sides[side.index()]) {
                owners[self.board.place(square)] = Owner::of(side, viewer);
            }
        }
    }

    /// Those of the square.
    fn symmetries(&self) -> usize {
        SYMMETRIES
    }

    fn transform(&self, position: &Position, symmetry: usize) -> Position {
        self.transformed(position, symmetry)
    }

    fn transform_step(&self, _position: &Position, step: Step, symmetry: usize) -> Step {
        self.transformed_step(step, symmetry)
    }
}
