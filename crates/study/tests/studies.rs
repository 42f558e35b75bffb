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

/// A study without set-ups to look for, in a moment.
const SMALL: &str = "seed = 3
generate = { uniform = 0, prior = 0, mutations = 0 }
race = { simulations = [0], pairs = 2, keep = 2 }
matrix = { simulations = 0, pairs = 8, least_pairs = 4, batch = 8 }
oracle = { candidates = 2, games = 2, pairs = 2, confirm = 4 }
stop = { rounds = 1, pairs = 60 }
";

#[test]
fn findings_that_were_changed_are_refused_by_name() {
    let directory = tempfile::tempdir().unwrap();
    let place = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    std::fs::write(place("study.toml"), SMALL).unwrap();
    let output = study(&["deployments", &place("study.toml"), "--run", &place("study")]);
    assert!(output.status.success(), "{}", text(&output.stderr));
    let path = directory.path().join("study/findings.json");
    let whole = std::fs::read_to_string(&path).unwrap();
    let refused = |contents: &[u8]| {
        std::fs::write(&path, contents).unwrap();
        for command in ["show", "report"] {
            let output = study(&[command, &place("study")]);
            assert_eq!(output.status.code(), Some(2), "{}", text(&output.stderr));
        }
        let line = text(&study(&["show", &place("study")]).stderr);
        assert!(line.contains("study/findings.json: ") && line.lines().count() == 1, "{line}");
        line
    };
    // One digit of a score.
    let digit = whole.find("\"score\": 0.").unwrap() + "\"score\": 0.".len();
    let mut changed = whole.clone().into_bytes();
    changed[digit] ^= 1;
    assert!(refused(&changed).contains("damaged: its checksum is"));
    assert!(refused(&whole.as_bytes()[..whole.len() / 2]).contains("EOF"));
    assert!(refused(b"{\"schema\": 2}").contains("no checksum at its end"));
    let later = whole.replacen("\"schema\": 2", "\"schema\": 9", 1);
    assert!(refused(later.as_bytes()).contains("has schema 9, this program reads schemas 1 to 2"));

    // Version 1 had no checksum and is read as it was.
    let mut first: Value = serde_json::from_str(&whole).unwrap();
    first.as_object_mut().unwrap().remove("check");
    first["schema"] = 1.into();
    std::fs::write(&path, first.to_string()).unwrap();
    assert_eq!(json(&["show", &place("study"), "--json"]), first);

    // A pipe, to which nobody writes.
    std::fs::remove_file(&path).unwrap();
    assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
    let program = env!("CARGO_BIN_EXE_study");
    let output = Command::new("timeout").args(["120", program, "show", &place("study")]).output().unwrap();
    assert_eq!(output.status.code(), Some(2), "124 is to wait for it: {}", text(&output.stderr));
    assert!(text(&output.stderr).contains("findings.json: is a pipe, expected a file"));
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
