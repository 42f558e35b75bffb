//! The engine against a plain second implementation (`reference/`), under every option.
//!
//! `presets.rs` compares positions of each preset, `main.rs` hundreds under all options and games played side by
//! side. `COMMANDER_DIFFERENTIAL=20000 cargo test --release -p commander --test differential`
//! compares that many, `COMMANDER_DIFFERENTIAL_SEED` chooses others; `scripts/commander_differential` compares
//! 100 000 of each preset, 3 000 in the project's check.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

#[path = "../common/mod.rs"]
mod common;
#[path = "../reference/mod.rs"]
mod reference;

mod cases;
mod comparison;
mod games;
mod presets;
mod setting;

use commander::deployment::Sampler;
use commander::rules::FreeStacks;
use commander::{Commander, Rules};
use comparison::{Depth, Report, compare, engine_turns};
use game::{Game as _, Line, Notation};
use games::play_together;
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use reference::arbitrary;
use reference::options::CHOICES;
use reference::position::Position;
use setting::{Setting, settings};
use std::collections::BTreeMap;

/// How many positions to compare, and from which seed.
fn effort(usual: usize) -> (usize, u64) {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().unwrap());
    (
        number("COMMANDER_DIFFERENTIAL").map_or(usual, |count| count as usize),
        number("COMMANDER_DIFFERENTIAL_SEED").unwrap_or(1),
    )
}

/// Whether the mover has more than so many stacks of three, which have thousands of turns.
fn large(position: &Position, limit: usize) -> bool {
    let large = |stack: &&reference::board::Stack| stack.side == position.side && stack.pieces.len() > 2;
    position.board.stacks.values().filter(large).count() > limit
}

/// Arbitrary positions compared by the suite: more than there are settings.
const USUAL: usize = 250;

#[test]
fn arbitrary_positions() {
    let (count, seed) = effort(USUAL);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let settings = settings(20 + count / 200, &mut random);
    let limit = if count > USUAL { 1500 } else { 150 };
    let mut report = Report::default();
    let mut settings = settings.iter().cycle();
    while report.positions < count {
        let setting = settings.next().unwrap();
        let position = arbitrary::position(&setting.options, &mut random);
        // The usual run has no time for many of these.
        if count == USUAL && large(&position, 1) {
            continue;
        }
        compare(setting, &position, Depth::all(limit), &mut random, &mut report);
    }
    report.finish();
}

/// The comparison is worth something only if each value of each option changes some turn of some position compared.
#[test]
fn every_option_shows_in_arbitrary_positions() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let official = Setting::new("official", &[]);
    let mut unseen: Vec<Setting> = Vec::new();
    for (key, values) in CHOICES {
        // No arbitrary position has a navy on land, and one turn is not enough to reach a limit of turns.
        if matches!(*key, "navy_ashore" | "max_turns" | "adjudicate") {
            continue;
        }
        for value in &values[1..] {
            unseen.push(Setting::new("official", &[(key, value)]));
        }
    }
    let answers = |setting: &Setting, fen: &str| -> Option<(Vec<String>, Option<Vec<String>>)> {
        let read = setting.engine.read_position(fen).ok()?;
        Some((common::step_texts(&setting.engine, &read), engine_turns(&setting.engine, &read, 100)))
    };
    for _ in 0..5_000 {
        let position = arbitrary::position(&official.options, &mut random);
        if large(&position, 0) {
            continue;
        }
        let fen = position.text();
        let plain = answers(&official, &fen);
        unseen.retain(|setting| answers(setting, &fen).is_none_or(|found| Some(found) == plain));
        if unseen.is_empty() {
            return;
        }
    }
    let names: Vec<&str> = unseen.iter().map(|setting| setting.name.as_str()).collect();
    panic!("never seen: {names:?}");
}

#[test]
fn positions_from_games() {
    let (count, seed) = effort(60);
    let mut random = ChaCha8Rng::seed_from_u64(seed + 1000);
    let settings = settings(10, &mut random);
    let mut report = Report::default();
    let mut index = 0;
    while index < count {
        let setting = settings.choose(&mut random).unwrap();
        let engine = &setting.engine;
        let mut here = engine.start();
        while index < count && engine.outcome(&here, &Line::new()).is_none() {
            if !engine.mid_turn(&here) && random.random_bool(0.03) {
                let position = Position::parse(&engine.write_position(&here), &setting.options).unwrap();
                compare(setting, &position, Depth::all(300), &mut random, &mut report);
                index += 1;
            }
            let steps = common::steps(engine, &here);
            engine.play(&mut here, *steps.choose(&mut random).unwrap());
        }
    }
    report.finish();
}

/// Pairs of free set-ups with stacks and commanders in headquarters, void ones included, and games from them.
#[test]
fn free_set_ups() {
    let (count, seed) = effort(24);
    let mut random = ChaCha8Rng::seed_from_u64(seed + 3000);
    let settings = settings(4, &mut random);
    let mut report = Report::default();
    for game in 0..count {
        let setting = settings.choose(&mut random).unwrap();
        let rules = Rules {
            free_stacks: *[FreeStacks::Hq, FreeStacks::Any].choose(&mut random).unwrap(),
            ..setting.engine.rules().clone()
        };
        let sampler = Sampler::uniform(&Commander::new(rules)).unwrap();
        let sides = [sampler.draw(&mut random), sampler.draw(&mut random)];
        let position = setting.engine.deployed([&sides[0], &sides[1]]);
        let plain = Position::parse(&setting.engine.write_position(&position), &setting.options).unwrap();
        if count > 24 || !large(&plain, 0) {
            compare(setting, &plain, Depth::all(300), &mut random, &mut report);
        }
        if game % 4 == 0 {
            play_together(setting, &plain, 20, &mut random, &mut report);
        }
    }
    assert!(report.positions >= count / 3);
    report.finish();
}

#[test]
fn whole_games() {
    let (count, seed) = effort(300);
    let mut random = ChaCha8Rng::seed_from_u64(seed + 2000);
    let settings = settings(10, &mut random);
    let mut report = Report::default();
    let mut endings = BTreeMap::new();
    for game in 0..count {
        let setting = settings.choose(&mut random).unwrap();
        let start = if game % 20 > 0 {
            arbitrary::position(&setting.options, &mut random)
        } else {
            Position::parse(reference::START, &setting.options).unwrap()
        };
        let ending = play_together(setting, &start, 60, &mut random, &mut report);
        *endings.entry(ending).or_insert(0) += 1;
    }
    println!("{endings:?}");
    assert!(endings.keys().any(|ending| ending.ends_with("repetition")), "repetition is compared too");
    report.finish();
}
