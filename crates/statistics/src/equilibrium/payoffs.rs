//! What has been played of a matrix game.

use crate::pentanomial::Pentanomial;
use ndarray::Array2;
use serde::{Deserialize, Serialize};

/// What rows and columns are to each other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Kind {
    /// Rows and columns are the same choices, and a cell is one minus the cell across the diagonal. The value is
    /// ½.
    Symmetric,
    /// Each side has choices of its own.
    General,
}

/// A row against a column.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Cell {
    /// The score is certain.
    Known(f64),
    /// Pairs from the row's view.
    Played(Pentanomial),
}

/// The cells of a matrix game, from the rows' view.
#[derive(Clone, Debug, PartialEq)]
pub struct Payoffs {
    kind: Kind,
    cells: Array2<Cell>,
}

impl Payoffs {
    /// A symmetric game of so many choices, nothing played; a choice against itself scores ½.
    pub fn symmetric(choices: usize) -> Payoffs {
        let cell = |(row, column)| match row == column {
            true => Cell::Known(0.5),
            false => Cell::Played(Pentanomial::default()),
        };
        Payoffs { kind: Kind::Symmetric, cells: Array2::from_shape_fn((choices, choices), cell) }
    }

    /// A game of so many rows and columns, nothing played.
    pub fn general(rows: usize, columns: usize) -> Payoffs {
        let cells = Array2::from_elem((rows, columns), Cell::Played(Pentanomial::default()));
        Payoffs { kind: Kind::General, cells }
    }

    /// The same symmetric game with one more choice, which nothing has been played with; a general one gets a
    /// row and a column.
    pub fn with_one_more(&self) -> Payoffs {
        let mut larger = match self.kind {
            Kind::Symmetric => Payoffs::symmetric(self.rows() + 1),
            Kind::General => Payoffs::general(self.rows() + 1, self.columns() + 1),
        };
        for ((row, column), cell) in self.cells.indexed_iter() {
            larger.cells[(row, column)] = *cell;
        }
        larger
    }

    /// What rows and columns are to each other.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Number of rows.
    pub fn rows(&self) -> usize {
        self.cells.nrows()
    }

    /// Number of columns.
    pub fn columns(&self) -> usize {
        self.cells.ncols()
    }

    /// A cell from the row's view.
    pub fn cell(&self, row: usize, column: usize) -> Cell {
        self.cells[(row, column)]
    }

    /// Counts a pair that brought the row `half_points` halves of a point, of 4 at most. A cell that is
    /// known stays known.
    pub fn add(&mut self, row: usize, column: usize, half_points: usize) {
        if let Cell::Played(pairs) = &mut self.cells[(row, column)] {
            pairs.add(half_points);
        }
        if self.kind == Kind::Symmetric
            && let Cell::Played(pairs) = &mut self.cells[(column, row)]
        {
            pairs.add(4_usize.saturating_sub(half_points));
        }
    }

    /// Says that a cell's score is certain; pairs that were counted in it are forgotten.
    pub fn know(&mut self, row: usize, column: usize, score: f64) {
        self.cells[(row, column)] = Cell::Known(score);
        if self.kind == Kind::Symmetric {
            self.cells[(column, row)] = Cell::Known(1.0 - score);
        }
    }

    /// Each cell that stands for itself: all, or in a symmetric game those above the diagonal.
    pub fn independent(&self) -> impl Iterator<Item = (usize, usize)> {
        let (rows, columns, kind) = (self.rows(), self.columns(), self.kind);
        (0..rows).flat_map(move |row| {
            let first = if kind == Kind::Symmetric { row + 1 } else { 0 };
            (first..columns).map(move |column| (row, column))
        })
    }

    /// Pairs that have been counted.
    pub fn pairs(&self) -> u64 {
        self.independent()
            .map(|(row, column)| match self.cell(row, column) {
                Cell::Played(pairs) => pairs.pairs(),
                Cell::Known(_) => 0,
            })
            .sum()
    }
}
