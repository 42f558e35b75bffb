//! A training run of Connect Four with a tiny network.

use crate::place::{Ended, Place, files_below};
use crate::subject::{Kept, Programs, Subject, nothing_lost, whole_lines};
use selfplay::ShardReader;
use serde_json::Value;
use std::path::Path;
use std::process::Command;

const CONFIG: &str = include_str!("training.toml");
/// Cycles of a run.
const CYCLES: u64 = 4;

/// With one worker in deterministic mode, which ends like a run that nobody disturbed, or with more of them, which
/// keep every game that was finished.
pub struct Training {
    /// Workers of self-play.
    pub workers: usize,
}

impl Training {
    fn is_deterministic(&self) -> bool {
        self.workers == 1
    }
}

impl Subject for Training {
    fn name(&self) -> &'static str {
        if self.is_deterministic() { "training" } else { "training-workers" }
    }

    fn prepare(&self, place: &Place) -> std::io::Result<()> {
        std::fs::write(place.path().join("config.toml"), CONFIG)
    }

    fn command(&self, programs: &Programs, place: &Place) -> Command {
        let mut command = Command::new(&programs.train);
        command.args(["run", "config.toml", "--run", place.name()]);
        command.args(["--set", &format!("cycle.workers={}", self.workers)]);
        command.args(["--set", &format!("deterministic={}", self.is_deterministic())]);
        if place.work().join("config.toml").exists() {
            command.arg("--resume");
        }
        command
    }

    fn group(&self) -> fn(&str) -> &'static str {
        |site| match site.split('/').next().unwrap_or_default() {
            "games" if site.starts_with("games/unfinished") => "games under way",
            "games" => "shards",
            "checkpoints" => "checkpoints",
            "metrics.jsonl" | "metrics.jsonl.partial" => "metrics lines",
            "report.html" | "report.html.partial" => "report",
            "eval" => "evaluations",
            "tb" | "log.jsonl" => "log and TensorBoard",
            _ => "config, manifest, clock and lock",
        }
    }

    fn check(&self, place: &Place, before: &Kept) -> Result<Kept, String> {
        let run = place.work();
        whole_lines(&run.join("log.jsonl"))?;
        whole_lines(&run.join("metrics.jsonl"))?;
        let games = games(&run)?;
        // In deterministic mode a cycle that was cut off is played again.
        if self.is_deterministic() { Ok(games) } else { nothing_lost(before, games) }
    }

    fn result(&self, programs: &Programs, place: &Place, _: &Ended) -> Result<String, String> {
        let run = place.work();
        let left_over = |path: &Path| {
            let ending = path.extension().and_then(|ending| ending.to_str());
            matches!(ending, Some("partial" | "part" | "open" | "removed" | "replaced"))
        };
        let left =
            files_below(&run).into_iter().find(|path| path.components().any(|part| left_over(part.as_ref())));
        if let Some(left) = left {
            return Err(format!("{} is left over", left.display()));
        }
        let cycles: Vec<u64> = whole_lines(&run.join("metrics.jsonl"))?
            .iter()
            .filter_map(|line| serde_json::from_str::<Value>(line).ok())
            .filter(|record| record["kind"] == "cycle")
            .filter_map(|record| record["cycle"].as_u64())
            .collect();
        if cycles != (0..=CYCLES).collect::<Vec<u64>>() {
            return Err(format!("the metrics have the cycles {cycles:?}"));
        }
        for (command, arguments) in [("report", &[place.name()]), ("list", &["."])] {
            let output =
                Command::new(&programs.train).arg(command).args(arguments).current_dir(place.path()).output();
            let output = output.map_err(|error| error.to_string())?;
            if !output.status.success() {
                return Err(format!("train {command}: {}", String::from_utf8_lossy(&output.stderr)));
            }
        }
        if !self.is_deterministic() {
            return Ok("complete".to_owned());
        }
        let output = Command::new(&programs.train)
            .args(["digest", place.name(), "--json"])
            .current_dir(place.path())
            .output()
            .map_err(|error| error.to_string())?;
        let mut text = String::from_utf8_lossy(&output.stdout).into_owned();
        if !output.status.success() {
            return Err(format!("train digest: {}", String::from_utf8_lossy(&output.stderr)));
        }
        for cycle in (0..=CYCLES).step_by(2) {
            let path = run.join(format!("eval/{cycle:06}.json"));
            text +=
                &std::fs::read_to_string(&path).map_err(|error| format!("{}: {error}", path.display()))?;
        }
        Ok(text)
    }
}

/// Numbers of all games that can be read; closed shards are whole, and no game is there twice.
fn games(run: &Path) -> Result<Kept, String> {
    let mut ids = Kept::new();
    for path in selfplay::shard_paths(&run.join("games")).unwrap_or_default() {
        let closed = path.extension().is_some_and(|ending| ending == "shard");
        let mut reader = match ShardReader::open(&path) {
            Ok(reader) => reader,
            // Cut off within its head.
            Err(_) if !closed => continue,
            Err(error) => return Err(error.to_string()),
        };
        while let Some(block) = reader.next_block().map_err(|error| error.to_string())? {
            match block {
                Ok(games) => {
                    for game in games {
                        if !ids.insert(game.id.to_string()) {
                            return Err(format!("game {} is there twice", game.id));
                        }
                    }
                }
                Err(_) if !closed => {}
                Err(fault) => return Err(fault.to_string()),
            }
        }
    }
    Ok(ids)
}
