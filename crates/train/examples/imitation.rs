//! Compares policy heads and what they learn on what a classical player plays: the same network, the same samples
//! in the same order, one head or another, the step that was chosen or all that were found as good.
//!
//!   cargo run --release -p train --example imitation -- [commander|xiangqi|connect4] [--json FILE] …
//!
//! `alphabeta:2` names the step to play in positions of games in which it plays most steps itself. Told are, on games
//! that no network saw, the cross-entropy of the chosen steps, the share of first choices that were chosen and that
//! were found as good as the chosen one, and the differences from the first variant over the seeds with 95 % intervals
//! (Student's t of paired runs).

#![allow(clippy::print_stdout)] // it is a program that prints

use anyhow::{Context, Result, bail};
use arena::learning::TaughtPolicy;
use arena::opponents::BuiltIn;
use clap::Parser;
use game::random::{Purpose, stream};
use game::{BoardGame, Play};
use net::{
    Device, InferenceModel, LossWeights, Net, NetConfig, PolicyHead, TrainBatch, Trainer, TrainerConfig,
};
use rand_chacha::rand_core::RngCore;
use selfplay::evaluator::{Batch, Evaluator};
use serde::Serialize;
use statistics::interval::{Interval, student_quantile_975};
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};

/// What is compared: a head and what it learns. The first one is what the others are measured against.
const VARIANTS: [(&str, PolicyHead, TaughtPolicy); 3] = [
    ("cells", PolicyHead::Cells, TaughtPolicy::ChosenStep),
    ("pairs of 16", PolicyHead::Pairs { channels: 16 }, TaughtPolicy::ChosenStep),
    ("cells that learn equal steps", PolicyHead::Cells, TaughtPolicy::EqualSteps),
];

/// Random steps at the beginning of a game.
const OPENING_STEPS: usize = 6;
/// One step in so many is random afterwards too, so that games go where the player would not.
const RANDOM_EVERY: u32 = 6;
/// Samples taken from one game at most.
const SAMPLES_PER_GAME: usize = 80;
/// One game in so many is kept for the test.
const TEST_EVERY: u64 = 8;
const BATCH: usize = 256;
const WARM_UP_STEPS: u64 = 50;

#[derive(Parser)]
struct Arguments {
    /// The game: commander, xiangqi or connect4.
    #[arg(default_value = "commander")]
    game: String,
    /// Positions in all, the test's included.
    #[arg(long, default_value_t = 16_000)]
    positions: usize,
    /// Optimisation steps of each network, batches of 256.
    #[arg(long, default_value_t = 500)]
    steps: u64,
    /// Networks of each head.
    #[arg(long, default_value_t = 3)]
    seeds: u64,
    /// Where the figures go too.
    #[arg(long)]
    json: Option<PathBuf>,
}

/// What one network came to on the games that it did not see.
#[derive(Clone, Copy, Serialize)]
struct Figures {
    /// Mean of −ln p(right step), nats.
    cross_entropy: f64,
    /// Share of positions whose likeliest step is the chosen one.
    agreement: f64,
    /// Share of positions whose likeliest step was found no worse than the chosen one.
    as_good: f64,
}

/// Positions with the player's choice.
struct Samples {
    batch: Batch,
    /// Index of the chosen step among the legal ones, by row.
    right: Vec<usize>,
    /// Indices of those that were found as good, by row.
    equal: Vec<Vec<usize>>,
}

fn main() -> Result<()> {
    net::runtime::prepare();
    let arguments = Arguments::parse();
    match arguments.game.as_str() {
        "commander" => compare::<commander::Commander>(&arguments),
        "xiangqi" => compare::<xiangqi::Xiangqi>(&arguments),
        "connect4" => compare::<connect4::ConnectFour>(&arguments),
        other => bail!("unknown game '{other}'; there are commander, xiangqi and connect4"),
    }
}

