//! The command line of `evaluate match`: what it prints, what it refuses and with which code it exits.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use serde_json::Value;
use std::io::{BufRead, BufReader, Read};
use std::process::{Command, Output, Stdio};

fn evaluate(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_evaluate")).arg("match").args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Runs a small match of Connect Four and returns its JSON.
fn json(arguments: &[&str]) -> Value {
    let fixed = ["--game", "connect4", "--json"];
    let output = evaluate(&[arguments, &fixed].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let printed = text(&output.stdout);
    assert_eq!(printed.lines().count(), 1, "{printed}");
    serde_json::from_str(&printed).unwrap()
}

/// The line after `error: ` and the exit code.
fn refusal(arguments: &[&str]) -> (String, Option<i32>) {
    let output = evaluate(arguments);
    assert_eq!(text(&output.stdout), "");
    let printed = text(&output.stderr);
    let line = printed.lines().find_map(|line| line.strip_prefix("error: ")).unwrap_or_default();
    (line.to_owned(), output.status.code())
}

const SMALL: [&str; 4] = ["--game", "connect4", "--pairs", "2"];

#[test]
fn json_has_the_fixed_fields() {
    let result = json(&["greedy", "random", "--pairs", "20", "--seed", "1"]);
    assert_eq!((&result["a"], &result["b"]), (&"greedy".into(), &"random".into()));
    let number = |field: &str| result[field].as_f64().unwrap_or_else(|| panic!("{field} of {result}"));
    assert_eq!((number("pairs"), number("games")), (20.0, 40.0));
    assert!(number("distinct_games") > 36.0);
    assert_eq!(number("wins") + number("draws") + number("losses") + number("truncated"), 40.0);
    let score = (number("wins") + number("draws") / 2.0) / 40.0;
    assert!((number("score") - score).abs() < 1e-12);
    assert!(number("low") < score && score < number("high"));
    assert!(result.get("interval").is_none());
    assert_eq!(number("seed"), 1.0);
    assert_eq!(number("opening_steps"), 6.0);
}

#[test]
fn the_seed_decides_and_threads_do_not() {
    let run = |more: &[&str]| {
        let mut result = json(&[&["alphabeta:2", "rollouts:30", "--pairs", "6"], more].concat());
        result.as_object_mut().unwrap().remove("seconds");
        result
    };
    let result = run(&["--seed", "5", "--threads", "1"]);
    assert_eq!(result, run(&["--seed", "5", "--threads", "3"]));
    assert_ne!(result, run(&["--seed", "6", "--threads", "1"]));
}

#[test]
fn copies_get_no_interval() {
    let directory = tempfile::tempdir().unwrap();
    // One file open in the middle, and nobody can win: every game is the same.
    let starts = directory.path().join("starts.txt");
    std::fs::write(&starts, "xoxo1xo/xoxoxox/oxoxoxo/oxoxoxo/xoxoxox/xoxoxox o # nearly full\n").unwrap();
    let starts = starts.to_str().unwrap();
    let result = json(&["random", "random", "--pairs", "10", "--opening-steps", "0", "--starts", starts]);
    assert_eq!((&result["low"], &result["high"]), (&Value::Null, &Value::Null));
    assert_eq!(result["distinct_games"], 2);
    assert!(result["interval"].as_str().unwrap().starts_with("only 2 of 20 games are distinct"), "{result}");
}

#[test]
fn the_table_is_for_people() {
    let output = evaluate(&[&["greedy", "random"][..], &SMALL].concat());
    let printed = text(&output.stdout);
    for part in ["greedy against random at connect4", "A first", "by four", "95 % interval", "games/s"] {
        assert!(printed.contains(part), "no `{part}` in:\n{printed}");
    }
}

#[test]
fn games_are_kept_with_their_match() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("pairs.jsonl");
    json(&["random", "greedy", "--pairs", "3", "--save", path.to_str().unwrap()]);
    let saved = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<Value> = saved.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines.len(), 1 + 3);
    assert_eq!(
        (&lines[0]["format"], &lines[0]["game"]),
        (&"garrison match pairs".into(), &"connect4".into())
    );
    assert_eq!(lines[0]["players"][1]["identity"], "greedy");
    let games = &lines[1]["games"];
    assert_eq!((&games[0]["a_plays"], &games[1]["a_plays"]), (&"first".into(), &"second".into()));
}

