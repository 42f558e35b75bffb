//! What the pairs say of every cell, those that were not played included.

use super::payoffs::{Cell, Kind, Payoffs};
use crate::linear::Cholesky;
use crate::pentanomial::{Moments, Pentanomial};
use ndarray::{Array1, Array2};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// Pairs' worth of the pooled variance that go into a cell's own.
const POOLED_PAIRS: f64 = 12.0;
/// Variance of a pair's score that is assumed before any has been played, with the weight of so many pairs.
const FIRST_VARIANCE: (f64, f64) = (0.1, 4.0);
/// Variance of a cell around what its row and column let expect, before anything has been played, with the
/// weight of so many cells.
const FIRST_SPREAD: (f64, f64) = (0.03, 4.0);
/// Cells are never believed to lie closer than this (a standard deviation) to what row and column let expect.
const LEAST_SPREAD: f64 = 0.05;
/// Variance of what a row or a column has of its own.
const STRENGTH_VARIANCE: f64 = 0.05;

/// For every cell a normal distribution of its score: an empirical Bayes estimate. The prior of a cell is ½
/// plus what its row is worth less what its column is worth, both fitted to all pairs; how far cells lie from
/// that is estimated too, and decides how much a cell with few pairs leans on it. (B. Efron and C. Morris,
/// "Stein's estimation rule and its competitors", Journal of the American Statistical Association 68, 1973,
/// has the idea.)
#[derive(Clone, Debug)]
pub struct Belief {
    kind: Kind,
    /// Expected scores of the rows.
    pub means: Array2<f64>,
    /// Variances of these expectations.
    pub variances: Array2<f64>,
    /// Variance of a pair's score; 0 for cells that are known.
    pub pair_variances: Array2<f64>,
    spread: f64,
}

impl Belief {
    /// What payoffs say.
    pub fn of(payoffs: &Payoffs) -> Belief {
        let pooled = pooled_variance(payoffs);
        let strengths = Strengths::fit(payoffs, pooled);
        let spread = spread(payoffs, pooled, &strengths);
        let shape = (payoffs.rows(), payoffs.columns());
        let mut belief = Belief {
            kind: payoffs.kind(),
            means: Array2::from_elem(shape, 0.5),
            variances: Array2::zeros(shape),
            pair_variances: Array2::zeros(shape),
            spread,
        };
        for row in 0..shape.0 {
            for column in 0..shape.1 {
                let place = (row, column);
                match payoffs.cell(row, column) {
                    Cell::Known(score) => belief.means[place] = score,
                    Cell::Played(pairs) => {
                        let prior = strengths.expected(row, column);
                        let prior_precision = 1.0 / (spread + strengths.variance(row, column));
                        let own = own_variance(pairs, pooled);
                        let precision = pairs.pairs() as f64 / own;
                        let total = precision + prior_precision;
                        let mean = pairs.score().map_or(0.0, |score| score * precision);
                        belief.means[place] = ((mean + prior * prior_precision) / total).clamp(0.0, 1.0);
                        belief.variances[place] = 1.0 / total;
                        belief.pair_variances[place] = own;
                    }
                }
            }
        }
        belief
    }

    /// What rows and columns are to each other.
    pub fn kind(&self) -> Kind {
        self.kind
    }

    /// Standard deviation of the cells around what their rows and columns let expect: how much there is beyond
    /// "this one is simply better".
    pub fn interaction(&self) -> f64 {
        self.spread.sqrt()
    }

    /// A matrix drawn from the belief, scores within [0, 1].
    pub fn draw(&self, random: &mut ChaCha8Rng) -> Array2<f64> {
        let mut drawn = self.means.clone();
        let (rows, columns) = drawn.dim();
        for row in 0..rows {
            let first = if self.kind == Kind::Symmetric { row + 1 } else { 0 };
            for column in first..columns {
                let deviation = self.variances[(row, column)].sqrt();
                if deviation > 0.0 {
                    let score = (self.means[(row, column)] + deviation * normal(random)).clamp(0.0, 1.0);
                    drawn[(row, column)] = score;
                    if self.kind == Kind::Symmetric {
                        drawn[(column, row)] = 1.0 - score;
                    }
                }
            }
        }
        drawn
    }
}

/// A standard normal number (G. E. P. Box and M. E. Muller, "A note on the generation of random normal
/// deviates", Annals of Mathematical Statistics 29, 1958).
fn normal(random: &mut ChaCha8Rng) -> f64 {
    let radius = (-2.0 * (1.0 - random.random::<f64>()).ln()).sqrt();
    radius * (std::f64::consts::TAU * random.random::<f64>()).cos()
}

/// The cells with pairs.
fn played(payoffs: &Payoffs) -> impl Iterator<Item = (usize, usize, Pentanomial, Moments)> {
    payoffs.independent().filter_map(|(row, column)| match payoffs.cell(row, column) {
        Cell::Played(pairs) if pairs.pairs() > 0 => {
            Some((row, column, pairs, Moments::of(pairs.counts().map(|count| count as f64))))
        }
        _ => None,
    })
}

/// Variance of a pair's score within cells, all cells together.
fn pooled_variance(payoffs: &Payoffs) -> f64 {
    let (mut squares, mut degrees) = (FIRST_VARIANCE.0 * FIRST_VARIANCE.1, FIRST_VARIANCE.1);
    for (.., moments) in played(payoffs) {
        squares += moments.variance * moments.pairs;
        degrees += moments.pairs - 1.0;
    }
    squares / degrees
}

/// Variance of a pair's score in a cell, leaning on the pooled one.
fn own_variance(pairs: Pentanomial, pooled: f64) -> f64 {
    if pairs.pairs() == 0 {
        return pooled;
    }
    let moments = Moments::of(pairs.counts().map(|count| count as f64));
    (moments.variance * moments.pairs + POOLED_PAIRS * pooled) / (moments.pairs - 1.0 + POOLED_PAIRS)
}

