//! A gate before self-play, on tiny runs of Connect Four.

#![allow(clippy::unwrap_used)] // Helpers of tests may unwrap as tests do.

mod support;

use serde_json::Value;
use std::fs;
use std::path::Path;
use support::{Place, TINY, checkpoints, metrics, weights};

/// A config with a gate; `elo0` and `elo1` so far apart from what is true that a few pairs decide. A network that is
/// no better than `elo0` passes with probability `alpha`.
fn gated(elo0: i32, elo1: i32, alpha: f64) -> String {
    format!(
        "{TINY}\n[checkpoint]\nevery_cycles = 10\nkeep = {{ recent = {{ count = 1, milestone = 0 }} }}\n\
         [cycle.gate.sequential-test]\nsimulations = 2\nopening_turns = 4\nelo0 = {elo0}\nelo1 = {elo1}\n\
         alpha = {alpha}\nbeta = 0.4\nmost_pairs = 60\n"
    )
}

fn gates(run: &Path) -> Vec<Value> {
    let records = metrics(run);
    records.iter().filter(|record| !record["gate"].is_null()).map(|record| record["gate"].clone()).collect()
}

fn playing(run: &Path, checkpoint: &str) -> Value {
    let state = fs::read(run.join("checkpoints").join(checkpoint).join("state.json")).unwrap();
    serde_json::from_slice::<Value>(&state).unwrap()["extra"]["playing"].clone()
}

/// All moves of the games that were played, in their order.
fn games(run: &Path) -> Vec<Vec<u8>> {
    let mut paths: Vec<_> = fs::read_dir(run.join("games"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_file())
        .collect();
    paths.sort();
    paths.iter().map(|path| fs::read(path).unwrap()).collect()
}

#[test]
fn a_network_that_is_held_back_does_not_play() {
    let one = ["--set", "cycle.workers=1", "--precision", "fp32", "--cycles", "3"];
    // H0 is true by far, and accepted.
    let held = Place::new(&gated(100, 200, 1e-6));
    held.done(&[["--run", "run"].as_slice(), &one].concat());
    let run = held.path("run");
    let results = gates(&run);
    assert_eq!(results.len(), 3);
    for gate in &results {
        assert_eq!((&gate["playing"], &gate["passed"]), (&0.into(), &false.into()), "{gate}");
        assert_eq!(gate["verdict"], "h0");
    }
    assert_eq!(playing(&run, "000003"), 0);
    assert_ne!(weights(&run, "000000"), weights(&run, "000003"), "training goes on");
    // The same games as those of a run that never trains.
    let never = Place::new(&format!("{TINY}\n"));
    never.done(&[["--run", "run", "--set", "window.least_samples=1000000"].as_slice(), &one].concat());
    assert_eq!(games(&run), games(&never.path("run")));
    // Without the gate they are others.
    let open = Place::new(&format!("{TINY}\n"));
    open.done(&[["--run", "run"].as_slice(), &one].concat());
    assert_ne!(games(&run), games(&open.path("run")));
}

#[test]
fn a_network_that_passes_takes_over_and_its_checkpoint_stays() {
    // H1 is true by far.
    let place = Place::new(&gated(-200, -100, 0.4));
    let run = place.path("run");
    let text = place.done(&["--run", "run", "--cycles", "1", "--set", "evaluation.every_cycles=0"]);
    assert!(text.contains("takes over"), "{text}");
    assert_eq!(playing(&run, "000001"), 1);
    // Now one that lets nobody pass, since 60 pairs that are all won cannot tell 190 from 200 points: the network of
    // cycle 1 goes on playing, and is kept.
    let closed =
        ["elo0=190", "elo1=200", "alpha=0.000001"].map(|key| format!("cycle.gate.sequential-test.{key}"));
    place.done(&[
        "--run",
        "run",
        "--resume",
        "--cycles",
        "4",
        "--set",
        &closed[1],
        "--set",
        &closed[0],
        "--set",
        &closed[2],
        "--set",
        "evaluation.every_cycles=0",
    ]);
    assert_eq!(playing(&run, "000004"), 1);
    assert_eq!(checkpoints(&run), ["000000", "000001", "000004"]);
    let last = gates(&run).pop().unwrap();
    assert_eq!((&last["playing"], &last["passed"]), (&1.into(), &false.into()));
    // Without a gate the newest network plays again.
    place.done(&["--run", "run", "--resume", "--cycles", "5", "--set", "cycle.gate=open"]);
    assert!(playing(&run, "000005").is_null());
}

#[test]
fn all_faults_of_a_gate_are_named() {
    let place = Place::new(&gated(50, 50, 0.4));
    let text = place.refused(&["--run", "run", "--set", "cycle.gate.sequential-test.most_pairs=0"]);
    for part in ["cycle.gate.sequential-test.elo0", "cycle.gate.sequential-test.most_pairs"] {
        assert!(text.contains(part), "{part}: {text}");
    }
}
