//! Pictures show every man, every step and both hands. `EMERGO_PICTURES=DIR cargo test -p emergo --test
//! pictures` leaves them in a directory, to be looked at.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

mod common;

use common::{read, small, standard};
use emergo::Emergo;
use game::{Game, Notation};

/// The picture after a turn, or of the position itself.
fn picture(game: &Emergo, name: &str, fen: &str, turn: &str) -> String {
    let before = read(game, fen);
    let steps = if turn.is_empty() { Vec::new() } else { game.read_turn(&before, turn).unwrap() };
    let mut after = before;
    for &step in &steps {
        game.play(&mut after, step);
    }
    let svg = game.board_svg(&after, (!turn.is_empty()).then_some((&before, steps.as_slice())));
    if let Some(directory) = std::env::var_os("EMERGO_PICTURES") {
        std::fs::write(std::path::Path::new(&directory).join(format!("{name}.svg")), &svg).unwrap();
    }
    svg
}

fn count(svg: &str, part: &str) -> usize {
    svg.matches(part).count()
}

#[test]
fn every_man_is_a_disc_and_every_step_an_arrow() {
    let game = standard();
    for (name, fen, turn, discs, arrows, crosses, rings) in [
        ("start", "9/9/9/9/9/9/9/9/9 w 0 12,12", "", 24, 0, 0, 0),
        ("entry", "9/9/9/9/4a@4/9/9/9/9 w 1 12,11", "@c3", 24, 0, 0, 1),
        ("shadow", "9/9/9/9/9/3lh5/9/9/9 w 20 4,0", "@g5", 24, 0, 0, 1),
        ("step", "4AA4/9/9/3d@5/9/3CE5/9/9/6b@2 b 30 0,0", "d6-c7", 16, 1, 0, 0),
        ("chain", "9/9/2a@1a@4/9/4a@4/3D@5/9/5A@3/6b@2 b 30 0,0", "g1xe3xc5", 10, 2, 2, 0),
        ("long", "9/9/2a@1a@4/9/2bb1a@4/3C@5/9/9/9 w 30 0,0", "d4xb6xd8xf6xd4xb6", 10, 5, 5, 0),
        ("middle", "9/9/4bb4/3CB3a@1/2a@1bc4/9/9/5cb3/9 w 78 2,1 d6ne", "", 24, 1, 1, 0),
        ("tall", "9/9/9/9/4FE4/9/4gf4/9/9 b 30 0,0", "", 24, 0, 0, 0),
    ] {
        let svg = picture(&game, name, fen, turn);
        let found = [
            count(&svg, "<ellipse"),
            count(&svg, "marker-end"),
            count(&svg, "l13 13m0 -13l-13 13"),
            count(&svg, "r=\"29\""),
        ];
        assert_eq!(found, [discs, arrows, crosses, rings], "{name}");
        assert!(svg.contains(">White<") && svg.contains(">Black<") && svg.contains(">to move<"), "{name}");
    }
}

#[test]
fn both_counts_of_a_column_are_written() {
    let svg = picture(&standard(), "counts", "9/9/9/9/4JA4/9/2ba6/9/9 b 30 0,0", "");
    for number in ["10", "1", "2"] {
        assert!(svg.contains(&format!(">{number}</text>")), "{number}");
    }
    assert_eq!(count(&svg, "font-size=\"17\""), 2);
    assert_eq!(count(&svg, "font-size=\"13\" font-weight=\"bold\" fill=\"#"), 3);
    let svg = picture(&small(), "small", "2ba4/7/7/3AC3/7/5B@1/7 w 75 0,0", "d4-e5");
    assert!(!svg.contains(">h</text>") && svg.contains(">g</text>"));
}
