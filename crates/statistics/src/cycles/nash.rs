//! Nash averaging: strength against the mixture that nobody beats.

use super::matrix::OddsMatrix;
use crate::elo::ELO_PER_LOG_ODDS;
use crate::equilibrium::{NoEquilibrium, Path, entropy_limit};
use crate::interval::Interval;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use serde::Serialize;

/// The smoothing with which the search for the equilibrium begins, in log-odds.
const FIRST_SMOOTHING: f64 = 4.0;
/// The smoothing with which it ends: what the answer is good to.
const LAST_SMOOTHING: f64 = 1e-7;
/// Why there is no answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum NashError {
    /// The numbers ran away.
    #[error("the search for the equilibrium does not end")]
    NoEquilibrium,
}

/// The equilibrium of the game "choose a player", and how everybody does against it.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NashAverage {
    /// The mixture of players that no player beats: shares that add up to 1. Of several such mixtures the
    /// one of largest entropy, so that copies of a player share its part and change nothing else.
    pub shares: Vec<f64>,
    /// Every player's mean log-odds against the mixture, in Elo: 0 for the players in it, less for others.
    pub elo: Vec<f64>,
}

/// Where the numbers lie in 95 of 100 draws from the uncertainty of the matrix.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct NashSpread {
    /// Of the shares.
    pub shares: Vec<Interval>,
    /// Of the Elo against the mixture.
    pub elo: Vec<Interval>,
}

/// Nash averaging (D. Balduzzi, K. Tuyls, J. Perolat and T. Graepel, "Re-evaluating evaluation", 2018,
/// section 4): the maximum entropy equilibrium of the zero-sum game whose payoffs are log-odds.
///
/// It is found as the limit of smoothed games, as [`crate::equilibrium::solve`] does.
///
/// # Errors
/// Matrices whose numbers are too large or not finite.
pub fn nash_average(matrix: &OddsMatrix) -> Result<NashAverage, NashError> {
    let odds = &matrix.odds;
    let path = Path { first: FIRST_SMOOTHING, last: LAST_SMOOTHING };
    let all = 0..matrix.players();
    let shares = entropy_limit(odds, std::slice::from_ref(&all), path)
        .map_err(|NoEquilibrium| NashError::NoEquilibrium)?;
    let against = odds.dot(&shares);
    Ok(NashAverage {
        elo: against.iter().map(|odds| odds * ELO_PER_LOG_ODDS).collect(),
        shares: shares.iter().copied().collect(),
    })
}

/// The spread of Nash averaging over `draws` matrices drawn from the uncertainty of this one, each entry
/// normal and independent of the others. Draws whose equilibrium is not found are left out.
///
/// # Errors
/// Where that is more than half of them.
pub fn nash_spread(matrix: &OddsMatrix, draws: usize, seed: u64) -> Result<NashSpread, NashError> {
    let players = matrix.players();
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut found = Vec::new();
    for _ in 0..draws {
        let mut drawn = matrix.clone();
        for row in 0..players {
            for column in 0..row {
                let odds =
                    matrix.odds[(row, column)] + matrix.variances[(row, column)].sqrt() * normal(&mut random);
                (drawn.odds[(row, column)], drawn.odds[(column, row)]) = (odds, -odds);
            }
        }
        found.extend(nash_average(&drawn));
    }
    if found.is_empty() || found.len() * 2 < draws {
        return Err(NashError::NoEquilibrium);
    }
    let spread = |numbers: &dyn Fn(&NashAverage) -> f64| {
        let mut numbers: Vec<f64> = found.iter().map(numbers).collect();
        numbers.sort_by(f64::total_cmp);
        let at = |share: f64| numbers[((numbers.len() - 1) as f64 * share).round() as usize];
        Interval { low: at(0.025), high: at(0.975) }
    };
    Ok(NashSpread {
        shares: (0..players).map(|player| spread(&|nash| nash.shares[player])).collect(),
        elo: (0..players).map(|player| spread(&|nash| nash.elo[player])).collect(),
    })
}

/// A standard normal number (G. E. P. Box and M. E. Muller, "A note on the generation of random normal
/// deviates", Annals of Mathematical Statistics 29, 1958).
fn normal(random: &mut ChaCha8Rng) -> f64 {
    let radius = (-2.0 * (1.0 - random.random::<f64>()).ln()).sqrt();
    radius * (std::f64::consts::TAU * random.random::<f64>()).cos()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shares(odds: &[&[f64]]) -> Vec<f64> {
        let matrix = OddsMatrix::exact(odds);
        let nash = nash_average(&matrix).unwrap();
        assert!((nash.shares.iter().sum::<f64>() - 1.0).abs() < 1e-9);
        assert!(nash.elo.iter().all(|&elo| elo < 1e-3), "{nash:?} is beaten");
        nash.shares
    }

    fn close(found: &[f64], wanted: &[f64]) {
        let distance = found.iter().zip(wanted).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(found.len() == wanted.len() && distance < 1e-5, "{found:?} should be {wanted:?}");
    }

    #[test]
    fn the_best_player_takes_all() {
        close(&shares(&[&[0.0, 1.0, 3.0], &[-1.0, 0.0, 2.0], &[-3.0, -2.0, 0.0]]), &[1.0, 0.0, 0.0]);
    }

    #[test]
    fn circles_are_mixed() {
        let rock: &[f64] = &[0.0, -1.0, 1.0];
        close(&shares(&[rock, &[1.0, 0.0, -1.0], &[-1.0, 1.0, 0.0]]), &[1.0 / 3.0; 3]);
        // Unequal margins: p is proportional to the margin of the opposite couple.
        let found = shares(&[&[0.0, 2.0, -1.0], &[-2.0, 0.0, 4.0], &[1.0, -4.0, 0.0]]);
        close(&found, &[4.0 / 7.0, 1.0 / 7.0, 2.0 / 7.0]);
    }

    #[test]
    fn copies_share_and_change_nothing_else() {
        // Two rocks, scissors, paper.
        let found = shares(&[
            &[0.0, 0.0, 1.0, -1.0],
            &[0.0, 0.0, 1.0, -1.0],
            &[-1.0, -1.0, 0.0, 1.0],
            &[1.0, 1.0, -1.0, 0.0],
        ]);
        close(&found, &[1.0 / 6.0, 1.0 / 6.0, 1.0 / 3.0, 1.0 / 3.0]);
        close(&shares(&[&[0.0; 4], &[0.0; 4], &[0.0; 4], &[0.0; 4]]), &[0.25; 4]);
    }

    #[test]
    fn spreads_hold_the_answer() {
        let mut matrix = OddsMatrix::exact(&[&[0.0, 1.0, -1.0], &[-1.0, 0.0, 1.0], &[1.0, -1.0, 0.0]]);
        let exact = nash_spread(&matrix, 10, 1).unwrap();
        assert!(exact.shares.iter().all(|share| share.width() < 1e-9));
        matrix.variances.fill(0.04);
        let spread = nash_spread(&matrix, 100, 1).unwrap();
        assert!(
            spread.shares.iter().all(|share| share.contains(1.0 / 3.0) && share.width() > 0.05),
            "{spread:?}"
        );
        assert_eq!(spread, nash_spread(&matrix, 100, 1).unwrap());
    }
}
