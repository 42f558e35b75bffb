//! The examination that every game must pass, under the three presets and from crowded positions.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

mod common;

use commander::rules::FreeStacks;
use commander::{Commander, Rules};
use common::{preset, rows};
use game::examination::{Examination, examine};
use game::random::{Purpose, stream};
use game::starts::{StartConfig, StartSampler};
use game::{Game, Notation};

#[test]
fn from_the_start_under_every_preset() {
    for name in Commander::presets() {
        let report =
            examine(&preset(name), &Examination { games: 4, thorough_every: 24, ..Examination::default() });
        assert!(report.passed(), "{name}: {}", report.complaint());
    }
}

#[test]
fn from_positions_with_heroes_and_stacks() {
    let starts = rows("official").iter().map(|row| row["fen"].as_str().unwrap().to_owned()).collect();
    let examination = Examination { games: 40, thorough_every: 24, starts, ..Examination::default() };
    let report = examine(&preset("official"), &examination);
    assert!(report.passed(), "{}", report.complaint());
}

#[test]
fn from_free_set_ups_with_stacks() {
    let game = Commander::new(Rules { free_stacks: FreeStacks::Any, ..Rules::official() });
    let sampler = StartSampler::new(&game, &[StartConfig::named("free-uniform")]).unwrap();
    let draw = |number| sampler.draw(&mut stream(1, Purpose::Opening, &[number])).position;
    let starts = (0..4).map(|number| game.write_position(&draw(number))).collect();
    let report =
        examine(&game, &Examination { games: 4, thorough_every: 24, starts, ..Examination::default() });
    assert!(report.passed(), "{}", report.complaint());
}
