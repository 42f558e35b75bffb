//! The structured log: one JSON object a line in `log.jsonl`, and the same in words on standard error.

use crate::clock;
use crate::progress::Progress;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::Path;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// Event of the entry that a start of the program writes when it begins to work.
pub const START: &str = "start";
/// Event of the last entry of a run that reached a limit.
pub const FINISHED: &str = "finished";
/// Event of the last entry of a run that a user stopped.
pub const STOPPED: &str = "stopped";
/// Event of the last entry of a run that an error stopped.
pub const FAILED: &str = "failed";

/// How much an entry matters.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Level {
    /// Only in the file.
    Detail,
    /// What a user wants to see pass.
    Info,
    /// Something that went wrong without stopping the run.
    Warning,
    /// What stopped the run; the program itself shows it as its last line.
    Error,
}

/// One entry of the log.
#[derive(Debug, Serialize)]
struct Entry<'a> {
    time: f64,
    level: Level,
    event: &'a str,
    message: &'a str,
    #[serde(flatten)]
    fields: Map<String, Value>,
}

/// An entry as readers see it.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct LogEntry {
    /// Seconds since 1970.
    pub time: f64,
    /// How much it matters.
    pub level: Level,
    /// One word for programs.
    pub event: String,
    /// One line for people.
    pub message: String,
    /// Everything else.
    #[serde(flatten)]
    pub fields: Map<String, Value>,
}

/// The log of a run. Clones write into the same file.
#[derive(Clone)]
pub struct Log {
    file: Arc<Mutex<File>>,
    /// Whether the user was told that the file cannot be written; once is enough.
    told: Arc<AtomicBool>,
    progress: Progress,
}

impl Log {
    /// Opens the log file of a run, after what is there already; a last line that was cut off is removed.
    ///
    /// # Errors
    /// Any error of the file system.
    pub fn open(path: &Path, progress: Progress) -> io::Result<Log> {
        let file = OpenOptions::new().create(true).append(true).open(path)?;
        let bytes = files::read(path)?;
        if bytes.last().is_some_and(|&byte| byte != b'\n') {
            let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |place| place + 1);
            file.set_len(whole as u64)?;
        }
        Ok(Log { file: Arc::new(Mutex::new(file)), told: Arc::default(), progress })
    }

    /// Writes an entry. `event` is one word for programs, `message` one line for people, `fields` an
    /// object (anything else is left out).
    ///
    /// An error of the file system is shown and does not stop the run: a full disk stops it where it
    /// matters, at the next shard or checkpoint.
    pub fn write(&self, level: Level, event: &str, message: &str, fields: Value) {
        let fields = match fields {
            Value::Object(fields) => fields,
            _ => Map::new(),
        };
        match level {
            Level::Detail | Level::Error => {}
            Level::Info => self.progress.say(message),
            Level::Warning => self.progress.say(&format!("warning: {message}")),
        }
        let entry = Entry { time: clock::unix_time(), level, event, message, fields };
        let written = serde_json::to_string(&entry).map_err(io::Error::from).and_then(|mut line| {
            line.push('\n');
            // A poisoned lock means that another writer panicked; the file is as usable as before.
            append(&mut self.file.lock().unwrap_or_else(PoisonError::into_inner), line.as_bytes())
        });
        if let Err(error) = written
            && level != Level::Error
            && !self.told.swap(true, Ordering::Relaxed)
        {
            self.progress.say(&format!("warning: log.jsonl: {error}"));
        }
    }

    /// An entry for the file alone.
    pub fn detail(&self, event: &str, message: &str, fields: Value) {
        self.write(Level::Detail, event, message, fields);
    }

    /// An entry that users see.
    pub fn info(&self, event: &str, message: &str, fields: Value) {
        self.write(Level::Info, event, message, fields);
    }

    /// A warning.
    pub fn warning(&self, event: &str, message: &str, fields: Value) {
        self.write(Level::Warning, event, message, fields);
    }
}

/// Adds a line; where that fails, nothing of it stays, so that a later one does not stand behind half of it.
fn append(file: &mut File, line: &[u8]) -> io::Result<()> {
    let before = file.metadata()?.len();
    file.write_all(line).inspect_err(|_| {
        // The first error matters more than one of cleaning up.
        let _ = file.set_len(before);
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn entries_are_one_json_object_a_line() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join("log.jsonl");
        let log = Log::open(&path, Progress::silent()).unwrap();
        log.info("start", "begins\nhere", json!({"seed": 7}));
        // A kill in the middle of a line.
        OpenOptions::new().append(true).open(&path).unwrap().write_all(b"{\"time\":").unwrap();
        let log = Log::open(&path, Progress::silent()).unwrap();
        log.clone().detail("end", "ends", Value::Null);
        let text = std::fs::read_to_string(&path).unwrap();
        let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let first: LogEntry = serde_json::from_str(text.lines().next().unwrap()).unwrap();
        assert_eq!((first.level, first.message.as_str()), (Level::Info, "begins\nhere"));
        assert_eq!(first.fields["seed"], 7);
        assert_eq!(lines.len(), 2);
        assert_eq!(lines[0]["event"], "start");
        assert_eq!(lines[0]["seed"], 7);
        assert_eq!(lines[1]["level"], "detail");
    }
}