/// What rows and columns are worth.
struct Strengths {
    kind: Kind,
    rows: usize,
    worth: Array1<f64>,
    /// Variance of each worth, without covariances.
    variances: Array1<f64>,
}

impl Strengths {
    /// Least squares over all pairs, each worth drawn to 0. A pair weighs by its variance and by how far a cell
    /// may lie from what is fitted, so that a cell with many pairs does not drown the others.
    fn fit(payoffs: &Payoffs, pooled: f64) -> Strengths {
        let (rows, kind) = (payoffs.rows(), payoffs.kind());
        let number = if kind == Kind::Symmetric { rows } else { rows + payoffs.columns() };
        let mut equations: Array2<f64> = Array2::eye(number) / STRENGTH_VARIANCE;
        let mut right = Array1::zeros(number);
        for (row, column, _, moments) in played(payoffs) {
            let column = if kind == Kind::Symmetric { column } else { rows + column };
            let weight = 1.0 / (pooled / moments.pairs + FIRST_SPREAD.0);
            equations[(row, row)] += weight;
            equations[(column, column)] += weight;
            equations[(row, column)] -= weight;
            equations[(column, row)] -= weight;
            right[row] += weight * (moments.mean - 0.5);
            right[column] -= weight * (moments.mean - 0.5);
        }
        // The equations are positive definite: a positive diagonal plus squares.
        match Cholesky::new(equations) {
            Some(factor) => {
                let variances = factor.inverse().diag().to_owned();
                Strengths { kind, rows, worth: factor.solve(&right), variances }
            }
            None => Strengths {
                kind,
                rows,
                worth: Array1::zeros(number),
                variances: Array1::from_elem(number, STRENGTH_VARIANCE),
            },
        }
    }

    fn column(&self, column: usize) -> usize {
        if self.kind == Kind::Symmetric { column } else { self.rows + column }
    }

    fn expected(&self, row: usize, column: usize) -> f64 {
        (0.5 + self.worth[row] - self.worth[self.column(column)]).clamp(0.02, 0.98)
    }

    fn variance(&self, row: usize, column: usize) -> f64 {
        self.variances[row] + self.variances[self.column(column)]
    }
}

/// Variance of cells around what rows and columns let expect, by moments.
fn spread(payoffs: &Payoffs, pooled: f64, strengths: &Strengths) -> f64 {
    let (mut squares, mut cells) = (FIRST_SPREAD.0 * FIRST_SPREAD.1, FIRST_SPREAD.1);
    for (row, column, _, moments) in played(payoffs) {
        // Cells weigh by what they know of the spread.
        let weight = moments.pairs / (moments.pairs + pooled / FIRST_SPREAD.0);
        let noise = pooled / moments.pairs;
        squares += weight * ((moments.mean - strengths.expected(row, column)).powi(2) - noise);
        cells += weight;
    }
    (squares / cells).max(LEAST_SPREAD * LEAST_SPREAD)
}

#[cfg(test)]
mod tests {
    use super::*;
    use game_like::*;

    /// Payoffs with exact means.
    mod game_like {
        use super::*;

        pub fn filled(means: &[&[f64]], pairs: u64) -> Payoffs {
            let mut payoffs = Payoffs::symmetric(means.len());
            for (row, column) in payoffs.independent().collect::<Vec<_>>() {
                let wins = (means[row][column] * pairs as f64).round() as u64;
                (0..wins).for_each(|_| payoffs.add(row, column, 4));
                (wins..pairs).for_each(|_| payoffs.add(row, column, 0));
            }
            payoffs
        }
    }

    #[test]
    fn nothing_played_is_even() {
        let belief = Belief::of(&Payoffs::general(2, 3));
        assert!(belief.means.iter().all(|&mean| mean == 0.5));
        assert!(belief.variances.iter().all(|&variance| variance > 0.02));
    }

    #[test]
    fn many_pairs_speak_for_themselves_and_strength_for_the_others() {
        let mut payoffs = filled(&[&[0.5, 0.7, 0.8, 0.5], &[0.3, 0.5, 0.6, 0.5]], 0);
        assert_eq!(payoffs.pairs(), 0);
        payoffs = Payoffs::symmetric(4);
        // 0 beats 1 and 2 clearly; 3 loses to 1 and 2; 0 and 3 never met.
        for other in [1, 2] {
            (0..40).for_each(|pair| payoffs.add(0, other, if pair % 4 == 0 { 0 } else { 4 }));
            (0..40).for_each(|pair| payoffs.add(other, 3, if pair % 4 == 0 { 0 } else { 4 }));
        }
        let belief = Belief::of(&payoffs);
        assert!((belief.means[(0, 1)] - 0.75).abs() < 0.04, "{}", belief.means);
        assert!(belief.means[(0, 3)] > 0.7, "{}", belief.means);
        assert!(belief.variances[(0, 3)] > 3.0 * belief.variances[(0, 1)]);
        for row in 0..4 {
            for column in 0..4 {
                let both = belief.means[(row, column)] + belief.means[(column, row)];
                assert!((both - 1.0).abs() < 1e-9, "{}", belief.means);
            }
        }
    }

    #[test]
    fn circles_are_not_strength() {
        let circle: &[&[f64]] = &[&[0.5, 0.8, 0.2], &[0.2, 0.5, 0.8], &[0.8, 0.2, 0.5]];
        let belief = Belief::of(&filled(circle, 50));
        assert!((belief.means[(0, 1)] - 0.8).abs() < 0.03, "{}", belief.means);
        assert!(belief.interaction() > 0.2);
    }
}
