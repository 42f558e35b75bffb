//! Faults of positions and turns, turns told from their middle, and boards in characters.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

mod common;

use common::{cases, read, small, standard};
use game::{Game, Notation};

fn faults(text: &str) -> Vec<String> {
    let faults = standard().read_position(text).unwrap_err();
    faults.0.iter().map(ToString::to_string).collect()
}

#[test]
fn every_fault_is_named_at_once() {
    assert_eq!(
        faults("9/8A@/3A5/3Aa4a/x8/0A@7/1aA6/7/9/9 r -1 12;12 e5n extra"),
        [
            "board: has 10 ranks, expected 9 separated by /",
            "d7: found `5` after guards `A`, expected prisoners: @ for none, or a letter of the same case",
            "d6: found `a` after guards `A`, expected prisoners: @ for none, or a letter of the same case",
            "i6: found the end of the rank after guards `a`, expected prisoners: @ for none, or a letter of the same case",
            "a5: found `x`, expected guards A to L or a to l, or empty squares as a digit",
            "rank 5: `x8` describes 8 squares, expected 9",
            "a4: found `0`, expected 1 to 9 empty squares",
            "rank 4: `0A@7` describes 8 squares, expected 9",
            "b3: found `A` after guards `a`, expected prisoners: @ for none, or a letter of the same case",
            "rank 3: `1aA6` describes 8 squares, expected 9",
            "rank 2: `7` describes 7 squares, expected 9",
            "side: found `r`, expected w or b",
            "ply: is no number from 0 to 65535",
            "hands: found `12;12`, expected two numbers as in `12,12`",
            "capture: found `e5n`, expected - or a square and ne, nw, se or sw, as in `e5ne`",
            "end: found `extra`, expected nothing after the fifth field",
            "i8: this square is not in use: file and rank must add up to an even number",
            "a4: this square is not in use: file and rank must add up to an even number",
        ]
    );
    assert_eq!(
        faults(""),
        [
            "position: is empty, expected `board side ply handW,handB`",
            "side: is missing, expected w or b after the board",
            "ply: is missing, expected the number of turns played before",
            "hands: are missing, expected two numbers as in `12,12`",
        ]
    );
}

#[test]
fn there_are_no_more_than_twelve_or_eight_men_of_a_colour() {
    assert_eq!(
        faults("9/9/9/9/9/9/9/9/La8 w 0 1,12"),
        ["a1: found `a` after guards `L`, expected prisoners: @ for none, or a letter of the same case"]
    );
    assert_eq!(
        faults("9/9/9/9/9/9/9/9/LA8 w 0 1,12"),
        [
            "men: White has 13, prisoners and hand included, expected at most 12",
            "men: Black has 13, prisoners and hand included, expected at most 12",
        ]
    );
    let game = small();
    assert!(game.read_position("7/7/7/7/7/7/DA6 w 0 4,7").is_ok());
    let message = game.read_position("7/7/7/7/7/7/DA6 w 0 5,7").unwrap_err().to_string();
    assert_eq!(message, "men: White has 9, prisoners and hand included, expected at most 8");
}

#[test]
fn an_unfinished_capture_must_be_one() {
    let board = "9/9/9/9/4AA4/5a@3/9/9/a@8 w 40 0,0";
    assert!(standard().read_position(&format!("{board} e5ne")).is_ok());
    assert!(standard().read_position(&format!("{board} -")).is_ok());
    let fault = |field: &str| faults(&format!("{board} {field}")).join("; ");
    // Turning back is no jump.
    assert_eq!(fault("e5nw"), "capture: e5 has no jump after one to nw, write - instead");
    assert_eq!(fault("a1ne"), "capture: no column of the side to move stands on a1");
    assert_eq!(faults("9/9/9/9/9/9/9/1a@7/AA8 w 40 0,0 a1ne"), ["capture: no jump to ne ends on a1"]);
    assert_eq!(faults("9/9/9/9/9/9/AA8/1a@7/9 w 40 0,0 a3nw").len(), 1);
    assert_eq!(fault("c3ne"), "capture: no column of the side to move stands on c3");
}

#[test]
fn a_capture_is_told_whole_in_play_and_from_its_square_when_read() {
    let game = standard();
    let start = read(&game, "9/9/2a@1a@4/9/2bb1a@4/3C@5/9/9/9 w 30 0,0");
    let turn = game.read_turn(&start, "d4xb6xd8xf6xd4xb6").unwrap();
    let mut here = start;
    for (played, &step) in turn.iter().enumerate() {
        let (before, steps) = game.turn_so_far(&here);
        assert_eq!((before, steps.as_slice()), (start, &turn[..played]));
        game.play(&mut here, step);
    }
    let text = "9/9/4a@4/3C@5/2ab1a@4/9/9/9/9 w 30 0,0 d6nw";
    let middle = read(&game, text);
    assert_eq!(game.turn_so_far(&middle), (middle, Vec::new()));
}

#[test]
fn the_middle_of_a_capture_is_written_as_it_is_read() {
    let game = standard();
    for line in cases(include_bytes!("data/midcapture.txt.gz")) {
        let (fen, _) = line.split_once(';').unwrap();
        let position = read(&game, fen);
        assert!(game.mid_turn(&position));
        assert_eq!(game.write_position(&position), fen);
    }
}

#[test]
fn wrong_turns_are_refused_with_a_reason() {
    let game = standard();
    let refused = |fen: &str, turn: &str| game.read_turn(&read(&game, fen), turn).unwrap_err().to_string();
    let start = "9/9/9/9/9/9/9/9/9 w 0 12,12";
    for text in ["", "@", "@d5", "@j1", "d4", "d4-d6", "d4-f6", "d4xe5", "x", "d4x"] {
        assert!(refused(start, text).ends_with("no step: write one as @d4, d4-e5 or d4xf6"), "{text}");
    }
    let chain = "9/9/2a@1a@4/9/2bb1a@4/3C@5/9/9/9 w 30 0,0";
    assert_eq!(refused(chain, "d4xb6"), "d4xb6: the column on b6 must go on capturing");
    assert_eq!(refused("9/9/9/9/9/3b@5/2A@6/9/9 w 40 0,0", "c3xe5xc3"), "c3xe5xc3: the capture ends on e5");
    assert_eq!(refused("9/9/9/9/9/9/9/9/A@8 b 40 0,0", "a1-b2"), "a1-b2: not legal here: the game has ended");
}

#[test]
fn boards_in_characters_show_both_counts_and_marks() {
    let game = standard();
    let text = game.board_text(&read(&game, "9/9/4a@4/9/2ab1A@4/9/9/9/8IA w 30 0,9"));
    println!("{text}");
    assert!(text.contains("B1w2") && text.contains("W9b1") && text.contains("in hand: White 0, Black 9"));
    assert!(text.ends_with("White to move\n"));
}
