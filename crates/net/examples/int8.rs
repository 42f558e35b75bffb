//! 8-bit inference measured on a trained network: how far its answers are from 32-bit ones beside bf16, how fast it
//! is beside fused bf16, and a match at equal time.
//!
//! `cargo run --release -p net --example int8 -- GAME CHECKPOINT PAIRS [SIMULATIONS]`: CHECKPOINT may be `untrained`, 0 PAIRS play no
//! match. Speeds are of processor time, in turns. The match gives both sides the same time: 8-bit inference has as many
//! simulations more as it is faster at batch 64.
#![allow(clippy::print_stdout)]

use game::random::{Purpose, stream};
use game::{BoardGame, Play, Player, Verdict};
use net::runtime::thread_seconds;
use net::{Device, InferenceModel, Kind, Net, NetConfig, Path, Plan};
use rand::Rng;
use search::{Effort, Exploration, Gathered, Search, SearchConfig, SolvedNodes};
use selfplay::evaluator::{Batch, Evaluator};
use selfplay::random_batch;
use std::path::Path as FilePath;
use std::time::{Duration, Instant};

type Failure = Box<dyn std::error::Error>;

/// Positions that the network is calibrated on, and positions that answers are compared on.
const CALIBRATED: usize = 512;
const COMPARED: usize = 2048;
const LARGEST: usize = 64;
const BATCHES: [usize; 3] = [1, 8, LARGEST];

fn main() -> Result<(), Failure> {
    net::runtime::prepare();
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let [game, checkpoint, pairs, rest @ ..] = arguments.as_slice() else {
        return Err("usage: int8 GAME CHECKPOINT PAIRS [SIMULATIONS]".into());
    };
    let simulations = rest.first().map_or(Ok(64), |simulations| simulations.parse())?;
    let pairs: u64 = pairs.parse()?;
    let checkpoint = FilePath::new(checkpoint);
    match game.as_str() {
        "connect4" => measure(&connect4::ConnectFour::new(), checkpoint, pairs, simulations),
        "commander" => {
            let game = commander::Commander::new(commander::Rules::default());
            measure(&game, checkpoint, pairs, simulations)
        }
        other => Err(format!("game '{other}' is not measured, connect4 and commander are").into()),
    }
}

fn measure<G: BoardGame>(
    game: &G,
    checkpoint: &FilePath,
    pairs: u64,
    simulations: u32,
) -> Result<(), Failure> {
    let net = match checkpoint.to_str() {
        Some("untrained") => Net::new(&NetConfig::default(), game.plane_shape(), game.policy_shape(), 1)?,
        _ => net::checkpoint::load_net(checkpoint, None)?.0,
    };
    let calibration = positions(game, CALIBRATED, 1);
    let began = Instant::now();
    let half = InferenceModel::new(&net, &Plan::fixed(Path::Fused, Kind::BFloat16, Device::Cpu))?;
    half.prepare(LARGEST)?;
    let between = Instant::now();
    let plan = Plan::fixed(Path::Fused, Kind::QUInt8, Device::Cpu).calibrated(|| calibration);
    let bytes = InferenceModel::new(&net, &plan)?;
    bytes.prepare(LARGEST)?;
    println!(
        "made ready for {LARGEST} rows in {:?} (bf16) and {:?} (int8)",
        between - began,
        between.elapsed()
    );
    let exact = InferenceModel::exact(&net)?;

    let searched = searched(game, &half)?;
    for (name, batch) in [("random games", positions(game, COMPARED, 2)), ("searched", searched)] {
        let exact = answers(&exact, &batch)?;
        for (way, model) in [("bf16", &half), ("int8", &bytes)] {
            println!(
                "{name}, {} positions, {way}: {}",
                batch.len(),
                Distance::between(&answers(model, &batch)?, &exact)
            );
        }
    }

    let mut ratio = 1.0;
    for rows in BATCHES {
        let [half, bytes] = speeds(&half, &bytes, &positions(game, rows, 3), Duration::from_secs(6))?;
        ratio = bytes / half;
        println!(
            "batch {rows}: bf16 {half:.0}, int8 {bytes:.0} positions/s of processor time, ratio {ratio:.3}"
        );
    }
    if pairs > 0 {
        let more = (f64::from(simulations) * ratio).round() as u32;
        let sides = [(&bytes, more), (&half, simulations)];
        let score = play(game, sides, pairs, &mut None)?;
        println!("int8 with {more} simulations against bf16 with {simulations}: {score}");
    }
    Ok(())
}

