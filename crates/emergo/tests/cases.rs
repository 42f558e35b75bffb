//! Positions whose complete turns, with the positions after them, other programs have listed.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

mod common;

use common::{cases, read, small, standard, turns};
use emergo::Emergo;
use game::{Game, Notation};
use std::collections::BTreeSet;

/// Compares every line `FEN;turn>FEN after|turn>FEN after…`; returns how many turns there were.
fn compare(game: &Emergo, packed: &[u8], positions: usize) -> usize {
    let lines = cases(packed);
    assert_eq!(lines.len(), positions);
    let mut compared = 0;
    for line in &lines {
        let (fen, list) = line.split_once(';').unwrap();
        let position = read(game, fen);
        assert_eq!(game.write_position(&position), fen);
        let expected: BTreeSet<String> = list.split_terminator('|').map(str::to_owned).collect();
        assert_eq!(turns(game, &position), expected, "{fen}");
        assert_eq!(game.count_turns(&position), Some(expected.len() as u64), "{fen}");
        for text in &expected {
            let (turn, after) = text.split_once('>').unwrap();
            let mut here = position;
            for step in game.read_turn(&position, turn).unwrap() {
                game.play(&mut here, step);
            }
            assert_eq!(game.write_position(&here), after, "{fen} {turn}");
        }
        compared += expected.len();
    }
    compared
}

#[test]
fn positions_of_random_games() {
    let turns = compare(&standard(), include_bytes!("data/random.txt.gz"), 1500);
    assert_eq!(turns, 18_446);
}

#[test]
fn the_smaller_board() {
    let turns = compare(&small(), include_bytes!("data/7x7.txt.gz"), 120);
    assert!(turns > 500, "{turns}");
}

#[test]
fn the_middle_of_a_capture() {
    let turns = compare(&standard(), include_bytes!("data/midcapture.txt.gz"), 120);
    assert!(turns >= 120, "{turns}");
}
