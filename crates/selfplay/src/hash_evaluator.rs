//! An evaluator with opinions but without a network.

use crate::{Batch, Evaluator, EvaluatorError, Judgement};
use game::{Encoding, OfMover, PlaneShape, PolicyShape, Wdl};

/// A deterministic evaluator whose answers look random: they are hashes of the planes and of the
/// policy cells, the same in every run, in every row and in every batch. Tests use it where
/// [`UniformEvaluator`](crate::UniformEvaluator) would hide a mix-up of rows or steps.
#[derive(Clone, Debug)]
pub struct HashEvaluator {
    plane_shape: PlaneShape,
    policy_shape: PolicyShape,
    seed: u64,
}

impl HashEvaluator {
    /// An evaluator for a game; other seeds have other opinions.
    pub fn for_game<G: Encoding>(game: &G, seed: u64) -> HashEvaluator {
        HashEvaluator { plane_shape: game.plane_shape(), policy_shape: game.policy_shape(), seed }
    }
}

impl Evaluator for HashEvaluator {
    fn plane_shape(&self) -> PlaneShape {
        self.plane_shape
    }

    fn policy_shape(&self) -> PolicyShape {
        self.policy_shape
    }

    fn evaluate(&mut self, batch: &mut Batch) -> Result<(), EvaluatorError> {
        if batch.plane_shape() != self.plane_shape {
            return Err(EvaluatorError::Shape { batch: batch.plane_shape(), evaluator: self.plane_shape });
        }
        let width = self.policy_shape.cells_per_step;
        let mut all_logits = Vec::new();
        let mut all_judgements = Vec::new();
        for (row, planes) in batch.planes().chunks_exact(self.plane_shape.len()).enumerate() {
            let state =
                planes.iter().fold(self.seed, |state, number| mix(state, u64::from(number.to_bits())));
            let range = batch.step_range(row);
            for cells in batch.cells()[range.start * width..range.end * width].chunks_exact(width) {
                let hash = cells.iter().fold(state, |state, &cell| mix(state, u64::from(cell)));
                all_logits.push(4.0 * unit(hash) - 2.0);
            }
            let parts = [1, 2, 3].map(|part| 0.1 + unit(mix(state, part)));
            let total: f32 = parts.iter().sum();
            let [win, draw, loss] = parts.map(|part| part / total);
            let margin = 2.0 * unit(mix(state, 4)) - 1.0;
            all_judgements.push(Judgement { wdl: OfMover(Wdl { win, draw, loss }), margin: OfMover(margin) });
        }
        let (logits, judgements) = batch.answers_mut();
        logits.copy_from_slice(&all_logits);
        judgements.copy_from_slice(&all_judgements);
        Ok(())
    }
}

/// One round of splitmix64 over the state and the next number.
fn mix(state: u64, number: u64) -> u64 {
    let mut mixed = (state ^ number).wrapping_add(0x9e37_79b9_7f4a_7c15);
    mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ (mixed >> 31)
}

/// The upper 24 bits as a number in [0, 1).
fn unit(hash: u64) -> f32 {
    (hash >> 40) as f32 / (1u64 << 24) as f32
}
