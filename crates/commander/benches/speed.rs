//! Speed of the simulator on one core by processor time, on the crate's middle-game positions, beside the
//! plain second implementation of the tests in the same run: `cargo bench -p commander`, for some figures and
//! other times `cargo bench -p commander -- official perft 0.5`.
//!
//! Leaves of perft are counted in bulk: the last steps are counted without being played. The figures of
//! `rules bench commander` are the same ones, on the same positions, by the clock.

// A bench talks to whoever runs it, and unwraps as tests do.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

#[path = "../tests/reference/mod.rs"]
mod reference;

use commander::{Commander, Position, Rules, Step, middle_games};
use game::perft::{Count, perft};
use game::random::{Purpose, stream};
use game::{Encoding, Game, PlanesMut, Play};
use rand::seq::IndexedRandom;
use reference::options::Options;
use std::hint::black_box;
use std::ops::ControlFlow;
use std::rc::Rc;

/// Processor seconds for each figure, unless the command line has a number.
const EACH: f64 = 2.0;

fn each() -> f64 {
    std::env::args().skip(1).find_map(|word| word.parse().ok()).unwrap_or(EACH)
}

/// Whether the command line asks for this figure: other words than numbers and options all stand in its
/// line.
fn wanted(preset: &str, what: &str) -> bool {
    std::env::args()
        .skip(1)
        .filter(|word| word.parse::<f64>().is_err() && !word.starts_with('-'))
        .all(|word| format!("{preset} {what}").contains(&word))
}

/// Processor time of this process so far in seconds.
fn processor_seconds() -> f64 {
    // SAFETY: `getrusage` writes the struct that it is given, which zero bytes make valid.
    let usage = unsafe {
        let mut usage: libc::rusage = std::mem::zeroed();
        libc::getrusage(libc::RUSAGE_SELF, &mut usage);
        usage
    };
    let seconds = |time: libc::timeval| time.tv_sec as f64 + time.tv_usec as f64 / 1e6;
    seconds(usage.ru_utime) + seconds(usage.ru_stime)
}

/// Units of work a second; `work` does some and says how many.
fn speed(mut work: impl FnMut() -> u64) -> f64 {
    let (begin, each) = (processor_seconds(), each());
    let mut units = 0;
    loop {
        units += work();
        let seconds = processor_seconds() - begin;
        if seconds >= each {
            return units as f64 / seconds;
        }
    }
}

fn report(preset: &str, what: &str, mut engine: impl FnMut() -> f64, plain: Option<&mut dyn FnMut() -> f64>) {
    if !wanted(preset, what) {
        return;
    }
    let engine = engine();
    match plain.map(|plain| plain()) {
        Some(plain) => println!(
            "{preset:<9} {what:<34} {engine:>12.0} /s   plain {plain:>8.0} /s   ratio {:>6.0}",
            engine / plain
        ),
        None => println!("{preset:<9} {what:<34} {engine:>12.0} /s"),
    }
}

/// Steps a second of random games from the positions in turn, the end of the game included: legal steps drawn
/// uniformly, as playouts do.
fn random_play(game: &Commander, positions: &[Position]) -> f64 {
    let starts: Vec<Play<Commander>> = positions.iter().map(|position| Play::new(game, *position)).collect();
    let mut random = stream(0, Purpose::Playout, &[0]);
    let mut play = starts[0].clone();
    let mut scratch: Vec<Step> = Vec::new();
    let mut next = 0;
    speed(|| {
        play.copy_from(&starts[next]);
        next = (next + 1) % starts.len();
        let mut steps = 0;
        while let ControlFlow::Continue(step) = play.random_step(game, &mut random, &mut scratch) {
            play.step(game, step);
            steps += 1;
        }
        steps
    })
}

/// The same by the plain implementation, which ends every turn as soon as it may end.
fn plain_random_play(positions: &[reference::position::Position]) -> f64 {
    let mut random = stream(0, Purpose::Playout, &[1]);
    let mut next = 0;
    speed(|| {
        let mut here = positions[next].clone();
        next = (next + 1) % positions.len();
        for made in 1..=20 {
            let Some((_, after)) = here.steps().choose(&mut random).cloned() else { return made };
            here = match after.may_end().then(|| after.finish()) {
                None => after,
                Some((after, None)) => after,
                Some((_, Some(_))) => return made,
            };
        }
        20
    })
}

fn main() {
    for preset in middle_games::PRESETS {
        let game = Commander::new(Rules::preset(preset).unwrap());
        let options = Rc::new(Options::preset(preset));
        let positions = middle_games::positions(&game);
        let plain: Vec<_> = middle_games::lines()
            .filter(|(own, _)| *own == preset)
            .map(|(_, fen)| reference::position::Position::parse(fen, &options).unwrap())
            .collect();
        let mut next = 0;
        report(
            preset,
            "legal steps at the leaves of perft",
            || {
                speed(|| {
                    next = (next + 1) % positions.len();
                    perft(&game, black_box(&positions[next]), 2, Count::Steps).unwrap()
                })
            },
            Some(&mut || {
                let mut next = 0;
                speed(|| {
                    next = (next + 1) % plain.len();
                    black_box(&plain[next]).step_texts().len() as u64
                })
            }),
        );
        report(
            preset,
            "steps of random games",
            || random_play(&game, &positions),
            Some(&mut || plain_random_play(&plain)),
        );
        let lists: Vec<Vec<Step>> = positions
            .iter()
            .map(|position| {
                let mut list = Vec::new();
                game.legal_steps(position, &mut list);
                list
            })
            .collect();
        let mut listed = Vec::new();
        report(
            preset,
            "legal steps listed",
            || {
                speed(|| {
                    let list = |position| {
                        game.legal_steps(black_box(position), &mut listed);
                        listed.len() as u64
                    };
                    positions.iter().map(list).sum()
                })
            },
            None,
        );
        let mut numbers = vec![0.0; game.plane_shape().len()];
        report(
            preset,
            "positions as planes",
            || {
                speed(|| {
                    for position in &positions {
                        game.write_planes(
                            black_box(position),
                            &mut PlanesMut::new(game.plane_shape(), &mut numbers),
                        );
                        black_box(&numbers);
                    }
                    positions.len() as u64
                })
            },
            None,
        );
        let mut cells = vec![0; game.policy_shape().cells_per_step];
        report(
            preset,
            "positions with cells of all steps",
            || {
                speed(|| {
                    for (position, list) in positions.iter().zip(&lists) {
                        game.write_planes(
                            black_box(position),
                            &mut PlanesMut::new(game.plane_shape(), &mut numbers),
                        );
                        black_box(&numbers);
                        for &step in list {
                            game.policy_cells(position, step, &mut cells);
                            black_box(&cells);
                        }
                    }
                    positions.len() as u64
                })
            },
            None,
        );
    }
    println!("a position has {} bytes", size_of::<Position>());
}
