//! The page of one run: `report.html`, which opens without a network.
//!
//! `charts.rs` are the curves, `sample_games.rs` the games to step through, `facts.rs` what the run is.

mod charts;
mod facts;
mod sample_games;

pub use charts::{Over, overlay};

use crate::alarm::AlarmName;
use crate::arguments::ReportArguments;
use crate::clock;
use crate::failure::{End, Failure};
use crate::progress::Progress;
use crate::run_data::{RunData, RunDataError};
use report::{Html, Level, Notice, Page, Section};
use std::io;
use std::path::{Path, PathBuf};

/// Name of the page in a run directory.
pub const FILE: &str = "report.html";
/// Alarms that are shown; the newest ones.
const MOST_ALARMS: usize = 30;

/// Why a report cannot be written.
#[derive(Debug, thiserror::Error)]
pub enum ReportError {
    /// There is no run to report on.
    #[error(transparent)]
    Run(#[from] RunDataError),
    /// The file cannot be written.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// Runs the command `train report`.
///
/// # Errors
/// A directory that is no run is an input error.
pub fn report(arguments: &ReportArguments, progress: &Progress) -> Result<End, Failure> {
    let written = write(&arguments.directory, arguments.out.as_deref());
    let (path, faults) = written.map_err(|error| match error {
        ReportError::Run(error) => Failure::input(error),
        error @ ReportError::Io { .. } => Failure::Work(anyhow::anyhow!("{error}")),
    })?;
    for fault in faults {
        progress.say(&format!("warning: could not be read: {fault}"));
    }
    progress.say(&path.display().to_string());
    Ok(End::Finished)
}

/// Reads the run in `directory` and writes its page to `out`, or else into the run directory; returns the
/// page's path and what could not be read. The page is there whole or as it was before.
///
/// # Errors
/// No run, or a file that cannot be written.
pub fn write(directory: &Path, out: Option<&Path>) -> Result<(PathBuf, Vec<String>), ReportError> {
    let run = RunData::read(directory)?;
    let (page, faults) = page(&run);
    let path = out.map_or_else(|| directory.join(FILE), Path::to_owned);
    match files::write(&path, page.to_html().as_bytes()) {
        Ok(()) => Ok((path, faults)),
        Err(source) => Err(ReportError::Io { path, source }),
    }
}

/// The page of a run, and what could not be read of it.
pub fn page(run: &RunData) -> (Page, Vec<String>) {
    let games = sample_games::read(run);
    let mut faults = run.faults.clone();
    faults.extend(games.faults.iter().cloned());
    let page = Page {
        title: run.name.clone(),
        subtitle: facts::subtitle(run),
        foot: format!(
            "Garrison {}, written {}. This file is complete in itself.",
            env!("CARGO_PKG_VERSION"),
            clock::written(clock::unix_time())
        ),
        sections: [
            Some(Section::new("Overview").whole(facts::tiles(run)).whole(notices(run, &faults))),
            Some(charts::strength(run)),
            charts::gate(run),
            Some(charts::learning(run)),
            Some(charts::self_play(run, &games.lengths)),
            Some(games.section()),
            Some(charts::speed(run)),
            Some(facts::section(run)),
        ]
        .into_iter()
        .flatten()
        .collect(),
    };
    (page, faults)
}

/// Alarms, newest first, and what could not be read.
fn notices(run: &RunData, faults: &[String]) -> Html {
    let mut html = Html::default();
    for alarm in run.alarms.iter().rev().take(MOST_ALARMS) {
        let title = format!("{}, cycle {}: {}", alarm.name, alarm.cycle, alarm.message);
        let text = format!("What to try: {}.", alarm.what_to_try);
        let level = if alarm.name == AlarmName::NonFinite { Level::Fault } else { Level::Warning };
        html = html.and(Notice::new(level, title, text).to_html());
    }
    let hidden = run.totals.alarms.saturating_sub(MOST_ALARMS);
    if hidden > 0 {
        html = html.and(Html::paragraph(&format!("{hidden} earlier alarms are in metrics.jsonl.")));
    }
    for fault in faults {
        html = html.and(Notice::new(Level::Fault, "could not be read", fault.as_str()).to_html());
    }
    if run.alarms.is_empty() && faults.is_empty() {
        let text = "Draws, lengths, repeated games, entropy, values, strength and numbers are watched.";
        html = html.and(Notice::new(Level::Good, "No alarms", text).to_html());
    }
    html
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_run_without_anything_but_its_config_has_a_page() {
        let place = tempfile::tempdir().unwrap();
        std::fs::write(place.path().join("config.toml"), "[game]\nname = \"<b>\"\n").unwrap();
        assert!(write(place.path(), None).is_err(), "a config alone is no run");
        std::fs::create_dir(place.path().join("games")).unwrap();
        let (path, faults) = write(place.path(), None).unwrap();
        let html = std::fs::read_to_string(path).unwrap();
        assert!(html.contains("nothing yet") && html.contains("could not be read"));
        assert!(!html.contains("<b>"));
        assert!(faults.iter().any(|fault| fault.contains("manifest.json")), "{faults:?}");
        assert!(faults.iter().any(|fault| fault.contains("unknown game `<b>`")), "{faults:?}");
        let missing = place.path().join("nowhere");
        assert!(write(&missing, None).unwrap_err().to_string().contains("no run is there"));
    }
}