#[test]
fn wrong_input_gets_one_line_and_code_2() {
    let opponent =
        |text: &str| [&[text, "random"][..], &SMALL].concat().iter().map(ToString::to_string).collect();
    let more = |more: &[&str]| -> Vec<String> {
        [&["greedy", "random"][..], &SMALL, more].concat().iter().map(ToString::to_string).collect()
    };
    let cases: Vec<(Vec<String>, &str)> = vec![
        (
            opponent("gredy"),
            "unknown opponent `gredy`: use random, greedy, rollouts:N, alphabeta:D, engine:NAME or a directory \
             DIR[/checkpoints/N][@simulations]; no directory of this name exists",
        ),
        (
            opponent("rollouts:many"),
            "opponent `rollouts:many`: the number of playouts is `many` and should be a whole number from 1 \
             to 1000000",
        ),
        (
            opponent("alphabeta:"),
            "opponent `alphabeta:`: the depth in turns is missing and should be a whole number from 1 to 12",
        ),
        (
            opponent("src"),
            "src: neither a checkpoint (no state.json) nor a run directory (no checkpoints in it)",
        ),
        (more(&["--starts", "nowhere.txt"]), "--starts nowhere.txt: No such file or directory (os error 2)"),
        (more(&["--save", "nowhere/games.jsonl"]), "--save nowhere/games.jsonl: there is no such directory"),
        (more(&["--option", "gravity=off"]), "unknown option `gravity`: connect4 has no options"),
        (more(&["--option", "gravity"]), "option `gravity`: write it as key=value"),
        (more(&["--preset", "wild"]), "unknown preset `wild` for connect4: use one of standard"),
        (
            more(&["--opening-steps", "42", "--threads", "1"]),
            "pair 0: each of 1000 random openings of 42 turns ended the game; ask for fewer opening turns",
        ),
        (
            [&["gredy", "random:1", "--starts", "nowhere.txt"][..], &SMALL]
                .concat()
                .iter()
                .map(ToString::to_string)
                .collect(),
            "unknown opponent `gredy`: use random, greedy, rollouts:N, alphabeta:D, engine:NAME or a directory \
             DIR[/checkpoints/N][@simulations]; no directory of this name exists; opponent `random:1`: random \
             takes no number; write `random` alone; --starts nowhere.txt: No such file or directory (os error 2)",
        ),
    ];
    for (arguments, wanted) in cases {
        let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
        assert_eq!(refusal(&arguments), (wanted.to_owned(), Some(2)), "{arguments:?}");
    }
}

#[test]
fn unreadable_arguments_are_named() {
    for (arguments, part) in [
        (
            vec!["greedy", "random", "--game", "connect4", "--pairs", "none"],
            "invalid value 'none' for '--pairs <N>'",
        ),
        (
            vec!["greedy", "random", "--game", "connect4", "--pairs", "0"],
            "should be a whole number from 1 to 1000000",
        ),
        (
            vec!["greedy", "random", "--game", "connect4", "--pairs", "1", "--seed", "-1"],
            "invalid value '-1' for '--seed <S>': should be a whole number from 0 to 18446744073709551615",
        ),
        (
            vec!["greedy", "random", "--game", "connect4", "--pairs", "1", "--opening-steps", "-1"],
            "invalid value '-1' for '--opening-steps <K>': -1 is not in 0..=1000",
        ),
        (vec!["greedy", "random", "--game", "connect4"], "--pairs <N>"),
        (vec!["greedy", "random", "--pairs", "1"], "--game <GAME>"),
        (
            vec!["greedy", "random", "--game", "connect4", "--pairs", "1", "--device", "tpu"],
            "device 'tpu' is not known; it is cpu or cuda",
        ),
        (vec!["greedy", "random", "--game", "connect4", "--pairs", "1", "--simms", "3"], "--simms"),
    ] {
        let output = evaluate(&arguments);
        let printed = text(&output.stderr);
        assert_eq!(output.status.code(), Some(2), "{printed}");
        assert!(printed.contains(part), "no `{part}` in:\n{printed}");
    }
    let (line, code) = refusal(&["greedy", "random", "--game", "go", "--pairs", "1"]);
    assert!(line.starts_with("unknown game `go`: known are ") && line.contains("connect4"), "{line}");
    assert_eq!(code, Some(2));
}

#[test]
fn faulty_starts_are_named_with_file_and_line() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("starts.txt");
    std::fs::write(&path, "7/7/7/7/7/7 x\n7/7/7/7/ooo4/xxxx3 o\n").unwrap();
    let path = path.to_str().unwrap();
    let (line, code) = refusal(&[&["greedy", "random", "--starts", path][..], &SMALL].concat());
    assert_eq!(line, format!("--starts {path}: start positions: line 2: the game has ended here (four)"));
    assert_eq!(code, Some(2));
}

/// A match too long to end, told to stop: what was finished is printed.
#[test]
fn an_interrupt_prints_the_result_so_far() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("games.jsonl");
    let mut child = Command::new(env!("CARGO_BIN_EXE_evaluate"))
        .args(["match", "greedy", "random", "--game", "connect4", "--pairs", "1000000", "--json", "--save"])
        .arg(&path)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // The line that comes right before the first game.
    let mut messages = BufReader::new(child.stderr.take().unwrap());
    let mut line = String::new();
    while !line.contains("1000000 pairs of connect4") {
        line.clear();
        assert_ne!(messages.read_line(&mut line).unwrap(), 0, "it ended without a word");
    }
    std::thread::sleep(std::time::Duration::from_millis(300));
    // SAFETY: a signal to a child that has not been waited for.
    assert_eq!(unsafe { libc::kill(child.id() as i32, libc::SIGINT) }, 0);
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(130));
    let result: Value = serde_json::from_slice(&output.stdout).unwrap();
    let games = result["games"].as_u64().unwrap();
    assert!(games < 2_000_000);
    assert_eq!(games, 2 * result["pairs"].as_u64().unwrap());
    let saved = std::fs::read_to_string(&path).unwrap();
    assert_eq!(saved.lines().count() as u64, 1 + games / 2);
    let mut rest = String::new();
    messages.read_to_string(&mut rest).unwrap();
    assert!(rest.contains("stopping: finishing what is under way"), "{rest}");
}
