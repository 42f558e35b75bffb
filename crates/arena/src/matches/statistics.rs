//! The formulas behind a match: scores of pairs, their interval, and Elo.

/// Pairs counted by what the one side made of them: 0, ½, 1, 1½ or 2 points out of two games.
///
/// The two games of a pair share their start and are not independent; the pairs are. So the pair is
/// the unit of all statistics here.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pentanomial([u64; 5]);

/// A two-sided interval.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Interval {
    /// Lower end.
    pub low: f64,
    /// Upper end.
    pub high: f64,
}

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

    /// Mean score of a game, from 0 to 1; `None` without pairs.
    pub fn score(self) -> Option<f64> {
        (self.pairs() > 0).then(|| mean_and_variance(self.0.map(|count| count as f64)).0)
    }

    /// 95 % interval of the score, within [0, 1]; `None` without pairs.
    ///
    /// Student's interval for the mean of the pair scores, after one pair won and one pair lost have
    /// been added: two wins and two losses, the adjustment of Agresti and Coull ("Approximate is
    /// better than 'exact' for interval estimation of binomial proportions", The American
    /// Statistician 52, 1998, section 2) carried over to pairs. Without the addition the interval
    /// has no width when all pairs end alike and misses the true score far too often near 0 and 1;
    /// with it `n` pairs all won give about [1 − 3/n, 1], the rule of three.
    pub fn interval(self) -> Option<Interval> {
        if self.pairs() == 0 {
            return None;
        }
        let mut counts = self.0.map(|count| count as f64);
        counts[0] += 1.0;
        counts[4] += 1.0;
        let pairs: f64 = counts.iter().sum();
        let (mean, variance) = mean_and_variance(counts);
        let half = student_quantile_975(self.pairs() + 1) * (variance / pairs).sqrt();
        Some(Interval { low: (mean - half).max(0.0), high: (mean + half).min(1.0) })
    }
}

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

/// The number that a standard normal variable stays below with probability 0.975.
const NORMAL_975: f64 = 1.959_963_984_540_054;

/// Mean and sample variance (divisor one less than the pairs) of the pair scores 0, ¼, ½, ¾, 1.
fn mean_and_variance(counts: [f64; 5]) -> (f64, f64) {
    let score = |index: usize| index as f64 / 4.0;
    let pairs: f64 = counts.iter().sum();
    let sum: f64 = counts.iter().enumerate().map(|(index, count)| count * score(index)).sum();
    let mean = sum / pairs;
    let squares: f64 =
        counts.iter().enumerate().map(|(index, count)| count * (score(index) - mean).powi(2)).sum();
    (mean, squares / (pairs - 1.0))
}

/// Elo difference that stands for a score: `−400 log₁₀(1/score − 1)`; infinite at 0 and 1.
pub fn elo(score: f64) -> f64 {
    -400.0 * (1.0 / score - 1.0).log10()
}

/// The number that Student's t with so many degrees of freedom stays below with probability 0.975.
pub fn student_quantile_975(degrees: u64) -> f64 {
    // From here on the first term of the expansion in 1/degrees (Abramowitz and Stegun 26.7.5) is
    // exact to four decimals.
    if degrees > 500 {
        return NORMAL_975 + (NORMAL_975.powi(3) + NORMAL_975) / (4.0 * degrees as f64);
    }
    let (mut low, mut high) = (0.0, 20.0);
    for _ in 0..60 {
        let middle = (low + high) / 2.0;
        if student_central(middle, degrees) < 0.95 {
            low = middle;
        } else {
            high = middle;
        }
    }
    (low + high) / 2.0
}

