//! Matches of checkpoints, on small networks with random weights.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn evaluate(arguments: &[&str]) -> Output {
    support::evaluate(&[&["match"], arguments].concat())
}

fn json(arguments: &[&str]) -> Value {
    let output = evaluate(&[arguments, &["--json"]].concat());
    let messages = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{messages}");
    serde_json::from_slice(&output.stdout).unwrap()
}

/// The line after `error: `, which must come with exit code 2.
fn refusal(arguments: &[&str]) -> String {
    let output = evaluate(arguments);
    let messages = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2), "{messages}");
    messages.lines().find_map(|line| line.strip_prefix("error: ")).unwrap_or_default().to_owned()
}

#[test]
fn checkpoints_play_at_any_number_of_simulations() {
    let place = tempfile::tempdir().unwrap();
    for number in ["000000", "000003"] {
        support::write(&place.path().join("checkpoints").join(number), "connect4", &[]);
    }
    // The run's own search is used.
    std::fs::write(place.path().join("config.toml"), "seed = 1\n[search]\nmethod = \"puct\"\n").unwrap();
    let run = place.path().to_str().unwrap();
    let small = ["--game", "connect4", "--pairs", "3"];
    let raw = format!("{run}/checkpoints/3@0");
    let result = json(&[&[run, raw.as_str(), "--sims", "8"][..], &small].concat());
    assert_eq!((&result["a"], &result["b"]), (&run.into(), &raw.as_str().into()));
    assert_eq!(result["games"], 6);
    let result = json(&[&["random", &format!("{run}@4")][..], &small].concat());
    assert_eq!(result["games"], 6);
    std::fs::write(place.path().join("config.toml"), "[search]\nmethod = \"best\"\n").unwrap();
    let line = refusal(&[&[run, "random"][..], &small].concat());
    assert!(line.contains("config.toml: search: unknown variant `best`"), "{line}");
}

/// 8-bit networks play, or are refused by name, together with the rest that is wrong.
#[test]
fn networks_play_in_8_bits_where_the_processor_has_them() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("agent");
    support::write(&path, "connect4", &[]);
    let run = path.to_str().unwrap();
    let arguments = ["match", run, "random", "--game", "connect4", "--pairs", "3", "--sims", "8", "--json"];
    let said = |arguments: &[&str]| {
        let output = support::evaluate_in("int8", arguments);
        (output.status.code(), String::from_utf8(output.stderr).unwrap(), output.stdout)
    };
    let (code, messages, _) =
        said(&["match", run, "nobody", "--game", "connect4", "--pairs", "1", "--device", "cuda"]);
    assert_eq!(code, Some(2), "{messages}");
    assert!(messages.contains("nobody"), "{messages}");
    assert!(messages.contains("--precision int8: 8-bit numbers are for the processor alone"), "{messages}");
    let (code, messages, result) = said(&arguments);
    if !net::quantised::has_int8_instructions() {
        println!("not played: the processor has no VNNI");
        assert_eq!(code, Some(2), "{messages}");
        assert!(messages.contains("--precision int8: the processor has neither"), "{messages}");
        return;
    }
    assert_eq!(code, Some(0), "{messages}");
    assert!(messages.contains("fused int8 on cpu"), "{messages}");
    let result: Value = serde_json::from_slice(&result).unwrap();
    assert_eq!(result["games"], 6);
}

#[test]
fn other_games_and_rules_are_refused_by_name() {
    let place = tempfile::tempdir().unwrap();
    let path = |name: &str| place.path().join(name).to_str().unwrap().to_owned();
    let (drops, commander) = (path("drops"), path("commander"));
    support::write(Path::new(&drops), "connect4", &[]);
    support::write(Path::new(&commander), "commander", &["max_turns=20"]);

    let line = refusal(&[&drops, "random", "--game", "commander", "--pairs", "1", "--allow-other-rules"]);
    assert!(line.contains("it plays the game 'connect4', wanted is 'commander'"), "{line}");
    assert!(!line.contains("--allow-other-rules"), "nothing helps here: {line}");

    let commands = ["random", "--game", "commander", "--pairs", "1"];
    let other = [&[commander.as_str(), "--option", "max_turns=24"][..], &commands].concat();
    let line = refusal(&other);
    assert!(line.contains("rules.max_turns is 20, wanted is 24"), "{line}");
    assert!(line.ends_with("--allow-other-rules lets it play all the same"), "{line}");
    let result = json(&[&other[..], &["--sims", "2", "--allow-other-rules"]].concat());
    assert_eq!(result["rules"]["max_turns"], 24);

    // When nothing is said the checkpoint's own rules are played.
    let result = json(&[&[commander.as_str(), "--sims", "2"][..], &commands].concat());
    assert_eq!(result["rules"]["max_turns"], 20);
    assert!(result["mean_turns"].as_f64().unwrap() <= 20.0, "{result}");
}

