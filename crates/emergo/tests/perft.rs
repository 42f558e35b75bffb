//! The perft table of the rules page.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

mod common;

use common::{read, with};
use emergo::{Emergo, Position};
use game::perft::{Count, divide, perft};
use game::{Game, Turns};

#[test]
fn the_table_agrees() {
    let mut compared = 0;
    for line in include_str!("perft.txt").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(';').map(str::trim).collect();
        let game = with(&[("board", fields[0])]);
        let position = read(&game, fields[1]);
        for (depth, expected) in (1..).zip(&fields[2..]) {
            let expected = expected.parse().unwrap();
            assert_eq!(perft(&game, &position, depth, Count::Turns), Ok(expected), "{line} depth {depth}");
            compared += 1;
        }
    }
    assert_eq!(compared, 64);
}

/// Turns without counting any last depth in bulk.
fn walked(game: &Emergo, position: &Position, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let mut turns = Turns::new(game, position);
    let mut nodes = 0;
    while turns.advance(game) {
        nodes += walked(game, turns.position(), depth - 1);
    }
    nodes
}

#[test]
fn counting_in_bulk_changes_nothing() {
    for (fen, depth) in [
        ("9/9/9/9/9/9/9/9/9 w 0 12,12", 3),
        ("8ac/1a@1ab5/9/1aa1aa5/9/1a@1a@5/9/1aa1aa1bb3/6AA2 w 68 0,0", 4),
        ("9/3ae5/4b@4/7c@1/9/9/CB8/1B@7/2AB1AB4 w 134 0,0", 4),
        ("4a@1A@1A@/1A@7/8A@/3aa3A@1/a@7a@/3A@1a@3/A@5a@1a@/3A@5/a@8 w 18 3,4", 4),
        ("a@3A@1A@1A@/3ab3A@1/2aa5AC/9/9/7A@1/8A@/5AD3/4aa3a@ b 49 0,0 e1se", 4),
    ] {
        for majority in ["on", "off"] {
            let game = with(&[("majority", majority)]);
            let position = read(&game, fen);
            let expected = walked(&game, &position, depth);
            assert_eq!(perft(&game, &position, depth, Count::Turns), Ok(expected), "{fen} {majority}");
        }
    }
}

#[test]
fn steps_count_the_first_jump_of_a_turn_once() {
    let game = with(&[]);
    // Four ways of ten jumps that begin with the same one.
    let position = read(&game, "8ac/1a@1ab5/9/1aa1aa5/9/1a@1a@5/9/1aa1aa1bb3/6AA2 w 68 0,0");
    assert_eq!(perft(&game, &position, 1, Count::Steps), Ok(1));
    assert_eq!(perft(&game, &position, 1, Count::Turns), Ok(4));
    let branches = divide(&game, &position, 3, Count::Turns).unwrap();
    assert_eq!(branches.iter().map(|branch| branch.nodes).collect::<Vec<_>>(), [24; 4]);
    // Without captures both counts are the same.
    assert_eq!(perft(&game, &game.start(), 3, Count::Steps), Ok(55_172));
}
