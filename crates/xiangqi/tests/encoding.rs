//! Planes, keys and policy cells: the colour flip, the mirror, and what the planes must tell apart.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

use game::options::{parse_pairs, rules_from};
use game::random::{Purpose, stream};
use game::{Encoding, Game, Line, NO_CELL, Notation, PlanesMut, Play};
use rand::Rng;
use xiangqi::{Position, Step, Xiangqi};

fn open(preset: &str, options: &[&str]) -> Xiangqi {
    let options: Vec<String> = options.iter().map(ToString::to_string).collect();
    let rules = rules_from::<Xiangqi>(Some(preset), &parse_pairs(&options).unwrap()).unwrap();
    Xiangqi::with_rules(rules).unwrap()
}

fn planes(game: &Xiangqi, position: &Position) -> Vec<f32> {
    let shape = game.plane_shape();
    let mut numbers = vec![0.0; shape.len()];
    game.write_planes(position, &mut PlanesMut::new(shape, &mut numbers));
    numbers
}

fn cells(game: &Xiangqi, position: &Position) -> Vec<Vec<u32>> {
    let mut steps = Vec::new();
    game.legal_steps(position, &mut steps);
    let cells = |&step: &Step| {
        let mut cells = vec![NO_CELL; game.policy_shape().cells_per_step];
        game.policy_cells(position, step, &mut cells);
        cells
    };
    steps.iter().map(cells).collect()
}

/// Positions of games in which checks and chases are sought, so that streaks grow.
fn positions(game: &Xiangqi, games: u64) -> Vec<Position> {
    let starts = [
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w",
        "3k5/8R/9/9/9/9/9/4K4/2c6/9 w",
        "9/9/3k5/1C6r/9/3C3n1/9/9/5K3/5c3 w",
        "2r2k3/9/9/9/9/2r6/3N5/4B4/9/4K4 w",
        "2N1k4/9/9/4p4/9/9/3rP4/9/1N7/4K4 b",
    ];
    let mut found = Vec::new();
    let mut legal = Vec::new();
    for number in 0..games {
        let mut random = stream(3, Purpose::Playout, &[number]);
        let start = game.read_position(starts[number as usize % starts.len()]).unwrap();
        let mut play = Play::new(game, start);
        while play.outcome(game).is_none() && found.len() < 100 * (number as usize + 1) {
            game.legal_steps(&play.position, &mut legal);
            let attacks = |&&step: &&Step| {
                let mut after = play.position;
                game.play(&mut after, step);
                after.last() != xiangqi::Class::Idle
            };
            let sought: Vec<Step> = legal.iter().filter(attacks).copied().collect();
            let from = if sought.is_empty() || random.random_ratio(1, 8) { &legal } else { &sought };
            let step = from[random.random_range(0..from.len())];
            play.step(game, step);
            found.push(play.position);
        }
    }
    found
}

#[test]
fn exchanged_colours_look_the_same() {
    for (preset, options) in
        [("cxq", &[][..]), ("cxq_asian", &["effective_answer=only_if_it_resolves"]), ("asian", &[])]
    {
        let game = open(preset, options);
        let mut streaks = 0;
        for position in positions(&game, 10) {
            let flipped = position.flipped();
            assert_eq!(
                planes(&game, &position),
                planes(&game, &flipped),
                "{}",
                game.write_position(&position)
            );
            assert_eq!(game.evaluation_key(&position), game.evaluation_key(&flipped));
            assert_eq!(cells(&game, &position), cells(&game, &flipped), "{}", game.write_position(&position));
            assert_eq!(flipped.flipped(), position);
            let ends = [&position, &flipped].map(|position| game.outcome(position, &Line::new()));
            assert_eq!(ends[0].map(|end| end.reason), ends[1].map(|end| end.reason));
            streaks += usize::from(position.streaks(position.mover()).checks() > 2);
        }
        assert!(streaks > 0 || preset == "asian", "{preset}: no streak was compared");
    }
}

#[test]
fn play_goes_with_the_flip_and_the_mirror() {
    let game = open("cxq", &[]);
    for position in positions(&game, 5).into_iter().step_by(7) {
        let mut legal = Vec::new();
        game.legal_steps(&position, &mut legal);
        for step in legal {
            let turned = Step {
                from: step.from.seen_by(game::Player::Second),
                to: step.to.seen_by(game::Player::Second),
            };
            let (mut after, mut flipped, mut mirrored) = (position, position.flipped(), position.mirrored());
            game.play(&mut after, step);
            game.play(&mut flipped, turned);
            game.play(&mut mirrored, step.mirrored());
            // The full-move number rises after Black only, whoever that is.
            let numbered =
                |position: &Position| game.write_position(position).rsplit_once(' ').unwrap().0.to_owned();
            assert_eq!(numbered(&after.flipped()), numbered(&flipped), "{step}");
            assert_eq!(planes(&game, &after), planes(&game, &flipped), "{step}");
            assert_eq!(after.mirrored(), mirrored, "{step}");
        }
    }
}

/// Positions after each of these lists of moves, which differ in what the judge remembers only.
fn after(game: &Xiangqi, fen: &str, moves: &str) -> Position {
    let mut position = game.read_position(fen).unwrap();
    for text in moves.split_whitespace() {
        let step = game.read_step(&position, text).unwrap_or_else(|fault| panic!("{fault}"));
        game.play(&mut position, step);
    }
    position
}

#[test]
fn planes_tell_streaks_and_counters_apart() {
    let game = open("cxq", &[]);
    let fen = "3k5/8R/9/9/9/9/9/4K4/2c6/9 w";
    let cycle = "i8i9 d9d8 i9i8 d8d9 ";
    let quiet = "e2e1 c1d1 e1e2 d1c1 ";
    let once = after(&game, fen, cycle);
    let twice = after(&game, fen, &cycle.repeat(2));
    let idle = after(&game, fen, quiet);
    assert!(
        once.streaks(game::Player::First).checks() == 2 && twice.streaks(game::Player::First).checks() == 4
    );
    for (one, other) in [(once, twice), (once, idle), (twice, idle)] {
        assert_eq!(game.repetition_key(&one), game.repetition_key(&other));
        assert_ne!(game.evaluation_key(&one), game.evaluation_key(&other));
        assert_ne!(planes(&game, &one), planes(&game, &other));
    }
    // Under the judge by cycles there are no streaks, but the counters differ.
    let cycles = open("asian", &[]);
    assert!(cycles.plane_shape().channels < game.plane_shape().channels);
}

#[test]
fn the_same_situation_by_other_paths_encodes_the_same() {
    // The two rooks exchange their places without a trace.
    let game = open("cxq", &[]);
    let fen = "3k5/9/9/9/9/4P4/9/R7R/9/4K4 w";
    let one = after(&game, fen, "a2a5 d9d8 i2a2 d8d9 a5i5 d9d8 i5i2 d8d9");
    let other = after(&game, fen, "a2a5 d9d8 i2i5 d8d9 i5i2 d9d8 a5a2 d8d9");
    assert_ne!(one, other);
    assert_eq!(planes(&game, &one), planes(&game, &other));
    assert_eq!(game.evaluation_key(&one), game.evaluation_key(&other));
}
