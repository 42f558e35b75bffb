//! The program as its users run it, on tiny runs of Connect Four.

#![allow(clippy::unwrap_used)] // Helpers of tests may unwrap as tests do.
#![allow(dead_code)] // Each test program uses a part of it.

use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::time::{Duration, Instant};

/// A config that trains two cycles of Connect Four in a second or two.
pub const TINY: &str = r#"
seed = 3
[game]
name = "connect4"
[limits]
cycles = 2
[net]
blocks = 1
channels = 8
[selfplay]
games_per_worker = 8
batch_size = 8
simulations = { always = 4 }
[window]
least_samples = 100
[training]
batch = 32
reuse = 1.0
metrics_every = 2
[cycle]
positions = 200
[evaluation]
every_cycles = 2
opening_turns = 4
ladder = [{ opponent = "random", pairs = 2, simulations = 2 }, { opponent = "first", pairs = 2, simulations = 2 }]
"#;

/// A directory with a config in it.
pub struct Place {
    directory: tempfile::TempDir,
}

impl Place {
    pub fn new(config: &str) -> Place {
        let directory = tempfile::tempdir().unwrap();
        fs::write(directory.path().join("config.toml"), config).unwrap();
        Place { directory }
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// `train run` with the config and further arguments, in this directory.
    pub fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_train"));
        command.current_dir(self.directory.path()).args(["run", "config.toml"]).args(arguments);
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Output {
        self.command(arguments).output().unwrap()
    }

    /// Runs and asks for success.
    pub fn done(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{text}");
        assert!(output.stdout.is_empty(), "standard output is for results alone");
        text
    }

    /// Runs and asks for exit code 2 and one line that says why.
    pub fn refused(&self, arguments: &[&str]) -> String {
        let output = self.run(arguments);
        let text = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(2), "{text}");
        assert_eq!(text.trim_end().lines().count(), 1, "{text}");
        text
    }
}

pub fn metrics(run: &Path) -> Vec<Value> {
    let text = fs::read_to_string(run.join("metrics.jsonl")).unwrap();
    text.lines().map(|line| serde_json::from_str(line).unwrap()).collect()
}

pub fn cycles(run: &Path) -> Vec<u64> {
    let is_cycle = |record: &&Value| record["kind"] == "cycle";
    metrics(run).iter().filter(is_cycle).map(|record| record["cycle"].as_u64().unwrap()).collect()
}

pub fn checkpoints(run: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(run.join("checkpoints"))
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect();
    names.sort();
    names
}

pub fn weights(run: &Path, checkpoint: &str) -> Vec<u8> {
    fs::read(run.join("checkpoints").join(checkpoint).join("weights.safetensors")).unwrap()
}

/// Waits for something that a running process does.
pub fn wait_until(what: &str, mut happened: impl FnMut() -> bool) {
    let begin = Instant::now();
    while !happened() {
        assert!(begin.elapsed() < Duration::from_secs(120), "{what} did not happen");
        std::thread::sleep(Duration::from_millis(5));
    }
}

/// Whether a run is playing a cycle after the first one and has finished games of it.
pub fn plays_second_cycle(run: &Path) -> bool {
    run.join("checkpoints/000001/state.json").is_file() && has_open_shard(run)
}

pub fn has_open_shard(run: &Path) -> bool {
    fs::read_dir(run.join("games")).is_ok_and(|entries| {
        entries.flatten().any(|entry| entry.path().extension().is_some_and(|end| end == "open"))
    })
}

/// The alarms in a run's metrics.
pub fn alarms(run: &Path) -> Vec<Value> {
    metrics(run).into_iter().filter(|record| record["kind"] == "alarm").collect()
}

/// Checksums of a run at its newest complete checkpoint.
pub fn digest(run: &Path) -> train::digest::Digest {
    train::digest::Digest::of(&train::run_directory::RunDirectory::new(run), None).unwrap()
}

/// Whether steps of this cycle, or of any later one, were trained and the cycle has no record yet.
pub fn training_under_way(run: &Path, cycle: u64) -> bool {
    let text = fs::read_to_string(run.join("metrics.jsonl")).unwrap_or_default();
    // The last line may be half-written at this moment.
    let last = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok()).next_back();
    last.is_some_and(|record| record["kind"] == "step" && record["cycle"].as_u64() >= Some(cycle))
}
