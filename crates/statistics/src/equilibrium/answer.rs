//! The equilibrium of a belief, and how sure it is.

use super::belief::Belief;
use super::payoffs::Kind;
use super::regrets::learn;
use super::smoothed::{Equilibrium, solve};
use crate::interval::{Interval, NORMAL_975};
use ndarray::{Array1, Array2};
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// Matrices drawn for the intervals.
pub const DRAWS: usize = 200;
/// What the answer is good to, in scores.
const SMOOTHING: f64 = 1e-5;
/// What the draws are solved to, in scores.
const DRAWN_TOLERANCE: f64 = 2e-3;

/// What to mix, and how surely. Intervals come from matrices that are drawn from the belief.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Answer {
    /// The equilibrium of what is expected.
    pub equilibrium: Equilibrium,
    /// 95 % intervals of the rows' shares.
    pub row_shares: Vec<Interval>,
    /// 95 % intervals of the columns' shares.
    pub column_shares: Vec<Interval>,
    /// 95 % interval of the value; exactly ½ in a symmetric game.
    pub value: Interval,
    /// Score of each row against the columns' mixture, and its 95 % interval.
    pub row_scores: Vec<(f64, Interval)>,
    /// Score of the rows' mixture against each column, and its 95 % interval.
    pub column_scores: Vec<(f64, Interval)>,
    /// What the best reply of the columns gains against the rows' mixture, over the value: its expectation...
    pub exploitability: f64,
    /// ... and what it does not exceed with the confidence that was asked for.
    pub exploitability_bound: f64,
}

impl Answer {
    /// The answer of a belief; `confidence` is that of the bound on exploitability, such as 0.95. `None` where
    /// numbers are not finite.
    pub fn new(belief: &Belief, confidence: f64, random: &mut ChaCha8Rng) -> Option<Answer> {
        let kind = belief.kind();
        let equilibrium = solve(&belief.means, kind, SMOOTHING)?;
        let rows = Array1::from(equilibrium.rows.clone());
        let columns = Array1::from(equilibrium.columns.clone());
        let mut drawn = Vec::with_capacity(DRAWS);
        let mut gains = Vec::with_capacity(DRAWS);
        for _ in 0..DRAWS {
            let matrix = belief.draw(random);
            let solved = learn(&matrix, kind, DRAWN_TOLERANCE);
            let value = if kind == Kind::Symmetric { 0.5 } else { solved.value };
            gains.push(gain(&matrix, &rows, value));
            drawn.push(solved);
        }
        let expected_value = if kind == Kind::Symmetric { 0.5 } else { equilibrium.value };
        let value = match kind {
            Kind::Symmetric => Interval { low: 0.5, high: 0.5 },
            Kind::General => {
                let values: Vec<f64> = drawn.iter().map(|solved| solved.value).collect();
                Interval::normal(equilibrium.value, value_error(belief, &equilibrium, &values))
            }
        };
        gains.sort_by(f64::total_cmp);
        let place = ((gains.len() - 1) as f64 * confidence.clamp(0.0, 1.0)).ceil() as usize;
        let spread = |shares: &dyn Fn(&Equilibrium) -> f64| {
            let mut shares: Vec<f64> = drawn.iter().map(shares).collect();
            shares.sort_by(f64::total_cmp);
            let at = |share: f64| shares[((shares.len() - 1) as f64 * share).round() as usize];
            Interval { low: at(0.025), high: at(0.975) }
        };
        let scored = |mean: f64, variance: f64| {
            let half = NORMAL_975 * variance.sqrt();
            (mean, Interval { low: (mean - half).max(0.0), high: (mean + half).min(1.0) })
        };
        let row_means = belief.means.dot(&columns);
        let row_variances = belief.variances.dot(&columns.mapv(|share| share * share));
        let column_means = belief.means.t().dot(&rows);
        let column_variances = belief.variances.t().dot(&rows.mapv(|share| share * share));
        Some(Answer {
            row_shares: (0..rows.len()).map(|row| spread(&|solved| solved.rows[row])).collect(),
            column_shares: (0..columns.len())
                .map(|column| spread(&|solved| solved.columns[column]))
                .collect(),
            value,
            row_scores: row_means.iter().zip(&row_variances).map(|(&mean, &var)| scored(mean, var)).collect(),
            column_scores: column_means
                .iter()
                .zip(&column_variances)
                .map(|(&mean, &variance)| scored(mean, variance))
                .collect(),
            exploitability: gain(&belief.means, &rows, expected_value),
            exploitability_bound: gains[place],
            equilibrium,
        })
    }
}

/// What the best column gains against a mixture of rows, over the value; at least 0.
fn gain(scores: &Array2<f64>, rows: &Array1<f64>, value: f64) -> f64 {
    let worst = scores.t().dot(rows).iter().copied().fold(f64::INFINITY, f64::min);
    (value - worst).max(0.0)
}

/// The error of the value, as a standard deviation. A cell moves the value by the product of the shares that meet
/// in it, which is the first order; solving each of the drawn matrices anew gives another estimate of the same, and
/// the larger one counts. By how much noise moves the value on average, which is the second order, is the distance
/// of the draws' mean from the estimate: pairs that go where they tell most leave such a shift behind, and its
/// sign is not to be trusted.
fn value_error(belief: &Belief, equilibrium: &Equilibrium, values: &[f64]) -> f64 {
    let Equilibrium { rows, columns, value, .. } = equilibrium;
    let squares: f64 = belief
        .variances
        .indexed_iter()
        .map(|((row, column), variance)| variance * (rows[row] * columns[column]).powi(2))
        .sum();
    let shift = values.iter().sum::<f64>() / values.len() as f64 - value;
    squares.sqrt().max(deviation(values)).hypot(shift)
}

fn deviation(numbers: &[f64]) -> f64 {
    let mean = numbers.iter().sum::<f64>() / numbers.len() as f64;
    let squares: f64 = numbers.iter().map(|number| (number - mean).powi(2)).sum();
    (squares / (numbers.len() as f64 - 1.0)).sqrt()
}
