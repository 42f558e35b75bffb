//! The examination that every game must pass, under the three presets and from crowded positions.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

mod common;

use common::{preset, rows};
use game::Game;
use game::examination::{Examination, examine};

#[test]
fn from_the_start_under_every_preset() {
    for name in commander::Commander::presets() {
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
