//! The sequential test on synthetic matches: how often it errs, how long it takes, and whether another
//! implementation of the published formulas says the same.

// Helpers of tests may unwrap and print as tests do.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use statistics::pentanomial::{Moments, SCORES};
use statistics::sequential::{Hypotheses, Overshoot, Scale, SequentialTest, Verdict, log_likelihood_ratio};
use statistics::{NORMALISED_ELO_UNIT, Pentanomial, expected_score};

/// Another implementation of the same test, written from the definitions alone: likelihoods are maximised
/// by plain bisection and golden sections over probabilities, and nothing is shared with the library.
mod other {
    use super::*;

    /// The largest log-likelihood of the counts under distributions whose `values` have the mean 0:
    /// Lagrange's multiplier by bisection.
    fn log_likelihood(counts: &[f64; 5], values: [f64; 5]) -> (f64, [f64; 5]) {
        let sum: f64 = counts.iter().sum();
        let shares = |multiplier: f64| {
            let mut shares = [0.0; 5];
            for i in 0..5 {
                shares[i] = counts[i] / (sum + multiplier * values[i]);
            }
            shares
        };
        let mut low = f64::NEG_INFINITY;
        let mut high = f64::INFINITY;
        for value in values {
            if value > 0.0 {
                low = low.max(-sum / value);
            } else if value < 0.0 {
                high = high.min(-sum / value);
            }
        }
        for _ in 0..64 {
            let middle = 0.5 * (low + high);
            let mean: f64 = shares(middle).iter().zip(values).map(|(share, value)| share * value).sum();
            if mean > 0.0 { low = middle } else { high = middle }
        }
        let shares = shares(0.5 * (low + high));
        (counts.iter().zip(shares).map(|(count, share)| count * share.ln()).sum(), shares)
    }

    /// The same under two conditions: mean and variance of the scores. The dual function
    /// `Σ n·ln(1 + λ·u + κ·v)` is concave; Newton's method with halved steps climbs it.
    fn log_likelihood_of_mean_and_variance(counts: &[f64; 5], mean: f64, variance: f64) -> f64 {
        let sum: f64 = counts.iter().sum();
        let u = SCORES.map(|score| score - mean);
        let v = SCORES.map(|score| (score - mean).powi(2) - variance);
        let dual = |l: f64, k: f64| -> f64 {
            (0..5)
                .map(|i| {
                    let weight = 1.0 + l * u[i] + k * v[i];
                    if weight > 0.0 { counts[i] * weight.ln() } else { f64::NEG_INFINITY }
                })
                .sum()
        };
        let (mut l, mut k) = (0.0, 0.0);
        for _ in 0..100 {
            let (mut gl, mut gk, mut hll, mut hlk, mut hkk) = (0.0, 0.0, 0.0, 0.0, 0.0);
            for i in 0..5 {
                let weight = 1.0 + l * u[i] + k * v[i];
                gl += counts[i] * u[i] / weight;
                gk += counts[i] * v[i] / weight;
                let square = counts[i] / (weight * weight);
                hll += square * u[i] * u[i];
                hlk += square * u[i] * v[i];
                hkk += square * v[i] * v[i];
            }
            let determinant = hll * hkk - hlk * hlk;
            let (mut dl, mut dk) = ((hkk * gl - hlk * gk) / determinant, (hll * gk - hlk * gl) / determinant);
            let here = dual(l, k);
            while dual(l + dl, k + dk) < here && dl.abs() + dk.abs() > 1e-14 {
                (dl, dk) = (dl / 2.0, dk / 2.0);
            }
            (l, k) = (l + dl, k + dk);
            if dl.abs() + dk.abs() < 1e-12 {
                break;
            }
        }
        // Far outside what is possible the dual has no maximum and grows without end.
        counts.iter().map(|count| count * (count / sum).ln()).sum::<f64>() - dual(l, k)
    }

