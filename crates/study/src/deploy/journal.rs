//! What a training writes down as it goes: metrics and pairs of set-ups, as JSON lines.
//!
//! A checkpoint says how long both files were when it was made. A training that goes on from it cuts off what came
//! later and does it again, to the same effect.

use deployments::learned::{Episode, Estimate, Point, Update};
use evaluate::failure::Failure;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::Write;
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

/// Lengths of both files in bytes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Lengths {
    /// Of the metrics.
    pub metrics: u64,
    /// Of the pairs.
    pub pairs: u64,
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
}

impl Journal {
    /// Opens the files of a run and cuts them to these lengths.
    ///
    /// # Errors
    /// Files that cannot be read or written, that are shorter than they were, and faulty lines.
    pub fn open(run: &Path, lengths: Lengths) -> Result<Journal, Failure> {
        let metrics = Lines::open(run.join(METRICS), lengths.metrics)?;
        let pairs = Lines::open(run.join(PAIRS), lengths.pairs)?;
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

    /// Brings both files to the disk; their lengths.
    ///
    /// # Errors
    /// Any error of the file system.
    pub fn sync(&self) -> Result<Lengths, Failure> {
        for lines in [&self.metrics, &self.pairs] {
            lines.file.sync_data().map_err(|error| Failure::path(&lines.path, &error))?;
        }
        Ok(Lengths { metrics: self.metrics.length, pairs: self.pairs.length })
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
    let text = std::fs::read_to_string(path).map_err(|error| Failure::path(path, &error))?;
    let line = |(number, line): (usize, &str)| {
        serde_json::from_str(line)
            .map_err(|error| Failure::input(format!("{}: line {}: {error}", path.display(), number + 1)))
    };
    text.lines().enumerate().map(line).collect()
}

impl Lines {
    fn open(path: PathBuf, length: u64) -> Result<Lines, Failure> {
        let fault = |error| Failure::path(&path, &error);
        let file = File::options().create(true).append(true).open(&path).map_err(fault)?;
        let found = file.metadata().map_err(fault)?.len();
        if found < length {
            return Err(Failure::input(format!(
                "{}: has {found} bytes and had {length} when its checkpoint was made: something was cut off",
                path.display()
            )));
        }
        file.set_len(length).map_err(fault)?;
        Ok(Lines { path, file, length })
    }

    fn append<T: Serialize>(&mut self, values: &[T]) -> Result<(), Failure> {
        let mut text = String::new();
        for value in values {
            text.push_str(&serde_json::to_string(value).map_err(Failure::work)?);
            text.push('\n');
        }
        self.file.write_all(text.as_bytes()).map_err(|error| Failure::path(&self.path, &error))?;
        self.length += text.len() as u64;
        Ok(())
    }
}
