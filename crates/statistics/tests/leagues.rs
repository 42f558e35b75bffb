//! Ratings of synthetic leagues whose true ratings are known: how often the intervals hold them, and how
//! wide they are beside what any unbiased estimate could reach at best.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

use ndarray::{Array2, s};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::SeedableRng;
use statistics::elo::ELO_PER_LOG_ODDS;
use statistics::interval::NORMAL_975;
use statistics::rating::{Chances, Couple, GameResult, Model, Results, rate};

/// A league with known ratings, the first player's 0, and a schedule.
struct League {
    elo: Vec<f64>,
    model: Model,
    pairs: Vec<(Couple, u64)>,
}

/// A standard normal number.
fn normal(random: &mut ChaCha8Rng) -> f64 {
    (0..12).map(|_| random.random::<f64>()).sum::<f64>() - 6.0
}

fn draw(chances: Chances, random: &mut ChaCha8Rng) -> GameResult {
    let roll: f64 = random.random();
    if roll < chances.loss {
        GameResult::Loss
    } else if roll < chances.loss + chances.draw {
        GameResult::Draw
    } else {
        GameResult::Win
    }
}

impl League {
    /// Three to ten players, some far apart, any share of draws, not everybody against everybody.
    fn random(random: &mut ChaCha8Rng) -> League {
        let players = random.random_range(3..=10);
        let spread = random.random_range(50.0..350.0);
        let mut elo: Vec<f64> = (0..players).map(|_| spread * normal(random)).collect();
        elo[0] = 0.0;
        let model = Model {
            first_advantage: random.random_range(-20.0..80.0),
            draw_log_weight: random.random_range(-3.0..1.0),
        };
        let most = random.random_range(20..=120);
        let mut pairs = Vec::new();
        for couple in Couple::all(players) {
            if couple.b == couple.a + 1 || random.random_bool(0.6) {
                pairs.push((couple, random.random_range(10..=most)));
            }
        }
        League { elo, model, pairs }
    }

    fn play(&self, random: &mut ChaCha8Rng) -> Results {
        let mut results = Results::new(self.elo.len());
        for &(Couple { a, b }, pairs) in &self.pairs {
            let difference = self.elo[a] - self.elo[b];
            for _ in 0..pairs {
                let as_first = draw(self.model.chances(difference), random);
                let as_second = draw(self.model.chances(-difference), random).reversed();
                results.add(a, b, as_first, as_second);
            }
        }
        results
    }

    /// Half widths of 95 % intervals at the bound of Cramér and Rao: from the Fisher information at the true
    /// ratings, here straight from derivatives of the chances.
    fn best_half_widths(&self) -> Vec<f64> {
        let players = self.elo.len();
        let size = players + 2;
        let mut information = Array2::<f64>::zeros((size, size));
        let step = 1e-4;
        for &(Couple { a, b }, pairs) in &self.pairs {
            for (first, second) in [(a, b), (b, a)] {
                let chances = |by: usize, step: f64| {
                    let rating = |player: usize| self.elo[player] + if by == player { step } else { 0.0 };
                    let model = Model {
                        first_advantage: self.model.first_advantage + if by == players { step } else { 0.0 },
                        draw_log_weight: self.model.draw_log_weight
                            + if by == players + 1 { step } else { 0.0 },
                    };
                    model.chances(rating(first) - rating(second)).as_array()
                };
                let places = [first, second, players, players + 1];
                let slopes = places.map(|place| {
                    let (up, down) = (chances(place, step), chances(place, -step));
                    [0, 1, 2].map(|result| (up[result] - down[result]) / (2.0 * step))
                });
                let here = chances(usize::MAX, 0.0);
                for (row, left) in places.iter().zip(slopes) {
                    for (column, right) in places.iter().zip(slopes) {
                        information[(*row, *column)] += pairs as f64
                            * (0..3).map(|result| left[result] * right[result] / here[result]).sum::<f64>();
                    }
                }
            }
        }
        let covariance = inverse(information.slice(s![1.., 1..]).to_owned());
        (0..players - 1).map(|player| NORMAL_975 * covariance[(player, player)].sqrt()).collect()
    }
}

/// Gauss and Jordan's elimination.
fn inverse(mut matrix: Array2<f64>) -> Array2<f64> {
    let size = matrix.nrows();
    let mut inverse = Array2::eye(size);
    for column in 0..size {
        let pivot = matrix[(column, column)];
        for k in 0..size {
            matrix[(column, k)] /= pivot;
            inverse[(column, k)] /= pivot;
        }
        for row in (0..size).filter(|&row| row != column) {
            let factor = matrix[(row, column)];
            for k in 0..size {
                matrix[(row, k)] -= factor * matrix[(column, k)];
                inverse[(row, k)] -= factor * inverse[(column, k)];
            }
        }
    }
    inverse
}

#[test]
fn intervals_of_ratings_cover_and_are_narrow() {
    let mut random = ChaCha8Rng::seed_from_u64(20);
    let (mut covered, mut intervals, mut ratios, mut wide) = (0, 0, 0.0, 0);
    let mut advantages = 0;
    for _ in 0..300 {
        let league = League::random(&mut random);
        let ratings = rate(&league.play(&mut random), 0).unwrap();
        let best = league.best_half_widths();
        let mut ratio = 0.0;
        for (player, best) in (1..league.elo.len()).zip(&best) {
            let interval = ratings.rating(player).interval;
            covered += usize::from(interval.contains(league.elo[player]));
            intervals += 1;
            ratio += interval.width() / 2.0 / best;
        }
        ratios += ratio;
        wide += usize::from(ratio / best.len() as f64 > 1.15);
        advantages += usize::from(ratings.first_advantage().interval.contains(league.model.first_advantage));
    }
    let coverage = covered as f64 / intervals as f64;
    let ratio = ratios / intervals as f64;
    println!(
        "{covered} of {intervals} intervals cover, {coverage:.4}; widths {ratio:.3} of the least; {wide} leagues \
         wider than 1.15; first-move advantage covered in {advantages} of 300"
    );
    assert!((0.92..=0.98).contains(&coverage), "covered {coverage}");
    assert!(ratio <= 1.15, "{ratio} times the width of Cramér and Rao");
    assert!(wide <= 15, "{wide} leagues are too wide");
    assert!((276..=294).contains(&advantages), "first-move advantage covered in {advantages}");
}

