//! The quiet positions that come with the crate are what they are said to be.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use connect4::quiet::{self, QuietPosition};
use connect4::solver::Value;
use connect4::{ConnectFour, Position, Solver, Step};
use game::{Encoding, Game, Line, Notation};
use std::collections::HashSet;

/// Exact scores of positions with fewer stones, and values of those with fewer than [`VALUES_FROM`],
/// take minutes: `GARRISON_SOLVE=quiet cargo test --release -p connect4 --test quiet`.
const SCORES_FROM: u32 = 19;
const VALUES_FROM: u32 = 17;

/// Whether the side that moves next would win with a stone in some file.
fn can_win(game: &ConnectFour, position: &Position) -> bool {
    let mut steps = Vec::new();
    game.legal_steps(position, &mut steps);
    steps.into_iter().any(|step| {
        let mut after = *position;
        game.play(&mut after, step);
        game.outcome(&after, &Line::new()).is_some_and(|outcome| outcome.winner().is_some())
    })
}

/// The same stones with colours exchanged, written without regard to whose turn it would be.
fn would_win(position: &Position, file: usize) -> bool {
    let game = ConnectFour::new();
    let enemy = game.mover(position).opponent();
    let Some(height) = (0..connect4::ROWS).find(|&height| position.stone(file, height).is_none()) else {
        return false;
    };
    let is_enemy = |file: i32, up: i32| {
        (0..connect4::COLUMNS as i32).contains(&file)
            && (0..connect4::ROWS as i32).contains(&up)
            && position.stone(file as usize, up as usize) == Some(enemy)
    };
    [(0, 1), (1, 0), (1, 1), (1, -1)].into_iter().any(|(across, up)| {
        let length = |sign: i32| {
            (1..4)
                .take_while(|&far| {
                    is_enemy(file as i32 + sign * far * across, height as i32 + sign * far * up)
                })
                .count()
        };
        length(1) + length(-1) >= 3
    })
}

#[test]
fn there_are_a_thousand_different_ones_from_random_play() {
    let game = ConnectFour::new();
    let positions = quiet::positions().unwrap();
    assert_eq!(positions.len(), 1_000);
    let mut seen = HashSet::new();
    let mut last = None;
    for quiet in &positions {
        let text = game.write_position(&quiet.position);
        let stones = quiet.position.count();
        assert!(quiet::STONES.contains(&stones), "{text}");
        assert_eq!(quiet::candidate(quiet::SEED, stones, quiet.candidate), Some(quiet.position), "{text}");
        assert!(Some((stones, quiet.candidate)) > last, "{text} is out of order");
        last = Some((stones, quiet.candidate));
        let [image, mirrored] = [0, 1].map(|symmetry| game.transform(&quiet.position, symmetry));
        assert!(seen.insert(image), "{text} is there twice");
        assert!(mirrored == image || seen.insert(mirrored), "{text} has a mirror image");
        assert!(game.outcome(&quiet.position, &Line::new()).is_none(), "{text}");
        assert!(!can_win(&game, &quiet.position), "{text}: the side to move wins at once");
        assert!((0..7).all(|file| !would_win(&quiet.position, file)), "{text}: it must block");
        let mut steps = Vec::new();
        game.legal_steps(&quiet.position, &mut steps);
        for file in 0..7 {
            let step = Step::into_file(file).unwrap();
            assert_eq!(quiet.scores[file].is_some(), steps.contains(&step), "{text} file {file}");
        }
        let keeping = steps.iter().filter(|&&step| quiet.keeps(step)).count();
        assert!((1..steps.len()).contains(&keeping), "{text}: {keeping} of {} steps keep", steps.len());
        assert_ne!(quiet.value(), Value::Loss, "{text}: all steps keep a loss");
    }
    for stones in quiet::STONES {
        let count = positions.iter().filter(|quiet| quiet.position.count() == stones).count();
        assert_eq!(count, quiet::quota(1_000, stones), "{stones} stones");
    }
}

#[test]
fn the_solver_confirms_them() {
    let all = std::env::var("GARRISON_SOLVE").is_ok();
    let (scores_from, values_from) = if all { (0, 0) } else { (SCORES_FROM, VALUES_FROM) };
    let mut solver = Solver::new();
    let (mut scores, mut values) = (0, 0);
    for quiet in quiet::positions().unwrap() {
        let text = ConnectFour::new().write_position(&quiet.position);
        if quiet.position.count() >= scores_from {
            assert_eq!(solver.step_scores(&quiet.position), quiet.scores, "{text}");
            scores += 1;
        } else if quiet.position.count() >= values_from {
            let expected = quiet.scores.map(|score| score.map(|score| score.value()));
            assert_eq!(solver.step_values(&quiet.position), expected, "{text}");
            values += 1;
        }
    }
    println!("{scores} positions with their scores, {values} with their values");
    assert!(scores >= 300 && (all || values >= 30), "{scores} and {values}");
}

#[test]
fn the_file_is_read_as_it_was_written() {
    let positions: Vec<QuietPosition> = quiet::positions().unwrap().into_iter().take(20).collect();
    assert_eq!(quiet::decode(&quiet::encode(&positions).unwrap()).unwrap(), positions);
    let message =
        |text: &str| quiet::decode(&zstd::encode_all(text.as_bytes(), 1).unwrap()).unwrap_err().to_string();
    assert_eq!(
        message("# head\n1;7/7/7/7/7/7 x"),
        "quiet positions, line 2: 2 fields: there must be candidate, position and scores"
    );
    assert_eq!(
        message("1;7/7/7/7/7/7 x;1,2,3,4,5,6,22"),
        "quiet positions, line 1: score `22`: write a number from -18 to 18 or `.`"
    );
    assert!(message("1;7/7/7/7/7 x;.,.,.,.,.,.,.").starts_with("quiet positions, line 1: rows: 5 rows"));
    assert!(quiet::decode(b"no frame").is_err());
}
