//! The two ways of solving linear equations that the crate needs.

use ndarray::{Array1, Array2};

/// The factor of a symmetric positive definite matrix: `L·Lᵀ` with `L` lower triangular.
pub(crate) struct Cholesky(Array2<f64>);

impl Cholesky {
    /// `None` where the matrix is not positive definite to working precision.
    pub fn new(mut matrix: Array2<f64>) -> Option<Cholesky> {
        let size = matrix.nrows();
        for column in 0..size {
            for row in column..size {
                let known: f64 = (0..column).map(|k| matrix[(row, k)] * matrix[(column, k)]).sum();
                let rest = matrix[(row, column)] - known;
                if row > column {
                    matrix[(row, column)] = rest / matrix[(column, column)];
                } else if rest > f64::EPSILON * matrix[(row, row)].abs() {
                    matrix[(row, row)] = rest.sqrt();
                } else {
                    // Also where the rest is not a number.
                    return None;
                }
            }
        }
        Some(Cholesky(matrix))
    }

    /// Half of the logarithm of the matrix's determinant.
    pub fn half_log_determinant(&self) -> f64 {
        self.0.diag().iter().map(|entry| entry.ln()).sum()
    }

    /// Solves `matrix · x = right`.
    pub fn solve(&self, right: &Array1<f64>) -> Array1<f64> {
        let factor = &self.0;
        let mut solution = right.clone();
        for row in 0..solution.len() {
            let known: f64 = (0..row).map(|k| factor[(row, k)] * solution[k]).sum();
            solution[row] = (solution[row] - known) / factor[(row, row)];
        }
        for row in (0..solution.len()).rev() {
            let known: f64 = (row + 1..solution.len()).map(|k| factor[(k, row)] * solution[k]).sum();
            solution[row] = (solution[row] - known) / factor[(row, row)];
        }
        solution
    }

    /// The inverse of the matrix.
    pub fn inverse(&self) -> Array2<f64> {
        let size = self.0.nrows();
        let mut inverse = Array2::zeros((size, size));
        for column in 0..size {
            let mut unit = Array1::zeros(size);
            unit[column] = 1.0;
            inverse.column_mut(column).assign(&self.solve(&unit));
        }
        inverse
    }
}

/// Solves `matrix · X = right` by elimination with row exchanges; `None` where the matrix is singular or
/// has an entry that is no number.
pub(crate) fn solve(mut matrix: Array2<f64>, mut right: Array2<f64>) -> Option<Array2<f64>> {
    let size = matrix.nrows();
    for column in 0..size {
        let pivot = (column..size)
            .max_by(|&one, &other| matrix[(one, column)].abs().total_cmp(&matrix[(other, column)].abs()))?;
        let largest = matrix[(pivot, column)];
        if !(largest.abs() > 0.0 && largest.is_finite()) {
            return None;
        }
        if pivot != column {
            for k in 0..size {
                matrix.swap((pivot, k), (column, k));
            }
            for k in 0..right.ncols() {
                right.swap((pivot, k), (column, k));
            }
        }
        for row in column + 1..size {
            let factor = matrix[(row, column)] / largest;
            if factor != 0.0 {
                for k in column..size {
                    matrix[(row, k)] -= factor * matrix[(column, k)];
                }
                for k in 0..right.ncols() {
                    right[(row, k)] -= factor * right[(column, k)];
                }
            }
        }
    }
    for row in (0..size).rev() {
        for k in 0..right.ncols() {
            let known: f64 = (row + 1..size).map(|column| matrix[(row, column)] * right[(column, k)]).sum();
            right[(row, k)] = (right[(row, k)] - known) / matrix[(row, row)];
        }
    }
    Some(right)
}

/// The largest size of an entry; not a number where one is none.
pub(crate) fn largest(vector: &Array1<f64>) -> f64 {
    vector.iter().fold(0.0, |largest, entry| if entry.is_nan() { f64::NAN } else { entry.abs().max(largest) })
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    fn far(found: &Array2<f64>, wanted: &Array2<f64>) -> f64 {
        (found - wanted).iter().map(|entry| entry.abs()).fold(0.0, f64::max)
    }

    #[test]
    fn positive_matrices_are_factored() {
        let matrix = array![[4.0, 2.0, -1.0], [2.0, 5.0, 0.5], [-1.0, 0.5, 3.0]];
        let factor = Cholesky::new(matrix.clone()).unwrap();
        assert!(far(&factor.inverse().dot(&matrix), &Array2::eye(3)) < 1e-14);
        // 4·(15 − ¼) − 2·(6 + ½) − (1 + 5) = 40.
        assert!((factor.half_log_determinant() - 40f64.ln() / 2.0).abs() < 1e-14);
        assert!(Cholesky::new(array![[1.0, 2.0], [2.0, 1.0]]).is_none());
        assert!(Cholesky::new(array![[1.0, 1.0], [1.0, 1.0]]).is_none());
        assert!(Cholesky::new(array![[f64::NAN]]).is_none());
    }

    #[test]
    fn any_regular_matrix_is_solved() {
        let matrix = array![[0.0, 2.0, 1.0], [-1.0, 1e-14, 3.0], [4.0, 1.0, 0.0]];
        let wanted = array![[1.0, -2.0], [0.5, 7.0], [3.0, 0.25]];
        let found = solve(matrix.clone(), matrix.dot(&wanted)).unwrap();
        assert!(far(&found, &wanted) < 1e-12, "{found}");
        assert!(solve(array![[1.0, 2.0], [2.0, 4.0]], Array2::eye(2)).is_none());
        assert!(solve(array![[f64::NAN]], Array2::eye(1)).is_none());
    }
}
