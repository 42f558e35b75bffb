//! Wall-clock time, for logs and metrics only: nothing that is learned depends on them.

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

/// Minutes of work over all starts of a run, kept in `clock.json`.
#[derive(Clone, Copy, Debug)]
pub struct WorkClock {
    before: f64,
    begin: Instant,
}

/// Contents of the file.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct WorkTime {
    /// Version of this file; 1 had no such key.
    #[serde(default = "first_version")]
    schema: u32,
    minutes: f64,
}

/// Version of `clock.json`.
const SCHEMA: u32 = 2;

fn first_version() -> u32 {
    1
}

impl WorkClock {
    /// A clock that goes on from earlier minutes.
    pub fn from(minutes: f64) -> WorkClock {
        WorkClock { before: minutes, begin: Instant::now() }
    }

    /// Minutes of earlier starts; `None` where there is no such file.
    ///
    /// # Errors
    /// A file that cannot be read or understood.
    pub fn read(path: &Path) -> io::Result<Option<f64>> {
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
        let WorkTime { minutes, .. } = serde_json::from_slice(&bytes)?;
        if !(0.0..1e12).contains(&minutes) {
            return wrong(format!("{minutes} minutes of work; delete the file to count from 0"));
        }
        Ok(Some(minutes))
    }

    /// Writes the minutes so far.
    ///
    /// # Errors
    /// Any error of the file system.
    pub fn save(&self, path: &Path) -> io::Result<()> {
        let mut text = serde_json::to_vec(&WorkTime { schema: SCHEMA, minutes: self.minutes() })?;
        text.push(b'\n');
        files::write(path, &text)
    }

    /// Minutes of work so far.
    pub fn minutes(&self) -> f64 {
        self.before + self.begin.elapsed().as_secs_f64() / 60.0
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
        WorkClock::from(7.5).save(&path).unwrap();
        let minutes = WorkClock::read(&path).unwrap().unwrap();
        assert!((7.5..8.5).contains(&minutes), "{minutes}");
        std::fs::write(&path, "{\"minutes\": 4.5}").unwrap();
        assert_eq!(WorkClock::read(&path).unwrap(), Some(4.5), "the first version");
        for (text, words) in [
            ("{}", "missing field `minutes`"),
            ("{\"minutes\": -1}", "-1 minutes"),
            ("{\"schema\": 9, \"later\": 1}", "has schema 9, this program reads schemas 1 to 2"),
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
