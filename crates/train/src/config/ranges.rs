//! Values out of range, all named at once.

use super::{Gate, Keep, TrainConfig};
use crate::config_check::ConfigFault;
use crate::evaluation::Rung;

impl TrainConfig {
    /// All values out of range, those of the game included.
    pub fn faults(&self) -> Vec<ConfigFault> {
        let mut faults = Vec::new();
        let mut add = |path: &str, message: String| faults.push(ConfigFault::new(path, message));
        if self.game.name.is_empty() {
            add("game.name", "is missing; name the game to be played".to_owned());
        }
        if i64::try_from(self.seed).is_err() {
            add("seed", format!("found {}; it must be below 2^63", self.seed));
        }
        for (path, minutes) in self.limits.times() {
            if !(minutes >= 0.0 && minutes.is_finite()) {
                add(path, format!("found {minutes}; it must be at least 0 (0: no limit)"));
            }
        }
        let training = &self.training;
        let mut range = |path: &str, found: f64, low: f64, high: f64| {
            if !(low..=high).contains(&found) {
                add(path, format!("found {found}; it must be {low} to {high}"));
            }
        };
        range("training.batch", training.batch as f64, 2.0, 65536.0);
        range("training.reuse", training.reuse, 0.01, 1000.0);
        range("training.metrics_every", training.metrics_every as f64, 1.0, 1e6);
        range("training.threads", training.threads as f64, 0.0, 64.0);
        range("cycle.positions", self.cycle.positions as f64, 1.0, 1e12);
        range("cycle.workers", self.cycle.workers as f64, 0.0, 1024.0);
        range("evaluation.opening_turns", f64::from(self.evaluation.opening_turns), 0.0, 100.0);
        range("window.least_samples", self.window.least_samples as f64, 1.0, self.window.size.most() as f64);
        range("checkpoint.every_cycles", self.checkpoint.every_cycles as f64, 1.0, 1e9);
        if let Keep::Recent { count, .. } = self.checkpoint.keep {
            range("checkpoint.keep.recent.count", count as f64, 1.0, 1e9);
        }
        for (index, rung) in self.evaluation.ladder.iter().enumerate() {
            range(&format!("evaluation.ladder[{index}].pairs"), f64::from(rung.pairs), 1.0, 100_000.0);
        }
        // A batch cut into more pieces than it has samples would leave some without any.
        if training.pieces > training.batch {
            let message =
                format!("found {}; it must be at most the batch, {}", training.pieces, training.batch);
            add("training.pieces", message);
        }
        for (index, rung) in self.evaluation.ladder.iter().enumerate() {
            if let Err(message) = Rung::parse(&rung.opponent) {
                faults.push(ConfigFault::new(format!("evaluation.ladder[{index}].opponent"), message));
            }
        }
        let mut below = |section: &str, found: Vec<String>| {
            for fault in found {
                faults.push(split_fault(section, &fault));
            }
        };
        below("net", self.net.faults());
        below("training.learning_rate", training.learning_rate.faults());
        below("training", training.trainer(1).faults());
        below("teacher", self.teacher.faults());
        below("selfplay", self.selfplay.faults());
        below("window.size", self.window.size.faults());
        below("training.targets", training.targets.faults());
        below("alarms", self.alarms.faults());
        if let Gate::SequentialTest(gate) = &self.cycle.gate {
            below("cycle.gate.sequential-test", gate.faults());
        }
        if let Err(found) = self.search.check() {
            for fault in found.0 {
                faults.push(ConfigFault::new(format!("search.{}", fault.place), fault.message));
            }
        }
        faults.extend(self.deterministic_faults());
        if !self.game.name.is_empty() {
            faults.extend(self.open_game().err().into_iter().flatten());
        }
        faults
    }
}

/// A fault that begins with its key, as other crates write them: `key = 3 must be …` or `` `key` is … ``.
fn split_fault(section: &str, fault: &str) -> ConfigFault {
    let text = fault.strip_prefix('`').unwrap_or(fault);
    let end = text.find([' ', '`', ':']).unwrap_or(0);
    let (key, rest) = text.split_at(end);
    let rest = rest.trim_start_matches(['`', ':']).trim_start();
    ConfigFault::new(format!("{section}.{key}"), rest.strip_prefix("= ").unwrap_or(rest))
}
