//! The learning-rate schedule.

use serde::{Deserialize, Serialize};

/// Learning rate over the whole run: a linear warm-up to the peak, then a decay.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct LearningRate {
    /// The highest rate.
    pub peak: f64,
    /// Training steps over which the rate rises from nearly 0 to the peak.
    pub warm_up_steps: u64,
    /// What follows.
    pub decay: Decay,
}

/// How the learning rate falls after the warm-up.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum Decay {
    /// It stays at the peak.
    None,
    /// Half a cosine from the peak to the floor over this many training steps, then the floor
    /// (Loshchilov and Hutter, "SGDR", equation 5, without restarts).
    Cosine {
        /// The lowest rate.
        floor: f64,
        /// Training steps from the peak to the floor.
        steps: u64,
    },
    /// The same over the run's limits: the share done is that of the limit (cycles or minutes) that is
    /// nearest. Without a limit the rate stays at the peak.
    CosineOverRun {
        /// The rate at the end of the run.
        floor: f64,
    },
    /// The rate is multiplied by `factor` at each of these training steps.
    Steps {
        /// Factor, between 0 and 1.
        factor: f64,
        /// Training steps at which it is applied, rising.
        at: Vec<u64>,
    },
}

impl Default for LearningRate {
    fn default() -> LearningRate {
        LearningRate { peak: 2e-3, warm_up_steps: 200, decay: Decay::CosineOverRun { floor: 2e-4 } }
    }
}

impl LearningRate {
    /// The rate of training step `step` (from 0), with `share` of the run's limits used up (0 to 1).
    pub fn at(&self, step: u64, share: f64) -> f64 {
        let warm =
            if step < self.warm_up_steps { (step + 1) as f64 / (self.warm_up_steps + 1) as f64 } else { 1.0 };
        let after = step.saturating_sub(self.warm_up_steps);
        let cosine = |floor: f64, share: f64| {
            let share = share.clamp(0.0, 1.0);
            floor + (self.peak - floor) * 0.5 * (1.0 + (std::f64::consts::PI * share).cos())
        };
        let decayed = match &self.decay {
            Decay::None => self.peak,
            Decay::Cosine { floor, steps } => cosine(*floor, after as f64 / (*steps).max(1) as f64),
            Decay::CosineOverRun { floor } => cosine(*floor, share),
            Decay::Steps { factor, at } => {
                let passed = at.iter().filter(|&&place| step >= place).count();
                self.peak * factor.powi(i32::try_from(passed).unwrap_or(i32::MAX))
            }
        };
        warm * decayed
    }

    /// All faults, each with its key below `learning_rate`, what was found and what would be right.
    pub fn faults(&self) -> Vec<String> {
        let mut faults = Vec::new();
        if !(self.peak > 0.0 && self.peak <= 1.0) {
            faults.push(format!("peak = {} must be more than 0 and at most 1", self.peak));
        }
        match &self.decay {
            Decay::None => {}
            Decay::Cosine { floor, steps } => {
                faults.extend(self.floor_fault(*floor));
                if *steps == 0 {
                    faults.push("decay.steps = 0 must be at least 1".to_owned());
                }
            }
            Decay::CosineOverRun { floor } => faults.extend(self.floor_fault(*floor)),
            Decay::Steps { factor, at } => {
                if !(*factor > 0.0 && *factor < 1.0) {
                    faults.push(format!("decay.factor = {factor} must be between 0 and 1"));
                }
                if at.is_empty() || !at.is_sorted_by(|a, b| a < b) {
                    faults.push(format!("decay.at = {at:?} must be a list of rising steps"));
                }
            }
        }
        faults
    }

    fn floor_fault(&self, floor: f64) -> Option<String> {
        (!(floor >= 0.0 && floor <= self.peak))
            .then(|| format!("decay.floor = {floor} must be at least 0 and at most the peak, {}", self.peak))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rate(decay: Decay) -> LearningRate {
        LearningRate { peak: 1.0, warm_up_steps: 4, decay }
    }

    #[test]
    fn warm_up_rises_to_the_peak() {
        let schedule = rate(Decay::None);
        let rates: Vec<f64> = (0..6).map(|step| schedule.at(step, 0.0)).collect();
        assert_eq!(rates, [0.2, 0.4, 0.6, 0.8, 1.0, 1.0]);
    }

    #[test]
    fn cosines_end_at_the_floor() {
        let schedule = rate(Decay::Cosine { floor: 0.1, steps: 10 });
        assert!((schedule.at(9, 0.0) - 0.55).abs() < 1e-12, "half-way");
        assert!((schedule.at(14, 0.0) - 0.1).abs() < 1e-12);
        assert!((schedule.at(1000, 0.0) - 0.1).abs() < 1e-12);
        let schedule = rate(Decay::CosineOverRun { floor: 0.2 });
        assert!((schedule.at(50, 0.5) - 0.6).abs() < 1e-12);
        assert!((schedule.at(50, 1.5) - 0.2).abs() < 1e-12);
    }

    #[test]
    fn steps_multiply() {
        let schedule = rate(Decay::Steps { factor: 0.5, at: vec![10, 20] });
        assert_eq!([9, 10, 19, 20].map(|step| schedule.at(step, 0.0)), [1.0, 0.5, 0.5, 0.25]);
    }

    #[test]
    fn all_faults_are_named() {
        let schedule =
            LearningRate { peak: 2.0, warm_up_steps: 0, decay: Decay::Cosine { floor: 3.0, steps: 0 } };
        let faults = schedule.faults();
        assert_eq!(faults.len(), 3, "{faults:?}");
        assert!(LearningRate::default().faults().is_empty());
        assert_eq!(rate(Decay::Steps { factor: 1.5, at: vec![3, 2] }).faults().len(), 2);
    }
}
