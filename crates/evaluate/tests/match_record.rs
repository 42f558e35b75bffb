//! The file of pairs of `evaluate match`, and engines that misbehave in a match.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

fn play(arguments: &[&str]) -> Output {
    support::evaluate(&[&["match"], arguments, &["--game", "connect4"]].concat())
}

fn json(arguments: &[&str]) -> (Value, String) {
    let output = play(&[arguments, &["--json"]].concat());
    let messages = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(0), "{messages}");
    (serde_json::from_slice(&output.stdout).unwrap(), messages)
}

/// The line after `error: `, which must come with exit code 2 and nothing on standard output.
fn refusal(arguments: &[&str]) -> String {
    let output = play(arguments);
    let messages = String::from_utf8(output.stderr).unwrap();
    assert_eq!((output.status.code(), output.stdout.len()), (Some(2), 0), "{messages}");
    messages.lines().find_map(|line| line.strip_prefix("error: ")).unwrap_or_default().to_owned()
}

fn scripted(arguments: &[&str], more: &str) -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/tests/data/scripted-engine");
    let arguments: Vec<String> = arguments.iter().map(|argument| format!("argument={argument}")).collect();
    format!("engine:{path}?{}{more}", arguments.join("&"))
}

#[test]
fn a_killed_match_goes_on_and_comes_out_the_same() {
    let place = tempfile::tempdir().unwrap();
    let path = |name: &str| place.path().join(name).to_str().unwrap().to_owned();
    let (whole, killed) = (path("whole.jsonl"), path("killed.jsonl"));
    let sides = ["rollouts:40", "random", "--pairs", "8", "--seed", "5"];
    json(&[&sides[..], &["--save", &whole]].concat());
    let mut child = Command::new(env!("CARGO_BIN_EXE_evaluate"))
        .arg("match")
        .args(sides)
        .args(["--game", "connect4", "--threads", "1", "--save", &killed])
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let begin = Instant::now();
    let lines = || std::fs::read_to_string(&killed).unwrap_or_default().lines().count();
    while lines() < 3 && begin.elapsed() < Duration::from_secs(120) {
        std::thread::sleep(Duration::from_millis(2));
    }
    child.kill().unwrap();
    child.wait().unwrap();
    let done = pairs::read(Path::new(&killed)).unwrap().pairs.len();
    assert!(done >= 2, "{done}");
    // A pair that was cut off while it was written.
    let text = std::fs::read_to_string(&killed).unwrap();
    std::fs::write(&killed, format!("{text}{{\"pair\":7, \"ga")).unwrap();
    let (result, messages) = json(&[&sides[..], &["--save", &killed]].concat());
    assert!(messages.contains("was cut off and is dropped (14 bytes)"), "{messages}");
    assert!(messages.contains(&format!("{done} pairs were played before")), "{messages}");
    assert_eq!(result["pairs"], 8);
    let [whole, killed] = [whole, killed].map(|path| pairs::read(Path::new(&path)).unwrap());
    assert_eq!(whole, killed);
}

#[test]
fn the_file_of_another_match_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("pairs.jsonl");
    let save = ["--pairs", "2", "--save", path.to_str().unwrap()];
    json(&[&["random", "greedy"][..], &save].concat());
    let before = std::fs::read(&path).unwrap();
    // More pairs are the same match, less are there already.
    let line = refusal(&[&["greedy", "random", "--seed", "7"][..], &save].concat());
    let begin = format!("--save {}: holds another match: player A built-in greedy here, ", path.display());
    assert!(line.starts_with(&begin) && line.ends_with("seed 7 here, 0 in the file"), "{line}");
    assert_eq!(std::fs::read(&path).unwrap(), before);
    let (result, _) = json(&["random", "greedy", "--pairs", "1", "--save", path.to_str().unwrap()]);
    assert_eq!(result["pairs"], 2);
    assert_eq!(std::fs::read(&path).unwrap(), before);
    std::fs::write(&path, "rubbish\n").unwrap();
    let line = refusal(&[&["random", "greedy"][..], &save].concat());
    assert!(line.contains("no file of pairs: its first line is no JSON object"), "{line}");
    let line = refusal(&["random", "greedy", "--pairs", "1", "--save", place.path().to_str().unwrap()]);
    assert!(line.ends_with("Is a directory (os error 21)"), "{line}");
}

