//! The program as its users run it, on tiny runs.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

mod support;

use serde_json::Value;
use std::fs;
use std::process::{Command, Stdio};
use support::{Place, TINY, checkpoints, cycles, metrics, plays_second_cycle, wait_until, weights};

#[test]
fn a_tiny_run_leaves_everything_in_its_place() {
    let place = Place::new(TINY);
    let text = place.done(&["--run", "run"]);
    assert!(text.contains("cycle 2"), "{text}");
    let run = place.path("run");
    for file in
        ["config.toml", "manifest.json", "log.jsonl", "metrics.jsonl", "tb", "games", "eval/000002.json"]
    {
        assert!(run.join(file).exists(), "{file}");
    }
    assert_eq!(checkpoints(&run), ["000000", "000001", "000002"]);
    for checkpoint in checkpoints(&run) {
        for file in ["weights.safetensors", "optimizer.safetensors", "state.json"] {
            assert!(run.join("checkpoints").join(&checkpoint).join(file).is_file());
        }
    }
    assert_ne!(weights(&run, "000000"), weights(&run, "000002"), "it learned something");
    assert_eq!(cycles(&run), [0, 1, 2]);
    let records = metrics(&run);
    let last = records.iter().rfind(|record| record["kind"] == "cycle").unwrap();
    assert!(last["play"]["samples"].as_u64().unwrap() >= 200);
    assert!(last["training"]["losses"]["total"].as_f64().unwrap() > 0.0);
    assert_eq!(last["ladder"].as_array().unwrap().len(), 2);
    assert!(records.iter().any(|record| record["kind"] == "step"));
    for line in fs::read_to_string(run.join("log.jsonl")).unwrap().lines() {
        serde_json::from_str::<Value>(line).unwrap();
    }
    let manifest: Value =
        serde_json::from_str(&fs::read_to_string(run.join("manifest.json")).unwrap()).unwrap();
    assert_eq!(manifest["starts"][0]["libtorch"], "2.11.0");
}

#[test]
fn a_finished_run_goes_on_when_its_limits_are_raised() {
    let place = Place::new(TINY);
    place.done(&["--run", "run"]);
    let text = place.done(&["--run", "run", "--resume"]);
    assert!(text.contains("finished: 2 cycles"), "{text}");
    let text = place.done(&["--run", "run", "--resume", "--cycles", "3", "--set", "training.reuse=2"]);
    assert!(text.contains("changed: limits.cycles: 2 -> 3"), "{text}");
    assert!(text.contains("changed: training.reuse: 1.0 -> 2.0"), "{text}");
    assert_eq!(cycles(&place.path("run")), [0, 1, 2, 3]);
}

#[test]
fn a_resolved_config_runs_and_gives_the_same_run() {
    let place = Place::new(TINY);
    let one = ["--set", "cycle.workers=1", "--precision", "fp32", "--set", "training.precision=fp32"];
    place.done(&[["--run", "run"].as_slice(), &one].concat());
    let run = place.path("run");
    fs::copy(run.join("config.toml"), place.path("config.toml")).unwrap();
    place.done(&["--run", "again", "--precision", "fp32"]);
    assert_eq!(weights(&run, "000002"), weights(&place.path("again"), "000002"));
    let differs =
        |file: &str| fs::read(run.join(file)).unwrap() != fs::read(place.path("again").join(file)).unwrap();
    assert!(!differs("config.toml"));
}

/// 8-bit networks play, calibrated on random games first and then on the window, and the metrics say how far they are
/// from exact ones.
#[test]
fn a_run_plays_in_8_bits() {
    let place = Place::new(TINY);
    let more = ["--precision", "int8", "--set", "cycle.positions=600"];
    let arguments = [["--run", "run"].as_slice(), &more].concat();
    let cuda = place.refused(&[arguments.as_slice(), &["--device", "cuda"]].concat());
    assert!(cuda.contains("inference.precision: found int8; 8-bit numbers are for the processor"), "{cuda}");
    if !net::quantised::has_int8_instructions() {
        println!("not trained: the processor has no VNNI");
        let text = place.refused(&arguments);
        assert!(text.contains("inference.precision: found int8; the processor has neither"), "{text}");
        return;
    }
    place.done(&arguments);
    let run = place.path("run");
    assert_eq!(cycles(&run), [0, 1, 2]);
    let played: Vec<Value> =
        metrics(&run).into_iter().filter(|record| record["play"]["samples"].as_u64() > Some(0)).collect();
    assert_eq!(played.len(), 2);
    for record in played {
        let policy = record["play"]["inference_difference"]["policy"].as_f64().unwrap();
        assert!(policy > 0.0 && policy < 0.1, "{policy}");
    }
    let start = fs::read_to_string(run.join("log.jsonl")).unwrap();
    assert!(start.contains("fused int8 on cpu"), "{start}");
}

#[test]
fn killed_runs_go_on() {
    // Longer cycles, so that the kill comes in the middle of one.
    let place = Place::new(TINY);
    let run = place.path("run");
    let longer = ["--run", "run", "--set", "cycle.positions=3000", "--set", "evaluation.every_cycles=0"];
    let mut child = place.command(&longer).stderr(Stdio::null()).spawn().unwrap();
    wait_until("the second cycle", || plays_second_cycle(&run));
    child.kill().unwrap();
    child.wait().unwrap();
    let text = place.done(&[longer.as_slice(), &["--resume"]].concat());
    assert!(text.contains("ended without giving the run back"), "{text}");
    assert!(text.contains("going on after"), "{text}");
    assert_eq!(cycles(&run), [1, 2]);
}