fn compare<G: BoardGame>(arguments: &Arguments) -> Result<()> {
    let rules = G::preset(G::presets()[0]).context("the first preset is missing")?;
    let game = G::with_rules(rules).map_err(anyhow::Error::msg)?;
    let (learn, test) = samples(&game, arguments.positions);
    let tested = test.right.len().max(1) as f64;
    println!(
        "{} positions to learn, {} to test, {:.1} legal steps each, {:.1} of them equal; {} steps of {BATCH} positions",
        learn.right.len(),
        test.right.len(),
        (test.batch.cells().len() / test.batch.policy_shape().cells_per_step) as f64 / tested,
        test.equal.iter().map(Vec::len).sum::<usize>() as f64 / tested,
        arguments.steps
    );
    let mut all: BTreeMap<&str, Vec<Figures>> = BTreeMap::new();
    for seed in 0..arguments.seeds {
        for (name, head, policy) in VARIANTS {
            let figures = teach(&game, (head, policy), seed, arguments.steps, &learn, &test)?;
            let Figures { cross_entropy, agreement, as_good } = figures;
            println!(
                "{name}, seed {seed}: cross-entropy {cross_entropy:.4}, chosen {:.2} %, as good {:.2} %",
                agreement * 100.0,
                as_good * 100.0
            );
            all.entry(name).or_default().push(figures);
        }
    }
    let (first, ..) = VARIANTS[0];
    for (name, ..) in &VARIANTS[1..] {
        let difference = |of: fn(&Figures) -> f64| {
            let pairs = all[name].iter().zip(&all[first]);
            mean_with_interval(&pairs.map(|(one, other)| of(one) - of(other)).collect::<Vec<_>>())
        };
        let (entropy, entropies) = difference(|figures| figures.cross_entropy);
        let (right, rights) = difference(|figures| figures.agreement * 100.0);
        let (good, goods) = difference(|figures| figures.as_good * 100.0);
        println!(
            "{name} against {first}: cross-entropy {entropy:+.4} ({:+.4} to {:+.4}), chosen {right:+.2} % ({:+.2} to {:+.2}), as good {good:+.2} % ({:+.2} to {:+.2})",
            entropies.low, entropies.high, rights.low, rights.high, goods.low, goods.high
        );
    }
    if let Some(path) = &arguments.json {
        let text = serde_json::to_vec_pretty(&all)?;
        files::write(path, &text).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

/// The mean of numbers and its 95 % interval by Student's t; infinitely wide for a single one.
fn mean_with_interval(numbers: &[f64]) -> (f64, Interval) {
    let count = numbers.len() as f64;
    let mean = numbers.iter().sum::<f64>() / count;
    let variance = numbers.iter().map(|number| (number - mean).powi(2)).sum::<f64>() / (count - 1.0);
    let half = match numbers.len() {
        0 | 1 => f64::INFINITY,
        _ => student_quantile_975(count - 1.0) * (variance / count).sqrt(),
    };
    (mean, Interval { low: mean - half, high: mean + half })
}

/// So many positions in all, to learn from and for the test; the same whatever threads do.
fn samples<G: BoardGame>(game: &G, positions: usize) -> (Samples, Samples) {
    let games: Mutex<BTreeMap<u64, Samples>> = Mutex::default();
    let (next, found) = (AtomicU64::new(0), AtomicU64::new(0));
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while found.load(Ordering::Relaxed) < positions as u64 {
                    let number = next.fetch_add(1, Ordering::Relaxed);
                    let samples = play(game, number);
                    found.fetch_add(samples.right.len() as u64, Ordering::Relaxed);
                    games.lock().unwrap_or_else(std::sync::PoisonError::into_inner).insert(number, samples);
                }
            });
        }
    });
    let (mut learn, mut test) = (empty(game), empty(game));
    let games = games.into_inner().unwrap_or_else(std::sync::PoisonError::into_inner);
    // Threads may have begun a game more: whole games, in order, until there are enough.
    for (number, samples) in games {
        if learn.right.len() + test.right.len() >= positions {
            break;
        }
        let side = if number % TEST_EVERY == 0 { &mut test } else { &mut learn };
        side.batch.append(&samples.batch);
        side.right.extend(samples.right);
        side.equal.extend(samples.equal);
    }
    (learn, test)
}

fn empty<G: BoardGame>(game: &G) -> Samples {
    Samples { batch: Batch::for_game(game, 0), right: Vec::new(), equal: Vec::new() }
}

/// One game with what the player would play at each step.
fn play<G: BoardGame>(game: &G, number: u64) -> Samples {
    let mut random = stream(1, Purpose::Opening, &[number]);
    let mut player = BuiltIn::AlphaBeta { depth: 2 }.for_game(game);
    let mut play = Play::new(game, game.start());
    let mut samples = empty(game);
    let (mut steps, mut equal) = (Vec::new(), Vec::new());
    for count in 0.. {
        if play.outcome(game).is_some() || samples.right.len() >= SAMPLES_PER_GAME {
            break;
        }
        game.legal_steps(&play.position, &mut steps);
        let any = steps.get(random.next_u32() as usize % steps.len().max(1)).copied();
        let step = if count < OPENING_STEPS {
            any
        } else {
            let chosen = player.choose(game, &play, &mut random);
            if let Some(chosen) = chosen.filter(|_| steps.len() > 1) {
                let index = |wanted: &G::Step| steps.iter().position(|step| step == wanted);
                player.equal_steps(chosen, &mut equal);
                samples.batch.push(game, &play.position, &steps);
                samples.right.extend(index(&chosen));
                samples.equal.push(equal.iter().filter_map(index).collect());
            }
            if random.next_u32().is_multiple_of(RANDOM_EVERY) { any } else { chosen }
        };
        let Some(step) = step else { break };
        play.step(game, step);
    }
    samples
}

