//! How a network's policy speaks about steps.

use serde::{Deserialize, Serialize};

/// A step written as a number: unique among the legal steps of its position and decodable from the
/// position alone. Records keep step codes, never indices into a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct StepCode(pub u32);

/// The cell that stands for "no cell" where a step uses fewer than `cells_per_step`.
pub const NO_CELL: u32 = u32::MAX;

/// Size of the policy output and how many of its cells make a step's logit.
///
/// The output is `[squares, planes]` (square-major): cell = `square · planes + plane`, squares
/// numbered as in the planes. The logit of a step is the sum of its cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PolicyShape {
    /// Squares of the board.
    pub squares: usize,
    /// Policy planes per square.
    pub planes: usize,
    /// Most cells that one step uses; rows of cells are padded with [`NO_CELL`].
    pub cells_per_step: usize,
}

impl PolicyShape {
    /// Number of cells.
    pub const fn cells(self) -> usize {
        self.squares * self.planes
    }

    /// The cell of a plane at a square.
    #[inline]
    pub const fn cell(self, square: usize, plane: usize) -> u32 {
        (square * self.planes + plane) as u32
    }
}
