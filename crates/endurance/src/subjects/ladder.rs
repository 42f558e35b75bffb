//! A ladder of built-in players.

use crate::place::{Ended, Place, files_below};
use crate::subject::{Kept, Programs, Subject, nothing_lost, whole_lines};
use serde_json::Value;
use std::path::Path;
use std::process::Command;

/// Pairs of the whole ladder.
const PAIRS: usize = 24;

/// `evaluate ladder`.
pub struct Ladder;

impl Subject for Ladder {
    fn name(&self) -> &'static str {
        "ladder"
    }

    fn command(&self, programs: &Programs, place: &Place) -> Command {
        // What is not there yet of all the pairs.
        let there = pairs(&place.work()).map_or(0, |pairs| pairs.len());
        let mut command = Command::new(&programs.evaluate);
        command.args([
            "ladder",
            "greedy",
            "alphabeta:1",
            "rollouts:10",
            "--game",
            "connect4",
            "--block",
            "4",
        ]);
        command.args([
            "--opening-steps",
            "4",
            "--seed",
            "5",
            "--threads",
            "1",
            "--json",
            "--dir",
            place.name(),
        ]);
        command.args(["--pairs", &PAIRS.saturating_sub(there).to_string()]);
        command
    }

    fn group(&self) -> fn(&str) -> &'static str {
        |site| if site.starts_with("pairs") { "pair files" } else { "standings and times" }
    }

    fn check(&self, place: &Place, before: &Kept) -> Result<Kept, String> {
        nothing_lost(before, pairs(&place.work())?)
    }

    /// Who plays next depends on what was played, and a block that was cut off is chosen anew: the pairs differ
    /// from those of an undisturbed ladder, their number does not.
    fn result(&self, _: &Programs, place: &Place, ended: &Ended) -> Result<String, String> {
        let standings = place.work().join("ladder.json");
        let text = std::fs::read_to_string(&standings).map_err(|error| error.to_string())?;
        let written: Value = serde_json::from_str(&text).map_err(|error| error.to_string())?;
        let printed: Value = serde_json::from_str(&ended.output).map_err(|error| error.to_string())?;
        if written != printed {
            return Err("the standings that were printed are not those that were written".to_owned());
        }
        // A `.partial` that could not be finished may stay until its file is written the next time.
        Ok(format!("{} pairs", pairs(&place.work())?.len()))
    }
}

/// All pairs of all files.
fn pairs(ladder: &Path) -> Result<Kept, String> {
    let mut kept = Kept::new();
    for name in files_below(&ladder.join("pairs")) {
        for line in whole_lines(&ladder.join("pairs").join(&name))?.into_iter().skip(1) {
            kept.insert(format!("{} {line}", name.display()));
        }
    }
    Ok(kept)
}
