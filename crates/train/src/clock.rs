//! Wall-clock and processor time, for logs, metrics and limits: nothing else that is learned depends on them.

use net::runtime::process_seconds;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path;
use std::time::{Duration, Instant, SystemTime, UNIX_EPOCH};

/// Seconds since 1970.
pub fn unix_seconds() -> u64 {
    unix_time() as u64
}

/// Seconds since 1970 with fractions.
pub fn unix_time() -> f64 {
    SystemTime::now().duration_since(UNIX_EPOCH).map_or(0.0, |time| time.as_secs_f64())
}

/// How long a run has worked, over all starts.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct WorkTime {
    /// Minutes by the clock.
    pub minutes: f64,
    /// Minutes of processor time, of all threads together.
    pub processor_minutes: f64,
}

/// The work of a run, kept in `clock.json`.
#[derive(Clone, Copy, Debug)]
pub struct WorkClock {
    before: WorkTime,
    begin: Instant,
    begin_processor_seconds: f64,
}

/// Contents of the file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WorkFile {
    /// Version of this file; 1 had no such key.
    #[serde(default = "first_version")]
    schema: u32,
    minutes: f64,
    /// Versions 1 and 2 did not count it.
    #[serde(default)]
    processor_minutes: f64,
}

/// Version of `clock.json`.
const SCHEMA: u32 = 3;

fn first_version() -> u32 {
    1
}

impl WorkClock {
    /// A clock that goes on from the work of earlier starts.
    pub fn from(before: WorkTime) -> WorkClock {
        WorkClock { before, begin: Instant::now(), begin_processor_seconds: process_seconds() }
    }

    /// The work of earlier starts; `None` where there is no such file.
    ///
    /// # Errors
    /// A file that cannot be read or understood.
    pub fn read(path: &Path) -> io::Result<Option<WorkTime>> {
        let bytes = match files::read(path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            Err(error) => return Err(error),
        };
        let wrong = |what: String| Err(io::Error::new(io::ErrorKind::InvalidData, what));
        let found = files::schema(&bytes).unwrap_or(1);
        if !(1..=u64::from(SCHEMA)).contains(&found) {
            return wrong(format!("has schema {found}, this program reads schemas 1 to {SCHEMA}"));
        }
        let WorkFile { minutes, processor_minutes, .. } = serde_json::from_slice(&bytes)?;
        for found in [minutes, processor_minutes] {
            if !(0.0..1e12).contains(&found) {
                return wrong(format!("{found} minutes of work; delete the file to count from 0"));
            }
        }
        Ok(Some(WorkTime { minutes, processor_minutes }))
    }

    /// Writes the work so far.
    ///
    /// # Errors
    /// Any error of the file system.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        let WorkTime { minutes, processor_minutes } = self.work();
        let mut text = serde_json::to_vec(&WorkFile { schema: SCHEMA, minutes, processor_minutes })?;
        text.push(b'\n');
        files::write(path, &text)
    }

    /// The work so far.
    pub fn work(&self) -> WorkTime {
        let processor_seconds = process_seconds() - self.begin_processor_seconds;
        WorkTime {
            minutes: self.before.minutes + self.begin.elapsed().as_secs_f64() / 60.0,
            processor_minutes: self.before.processor_minutes + processor_seconds / 60.0,
        }
    }

    /// Minutes of work so far by the clock.
    pub fn minutes(&self) -> f64 {
        self.work().minutes
    }
}

/// A moment, seconds since 1970, as people write it: `2026-01-31 12:05:09 UTC`.
pub fn written(unix_time: f64) -> String {
    let seconds = if unix_time.is_finite() { unix_time.clamp(0.0, 1e11) } else { 0.0 };
    let moment = UNIX_EPOCH + Duration::from_secs_f64(seconds);
    let text = humantime::format_rfc3339_seconds(moment).to_string();
    text.replace('T', " ").replace('Z', " UTC")
}

/// A duration in a reader's words: `42s`, `3m05s`, `2h07m`.
pub fn in_words(seconds: f64) -> String {
    let whole = seconds.max(0.0).round() as u64;
    match whole {
        0..60 => format!("{whole}s"),
        60..3600 => format!("{}m{:02}s", whole / 60, whole % 60),
        _ => format!("{}h{:02}m", whole / 3600, whole % 3600 / 60),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn durations_read_well() {
        assert_eq!(in_words(41.7), "42s");
        assert_eq!(in_words(185.0), "3m05s");
        assert_eq!(in_words(7620.0), "2h07m");
    }

    #[test]
    fn a_clock_goes_on_where_it_was_saved() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("clock.json");
        assert_eq!(WorkClock::read(&path).unwrap(), None);
        let clock = WorkClock::from(WorkTime { minutes: 7.5, processor_minutes: 14.25 });
        let mut sum = 0u64;
        while clock.work().processor_minutes <= 14.25 {
            sum = std::hint::black_box(sum + 1);
        }
        clock.save(&path).unwrap();
        let work = WorkClock::read(&path).unwrap().unwrap();
        assert!((7.5..8.5).contains(&work.minutes), "{work:?}");
        assert!(work.processor_minutes > 14.25 && work.processor_minutes < 44.25, "{work:?}");
        for text in ["{\"minutes\": 4.5}", "{\"schema\": 2, \"minutes\": 4.5}"] {
            std::fs::write(&path, text).unwrap();
            let work = WorkTime { minutes: 4.5, processor_minutes: 0.0 };
            assert_eq!(WorkClock::read(&path).unwrap(), Some(work), "an earlier version");
        }
        for (text, words) in [
            ("{}", "missing field `minutes`"),
            ("{\"minutes\": -1}", "-1 minutes"),
            ("{\"schema\": 3, \"minutes\": 1, \"processor_minutes\": -2}", "-2 minutes"),
            ("{\"schema\": 9, \"later\": 1}", "has schema 9, this program reads schemas 1 to 3"),
        ] {
            std::fs::write(&path, text).unwrap();
            let error = WorkClock::read(&path).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }

    #[test]
    fn moments_are_written_in_full() {
        assert_eq!(written(1_796_005_217.3), "2026-11-30 02:20:17 UTC");
        assert_eq!(written(f64::NAN), "1970-01-01 00:00:00 UTC");
    }
}
