//! `evaluate engine`: sessions with a scripted board, and matches against itself as an engine.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use serde_json::Value;
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::mpsc::channel;
use std::time::Duration;

/// Whether a text is like a pattern in which `*` stands for anything.
fn is_like(text: &str, pattern: &str) -> bool {
    match pattern.split_once('*') {
        None => text == pattern,
        Some((begin, rest)) => text.strip_prefix(begin).is_some_and(|text| {
            (0..=text.len()).filter(|&end| text.is_char_boundary(end)).any(|end| is_like(&text[end..], rest))
        }),
    }
}

/// Plays a session of the data directory with a small untrained checkpoint.
fn session(game: &str, file: &str, arguments: &[&str]) {
    let place = tempfile::tempdir().unwrap();
    let run = place.path().join("run");
    support::write(&run, game, &[]);
    let mut engine = Command::new(env!("CARGO_BIN_EXE_evaluate"))
        .arg("engine")
        .arg(&run)
        .args(["--sims", "32", "--precision", "fp32"])
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut input = engine.stdin.take().unwrap();
    let output = BufReader::new(engine.stdout.take().unwrap());
    let (sender, lines) = channel();
    std::thread::spawn(move || output.lines().map_while(Result::ok).try_for_each(|line| sender.send(line)));
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/sessions").join(file);
    for (number, line) in (1..).zip(std::fs::read_to_string(path).unwrap().lines()) {
        if let Some(said) = line.strip_prefix("> ") {
            writeln!(input, "{said}").unwrap();
        } else if let Some(wanted) = line.strip_prefix("< ") {
            let found = loop {
                let found = lines
                    .recv_timeout(Duration::from_secs(120))
                    .unwrap_or_else(|_| panic!("{file} line {number}: nothing comes, wanted is `{wanted}`"));
                if is_like(&found, wanted) || !found.starts_with("info depth ") {
                    break found;
                }
            };
            assert!(is_like(&found, wanted), "{file} line {number}: `{found}` is not like `{wanted}`");
        }
    }
    assert!(engine.wait().unwrap().success());
    let left: Vec<String> = lines.iter().collect();
    assert!(left.is_empty(), "{file}: more is said: {left:?}");
}

#[test]
fn patterns_are_compared() {
    for (text, pattern, like) in [
        ("bestmove d", "bestmove *", true),
        ("bestmove", "bestmove *", false),
        ("info a nodes 20 b pv c", "info * nodes 20 * pv *", true),
        ("info a nodes 21 b pv c", "info * nodes 20 * pv *", false),
        ("uciok", "uciok", true),
        ("uciok now", "uciok", false),
    ] {
        assert_eq!(is_like(text, pattern), like, "{text} {pattern}");
    }
}

#[test]
fn boards_are_answered_in_connect_four() {
    session("connect4", "connect4.txt", &[]);
}

#[test]
fn boards_are_answered_in_commander_chess() {
    session("commander", "commander.txt", &[]);
}

#[test]
fn boards_are_answered_in_emergo() {
    session("emergo", "emergo.txt", &[]);
}

#[test]
fn boards_are_answered_in_xiangqi() {
    session("xiangqi", "xiangqi-ucci.txt", &["--protocol", "ucci"]);
    session("xiangqi", "xiangqi-uci-from-one.txt", &["--ranks", "from-one"]);
}

/// A checkpoint against itself behind a protocol: both choose alike, so both games of a pair are the same
/// game, which neither half can get wrong alone.
#[test]
fn a_checkpoint_plays_the_same_inside_and_as_an_engine() {
    for (game, options, settings) in [
        ("connect4", &[][..], "protocol=uci"),
        ("commander", &["max_turns=12"], "protocol=uci"),
        ("emergo", &["max_turns=30"], "protocol=ucci"),
        ("xiangqi", &["draw_unit=ply"], "protocol=uci&ranks=from-one&argument=--ranks&argument=from-one"),
    ] {
        let place = tempfile::tempdir().unwrap();
        let run = place.path().join("run");
        support::write(&run, game, options);
        let run = run.to_str().unwrap();
        let exe = env!("CARGO_BIN_EXE_evaluate");
        let engine = format!(
            "engine:{exe}?argument=engine&argument={run}&argument=--precision&argument=fp32&{settings}@2"
        );
        let save = place.path().join("pairs.jsonl");
        let inside = format!("{run}@2");
        let output = support::evaluate(&[
            "match",
            &inside,
            &engine,
            "--game",
            game,
            "--pairs",
            "1",
            "--opening-steps",
            "2",
            "--json",
            "--save",
            save.to_str().unwrap(),
        ]);
        let messages = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(0), "{messages}");
        let result: Value = serde_json::from_slice(&output.stdout).unwrap();
        assert_eq!(
            (&result["forfeits"], &result["score"]),
            (&serde_json::json!({}), &0.5.into()),
            "{result}"
        );
        let record = pairs::read(&save).unwrap();
        let [first, second] = &record.pairs[0].games;
        assert_eq!(first.steps, second.steps, "{game}");
        assert!(first.turns.len() > 4, "{game}: {:?}", first.turns);
        // Both sides say what they thought: the network its probabilities, the engine its score too.
        let engine_thought = first.thoughts[3].unwrap();
        assert_eq!(first.thoughts[2].unwrap().nodes, Some(2), "{game}");
        assert!(engine_thought.centipawns.is_some() && engine_thought.milliseconds.is_some(), "{game}");
    }
}

#[test]
fn wrong_command_lines_are_refused() {
    let place = tempfile::tempdir().unwrap();
    let run = place.path().join("run");
    support::write(&run, "connect4", &[]);
    let run = run.to_str().unwrap();
    let timed = format!("{run}@1s");
    for (arguments, part) in [
        (vec!["engine", "greedy"], "`greedy` is no network: name a run directory or a checkpoint"),
        (vec!["engine", "nowhere/run"], "opponent `nowhere/run`: there is no directory nowhere/run"),
        (vec!["engine", &timed], "time is for matches; write simulations behind the @"),
        (vec!["engine", run, "--protocol", "xboard"], "protocol 'xboard' is not known; it is uci or ucci"),
        (
            vec!["engine", run, "--ranks", "some"],
            "ranks 'some' are not known; they are from-zero or from-one",
        ),
        (vec!["explain", "engine:x@1", "--game", "connect4"], "is no network: engines play matches"),
    ] {
        let output = support::evaluate(&arguments);
        let messages = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{messages}");
        assert!(messages.contains(part), "no `{part}` in {messages}");
    }
}
