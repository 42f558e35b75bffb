//! Intervals and the quantiles behind them.

use serde::{Deserialize, Serialize};
use statrs::distribution::{ContinuousCDF, Normal, StudentsT};

/// A two-sided interval.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

impl Interval {
    /// The interval of 95 % around an estimate that is normal with this standard error.
    pub fn normal(estimate: f64, standard_error: f64) -> Interval {
        let half = NORMAL_975 * standard_error;
        Interval { low: estimate - half, high: estimate + half }
    }

    /// Whether a number lies in it, ends included.
    pub fn contains(self, number: f64) -> bool {
        (self.low..=self.high).contains(&number)
    }

    /// Distance of its ends.
    pub fn width(self) -> f64 {
        self.high - self.low
    }

    /// The interval between the images of its ends under a rising function.
    pub fn map(self, rising: impl Fn(f64) -> f64) -> Interval {
        Interval { low: rising(self.low), high: rising(self.high) }
    }
}

/// The number that a standard normal variable stays below with probability 0.975.
pub const NORMAL_975: f64 = 1.959_963_984_540_054;

/// 95 % interval of the share that `successes` of `trials` independent trials estimate, within [0, 1];
/// `None` without trials. Wilson's score interval ("Probable inference, the law of succession, and
/// statistical inference", Journal of the American Statistical Association 22, 1927).
pub fn share_interval(successes: u64, trials: u64) -> Option<Interval> {
    if trials == 0 {
        return None;
    }
    let (successes, trials) = (successes as f64, trials as f64);
    let square = NORMAL_975 * NORMAL_975;
    let middle = (successes + square / 2.0) / (trials + square);
    let spread = successes * (trials - successes) / trials + square / 4.0;
    let half = NORMAL_975 * spread.sqrt() / (trials + square);
    Some(Interval { low: (middle - half).max(0.0), high: (middle + half).min(1.0) })
}

/// Probability that a standard normal variable stays below a number.
pub fn normal_below(number: f64) -> f64 {
    Normal::standard().cdf(number)
}

/// The number that Student's t with so many degrees of freedom, at least 1, stays below with probability
/// 0.975.
pub fn student_quantile_975(degrees: f64) -> f64 {
    student(degrees).map_or(NORMAL_975, |student| student.inverse_cdf(0.975))
}

/// The number that Student's t with so many degrees of freedom, at least 1, stays below with this probability.
pub fn student_quantile(probability: f64, degrees: f64) -> f64 {
    match student(degrees) {
        Some(student) => student.inverse_cdf(probability),
        None => Normal::standard().inverse_cdf(probability),
    }
}

/// Probability that Student's t with so many degrees of freedom, at least 1, stays below a number.
pub fn student_below(number: f64, degrees: f64) -> f64 {
    student(degrees).map_or_else(|| normal_below(number), |student| student.cdf(number))
}

/// `None` where the distribution is normal for all practical purposes.
fn student(degrees: f64) -> Option<StudentsT> {
    if degrees > 1e6 { None } else { StudentsT::new(0.0, 1.0, degrees.max(1.0)).ok() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn close(found: f64, wanted: f64, tolerance: f64) {
        assert!((found - wanted).abs() <= tolerance, "{found} should be {wanted}");
    }

    #[test]
    fn quantiles_agree_with_the_printed_table() {
        // Abramowitz and Stegun, table 26.10.
        for (degrees, wanted) in [
            (1.0, 12.706),
            (2.0, 4.303),
            (3.0, 3.182),
            (4.0, 2.776),
            (9.0, 2.262),
            (10.0, 2.228),
            (30.0, 2.042),
            (120.0, 1.980),
            (1e9, 1.960),
        ] {
            close(student_quantile_975(degrees), wanted, 6e-4);
            close(student_below(wanted, degrees), 0.975, 2e-5);
        }
        close(normal_below(-1.0), 0.158_655, 1e-6);
    }

    #[test]
    fn intervals_of_shares_agree_with_hand_computation() {
        // 15 of 20: middle (15 + 1.92073) / 23.84146, half 1.959964 · √(3.75 + 0.96036) / 23.84146.
        let Interval { low, high } = share_interval(15, 20).unwrap();
        close(low, 0.709_719 - 0.178_417, 1e-5);
        close(high, 0.709_719 + 0.178_417, 1e-5);
        let none = share_interval(0, 50).unwrap();
        assert_eq!(none.low, 0.0);
        close(none.high, 3.841_459 / 53.841_459, 1e-6);
        close(share_interval(50, 50).unwrap().low, 1.0 - none.high, 1e-12);
        assert_eq!(share_interval(0, 0), None);
    }
}
