//! When a sequential test stops.

use super::hypotheses::Hypotheses;
use super::likelihood::log_likelihood_ratio;
use crate::pentanomial::Pentanomial;
use serde::{Deserialize, Serialize};

/// What a sequential test says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Verdict {
    /// Nothing yet.
    Undecided,
    /// The first hypothesis.
    H0,
    /// The second hypothesis.
    H1,
}

/// What is done about the ratio jumping over a bound instead of meeting it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Overshoot {
    /// Nothing: Wald's bounds as they are. The test would err less often than stated; that slack makes up for
    /// the generalised ratio's own bias, which comes from estimating the spread of the scores from the same
    /// pairs and shows in tests of a few dozen pairs.
    #[default]
    Ignored,
    /// Each bound is moved inwards by the overshoot to be expected: `E[H²] / (2·E[H])` over the heights `H`
    /// by which the ratio has set records on that side (D. Siegmund, "Sequential Analysis", 1985, corollary
    /// 8.33). The heights are those of the test itself. Some 4 % shorter; where the hypotheses lie so far
    /// apart that a test takes only some 80 pairs, the error rates may exceed the stated 5 % by up to a point.
    Corrected,
}

/// A generalised sequential probability ratio test under way.
///
/// Pairs must be entered in an order fixed beforehand (their numbers), not in the order in which they
/// happened to finish: short games finish first, and are not like long ones.
#[derive(Clone, Debug)]
pub struct SequentialTest {
    hypotheses: Hypotheses,
    overshoot: Overshoot,
    pairs: Pentanomial,
    ratio: f64,
    verdict: Verdict,
    lows: Records,
    highs: Records,
}

/// The heights by which a walk has set records on one side.
#[derive(Clone, Copy, Debug, Default)]
struct Records {
    /// Distance of the record from the start.
    record: f64,
    sum: f64,
    squares: f64,
}

impl Records {
    fn see(&mut self, distance: f64) {
        let height = distance - self.record;
        if height > 0.0 {
            self.sum += height;
            self.squares += height * height;
            self.record = distance;
        }
    }

    /// The overshoot to be expected; 0 without a record.
    fn overshoot(&self) -> f64 {
        if self.sum > 0.0 { self.squares / (2.0 * self.sum) } else { 0.0 }
    }
}

impl SequentialTest {
    /// A test before its first pair.
    pub fn new(hypotheses: Hypotheses, overshoot: Overshoot) -> SequentialTest {
        SequentialTest {
            hypotheses,
            overshoot,
            pairs: Pentanomial::default(),
            ratio: 0.0,
            verdict: Verdict::Undecided,
            lows: Records::default(),
            highs: Records::default(),
        }
    }

    /// Enters the next pair by its halves of a point, 0 to 4. After the verdict pairs do not count.
    pub fn add(&mut self, half_points: usize) -> Verdict {
        if self.verdict == Verdict::Undecided {
            self.pairs.add(half_points);
            self.ratio = log_likelihood_ratio(self.pairs, &self.hypotheses);
            self.highs.see(self.ratio);
            self.lows.see(-self.ratio);
            let [lower, upper] = self.bounds();
            if self.ratio >= upper {
                self.verdict = Verdict::H1;
            } else if self.ratio <= lower {
                self.verdict = Verdict::H0;
            }
        }
        self.verdict
    }

    /// What is decided.
    pub const fn hypotheses(&self) -> &Hypotheses {
        &self.hypotheses
    }

    /// What it says.
    pub const fn verdict(&self) -> Verdict {
        self.verdict
    }

    /// The pairs that were counted.
    pub const fn pairs(&self) -> Pentanomial {
        self.pairs
    }

    /// Logarithm of how much more likely the pairs are under H1 than under H0.
    pub const fn log_likelihood_ratio(&self) -> f64 {
        self.ratio
    }

    /// Where the test stops now: H0 is accepted at or below the first number, H1 at or above the second.
    pub fn bounds(&self) -> [f64; 2] {
        let [lower, upper] = self.hypotheses.bounds();
        match self.overshoot {
            Overshoot::Ignored => [lower, upper],
            Overshoot::Corrected => [lower + self.lows.overshoot(), upper - self.highs.overshoot()],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::super::hypotheses::Scale;
    use super::*;

    #[test]
    fn clear_results_decide_either_way_and_for_good() {
        let hypotheses = Hypotheses { scale: Scale::Elo, elo0: 0.0, elo1: 50.0, alpha: 0.05, beta: 0.05 };
        for (half_points, wanted) in [(4, Verdict::H1), (1, Verdict::H0)] {
            let mut test = SequentialTest::new(hypotheses, Overshoot::Corrected);
            let mut pairs = 0;
            while test.add(half_points) == Verdict::Undecided {
                pairs += 1;
                assert!(pairs < 1_000);
            }
            assert_eq!(test.verdict(), wanted);
            let counted = test.pairs();
            test.add(4 - half_points);
            assert_eq!((test.verdict(), test.pairs()), (wanted, counted));
        }
    }

    #[test]
    fn corrected_bounds_lie_inside_walds() {
        let hypotheses = Hypotheses { scale: Scale::Elo, elo0: 0.0, elo1: 50.0, alpha: 0.05, beta: 0.05 };
        let mut test = SequentialTest::new(hypotheses, Overshoot::Corrected);
        for half_points in [4, 0, 2, 3, 1, 0, 1] {
            test.add(half_points);
        }
        let ([lower, upper], [wald_lower, wald_upper]) = (test.bounds(), hypotheses.bounds());
        assert!(lower > wald_lower && upper < wald_upper && lower < 0.0 && upper > 0.0);
    }
}
