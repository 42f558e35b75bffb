//! An equilibrium quickly, for matrices that are drawn by the hundred.

use super::payoffs::Kind;
use super::smoothed::Equilibrium;
use ndarray::{Array1, Array2};

/// Rounds of play at most.
const MOST_ROUNDS: usize = 4_000;
/// Rounds between two looks at how good the answer is.
const ROUNDS_A_LOOK: usize = 20;

/// Some equilibrium of a matrix of scores, up to `tolerance`: neither side gains more by another mixture. Both
/// sides learn from their regrets in turn, forgetting negative ones, and late rounds count more (O. Tammelin and
/// others, "Solving heads-up limit Texas hold'em", IJCAI 2015, section 2).
pub(super) fn learn(scores: &Array2<f64>, kind: Kind, tolerance: f64) -> Equilibrium {
    let (number_of_rows, number_of_columns) = scores.dim();
    let transposed = scores.t().as_standard_layout().into_owned();
    let mut rows = Learner::new(number_of_rows);
    let mut columns = Learner::new(number_of_columns);
    let mut answer = (rows.mixture.clone(), columns.mixture.clone());
    for round in 1..=MOST_ROUNDS {
        let weight = (round * round) as f64;
        match kind {
            Kind::Symmetric => {
                let payoffs = scores.dot(&rows.mixture);
                rows.learn(&payoffs, weight);
            }
            Kind::General => {
                let payoffs = scores.dot(&columns.mixture);
                rows.learn(&payoffs, weight);
                let payoffs = -transposed.dot(&rows.mixture);
                columns.learn(&payoffs, weight);
            }
        }
        if round % ROUNDS_A_LOOK == 0 {
            let own = rows.average();
            let other = if kind == Kind::Symmetric { own.clone() } else { columns.average() };
            let best = scores.dot(&other).iter().copied().fold(f64::NEG_INFINITY, f64::max);
            let worst = transposed.dot(&own).iter().copied().fold(f64::INFINITY, f64::min);
            answer = (own, other);
            if best - worst <= tolerance {
                break;
            }
        }
    }
    let value = answer.0.dot(&scores.dot(&answer.1));
    Equilibrium { rows: answer.0.to_vec(), columns: answer.1.to_vec(), value }
}

/// One side.
struct Learner {
    regrets: Array1<f64>,
    mixture: Array1<f64>,
    sum: Array1<f64>,
}

impl Learner {
    fn new(choices: usize) -> Learner {
        let uniform = Array1::from_elem(choices, 1.0 / choices as f64);
        Learner { regrets: Array1::zeros(choices), mixture: uniform, sum: Array1::zeros(choices) }
    }

    fn learn(&mut self, payoffs: &Array1<f64>, weight: f64) {
        self.sum.scaled_add(weight, &self.mixture);
        let expected = payoffs.dot(&self.mixture);
        self.regrets.zip_mut_with(payoffs, |regret, payoff| *regret = (*regret + payoff - expected).max(0.0));
        let total = self.regrets.sum();
        if total > 0.0 {
            self.mixture = &self.regrets / total;
        }
    }

    fn average(&self) -> Array1<f64> {
        &self.sum / self.sum.sum()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use ndarray::array;

    #[test]
    fn learning_finds_what_solving_finds() {
        let scores = array![[0.55, 0.35, 0.8, 0.9], [0.75, 0.55, 0.25, 0.8], [0.3, 0.85, 0.55, 0.9]];
        let exact = super::super::solve(&scores, Kind::General, 1e-6).unwrap();
        let learned = learn(&scores, Kind::General, 1e-4);
        assert!((exact.value - learned.value).abs() < 1e-4, "{exact:?} {learned:?}");
        let circle = array![[0.5, 0.2, 0.7], [0.8, 0.5, 0.4], [0.3, 0.6, 0.5]];
        let exact = super::super::solve(&circle, Kind::Symmetric, 1e-6).unwrap();
        let learned = learn(&circle, Kind::Symmetric, 1e-4);
        for (one, other) in exact.rows.iter().zip(&learned.rows) {
            assert!((one - other).abs() < 0.01, "{exact:?} {learned:?}");
        }
    }
}
