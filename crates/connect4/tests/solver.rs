//! The solver against known values, against the definition, and against itself.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use connect4::solver::{Score, Value};
use connect4::{ConnectFour, Position, SQUARES, Solver, Step};
use game::random::{Purpose, stream};
use game::{Game, Line, Notation};
use rand::Rng;

/// The position after stones in these files, 1 to 7.
fn after(files: &str) -> Position {
    let game = ConnectFour::new();
    let mut position = game.start();
    for file in files.bytes() {
        game.play(&mut position, Step::into_file(usize::from(file - b'1')).unwrap());
    }
    position
}

/// A position of so many uniformly random stones in which the game goes on.
fn random_position(number: u64, stones: u32) -> Position {
    let game = ConnectFour::new();
    let mut random = stream(5, Purpose::Opening, &[number, stones.into()]);
    let mut steps = Vec::new();
    loop {
        let mut position = game.start();
        for _ in 0..stones {
            game.legal_steps(&position, &mut steps);
            if steps.is_empty() {
                break;
            }
            game.play(&mut position, steps[random.random_range(0..steps.len())]);
        }
        if position.count() == stones && game.outcome(&position, &Line::new()).is_none() {
            return position;
        }
    }
}

#[test]
fn known_scores() {
    let mut solver = Solver::new();
    let mut seen = 0;
    for line in include_str!("solver.txt").lines().filter(|line| !line.starts_with('#')) {
        let (files, score) = line.split_once("; ").unwrap();
        let expected = Score::new(score.parse().unwrap()).unwrap();
        let position = after(files);
        assert_eq!(solver.score(&position), expected, "{files}");
        assert_eq!(solver.value(&position), expected.value(), "{files}");
        seen += 1;
    }
    assert_eq!(seen, 39);
}

/// With perfect play the first player wins by beginning in the middle, with the last stone but one of
/// his; one file beside it draws, the others lose (Allis 1988, and the scores of Pons).
///
/// Takes minutes: `GARRISON_SOLVE=start cargo test --release -p connect4 --test solver`.
#[test]
fn the_empty_board() {
    if std::env::var("GARRISON_SOLVE").is_err() {
        return;
    }
    let mut solver = Solver::new();
    let start = ConnectFour::new().start();
    let scores = solver.step_scores(&start).map(|score| score.unwrap().number());
    assert_eq!(scores, [-2, -1, 0, 1, 0, -1, -2]);
    assert_eq!(solver.score(&start).number(), 1);
    assert_eq!(Score::new(1).unwrap().turns_left(&start), 41);
}

/// The score by definition: every way to go on.
fn plain(game: &ConnectFour, position: &Position) -> i32 {
    let stones = position.count() as i32;
    if let Some(outcome) = game.outcome(position, &Line::new()) {
        // The side that moved last has won, with half of the stones.
        return if outcome.winner().is_some() { -(22 - (stones + 1) / 2) } else { 0 };
    }
    let mut steps = Vec::new();
    game.legal_steps(position, &mut steps);
    let after = |&step: &Step| {
        let mut after = *position;
        game.play(&mut after, step);
        after
    };
    steps.iter().map(|step| -plain(game, &after(step))).max().unwrap()
}

#[test]
fn late_positions_have_the_score_of_the_definition() {
    let game = ConnectFour::new();
    // A small table, so that entries are replaced.
    let mut solver = Solver::with_slots(1 << 10);
    let mut seen = [0; 3];
    for number in 0..300 {
        let position = random_position(number, 30 + number as u32 % 11);
        let expected = plain(&game, &position);
        let text = game.write_position(&position);
        assert_eq!(solver.score(&position).number(), expected, "{text}");
        assert_eq!(solver.value(&position), Score::new(expected).unwrap().value(), "{text}");
        let scores = solver.step_scores(&position);
        assert_eq!(scores.iter().flatten().max().unwrap().number(), expected, "{text}");
        seen[(expected.signum() + 1) as usize] += 1;
    }
    assert!(seen.iter().all(|&count| count > 20), "{seen:?}");
}

/// Both sides follow the scores: the game ends when and as the first score says.
#[test]
fn perfect_play_ends_as_announced() {
    let game = ConnectFour::new();
    let mut solver = Solver::new();
    for number in 0..20 {
        let mut position = random_position(number, 18);
        let mut score = solver.score(&position);
        let mut turns = score.turns_left(&position);
        while game.outcome(&position, &Line::new()).is_none() {
            let scores = solver.step_scores(&position);
            let (file, best) = (0..)
                .zip(scores)
                .filter_map(|(file, score)| Some((file, score?)))
                .max_by_key(|entry| entry.1)
                .unwrap();
            assert_eq!(best, score);
            game.play(&mut position, Step::into_file(file).unwrap());
            score = best.flip();
            turns -= 1;
            assert_eq!(score.turns_left(&position), turns, "{}", game.write_position(&position));
        }
        assert_eq!(turns, 0);
        assert_eq!(solver.score(&position), score);
        match score.value() {
            Value::Draw => assert_eq!(position.count(), SQUARES as u32),
            value => assert_eq!(value, Value::Loss),
        }
    }
}

#[test]
fn a_mirror_image_has_the_mirrored_scores() {
    use game::Encoding;
    let game = ConnectFour::new();
    for number in 0..10 {
        let position = random_position(number, 20);
        let mirrored = game.transform(&position, 1);
        let mut scores = Solver::new().step_scores(&mirrored);
        scores.reverse();
        assert_eq!(Solver::new().step_scores(&position), scores);
    }
}
