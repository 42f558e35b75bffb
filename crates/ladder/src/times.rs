//! How long pairs took.

use crate::league::{League, Match};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;
use std::io;
use std::path::{Path, PathBuf};

/// The file of times in a ladder's directory.
pub const FILE: &str = "times.json";

/// Version of the file's format.
const VERSION: u32 = 1;

/// What the pairs of each file of a ladder took, as far as somebody looked at a clock. Times are kept beside
/// the pairs and not in them: pairs are the same on every machine, times are not.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Times(BTreeMap<String, TimedPairs>);

/// Some pairs and what they took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TimedPairs {
    /// How many pairs were timed.
    pub pairs: u64,
    /// What they took together in seconds of a thread: wall-clock time times the threads at work.
    pub seconds: f64,
}

/// The file as it is written.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Written {
    version: u32,
    files: BTreeMap<String, TimedPairs>,
}

/// Why times cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum TimesError {
    /// The file system said no.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        error: io::Error,
    },
    /// It is none of these files.
    #[error("{}: {what}; it can be deleted: only times are in it", .path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What was found.
        what: String,
    },
}

impl Times {
    /// The times of a ladder's directory; none where nothing has been timed.
    ///
    /// # Errors
    /// A file that cannot be read or is none of times.
    pub fn read(directory: &Path) -> Result<Times, TimesError> {
        let path = directory.join(FILE);
        let bytes = match files::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Times::default()),
            Err(error) => return Err(TimesError::Io { path, error }),
        };
        // The version first: another one has other keys, and "unknown field" would not say so.
        let other = serde_json::from_slice::<Value>(&bytes).ok().and_then(|value| {
            let version = value.get("version")?.as_u64()?;
            (version != u64::from(VERSION)).then_some(version)
        });
        if let Some(version) = other {
            let what = format!("version {version} of the format: this program reads version {VERSION}");
            return Err(TimesError::Format { path, what });
        }
        let what = match serde_json::from_slice::<Written>(&bytes) {
            Ok(Written { version: _, files }) => {
                match files.values().find(|timed| !(0.0..1e15).contains(&timed.seconds)) {
                    None => return Ok(Times(files)),
                    Some(timed) => format!("{} seconds", timed.seconds),
                }
            }
            Err(error) => format!("no file of times: {error}"),
        };
        Err(TimesError::Format { path, what })
    }

    /// Writes the times into a ladder's directory.
    ///
    /// # Errors
    /// Any error of the file system.
    pub fn write(&self, directory: &Path) -> io::Result<()> {
        let written = Written { version: VERSION, files: self.0.clone() };
        let mut text = serde_json::to_vec_pretty(&written)?;
        text.push(b'\n');
        files::write(&directory.join(FILE), &text)
    }

    /// Adds what pairs of a match took.
    pub fn add(&mut self, path: &Path, pairs: u64, seconds: f64) {
        let timed = self.0.entry(name(path)).or_default();
        timed.pairs += pairs;
        timed.seconds += seconds;
    }

    /// What pairs of a match took, if any were timed.
    pub fn of(&self, one: &Match) -> Option<TimedPairs> {
        self.0.get(&name(&one.path)).copied().filter(|timed| timed.pairs > 0)
    }

    /// What all pairs of a league took.
    pub fn all(&self, league: &League) -> TimedPairs {
        league.matches.iter().filter_map(|one| self.of(one)).fold(TimedPairs::default(), |all, timed| {
            TimedPairs { pairs: all.pairs + timed.pairs, seconds: all.seconds + timed.seconds }
        })
    }
}

/// A file of pairs is known by its name: the ladder's directory may be moved.
fn name(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}
