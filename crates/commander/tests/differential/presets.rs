//! The presets, each on many positions of every kind: arbitrary ones with deep stacks and heroes, those of random
//! games, and pairs of free set-ups.
//!
//! Positions come in blocks, each from a random stream of its own, so that a long comparison can be shared out and
//! gone on with: `scripts/commander_differential` does both.

use super::comparison::{Depth, Report, compare};
use super::reference::arbitrary;
use super::reference::position::Position;
use super::setting::Setting;
use commander::deployment::Sampler;
use commander::rules::FreeStacks;
use commander::{Commander, Rules};
use game::random::{Purpose, stream};
use game::{Game as _, Line, Notation};
use rand::Rng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use std::ops::{ControlFlow, Range};

/// Positions of a block.
const BLOCK: usize = 100;
/// Blocks of a preset that the suite compares; the project's check has 30.
const USUAL: Range<u64> = 0..1;
/// Where a complete list of turns would take too long, some turns are compared, and walks into turns of several
/// steps in every third position.
const DEPTH: Depth = Depth { all_turns: 24, some_turns: 2, walks: 0 };
const THOROUGH: Depth = Depth { walks: 1, ..DEPTH };

/// The blocks to compare: `COMMANDER_DIFFERENTIAL_BLOCKS=30..60`, or the usual ones.
fn blocks() -> Range<u64> {
    let Ok(text) = std::env::var("COMMANDER_DIFFERENTIAL_BLOCKS") else { return USUAL };
    let (first, end) = text.split_once("..").expect("COMMANDER_DIFFERENTIAL_BLOCKS=FIRST..END");
    first.parse().unwrap()..end.parse().unwrap()
}

/// Compares the blocks of a preset; the number of the preset names its streams.
fn compare_preset(number: u64, preset: &str) {
    let setting = Setting::new(preset, &[]);
    let samplers = [FreeStacks::Hq, FreeStacks::Any].map(|free_stacks| {
        let rules = Rules { free_stacks, ..setting.engine.rules().clone() };
        Sampler::uniform(&Commander::new(rules)).unwrap()
    });
    let mut report = Report::default();
    for block in blocks() {
        let mut random = stream(block, Purpose::Sampling, &[number]);
        let goal = report.positions + BLOCK;
        while report.positions < goal {
            let position = match random.random_range(0..10) {
                0..6 => arbitrary::position(&setting.options, &mut random),
                6..8 => from_game(&setting, &mut random),
                _ => from_set_ups(&setting, &samplers, &mut random),
            };
            let depth = if report.positions.is_multiple_of(3) { THOROUGH } else { DEPTH };
            compare(&setting, &position, depth, &mut random, &mut report);
            if !report.differences.is_empty() {
                println!("block {block} of {preset}");
                return report.finish();
            }
        }
    }
    report.finish();
}

/// A position of a random game.
fn from_game(setting: &Setting, random: &mut ChaCha8Rng) -> Position {
    let engine = &setting.engine;
    let (mut here, mut kept) = (engine.start(), engine.start());
    let mut scratch = Vec::new();
    for _ in 0..random.random_range(0..160) {
        let next = engine.random_step(&here, &Line::new(), random, &mut scratch);
        let ControlFlow::Continue(step) = next else { break };
        engine.play(&mut here, step);
        if !engine.mid_turn(&here) && engine.outcome(&here, &Line::new()).is_none() {
            kept = here;
        }
    }
    Position::parse(&engine.write_position(&kept), &setting.options).unwrap()
}

/// A pair of free set-ups, which may be void.
fn from_set_ups(setting: &Setting, samplers: &[Sampler; 2], random: &mut ChaCha8Rng) -> Position {
    let sampler = samplers.choose(random).unwrap();
    let sides = [sampler.draw(random), sampler.draw(random)];
    let position = setting.engine.deployed([&sides[0], &sides[1]]);
    Position::parse(&setting.engine.write_position(&position), &setting.options).unwrap()
}

#[test]
fn official() {
    compare_preset(0, "official");
}

#[test]
fn core() {
    compare_preset(1, "core");
}

#[test]
fn wiki() {
    compare_preset(2, "wiki");
}
