//! The examination that every game must pass, on both boards and under options.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

mod common;

use common::{cases, with};
use game::examination::{Examination, examine};

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
