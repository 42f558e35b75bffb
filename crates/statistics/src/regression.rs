//! What goes with a score: linear regression whose effects are drawn to 0.

use crate::interval::Interval;
use crate::linear::Cholesky;
use ndarray::{Array1, Array2};
use serde::{Deserialize, Serialize};

/// Strengths of the shrinkage that are tried, in observations.
const STRENGTHS: [f64; 9] = [0.1, 0.3, 1.0, 3.0, 10.0, 30.0, 100.0, 300.0, 1000.0];

/// An effect on a score.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Effect {
    /// What one standard deviation of the feature more goes with, in scores.
    pub effect: f64,
    /// Its 95 % interval.
    pub interval: Interval,
    /// Standard deviation of the feature over the observations.
    pub deviation: f64,
}

/// A fitted regression.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Regression {
    /// An effect for each feature. A feature that does not vary has none: 0.
    pub effects: Vec<Effect>,
    /// How much each effect is drawn to 0, in observations: the one with the least error on observations that
    /// were left out.
    pub shrinkage: f64,
    /// Share of the variance of the scores that the features predict on observations that were left out; below 0
    /// where they are worse than the mean.
    pub predicted: f64,
}

/// Ridge regression of scores on features of unit variance (A. E. Hoerl and R. W. Kennard, "Ridge regression",
/// Technometrics 12, 1970), its strength by leaving one out (D. M. Allen, "The relationship between variable
/// selection and data augmentation and a method for prediction", Technometrics 16, 1974). Each observation has a
/// weight, such as its number of pairs; weights are relative. `None` for fewer than three more observations than
/// features.
pub fn regression(features: &[Vec<f64>], scores: &[f64], weights: &[f64]) -> Option<Regression> {
    let observations = features.len().min(scores.len()).min(weights.len());
    let width = features.first()?.len();
    if observations < width + 3 {
        return None;
    }
    let total: f64 = weights.iter().take(observations).sum();
    let weights: Vec<f64> =
        weights.iter().take(observations).map(|weight| weight * observations as f64 / total).collect();
    let mean = |value: &dyn Fn(usize) -> f64| {
        (0..observations).map(|one| weights[one] * value(one)).sum::<f64>() / observations as f64
    };
    let score_mean = mean(&|one| scores[one]);
    let means: Vec<f64> = (0..width).map(|feature| mean(&|one| features[one][feature])).collect();
    let deviations: Vec<f64> = (0..width)
        .map(|feature| mean(&|one| (features[one][feature] - means[feature]).powi(2)).sqrt())
        .collect();
    // Rows are scaled by the roots of the weights, so that the rest is as without weights.
    let design = Array2::from_shape_fn((observations, width), |(one, feature)| {
        let scaled = if deviations[feature] > 1e-9 {
            (features[one][feature] - means[feature]) / deviations[feature]
        } else {
            0.0
        };
        weights[one].sqrt() * scaled
    });
    let target = Array1::from_shape_fn(observations, |one| weights[one].sqrt() * (scores[one] - score_mean));
    let products = design.t().dot(&design);
    let right = design.t().dot(&target);
    let fit = |strength: f64| {
        let inverse = Cholesky::new(&products + &(Array2::<f64>::eye(width) * strength))?.inverse();
        let effects = inverse.dot(&right);
        let rest = &target - &design.dot(&effects);
        let leverage = |one: usize| {
            let row = design.row(one);
            row.dot(&inverse.dot(&row)) + weights[one] / observations as f64
        };
        let left_out: f64 =
            (0..observations).map(|one| (rest[one] / (1.0 - leverage(one)).max(1e-6)).powi(2)).sum();
        Some((strength, left_out, effects, inverse, rest.dot(&rest)))
    };
    let best = STRENGTHS.into_iter().filter_map(fit).min_by(|one, other| one.1.total_cmp(&other.1))?;
    let (shrinkage, left_out, effects, inverse, rest) = best;
    let variance = rest / (observations - width - 1) as f64;
    let whole = target.dot(&target);
    Some(Regression {
        effects: (0..width)
            .map(|feature| Effect {
                effect: effects[feature],
                interval: Interval::normal(effects[feature], (variance * inverse[(feature, feature)]).sqrt()),
                deviation: deviations[feature],
            })
            .collect(),
        shrinkage,
        predicted: if whole > 0.0 { 1.0 - left_out / whole } else { 0.0 },
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::Rng;
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    #[test]
    fn effects_are_found_and_nothing_is_shrunk_away() {
        let mut random = ChaCha8Rng::seed_from_u64(3);
        let features: Vec<Vec<f64>> =
            (0..80).map(|_| vec![random.random::<f64>(), random.random::<f64>(), 5.0]).collect();
        let scores: Vec<f64> =
            features.iter().map(|row| 0.4 + 0.3 * row[0] + 0.02 * (random.random::<f64>() - 0.5)).collect();
        let found = regression(&features, &scores, &[1.0; 80]).unwrap();
        // One standard deviation of a uniform number is 1/√12.
        assert!((found.effects[0].effect - 0.3 / 12_f64.sqrt()).abs() < 0.01, "{found:?}");
        assert!(found.effects[0].interval.low > 0.05 && found.effects[1].interval.contains(0.0), "{found:?}");
        assert_eq!(found.effects[2].effect, 0.0);
        assert!(found.predicted > 0.9);
        let noise: Vec<f64> = (0..80).map(|_| random.random::<f64>()).collect();
        let nothing = regression(&features, &noise, &[1.0; 80]).unwrap();
        assert!(nothing.shrinkage >= 30.0 && nothing.predicted < 0.1, "{nothing:?}");
        assert!(regression(&features[..5], &scores[..5], &[1.0; 5]).is_none());
    }
}
