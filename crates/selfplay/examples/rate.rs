//! How fast self-play is without a network: what is left when judging costs nothing.
//!
//! Rates are per second of processor time of one worker.
//!
//! `cargo run --release -p selfplay --example rate -- [connect4|commander] [seconds]`

#![allow(clippy::print_stdout)] // it is a program that prints

use game::BoardGame;
use search::SearchConfig;
use selfplay::{Counters, GameStatistics, Proceed, SelfPlayConfig, UniformEvaluator, Worker};
use std::error::Error;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;
use std::time::{Duration, Instant};

fn main() -> Result<(), Box<dyn Error>> {
    let mut arguments = std::env::args().skip(1);
    let name = arguments.next().unwrap_or_else(|| "connect4".to_owned());
    let seconds = arguments.next().map_or(Ok(5), |text| text.parse())?;
    for cache_megabytes in [0, 64] {
        let config = SelfPlayConfig { cache_megabytes, ..SelfPlayConfig::default() };
        match name.as_str() {
            "connect4" => measure::<connect4::ConnectFour>(config, seconds)?,

            "commander" => measure::<commander::Commander>(config, seconds)?,
            other => return Err(format!("unknown game `{other}`: connect4 or commander").into()),
        }
    }
    Ok(())
}

/// Time that this thread had a processor (Linux), so that a busy machine spoils nothing; elsewhere the
/// time since `begin`.
fn processor_time(begin: Instant) -> Duration {
    let read = std::fs::read_to_string("/proc/thread-self/schedstat").ok();
    let nanoseconds = read.and_then(|text| text.split_whitespace().next()?.parse().ok());
    nanoseconds.map_or_else(|| begin.elapsed(), Duration::from_nanos)
}

fn measure<G: BoardGame>(config: SelfPlayConfig, seconds: u64) -> Result<(), Box<dyn Error>> {
    let rules = G::preset(G::presets()[0]).ok_or("the first preset is missing")?;
    let game = &G::with_rules(rules)?;
    let mut worker =
        Worker::new(game.clone(), config.clone(), SearchConfig::default(), 1, Arc::new(AtomicU64::new(0)))?;
    let mut evaluator = UniformEvaluator::for_game(game);
    let mut records = Vec::new();
    let begin = Instant::now();
    let proceed = |_: &Counters| {
        if begin.elapsed() < Duration::from_secs(seconds) { Proceed::Play } else { Proceed::Stop }
    };
    let before = processor_time(begin);
    worker.run(&mut evaluator, proceed, |record| records.push(record))?;
    let busy = processor_time(begin) - before;
    let counters = *worker.counters();
    let mut statistics = GameStatistics::new();
    for record in &records {
        statistics.add(game, record).map_err(|fault| fault.to_string())?;
    }
    let per_second = |count: u64| count as f64 / busy.as_secs_f64();
    let answers = counters.evaluations + counters.cache_hits + counters.shared;
    let outside = counters.outside_share() * busy.as_nanos() as f64 / counters.evaluations as f64;
    println!(
        "{} with a cache of {} MiB, {:?} simulations",
        G::NAME,
        config.cache_megabytes,
        config.simulations
    );
    println!(
        "  {:9.0} evaluations/s, batches {:.1} % full",
        per_second(counters.evaluations),
        100.0 * counters.fill()
    );
    println!(
        "  {:9.0} answers/s, {:.1} % of them without an evaluation",
        per_second(answers),
        100.0 * counters.hit_share()
    );
    println!("  {:9.0} simulations/s", per_second(counters.simulations));
    println!(
        "  {:9.0} searched steps/s, {:.1} games/s",
        per_second(counters.steps),
        per_second(counters.games)
    );
    println!("  {:9.0} ns outside the evaluator for each evaluation", outside);
    println!("  {:9.0} bytes a live game", worker.game_bytes() as f64 / worker.games_in_hand() as f64);
    println!("  {}", serde_json::to_string(&statistics.summary())?);
    Ok(())
}
