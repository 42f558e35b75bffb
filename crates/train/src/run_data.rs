//! What a run directory tells its readers: reports, lists and comparisons.
//!
//! Reading changes nothing and needs nothing to be whole: a run that is working, was killed or was written
//! by an older program is read as far as it goes, and what could not be read is named in
//! [`RunData::faults`].

use crate::alarm::Alarm;
use crate::config::GameConfig;
use crate::lock::{self, Occupied};
use crate::log::{self, LogEntry};
use crate::manifest::{Manifest, RUN_SCHEMA};
use crate::metrics::{CycleMetrics, Metric, StepMetrics};
use crate::run_directory::RunDirectory;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fmt;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use toml::Table;

/// Everything of a run but its games and its weights.
#[derive(Clone, Debug)]
pub struct RunData {
    /// Where it lies.
    pub directory: RunDirectory,
    /// The directory's name.
    pub name: String,
    /// `config.toml` as it stands; empty where it cannot be read.
    pub config: Table,
    /// `manifest.json`; empty where it cannot be read.
    pub manifest: Manifest,
    /// Records of training intervals, in order.
    pub steps: Vec<StepMetrics>,
    /// Records of cycles, in order.
    pub cycles: Vec<CycleMetrics>,
    /// What should worry the reader, oldest first.
    pub alarms: Vec<Alarm>,
    /// What the run is doing.
    pub status: RunStatus,
    /// Files and lines that could not be read, and why.
    pub faults: Vec<String>,
}

/// What a run is doing.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum RunStatus {
    /// A process works on it.
    Running,
    /// A limit of its config was reached.
    Finished,
    /// A user stopped it; it can go on.
    Stopped,
    /// Something stopped it.
    Failed,
    /// Its process ended without a word; it can go on.
    Killed,
}

impl fmt::Display for RunStatus {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(match self {
            RunStatus::Running => "running",
            RunStatus::Finished => "finished",
            RunStatus::Stopped => "stopped",
            RunStatus::Failed => "failed",
            RunStatus::Killed => "killed",
        })
    }
}

/// Why a directory cannot be read as a run.
#[derive(Debug, thiserror::Error)]
pub enum RunDataError {
    /// There is no run.
    #[error("{}: no run is there (neither metrics.jsonl nor config.toml with games/)", .0.display())]
    NoRun(PathBuf),
    /// Another version wrote it.
    #[error("{}: has schema {found}, this program reads schema {RUN_SCHEMA}", path.display())]
    Schema {
        /// The manifest.
        path: PathBuf,
        /// Its schema.
        found: u64,
    },
}

/// Whether a directory looks like a run: a config alone may lie anywhere.
pub fn is_run(path: &Path) -> bool {
    let directory = RunDirectory::new(path);
    directory.metrics().is_file() || (directory.config().is_file() && directory.games().is_dir())
}

impl RunData {
    /// Reads a run.
    ///
    /// # Errors
    /// A directory without a run, or one of another schema.
    pub fn read(path: &Path) -> Result<RunData, RunDataError> {
        if !is_run(path) {
            return Err(RunDataError::NoRun(path.to_owned()));
        }
        let directory = RunDirectory::new(path);
        let mut faults = Vec::new();
        let text = read_text(&directory.manifest(), &mut faults);
        let schema = text.as_ref().and_then(|text| files::schema(text.as_bytes()).ok());
        if let Some(found) = schema.filter(|&found| found != u64::from(RUN_SCHEMA)) {
            return Err(RunDataError::Schema { path: directory.manifest(), found });
        }
        let manifest: Option<Manifest> = text.and_then(|text| {
            let parsed = serde_json::from_str(&text);
            named(parsed, &directory.manifest(), &mut faults)
        });
        let config: Table = read_text(&directory.config(), &mut faults)
            .and_then(|text| named(text.parse(), &directory.config(), &mut faults))
            .unwrap_or_default();
        let mut run = RunData {
            name: run_name(path),
            config,
            manifest: manifest.unwrap_or_default(),
            steps: Vec::new(),
            cycles: Vec::new(),
            alarms: Vec::new(),
            status: RunStatus::Killed,
            faults: Vec::new(),
            directory,
        };
        for metric in read_lines(&run.directory.metrics(), &mut faults) {
            match metric {
                Metric::Step(metrics) => run.steps.push(metrics),
                Metric::Cycle(metrics) => run.cycles.push(*metrics),
                Metric::Alarm(alarm) => run.alarms.push(alarm),
            }
        }
        let log: Vec<LogEntry> = read_lines(&run.directory.log(), &mut faults);
        run.status = status(&run.directory, &log);
        run.faults = faults;
        Ok(run)
    }

    /// The section `game` of the config.
    ///
    /// # Errors
    /// What is wrong with it.
    pub fn game(&self) -> Result<GameConfig, String> {
        let section = self.config.get("game").cloned().ok_or("config.toml: [game] is missing")?;
        section.try_into().map_err(|error| format!("config.toml: [game]: {error}"))
    }

    /// The last cycle with a record.
    pub fn last_cycle(&self) -> Option<&CycleMetrics> {
        self.cycles.last()
    }