/// Policy over the legal steps and expected result, win minus loss, of each row.
fn answers(model: &InferenceModel, batch: &Batch) -> Result<Vec<(Vec<f64>, f64)>, Failure> {
    let mut batch = batch.clone();
    model.evaluator().evaluate(&mut batch)?;
    let answer = |row| {
        let (logits, judgement) = batch.answer(row);
        let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let weights: Vec<f64> = logits.iter().map(|logit| f64::from(logit - largest).exp()).collect();
        let sum: f64 = weights.iter().sum();
        let wdl = judgement.wdl.0;
        (weights.iter().map(|weight| weight / sum).collect(), f64::from(wdl.win) - f64::from(wdl.loss))
    };
    Ok((0..batch.len()).map(answer).collect())
}

/// How far answers are from exact ones.
#[derive(Default)]
struct Distance {
    /// Mean of Σ p ln(p / q) with p exact.
    divergence: f64,
    /// Share of rows with the same first choice.
    same_choice: f64,
    /// Of the expected result.
    root_mean_square: f64,
    largest: f64,
}

impl Distance {
    fn between(found: &[(Vec<f64>, f64)], exact: &[(Vec<f64>, f64)]) -> Distance {
        let mut distance = Distance::default();
        let first = |policy: &[f64]| (0..policy.len()).max_by(|&a, &b| policy[a].total_cmp(&policy[b]));
        for ((policy, value), (exact_policy, exact_value)) in found.iter().zip(exact) {
            let terms = exact_policy.iter().zip(policy).filter(|(p, _)| **p > 0.0);
            distance.divergence += terms.map(|(p, q)| p * (p / q.max(1e-30)).ln()).sum::<f64>();
            distance.same_choice += f64::from(u8::from(first(policy) == first(exact_policy)));
            distance.root_mean_square += (value - exact_value).powi(2);
            distance.largest = distance.largest.max((value - exact_value).abs());
        }
        let rows = exact.len().max(1) as f64;
        distance.divergence /= rows;
        distance.same_choice /= rows;
        distance.root_mean_square = (distance.root_mean_square / rows).sqrt();
        distance
    }
}

impl std::fmt::Display for Distance {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(
            formatter,
            "policy {:.5} nats, same first choice {:.2} %, value {:.4} root mean square, {:.3} at most",
            self.divergence,
            self.same_choice * 100.0,
            self.root_mean_square,
            self.largest
        )
    }
}

/// Positions a second of processor time of both, which take turns; of each the median.
fn speeds(
    one: &InferenceModel,
    other: &InferenceModel,
    batch: &Batch,
    time: Duration,
) -> Result<[f64; 2], Failure> {
    let mut batch = batch.clone();
    let mut evaluators = [one.evaluator(), other.evaluator()];
    let mut seconds = [Vec::new(), Vec::new()];
    let start = Instant::now();
    while start.elapsed() < time || seconds[0].len() < 20 {
        for (evaluator, seconds) in evaluators.iter_mut().zip(&mut seconds) {
            let began = thread_seconds();
            evaluator.evaluate(&mut batch)?;
            seconds.push(thread_seconds() - began);
        }
    }
    Ok(seconds.map(|mut seconds| {
        seconds.sort_by(f64::total_cmp);
        batch.len() as f64 / seconds[seconds.len() / 2]
    }))
}

/// Positions of random games.
fn positions<G: BoardGame>(game: &G, rows: usize, seed: u64) -> Batch {
    random_batch(game, rows, &mut stream(seed, Purpose::Playout, &[]))
}

/// Positions that searches of games between the network and itself ask about.
fn searched<G: BoardGame>(game: &G, model: &InferenceModel) -> Result<Batch, Failure> {
    let mut kept = Some(Batch::for_game(game, COMPARED));
    play(game, [(model, 16), (model, 16)], 16, &mut kept)?;
    kept.ok_or_else(|| "nothing was kept".into())
}

/// Points of the first side, by pair.
struct Score {
    games: [u64; 3],
    pairs: Vec<f64>,
}

