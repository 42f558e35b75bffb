//! How the program behaves as a process: files, closed pipes, full disks, Ctrl-C.

use std::process::{Command, Stdio};
use std::time::Duration;

fn rules(words: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rules"));
    command.args(words).stdin(Stdio::null());
    command
}

#[test]
fn json_is_one_value_on_standard_output() {
    for words in [
        &["perft", "connect4", "--depth", "3", "--divide", "--json"][..],
        &["steps", "commander", "--json"],
        &["turns", "commander", "--json"],
        &["show", "commander", "--json"],
        &["play", "commander", "--seed", "5", "--json"],
        &["setup", "sample", "commander", "--pairs", "--json"],
        &["bench", "commander", "--seconds", "0", "--json"],
    ] {
        let output = rules(words).output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{words:?}: {output:?}");
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(text.lines().count(), 1, "{words:?}");
        serde_json::from_str::<serde_json::Value>(&text).unwrap();
    }
}

#[test]
fn perft_of_json_has_the_promised_fields() {
    let output =
        rules(&["perft", "connect4", "--depth", "5", "--count", "turns", "--json"]).output().unwrap();
    let value: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!(value["game"], "connect4");
    assert_eq!(value["depth"], 5);
    assert_eq!(value["count"], "turns");
    assert_eq!(value["nodes"], 16807);
    assert!(value["seconds"].as_f64().unwrap() >= 0.0);
}

#[test]
fn a_recorded_random_game_is_legal() {
    let output = rules(&["play", "commander", "--seed", "9", "--json"]).output().unwrap();
    let game: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
    let mut fen = game["start"].as_str().unwrap().to_owned();
    let turns = game["turns"].as_array().unwrap();
    // A few turns are enough: each asks for all turns of its position.
    for (number, turn) in turns.iter().enumerate().take(12) {
        let output = rules(&["turns", "commander", "--json", "--fen", &fen]).output().unwrap();
        let lines: Vec<serde_json::Value> = serde_json::from_slice(&output.stdout).unwrap();
        let line = lines.iter().find(|line| line["turn"] == *turn);
        let line = line.unwrap_or_else(|| panic!("turn {number} {turn} is not legal in {fen}"));
        assert_eq!(line["winner"].is_null(), number + 1 < turns.len());
        fen = line["fen"].as_str().unwrap().to_owned();
    }
}

#[test]
fn pictures_replace_the_file_and_leave_nothing_beside() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("board.svg");
    std::fs::write(&path, "old").unwrap();
    let status = rules(&["show", "connect4", "--svg", path.to_str().unwrap()]).stdout(Stdio::null()).status();
    assert!(status.unwrap().success());
    assert!(std::fs::read_to_string(&path).unwrap().starts_with("<svg "));
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
}

/// Every form that a set-up is written in is read back: the line, the board to edit, the picture.
#[test]
fn set_ups_go_out_and_in() {
    let directory = tempfile::tempdir().unwrap();
    let file = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    let text = |words: &[&str]| {
        let output = rules(words).output().unwrap();
        assert!(output.status.success() && output.stderr.is_empty(), "{words:?}: {output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    let line = text(&["setup", "sample", "commander", "--seed", "5"]);
    let board = text(&["setup", "show", "commander", &line, "--svg", &file("setup.svg")]);
    std::fs::write(file("setup.txt"), &board).unwrap();
    std::fs::write(file("line.txt"), &line).unwrap();
    for name in ["setup.txt", "setup.svg", "line.txt"] {
        let checked = text(&["setup", "check", "commander", &file(name)]);
        assert!(checked.ends_with(&format!("legal: {line}")), "{name}: {checked}");
        let distance = text(&["setup", "distance", "commander", &file(name), &line]);
        assert!(distance.starts_with("0 straight steps"), "{name}: {distance}");
    }
    let shown = text(&["setup", "show", "commander", &line, "standard", "--svg", &file("pair.svg")]);
    let fen = shown.lines().find(|line| line.ends_with(" r - - 0 1")).unwrap();
    text(&["show", "commander", "--fen", fen]);
    let both = text(&["setup", "check", "commander", &file("pair.svg")]);
    assert_eq!(both.lines().count(), 2, "{both}");
    let starts = text(&["setup", "sample", "commander", "--pairs", "--count", "2"]);
    assert!(starts.lines().count() == 3 && starts.lines().last().unwrap().starts_with("# "), "{starts}");
}

#[test]
fn a_picture_that_cannot_be_renamed_leaves_nothing_beside() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("board.svg");
    std::fs::create_dir(&path).unwrap();
    let output = rules(&["show", "connect4", "--svg", path.to_str().unwrap()]).output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty());
    assert!(String::from_utf8_lossy(&output.stderr).contains("cannot be written"));
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 1);
}

#[test]
fn a_reader_that_leaves_is_no_fault() {
    let mut child =
        rules(&["turns", "commander"]).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!((output.status.code(), output.stderr.len()), (Some(0), 0));
}

#[cfg(target_os = "linux")]
#[test]
fn a_full_disk_is_a_fault() {
    let full = std::fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
    let output = rules(&["steps", "connect4"]).stdout(full).stderr(Stdio::piped()).spawn().unwrap();
    let output = output.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert!(
        String::from_utf8_lossy(&output.stderr).starts_with("error: standard output cannot be written: ")
    );
}

#[cfg(unix)]
#[test]
fn ctrl_c_ends_with_130() {
    let mut child = rules(&["perft", "connect4", "--depth", "20"]).stdout(Stdio::null()).spawn().unwrap();
    // The handler is set before anything else; give the process time to get there.
    std::thread::sleep(Duration::from_millis(500));
    assert!(child.try_wait().unwrap().is_none());
    let killed = Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    assert!(killed.success());
    assert_eq!(child.wait().unwrap().code(), Some(130));
}
