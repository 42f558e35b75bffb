//! `train doctor`, `train plan`, `train bench` and `train digest` as their users run them.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

mod support;

use serde_json::{Value, json};
use std::process::{Command, Output};
use support::{Place, TINY};

fn train(place: &Place, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_train"));
    command.current_dir(place.path("")).args(arguments).output().unwrap()
}

fn answer(place: &Place, arguments: &[&str]) -> String {
    let output = train(place, arguments);
    let text = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{text}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn the_doctor_names_what_it_finds_and_what_to_mend() {
    let place = Place::new(TINY);
    let text = answer(&place, &["doctor"]);
    for name in
        ["program", "tch", "LibTorch", "device", "threads", "processor", "inference", "memory", "disk"]
    {
        assert!(text.lines().any(|line| line.contains(&format!("  {name} "))), "{name} in {text}");
    }
    assert!(text.contains("2.11.0") && text.contains("0.24.0") && text.contains("positions/s"), "{text}");
    assert!(!text.contains("FAULT"), "{text}");

    let output = train(&place, &["doctor", "--json", "--run", "nowhere"]);
    assert_eq!(output.status.code(), Some(1));
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let findings = report["findings"].as_array().unwrap();
    let disk = findings.iter().find(|finding| finding["name"] == "disk").unwrap();
    assert_eq!(disk["status"], "fault");
    assert!(!disk["mend"].as_str().unwrap().is_empty());
}

#[test]
fn a_bench_measures_the_network_alone_in_play_and_in_training() {
    let place = Place::new(TINY);
    let text = answer(&place, &["bench", "config.toml", "--seconds", "3"]);
    for words in
        ["million operations a position", "peak of a core in fp32", "fused fp32", "self-play: ", "training\n"]
    {
        assert!(text.contains(words), "{words} in {text}");
    }
    let text = answer(
        &place,
        &[
            "bench",
            "--game",
            "connect4",
            "--set",
            "net.blocks=1",
            "--set",
            "net.channels=8",
            "--set",
            "training.batch=32",
            "--seconds",
            "3",
            "--json",
        ],
    );
    let bench: Value = serde_json::from_str(&text).unwrap();
    let number = |pointer: &str| bench.pointer(pointer).and_then(Value::as_f64).unwrap_or_default();
    for pointer in [
        "/flops_per_position",
        "/peaks/0/product",
        "/inference/0/positions_per_second",
        "/inference/14/bare_positions_per_second",
        "/inference/14/share_of_peak",
        "/play/evaluations_per_second",
        "/play/alone_per_second",
        "/play/share_of_best_path",
        "/play/steps_per_second",
        "/training/0/positions_per_second",
        "/training/0/share_of_peak",
    ] {
        assert!(number(pointer) > 0.0, "{pointer} in {bench:#}");
    }
    // What a share is of, not how large it is on this machine.
    let (play, rounds) = (&bench["play"], bench["play"]["rounds"].as_array().unwrap());
    let shares = rounds.iter().map(|round| {
        round["evaluations_per_second"].as_f64().unwrap() / round["alone_per_second"].as_f64().unwrap()
    });
    let (least, most) =
        shares.fold((f64::MAX, 0f64), |(least, most), share| (least.min(share), most.max(share)));
    let share = play["share"].as_f64().unwrap();
    assert!(least <= share && share <= most, "{play:#}");
    assert_eq!(bench["inference"].as_array().unwrap().len() % 15, 0, "three ways, five batches");

    // Play and training need not have the same numbers, as where `auto` chooses for each.
    let unlike = ["--set", "inference.precision=fp32", "--set", "training.precision=bf16", "--json"];
    let text = answer(&place, &[&["bench", "config.toml", "--seconds", "1"][..], &unlike].concat());
    let bench: Value = serde_json::from_str(&text).unwrap();
    assert_eq!(
        (&bench["play"]["precision"], &bench["training"][0]["precision"]),
        (&json!("fp32"), &json!("bf16"))
    );
    for share in [&bench["play"]["share_of_peak"], &bench["training"][0]["share_of_peak"]] {
        assert!(share.as_f64().unwrap() > 0.0, "{bench:#}");
    }

    let output = train(&place, &["bench"]);
    assert_eq!(output.status.code(), Some(2));
    let output = train(&place, &["bench", "--game", "go"]);
    assert_eq!(output.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&output.stderr).contains("unknown game `go`"));
}

