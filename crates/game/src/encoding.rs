//! The learning half of the contract: planes in, policy cells out.

use crate::{Game, Notation, Owner, PlaneShape, PlanesMut, Player, PolicyShape, StepCode};

/// How a position becomes planes and a step becomes policy cells, both from the mover's view: the
/// same situation with colours exchanged gives the same planes and cells.
pub trait Encoding: Game {
    /// Shape of the planes; fixed for a game's rules.
    fn plane_shape(&self) -> PlaneShape;

    /// Shape of the policy; fixed for a game's rules.
    fn policy_shape(&self) -> PolicyShape;

    /// Writes the planes of a position. They show everything that legal steps and result depend on,
    /// repetition apart.
    fn write_planes(&self, position: &Self::Position, planes: &mut PlanesMut<'_>);

    /// Hash of exactly what [`Encoding::write_planes`] reads, all 64 bits mixed: equal keys if and
    /// only if equal planes. Key of evaluation caches.
    fn evaluation_key(&self, position: &Self::Position) -> u64;

    /// The code of a legal step.
    fn step_code(&self, position: &Self::Position, step: Self::Step) -> StepCode;

    /// The legal step with this code; `None` when no legal step has it.
    fn step_from_code(&self, position: &Self::Position, code: StepCode) -> Option<Self::Step> {
        let mut steps = Vec::new();
        self.legal_steps(position, &mut steps);
        steps.into_iter().find(|&step| self.step_code(position, step) == code)
    }

    /// Writes the policy cells of a legal step into `cells`, which has `cells_per_step` entries;
    /// unused ones become [`NO_CELL`](crate::NO_CELL).
    fn policy_cells(&self, position: &Self::Position, step: Self::Step, cells: &mut [u32]);

    /// The points margin that counts as one unit of the margin head: the head's target is
    /// `tanh(margin / unit)`. 0 where the game has no points.
    fn margin_unit(&self) -> f32;

    /// Writes whose piece stands on each square into `owners`, which has an entry a square in the order of
    /// the planes, all as `viewer` sees the board when it moves. A stack belongs to the side that moves it.
    fn owners(&self, position: &Self::Position, viewer: Player, owners: &mut [Owner]);

    /// Where the other side sees what one side sees on `square`, both as squares of planes: how the board is
    /// turned between the two. Its own inverse.
    fn other_view(&self, square: usize) -> usize {
        square
    }

    /// Number of symmetries that the rules really have, the identity included. Index 0 is the
    /// identity. The colour flip does not count: it is in the encoding already.
    fn symmetries(&self) -> usize {
        1
    }

    /// The position under a symmetry.
    fn transform(&self, position: &Self::Position, _symmetry: usize) -> Self::Position {
        *position
    }

    /// A step of `position` as a step of the transformed position.
    fn transform_step(&self, _position: &Self::Position, step: Self::Step, _symmetry: usize) -> Self::Step {
        step
    }
}

/// A game with all three halves of the contract; what generic code outside this crate asks for.
pub trait BoardGame: Game + Notation + Encoding {}
impl<G: Game + Notation + Encoding> BoardGame for G {}
