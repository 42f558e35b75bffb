//! Planes and policy cells of Connect Four.
//!
//! Planes `[3, 6, 7]`, row 0 at the top: own stones, enemy stones, ones (which shows a convolution
//! where the board ends). Whose turn it is need not be shown: the number of stones tells it. The
//! policy has one plane; a step's only cell is the point on which its stone lands.

use crate::{
    ConnectFour,
    board::{COLUMNS, Position, ROWS, SQUARES, Step, square, squares},
    rules::key,
};
use game::{Encoding, Game, Owner, PlaneShape, PlanesMut, Player, PolicyShape, StepCode};

const OWN: usize = 0;
const ENEMY: usize = 1;
const ONES: usize = 2;

const POLICY: PolicyShape = PolicyShape { squares: SQUARES, planes: 1, cells_per_step: 1 };

impl Encoding for ConnectFour {
    fn plane_shape(&self) -> PlaneShape {
        PlaneShape { channels: 3, rows: ROWS, columns: COLUMNS }
    }

    fn policy_shape(&self) -> PolicyShape {
        POLICY
    }

    fn write_planes(&self, position: &Position, planes: &mut PlanesMut<'_>) {
        for square in squares(position.own()) {
            planes.set(OWN, square, 1.0);
        }
        for square in squares(position.enemy()) {
            planes.set(ENEMY, square, 1.0);
        }
        planes.fill(ONES, 1.0);
    }

    #[inline]
    fn evaluation_key(&self, position: &Position) -> u64 {
        key(position)
    }

    /// The number of the file.
    #[inline]
    fn step_code(&self, _position: &Position, step: Step) -> StepCode {
        StepCode(step.file() as u32)
    }

    fn step_from_code(&self, position: &Position, code: StepCode) -> Option<Step> {
        let step = Step::into_file(usize::try_from(code.0).ok()?)?;
        let mut steps = Vec::with_capacity(COLUMNS);
        self.legal_steps(position, &mut steps);
        steps.contains(&step).then_some(step)
    }

    #[inline]
    fn policy_cells(&self, position: &Position, step: Step, cells: &mut [u32]) {
        cells[0] = POLICY.cell(square(step.file(), position.height(step.file())), 0);
    }

    fn margin_unit(&self) -> f32 {
        0.0
    }

    fn owners(&self, position: &Position, viewer: Player, owners: &mut [Owner]) {
        owners.fill(Owner::Nobody);
        for side in Player::BOTH {
            for square in squares(position.stones_of(side)) {
                owners[square] = Owner::of(side, viewer);
            }
        }
    }

    /// The identity and the mirror left to right.
    fn symmetries(&self) -> usize {
        2
    }

    fn transform(&self, position: &Position, symmetry: usize) -> Position {
        if symmetry == 0 { *position } else { position.mirrored() }
    }

    fn transform_step(&self, _position: &Position, step: Step, symmetry: usize) -> Step {
        // The mirror of a file is a file, so the fallback is never taken.
        let mirrored = Step::into_file(COLUMNS - 1 - step.file()).unwrap_or(step);
        if symmetry == 0 { step } else { mirrored }
    }
}