/// Probability that Student's t lies between −t and t: the finite sums of Abramowitz and Stegun,
/// 26.7.3 (odd degrees of freedom) and 26.7.4 (even).
fn student_central(t: f64, degrees: u64) -> f64 {
    let angle = (t / (degrees as f64).sqrt()).atan();
    let square = angle.cos().powi(2);
    let odd = degrees % 2 == 1;
    let (mut term, mut sum) = if odd { (angle.cos(), 0.0) } else { (1.0, 0.0) };
    let mut power = if odd { 1 } else { 0 };
    while power + 2 <= degrees {
        sum += term;
        let next = power as f64;
        term *= square * (next + 1.0) / (next + 2.0);
        power += 2;
    }
    if odd { std::f64::consts::FRAC_2_PI * (angle + angle.sin() * sum) } else { angle.sin() * sum }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::random::{Purpose, stream};
    use rand::Rng;

    fn close(found: f64, wanted: f64, tolerance: f64) {
        assert!((found - wanted).abs() <= tolerance, "{found} should be {wanted}");
    }

    #[test]
    fn quantiles_agree_with_the_printed_table() {
        // Abramowitz and Stegun, table 26.10.
        for (degrees, wanted) in [
            (1, 12.706),
            (2, 4.303),
            (3, 3.182),
            (4, 2.776),
            (9, 2.262),
            (10, 2.228),
            (30, 2.042),
            (120, 1.980),
        ] {
            close(student_quantile_975(degrees), wanted, 6e-4);
        }
        close(student_quantile_975(500), student_quantile_975(501), 3e-5);
    }

    #[test]
    fn scores_and_intervals_agree_with_hand_computation() {
        // 10 pairs: 1 of 0, 2 of ½, 3 of 1, 2 of 1½, 2 of 2 points: (0 + 1 + 3 + 3 + 4) / 20.
        let counts = Pentanomial::from_counts([1, 2, 3, 2, 2]);
        close(counts.score().unwrap(), 0.55, 1e-12);
        // With one pair of each extreme: mean 6.5 / 12, squares 2·0 + 2/16 + 3/4 + 2·9/16 + 3 = 5,
        // variance (5 − 12 · (6.5/12)²) / 11 = 0.1344697, half = 2.200985 · √(0.1344697 / 12).
        let Interval { low, high } = counts.interval().unwrap();
        close(low, 6.5 / 12.0 - 0.232_992, 1e-4);
        close(high, 6.5 / 12.0 + 0.232_992, 1e-4);
    }

    #[test]
    fn intervals_of_one_sided_matches_follow_the_rule_of_three() {
        let all = Pentanomial::from_counts([0, 0, 0, 0, 200]);
        let Interval { low, high } = all.interval().unwrap();
        assert_eq!(high, 1.0);
        close(low, 1.0 - 3.0 / 200.0, 1e-3);
        let none = Pentanomial::from_counts([200, 0, 0, 0, 0]).interval().unwrap();
        close(none.high, 1.0 - low, 1e-12);
        assert_eq!(none.low, 0.0);
        let even = Pentanomial::from_counts([0, 0, 200, 0, 0]).interval().unwrap();
        assert!(even.low > 0.49 && even.low < 0.495 && even.high > 0.505 && even.high < 0.51);
        assert_eq!(Pentanomial::default().interval(), None);
        let one = Pentanomial::from_counts([0, 0, 0, 0, 1]).interval().unwrap();
        assert_eq!((one.low, one.high), (0.0, 1.0));
    }

    #[test]
    fn intervals_cover_the_true_score() {
        let mut random = stream(1, Purpose::Statistics, &[]);
        for (win, draw) in [(0.5, 0.0), (0.3, 0.4), (0.8, 0.1), (0.97, 0.02), (0.99, 0.0)] {
            for pairs in [10, 50, 200] {
                let matches = 1_000;
                let mut covered = 0;
                for _ in 0..matches {
                    let mut counts = Pentanomial::default();
                    for _ in 0..pairs {
                        let mut game = || {
                            let roll: f64 = random.random();
                            if roll < win { 2 } else { usize::from(roll < win + draw) }
                        };
                        counts.add(game() + game());
                    }
                    let Interval { low, high } = counts.interval().unwrap();
                    covered += usize::from((low..=high).contains(&(win + draw / 2.0)));
                }
                // Three standard errors of a simulation of this size below 95 %.
                assert!(covered >= 929, "{win} {draw} {pairs}: covered {covered} of {matches}");
            }
        }
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

    #[test]
    fn elo_of_some_scores() {
        assert_eq!(elo(0.5), 0.0);
        close(elo(10.0 / 11.0), 400.0, 1e-9);
        assert_eq!(elo(0.0), f64::NEG_INFINITY);
        assert_eq!(elo(1.0), f64::INFINITY);
    }
}
