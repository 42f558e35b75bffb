//! What came out of a training, as it is written to `learned.json`.

use super::config::LearnConfig;
use super::exploit::{Estimate, Exploitability};
use super::policy::Learned;
use crate::explain::HeatMap;
use crate::findings::{heat_faults, read};
use files::sealed;
use serde::{Deserialize, Serialize};
use serde_json::Value;

/// Version of the findings; it changes when a field is renamed, removed or means something else. Version 1, which
/// has no checksum, is read too.
pub const SCHEMA: u32 = 2;

/// Everything that is known of a learned policy. Scores are from 0 to 1, entropies in nats.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct LearnedFindings {
    /// [`SCHEMA`], or the version of the file that they were read from.
    pub schema: u32,
    /// What it was taught.
    pub config: LearnConfig,
    /// All rule options.
    pub rules: Value,
    /// What readers should know first, a line each.
    pub warnings: Vec<String>,
    /// Updates behind it.
    pub updates: u64,
    /// How it went, a point an update.
    pub curve: Vec<Point>,
    /// What a reply gains against it, by values: over the training.
    pub estimates: Vec<Estimate>,
    /// What a reply gains against it in the end, by games; `None` where none could be tried.
    pub exploitability: Option<Exploitability>,
    /// Where it puts each piece.
    pub heat: Vec<HeatMap>,
    /// Its set-ups, the likeliest first.
    pub proposals: Vec<Proposal>,
}

impl LearnedFindings {
    /// The contents of their file, with a checksum.
    ///
    /// # Errors
    /// Numbers that JSON cannot hold.
    pub fn to_file(&self) -> serde_json::Result<Vec<u8>> {
        sealed::write(self)
    }

    /// Reads the contents of a file.
    ///
    /// # Errors
    /// Those of another version, damaged ones, and those that do not fit together; pages believe that they do.
    pub fn from_file(text: &[u8]) -> Result<LearnedFindings, String> {
        let found: LearnedFindings = read(text, SCHEMA)?;
        let mut faults = heat_faults(&found.heat);
        if let Err(wrong) = found.config.check() {
            faults.extend(wrong.0.iter().map(|fault| format!("config: {fault}")));
        }
        if faults.is_empty() { Ok(found) } else { Err(faults.join("; ")) }
    }
}

/// A set-up that a policy proposes.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Proposal {
    /// Its line.
    pub set_up: String,
    /// Its share of the draws.
    pub share: f64,
    /// Logarithm of the probability that the policy draws it.
    pub log_probability: f64,
}

/// An update as it is kept in the metrics.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Point {
    /// Updates before it.
    pub update: u64,
    /// Mean score against past policies; `None` where none was met.
    pub past: Option<f64>,
    /// Mean score against the sampler; `None` where it was not met.
    pub sampler: Option<f64>,
    /// Entropy of the policy, estimated from the batch.
    pub entropy: f64,
    /// Its divergence from the sampler, estimated from the batch.
    pub divergence: f64,
    /// Share of the pairs drawn that were void.
    pub void_share: f64,
    /// Pairs that the uniform sampler stood in for, after sixteen void ones in a row.
    pub fallbacks: u64,
    /// Pairs of set-ups that played games.
    pub played: u64,
    /// What learning measured.
    pub learned: Learned,
}
