//! What a training writes down as it goes: metrics and pairs of set-ups, as JSON lines.
//!
//! A checkpoint says how long both files were when it was made, and their checksums. A training that goes on from it
//! cuts off what came later and does it again, to the same effect.

use deployments::learned::{Episode, Estimate, Point, Update};
use evaluate::failure::Failure;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{Read, Write};
use std::path::{Path, PathBuf};

/// Name of the metrics.
pub const METRICS: &str = "metrics.jsonl";
/// Name of the pairs of set-ups.
pub const PAIRS: &str = "pairs.jsonl";

/// A line of the metrics.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub enum Metric {
    /// A step of learning.
    Update(Point),
    /// What a reply gains, by values.
    Estimate(Estimate),
}

/// How far both files are.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lengths {
    /// Bytes of the metrics.
    pub metrics: u64,
    /// Bytes of the pairs.
    pub pairs: u64,
    /// BLAKE3 of these bytes of the metrics; checkpoints of 0.1.0 have none.
    pub metrics_blake3: Option<String>,
    /// The same of the pairs.
    pub pairs_blake3: Option<String>,
}

/// Both files, open at their ends.
pub struct Journal {
    metrics: Lines,
    pairs: Lines,
    /// All metrics.
    pub all: Vec<Metric>,
}

struct Lines {
    path: PathBuf,
    file: File,
    length: u64,
    hasher: blake3::Hasher,
}

impl Journal {
    /// Opens the files of a run and cuts them to these lengths.
    ///
    /// # Errors
    /// Files that cannot be read or written, that are shorter than they were or were changed, and faulty lines.
    pub fn open(run: &Path, lengths: &Lengths) -> Result<Journal, Failure> {
        let metrics = Lines::open(run.join(METRICS), lengths.metrics, lengths.metrics_blake3.as_deref())?;
        let pairs = Lines::open(run.join(PAIRS), lengths.pairs, lengths.pairs_blake3.as_deref())?;
        let all = read_metrics(run)?;
        Ok(Journal { metrics, pairs, all })
    }

    /// Writes a step down.
    ///
    /// # Errors
    /// Any error of the file system.
    pub fn update(&mut self, update: Update) -> Result<(), Failure> {
        self.pairs.append(&update.episodes)?;
        self.metric(Metric::Update(update.point))
    }

    /// Writes an estimate down.
    ///
    /// # Errors
    /// Any error of the file system.
    pub fn estimate(&mut self, estimate: Estimate) -> Result<(), Failure> {
        self.metric(Metric::Estimate(estimate))
    }

    fn metric(&mut self, metric: Metric) -> Result<(), Failure> {
        self.metrics.append(std::slice::from_ref(&metric))?;
        self.all.push(metric);
        Ok(())
    }

    /// Brings both files to the disk; how far they are.
    ///
    /// # Errors
    /// Any error of the file system.
    pub fn sync(&self) -> Result<Lengths, Failure> {
        for lines in [&self.metrics, &self.pairs] {
            lines.file.sync_data().map_err(|error| Failure::path(&lines.path, &error))?;
        }
        let sum = |lines: &Lines| Some(lines.hasher.finalize().to_string());
        Ok(Lengths {
            metrics: self.metrics.length,
            pairs: self.pairs.length,
            metrics_blake3: sum(&self.metrics),
            pairs_blake3: sum(&self.pairs),
        })
    }

    /// The estimates so far.
    pub fn estimates(&self) -> Vec<Estimate> {
        let estimate = |metric: &Metric| match metric {
            Metric::Estimate(estimate) => Some(estimate.clone()),
            Metric::Update(_) => None,
        };
        self.all.iter().filter_map(estimate).collect()
    }

    /// The steps so far.
    pub fn points(&self) -> Vec<Point> {
        let point = |metric: &Metric| match metric {
            Metric::Update(point) => Some(point.clone()),
            Metric::Estimate(_) => None,
        };
        self.all.iter().filter_map(point).collect()
    }
}

/// The metrics of a run.
///
/// # Errors
/// Files that cannot be read, and faulty lines.
pub fn read_metrics(run: &Path) -> Result<Vec<Metric>, Failure> {
    read_lines(&run.join(METRICS))
}

/// The pairs of set-ups of a run.
///
/// # Errors
/// Files that cannot be read, and faulty lines.
pub fn read_pairs(run: &Path) -> Result<Vec<Episode>, Failure> {
    read_lines(&run.join(PAIRS))
}

fn read_lines<T: for<'de> Deserialize<'de>>(path: &Path) -> Result<Vec<T>, Failure> {
    let text = files::read_text(path).map_err(|error| Failure::path(path, &error))?;
    let line = |(number, line): (usize, &str)| {
        serde_json::from_str(line)
            .map_err(|error| Failure::input(format!("{}: line {}: {error}", path.display(), number + 1)))
    };
    text.lines().enumerate().map(line).collect()
}

impl Lines {
    fn open(path: PathBuf, length: u64, blake3: Option<&str>) -> Result<Lines, Failure> {
        let fault = |error| Failure::path(&path, &error);
        let mut file =
            files::open_with(&path, File::options().create(true).read(true).append(true)).map_err(fault)?;
        let found = file.metadata().map_err(fault)?.len();
        if found < length {
            return Err(Failure::input(format!(
                "{}: has {found} bytes and had {length} when its checkpoint was made: something was cut off",
                path.display()
            )));
        }
        let mut hasher = blake3::Hasher::new();
        std::io::copy(&mut Read::take(&mut file, length), &mut hasher).map_err(fault)?;
        let found = hasher.finalize().to_string();
        if let Some(written) = blake3.filter(|&written| written != found) {
            return Err(Failure::input(format!(
                "{}: damaged: its checksum is {found}, and {written} when its checkpoint was made",
                path.display()
            )));
        }
        file.set_len(length).map_err(fault)?;
        Ok(Lines { path, file, length, hasher })
    }

    fn append<T: Serialize>(&mut self, values: &[T]) -> Result<(), Failure> {
        let mut text = String::new();
        for value in values {
            text.push_str(&serde_json::to_string(value).map_err(Failure::work)?);
            text.push('\n');
        }
        self.file.write_all(text.as_bytes()).map_err(|error| Failure::path(&self.path, &error))?;
        self.length += text.len() as u64;
        self.hasher.update(text.as_bytes());
        Ok(())
    }
}
