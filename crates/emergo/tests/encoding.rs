//! Planes, keys and policy cells: what the examination does not ask.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

mod common;

use common::{cases, read, small, standard, with};
use emergo::{Emergo, Position};
use game::{Encoding, Game, NO_CELL, PlanesMut};
use std::collections::BTreeSet;

fn planes(game: &Emergo, position: &Position) -> Vec<u32> {
    let shape = game.plane_shape();
    let mut numbers = vec![0.0; shape.len()];
    game.write_planes(position, &mut PlanesMut::new(shape, &mut numbers));
    numbers.iter().map(|number| number.to_bits()).collect()
}

/// The same situation with colours exchanged.
fn exchanged(fen: &str) -> String {
    let mut fields: Vec<String> = fen.split(' ').map(str::to_owned).collect();
    let other_case = |letter: char| match letter {
        letter if letter.is_ascii_uppercase() => letter.to_ascii_lowercase(),
        letter => letter.to_ascii_uppercase(),
    };
    fields[0] = fields[0].chars().map(other_case).collect();
    fields[1] = if fields[1] == "w" { "b" } else { "w" }.to_owned();
    let (white, black) = fields[3].split_once(',').unwrap();
    fields[3] = format!("{black},{white}");
    fields.join(" ")
}

#[test]
fn colours_do_not_show() {
    let game = standard();
    for packed in [&include_bytes!("data/random.txt.gz")[..], include_bytes!("data/midcapture.txt.gz")] {
        for line in cases(packed) {
            let fen = line.split_once(';').unwrap().0;
            let [one, other] = [fen, &exchanged(fen)].map(|fen| read(&game, fen));
            // Whose first man it is does matter.
            if fen.contains("12,") || fen.contains(",12") {
                continue;
            }
            assert_eq!(planes(&game, &one), planes(&game, &other), "{fen}");
            assert_eq!(game.evaluation_key(&one), game.evaluation_key(&other), "{fen}");
            let [mut steps, mut other_steps] = [Vec::new(), Vec::new()];
            game.legal_steps(&one, &mut steps);
            game.legal_steps(&other, &mut other_steps);
            assert_eq!(steps, other_steps, "{fen}");
        }
    }
}

#[test]
fn everything_that_matters_shows() {
    let game = standard();
    let base = "9/9/2a@1a@4/9/2bb1a@4/3CA5/9/9/9 w 30 1,2";
    let key = |fen: &str| {
        let position = read(&game, fen);
        (game.evaluation_key(&position), planes(&game, &position))
    };
    let mut seen = BTreeSet::from([key(base)]);
    for other in [
        "9/9/2a@1a@4/9/2bb1a@4/3C@5/9/9/9 w 30 1,2",
        "9/9/2a@1a@4/9/2bb1a@4/3BA5/9/9/9 w 30 1,2",
        "9/9/2a@1a@4/9/2bb1a@4/3CA5/9/9/9 w 31 1,2",
        "9/9/2a@1a@4/9/2bb1a@4/3CA5/9/9/9 w 30 2,2",
        "9/9/2a@1a@4/9/2bb1a@4/3CA5/9/9/9 w 30 1,3",
        // Shadow pieces.
        "9/9/2a@1a@4/9/2bb1a@4/3CA5/9/9/9 w 30 1,0",
        "9/9/2a@1a@4/9/2bb1a@4/3CA5/9/9/9 w 30 0,2",
        "9/9/2a@1a@4/9/2bb1a@4/3CA5/9/9/9 b 30 1,2",
        // The same column in the middle of a capture, by its last direction.
        "9/9/2a@1a@4/9/2bb1a@4/3CA5/9/9/9 w 30 1,2 d4ne",
        "9/9/2a@1a@4/9/2bb1a@4/3CA5/9/9/9 w 30 1,2 d4nw",
        "9/9/2a@1a@4/9/2bb1a@4/3CA5/9/9/9 w 30 1,2 d4se",
        "9/9/2a@1a@4/9/2bb1a@4/3CA5/9/9/9 w 30 1,2 d4sw",
        // White's first man is barred from the centre, Black's is not.
        "9/9/9/9/9/9/9/9/9 w 0 12,12",
        "9/9/9/9/9/9/9/9/9 b 0 12,12",
    ] {
        assert!(seen.insert(key(other)), "{other}");
    }
    assert_eq!(seen.iter().map(|(key, _)| key).collect::<BTreeSet<_>>().len(), 15);
}

