//! Measured speeds of a game's rules and encoding on one core.

use crate::rules_session::Bench;
use game::perft::{Count, perft};
use game::random::{Purpose, stream};
use game::{BoardGame, NO_CELL, PlanesMut, Play};
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use std::hint::black_box;
use std::ops::ControlFlow;
use std::time::{Duration, Instant};

/// Positions of random games that are encoded again and again.
const POSITIONS: usize = 1024;

/// Measures each figure over about `each`, on the game's own positions for that or from its start.
pub(crate) fn run<G: BoardGame>(game: &G, each: Duration) -> Bench {
    let given = game.bench_positions();
    let starts = if given.is_empty() { vec![game.start()] } else { given.clone() };
    Bench {
        perft_per_s: perft_speed(game, &starts, each),
        random_steps_per_s: random_speed(game, &starts, each),
        encode_per_s: encode_speed(game, given, each),
        position_bytes: size_of::<G::Position>(),
    }
}

/// Units of work a second, `work` being repeated until the time is over.
fn speed(each: Duration, mut work: impl FnMut() -> u64) -> f64 {
    let begin = Instant::now();
    let mut units = 0;
    loop {
        units += work();
        let elapsed = begin.elapsed();
        if elapsed >= each {
            return units as f64 / elapsed.as_secs_f64();
        }
    }
}

fn perft_speed<G: BoardGame>(game: &G, starts: &[G::Position], each: Duration) -> f64 {
    let leaves = |depth| -> u64 {
        starts.iter().map(|start| perft(game, black_box(start), depth, Count::Steps).unwrap_or(0)).sum()
    };
    // The deepest perft that still fits several times into the time.
    let mut depth = 1;
    loop {
        let begin = Instant::now();
        if leaves(depth + 1) == 0 || begin.elapsed() > each / 4 {
            break;
        }
        depth += 1;
    }
    speed(each, || black_box(leaves(depth)))
}

/// Steps of random games, drawn as playouts draw them.
fn random_speed<G: BoardGame>(game: &G, starts: &[G::Position], each: Duration) -> f64 {
    let mut random = stream(0, Purpose::Playout, &[0]);
    let starts: Vec<Play<G>> = starts.iter().map(|&start| Play::new(game, start)).collect();
    let mut play = starts[0].clone();
    let mut next = starts.iter().cycle();
    let mut scratch = Vec::new();
    speed(each, || {
        if let Some(start) = next.next() {
            play.copy_from(start);
        }
        let mut steps = 0;
        while let ControlFlow::Continue(step) = play.random_step(game, &mut random, &mut scratch) {
            play.step(game, step);
            steps += 1;
        }
        steps
    })
}

/// Speed on the given positions, or where there are none on those of random games.
fn encode_speed<G: BoardGame>(game: &G, given: Vec<G::Position>, each: Duration) -> f64 {
    let mut random = stream(0, Purpose::Playout, &[1]);
    let mut legal = Vec::new();
    let with_steps = |position| {
        game.legal_steps(&position, &mut legal);
        (position, legal.clone())
    };
    let mut positions: Vec<(G::Position, Vec<G::Step>)> = given.into_iter().map(with_steps).collect();
    let wanted = if positions.is_empty() { POSITIONS } else { positions.len() };
    while positions.len() < wanted {
        let mut play = Play::new(game, game.start());
        let played = random_game(game, &mut play, &mut legal, &mut random, |position, steps| {
            if positions.len() < POSITIONS {
                positions.push((*position, steps.to_vec()));
            }
        });
        if played == 0 {
            return 0.0;
        }
    }
    let shape = game.plane_shape();
    let mut numbers = vec![0.0; shape.len()];
    let mut cells = vec![NO_CELL; game.policy_shape().cells_per_step];
    speed(each, || {
        for (position, steps) in &positions {
            game.write_planes(black_box(position), &mut PlanesMut::new(shape, &mut numbers));
            black_box(&numbers);
            for &step in steps {
                game.policy_cells(position, step, &mut cells);
                black_box(&cells);
            }
        }
        positions.len() as u64
    })
}

/// Plays uniformly random steps to the end of the game and returns how many.
fn random_game<G: BoardGame>(
    game: &G,
    play: &mut Play<G>,
    legal: &mut Vec<G::Step>,
    random: &mut ChaCha8Rng,
    mut visit: impl FnMut(&G::Position, &[G::Step]),
) -> u64 {
    let mut steps = 0;
    while play.outcome(game).is_none() {
        game.legal_steps(&play.position, legal);
        if legal.is_empty() {
            break;
        }
        visit(&play.position, legal);
        let step = legal[random.random_range(0..legal.len())];
        play.step(game, step);
        steps += 1;
    }
    steps
}
