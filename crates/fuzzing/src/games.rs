//! Finished games of self-play behind their checksums: what a shard of a stranger may hold.

use crate::input::split;
use game::random::{Purpose, stream};
use game::record::GameRecord;
use game::{BoardGame, NO_CELL};
use selfplay::{AuxiliaryHead, TargetConfig, TrainBatch, Window, WindowSize};

/// Rows that are drawn from what the window took.
const ROWS: usize = 4;

/// Takes games into a window. Those that the rules do not confirm are refused with the number of the game; what
/// is drawn from the others can be trained on.
pub(crate) fn run<G: BoardGame>(data: &[u8]) {
    let Some((game, mut rest)) = split::<G>(data) else { return };
    let mut window =
        Window::new((*game).clone(), WindowSize::Fixed(1 << 20)).with_auxiliary(&AuxiliaryHead::ALL);
    while let Ok((record, after)) = postcard::take_from_bytes::<GameRecord>(rest) {
        rest = after;
        if let Err(fault) = window.insert(&record) {
            assert!(fault.to_string().contains(&format!("game {}", record.id)), "{fault}");
        }
    }
    let mut batch = TrainBatch::default();
    let mut random = stream(1, Purpose::Sampling, &[]);
    window.draw(&TargetConfig::default(), ROWS, &mut random, &mut batch);
    check(&batch, game.policy_shape().cells() as u32);
}

/// Panics for a batch that teaches nonsense.
fn check(batch: &TrainBatch, cells: u32) {
    let is_share = |number: &f32| (0.0..=1.0).contains(number);
    let is_one = |sum: f32| (sum - 1.0).abs() < 1e-3;
    assert!(batch.planes.iter().all(|number| number.is_finite()), "planes");
    assert!(batch.cells.iter().all(|&cell| cell < cells || cell == NO_CELL), "cells");
    assert!(batch.margin_target.iter().all(|margin| margin.abs() <= 1.0), "margins");
    assert!(batch.auxiliary.turns_left.iter().all(|turns| turns.is_finite()), "turns left");
    for row in 0..batch.len() {
        let policy = &batch.policy_target[batch.step_range(row)];
        assert!(policy.iter().all(is_share) && is_one(policy.iter().sum()), "policy {policy:?}");
        let result = batch.wdl_target[row];
        assert!(result.iter().all(is_share) && is_one(result.iter().sum()), "result {result:?}");
        let reply = &batch.auxiliary.reply[batch.auxiliary.reply_range(row)];
        assert!(reply.iter().all(is_share), "reply {reply:?}");
    }
}
