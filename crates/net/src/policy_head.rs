//! How the logit of a step is made of what the policy head answers.
//!
//! The head answers channels for every square. The first [`PolicyShape::planes`] of them are the cells that games
//! speak of; their sum over the cells of a step is its logit ([`PolicyHead::Cells`]). With [`PolicyHead::Pairs`] two
//! vectors follow on every square, one as an origin and one as a target, and the logit has their product besides: of
//! the origin's vector on the square of the step's first cell with the target's on the square of its last. Only legal
//! steps are ever computed, so that the table of all pairs of squares is never made.

use crate::error::NetError;
use game::{NO_CELL, PolicyShape};
use serde::{Deserialize, Serialize};
use tch::{Device, Kind, Tensor};

/// How the logit of a step is made.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub enum PolicyHead {
    /// The sum of its cells.
    #[default]
    Cells,
    /// The sum of its cells, and how well the square that it begins on goes with the one that it ends on.
    Pairs {
        /// Length of the vectors that are multiplied, 1 to 256.
        channels: usize,
    },
}

impl PolicyHead {
    /// Length of the vectors that are multiplied; 0 without pairs.
    pub fn pair_channels(self) -> usize {
        match self {
            PolicyHead::Cells => 0,
            PolicyHead::Pairs { channels } => channels,
        }
    }

    /// Channels that the head answers for every square.
    pub fn outputs(self, policy: PolicyShape) -> usize {
        policy.planes + 2 * self.pair_channels()
    }
}

/// Where the parts of steps lie in an answer of the head, as plain numbers.
pub(crate) struct StepPlaces {
    head: PolicyHead,
    policy: PolicyShape,
    cells: Vec<i64>,
    counts: Vec<f32>,
    origins: Vec<i64>,
    targets: Vec<i64>,
}

impl StepPlaces {
    /// Places for so many steps, each of them without cells so far.
    pub fn new(head: PolicyHead, policy: PolicyShape, steps: usize) -> StepPlaces {
        let pairs = if head.pair_channels() > 0 { steps } else { 0 };
        StepPlaces {
            head,
            policy,
            cells: vec![0; steps * policy.cells_per_step],
            counts: vec![0.0; steps * policy.cells_per_step],
            origins: vec![0; pairs],
            targets: vec![0; pairs],
        }
    }

    /// Enters the cells of steps of one row of the answer, from step `first` on. The caller has checked that they
    /// are below [`PolicyShape::cells`].
    pub fn enter(&mut self, first: usize, row: usize, cells: &[u32]) {
        let PolicyShape { squares, planes, cells_per_step } = self.policy;
        let outputs = self.head.outputs(self.policy);
        let square = |cell: u32| row * squares + cell as usize / planes;
        let place = first * cells_per_step;
        for (at, &cell) in cells.iter().enumerate().filter(|(_, cell)| **cell != NO_CELL) {
            self.cells[place + at] = (square(cell) * outputs + cell as usize % planes) as i64;
            self.counts[place + at] = 1.0;
        }
        if self.origins.is_empty() {
            return;
        }
        for (step, cells) in (first..).zip(cells.chunks_exact(cells_per_step)) {
            let mut own = cells.iter().filter(|cell| **cell != NO_CELL);
            if let Some(&origin) = own.next() {
                self.origins[step] = square(origin) as i64;
                self.targets[step] = square(*own.next_back().unwrap_or(&origin)) as i64;
            }
        }
    }

    /// The same as tensors on a device.
    pub fn tensors(&self, device: Device) -> Result<StepTensors, NetError> {
        let on_device = |tensor: Tensor| tensor.f_to_device(device);
        let squares = match self.head {
            PolicyHead::Cells => None,
            PolicyHead::Pairs { .. } => Some([
                on_device(Tensor::f_from_slice(&self.origins)?)?,
                on_device(Tensor::f_from_slice(&self.targets)?)?,
            ]),
        };
        let counts = Tensor::f_from_slice(&self.counts)?.f_view([-1, self.policy.cells_per_step as i64])?;
        Ok(StepTensors {
            head: self.head,
            planes: self.policy.planes as i64,
            cells: on_device(Tensor::f_from_slice(&self.cells)?)?,
            counts: on_device(counts)?,
            squares,
        })
    }
}

