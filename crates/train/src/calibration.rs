//! What 8-bit networks are calibrated on while a run learns.

use crate::learning_loop::LearningLoop;
use anyhow::Result;
use arena::learning::CALIBRATION_ROWS;
use game::random::{Purpose, stream};
use net::{Precision, TrainBatch};
use selfplay::Batch;

/// Number of the random stream beside the cycle: training steps have streams of one number.
const STREAM: u64 = 1;

impl LearningLoop<'_> {
    /// Takes positions of the replay window for networks of the cycle, once it holds enough. Until then the plan keeps
    /// those of random games that it began with.
    pub(crate) fn calibrate(&mut self, cycle: u64) -> Result<()> {
        let enough = self.session.window().samples >= CALIBRATION_ROWS as u64;
        if self.plan.precision() != Precision::Int8 || !enough {
            return Ok(());
        }
        let mut random = stream(self.config.seed, Purpose::Sampling, &[cycle, STREAM]);
        let mut samples = TrainBatch::default();
        self.session.sample(CALIBRATION_ROWS, &mut random, &mut samples)?;
        let (planes, policy) = (self.expected.planes, self.expected.policy);
        let mut batch = Batch::new(planes, policy, CALIBRATION_ROWS);
        for row in samples.planes.chunks_exact(planes.len()) {
            // Policies have no part in it.
            batch.push_numbers(row, &[]);
        }
        self.plan = self.plan.clone().calibrated(|| batch);
        Ok(())
    }
}
