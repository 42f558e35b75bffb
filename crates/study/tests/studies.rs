//! The program as users call it, on the built-in players and on an untrained network.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

use serde_json::Value;
use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn study(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_study")).args(arguments).current_dir(root()).output().unwrap()
}

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

fn json(arguments: &[&str]) -> Value {
    let output = study(arguments);
    assert!(output.status.success(), "{arguments:?}: {}", text(&output.stderr));
    serde_json::from_slice(&output.stdout).unwrap()
}

fn findings(directory: &Path) -> Value {
    serde_json::from_slice(&std::fs::read(directory.join("findings.json")).unwrap()).unwrap()
}

#[test]
fn the_shipped_study_runs_survives_kills_and_is_shown() {
    let directory = tempfile::tempdir().unwrap();
    let (whole, pieces) = (directory.path().join("whole"), directory.path().join("pieces"));
    let run = |place: &Path, more: &[&str]| {
        let place = place.to_str().unwrap();
        study(&[&["deployments", "configs/studies/quick.toml", "--run", place], more].concat())
    };
    let output = run(&whole, &[]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert!(text(&output.stdout).contains("against the mixture"), "{}", text(&output.stdout));
    let found = findings(&whole);
    assert!(
        found["games"]["distinct"].as_u64() >= found["games"]["played"].as_u64().map(|games| games * 9 / 10)
    );
    for name in ["report.html", "set_ups.csv", "cells.parquet", "candidates.csv", "pieces.csv", "oracle.csv"]
    {
        assert!(whole.join(name).is_file(), "{name}");
    }
    let page = std::fs::read_to_string(whole.join("report.html")).unwrap();
    assert!(
        page.contains("data:image/svg+xml,") && page.contains("exposed-commander") && !page.contains("NaN")
    );
    // A study that is there is not overwritten, and its config is not changed under way.
    let again = run(&whole, &[]);
    assert_eq!(again.status.code(), Some(2), "{}", text(&again.stderr));
    // Killed in the middle, twice, and gone on with: the same findings.
    for resume in [&[][..], &["--resume"]] {
        let mut child = Command::new(env!("CARGO_BIN_EXE_study"))
            .args(["deployments", "configs/studies/quick.toml", "--run", pieces.to_str().unwrap()])
            .args(resume)
            .current_dir(root())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let record = pieces.join("games.jsonl");
        let size = || std::fs::metadata(&record).map_or(0, |record| record.len());
        let (before, begun) = (size(), Instant::now());
        while size() < before + 200_000 && begun.elapsed() < Duration::from_secs(60) {
            std::thread::sleep(Duration::from_millis(5));
        }
        child.kill().unwrap();
        child.wait().unwrap();
    }
    let output = run(&pieces, &["--resume"]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    assert_eq!(findings(&pieces), found);
    let shown = study(&["show", whole.to_str().unwrap()]);
    assert!(text(&shown.stdout).contains("settled"), "{}", text(&shown.stdout));
    let out = directory.path().join("out");
    assert!(study(&["report", whole.to_str().unwrap(), "--out", out.to_str().unwrap()]).status.success());
    assert_eq!(
        std::fs::read(out.join("report.html")).unwrap(),
        std::fs::read(whole.join("report.html")).unwrap()
    );
}

#[test]
fn questions_are_answered() {
    let few = ["--pairs", "24", "--json"];
    let score = json(&[&["score", "fortress"][..], &few].concat());
    assert!(score["against"].as_array().unwrap().len() >= 9 && score["value"].is_null(), "{score}");
    assert!(score["games"]["interval"]["low"].as_f64().unwrap() > 0.0);
    let duel = json(&[&["duel", "standard", "exposed-commander"][..], &few].concat());
    assert_eq!(duel["pentanomial"].as_array().unwrap().iter().filter_map(Value::as_u64).sum::<u64>(), 24);
    let counter = json(&[&["counter", "exposed-commander", "--candidates", "12"][..], &few].concat());
    assert!(counter["tried"].as_u64().unwrap() > 5, "{counter}");
    let what_if = json(&[&["what-if", "standard", "--move", "C", "g1", "f2"][..], &few].concat());
    assert!(what_if["set_up"].as_str().unwrap().contains("(HC)"), "{what_if}");
    assert!(what_if["interval"]["low"].as_f64() <= what_if["difference"].as_f64());
    let shown = json(&["show", "air-raid", "--json"]);
    assert_eq!(shown["steps_to"].as_array().unwrap()[0][0], "air-raid");
}

#[test]
fn wrong_input_is_named() {
    for (arguments, wanted) in [
        (&["score", "N b2"][..], "found 1 of the piece N"),
        (&["what-if", "standard", "--move", "C", "g2", "f2"], "no commander stands on g2"),
        (&["what-if", "standard", "--move", "T", "f4", "a1"], "the rules do not allow"),
        (&["duel", "standard", "fortress", "--agent", "runs/nowhere"], "runs/nowhere"),
        (&["report", "nowhere"], "findings.json"),
        (&["deployments", "configs/commander.toml", "--run", "nowhere"], "commander.toml: line "),
    ] {
        let output = study(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}: {}", text(&output.stderr));
        assert!(text(&output.stderr).contains(wanted), "{arguments:?}: {}", text(&output.stderr));
        let errors = text(&output.stderr);
        assert!(errors.lines().last().is_some_and(|line| line.starts_with("error: ")), "{errors}");
    }
}
