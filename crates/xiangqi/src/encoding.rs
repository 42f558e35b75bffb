//! The learning half of the contract; planes are in `planes.rs`, policy cells in `policy.rs`.

use crate::piece::Kind;
use crate::planes;
use crate::policy;
use crate::position::Position;
use crate::square::{FILES, RANKS, SQUARES, Square};
use crate::step::Step;
use crate::xiangqi::Xiangqi;
use game::{Encoding, Owner, PlaneShape, PlanesMut, Player, PolicyShape, StepCode};

impl Encoding for Xiangqi {
    fn plane_shape(&self) -> PlaneShape {
        PlaneShape { channels: planes::channels(&self.rules), rows: RANKS, columns: FILES }
    }

    fn policy_shape(&self) -> PolicyShape {
        PolicyShape { squares: SQUARES, planes: policy::PLANES, cells_per_step: policy::CELLS_PER_STEP }
    }

    fn write_planes(&self, position: &Position, planes: &mut PlanesMut<'_>) {
        self.write_all_planes(position, planes);
    }

    fn evaluation_key(&self, position: &Position) -> u64 {
        self.key_of_planes(position)
    }

    /// Origin and target in 8 bits each.
    fn step_code(&self, _position: &Position, step: Step) -> StepCode {
        StepCode((step.from.index() as u32) << 8 | step.to.index() as u32)
    }

    fn step_from_code(&self, position: &Position, code: StepCode) -> Option<Step> {
        let (from, to) = ((code.0 >> 8) as usize, (code.0 & 0xff) as usize);
        if from >= SQUARES || to >= SQUARES {
            return None;
        }
        let wanted = Step { from: Square::from_index(from), to: Square::from_index(to) };
        self.any_legal(position, |step| step == wanted).then_some(wanted)
    }

    fn policy_cells(&self, position: &Position, step: Step, cells: &mut [u32]) {
        policy::write_cells(position, step, cells);
    }

    /// A rook.
    fn margin_unit(&self) -> f32 {
        Kind::Rook.points() as f32
    }

    fn owners(&self, position: &Position, viewer: Player, owners: &mut [Owner]) {
        owners.fill(Owner::Nobody);
        for side in Player::BOTH {
            for id in position.board.pieces(side) {
                owners[position.board.square(id).seen_by(viewer).index()] = Owner::of(side, viewer);
            }
        }
    }

    fn other_view(&self, square: usize) -> usize {
        Square::from_index(square).seen_by(Player::Second).index()
    }

    /// The identity and the mirror left to right.
    fn symmetries(&self) -> usize {
        2
    }

    fn transform(&self, position: &Position, symmetry: usize) -> Position {
        if symmetry == 0 { *position } else { position.mirrored() }
    }

    fn transform_step(&self, _position: &Position, step: Step, symmetry: usize) -> Step {
        if symmetry == 0 { step } else { step.mirrored() }
    }
}