#[test]
fn interrupted_and_killed_runs_of_one_worker_end_with_the_same_weights() {
    let place = Place::new(TINY);
    // Numbers that are chosen by a measurement may be others after the next start.
    let numbers = ["--precision", "fp32", "--set", "training.precision=fp32"];
    let common =
        [["--set", "cycle.workers=1", "--set", "cycle.positions=1500"].as_slice(), &numbers].concat();
    let arguments =
        |run: &'static str, more: &[&'static str]| [["--run", run].as_slice(), &common, more].concat();
    place.done(&arguments("whole", &[]));
    for (run, signal) in [("killed", "KILL"), ("interrupted", "INT")] {
        let mut child = place.command(&arguments(run, &[])).stderr(Stdio::null()).spawn().unwrap();
        let path = place.path(run);
        wait_until("the second cycle", || plays_second_cycle(&path));
        let sent =
            Command::new("kill").args([&format!("-{signal}"), &child.id().to_string()]).status().unwrap();
        assert!(sent.success());
        let status = child.wait().unwrap();
        if signal == "INT" {
            assert_eq!(status.code(), Some(130));
        }
        place.done(&arguments(run, &["--resume"]));
        assert_eq!(weights(&path, "000002"), weights(&place.path("whole"), "000002"), "{run}");
        assert_eq!(cycles(&path), [0, 1, 2]);
    }
}

#[test]
fn ctrl_c_saves_what_several_workers_played() {
    let place = Place::new(TINY);
    let run = place.path("run");
    let long = ["--run", "run", "--set", "cycle.workers=2", "--set", "cycle.positions=1000000"];
    let child = place.command(&long).stderr(Stdio::piped()).spawn().unwrap();
    wait_until("a shard", || {
        fs::read_dir(run.join("games")).is_ok_and(|mut entries| {
            entries.any(|entry| {
                entry.is_ok_and(|entry| entry.path().extension().is_some_and(|end| end == "open"))
            })
        })
    });
    Command::new("kill").args(["-INT", &child.id().to_string()]).status().unwrap();
    let output = child.wait_with_output().unwrap();
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{text}");
    assert!(text.contains("the run is saved"), "{text}");
    let unfinished = fs::read_dir(run.join("games/unfinished")).unwrap().count();
    assert_eq!(unfinished, 1);
    place.done(&["--run", "run", "--resume", "--set", "cycle.positions=400"]);
    assert_eq!(cycles(&run), [0, 1, 2]);
}

#[test]
fn two_processes_cannot_have_one_run() {
    let place = Place::new(TINY);
    let run = place.path("run");
    let mut child = place
        .command(&["--run", "run", "--set", "cycle.positions=1000000"])
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_until("the run", || run.join("manifest.json").is_file());
    let text = place.refused(&["--run", "run", "--resume"]);
    assert!(text.contains(&format!("in use by process {}", child.id())), "{text}");
    child.kill().unwrap();
    child.wait().unwrap();
}

#[test]
fn weights_of_another_run_can_be_the_beginning() {
    let place = Place::new(TINY);
    place.done(&["--run", "run"]);
    place.done(&["--run", "next", "--init-from", "run", "--cycles", "1"]);
    assert_eq!(weights(&place.path("next"), "000000"), weights(&place.path("run"), "000002"));
    let text = place.refused(&["--run", "other", "--init-from", "run", "--set", "net.blocks=2"]);
    assert!(text.contains("--init-from run"), "{text}");
    assert!(!place.path("other").exists(), "nothing was begun");
}

#[test]
fn bad_input_gets_one_line_and_exit_code_2() {
    let place = Place::new(TINY);
    let set = |text: &'static str| ["--run", "run", "--set", text];
    for (arguments, words) in [
        (set("training.bach=3").as_slice(), "training.bach: unknown key; did you mean `batch`?"),
        (&set("training.batch=many"), "training.batch: found the text \"many\""),
        (&set("net.blocks=0"), "net.blocks"),
        (&set("game.name=chess"), "unknown game `chess`"),
        (&set("game.preset=wild"), "unknown preset `wild`"),
        (&set("game.options.size=8"), "unknown option `size`"),
        (&set("selfplay.starts={ positions = [\"nonsense\"] }"), "starts, position 1"),
        (&set("evaluation.ladder=[{ opponent = \"gredy\" }]"), "unknown opponent `gredy`"),
        (&["--run", "run", "--resume"], "there is no run to resume"),
        (&["--run", ".", "--cycles", "1"], "exists already"),
        (&["--run", "run", "--init-from", "nowhere"], "nowhere"),
        (&["--run", "run", "--device", "cuda"], "device cuda"),
    ] {
        let text = place.refused(arguments);
        assert!(text.starts_with("error: "), "{text}");
        assert!(text.contains(words), "{words} in {text}");
        assert!(!place.path("run").exists(), "{arguments:?} began a run");
    }
    let text = place.refused(&[
        "--run",
        "run",
        "--set",
        "training.bach=3",
        "--set",
        "net.blocks=0",
        "--set",
        "seed=x",
    ]);
    for words in ["training.bach", "net.blocks", "seed"] {
        assert!(text.contains(words), "all faults are named at once: {text}");
    }
    fs::write(place.path("config.toml"), "[game\nname = 3").unwrap();
    assert!(place.refused(&["--run", "run"]).contains("line 1"));
    fs::remove_file(place.path("config.toml")).unwrap();
    assert!(place.refused(&["--run", "run"]).contains("config.toml: config: cannot be read"));
}

#[test]
fn a_resumed_run_cannot_become_another_one() {
    let place = Place::new(TINY);
    place.done(&["--run", "run", "--cycles", "1"]);
    let text = place.refused(&["--run", "run", "--resume", "--set", "net.channels=16", "--set", "seed=4"]);
    assert!(text.contains("net.channels: 8 -> 16") && text.contains("seed: 3 -> 4"), "{text}");
}
