//! Deterministic mode: two runs are the same to the bit, however they were interrupted.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

mod support;

use std::process::{Command, Stdio};
use support::{Place, TINY, cycles, digest, has_open_shard, metrics, training_under_way, wait_until};
use train::digest::Digest;

/// Three cycles of it, with games and searches that outlive a cycle, and an evaluation of the network before.
fn config() -> String {
    let head = "deterministic = true\n[inference]\nprecision = \"fp32\"\n";
    let tiny = TINY
        .replace("cycles = 2", "cycles = 3")
        .replace("every_cycles = 2", "every_cycles = 1")
        .replace("opponent = \"first\"", "opponent = \"previous\"")
        .replace("[training]", "[training]\nprecision = \"fp32\"")
        .replace("positions = 200", "positions = 300")
        .replace("seed = 3", "");
    format!("seed = 3\n{head}{tiny}")
}

/// The digest after the last cycle, which must be that of the uninterrupted run.
fn assert_same(whole: &Digest, found: &Digest, what: &str) {
    assert!(whole.game_count > 30, "{whole:?}");
    assert!(whole.unfinished.is_some(), "games are under way at a cycle's end");
    assert_eq!(whole.differences(found), [""; 0], "{what}");
}

#[test]
fn two_runs_are_the_same_and_so_is_one_stopped_after_any_cycle() {
    let place = Place::new(&config());
    place.done(&["--run", "whole"]);
    let whole = digest(&place.path("whole"));
    place.done(&["--run", "again"]);
    assert_same(&whole, &digest(&place.path("again")), "another run");
    // Stopped and resumed after each cycle, once with a checkpoint of every second cycle only.
    for (run, every) in [("stopped", "1"), ("seldom", "2")] {
        let every = format!("checkpoint.every_cycles={every}");
        for stop in ["0", "1", "2", "3"] {
            let mut arguments = vec!["--run", run, "--stop-after", stop, "--set", &every];
            if stop != "0" {
                arguments.push("--resume");
            }
            let text = place.done(&arguments);
            assert!(text.contains("stopped after") != (stop == "3"), "{text}");
        }
        assert_same(&whole, &digest(&place.path(run)), run);
        assert_eq!(cycles(&place.path(run)), [0, 1, 2, 3]);
    }
    // Another seed is another run.
    place.done(&["--run", "other", "--set", "seed=4"]);
    assert_eq!(
        whole.differences(&digest(&place.path("other"))),
        ["games", "unfinished", "weights", "optimizer", "state"]
    );
}

#[test]
fn a_run_that_was_killed_or_interrupted_in_the_middle_is_the_same() {
    let place = Place::new(&config());
    let shape = ["--set", "training.reuse=6"];
    let arguments = |run: &'static str, more: &[&'static str]| [&["--run", run], &shape[..], more].concat();
    place.done(&arguments("whole", &[]));
    let whole = digest(&place.path("whole"));
    for (run, signal, training) in [
        ("killed-in-play", "KILL", false),
        ("killed-in-training", "KILL", true),
        ("interrupted-in-play", "INT", false),
        ("interrupted-in-training", "INT", true),
    ] {
        let path = place.path(run);
        let mut child = place.command(&arguments(run, &[])).stderr(Stdio::null()).spawn().unwrap();
        wait_until("the second cycle", || {
            path.join("checkpoints/000001/state.json").is_file()
                && if training { training_under_way(&path, 2) } else { has_open_shard(&path) }
        });
        Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status().unwrap();
        let status = child.wait().unwrap();
        if signal == "INT" {
            assert_eq!(status.code(), Some(130), "{run}");
        }
        place.done(&arguments(run, &["--resume"]));
        assert_same(&whole, &digest(&path), run);
        assert_eq!(cycles(&path), [0, 1, 2, 3], "{run}");
    }
}

#[test]
fn a_run_with_a_teacher_is_the_same_however_it_was_stopped() {
    let place = Place::new(&config());
    // One cycle of the teacher's and a part of the second, so that its cycles are two.
    let taught = ["--set", "teacher.player=alphabeta:3", "--set", "teacher.positions=400"];
    let arguments = |run: &'static str, more: &[&'static str]| [&["--run", run], &taught[..], more].concat();
    place.done(&arguments("whole", &[]));
    let whole = digest(&place.path("whole"));
    let teachers = |run: &str| -> Vec<bool> {
        let records = metrics(&place.path(run)).into_iter().filter(|record| record["kind"] == "cycle");
        records.map(|record| record["play"]["teacher"] == "alphabeta:3").collect()
    };
    assert_eq!(teachers("whole"), [false, true, true, false]);
    for (run, signal) in [("killed", "KILL"), ("interrupted", "INT")] {
        let path = place.path(run);
        let mut child = place.command(&arguments(run, &[])).stderr(Stdio::null()).spawn().unwrap();
        wait_until("the teacher's second cycle", || {
            path.join("checkpoints/000001/state.json").is_file() && has_open_shard(&path)
        });
        Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status().unwrap();
        child.wait().unwrap();
        place.done(&arguments(run, &["--resume"]));
        assert_same(&whole, &digest(&path), run);
        assert_eq!(teachers(run), [false, true, true, false], "{run}");
    }
}

#[test]
fn games_that_are_no_longer_needed_may_go() {
    let place = Place::new(&config());
    let small = ["--set", "window.size={ fixed = 350 }"];
    place.done(&[&["--run", "all"], &small[..]].concat());
    let kept = [&["--set", "retention.games=window"], &small[..]].concat();
    for (stop, resume) in [("1", false), ("2", true), ("3", true)] {
        let mut arguments = [&["--run", "window", "--stop-after", stop], &kept[..]].concat();
        if resume {
            arguments.push("--resume");
        }
        place.done(&arguments);
    }
    let (all, window) = (digest(&place.path("all")), digest(&place.path("window")));
    assert_eq!(all.differences(&window), ["games"], "the network does not miss them");
    assert!(window.game_count > 0 && window.game_count < all.game_count, "{window:?}");
}

#[test]
fn what_cannot_be_deterministic_is_named_with_its_mend() {
    let place = Place::new(&config());
    let text = place.refused(&[
        "--run",
        "run",
        "--set",
        "cycle.workers=2",
        "--set",
        "training.threads=2",
        "--set",
        "training.precision=auto",
        "--precision",
        "auto",
        "--minutes",
        "5",
    ]);
    for words in [
        "cycle.workers: found 2; deterministic mode has one: set it to 1 or leave it out",
        "training.threads: found 2; deterministic mode trains on one",
        "training.precision: found auto; deterministic mode needs a name",
        "inference.precision: found auto; deterministic mode needs a name",
        "limits.minutes: found 5; a limit of time ends two runs at different places: use limits.cycles",
    ] {
        assert!(text.contains(words), "{words} in {text}");
    }
    assert!(!place.path("run").exists());
    let text = place.refused(&["--run", "run", "--precision", "int8", "--set", "training.precision=int8"]);
    for words in [
        "inference.precision: found int8; deterministic mode has no 8-bit numbers: \"fp32\"",
        "training.precision: int8 must be auto, fp32 or bf16",
    ] {
        assert!(text.contains(words), "{words} in {text}");
    }
    let text = place.refused(&["--run", "run", "--device", "cuda"]);
    assert!(text.contains("--device cuda: deterministic mode"), "{text}");
}
