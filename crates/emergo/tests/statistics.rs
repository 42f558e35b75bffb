//! Random play under the defaults looks as the rules page says, within wide bounds.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

mod common;

use common::standard;
use game::{Game, Play};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;

#[test]
fn lengths_winners_and_reasons_of_random_games() {
    const GAMES: usize = 4000;
    let game = standard();
    let mut random = ChaCha8Rng::seed_from_u64(5);
    let mut lengths = Vec::new();
    let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
    let mut list = Vec::new();
    for _ in 0..GAMES {
        let mut play = Play::new(&game, game.start());
        let outcome = loop {
            if let Some(outcome) = play.outcome(&game) {
                break outcome;
            }
            game.legal_steps(&play.position, &mut list);
            play.step(&game, list[random.random_range(0..list.len())]);
        };
        lengths.push(usize::from(play.position.ply()));
        *counts.entry(outcome.winner_word()).or_default() += 1;
        *counts.entry(outcome.reason.0).or_default() += 1;
    }
    lengths.sort_unstable();
    let mean = lengths.iter().sum::<usize>() as f64 / GAMES as f64;
    let median = lengths[GAMES / 2] as f64;
    println!("mean {mean:.1} median {median} {counts:?}");
    let share = |word: &str| counts.get(word).copied().unwrap_or(0) as f64 / GAMES as f64;
    // Expected value and how far a sample of this size may be from it (four standard errors or more).
    for (what, found, expected, tolerance) in [
        ("mean length", mean, 118.0, 8.0),
        ("median length", median, 89.0, 7.0),
        ("White", share("first"), 0.468, 0.035),
        ("Black", share("second"), 0.502, 0.035),
        ("blocked", share("blocked"), 0.017, 0.01),
        ("repetition", share("repetition"), 0.013, 0.01),
    ] {
        assert!((found - expected).abs() <= tolerance, "{what}: {found}, expected {expected}");
    }
}