    /// The largest log-likelihood with (mean − ½) / σ = t ≠ 0: the best over all means.
    fn log_likelihood_of_t_value(counts: &[f64; 5], t: f64) -> f64 {
        let at = |distance: f64| {
            let mean = 0.5 + t.signum() * distance;
            // Largest variance of a mean is that of 0 and 1 alone.
            let variance = (distance / t).powi(2);
            if variance >= mean * (1.0 - mean) {
                f64::NEG_INFINITY
            } else {
                log_likelihood_of_mean_and_variance(counts, mean, variance)
            }
        };
        // A coarse look first: the likelihood need not have one hill only.
        let end = 0.5 * t.abs() / (1.0 + t * t).sqrt();
        let grid = 400;
        let best = (1..grid)
            .max_by(|&one, &other| {
                at(end * f64::from(one) / f64::from(grid))
                    .total_cmp(&at(end * f64::from(other) / f64::from(grid)))
            })
            .unwrap();
        let (mut low, mut high) =
            (end * f64::from(best - 1) / f64::from(grid), end * f64::from(best + 1) / f64::from(grid));
        let ratio = (5f64.sqrt() - 1.0) / 2.0;
        for _ in 0..60 {
            let (left, right) = (high - ratio * (high - low), low + ratio * (high - low));
            if at(left) > at(right) { high = right } else { low = left }
        }
        at(0.5 * (low + high))
    }

    pub fn ratio(pairs: Pentanomial, hypotheses: &Hypotheses) -> f64 {
        let counts = pairs.counts().map(|count| if count == 0 { 1e-3 } else { count as f64 });
        let best = |elo: f64| match hypotheses.scale {
            Scale::Elo => log_likelihood(&counts, SCORES.map(|score| score - expected_score(elo))).0,
            Scale::NormalisedElo if elo == 0.0 => log_likelihood(&counts, SCORES.map(|score| score - 0.5)).0,
            Scale::NormalisedElo => {
                log_likelihood_of_t_value(&counts, elo / NORMALISED_ELO_UNIT * 2f64.sqrt())
            }
        };
        best(hypotheses.elo1) - best(hypotheses.elo0)
    }

    /// Plays a whole test; the verdict and the number of pairs.
    pub fn test(
        hypotheses: &Hypotheses,
        treatment: Overshoot,
        pairs: impl Iterator<Item = usize>,
    ) -> (Verdict, u64) {
        let low = (hypotheses.beta / (1.0 - hypotheses.alpha)).ln();
        let high = ((1.0 - hypotheses.beta) / hypotheses.alpha).ln();
        let mut counts = [0; 5];
        let mut walk = vec![0.0];
        for (index, pair) in pairs.enumerate() {
            counts[pair] += 1;
            let ratio = ratio(Pentanomial::from_counts(counts), hypotheses);
            walk.push(ratio);
            // Heights of all records so far, from the walk itself.
            let overshoot = |sign: f64| {
                if treatment == Overshoot::Ignored {
                    return 0.0;
                }
                let (mut record, mut heights) = (0.0, Vec::new());
                for step in walk.iter().map(|place| sign * place) {
                    if step > record {
                        heights.push(step - record);
                        record = step;
                    }
                }
                let squares: f64 = heights.iter().map(|height| height * height).sum();
                if heights.is_empty() { 0.0 } else { squares / (2.0 * heights.iter().sum::<f64>()) }
            };
            if ratio >= high - overshoot(1.0) {
                return (Verdict::H1, index as u64 + 1);
            }
            if ratio <= low + overshoot(-1.0) {
                return (Verdict::H0, index as u64 + 1);
            }
        }
        (Verdict::Undecided, counts.iter().sum())
    }
}

/// Distributions of pair scores to start from: many draws, few draws, starts that favour a side.
const SHAPES: [[f64; 5]; 3] =
    [[0.03, 0.2, 0.54, 0.2, 0.03], [0.24, 0.08, 0.36, 0.08, 0.24], [0.06, 0.12, 0.64, 0.12, 0.06]];

/// The shape tilted by factors `e^(slope · score)` until a rising measure of it has a value.
fn tilted(shape: [f64; 5], measure: impl Fn(Moments) -> f64, value: f64) -> [f64; 5] {
    let tilt = |slope: f64| {
        let mut shares = shape;
        for (share, score) in shares.iter_mut().zip(SCORES) {
            *share *= (slope * score).exp();
        }
        let sum: f64 = shares.iter().sum();
        shares.map(|share| share / sum)
    };
    let (mut low, mut high) = (-20.0, 20.0);
    for _ in 0..80 {
        let middle = (low + high) / 2.0;
        if measure(Moments::of(tilt(middle))) < value { low = middle } else { high = middle }
    }
    tilt(low)
}

/// The distribution of pair scores of a true Elo.
fn truth(shape: [f64; 5], scale: Scale, elo: f64) -> [f64; 5] {
    match scale {
        Scale::Elo => tilted(shape, |moments| moments.mean, expected_score(elo)),
        Scale::NormalisedElo => tilted(
            shape,
            |moments| (moments.mean - 0.5) / (2.0 * moments.variance).sqrt() * NORMALISED_ELO_UNIT,
            elo,
        ),
    }
}

