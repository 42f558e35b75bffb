//! The part of the results that a rating can say, and the part that it cannot.

use super::matrix::OddsMatrix;
use serde::Serialize;

/// Most cycles that are named.
const MOST_CYCLES: usize = 12;

/// The split of a matrix of log-odds into differences of ratings and the rest: `A = grad(r) + rot(A)` with
/// `rᵢ` the mean of row i (D. Balduzzi et al., "Re-evaluating evaluation", 2018, section 2; X. Jiang et al.,
/// "Statistical ranking and combinatorial Hodge theory", 2011).
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct CyclicPart {
    /// The share of the sum of squares that no rating explains, from 0 to 1.
    pub share: f64,
    /// The share that the uncertainty of the entries alone would bring about.
    pub by_chance: f64,
    /// Three players in a circle, the surest first.
    pub cycles: Vec<Cycle>,
}

/// Three players each of whom scores more than half against the next, and the last against the first.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Cycle {
    /// The players, the smallest number first.
    pub players: [usize; 3],
    /// Each player's score against the next.
    pub scores: [f64; 3],
    /// The probability that all three are better than the next, the three taken for independent.
    pub certainty: f64,
}

impl CyclicPart {
    /// Splits a matrix.
    pub fn of(matrix: &OddsMatrix) -> CyclicPart {
        let players = matrix.players();
        let means: Vec<f64> = (0..players).map(|row| matrix.odds.row(row).sum() / players as f64).collect();
        let (mut whole, mut rest, mut noise) = (0.0, 0.0, 0.0);
        for row in 0..players {
            for column in 0..row {
                let odds = matrix.odds[(row, column)];
                whole += odds * odds;
                rest += (odds - means[row] + means[column]).powi(2);
                noise += matrix.variances[(row, column)];
            }
        }
        // Of the n(n − 1)/2 dimensions the ratings take n − 1.
        noise *= if players > 2 { (players - 2) as f64 / players as f64 } else { 0.0 };
        let share = |part: f64| if whole > 0.0 { (part / whole).min(1.0) } else { 0.0 };
        CyclicPart { share: share(rest), by_chance: share(noise), cycles: cycles(matrix) }
    }
}

fn cycles(matrix: &OddsMatrix) -> Vec<Cycle> {
    let players = matrix.players();
    let mut cycles = Vec::new();
    for first in 0..players {
        for second in first + 1..players {
            for third in first + 1..players {
                let steps = [(first, second), (second, third), (third, first)];
                if second == third || !steps.iter().all(|&(winner, loser)| matrix.odds(winner, loser) > 0.0) {
                    continue;
                }
                cycles.push(Cycle {
                    players: [first, second, third],
                    scores: steps.map(|(winner, loser)| matrix.score(winner, loser)),
                    certainty: steps
                        .iter()
                        .map(|&(winner, loser)| matrix.superiority(winner, loser))
                        .product(),
                });
            }
        }
    }
    cycles.sort_by(|one, other| {
        other.certainty.total_cmp(&one.certainty).then(one.players.cmp(&other.players))
    });
    cycles.truncate(MOST_CYCLES);
    cycles
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ratings_have_no_cyclic_part() {
        let line = OddsMatrix::exact(&[&[0.0, 1.0, 3.0], &[-1.0, 0.0, 2.0], &[-3.0, -2.0, 0.0]]);
        let part = CyclicPart::of(&line);
        assert!(part.share < 1e-12 && part.cycles.is_empty());
        assert_eq!(line.superiority(0, 1), 1.0);
    }

    #[test]
    fn a_circle_is_all_cyclic() {
        let circle = OddsMatrix::exact(&[&[0.0, 1.0, -1.0], &[-1.0, 0.0, 1.0], &[1.0, -1.0, 0.0]]);
        let part = CyclicPart::of(&circle);
        assert!((part.share - 1.0).abs() < 1e-12);
        assert_eq!(part.cycles.len(), 1);
        assert_eq!(part.cycles[0].players, [0, 1, 2]);
        assert_eq!(part.cycles[0].certainty, 1.0);
        let score = 1.0 / (1.0 + (-1f64).exp());
        assert_eq!(part.cycles[0].scores, [score; 3]);
    }
}
