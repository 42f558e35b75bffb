//! The mixture that nothing beats; of several the one of largest entropy.

use crate::equilibrium::Kind;
use crate::linear::{largest, solve as solve_linear};
use ndarray::{Array1, Array2, Axis, concatenate, s};
use serde::{Deserialize, Serialize};
use std::ops::Range;

/// From one smoothing to the next.
const SMOOTHING_STEP: f64 = 0.5;
/// Newton steps for one smoothing; a few are usual.
const MOST_STEPS: usize = 200;
/// Newton's method ends with steps that change no logarithm of a share by a larger part: on the way there, and
/// at the last smoothing.
const ON_THE_WAY: f64 = 1e-3;
const AT_THE_END: f64 = 1e-9;
/// A share below this part of the smoothing moves no equation.
const NO_INFLUENCE: f64 = 1e-16;

/// The numbers ran away.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("the search for the equilibrium does not end")]
pub(crate) struct NoEquilibrium;

/// Smoothings that the search begins and ends with, in the unit of the payoffs; the end is what the answer is
/// good to.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Path {
    pub first: f64,
    pub last: f64,
}

/// An equilibrium of a matrix of scores.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Equilibrium {
    /// The rows' mixture: shares that add up to 1.
    pub rows: Vec<f64>,
    /// The columns' mixture; the same in a symmetric game.
    pub columns: Vec<f64>,
    /// Score of the rows when both sides play it.
    pub value: f64,
}

/// The equilibrium of largest entropy of a matrix of scores from the rows' view; in a symmetric game an entry
/// and the one across the diagonal add up to 1. `smoothing` is how far each share may be from it, in
/// scores: 1e-6 for an answer, more where time counts. `None` where numbers are not finite.
///
/// It is found as the limit of smoothed games in which both sides are paid `smoothing` times the entropy of
/// their mixtures on top (R. D. McKelvey and T. R. Palfrey, "Quantal response equilibria for normal form
/// games", Games and Economic Behavior 10, 1995, section 2): that equilibrium is unique in a zero-sum game, and
/// as the smoothing goes to 0 it goes to the equilibrium of largest entropy.
pub fn solve(scores: &Array2<f64>, kind: Kind, smoothing: f64) -> Option<Equilibrium> {
    let (rows, columns) = scores.dim();
    let path = Path { first: 1.0, last: smoothing };
    let centred = scores - 0.5;
    let (row_shares, column_shares) = match kind {
        Kind::Symmetric => {
            let shares = entropy_limit(&centred, std::slice::from_ref(&(0..rows)), path).ok()?;
            (shares.clone(), shares)
        }
        Kind::General => {
            let above = concatenate![Axis(1), Array2::zeros((rows, rows)), centred];
            let below = concatenate![Axis(1), -centred.t().to_owned(), Array2::zeros((columns, columns))];
            let both = concatenate![Axis(0), above, below];
            let shares = entropy_limit(&both, &[0..rows, rows..rows + columns], path).ok()?;
            (shares.slice(s![..rows]).to_owned(), shares.slice(s![rows..]).to_owned())
        }
    };
    let value = row_shares.dot(&scores.dot(&column_shares));
    Some(Equilibrium { rows: row_shares.to_vec(), columns: column_shares.to_vec(), value })
}

/// The limit of the smoothed equilibria of players who each mix over a range of choices, `payoffs`
/// being antisymmetric: the mixtures `p` with `log p = payoffs·p / smoothing + c`, a constant for each player.
///
/// Newton's method follows it; its equations `1 − payoffs·S/smoothing` with `S` the covariance of `p` are
/// never singular, since the product of an antisymmetric and a positive matrix has no real eigenvalue but 0.
pub(crate) fn entropy_limit(
    payoffs: &Array2<f64>,
    players: &[Range<usize>],
    path: Path,
) -> Result<Array1<f64>, NoEquilibrium> {
    let mut logits = Array1::zeros(payoffs.nrows());
    let mut smoothing = path.first;
    while smoothing > path.last {
        smoothing = (smoothing * SMOOTHING_STEP).max(path.last);
        let precision = if smoothing > path.last { ON_THE_WAY } else { AT_THE_END };
        logits = follow(payoffs, players, smoothing, logits, precision)?;
    }
    Ok(mixtures(&logits, players))
}

/// Solves `logits = payoffs·mixtures(logits) / smoothing`, beginning near the answer.
fn follow(
    payoffs: &Array2<f64>,
    players: &[Range<usize>],
    smoothing: f64,
    start: Array1<f64>,
    precision: f64,
) -> Result<Array1<f64>, NoEquilibrium> {
    let scaled = payoffs / smoothing;
    let error = |logits: &Array1<f64>| scaled.dot(&mixtures(logits, players)) - logits;
    let size = |vector: &Array1<f64>| vector.dot(vector).sqrt();
    let mut logits = start;
    let mut here = error(&logits);
    for _ in 0..MOST_STEPS {
        let mut step = newton_step(&scaled, players, &mixtures(&logits, players), &here)?;
        let longest = largest(&step);
        if !longest.is_finite() {
            return Err(NoEquilibrium);
        }
        // A shorter step where a whole one leads farther away.
        for _ in 0..30 {
            let there = error(&(&logits + &step));
            if size(&there) < size(&here) {
                break;
            }
            step *= 0.5;
        }
        logits += &step;
        here = error(&logits);
        if longest < precision * (1.0 + largest(&logits)) {
            return Ok(logits);
        }
    }
    Err(NoEquilibrium)
}

