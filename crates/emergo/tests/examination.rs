//! The examination that every game must pass, on both boards and under options.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

mod common;

use common::{cases, with};
use game::examination::{Check, Examination, examine};

#[test]
fn from_the_start_on_both_boards() {
    for board in ["9x9", "7x7"] {
        let examination = Examination { games: 12, thorough_every: 16, ..Examination::default() };
        let report = examine(&with(&[("board", board)]), &examination);
        assert!(report.passed(), "{board}: {}", report.complaint());
        let statistics = &report.statistics;
        println!("{statistics}");
        assert_eq!(statistics.aliased_steps, 0);
        assert!(statistics.turn_lengths.contains_key(&2), "no turn of two jumps");
    }
}

#[test]
fn from_positions_of_games_under_options() {
    let lines = cases(include_bytes!("data/random.txt.gz"));
    let starts: Vec<String> =
        lines.iter().step_by(37).map(|line| line.split_once(';').unwrap().0.to_owned()).collect();
    let options: [&[(&str, &str)]; 3] = [
        &[("majority", "off")],
        &[("blocked", "loss"), ("no_entry", "loss"), ("repetition", "off"), ("max_turns", "90")],
        &[("max_turns", "60"), ("max_turns_result", "truncate")],
    ];
    for options in options {
        let examination =
            Examination { games: 12, thorough_every: 16, starts: starts.clone(), ..Examination::default() };
        let report = examine(&with(options), &examination);
        assert!(report.passed(), "{options:?}: {}", report.complaint());
    }
}

#[test]
fn from_the_middle_of_captures() {
    let lines = cases(include_bytes!("data/midcapture.txt.gz"));
    let starts: Vec<String> =
        lines.iter().step_by(5).map(|line| line.split_once(';').unwrap().0.to_owned()).collect();
    let games = starts.len() as u32;
    let examination = Examination { games, thorough_every: 32, starts, ..Examination::default() };
    let report = examine(&with(&[]), &examination);
    // A text does not tell the jumps before, so that the turn cannot be told whole; nothing else differs.
    let failed: Vec<Check> = report.failed.keys().copied().collect();
    assert_eq!(failed, [Check::TurnSoFar], "{}", report.complaint());
    assert_eq!(report.statistics.games, u64::from(games));
}