#[test]
fn damaged_and_missing_checkpoints_are_named() {
    let place = tempfile::tempdir().unwrap();
    let run = place.path().to_str().unwrap().to_owned();
    let small = ["random", "--game", "connect4", "--pairs", "1"];
    std::fs::create_dir(place.path().join("checkpoints")).unwrap();
    let line = refusal(&[&[run.as_str()][..], &small].concat());
    assert_eq!(line, format!("{run}: the run has no checkpoint yet"));
    let directory = place.path().join("checkpoints/000001");
    support::write(&directory, "connect4", &[]);
    let weights = directory.join("weights.safetensors");
    let mut bytes = std::fs::read(&weights).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    std::fs::write(&weights, bytes).unwrap();
    let line = refusal(&[&[run.as_str()][..], &small].concat());
    assert!(line.contains("weights.safetensors is damaged: its checksum is"), "{line}");
}

/// The line that refuses a checkpoint with a pipe in it, to which nobody writes.
fn refusal_of_a_pipe(path: &Path, arguments: &[&str]) -> String {
    std::fs::remove_file(path).unwrap();
    assert!(Command::new("mkfifo").arg(path).status().unwrap().success());
    let program = env!("CARGO_BIN_EXE_evaluate");
    let output = Command::new("timeout").args(["120", program, "match"]).args(arguments).output().unwrap();
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "124 is to wait for it: {messages}");
    messages.lines().last().unwrap_or_default().to_owned()
}

#[test]
fn a_pipe_is_named_and_not_waited_for() {
    let place = tempfile::tempdir().unwrap();
    let path = |name: &str| place.path().join(name);
    let small = ["random", "--game", "connect4", "--pairs", "1", "--sims", "1"];
    for name in ["weights.safetensors", "state.json"] {
        let directory = path(&format!("{name}-run/checkpoints/000001"));
        support::write(&directory, "connect4", &[]);
        let run = path(&format!("{name}-run"));
        let line = refusal_of_a_pipe(&directory.join(name), &[&[run.to_str().unwrap()][..], &small].concat());
        assert!(line.contains(&format!("000001/{name}: is a pipe, expected a file")), "{line}");
    }
    // The run's search is not guessed where its config cannot be read.
    support::write(&path("run/checkpoints/000001"), "connect4", &[]);
    std::fs::write(path("run/config.toml"), "").unwrap();
    let run = path("run");
    let run = run.to_str().unwrap();
    let line = refusal_of_a_pipe(&path("run/config.toml"), &[&[run][..], &small].concat());
    assert!(line.contains("config.toml: is a pipe, expected a file"), "{line}");
    // What a match is saved to is read first.
    std::fs::write(path("match.jsonl"), "").unwrap();
    let save = path("match.jsonl");
    let save = save.to_str().unwrap();
    let match_of_two = ["greedy", "random", "--game", "connect4", "--pairs", "1", "--save", save];
    let line = refusal_of_a_pipe(&path("match.jsonl"), &match_of_two);
    assert!(line.contains("match.jsonl: is a pipe, expected a file"), "{line}");
}

#[test]
fn cuda_is_refused_where_there_is_none() {
    if Path::new("/dev/nvidia0").exists() {
        return;
    }
    let line = refusal(&["random", "random", "--game", "connect4", "--pairs", "1", "--device", "cuda"]);
    assert!(line.starts_with("device cuda: "), "{line}");
}
