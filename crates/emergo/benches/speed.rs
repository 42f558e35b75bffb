//! Speed of the engine on one core, beside that of the plain second implementation of the tests in the
//! same run: `cargo bench -p emergo`.
//!
//! The ratio says more than the figures, since both run on the same machine in the same minute.

// A bench talks to whoever runs it, and unwraps as tests do.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

#[path = "../tests/reference/mod.rs"]
mod reference;

use emergo::{Emergo, Rules};
use game::perft::{Count, perft};
use game::random::{Purpose, stream};
use game::{Game, Notation, Play};
use rand::Rng;
use rand::seq::IndexedRandom;
use reference::{Options, Position};
use std::hint::black_box;
use std::time::{Duration, Instant};

/// Time for each figure.
const EACH: Duration = Duration::from_secs(2);

/// A late position with many captures.
const LATE: &str = "9/3ae5/4b@4/7c@1/9/9/CB8/1B@7/2AB1AB4 w 134 0,0";

/// Units of work a second; `work` does some and says how many.
fn speed(mut work: impl FnMut() -> u64) -> f64 {
    let begin = Instant::now();
    let mut units = 0;
    while begin.elapsed() < EACH {
        units += work();
    }
    units as f64 / begin.elapsed().as_secs_f64()
}

fn report(what: &str, engine: f64, plain: f64) {
    println!("{what:<34} {engine:>14.0} /s   plain {plain:>10.0} /s   ratio {:>7.0}", engine / plain);
}

fn main() {
    let game = Emergo::new(Rules::default()).unwrap();
    let options = Options::new(&[]);
    let start = game.start();
    report(
        "full turns, perft from the start",
        speed(|| perft(&game, black_box(&start), 5, Count::Turns).unwrap()),
        speed(|| Position::start(&options).perft(&options, 2)),
    );
    let late = game.read_position(LATE).unwrap();
    let plain_late = Position::read(LATE);
    report(
        "full turns, perft of a late board",
        speed(|| perft(&game, black_box(&late), 5, Count::Turns).unwrap()),
        speed(|| black_box(&plain_late).perft(&options, 3)),
    );
    let mut random = stream(1, Purpose::Playout, &[]);
    let mut legal = Vec::new();
    let mut play = Play::new(&game, start);
    let begin = play.clone();
    let engine = speed(|| {
        play.copy_from(&begin);
        let mut turns = 0;
        while play.outcome(&game).is_none() {
            game.legal_steps(&play.position, &mut legal);
            let step = legal[random.random_range(0..legal.len())];
            play.step(&game, step);
            turns += u64::from(!game.mid_turn(&play.position));
        }
        turns
    });
    let plain = speed(|| {
        let mut here = Position::start(&options);
        let mut seen: Vec<String> = Vec::new();
        loop {
            let key = here.key();
            seen.push(key.clone());
            let times = seen.iter().filter(|other| **other == key).count();
            if here.ending(&options, times).is_some() {
                return seen.len() as u64 - 1;
            }
            here = here.turns(&options).choose(&mut random).unwrap().after.clone();
        }
    });
    report("full turns of random games", engine, plain);
}
