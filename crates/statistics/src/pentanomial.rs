//! The pairs of a match, counted.

use serde::{Deserialize, Serialize};

/// Pairs counted by what the one side made of them: 0, ½, 1, 1½ or 2 points out of two games.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Pentanomial([u64; 5]);

/// Score of a game, averaged over the pair, for each of the five counts.
pub const SCORES: [f64; 5] = [0.0, 0.25, 0.5, 0.75, 1.0];

impl Pentanomial {
    /// Pairs with these counts.
    pub const fn from_counts(counts: [u64; 5]) -> Pentanomial {
        Pentanomial(counts)
    }

    /// Counts a pair that brought `half_points` halves of a point; more than 4 count as 4.
    pub fn add(&mut self, half_points: usize) {
        self.0[half_points.min(4)] += 1;
    }

    /// Pairs with 0, ½, 1, 1½ and 2 points.
    pub const fn counts(self) -> [u64; 5] {
        self.0
    }

    /// Number of pairs.
    pub fn pairs(self) -> u64 {
        self.0.iter().sum()
    }

    /// The same pairs as the other side saw them.
    pub fn reversed(self) -> Pentanomial {
        let [loss, half_less, even, half_more, win] = self.0;
        Pentanomial([win, half_more, even, half_less, loss])
    }

    /// These pairs and others.
    pub fn and(self, other: Pentanomial) -> Pentanomial {
        let mut counts = self.0;
        counts.iter_mut().zip(other.0).for_each(|(count, more)| *count += more);
        Pentanomial(counts)
    }

    /// Mean score of a game, from 0 to 1; `None` without pairs.
    pub fn score(self) -> Option<f64> {
        (self.pairs() > 0).then(|| Moments::of(self.0.map(|count| count as f64)).mean)
    }

    /// The counts after one pair won and one pair lost have been added: two wins and two losses, the
    /// adjustment of Agresti and Coull ("Approximate is better than 'exact' for interval estimation of
    /// binomial proportions", The American Statistician 52, 1998, section 2) carried over to pairs.
    ///
    /// Without the addition an interval has no width when all pairs end alike and misses the true score
    /// far too often near 0 and 1; with it `n` pairs all won give about [1 − 3/n, 1], the rule of three.
    pub fn adjusted(self) -> [f64; 5] {
        let mut counts = self.0.map(|count| count as f64);
        counts[0] += 1.0;
        counts[4] += 1.0;
        counts
    }
}

/// Moments of the score of a pair (its mean a game).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Moments {
    /// Pairs, or their weight.
    pub pairs: f64,
    /// Mean, from 0 to 1.
    pub mean: f64,
    /// Variance as the mean of squares; not enlarged for having estimated the mean.
    pub variance: f64,
    /// Third central moment over the third power of the standard deviation; 0 where that is 0.
    pub skewness: f64,
    /// Fourth central moment over the square of the variance (3 for a normal variable); 0 where that is 0.
    pub kurtosis: f64,
}

impl Moments {
    /// Moments of weighted pairs, at least one of the weights positive.
    pub fn of(counts: [f64; 5]) -> Moments {
        let pairs: f64 = counts.iter().sum();
        let average = |value: &dyn Fn(f64) -> f64| -> f64 {
            counts.iter().zip(SCORES).map(|(count, score)| count * value(score)).sum::<f64>() / pairs
        };
        let mean = average(&|score| score);
        let variance = average(&|score| (score - mean).powi(2));
        let scaled = |power: i32| {
            let moment = average(&|score| (score - mean).powi(power));
            if variance > 0.0 { moment / variance.powf(f64::from(power) / 2.0) } else { 0.0 }
        };
        Moments { pairs, mean, variance, skewness: scaled(3), kurtosis: scaled(4) }
    }

    /// Variance with the divisor one less than the pairs.
    pub fn sample_variance(self) -> f64 {
        self.variance * self.pairs / (self.pairs - 1.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn moments_agree_with_hand_computation() {
        // Scores 0, ½, ½ and 1: mean ½, squares ¼ + ¼ over 4.
        let moments = Moments::of([1.0, 0.0, 2.0, 0.0, 1.0]);
        assert_eq!((moments.mean, moments.variance, moments.skewness), (0.5, 0.125, 0.0));
        assert_eq!(moments.kurtosis, 2.0);
        assert_eq!(moments.sample_variance(), 0.5 / 3.0);
        assert_eq!(Moments::of([0.0, 0.0, 3.0, 0.0, 0.0]).kurtosis, 0.0);
    }

    #[test]
    fn both_sides_see_the_same_pairs() {
        let pairs = Pentanomial::from_counts([1, 2, 3, 4, 5]);
        assert_eq!(pairs.reversed().counts(), [5, 4, 3, 2, 1]);
        assert!((pairs.score().unwrap() + pairs.reversed().score().unwrap() - 1.0).abs() < 1e-12);
        assert_eq!(Pentanomial::default().score(), None);
    }
}