/// Where the parts of steps lie in an answer of the head.
pub(crate) struct StepTensors {
    head: PolicyHead,
    planes: i64,
    /// `[steps · cells_per_step]`
    cells: Tensor,
    /// `[steps, cells_per_step]`: 1 where the cell counts.
    counts: Tensor,
    /// Origins and targets among the squares of all rows, `[steps]` each.
    squares: Option<[Tensor; 2]>,
}

impl StepTensors {
    /// Logits of the steps, `[steps]`, from the head's answer `[rows, outputs, board rows, columns]`.
    pub fn logits(&self, answer: &Tensor) -> Result<Tensor, NetError> {
        // Square-major, so for the memory order of the convolutions this is a view.
        let by_square = answer.f_permute([0, 2, 3, 1])?;
        let flat = by_square.f_reshape([-1])?;
        let parts = flat.f_index_select(0, &self.cells)?.f_to_kind(Kind::Float)?;
        let sums = sum_of_rows(&parts.f_view(self.counts.size().as_slice())?.f_mul(&self.counts)?)?;
        let Some([origins, targets]) = &self.squares else { return Ok(sums) };
        let channels = self.head.pair_channels() as i64;
        let vectors = by_square.f_flatten(0, 2)?;
        let side = |first: i64, squares: &Tensor| {
            let own = vectors.f_narrow(1, self.planes + first * channels, channels)?;
            own.f_index_select(0, squares)?.f_to_kind(Kind::Float)
        };
        Ok(sums.f_add(&sum_of_rows(&side(0, origins)?.f_mul(&side(1, targets)?)?)?)?)
    }
}

/// Sums over the last dimension.
pub(crate) fn sum_of_rows(tensor: &Tensor) -> Result<Tensor, NetError> {
    Ok(tensor.f_sum_dim_intlist([-1i64].as_slice(), false, Kind::Float)?)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Three squares with two planes, pairs of one channel: a square answers `[plane 0, plane 1, origin, target]`.
    #[test]
    fn a_logit_is_the_sum_of_cells_and_the_product_of_its_ends() {
        let policy = PolicyShape { squares: 3, planes: 2, cells_per_step: 2 };
        let answer: Vec<f32> = vec![
            1.0, 2.0, 3.0, 5.0, 10.0, 20.0, 7.0, 11.0, 100.0, 200.0, 13.0, 17.0, // row 0
            0.1, 0.2, 0.3, 0.5, 0.4, 0.6, 0.7, 1.1, 0.8, 0.9, 1.3, 1.7, // row 1
        ];
        let answer = Tensor::from_slice(&answer).view([2, 1, 3, 4]).permute([0, 3, 1, 2]);
        let head = PolicyHead::Pairs { channels: 1 };
        let mut places = StepPlaces::new(head, policy, 4);
        // Plane 1 on square 0 with plane 0 on square 2; plane 0 on square 1 alone. In row 1 the first again.
        places.enter(0, 0, &[1, 4, 2, NO_CELL]);
        places.enter(3, 1, &[1, 4]);
        let logits = places.tensors(Device::Cpu).unwrap().logits(&answer).unwrap();
        let logits: Vec<f32> = Vec::try_from(logits).unwrap();
        let wanted = [2.0 + 100.0 + 3.0 * 17.0, 10.0 + 7.0 * 11.0, 3.0 * 5.0, 0.2 + 0.8 + 0.3 * 1.7];
        // The third place was never entered: its cells count nothing, its squares are the first ones.
        for (found, wanted) in logits.iter().zip(wanted) {
            assert!((found - wanted).abs() < 1e-4, "{logits:?}");
        }
    }
}
