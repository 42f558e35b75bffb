//! `train list`: the runs below a directory.

use crate::arguments::ListArguments;
use crate::failure::{End, Failure};
use crate::run_data::{self, RunData};
use crate::run_summary::RunSummary;
use crate::text_table;
use anyhow::Context;
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Runs the command.
///
/// # Errors
/// A directory that is none is an input error.
pub fn list(arguments: &ListArguments) -> Result<End, Failure> {
    let mut lines = Vec::new();
    let mut unread = Vec::new();
    for path in runs(&arguments.directory)? {
        match RunData::read(&path) {
            Ok(run) => lines.push(RunSummary::of(&run)),
            Err(error) => unread.push(error.to_string()),
        }
    }
    write(&lines, &unread, arguments).context("standard output")?;
    Ok(End::Finished)
}

/// The directory itself if it is a run, and else the runs in it, by name.
fn runs(directory: &Path) -> Result<Vec<PathBuf>, Failure> {
    if run_data::is_run(directory) {
        return Ok(vec![directory.to_owned()]);
    }
    let wrong = |error: io::Error| Failure::input(format!("{}: {error}", directory.display()));
    let mut paths = Vec::new();
    for entry in fs::read_dir(directory).map_err(wrong)? {
        let path = entry.map_err(wrong)?.path();
        if run_data::is_run(&path) {
            paths.push(path);
        }
    }
    paths.sort();
    Ok(paths)
}

fn write(lines: &[RunSummary], unread: &[String], arguments: &ListArguments) -> io::Result<()> {
    let mut out = io::stdout().lock();
    if arguments.json {
        serde_json::to_writer(&mut out, &serde_json::json!({"runs": lines, "unread": unread}))?;
        writeln!(out)?;
        return out.flush();
    }
    if lines.is_empty() && unread.is_empty() {
        writeln!(out, "no runs in {}", arguments.directory.display())?;
    }
    let heading = ["run", "game", "cycles", "work", "games", "state", "alarms", "newest results"];
    let mut rows = vec![heading.map(str::to_owned).to_vec()];
    for line in lines {
        rows.push(vec![
            line.run.clone(),
            line.game.clone().unwrap_or_else(|| "?".to_owned()),
            line.cycles.to_string(),
            line.work(),
            line.games.to_string(),
            line.status.to_string(),
            line.alarms.to_string(),
            line.results(),
        ]);
    }
    if !lines.is_empty() {
        text_table::write(&mut out, &rows)?;
    }
    for fault in unread.iter().chain(lines.iter().flat_map(|line| &line.faults)) {
        writeln!(out, "could not be read: {fault}")?;
    }
    out.flush()
}
