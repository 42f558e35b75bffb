//! Positions per second of every way of running a network, and of training, on this machine.
//!
//! `cargo bench -p net [-- SECONDS]`: each number is the best of many short runs
//! within SECONDS (default 0.5). "Plain" is what a simple program on `tch::nn` does: normalisations in place,
//! channels first, one operation after the other; ratios are to it with the same batch in the same run.
//! Single workers are timed by the processor time of their thread, which other processes disturb least; what
//! has several threads is timed by the clock on the wall.
#![allow(clippy::print_stdout)]

use game::{PlaneShape, PolicyShape};
use net::runtime::thread_seconds;
use net::{InferenceModel, Net, NetConfig, Path, Plan, TrainBatch, Trainer, TrainerConfig, plan};
use selfplay::evaluator::{Batch, Evaluator};
use std::time::{Duration, Instant};
use tch::{Device, Kind, Tensor, nn};

const PLANES: PlaneShape = PlaneShape { channels: 60, rows: 12, columns: 11 };
const POLICY: PolicyShape = PolicyShape { squares: 132, planes: 60, cells_per_step: 2 };
const BATCHES: [usize; 4] = [1, 8, 32, 64];
/// Legal steps of a row, about as many as a middle game has.
const STEPS: usize = 60;

fn main() -> Result<(), Box<dyn std::error::Error>> {
    // Cargo adds options of its own.
    let seconds = std::env::args().skip(1).find(|text| !text.starts_with('-'));
    let seconds = seconds.map_or(Ok(0.5), |text| text.parse())?;
    let time = Duration::from_secs_f64(seconds);
    println!("prepared: {:?}; bf16 instructions: {}", net::runtime::prepare(), plan::has_bf16_instructions());
    for (blocks, channels) in [(4, 64), (2, 32)] {
        let config = NetConfig { blocks, channels, ..NetConfig::default() };
        let net = Net::new(&config, PLANES, POLICY, 1)?;
        println!("{blocks} x {channels}, {} parameters", net.parameters());
        let plain = Plain::new(&config);
        let mut base = Vec::new();
        print!("  Plain fp32:");
        for rows in BATCHES {
            base.push(plain.speed(rows, time));
            print!("  {rows}: {:.0}", base[base.len() - 1]);
        }
        println!();
        for path in [Path::Eager, Path::Frozen, Path::Fused] {
            let began = Instant::now();
            let plan = Plan::fixed(path, Kind::Float, Device::Cpu);
            let model = InferenceModel::new(&net, &plan)?;
            model.prepare(64)?;
            print!("  {path:?} fp32, made for 64 rows in {:.0} ms:", began.elapsed().as_secs_f64() * 1e3);
            for (index, rows) in BATCHES.into_iter().enumerate() {
                let speed = speed(&mut model.evaluator(), rows, time, thread_seconds);
                print!("  {rows}: {speed:.0} ({:.2})", speed / base[index]);
            }
            print!("  of bare:");
            for rows in BATCHES {
                let bare = InferenceModel::for_rows(&net, &plan, rows)?;
                print!("  {rows}: {:.3}", share_of_bare(&model, &bare, rows, time)?);
            }
            for rows in [8, 32] {
                let workers: Vec<_> = (0..2)
                    .map(|_| {
                        let mut evaluator = model.evaluator();
                        std::thread::spawn(move || speed(&mut evaluator, rows, time, wall_seconds))
                    })
                    .collect();
                let sum: f64 = workers.into_iter().map(|worker| worker.join().unwrap_or(0.0)).sum();
                print!("  two workers of {rows}: {sum:.0}");
            }
            println!();
        }
        println!("  plan: {}", Plan::choose(&net, net::Precision::Auto, Device::Cpu)?);
        for (pieces, threads) in [(1, 1), (2, 1), (2, 2), (4, 2)] {
            let config = TrainerConfig { pieces, threads, ..TrainerConfig::default() };
            let mut trainer = Trainer::new(&net, &config, Device::Cpu)?;
            let batch = train_batch(256);
            trainer.step(&batch, 1e-3)?;
            let mut best = f64::INFINITY;
            let now = if threads == 1 { thread_seconds } else { wall_seconds };
            for _ in 0..3 {
                let began = now();
                trainer.step(&batch, 1e-3)?;
                best = best.min(now() - began);
            }
            println!(
                "  training, batch 256, {pieces} pieces, {threads} threads: {:.0} positions/s",
                256.0 / best
            );
        }
    }
    Ok(())
}

/// The same network on `tch::nn`.
struct Plain {
    stem: Layer,
    blocks: Vec<Block>,
    policy: (Layer, nn::Conv2D),
    value: (Layer, nn::Linear, nn::Linear),
}

type Layer = (nn::Conv2D, nn::BatchNorm);
/// Both convolutions, and the pooled one with its bias where the block pools.
type Block = (Layer, Layer, Option<(Layer, nn::Linear)>);

fn layer(path: &nn::Path<'_>, inputs: usize, outputs: usize, kernel: i64) -> Layer {
    let config = nn::ConvConfig { padding: kernel / 2, bias: false, ..Default::default() };
    let convolution = nn::conv2d(path, inputs as i64, outputs as i64, kernel, config);
    (convolution, nn::batch_norm2d(path / "norm", outputs as i64, Default::default()))
}

fn apply(layer: &Layer, input: &Tensor) -> Tensor {
    input.apply(&layer.0).apply_t(&layer.1, false)
}

fn pool(input: &Tensor) -> Tensor {
    let largest = input.adaptive_max_pool2d([1, 1]).0;
    Tensor::cat(&[input.adaptive_avg_pool2d([1, 1]), largest], 1).flatten(1, -1)
}