    /// The cycle of the newest evaluation.
    pub fn last_evaluation(&self) -> Option<&CycleMetrics> {
        self.cycles.iter().rfind(|cycle| !cycle.ladder.is_empty())
    }

    /// Games and samples of all cycles.
    pub fn totals(&self) -> (u64, u64) {
        let games = self.cycles.iter().map(|cycle| cycle.play.games.games).sum();
        (games, self.cycles.iter().map(|cycle| cycle.play.games.samples).sum())
    }
}

/// The name of a run: of its directory, also where the path is `.`.
fn run_name(path: &Path) -> String {
    let whole = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
    whole.file_name().map_or_else(|| path.display().to_string(), |name| name.to_string_lossy().into_owned())
}

fn read_text(path: &Path, faults: &mut Vec<String>) -> Option<String> {
    let text = files::read(path).and_then(|bytes| {
        String::from_utf8(bytes)
            .map_err(|_| io::Error::new(io::ErrorKind::InvalidData, "it is no text in UTF-8"))
    });
    named(text, path, faults)
}

/// The value, or else a fault with the file's name.
fn named<T, E: fmt::Display>(result: Result<T, E>, path: &Path, faults: &mut Vec<String>) -> Option<T> {
    result.map_err(|error| faults.push(format!("{}: {}", path.display(), first_line(&error)))).ok()
}

fn first_line(error: &impl fmt::Display) -> String {
    error.to_string().lines().next().unwrap_or_default().to_owned()
}

/// The records of a file with one a line. Lines that are none become one fault a file; a last line that is
/// still being written is passed over.
fn read_lines<T: DeserializeOwned>(path: &Path, faults: &mut Vec<String>) -> Vec<T> {
    let bytes = match files::read(path) {
        Ok(bytes) => bytes,
        // A run that has just begun has none yet.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Vec::new(),
        Err(error) => {
            faults.push(format!("{}: {error}", path.display()));
            return Vec::new();
        }
    };
    let text = String::from_utf8_lossy(&bytes);
    let mut records = Vec::new();
    let mut wrong: Option<(usize, String)> = None;
    let mut count = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        match serde_json::from_str(line) {
            Ok(record) => records.push(record),
            Err(_) if !line.ends_with('\n') => {}
            Err(error) => {
                count += 1;
                wrong.get_or_insert((index + 1, error.to_string()));
            }
        }
    }
    if let Some((line, error)) = wrong {
        let more = if count > 1 { format!(" (and {} more lines)", count - 1) } else { String::new() };
        faults.push(format!("{}: line {line}: {error}{more}", path.display()));
    }
    records
}

/// What the log said last about the run as a whole, and whether a process has it.
fn status(directory: &RunDirectory, log: &[LogEntry]) -> RunStatus {
    let last = log.iter().rev().find_map(|entry| match entry.event.as_str() {
        log::FINISHED => Some(RunStatus::Finished),
        log::STOPPED => Some(RunStatus::Stopped),
        log::FAILED => Some(RunStatus::Failed),
        log::START => Some(RunStatus::Running),
        _ => None,
    });
    match last {
        None | Some(RunStatus::Running) => match lock::occupied(directory.root()) {
            Occupied::Yes => RunStatus::Running,
            Occupied::No => RunStatus::Killed,
        },
        Some(status) => status,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_read_is_named_and_the_rest_is_there() {
        let place = tempfile::tempdir().unwrap();
        assert!(matches!(RunData::read(place.path()), Err(RunDataError::NoRun(_))));
        let write = |name: &str, text: &str| fs::write(place.path().join(name), text).unwrap();
        write("config.toml", "[game]\nname = \"connect4\"\nold_key = 3\n");
        let step = r#"{"kind":"step","time":1.0,"cycle":1,"step":2,"learning_rate":0.1,"losses":{"total":1.0,"policy":1.0,"value":1.0,"margin":0.0,"policy_entropy":0.0,"target_entropy":0.0,"top1_agreement":0.0,"gradient_norm":1.0},"positions_per_second":1.0}"#;
        write("metrics.jsonl", &format!("{step}\nnonsense\n{{}}\n{step}\n{{\"kind\":\"st"));
        write(
            "log.jsonl",
            "{\"time\":1.0,\"level\":\"info\",\"event\":\"start\",\"message\":\"m\",\"seed\":1}\n",
        );
        let run = RunData::read(place.path()).unwrap();
        assert_eq!(run.steps.len(), 2);
        assert_eq!(run.status, RunStatus::Killed, "nobody has it");
        assert_eq!(run.faults.len(), 2, "{:?}", run.faults);
        assert!(run.faults[0].contains("manifest.json"), "{:?}", run.faults);
        assert!(
            run.faults[1].contains("metrics.jsonl: line 2") && run.faults[1].contains("1 more"),
            "{:?}",
            run.faults
        );
        assert!(run.game().unwrap_err().contains("old_key"));
        write("manifest.json", "{\"schema\": 99, \"starts\": []}");
        let error = RunData::read(place.path()).unwrap_err().to_string();
        assert!(error.contains("manifest.json: has schema 99, this program reads schema"), "{error}");
    }
}
