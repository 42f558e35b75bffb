//! Samples for one optimisation step as plain numbers, without tensors.

use crate::auxiliary::AuxiliaryTargets;
use std::ops::Range;

/// Samples for one optimisation step. All values are seen by the side to move in the sample.
///
/// Rows are kept in compressed form, as in [`Batch`](crate::Batch): all planes one after the other,
/// and the legal steps of all rows one after the other with the end of each row.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TrainBatch {
    /// Planes, `[rows, board rows, board columns, channels]`.
    pub planes: Vec<f32>,
    /// End of each row in the list of all steps, `[rows]`, never falling.
    pub step_ends: Vec<u32>,
    /// Policy cells of the legal steps, `[steps of all rows, cells_per_step]`, padded with
    /// [`game::NO_CELL`].
    pub cells: Vec<u32>,
    /// Target probability of each legal step, `[steps of all rows]`; a row sums to 1.
    pub policy_target: Vec<f32>,
    /// What the row's policy counts, `[rows]`: 0 where the sample has no trustworthy policy (a fast
    /// search).
    pub policy_weight: Vec<f32>,
    /// Target probabilities of win, draw and loss, `[rows]`.
    pub wdl_target: Vec<[f32; 3]>,
    /// Target of the margin head in [−1, 1], `[rows]`.
    pub margin_target: Vec<f32>,
    /// What auxiliary heads are to learn, as far as they are asked for.
    pub auxiliary: AuxiliaryTargets,
    /// Where each sample comes from, `[rows]`: number of the game shifted left by 16 bits, plus the
    /// index of the step in the game (see [`TrainBatch::sample_id`]). Errors name it.
    pub ids: Vec<u64>,
}

impl TrainBatch {
    /// Id of the sample before step `step` (counted from 0) of a game.
    pub const fn sample_id(game: u64, step: usize) -> u64 {
        (game << 16) | (step as u64 & 0xffff)
    }

    /// The game and the step (counted from 0) that a sample's id was made of.
    pub const fn game_and_step(id: u64) -> (u64, usize) {
        (id >> 16, (id & 0xffff) as usize)
    }

    /// Number of rows.
    pub fn len(&self) -> usize {
        self.step_ends.len()
    }

    /// Whether there are no rows.
    pub fn is_empty(&self) -> bool {
        self.step_ends.is_empty()
    }

    /// Forgets all rows, keeping the memory.
    pub fn clear(&mut self) {
        self.planes.clear();
        self.step_ends.clear();
        self.cells.clear();
        self.policy_target.clear();
        self.policy_weight.clear();
        self.wdl_target.clear();
        self.margin_target.clear();
        self.auxiliary.clear();
        self.ids.clear();
    }

    /// Where the steps of a row stand in the list of all steps.
    pub fn step_range(&self, row: usize) -> Range<usize> {
        let start = if row == 0 { 0 } else { self.step_ends[row - 1] as usize };
        start..self.step_ends[row] as usize
    }
}
