//! Input planes of a network.

use serde::{Deserialize, Serialize};

/// Size of the planes that a game writes for a position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlaneShape {
    /// Number of planes.
    pub channels: usize,
    /// Rows of the board.
    pub rows: usize,
    /// Columns of the board.
    pub columns: usize,
}

impl PlaneShape {
    /// Squares of one plane.
    pub const fn squares(self) -> usize {
        self.rows * self.columns
    }

    /// Numbers in all planes of one position.
    pub const fn len(self) -> usize {
        self.channels * self.squares()
    }

    /// Whether the shape holds nothing.
    pub const fn is_empty(self) -> bool {
        self.len() == 0
    }
}

/// The planes of one position while they are written.
///
/// Memory order is `[row, column, channel]` (channels last), the order in which CPU convolutions
/// run fastest; games write through the methods and never see it. All numbers start at 0.
pub struct PlanesMut<'a> {
    shape: PlaneShape,
    numbers: &'a mut [f32],
}

impl<'a> PlanesMut<'a> {
    /// Planes over `numbers`, which are set to 0.
    ///
    /// # Panics
    /// If `numbers` has not exactly `shape.len()` entries.
    pub fn new(shape: PlaneShape, numbers: &'a mut [f32]) -> PlanesMut<'a> {
        assert_eq!(numbers.len(), shape.len(), "buffer does not fit the plane shape");
        numbers.fill(0.0);
        PlanesMut { shape, numbers }
    }

    /// The shape.
    pub const fn shape(&self) -> PlaneShape {
        self.shape
    }

    /// Sets one number. `square` is `row · columns + column`.
    #[inline]
    pub fn set(&mut self, channel: usize, square: usize, value: f32) {
        debug_assert!(channel < self.shape.channels && square < self.shape.squares());
        self.numbers[square * self.shape.channels + channel] = value;
    }

    /// Sets one number in each of as many planes as `values` has, `first` and those that follow it.
    #[inline]
    pub fn set_run(&mut self, first: usize, square: usize, values: &[f32]) {
        debug_assert!(first + values.len() <= self.shape.channels && square < self.shape.squares());
        let start = square * self.shape.channels + first;
        self.numbers[start..start + values.len()].copy_from_slice(values);
    }

    /// Sets a whole plane.
    #[inline]
    pub fn fill(&mut self, channel: usize, value: f32) {
        debug_assert!(channel < self.shape.channels);
        for square in self.numbers.chunks_exact_mut(self.shape.channels) {
            square[channel] = value;
        }
    }

    /// One number back, for tests and pictures.
    #[inline]
    pub fn get(&self, channel: usize, square: usize) -> f32 {
        self.numbers[square * self.shape.channels + channel]
    }
}