#[test]
fn starts_that_favour_a_side_narrow_the_intervals() {
    // Equal players and starts worth 400 Elo to one side or the other: the games of a pair balance.
    let mut random = ChaCha8Rng::seed_from_u64(21);
    let model = Model { first_advantage: 0.0, draw_log_weight: -1.0 };
    let (mut covered, mut intervals, mut dispersions) = (0, 0, 0.0);
    for _ in 0..300 {
        let mut results = Results::new(4);
        for Couple { a, b } in Couple::all(4) {
            for _ in 0..40 {
                let start = 400.0 * normal(&mut random);
                let as_first = draw(model.chances(start), &mut random);
                let as_second = draw(model.chances(start), &mut random).reversed();
                results.add(a, b, as_first, as_second);
            }
        }
        let ratings = rate(&results, 0).unwrap();
        dispersions += ratings.dispersion();
        for player in 1..4 {
            covered += usize::from(ratings.rating(player).interval.contains(0.0));
            intervals += 1;
        }
    }
    let (coverage, dispersion) = (covered as f64 / f64::from(intervals), dispersions / 300.0);
    println!("covered {coverage:.4}, dispersion {dispersion:.3}");
    assert!((0.92..=0.98).contains(&coverage), "covered {coverage}");
    assert!(dispersion < 0.8, "dispersion {dispersion}");
}

#[test]
fn many_games_find_the_truth() {
    let league = League {
        elo: vec![0.0, 150.0, -80.0, 420.0],
        model: Model { first_advantage: 35.0, draw_log_weight: 0.2 },
        pairs: Couple::all(4).map(|couple| (couple, 20_000)).collect(),
    };
    let ratings = rate(&league.play(&mut ChaCha8Rng::seed_from_u64(22)), 0).unwrap();
    for (found, wanted) in ratings.elo().iter().zip(&league.elo) {
        assert!((found - wanted).abs() < 8.0, "{found} should be {wanted}");
    }
    assert!((ratings.first_advantage().elo - 35.0).abs() < 4.0);
    let (share, interval) = ratings.draw_share();
    assert!(interval.contains(league.model.draw_share()) && interval.contains(share));
    assert!((ratings.dispersion() - 1.0).abs() < 0.02);
    assert_eq!(ratings.order(), [3, 1, 0, 2]);
    // Differences do not depend on who stands at 0.
    let other = rate(&league.play(&mut ChaCha8Rng::seed_from_u64(22)), 2).unwrap();
    let (one, two) = (ratings.difference(3, 1), other.difference(3, 1));
    assert!((one.rating.elo - two.rating.elo).abs() < 1e-6);
    assert!((one.rating.standard_error - two.rating.standard_error).abs() < 1e-6);
}

#[test]
fn players_who_won_everything_have_a_rating() {
    let mut results = Results::new(3);
    for _ in 0..10 {
        results.add(1, 0, GameResult::Win, GameResult::Win);
        results.add(2, 1, GameResult::Win, GameResult::Win);
    }
    let ratings = rate(&results, 0).unwrap();
    let (first, second) = (ratings.rating(1), ratings.rating(2));
    // Firth's penalty for 20 wins out of 20 alone: log-odds of about 20½ to ½.
    let about = (20.5f64 / 0.5).ln() * ELO_PER_LOG_ODDS;
    assert!((first.elo - about).abs() < 0.25 * about, "{first:?} should be about {about}");
    assert!(second.elo > first.elo + 300.0 && second.elo < 2.5 * about, "{second:?}");
    assert!(first.interval.low < first.elo - 150.0 && first.interval.high.is_finite());
    assert!(ratings.difference(1, 0).superiority > 0.95);
}

#[test]
fn any_handful_of_games_has_a_rating() {
    use GameResult::{Draw, Loss, Win};
    for first in [Loss, Draw, Win] {
        for second in [Loss, Draw, Win] {
            for pairs in [1, 2, 3] {
                let mut results = Results::new(2);
                for _ in 0..pairs {
                    results.add(0, 1, first, second);
                }
                let ratings = rate(&results, 0).unwrap();
                let sign = (second.half_points() + first.half_points()).cmp(&2);
                let elo = ratings.elo()[1];
                assert!(elo.abs() < 1_500.0, "{first:?} {second:?} {pairs}: {elo}");
                // Player 1 is the better one exactly where player 0 scored less than half.
                let found = if elo.abs() < 1e-4 { std::cmp::Ordering::Equal } else { elo.total_cmp(&0.0) };
                assert_eq!(found, sign.reverse(), "{first:?} {second:?} {pairs}: {elo}");
            }
        }
    }
}

#[test]
fn strangers_and_missing_players_are_named() {
    let mut results = Results::new(4);
    results.add(0, 1, GameResult::Win, GameResult::Draw);
    results.add(2, 3, GameResult::Win, GameResult::Draw);
    assert_eq!(rate(&results, 0).unwrap_err().to_string(), "players in 2 groups have not met across groups");
    assert_eq!(
        rate(&results, 7).unwrap_err().to_string(),
        "player 7, who stands at 0, is none of the 4 players"
    );
}