/// Solves `(1 − scaled·S)·step = error`, where choices without influence have columns of the unit matrix and
/// need no elimination.
fn newton_step(
    scaled: &Array2<f64>,
    players: &[Range<usize>],
    shares: &Array1<f64>,
    error: &Array1<f64>,
) -> Result<Array1<f64>, NoEquilibrium> {
    let player_of = |choice: usize| players.iter().position(|range| range.contains(&choice)).unwrap_or(0);
    // Mean payoff of each choice over each player's mixture.
    let means: Vec<Array1<f64>> = players
        .iter()
        .map(|range| scaled.slice(s![.., range.clone()]).dot(&shares.slice(s![range.clone()])))
        .collect();
    let active: Vec<usize> = (0..shares.len()).filter(|&choice| shares[choice] > NO_INFLUENCE).collect();
    let owners: Vec<usize> = active.iter().map(|&choice| player_of(choice)).collect();
    let influence =
        |row: usize, at: usize| (scaled[(row, active[at])] - means[owners[at]][row]) * shares[active[at]];
    let equations = Array2::from_shape_fn((active.len(), active.len()), |(row, at)| {
        f64::from(u8::from(row == at)) - influence(active[row], at)
    });
    let right = Array2::from_shape_fn((active.len(), 1), |(row, _)| error[active[row]]);
    let solved = solve_linear(equations, right).ok_or(NoEquilibrium)?;
    let mut step = error.clone();
    for row in 0..step.len() {
        step[row] += (0..active.len()).map(|at| influence(row, at) * solved[(at, 0)]).sum::<f64>();
    }
    Ok(step)
}

/// The mixtures with these logarithms of shares, up to a constant for each player.
fn mixtures(logits: &Array1<f64>, players: &[Range<usize>]) -> Array1<f64> {
    let mut shares = Array1::zeros(logits.len());
    for range in players {
        let own = logits.slice(s![range.clone()]);
        let top = own.iter().copied().fold(f64::NEG_INFINITY, f64::max);
        let weights = own.mapv(|logit| (logit - top).exp());
        let sum = weights.sum();
        shares.slice_mut(s![range.clone()]).assign(&(weights / sum));
    }
    shares
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    fn close(found: &[f64], wanted: &[f64]) {
        let distance = found.iter().zip(wanted).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(found.len() == wanted.len() && distance < 1e-4, "{found:?} should be {wanted:?}");
    }

    #[test]
    fn textbook_games_are_solved() {
        // Rows mix 3 : 2, columns 1 : 4, by making the other side indifferent.
        let game = solve(&array![[1.0, 0.4], [0.1, 0.6 + 0.025]], Kind::General, 1e-7).unwrap();
        let value = game.value;
        let against_rows: Vec<f64> =
            vec![game.rows[0] + 0.1 * game.rows[1], 0.4 * game.rows[0] + 0.625 * game.rows[1]];
        close(&against_rows, &[value, value]);
        // A dominated row and a dominated column change nothing.
        let larger = array![[1.0, 0.4, 1.0], [0.1, 0.625, 0.7], [0.05, 0.3, 0.2]];
        let dominated = solve(&larger, Kind::General, 1e-7).unwrap();
        close(&dominated.rows[..2], &game.rows);
        close(&[dominated.rows[2], dominated.columns[2], dominated.value], &[0.0, 0.0, value]);
        // A saddle point.
        let saddle = solve(&array![[0.5, 0.7], [0.3, 0.9]], Kind::General, 1e-7).unwrap();
        close(&saddle.rows, &[1.0, 0.0]);
        close(&saddle.columns, &[1.0, 0.0]);
    }

    #[test]
    fn equals_share() {
        // Two rocks, paper, scissors.
        let (win, lose) = (0.9, 0.1);
        let game = solve(
            &array![
                [0.5, 0.5, lose, win],
                [0.5, 0.5, lose, win],
                [win, win, 0.5, lose],
                [lose, lose, win, 0.5]
            ],
            Kind::Symmetric,
            1e-7,
        )
        .unwrap();
        close(&game.rows, &[1.0 / 6.0, 1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0]);
        close(&[game.value], &[0.5]);
        // The columns are all alike: the largest entropy is the uniform mixture.
        let flat = solve(&array![[0.4, 0.4, 0.4], [0.2, 0.2, 0.2]], Kind::General, 1e-7).unwrap();
        close(&flat.columns, &[1.0 / 3.0; 3]);
        close(&flat.rows, &[1.0, 0.0]);
        assert!(solve(&array![[f64::NAN]], Kind::General, 1e-7).is_none());
    }
}