#[test]
fn engines_that_misbehave_forfeit_by_name() {
    let hanging = scripted(&["uci", "hang"], "&grace_ms=200@20ms");
    let (result, messages) = json(&["greedy", &hanging, "--pairs", "1"]);
    assert_eq!(
        (&result["wins"], &result["by_reason"]["forfeit"]["wins"]),
        (&2.into(), &2.into()),
        "{result}"
    );
    assert!(messages.contains("pair 0 game 1 is forfeited: "), "{messages}");
    let forfeits: Vec<&String> = result["forfeits"].as_object().unwrap().keys().collect();
    assert_eq!(forfeits, ["scripted-engine: no turn within 0.2 s"]);
    let output = play(&["greedy", &scripted(&["uci", "illegal"], "@5"), "--pairs", "1"]);
    let table = String::from_utf8(output.stdout).unwrap();
    assert!(
        table.contains("by forfeit") && table.contains("illegal turn `h`: no step: write a file"),
        "{table}"
    );
}

/// Everything that can be wrong with an opponent or a start, one line each.
#[test]
fn wrong_input_gets_one_line() {
    let place = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| {
        let path = place.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let list = write("engines.toml", "[mine]\ncommand = \"./no-such\"\n[other]\ncommand = \"true\"\n");
    let bad_list = write("bad.toml", "[mine]\ncommand = \"x\"\nhash = 3\n");
    let empty = write("empty.txt", "# nothing\n\n");
    let other = place.path().join("other");
    support::write(&other, "emergo", &[]);
    let other = other.to_str().unwrap();
    let timed = scripted(&["uci"], "@1s");
    let silent = scripted(&["uci", "silent"], "&startup_ms=200@5");
    let cases: Vec<(Vec<&str>, &str)> = vec![
        (vec!["nobody", "random"], "unknown opponent `nobody`: use random, greedy, "),
        (vec![other, "random"], "it plays the game 'emergo', wanted is 'connect4'"),
        (vec!["random", "greedy", "--starts", &empty], "no position in the whole file"),
        (vec!["random", "greedy", "--starts", "free-uniform"], "unknown start `free-uniform` for connect4"),
        (vec!["random", "engine:no-such@5"], "engine `no-such`: there is no program no-such in PATH"),
        (vec!["random", "engine:no-such@5", "--engines", &list], "engines.toml lists mine, other"),
        (vec!["random", "engine:mine@5", "--engines", &list], "engine `mine`: there is no program "),
        (
            vec!["random", "engine:other@5", "--engines", &list],
            "engine `other`: it ended by itself (exit code 0)",
        ),
        (vec!["random", "engine:x@5", "--engines", &bad_list], "unknown field `hash`"),
        (vec!["random", "engine:x@5", "--engines", "nowhere.toml"], "--engines nowhere.toml: No such file"),
        (vec!["random", "engine:true"], "what may it spend on a turn? write engine:true@1000 (nodes) or"),
        (vec!["random", "engine:@5"], "opponent `engine:@5`: which engine?"),
        (
            vec!["random", "engine:true@soon"],
            "the budget of a turn is `soon` and should be a whole number of nodes",
        ),
        (vec!["random", "engine:true?speed=9@5"], "engine `true?speed=9`: unknown field `speed`"),
        (vec!["random", &silent], "no `uciok` within 0.2 s"),
        (
            vec!["random", &timed, "--clock", "processor"],
            "--clock processor: engines know the clock on the wall only",
        ),
    ];
    for (arguments, wanted) in cases {
        let line = refusal(&[&arguments[..], &["--pairs", "1"]].concat());
        assert!(line.contains(wanted), "{arguments:?}: no `{wanted}` in: {line}");
    }
}