/// Trains a network with a head and says what it came to.
fn teach<G: BoardGame>(
    game: &G,
    (head, policy): (PolicyHead, TaughtPolicy),
    seed: u64,
    steps: u64,
    learn: &Samples,
    test: &Samples,
) -> Result<Figures> {
    let config = NetConfig { policy_head: head, ..NetConfig::default() };
    let net = Net::new(&config, game.plane_shape(), game.policy_shape(), seed)?;
    let settings = TrainerConfig {
        // Of the policy alone: the games were not played to the end.
        loss: LossWeights { value: 0.0, margin: 0.0, ..LossWeights::default() },
        ..TrainerConfig::default()
    };
    let mut trainer = Trainer::new(&net, &settings, Device::Cpu)?;
    let mut order: Vec<usize> = (0..learn.right.len()).collect();
    let mut place = order.len();
    // The same for every head.
    let mut random = stream(seed, Purpose::Sampling, &[]);
    for step in 0..steps {
        if place + BATCH > order.len() {
            for index in (1..order.len()).rev() {
                order.swap(index, (random.next_u64() % (index as u64 + 1)) as usize);
            }
            place = 0;
        }
        let rows = &order[place..(place + BATCH).min(order.len())];
        place += BATCH;
        trainer.step(&train_batch(learn, rows, policy), learning_rate(step, steps))?;
    }
    test_network(trainer.play_net(), test)
}

/// Linear warm-up to 2e-3, then a cosine down to a twentieth.
fn learning_rate(step: u64, steps: u64) -> f64 {
    let warm = ((step + 1) as f64 / WARM_UP_STEPS as f64).min(1.0);
    let cosine = 0.5 + 0.5 * (std::f64::consts::PI * step as f64 / steps as f64).cos();
    2e-3 * warm * (0.05 + 0.95 * cosine)
}

fn train_batch(samples: &Samples, rows: &[usize], policy: TaughtPolicy) -> TrainBatch {
    let mut batch = TrainBatch::default();
    let length = samples.batch.plane_shape().len();
    let width = samples.batch.policy_shape().cells_per_step;
    for &row in rows {
        batch.planes.extend_from_slice(&samples.batch.planes()[row * length..(row + 1) * length]);
        let steps = samples.batch.step_range(row);
        batch.cells.extend_from_slice(&samples.batch.cells()[steps.start * width..steps.end * width]);
        let first = batch.policy_target.len();
        batch.policy_target.resize(first + steps.len(), 0.0);
        let taught = match policy {
            TaughtPolicy::ChosenStep => &samples.right[row..=row],
            TaughtPolicy::EqualSteps => &samples.equal[row],
        };
        for &step in taught {
            batch.policy_target[first + step] = 1.0 / taught.len() as f32;
        }
        batch.step_ends.push(batch.policy_target.len() as u32);
        batch.policy_weight.push(1.0);
        batch.wdl_target.push([0.0, 1.0, 0.0]);
        batch.margin_target.push(0.0);
        batch.ids.push(row as u64);
    }
    batch
}

fn test_network(net: &Net, test: &Samples) -> Result<Figures> {
    let mut batch = test.batch.clone();
    InferenceModel::exact(net)?.evaluator().evaluate(&mut batch)?;
    let (mut cross_entropy, mut agreement, mut as_good) = (0.0, 0.0, 0.0);
    for (row, (&right, equal)) in test.right.iter().zip(&test.equal).enumerate() {
        let (logits, _) = batch.answer(row);
        let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let sum: f64 = logits.iter().map(|&logit| f64::from(logit - largest).exp()).sum();
        cross_entropy += sum.ln() - f64::from(logits[right] - largest);
        agreement += f64::from(u8::from(logits[right] >= largest));
        as_good += f64::from(u8::from(equal.iter().any(|&step| logits[step] >= largest)));
    }
    let count = test.right.len() as f64;
    Ok(Figures {
        cross_entropy: cross_entropy / count,
        agreement: agreement / count,
        as_good: as_good / count,
    })
}
