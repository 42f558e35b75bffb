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
use crate::thinned::Thinned;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::collections::VecDeque;
use std::fmt;
use std::fs;
use std::io::{self, BufRead, BufReader};
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
    /// Records of training intervals, in order; of a long run some of them, evenly spread.
    pub steps: Vec<StepMetrics>,
    /// Records of cycles, in order; of a long run some of them, evenly spread, and always the last one and the last
    /// one with an evaluation.
    pub cycles: Vec<CycleMetrics>,
    /// Of all cycles.
    pub totals: Totals,
    /// What should worry the reader, oldest first; the newest thousand.
    pub alarms: Vec<Alarm>,
    /// What the run is doing.
    pub status: RunStatus,
    /// Files and lines that could not be read, and why.
    pub faults: Vec<String>,
}

/// Most records of each kind that are kept of a run: what a curve can show. A page is written after each cycle of
/// runs that last for months, which must neither take more and more memory nor make larger and larger pages.
const MOST_RECORDS: usize = 400;

/// Most alarms that are kept.
const MOST_ALARMS: usize = 1000;

/// What has come together in all cycles of a run.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Games that self-play finished.
    pub games: u64,
    /// Their samples.
    pub samples: u64,
    /// Alarms that rang.
    pub alarms: usize,
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
            totals: Totals::default(),
            alarms: Vec::new(),
            status: RunStatus::Killed,
            faults: Vec::new(),
            directory,
        };
        run.read_metrics(&mut faults);
        run.status = status(&run.directory, &mut faults);
        run.faults = faults;
        Ok(run)
    }

    fn read_metrics(&mut self, faults: &mut Vec<String>) {
        let mut steps = Thinned::new(MOST_RECORDS);
        // Evaluations and networks that took over are rare and what most readers come for: they are thinned by
        // themselves, so that the last evaluation is always there.
        let [mut evaluated, mut passed, mut others] = [(); 3].map(|()| Thinned::new(MOST_RECORDS));
        let mut alarms = VecDeque::new();
        let (totals, mut cycles) = (&mut self.totals, 0);
        read_lines(&self.directory.metrics(), faults, |metric| match metric {
            Metric::Step(metrics) => steps.push(metrics),
            Metric::Cycle(metrics) => {
                totals.games += metrics.play.games.games;
                totals.samples += metrics.play.games.samples;
                let list = if !metrics.ladder.is_empty() {
                    &mut evaluated
                } else if metrics.gate.as_ref().is_some_and(|gate| gate.passed) {
                    &mut passed
                } else {
                    &mut others
                };
                list.push((cycles, *metrics));
                cycles += 1;
            }
            Metric::Alarm(alarm) => {
                totals.alarms += 1;
                if alarms.len() == MOST_ALARMS {
                    alarms.pop_front();
                }
                alarms.push_back(alarm);
            }
        });
        let mut cycles: Vec<(u64, CycleMetrics)> = evaluated.into_records();
        cycles.extend([passed, others].into_iter().flat_map(Thinned::into_records));
        cycles.sort_by_key(|&(index, _)| index);
        self.cycles = cycles.into_iter().map(|(_, metrics)| metrics).collect();
        self.steps = steps.into_records();
        self.alarms = alarms.into();
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

/// Takes the records of a file with one a line, one after the other. Lines that are none become one fault a file; a
/// last line that is still being written is passed over.
fn read_lines<T: DeserializeOwned>(path: &Path, faults: &mut Vec<String>, mut take: impl FnMut(T)) {
    let mut file = match files::open(path) {
        Ok(file) => BufReader::new(file),
        // A run that has just begun has none yet.
        Err(error) if error.kind() == io::ErrorKind::NotFound => return,
        Err(error) => {
            faults.push(format!("{}: {error}", path.display()));
            return;
        }
    };
    let mut line = Vec::new();
    let mut wrong: Option<(usize, String)> = None;
    let mut count = 0;
    for number in 1.. {
        line.clear();
        match file.read_until(b'\n', &mut line) {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) => {
                faults.push(format!("{}: line {number}: {error}", path.display()));
                break;
            }
        }
        match serde_json::from_slice(&line) {
            Ok(record) => take(record),
            Err(_) if !line.ends_with(b"\n") => {}
            Err(error) => {
                count += 1;
                wrong.get_or_insert((number, error.to_string()));
            }
        }
    }
    if let Some((line, error)) = wrong {
        let more = if count > 1 { format!(" (and {} more lines)", count - 1) } else { String::new() };
        faults.push(format!("{}: line {line}: {error}{more}", path.display()));
    }
}

/// What the log said last about the run as a whole, and whether a process has it.
fn status(directory: &RunDirectory, faults: &mut Vec<String>) -> RunStatus {
    let mut last = None;
    read_lines(&directory.log(), faults, |entry: LogEntry| match entry.event.as_str() {
        log::FINISHED => last = Some(RunStatus::Finished),
        log::STOPPED => last = Some(RunStatus::Stopped),
        log::FAILED => last = Some(RunStatus::Failed),
        log::START => last = Some(RunStatus::Running),
        _ => {}
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
    use crate::metrics::LadderMetrics;

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
    #[test]
    fn a_long_run_is_read_in_bounded_memory_with_all_its_sums() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("metrics.jsonl");
        let mut text = String::new();
        let cycles = 3 * MOST_RECORDS as u64 + 7;
        for cycle in 1..=cycles {
            let mut metrics = CycleMetrics { cycle, ..CycleMetrics::default() };
            metrics.play.games.games = 2;
            metrics.play.games.samples = 50;
            if cycle % 50 == 1 {
                metrics.ladder.push(LadderMetrics::default());
            }
            text += &serde_json::to_string(&Metric::Cycle(Box::new(metrics))).unwrap();
            text.push('\n');
        }
        fs::write(&path, text).unwrap();
        let run = RunData::read(place.path()).unwrap();
        assert_eq!(run.totals, Totals { games: 2 * cycles, samples: 50 * cycles, alarms: 0 });
        assert!(run.cycles.len() <= 2 * MOST_RECORDS && run.cycles.len() >= MOST_RECORDS / 2);
        assert!(run.cycles.is_sorted_by_key(|metrics| metrics.cycle));
        assert_eq!(run.last_cycle().unwrap().cycle, cycles);
        let evaluated: Vec<u64> = run
            .cycles
            .iter()
            .filter(|metrics| !metrics.ladder.is_empty())
            .map(|metrics| metrics.cycle)
            .collect();
        assert_eq!(evaluated, (1..=cycles).filter(|cycle| cycle % 50 == 1).collect::<Vec<_>>());
    }
}
