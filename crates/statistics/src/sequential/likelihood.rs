//! How much more likely pairs are under one hypothesis than under another.

use super::hypotheses::{Hypotheses, Scale};
use crate::elo::expected_score;
use crate::estimate::pair_t_value_of;
use crate::pentanomial::{Moments, Pentanomial, SCORES};

/// What an empty count is taken for, so that every hypothesis is possible at any time.
pub const EMPTY_COUNT: f64 = 1e-3;

/// Rounds after which a normalised Elo's distribution is taken as it is; a handful is enough.
const MOST_ROUNDS: usize = 200;

/// The generalised log-likelihood ratio of H1 to H0: the logarithm of how much more likely the pairs are
/// under the best distribution of pair scores that meets H1 than under the best one that meets H0.
///
/// The distributions are found exactly, with no approximation by a normal one ("A practical introduction
/// to the GSPRT", section 2.2, for Elo; "Normalized Elo", section 6, for normalised Elo).
pub fn log_likelihood_ratio(pairs: Pentanomial, hypotheses: &Hypotheses) -> f64 {
    let counts = pairs.counts().map(|count| if count == 0 { EMPTY_COUNT } else { count as f64 });
    let best = |elo: f64| match hypotheses.scale {
        Scale::Elo => with_mean(&counts, expected_score(elo)),
        Scale::NormalisedElo => with_t_value(&counts, pair_t_value_of(elo)),
    };
    let (under0, under1) = (best(hypotheses.elo0), best(hypotheses.elo1));
    counts.iter().zip(under0.iter().zip(under1)).map(|(count, (p0, p1))| count * (p1 / p0).ln()).sum()
}

/// The most likely distribution with a given mean, for positive counts and a mean strictly inside (0, 1).
fn with_mean(counts: &[f64; 5], mean: f64) -> [f64; 5] {
    balanced(counts, SCORES.map(|score| score - mean))
}

/// The most likely distribution with a given t-value `(mean − ½) / σ`.
///
/// The constraint `mean − ½ − t·σ = 0` is not linear in the probabilities. Around a distribution with
/// mean μ and standard deviation σ it has the same value and slope as the linear constraint
/// `Σ pᵢ·(aᵢ − ½ − t·σ·(1 + ((aᵢ − μ)/σ)²)/2) = 0`; solving with that one again and again leads to the
/// answer.
fn with_t_value(counts: &[f64; 5], t: f64) -> [f64; 5] {
    let mut best = [0.2; 5];
    for _ in 0..MOST_ROUNDS {
        let Moments { mean, variance, .. } = Moments::of(best);
        let sigma = variance.sqrt();
        let linear =
            SCORES.map(|score| score - 0.5 - t * sigma * (1.0 + ((score - mean) / sigma).powi(2)) / 2.0);
        let next = balanced(counts, linear);
        let change = best.iter().zip(next).map(|(before, after)| (before - after).abs()).fold(0.0, f64::max);
        best = next;
        if change < 1e-13 {
            break;
        }
    }
    best
}

/// The most likely distribution under which `values` have the mean 0: `pᵢ = p̂ᵢ / (1 + θ·vᵢ)` with the
/// one θ that makes it so ("A practical introduction to the GSPRT", proposition 2.1). Some values must be
/// positive and some negative.
fn balanced(counts: &[f64; 5], values: [f64; 5]) -> [f64; 5] {
    let whole: f64 = counts.iter().sum();
    let largest = values.iter().copied().fold(f64::NEG_INFINITY, f64::max);
    let least = values.iter().copied().fold(f64::INFINITY, f64::min);
    debug_assert!(least < 0.0 && largest > 0.0, "{values:?} cannot have the mean 0");
    // The sum below falls from +∞ to −∞ between these ends.
    let (mut low, mut high) = (-1.0 / largest, -1.0 / least);
    let mut theta = 0.0;
    for _ in 0..MOST_ROUNDS {
        let (mut sum, mut slope) = (0.0, 0.0);
        for (count, value) in counts.iter().zip(values) {
            let part = value / (1.0 + theta * value);
            sum += count * part;
            slope -= count * part * part;
        }
        if sum > 0.0 {
            low = theta;
        } else {
            high = theta;
        }
        // Newton's step where it stays between the ends, half-way otherwise.
        let newton = theta - sum / slope;
        let next = if newton > low && newton < high { newton } else { (low + high) / 2.0 };
        let done = (next - theta).abs() <= 1e-15 * (high - low).max(theta.abs());
        theta = next;
        if done {
            break;
        }
    }
    let mut best = [0.0; 5];
    for ((best, count), value) in best.iter_mut().zip(counts).zip(values) {
        *best = count / whole / (1.0 + theta * value);
    }
    best
}

#[cfg(test)]
mod tests {
    use super::*;

    const ELO: Hypotheses = Hypotheses { scale: Scale::Elo, elo0: 0.0, elo1: 20.0, alpha: 0.05, beta: 0.05 };
    const NORMALISED: Hypotheses = Hypotheses { scale: Scale::NormalisedElo, ..ELO };

    #[test]
    fn best_distributions_meet_their_constraint() {
        for counts in
            [[1.0, 2.0, 3.0, 4.0, 5.0], [0.001, 0.001, 0.001, 0.001, 50.0], [9.0, 0.001, 7.0, 1.0, 2.0]]
        {
            for mean in [0.2, 0.5, 0.53, 0.8] {
                let best = with_mean(&counts, mean);
                assert!((best.iter().sum::<f64>() - 1.0).abs() < 1e-10, "{best:?}");
                assert!((Moments::of(best).mean - mean).abs() < 1e-10, "{best:?}");
            }
            for t in [-0.8, -0.1, 0.0, 0.3, 0.81] {
                let best = with_t_value(&counts, t);
                let moments = Moments::of(best);
                assert!((best.iter().sum::<f64>() - 1.0).abs() < 1e-10, "{best:?}");
                assert!(
                    ((moments.mean - 0.5) / moments.variance.sqrt() - t).abs() < 1e-9,
                    "{counts:?} {t}: {best:?}"
                );
            }
        }
    }

    #[test]
    fn sides_can_be_exchanged() {
        for hypotheses in [ELO, NORMALISED] {
            let other = Hypotheses { elo0: -hypotheses.elo1, elo1: -hypotheses.elo0, ..hypotheses };
            let pairs = Pentanomial::from_counts([10, 25, 40, 31, 14]);
            let found = log_likelihood_ratio(pairs, &hypotheses);
            assert!(found > 0.0);
            assert!((found + log_likelihood_ratio(pairs.reversed(), &other)).abs() < 1e-9);
            assert!(log_likelihood_ratio(Pentanomial::default(), &hypotheses).abs() < 0.1);
        }
    }

    #[test]
    fn two_kinds_of_pairs_have_the_binomial_ratio() {
        // Only pairs won and lost, and next to none of the rest: the best distributions are the score
        // itself, whatever was seen.
        let pairs = Pentanomial::from_counts([40, 0, 0, 0, 60]);
        let score = expected_score(20.0);
        let wanted = 60.0 * (score / 0.5).ln() + 40.0 * ((1.0 - score) / 0.5).ln();
        assert!((log_likelihood_ratio(pairs, &ELO) - wanted).abs() < 1e-3);
    }
}