fn pairs(shares: [f64; 5], seed: u64) -> impl Iterator<Item = usize> {
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    std::iter::repeat_with(move || {
        let mut roll: f64 = random.random();
        for (half_points, share) in shares.iter().enumerate() {
            if roll < *share {
                return half_points;
            }
            roll -= share;
        }
        4
    })
}

fn run(hypotheses: Hypotheses, overshoot: Overshoot, pairs: impl Iterator<Item = usize>) -> (Verdict, u64) {
    let mut test = SequentialTest::new(hypotheses, overshoot);
    for half_points in pairs {
        if test.add(half_points) != Verdict::Undecided {
            break;
        }
    }
    (test.verdict(), test.pairs().pairs())
}

/// Error rate and mean number of pairs of `matches` matches whose true Elo is that of a hypothesis.
fn errors(
    hypotheses: Hypotheses,
    overshoot: Overshoot,
    right: Verdict,
    matches: u64,
    check: bool,
) -> (f64, f64) {
    let elo = if right == Verdict::H0 { hypotheses.elo0 } else { hypotheses.elo1 };
    let (mut wrong, mut length, mut other_length) = (0_u64, 0, 0);
    for number in 0..matches {
        let shares = truth(SHAPES[number as usize % SHAPES.len()], hypotheses.scale, elo);
        let (verdict, pairs_played) = run(hypotheses, overshoot, pairs(shares, number));
        wrong += u64::from(verdict != right);
        length += pairs_played;
        if check {
            other_length += other::test(&hypotheses, overshoot, pairs(shares, number)).1;
        }
    }
    let mean = length as f64 / matches as f64;
    let rate = wrong as f64 / matches as f64;
    println!("{} {overshoot:?} {right:?}: wrong {rate:.4}, {mean:.1} pairs", hypotheses.scale);
    if check {
        let other_mean = other_length as f64 / matches as f64;
        println!("  the other implementation: {other_mean:.1} pairs");
        assert!((mean - other_mean).abs() <= 0.05 * other_mean, "{mean} and {other_mean} pairs");
    }
    (rate, mean)
}

const ELO: Hypotheses = Hypotheses { scale: Scale::Elo, elo0: 0.0, elo1: 50.0, alpha: 0.05, beta: 0.05 };
const NORMALISED: Hypotheses =
    Hypotheses { scale: Scale::NormalisedElo, elo0: -20.0, elo1: 60.0, alpha: 0.05, beta: 0.1 };

#[test]
fn ten_thousand_matches_err_as_seldom_as_stated() {
    for (right, stated) in [(Verdict::H0, ELO.alpha), (Verdict::H1, ELO.beta)] {
        let (rate, mean) = errors(ELO, Overshoot::Ignored, right, 10_000, true);
        assert!(rate <= stated + 0.005, "{right:?}: {rate} is more than {stated}");
        // Hypotheses this far apart are told apart by some 80 pairs, where the correction is at its worst.
        let (corrected, shorter) = errors(ELO, Overshoot::Corrected, right, 2_000, true);
        assert!(corrected <= stated + 0.015 && shorter < mean, "{corrected} {shorter}");
    }
}

#[test]
fn normalised_elo_errs_as_seldom_as_stated() {
    for (right, stated) in [(Verdict::H0, NORMALISED.alpha), (Verdict::H1, NORMALISED.beta)] {
        let (rate, _) = errors(NORMALISED, Overshoot::Ignored, right, 4_000, false);
        assert!(rate <= stated + 0.005, "{right:?}: {rate} is more than {stated}");
    }
}

#[test]
fn both_implementations_find_the_same_ratio() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    for number in 0..200 {
        let size = [3.0, 30.0, 300.0, 3000.0][number % 4];
        let counts = [0; 5].map(|_: u64| (size * random.random::<f64>().powi(3)) as u64);
        let pairs = Pentanomial::from_counts(counts);
        let elo0 = random.random_range(-100.0..100.0);
        let elo1 = random.random_range(elo0 + 1.0..200.0);
        for scale in [Scale::Elo, Scale::NormalisedElo] {
            let hypotheses = Hypotheses { scale, elo0, elo1, alpha: 0.05, beta: 0.05 };
            let found = log_likelihood_ratio(pairs, &hypotheses);
            let wanted = other::ratio(pairs, &hypotheses);
            assert!(
                (found - wanted).abs() <= 1e-5 * (1.0 + wanted.abs()),
                "{scale} {counts:?} from {elo0} to {elo1}: {found} and {wanted}"
            );
        }
    }
}
