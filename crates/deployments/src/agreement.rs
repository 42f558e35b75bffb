//! Whether two rankings agree.

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};
use statistics::Interval;

/// Draws for the interval.
const DRAWS: usize = 1_000;

/// Kendall's tau with its interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Agreement {
    /// From −1, the reversed order, over 0, no relation, to 1, the same order.
    pub tau: f64,
    /// 95 % interval, over the things that are ranked.
    pub interval: Interval,
}

/// Kendall's tau-b of two scores of the same things (M. G. Kendall, "The treatment of ties in ranking
/// problems", Biometrika 33, 1945): couples in the same order less couples in opposite order, over the geometric
/// mean of the couples that are no ties. `None` where one of the scores ties everything.
pub fn tau(one: &[f64], other: &[f64]) -> Option<f64> {
    let (mut balance, mut untied) = (0.0, [0.0_f64; 2]);
    for second in 0..one.len() {
        for first in 0..second {
            let signs = [sign(one[first] - one[second]), sign(other[first] - other[second])];
            balance += signs[0] * signs[1];
            untied[0] += signs[0].abs();
            untied[1] += signs[1].abs();
        }
    }
    let scale = (untied[0] * untied[1]).sqrt();
    (scale > 0.0).then(|| balance / scale)
}

/// The tau of two scores and its interval by bootstrap over the things; `None` for fewer than three things or where
/// a score ties everything.
pub fn agreement(one: &[f64], other: &[f64], random: &mut ChaCha8Rng) -> Option<Agreement> {
    let size = one.len().min(other.len());
    if size < 3 {
        return None;
    }
    let tau_of_all = tau(one, other)?;
    let mut found: Vec<f64> = (0..DRAWS)
        .filter_map(|_| {
            let drawn: Vec<usize> = (0..size).map(|_| random.random_range(0..size)).collect();
            let pick = |scores: &[f64]| -> Vec<f64> { drawn.iter().map(|&index| scores[index]).collect() };
            tau(&pick(one), &pick(other))
        })
        .collect();
    found.sort_by(f64::total_cmp);
    let at = |share: f64| found.get(((found.len().max(1) - 1) as f64 * share).round() as usize).copied();
    let interval = Interval { low: at(0.025)?, high: at(0.975)? };
    Some(Agreement { tau: tau_of_all, interval })
}

fn sign(number: f64) -> f64 {
    if number > 0.0 {
        1.0
    } else if number < 0.0 {
        -1.0
    } else {
        0.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand_chacha::rand_core::SeedableRng;

    #[test]
    fn tau_agrees_with_hand_computation() {
        let one = [1.0, 2.0, 3.0, 4.0];
        assert_eq!(tau(&one, &[2.0, 4.0, 6.0, 9.0]), Some(1.0));
        assert_eq!(tau(&one, &[4.0, 3.0, 2.0, 1.0]), Some(-1.0));
        // One couple of six is exchanged: (5 − 1) / 6.
        assert!((tau(&one, &[2.0, 1.0, 3.0, 4.0]).unwrap() - 4.0 / 6.0).abs() < 1e-12);
        // A tie in one: 5 / √(6 · 5).
        assert!((tau(&one, &[1.0, 1.0, 3.0, 4.0]).unwrap() - 5.0 / 30.0_f64.sqrt()).abs() < 1e-12);
        assert_eq!(tau(&one, &[1.0; 4]), None);
        let mut random = ChaCha8Rng::seed_from_u64(1);
        let scores: Vec<f64> = (0..12).map(f64::from).collect();
        let mut nearly = scores.clone();
        nearly.swap(3, 4);
        let found = agreement(&scores, &nearly, &mut random).unwrap();
        assert!(found.interval.contains(found.tau) && found.interval.low > 0.7, "{found:?}");
    }
}
