//! Small networks and batches for tests.
#![allow(clippy::unwrap_used)] // Also in the helpers of tests.
#![allow(dead_code)] // Each test program uses a part of it.

use game::{NO_CELL, PlaneShape, PolicyShape};
use net::{Net, NetConfig, PolicyHead, TrainBatch};
use selfplay::evaluator::Batch;

pub const PLANES: PlaneShape = PlaneShape { channels: 5, rows: 4, columns: 6 };
pub const POLICY: PolicyShape = PolicyShape { squares: 24, planes: 3, cells_per_step: 2 };

pub fn config() -> NetConfig {
    NetConfig { blocks: 2, channels: 16, pooling_channels: 8, ..NetConfig::default() }
}

pub fn net(seed: u64) -> Net {
    Net::new(&config(), PLANES, POLICY, seed).unwrap()
}

/// One whose policy multiplies origins with targets.
pub fn net_with_pairs(seed: u64) -> Net {
    let config = NetConfig { policy_head: PolicyHead::Pairs { channels: 5 }, ..config() };
    Net::new(&config, PLANES, POLICY, seed).unwrap()
}

/// Numbers in [0, 1) that look random, always the same.
pub fn noise(index: usize) -> f32 {
    let mut mixed = (index as u64 + 1).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    mixed ^= mixed >> 29;
    mixed = mixed.wrapping_mul(0xBF58_476D_1CE4_E5B9);
    (mixed >> 40) as f32 / (1u64 << 24) as f32
}

pub fn planes(row: usize) -> Vec<f32> {
    (0..PLANES.len()).map(|index| (noise(row * 1000 + index) > 0.7) as u8 as f32).collect()
}

/// Row `row` has `row mod 7` steps, so some have none.
pub fn cells(row: usize) -> Vec<u32> {
    let cell = |index: usize| (noise(row * 77 + index) * POLICY.cells() as f32) as u32;
    (0..row % 7)
        .flat_map(|step| [cell(step), if step % 2 == 0 { NO_CELL } else { cell(step + 50) }])
        .collect()
}

pub fn batch(rows: std::ops::Range<usize>) -> Batch {
    let mut batch = Batch::new(PLANES, POLICY, rows.len());
    for row in rows {
        batch.push_numbers(&planes(row), &cells(row));
    }
    batch
}

pub fn train_batch(rows: std::ops::Range<usize>) -> TrainBatch {
    let mut batch = TrainBatch::default();
    for row in rows {
        batch.planes.extend(planes(row));
        let cells = cells(row);
        let steps = cells.len() / 2;
        batch.cells.extend(cells);
        // One step has most of the weight.
        let share = |step| if step == row % steps.max(1) { 0.9 } else { 0.1 / (steps as f32 - 1.0) };
        batch.policy_target.extend((0..steps).map(|step| if steps == 1 { 1.0 } else { share(step) }));
        batch.step_ends.push(batch.policy_target.len() as u32);
        batch.policy_weight.push(if steps == 0 { 0.0 } else { 1.0 });
        batch.wdl_target.push([[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]][row % 3]);
        batch.margin_target.push([0.8, 0.0, -0.8][row % 3]);
        batch.ids.push(10_000 + row as u64);
    }
    batch
}

/// Rows that teach auxiliary heads too; every third row has no reply.
pub fn train_batch_with_auxiliary(rows: std::ops::Range<usize>) -> TrainBatch {
    let mut batch = train_batch(rows.clone());
    let targets = &mut batch.auxiliary;
    for row in rows {
        targets.turns_left.push((row % 5) as f32);
        targets.owners.extend((0..POLICY.squares).map(|square| ((row + square) % 3) as u8));
        if row % 3 > 0 {
            targets.reply_cells.extend([row as u32, NO_CELL, row as u32 + 30, 1]);
            targets.reply.extend([1.0, 0.0]);
        }
        targets.reply_ends.push(targets.reply.len() as u32);
    }
    batch
}

/// Names and bits of all tensors.
pub fn bits(net: &Net) -> Vec<(String, Vec<u32>)> {
    let bits = |name: &str| net.numbers(name).unwrap().into_iter().map(f32::to_bits).collect();
    net.specs().iter().map(|spec| (spec.name.clone(), bits(&spec.name))).collect()
}
