//! Prints how many simulations a second the search alone does, on a game that costs next to nothing:
//! about 150 steps a position, as in Commander Chess, and logits and values looked up in a table.
//!
//! `cargo run --release -p search --example throughput`

#![allow(clippy::print_stdout)]

use game::{Game, Line, OfMover, Outcome, Play, Player, Wdl};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use search::{Effort, Exploration, Gathered, Method, Search, SearchConfig};
use std::time::Instant;

/// Positions are hashes; nothing ever ends.
#[derive(Clone)]
struct Wide;

impl Wide {
    fn steps(position: u64) -> u32 {
        100 + (position >> 32) as u32 % 100
    }
}

impl Game for Wide {
    type Position = u64;
    type Step = u32;
    type Mark = ();
    type Rules = ();
    const NAME: &'static str = "wide";
    const RULES_VERSION: u32 = 1;

    fn presets() -> &'static [&'static str] {
        &["plain"]
    }
    fn preset(_name: &str) -> Option<()> {
        Some(())
    }
    fn with_rules(_rules: ()) -> Result<Self, String> {
        Ok(Wide)
    }
    fn rules(&self) -> &() {
        &()
    }
    fn start(&self) -> u64 {
        1
    }
    fn mover(&self, position: &u64) -> Player {
        Player::BOTH[(position & 1) as usize]
    }
    fn mid_turn(&self, _position: &u64) -> bool {
        false
    }
    fn legal_steps(&self, position: &u64, steps: &mut Vec<u32>) {
        steps.clear();
        steps.extend(0..Wide::steps(*position));
    }
    fn play(&self, position: &mut u64, step: u32) {
        let mover = *position & 1;
        let mixed = (*position ^ u64::from(step)).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        *position = (mixed ^ (mixed >> 29)) & !1 | (1 - mover);
    }
    fn repetition_key(&self, position: &u64) -> u64 {
        *position
    }
    fn irreversible(&self, _position: &u64) -> bool {
        true
    }
    fn mark(&self, _position: &u64) {}
    fn outcome(&self, _position: &u64, _line: &Line<()>) -> Option<Outcome> {
        None
    }
    fn longest_game(&self) -> u32 {
        u32::MAX
    }
    fn points(&self, _position: &u64) -> [i32; 2] {
        [0, 0]
    }
    fn is_capture(&self, _position: &u64, _step: u32) -> bool {
        false
    }
}

/// Nanoseconds of processor time that this process has had: other work on the machine does not count.
/// Time by the clock where the system does not say.
fn processor_time(since: Instant) -> f64 {
    let text = std::fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    let said = text.split(' ').next().and_then(|word| word.parse().ok());
    said.unwrap_or_else(|| since.elapsed().as_secs_f64() * 1e9)
}

/// Searches for about a second in `trees` games by turns; returns nanoseconds a simulation and nodes
/// a tree.
fn measure(method: Method, simulations: u32, trees: usize) -> (f64, f64) {
    let game = Wide;
    let logits: Vec<f32> =
        (0..8192u32).map(|i| (i.wrapping_mul(2_654_435_761) >> 8) as f32 / 4.0e6).collect();
    let mut searches: Vec<Search<Wide>> = (0..trees)
        .map(|index| {
            let mut search = Search::new(SearchConfig { method, ..SearchConfig::default() });
            let start = (index as u64 + 1) << 33;
            search.begin(&game, &Play::new(&game, start), ChaCha8Rng::seed_from_u64(index as u64));
            search
        })
        .collect();
    let effort = Effort { simulations, exploration: Exploration::SelfPlay };
    let (mut leaves, mut nodes, mut ended) = (0u64, 0usize, 0u64);
    let since = Instant::now();
    let begin = processor_time(since);
    while processor_time(since) - begin < 1e9 {
        searches.iter_mut().for_each(|search| search.plan(&game, effort));
        let mut going = true;
        while going {
            going = false;
            for search in &mut searches {
                if search.gather(&game) == Gathered::Leaf {
                    going = true;
                    leaves += 1;
                    let (&position, steps) = search.leaf();
                    let start = (position >> 40) as usize % 7000;
                    let count = steps.len();
                    let win = (position >> 20 & 0xFFFF) as f32 / 65535.0;
                    let wdl = Wdl { win, draw: 0.0, loss: 1.0 - win };
                    search.apply(&logits[start..start + count], OfMover(wdl), OfMover(0.0));
                }
            }
        }
        for search in &mut searches {
            nodes += search.nodes();
            ended += 1;
            let step = search.choose(1.0);
            search.advance(&game, step);
        }
    }
    ((processor_time(since) - begin) / leaves as f64, nodes as f64 / ended as f64)
}

fn main() {
    for method in [Method::Gumbel, Method::Puct] {
        for (simulations, trees) in [(32, 1), (32, 256), (200, 1), (200, 256), (800, 16)] {
            let (time, nodes) = measure(method, simulations, trees);
            println!(
                "{method:?} {simulations} simulations, {trees} trees: {time:.0} ns a simulation in all, \
                 {:.0} simulations/s, {nodes:.0} nodes a tree",
                1e9 / time
            );
        }
    }
}