#[test]
fn counts_of_play_are_told_as_they_grow() {
    let place = Place::new(TINY);
    let no_cache = ["--set", "selfplay.cache_megabytes=0"];
    let command = ["bench", "config.toml", "--counts", "--seconds", "2"];
    let text = answer(&place, &[&command[..], &no_cache].concat());
    let mut lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    let player = lines.next().unwrap();
    assert_eq!(player["cache_megabytes"], 0, "{player}");
    assert!(player["simulations"].is_object() && player["peaks"][0]["product"].as_f64().unwrap() > 0.0);
    let counts: Vec<Value> = lines.collect();
    let number = |count: &Value, name: &str| count[name].as_u64().unwrap();
    assert!(counts.len() >= 2, "{text}");
    for name in ["states", "evaluations", "answers", "games"] {
        assert!(counts.is_sorted_by_key(|count| number(count, name)), "{name} in {text}");
    }
    let last = counts.last().unwrap();
    assert!(number(last, "states") > number(&counts[0], "states"), "{text}");
    assert!(
        0 < number(last, "evaluations") && number(last, "evaluations") <= number(last, "answers"),
        "{text}"
    );

    let output = train(&place, &[&command[..], &["--json"]].concat());
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_plan_says_what_a_config_will_take() {
    let place = Place::new(TINY);
    let text = answer(&place, &["plan", "config.toml", "--seconds", "2"]);
    for words in
        ["cycle  ", "games  ", "an hour", "window  ", "full after", "a day", "memory  ", "GiB at most"]
    {
        assert!(text.contains(words), "{words} in {text}");
    }
    let text = answer(
        &place,
        &["plan", "config.toml", "--seconds", "2", "--json", "--set", "retention.games={ cycles = 3 }"],
    );
    let plan: Value = serde_json::from_str(&text).unwrap();
    for key in [
        "games_per_hour",
        "window_hours",
        "training_begins_minutes",
        "game_bytes_per_day",
        "game_bytes_at_most",
        "checkpoint_bytes",
        "peak_mib",
        "cycles_per_day",
    ] {
        assert!(plan[key].as_f64().is_some_and(|number| number > 0.0), "{key} in {plan:#}");
    }
    for key in ["evaluations_per_second", "seconds_per_step", "samples_per_game", "window_bytes_per_sample"] {
        assert!(plan["measured"][key].as_f64().is_some_and(|number| number > 0.0), "{key} in {plan:#}");
    }
    assert!(plan["cycle_seconds"]["play"].as_f64().is_some_and(|number| number > 0.0), "{plan:#}");
    assert!(plan["taught_hours"].is_null(), "{plan:#}");
    let text = answer(&place, &["plan", "config.toml", "--seconds", "2", "--set", "teacher.positions=1000"]);
    assert!(text.contains("teacher  ") && text.contains("before that"), "{text}");
    // Nothing is left behind where it ran.
    assert_eq!(std::fs::read_dir(place.path("")).unwrap().count(), 1);

    let output = train(&place, &["plan", "config.toml", "--set", "net.blocks=0"]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn a_digest_is_that_of_the_run_and_names_what_is_missing() {
    let place = Place::new(TINY);
    place.done(&["--run", "run", "--cycles", "1"]);
    let text = answer(&place, &["digest", "run"]);
    assert_eq!(text.lines().count(), 6, "{text}");
    let digest: Value = serde_json::from_str(&answer(&place, &["digest", "run", "--json"])).unwrap();
    assert_eq!(digest["cycle"], 1);
    assert!(text.contains(digest["weights"].as_str().unwrap()), "{text} {digest}");
    let first: Value =
        serde_json::from_str(&answer(&place, &["digest", "run", "--cycle", "0", "--json"])).unwrap();
    assert_eq!(first["game_count"], 0);
    for arguments in [&["digest", "nowhere"][..], &["digest", "run", "--cycle", "7"]] {
        let output = train(&place, arguments);
        assert_eq!(output.status.code(), Some(2));
        assert!(String::from_utf8_lossy(&output.stderr).starts_with("error: "));
    }
}
