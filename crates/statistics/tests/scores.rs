//! Estimates from the pairs of one match.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use statistics::pentanomial::Moments;
use statistics::{
    Estimate, Interval, Intervals, MissingInterval, NORMALISED_ELO_UNIT, Pentanomial, PointEstimate, elo,
};

fn close(found: f64, wanted: f64, tolerance: f64) {
    assert!((found - wanted).abs() <= tolerance, "{found} should be {wanted}");
}

#[test]
fn scores_and_intervals_agree_with_hand_computation() {
    // 10 pairs: 1 of 0, 2 of ½, 3 of 1, 2 of 1½, 2 of 2 points: (0 + 1 + 3 + 3 + 4) / 20.
    let counts = Pentanomial::from_counts([1, 2, 3, 2, 2]);
    let point = PointEstimate::of(counts).unwrap();
    close(point.score, 0.55, 1e-12);
    close(point.elo, elo(0.55), 1e-12);
    // Squares 1·0.3025 + 2·0.09 + 3·0.0025 + 2·0.04 + 2·0.2025 = 0.975 over 10; a game's σ is √2 of that.
    close(point.normalised_elo.unwrap(), 0.05 / (2.0 * 0.0975f64).sqrt() * NORMALISED_ELO_UNIT, 1e-9);
    // With one pair of each extreme: mean 6.5 / 12, squares 2·0 + 2/16 + 3/4 + 2·9/16 + 3 = 5,
    // variance (5 − 12 · (6.5/12)²) / 11 = 0.1344697, half = 2.200985 · √(0.1344697 / 12).
    let Interval { low, high } = Intervals::of(counts).score;
    close(low, 6.5 / 12.0 - 0.232_992, 1e-4);
    close(high, 6.5 / 12.0 + 0.232_992, 1e-4);
}

#[test]
fn intervals_of_one_sided_matches_follow_the_rule_of_three() {
    let all = Intervals::of(Pentanomial::from_counts([0, 0, 0, 0, 200]));
    assert_eq!((all.score.high, all.elo.high), (1.0, f64::INFINITY));
    close(all.score.low, 1.0 - 3.0 / 200.0, 1e-3);
    assert!(all.superiority > 0.999_999);
    let none = Intervals::of(Pentanomial::from_counts([200, 0, 0, 0, 0])).score;
    close(none.high, 1.0 - all.score.low, 1e-12);
    assert_eq!(none.low, 0.0);
    let even = Intervals::of(Pentanomial::from_counts([0, 0, 200, 0, 0]));
    assert!(even.score.low > 0.49 && even.score.low < 0.495 && even.score.high < 0.51);
    close(even.superiority, 0.5, 1e-12);
    let one = Intervals::of(Pentanomial::from_counts([0, 0, 0, 0, 1])).score;
    assert_eq!((one.low, one.high), (0.0, 1.0));
}

#[test]
fn superiority_and_interval_say_the_same() {
    for wins in 10..40 {
        let intervals = Intervals::of(Pentanomial::from_counts([20, 3, 5, 2, wins]));
        assert_eq!(intervals.score.low > 0.5, intervals.superiority > 0.975, "{wins}");
    }
}

#[test]
fn copies_and_empty_matches_have_no_intervals() {
    let pairs = Pentanomial::from_counts([1, 2, 3, 2, 2]);
    assert!(Estimate::new(pairs, 18).intervals.is_ok());
    let copies = Estimate::new(pairs, 17);
    assert_eq!(copies.intervals, Err(MissingInterval::Copies { games: 20, distinct: 17 }));
    assert!(copies.point.is_some());
    let empty = Estimate::new(Pentanomial::default(), 0);
    assert_eq!((empty.point, empty.intervals), (None, Err(MissingInterval::NoPairs)));
    let alike = PointEstimate::of(Pentanomial::from_counts([0, 0, 7, 0, 0])).unwrap();
    assert_eq!(alike.normalised_elo, None);
}

/// A pair of two independent games.
fn pair(win: f64, draw: f64, random: &mut ChaCha8Rng) -> usize {
    let mut game = || {
        let roll: f64 = random.random();
        if roll < win { 2 } else { usize::from(roll < win + draw) }
    };
    game() + game()
}

#[test]
fn intervals_cover_the_truth() {
    let mut random = ChaCha8Rng::seed_from_u64(1);
    for (win, draw) in [(0.5, 0.0), (0.3, 0.4), (0.8, 0.1), (0.97, 0.02), (0.99, 0.0)] {
        let score = win + draw / 2.0;
        let chances = [1.0 - win - draw, draw, win];
        let mut shares = [0.0; 5];
        for (first, one) in chances.iter().enumerate() {
            for (second, other) in chances.iter().enumerate() {
                shares[first + second] += one * other;
            }
        }
        let truth = Moments::of(shares);
        let normalised = (truth.mean - 0.5) / (2.0 * truth.variance).sqrt() * NORMALISED_ELO_UNIT;
        for pairs in [10, 50, 200] {
            let matches = 1_000;
            let (mut scores, mut normalised_elos) = (0, 0);
            for _ in 0..matches {
                let mut counts = Pentanomial::default();
                for _ in 0..pairs {
                    counts.add(pair(win, draw, &mut random));
                }
                let intervals = Intervals::of(counts);
                scores += usize::from(intervals.score.contains(score));
                normalised_elos += usize::from(intervals.normalised_elo.contains(normalised));
            }
            // Three standard errors of a simulation of this size below 95 %.
            assert!(scores >= 929, "{win} {draw} {pairs}: covered {scores} of {matches}");
            // The spread of a one-sided match is hardly known from a few pairs: its interval is too narrow.
            let least = if win < 0.6 { 929 } else { 895 };
            if pairs >= 50 && win < 0.9 {
                assert!(normalised_elos >= least, "{win} {draw} {pairs}: {normalised_elos} of {matches}");
            }
        }
    }
}