impl std::fmt::Display for Score {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let count = self.pairs.len() as f64;
        let mean = self.pairs.iter().sum::<f64>() / count;
        let variance = self.pairs.iter().map(|pair| (pair - mean).powi(2)).sum::<f64>() / (count - 1.0);
        let half = 1.96 * (variance / count).sqrt();
        let [wins, draws, losses] = self.games;
        write!(
            formatter,
            "{wins} wins, {draws} draws, {losses} losses in {} pairs: {:.1} % ({:.1} to {:.1})",
            self.pairs.len(),
            mean * 100.0,
            (mean - half) * 100.0,
            (mean + half) * 100.0
        )
    }
}

/// A game under way.
struct Live<G: BoardGame> {
    pair: usize,
    /// Which player the first side is.
    first_plays: Player,
    /// Of both sides.
    searches: [Search<G>; 2],
}

impl<G: BoardGame> Live<G> {
    /// The side to move, while the game goes on.
    fn side(&self, game: &G) -> Option<usize> {
        let play = self.searches[0].play();
        let over = play.outcome(game).is_some();
        (!over).then(|| usize::from(game.mover(&play.position) != self.first_plays))
    }
}

/// Plays pairs of games from random openings of six steps, all side by side, and keeps what the first side asks.
fn play<G: BoardGame>(
    game: &G,
    sides: [(&InferenceModel, u32); 2],
    pairs: u64,
    kept: &mut Option<Batch>,
) -> Result<Score, Failure> {
    let config = SearchConfig { solved_nodes: SolvedNodes::On, ..SearchConfig::default() };
    let mut evaluators = sides.map(|(model, _)| model.evaluator());
    let mut score = Score { games: [0; 3], pairs: vec![0.0; pairs as usize] };
    let mut batch = Batch::for_game(game, 64);
    // As many at once as fill a batch when half of them wait for the other side.
    for first in (0..pairs as usize).step_by(64) {
        let mut live = Vec::new();
        for pair in first..(first + 64).min(pairs as usize) {
            let mut random = stream(5, Purpose::Opening, &[pair as u64]);
            let (mut play, mut steps) = (Play::new(game, game.start()), Vec::new());
            for _ in 0..6 {
                game.legal_steps(&play.position, &mut steps);
                let step = steps[random.random_range(0..steps.len())];
                play.step(game, step);
            }
            for first_plays in Player::BOTH {
                let searches = [0u64, 1].map(|side| {
                    let mut search = Search::new(config.clone()).with_margin_unit(game.margin_unit());
                    search.begin(game, &play, stream(6, Purpose::Search, &[pair as u64, side]));
                    search
                });
                live.push(Live { pair, first_plays, searches });
            }
        }
        while !live.is_empty() {
            for side in 0..2 {
                let mut own: Vec<&mut Live<G>> =
                    live.iter_mut().filter(|live| live.side(game) == Some(side)).collect();
                let effort = Effort { simulations: sides[side].1, exploration: Exploration::None };
                own.iter_mut().for_each(|live| live.searches[side].plan(game, effort));
                loop {
                    let mut asked = Vec::new();
                    batch.clear();
                    for (index, live) in own.iter_mut().enumerate() {
                        if live.searches[side].gather(game) == Gathered::Leaf {
                            let (position, steps) = live.searches[side].leaf();
                            batch.push(game, position, steps);
                            asked.push(index);
                        }
                    }
                    if asked.is_empty() {
                        break;
                    }
                    if let Some(kept) = kept.as_mut().filter(|kept| side == 0 && kept.len() < COMPARED) {
                        kept.append(&batch);
                    }
                    evaluators[side].evaluate(&mut batch)?;
                    for (row, index) in asked.into_iter().enumerate() {
                        let (logits, judgement) = batch.answer(row);
                        own[index].searches[side].apply(logits, judgement.wdl, judgement.margin);
                    }
                }
                for live in own {
                    let step = live.searches[side].choose(0.0);
                    live.searches.iter_mut().for_each(|search| search.advance(game, step));
                }
            }
            live.retain(|live| {
                let Some(outcome) = live.searches[0].play().outcome(game) else { return true };
                let (kind, points) = match outcome.verdict {
                    Verdict::Win(winner) if winner == live.first_plays => (0, 1.0),
                    Verdict::Draw | Verdict::Truncated => (1, 0.5),
                    Verdict::Win(_) => (2, 0.0),
                };
                score.games[kind] += 1;
                score.pairs[live.pair] += points / 2.0;
                false
            });
        }
        if kept.is_none() {
            println!("{} pairs played", (first + 64).min(pairs as usize));
        }
    }
    Ok(score)
}
