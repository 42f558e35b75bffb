//! The eight symmetries of the square board.
//!
//! Number `s` exchanges file and rank if its bit 2 is set, then mirrors the files (bit 0) and the ranks
//! (bit 1).

use crate::direction::Direction;
use crate::emergo::Emergo;
use crate::position::{Columns, Position};
use crate::square::{Square, squares};
use crate::step::Step;

/// Number of symmetries, the identity included.
pub(crate) const SYMMETRIES: usize = 8;

impl Emergo {
    /// Where a square goes.
    fn image(&self, square: Square, symmetry: usize) -> Square {
        let last = self.board.width - 1;
        let (file, rank) = (square.file(), square.rank());
        let (file, rank) = if symmetry & 4 == 0 { (file, rank) } else { (rank, file) };
        let file = if symmetry & 1 == 0 { file } else { last - file };
        let rank = if symmetry & 2 == 0 { rank } else { last - rank };
        // The sum of file and rank stays even, since the board's width is odd.
        Square::at(file, rank).unwrap_or(square)
    }

    pub(crate) fn transformed(&self, position: &Position, symmetry: usize) -> Position {
        let mut image = Position { columns: Columns::EMPTY, sides: [0; 2], ..*position };
        for side in 0..2 {
            for square in squares(position.sides[side]) {
                let target = self.image(square, symmetry);
                image.columns.put(target, position.columns.at(square));
                image.sides[side] |= target.bit();
            }
        }
        if let Some((square, _)) = position.capturer() {
            let target = self.image(square, symmetry);
            image.capture = position.capture.mapped(target, |direction| turned(direction, symmetry));
        }
        image
    }

    pub(crate) fn transformed_step(&self, step: Step, symmetry: usize) -> Step {
        match step {
            Step::Enter { square } => Step::Enter { square: self.image(square, symmetry) },
            Step::Move { from, direction } => {
                Step::Move { from: self.image(from, symmetry), direction: turned(direction, symmetry) }
            }
            Step::Jump { from, direction } => {
                Step::Jump { from: self.image(from, symmetry), direction: turned(direction, symmetry) }
            }
        }
    }
}

/// Where a direction goes. Bit 0 of a direction's number says west, bit 1 south.
fn turned(direction: Direction, symmetry: usize) -> Direction {
    let number = direction as u32;
    let number = if symmetry & 4 == 0 { number } else { (number & 1) << 1 | number >> 1 };
    Direction::from_number(number ^ (symmetry as u32 & 3))
}
