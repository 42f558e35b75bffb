//! The key `deterministic`: what it fixes, and what does not go together with it. `docs/determinism.md` says
//! what it promises.

use super::TrainConfig;
use crate::config_check::ConfigFault;
use arena::learning::LearningGame;
use net::{Device, Net, NetError, Plan, Precision};

impl TrainConfig {
    /// Settings that cannot be deterministic, each with its mend.
    pub(super) fn deterministic_faults(&self) -> Vec<ConfigFault> {
        if !self.deterministic {
            return Vec::new();
        }
        let mut faults = Vec::new();
        let mut add = |path: &str, message: String| faults.push(ConfigFault::new(path, message));
        if self.cycle.workers > 1 {
            let found = self.cycle.workers;
            add(
                "cycle.workers",
                format!("found {found}; deterministic mode has one: set it to 1 or leave it out"),
            );
        }
        if self.training.threads > 1 {
            let found = self.training.threads;
            add(
                "training.threads",
                format!("found {found}; deterministic mode trains on one: set it to 1 or leave it out"),
            );
        }
        for (path, precision) in [
            ("inference.precision", self.inference.precision),
            ("training.precision", self.training.precision),
        ] {
            let mend = "\"fp32\", or \"bf16\" where every machine of the run has avx512_bf16";
            match precision {
                Precision::Auto => add(path, format!("found auto; deterministic mode needs a name: {mend}")),
                Precision::Int8 if path == "inference.precision" => {
                    add(path, format!("found int8; deterministic mode has no 8-bit numbers: {mend}"));
                }
                _ => {}
            }
        }
        for (path, found) in self.limits.times() {
            if found > 0.0 {
                let message = format!(
                    "found {found}; a limit of time ends two runs at different places: use limits.cycles"
                );
                add(path, message);
            }
        }
        faults
    }

    /// Workers of self-play on a machine with so many cores.
    pub fn workers(&self, cores: usize) -> usize {
        match self.cycle.workers {
            _ if self.deterministic => 1,
            0 => cores,
            workers => workers,
        }
    }

    /// Threads of a training step and of a ladder's match on a machine with so many cores.
    pub fn threads(&self, cores: usize) -> usize {
        if self.deterministic { 1 } else { cores }
    }

    /// How networks of this size are run: chosen and measured, or, in deterministic mode, given. 8-bit ones are
    /// calibrated on random games until there are others.
    ///
    /// # Errors
    /// What the network says.
    pub fn plan(&self, net: &Net, device: Device, game: &dyn LearningGame) -> Result<Plan, NetError> {
        if self.deterministic {
            return Plan::deterministic(self.inference.precision, self.selfplay.batch_size);
        }
        let plan = Plan::choose(net, self.inference.precision, device)?;
        Ok(plan.calibrated(|| game.calibration_batch()))
    }
}
