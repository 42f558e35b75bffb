//! A match of built-in players whose pairs are kept in a file.

use crate::place::{Ended, Place};
use crate::subject::{Kept, Programs, Subject, nothing_lost, whole_lines};
use serde_json::Value;
use std::process::Command;

/// Name of the file in the directory.
const FILE: &str = "pairs.jsonl";

/// `evaluate match --save`.
pub struct Match;

impl Subject for Match {
    fn name(&self) -> &'static str {
        "match"
    }

    fn prepare(&self, place: &Place) -> std::io::Result<()> {
        std::fs::create_dir_all(place.work())
    }

    fn command(&self, programs: &Programs, place: &Place) -> Command {
        let mut command = Command::new(&programs.evaluate);
        command.args(["match", "greedy", "rollouts:40", "--game", "connect4", "--pairs", "24"]);
        command.args(["--opening-steps", "4", "--seed", "5", "--threads", "2", "--json", "--save"]);
        command.arg(format!("{}/{FILE}", place.name()));
        command
    }

    fn group(&self) -> fn(&str) -> &'static str {
        |_| "pair file"
    }

    fn check(&self, place: &Place, before: &Kept) -> Result<Kept, String> {
        nothing_lost(before, whole_lines(&place.work().join(FILE))?.into_iter().collect())
    }

    fn result(&self, _: &Programs, place: &Place, ended: &Ended) -> Result<String, String> {
        let mut lines = whole_lines(&place.work().join(FILE))?;
        // Pairs are written as they end, on several threads.
        lines.sort();
        let mut report: Value = serde_json::from_str(&ended.output).map_err(|error| error.to_string())?;
        report["seconds"] = Value::Null;
        Ok(format!("{}\n{report}", lines.join("\n")))
    }
}
