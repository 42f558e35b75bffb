//! Which pairs to play next.

use super::belief::Belief;
use super::payoffs::{Cell, Kind, Payoffs};
use super::regrets::learn;
use ndarray::Array2;
use rand_chacha::ChaCha8Rng;

/// Matrices that are drawn to see what could matter.
pub const LOOKS: usize = 24;
/// What the draws are solved to, in scores.
const TOLERANCE: f64 = 5e-3;
/// Influence that every cell has at least, as a share of what it would have if all had the same.
const LEAST_INFLUENCE: f64 = 0.1;

/// The cells in which the next `pairs` pairs tell most about the equilibrium, a cell as often as it should be
/// played. Cells that are known are never chosen.
///
/// A cell's score moves the value by the product of the shares with which it is played, and it moves what a
/// reply gains by the share of the answer that the reply meets. Both are looked at in matrices that are drawn
/// from the belief, so that a choice counts as much as it may turn out to matter. Pairs then go, one after the
/// other, where the cell's variance times the mean square of its influence falls most.
pub fn next_pairs(payoffs: &Payoffs, pairs: usize, random: &mut ChaCha8Rng) -> Vec<(usize, usize)> {
    let belief = Belief::of(payoffs);
    let influence = influence(&belief, random);
    struct Candidate {
        place: (usize, usize),
        weight: f64,
        precision: f64,
        step: f64,
    }
    let mut candidates: Vec<Candidate> = payoffs
        .independent()
        .filter(|&(row, column)| matches!(payoffs.cell(row, column), Cell::Played(_)))
        .map(|place| {
            let (row, column) = place;
            let own = influence[place];
            let weight = if payoffs.kind() == Kind::Symmetric { own + influence[(column, row)] } else { own };
            Candidate {
                place,
                weight,
                precision: 1.0 / belief.variances[place],
                step: 1.0 / belief.pair_variances[place],
            }
        })
        .collect();
    let mut chosen = Vec::with_capacity(pairs);
    for _ in 0..pairs {
        let worth = |candidate: &Candidate| {
            candidate.weight * candidate.step / (candidate.precision * (candidate.precision + candidate.step))
        };
        let best = candidates.iter_mut().max_by(|one, other| worth(one).total_cmp(&worth(other)));
        let Some(best) = best else { break };
        best.precision += best.step;
        chosen.push(best.place);
    }
    chosen
}

/// The mean square of the influence of each cell, from the rows' view.
fn influence(belief: &Belief, random: &mut ChaCha8Rng) -> Array2<f64> {
    let (rows, columns) = belief.means.dim();
    let floor = (LEAST_INFLUENCE / (rows * columns) as f64).powi(2);
    let mut influence = Array2::from_elem((rows, columns), floor);
    let answer = learn(&belief.means, belief.kind(), TOLERANCE);
    let weight = 1.0 / LOOKS as f64;
    for _ in 0..LOOKS {
        let drawn = belief.draw(random);
        let solved = learn(&drawn, belief.kind(), TOLERANCE);
        for row in 0..rows {
            for column in 0..columns {
                influence[(row, column)] += weight * (solved.rows[row] * solved.columns[column]).powi(2);
            }
        }
        // The best replies to the answer in this matrix.
        let score = |row: usize| -> f64 {
            (0..columns).map(|column| drawn[(row, column)] * answer.columns[column]).sum()
        };
        let best = (0..rows).max_by(|&one, &other| score(one).total_cmp(&score(other)));
        if let Some(best) = best {
            for column in 0..columns {
                influence[(best, column)] += weight * answer.columns[column].powi(2);
            }
        }
        if belief.kind() == Kind::General {
            let score =
                |column: usize| -> f64 { (0..rows).map(|row| drawn[(row, column)] * answer.rows[row]).sum() };
            let best = (0..columns).min_by(|&one, &other| score(one).total_cmp(&score(other)));
            if let Some(best) = best {
                for row in 0..rows {
                    influence[(row, best)] += weight * answer.rows[row].powi(2);
                }
            }
        }
    }
    influence
}
