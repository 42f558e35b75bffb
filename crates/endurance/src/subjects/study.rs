//! A small study of opening deployments, played by the greedy player.

use crate::place::{Ended, Place};
use crate::subject::{Kept, Programs, Subject, nothing_lost, whole_lines};
use std::process::Command;

const CONFIG: &str = include_str!("study.toml");

/// `study deployments`.
pub struct Study;

impl Subject for Study {
    fn name(&self) -> &'static str {
        "study"
    }

    fn prepare(&self, place: &Place) -> std::io::Result<()> {
        std::fs::write(place.path().join("study.toml"), CONFIG)
    }

    fn command(&self, programs: &Programs, place: &Place) -> Command {
        let mut command = Command::new(&programs.study);
        command.args(["deployments", "study.toml", "--run", place.name(), "--threads", "2"]);
        if place.work().join("config.toml").exists() {
            command.arg("--resume");
        }
        command
    }

    fn group(&self) -> fn(&str) -> &'static str {
        |site| match site {
            "games.jsonl" => "study record",
            _ => "config, findings, page and tables",
        }
    }

    fn check(&self, place: &Place, before: &Kept) -> Result<Kept, String> {
        nothing_lost(before, whole_lines(&place.work().join("games.jsonl"))?.into_iter().collect())
    }

    fn result(&self, _: &Programs, place: &Place, _: &Ended) -> Result<String, String> {
        let findings = place.work().join("findings.json");
        let text = std::fs::read_to_string(findings).map_err(|error| error.to_string())?;
        let mut lines = whole_lines(&place.work().join("games.jsonl"))?;
        lines.sort();
        Ok(format!("{text}\n{}", lines.join("\n")))
    }
}