#[test]
fn step_codes_fill_their_numbers() {
    for (game, ids) in [(standard(), 369), (small(), 225)] {
        let mut codes = BTreeSet::new();
        let mut cells = BTreeSet::new();
        let mut add = |position: &Position| {
            let mut steps = Vec::new();
            game.legal_steps(position, &mut steps);
            for step in steps {
                codes.insert(game.step_code(position, step).0);
                let mut cell = [NO_CELL];
                game.policy_cells(position, step, &mut cell);
                cells.insert(cell[0]);
            }
        };
        let width = game.plane_shape().rows;
        add(&game.start());
        let board = |pieces: &[(usize, usize, &str)]| {
            let ranks = (0..width).rev().map(|rank| {
                let mut text = String::new();
                for file in 0..width {
                    match pieces.iter().find(|piece| (piece.0, piece.1) == (file, rank)) {
                        Some(piece) => text.push_str(piece.2),
                        None => text.push('1'),
                    }
                }
                text
            });
            ranks.collect::<Vec<_>>().join("/")
        };
        for rank in 0..width {
            for file in (rank % 2..width).step_by(2) {
                // A column alone steps everywhere; one beside an enemy column jumps over it.
                let around = [(1, 1), (-1, 1), (1, -1), (-1, -1)];
                add(&read(&game, &format!("{} w 40 0,0", board(&[(file, rank, "A@")]))));
                for (east, north) in around {
                    let (x, y) = (file as i32 + east, rank as i32 + north);
                    if (0..width as i32).contains(&x) && (0..width as i32).contains(&y) {
                        let enemy = (x as usize, y as usize, "a@");
                        add(&read(&game, &format!("{} w 40 0,0", board(&[(file, rank, "A@"), enemy]))));
                    }
                }
            }
        }
        // The centre cannot be entered from the empty board.
        let middle = format!("{} b 1 {},3", board(&[(0, 0, "A@")]), if width == 9 { 11 } else { 7 });
        add(&read(&game, &middle));
        assert!(codes.iter().all(|&code| code < ids), "{codes:?}");
        // Every square is entered; every step and jump that stays on the board has been met.
        let squares = (width * width).div_ceil(2);
        let moves = 4 * (width - 1) * (width - 1) / 2;
        let jumps = 4 * ((width - 2) * (width - 2)).div_ceil(2);
        assert_eq!(codes.len(), squares + moves + jumps);
        assert_eq!(cells.len(), codes.len());
    }
}

#[test]
fn eight_symmetries_are_declared_and_differ() {
    let game = with(&[]);
    assert_eq!(game.symmetries(), 8);
    let position = read(&game, "9/9/2a@1a@4/9/2bb1A@4/3CA5/9/1B@7/9 w 30 1,2");
    let images: BTreeSet<String> = (0..8)
        .map(|symmetry| game::Notation::write_position(&game, &game.transform(&position, symmetry)))
        .collect();
    assert_eq!(images.len(), 8);
    // Numbers: mirrored files, mirrored ranks, exchanged files and ranks.
    for (symmetry, fen) in [
        (1, "9/9/4a@1a@2/9/4A@1bb2/5CA3/9/7B@1/9 w 30 1,2"),
        (2, "9/1B@7/9/3CA5/2bb1A@4/9/2a@1a@4/9/9 w 30 1,2"),
        (4, "9/9/9/9/4A@1a@2/3CA5/4bb1a@2/1B@7/9 w 30 1,2"),
    ] {
        let image = game.transform(&position, symmetry);
        assert_eq!(game::Notation::write_position(&game, &image), fen);
    }
}
