//! What a sequential test decides.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Largest size of an Elo that a hypothesis may name: beyond it hypotheses are better told apart by a few
/// dozen pairs of any match.
pub const LARGEST_ELO: f64 = 200.0;

/// Least error rate that may be asked for.
pub const LEAST_ERROR: f64 = 1e-6;

/// Largest error rate that may be asked for.
pub const LARGEST_ERROR: f64 = 0.45;

/// What the Elo of a hypothesis measures.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Scale {
    /// The expected score: `score = 1 / (1 + 10^(−elo/400))`.
    Elo,
    /// The expected score less ½ in standard deviations of a game, times 800 / ln 10. The pairs that a
    /// test needs hardly depend on how many games are drawn.
    #[default]
    NormalisedElo,
}

/// Two hypotheses about the first named player's strength, and how often the test may be wrong.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Hypotheses {
    /// What `elo0` and `elo1` measure.
    pub scale: Scale,
    /// The first hypothesis, H0: the difference is this.
    pub elo0: f64,
    /// The second hypothesis, H1: the difference is this; larger than `elo0`.
    pub elo1: f64,
    /// Probability that H1 is accepted where H0 is true.
    pub alpha: f64,
    /// Probability that H0 is accepted where H1 is true.
    pub beta: f64,
}

/// All that is wrong with hypotheses.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}", .0.join("; "))]
pub struct HypothesesError(pub Vec<String>);

impl Hypotheses {
    /// Whether a test of them makes sense.
    ///
    /// # Errors
    /// All faults at once, each named by its field.
    pub fn check(&self) -> Result<(), HypothesesError> {
        let mut faults = Vec::new();
        for (name, elo) in [("elo0", self.elo0), ("elo1", self.elo1)] {
            if elo.is_nan() || elo.abs() > LARGEST_ELO {
                faults.push(format!("{name} is {elo} and should lie from {} to {LARGEST_ELO}", -LARGEST_ELO));
            }
        }
        if self.elo0 >= self.elo1 {
            faults.push(format!("elo0 is {} and should be less than elo1, {}", self.elo0, self.elo1));
        }
        for (name, rate) in [("alpha", self.alpha), ("beta", self.beta)] {
            if !(LEAST_ERROR..=LARGEST_ERROR).contains(&rate) {
                faults.push(format!("{name} is {rate} and should lie from {LEAST_ERROR} to {LARGEST_ERROR}"));
            }
        }
        if faults.is_empty() { Ok(()) } else { Err(HypothesesError(faults)) }
    }

    /// Wald's bounds for the log-likelihood ratio of H1 to H0: H0 is accepted at or below
    /// `ln(β / (1 − α))`, H1 at or above `ln((1 − β) / α)` ("Sequential tests of statistical hypotheses",
    /// Annals of Mathematical Statistics 16, 1945, section 3.2).
    pub fn bounds(&self) -> [f64; 2] {
        [(self.beta / (1.0 - self.alpha)).ln(), ((1.0 - self.beta) / self.alpha).ln()]
    }
}

impl fmt::Display for Scale {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            Scale::Elo => "Elo",
            Scale::NormalisedElo => "normalised Elo",
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_faults_are_named() {
        let good = Hypotheses { scale: Scale::Elo, elo0: 0.0, elo1: 5.0, alpha: 0.05, beta: 0.05 };
        assert_eq!(good.check(), Ok(()));
        let [lower, upper] = good.bounds();
        assert!((lower + 2.944_439).abs() < 1e-6 && (upper - 2.944_439).abs() < 1e-6);
        let bad = Hypotheses { elo0: 9.0, elo1: f64::NAN, alpha: 0.5, beta: 0.0, ..good };
        assert_eq!(
            bad.check().unwrap_err().to_string(),
            "elo1 is NaN and should lie from -200 to 200; alpha is 0.5 and should lie from 0.000001 to 0.45; \
             beta is 0 and should lie from 0.000001 to 0.45"
        );
        let equal = Hypotheses { elo1: 0.0, ..good };
        assert_eq!(equal.check().unwrap_err().to_string(), "elo0 is 0 and should be less than elo1, 0");
    }
}
