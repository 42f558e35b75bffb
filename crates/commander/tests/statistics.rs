//! Random play under `official`, steps drawn as playouts draw them, looks as the rules page says (section 11),
//! within wide bounds.

mod common;

use common::{preset, winner_word};
use game::{Game, Play};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeMap;
use std::ops::ControlFlow;

#[test]
fn lengths_winners_and_reasons_of_random_games() {
    const GAMES: usize = 600;
    let game = preset("official");
    let mut random = ChaCha8Rng::seed_from_u64(11);
    let mut lengths = Vec::new();
    let mut counts: BTreeMap<&'static str, usize> = BTreeMap::new();
    let mut all_steps = 0;
    let mut scratch = Vec::new();
    for _ in 0..GAMES {
        let mut play = Play::new(&game, game.start());
        let outcome = loop {
            let step = match play.random_step(&game, &mut random, &mut scratch) {
                ControlFlow::Continue(step) => step,
                ControlFlow::Break(outcome) => break outcome.unwrap(),
            };
            // The end of a turn is no action of its own.
            all_steps += (step.kind != commander::StepKind::EndTurn) as usize;
            play.step(&game, step);
        };
        lengths.push(usize::from(play.position.played()));
        *counts.entry(winner_word(&outcome)).or_default() += 1;
        *counts.entry(outcome.reason.0).or_default() += 1;
    }
    lengths.sort_unstable();
    let turns: usize = lengths.iter().sum();
    let mean = turns as f64 / GAMES as f64;
    let median = lengths[GAMES / 2];
    let steps_a_turn = all_steps as f64 / turns as f64;
    println!("mean {mean:.1} median {median} steps a turn {steps_a_turn:.3} {counts:?}");
    let share = |word: &str| counts.get(word).copied().unwrap_or(0) as f64 / GAMES as f64;
    // Expected value and how far a sample of this size may be from it (four standard errors or more).
    for (what, found, expected, tolerance) in [
        ("mean length", mean, 137.0, 11.0),
        ("median length", median as f64, 127.0, 13.0),
        ("steps a turn", steps_a_turn, 1.05, 0.02),
        ("red", share("red"), 0.48, 0.09),
        ("blue", share("blue"), 0.49, 0.09),
        ("air", share("air"), 0.67, 0.08),
        ("marine", share("marine"), 0.26, 0.08),
        ("mate", share("mate"), 0.03, 0.03),
        ("air+marine", share("air+marine") + share("marine+air"), 0.01, 0.02),
        ("land", share("land"), 0.01, 0.02),
        ("no_captures", share("no_captures"), 0.01, 0.02),
    ] {
        assert!((found - expected).abs() <= tolerance, "{what}: {found}, expected {expected}");
    }
}