impl Plain {
    fn new(config: &NetConfig) -> Plain {
        let store = nn::VarStore::new(Device::Cpu);
        let root = &store.root();
        let linear = |name: &str, inputs: usize, outputs: usize| {
            nn::linear(root / name, inputs as i64, outputs as i64, Default::default())
        };
        let (trunk, pooled) = (config.channels, config.pooling_channels);
        let block = |index: usize| {
            let path = &(root / index);
            let pooling = config.pools(index).then(|| {
                (
                    layer(&(path / "pooled"), trunk, pooled, 1),
                    linear(&format!("bias{index}"), 2 * pooled, trunk),
                )
            });
            (layer(&(path / "first"), trunk, trunk, 3), layer(&(path / "second"), trunk, trunk, 3), pooling)
        };
        let (policy, value) = (config.policy_channels, config.value_channels);
        let cells = nn::conv2d(root / "cells", policy as i64, POLICY.planes as i64, 1, Default::default());
        Plain {
            stem: layer(&(root / "stem"), PLANES.channels, trunk, 3),
            blocks: (0..config.blocks).map(block).collect(),
            policy: (layer(&(root / "policy"), trunk, policy, 1), cells),
            value: (
                layer(&(root / "value"), trunk, value, 1),
                linear("hidden", 2 * value, config.value_hidden),
                linear("result", config.value_hidden, 4),
            ),
        }
    }

    fn forward(&self, planes: &Tensor) -> (Tensor, Tensor) {
        let mut value = apply(&self.stem, planes).relu();
        for (first, second, pooling) in &self.blocks {
            let mut inner = apply(first, &value);
            if let Some((convolution, bias)) = pooling {
                let features = pool(&apply(convolution, &value).relu()).apply(bias);
                inner += features.unsqueeze(-1).unsqueeze(-1);
            }
            value = (apply(second, &inner.relu()) + value).relu();
        }
        let policy = apply(&self.policy.0, &value).relu().apply(&self.policy.1);
        let features = pool(&apply(&self.value.0, &value).relu());
        (policy, features.apply(&self.value.1).relu().apply(&self.value.2))
    }

    fn speed(&self, rows: usize, time: Duration) -> f64 {
        let planes = Tensor::zeros(
            [rows, PLANES.channels, PLANES.rows, PLANES.columns].map(|size| size as i64),
            (Kind::Float, Device::Cpu),
        );
        let mut best = f64::INFINITY;
        let start = Instant::now();
        while start.elapsed() < time {
            let began = thread_seconds();
            let _ = tch::no_grad(|| self.forward(&planes));
            best = best.min(thread_seconds() - began);
        }
        rows as f64 / best
    }
}

fn noise(index: usize) -> f32 {
    ((index as u32).wrapping_mul(2_654_435_761) >> 16) as f32 / 65_536.0
}

/// Made-up positions.
fn positions(rows: usize) -> Batch {
    let mut batch = Batch::new(PLANES, POLICY, rows);
    let cells: Vec<u32> = (0..STEPS * 2).map(|index| (noise(index) * POLICY.cells() as f32) as u32).collect();
    for row in 0..rows {
        let planes: Vec<f32> =
            (0..PLANES.len()).map(|index| (noise(index + row * 7919) > 0.9) as u8 as f32).collect();
        batch.push_numbers(&planes, &cells);
    }
    batch
}

/// What the evaluator's rate is of the same network compiled for this batch alone, whose answers are thrown away.
/// They take turns, and the fastest of each counts.
fn share_of_bare(
    model: &InferenceModel,
    bare: &InferenceModel,
    rows: usize,
    time: Duration,
) -> Result<f64, Box<dyn std::error::Error>> {
    net::runtime::prepare_thread();
    let (mut batch, mut evaluator, mut best) = (positions(rows), model.evaluator(), [f64::INFINITY; 2]);
    let start = Instant::now();
    while start.elapsed() < time {
        let began = thread_seconds();
        evaluator.evaluate(&mut batch)?;
        let between = thread_seconds();
        bare.run_bare(batch.planes(), rows)?;
        best = [best[0].min(between - began), best[1].min(thread_seconds() - between)];
    }
    Ok(best[1] / best[0])
}

fn speed(evaluator: &mut impl Evaluator, rows: usize, time: Duration, now: fn() -> f64) -> f64 {
    let mut batch = positions(rows);
    let mut best = f64::INFINITY;
    let start = Instant::now();
    while start.elapsed() < time {
        let began = now();
        if evaluator.evaluate(&mut batch).is_err() {
            return 0.0;
        }
        best = best.min(now() - began);
    }
    rows as f64 / best
}

/// Time on the wall in seconds.
fn wall_seconds() -> f64 {
    let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    since.map_or(0.0, |since| since.as_secs_f64())
}

fn train_batch(rows: usize) -> TrainBatch {
    let mut batch = TrainBatch::default();
    for row in 0..rows {
        batch.planes.extend((0..PLANES.len()).map(|index| (noise(index + row * 7919) > 0.9) as u8 as f32));
        batch.step_ends.push(((row + 1) * STEPS) as u32);
        batch.cells.extend((0..STEPS * 2).map(|index| (noise(index + row) * POLICY.cells() as f32) as u32));
        batch.policy_target.extend([1.0 / STEPS as f32; STEPS]);
        batch.policy_weight.push(1.0);
        batch.wdl_target.push([0.5, 0.25, 0.25]);
        batch.margin_target.push(0.1);
        batch.ids.push(row as u64);
    }
    batch
}
