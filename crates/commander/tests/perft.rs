//! Perft numbers of the rules page, section 11.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

mod common;

use common::preset;
use game::perft::{Count, perft};
use game::{Game, Notation};

#[test]
fn steps_from_the_start() {
    for (name, numbers) in [("core", &[116, 13_460, 1_578_767][..]), ("official", &[116, 13_459][..])] {
        let game = preset(name);
        for (depth, &number) in (1..).zip(numbers) {
            assert_eq!(perft(&game, &game.start(), depth, Count::Steps), Ok(number), "{name} depth {depth}");
        }
    }
}

#[test]
fn complete_turns_of_one_stack() {
    let game = preset("core");
    for (fen, turns, boards) in [
        ("6c4/11/11/11/11/11/11/11/4(TI)6/11/11/7C3 r", 97, 61),
        ("6c4/11/11/11/11/11/11/11/4(EA)6/11/11/7C3 r", 177, 107),
        ("6c4/11/11/11/11/11/11/11/2(NF)8/11/11/7C3 r", 531, 284),
        ("5c5/11/11/11/11/11/11/11/11/11/11/6(HC)4 r", 14, 14),
    ] {
        let position = game.read_position(fen).unwrap();
        assert_eq!(perft(&game, &position, 1, Count::Turns), Ok(turns), "{fen}");
        assert_eq!(perft(&game, &position, 1, Count::Boards), Ok(boards), "{fen}");
    }
}
