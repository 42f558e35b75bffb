//! The learning half of the contract; planes are in `planes.rs`, policy cells in `policy.rs`.

use crate::commander::Commander;
use crate::planes;
use crate::point::{FILES, POINTS, Point, RANKS};
use crate::policy;
use crate::position::Position;
use crate::step::{Step, StepKind};
use game::{Encoding, Owner, PlaneShape, PlanesMut, Player, PolicyShape, StepCode};

impl Encoding for Commander {
    fn plane_shape(&self) -> PlaneShape {
        PlaneShape { channels: planes::CHANNELS, rows: RANKS, columns: FILES }
    }

    fn policy_shape(&self) -> PolicyShape {
        PolicyShape { squares: POINTS, planes: policy::PLANES, cells_per_step: policy::CELLS_PER_STEP }
    }

    fn write_planes(&self, position: &Position, planes: &mut PlanesMut<'_>) {
        self.write_all_planes(position, planes);
    }

    fn evaluation_key(&self, position: &Position) -> u64 {
        self.key_of_planes(position)
    }

    /// Origin, target, kind and members in 8, 8, 4 and 4 bits.
    fn step_code(&self, _position: &Position, step: Step) -> StepCode {
        StepCode(
            (step.origin.index() as u32) << 16
                | (step.target.index() as u32) << 8
                | (step.kind as u32) << 4
                | u32::from(step.members),
        )
    }

    fn step_from_code(&self, position: &Position, code: StepCode) -> Option<Step> {
        let byte = |shift: u32| (code.0 >> shift & 0xff) as usize;
        let kind = *StepKind::ALL.get(code.0 as usize >> 4 & 0xf)?;
        if code.0 >> 24 != 0 || byte(16) >= POINTS || byte(8) >= POINTS {
            return None;
        }
        let wanted = Step {
            origin: Point::from_index(byte(16)),
            target: Point::from_index(byte(8)),
            kind,
            members: (code.0 & 0xf) as u8,
        };
        self.for_each_step(position, &mut |step| step == wanted).then_some(wanted)
    }

    fn policy_cells(&self, position: &Position, step: Step, cells: &mut [u32]) {
        self.write_policy_cells(position, step, cells);
    }

    /// About two artillery pieces more than one's losses.
    fn margin_unit(&self) -> f32 {
        planes::MARGIN_UNIT
    }

    fn owners(&self, position: &Position, viewer: Player, owners: &mut [Owner]) {
        owners.fill(Owner::Nobody);
        for side in Player::BOTH {
            for (point, _) in position.board.stacks(side) {
                owners[point.seen_by(viewer).index()] = Owner::of(side, viewer);
            }
        }
    }

    fn other_view(&self, square: usize) -> usize {
        Point::from_index(square).seen_by(Player::Second).index()
    }
}
