//! Every config that is shipped, run for a few steps.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

use std::path::Path;
use std::process::Command;

/// Overrides that make any config small; the network, the search and the ladder stay as shipped, but for
/// the numbers of games and simulations.
const SMALL: &[&str] = &[
    "limits.cycles=1",
    "limits.minutes=0",
    "selfplay.games_per_worker=4",
    "selfplay.batch_size=4",
    "selfplay.simulations={ always = 2 }",
    "window.least_samples=32",
    "training.batch=16",
    "training.reuse=0.5",
    "cycle.positions=100",
    "evaluation.every_cycles=0",
];

fn run_config(name: &str) {
    let config = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs").join(name);
    let place = tempfile::tempdir().unwrap();
    let mut command = Command::new(env!("CARGO_BIN_EXE_train"));
    command.arg("run").arg(&config).arg("--run").arg(place.path().join("run"));
    for text in SMALL {
        command.args(["--set", text]);
    }
    let output = command.output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{name}: {text}");
    assert!(text.contains("cycle 1") && text.contains("loss"), "{name}: {text}");
}

#[test]
fn connect4_quick() {
    run_config("connect4-quick.toml");
}

#[test]
fn connect4() {
    run_config("connect4.toml");
}

#[test]
fn commander_quick() {
    run_config("commander-quick.toml");
}

#[test]
fn commander_free() {
    run_config("commander-free.toml");
}

#[test]
fn commander_reference() {
    run_config("commander-reference.toml");
}

#[test]
fn commander_skirmish() {
    run_config("commander-skirmish.toml");
}

#[test]
fn commander() {
    run_config("commander.toml");
}

#[test]
fn emergo() {
    run_config("emergo.toml");
}

#[test]
fn xiangqi() {
    run_config("xiangqi.toml");
}

#[test]
fn soaks() {
    run_config("soak/connect4.toml");
    run_config("soak/commander.toml");
}

#[test]
fn no_config_is_forgotten() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs");
    let mut names: Vec<String> = std::fs::read_dir(directory)
        .unwrap()
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .filter(|name| name.ends_with(".toml"))
        .collect();
    names.sort();
    let shipped = [
        "commander-free.toml",
        "commander-quick.toml",
        "commander-reference.toml",
        "commander-skirmish.toml",
        "commander.toml",
        "connect4-quick.toml",
        "connect4.toml",
        "emergo.toml",
        "xiangqi.toml",
    ];
    assert_eq!(names, shipped);
}
