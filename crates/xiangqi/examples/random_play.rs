//! Plays uniformly random games with the judge and says how many moves a second of processor time that
//! makes: other work on the machine does not count, unlike in `rules bench`.
//!
//!   cargo run --release -p xiangqi --example random_play -- [PRESET] [GAMES]

// An example prints and may stop at a wrong argument.
#![allow(clippy::print_stdout, clippy::unwrap_used)]

use game::random::{Purpose, stream};
use game::{Game, Play};
use rand::Rng;
use xiangqi::Xiangqi;

fn main() {
    let mut arguments = std::env::args().skip(1);
    let preset = arguments.next().unwrap_or_else(|| "cxq".to_owned());
    let games: u64 = arguments.next().map_or(2000, |text| text.parse().unwrap());
    let game = Xiangqi::new(Xiangqi::preset(&preset).unwrap());
    let mut random = stream(0, Purpose::Playout, &[0]);
    let mut play = Play::new(&game, game.start());
    let start = play.clone();
    let mut legal = Vec::new();
    let mut moves = 0_u64;
    let begin = processor_seconds();
    for _ in 0..games {
        play.copy_from(&start);
        while play.outcome(&game).is_none() {
            game.legal_steps(&play.position, &mut legal);
            play.step(&game, legal[random.random_range(0..legal.len())]);
            moves += 1;
        }
    }
    let seconds = processor_seconds() - begin;
    println!("{preset}: {moves} moves in {seconds:.3} s: {:.2} M moves/s", moves as f64 / seconds / 1e6);
    let begin = processor_seconds();
    let leaves = game.start().board().perft(5);
    let seconds = processor_seconds() - begin;
    println!("perft 5: {leaves} leaves in {seconds:.3} s: {:.1} M leaves/s", leaves as f64 / seconds / 1e6);
}

/// Processor time of this process so far (Linux).
fn processor_seconds() -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap();
    text.split_whitespace().next().unwrap().parse::<f64>().unwrap() / 1e9
}
