//! `evaluate sprt`, `evaluate ladder` and `evaluate report`: what they print, keep and refuse.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output};

fn evaluate(arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_evaluate")).args(arguments).output().unwrap()
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8(bytes.to_vec()).unwrap()
}

/// Runs a command and returns its JSON.
fn json(arguments: &[&str]) -> Value {
    let output = evaluate(&[arguments, &["--json"]].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    serde_json::from_str(&text(&output.stdout)).unwrap()
}

/// The line after `error: `, the number of lines on standard error, and the exit code.
fn refusal(arguments: &[&str]) -> (String, Option<i32>) {
    let output = evaluate(arguments);
    assert_eq!(text(&output.stdout), "");
    let printed = text(&output.stderr);
    let line = printed.lines().find_map(|line| line.strip_prefix("error: ")).unwrap_or_default();
    (line.to_owned(), output.status.code())
}

fn ladder(directory: &Path, players: &[&str], more: &[&str]) -> Value {
    let fixed = ["--game", "connect4", "--dir", directory.to_str().unwrap(), "--block", "3", "--seed", "4"];
    json(&[&["ladder"], players, &fixed, more].concat())
}

fn names(standings: &Value) -> Vec<&str> {
    standings["players"].as_array().unwrap().iter().map(|player| player["name"].as_str().unwrap()).collect()
}

/// Contents of the files of pairs, by name.
fn files(directory: &Path) -> Vec<(String, String)> {
    let mut files: Vec<(String, String)> = std::fs::read_dir(directory.join("pairs"))
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.display().to_string(), std::fs::read_to_string(&path).unwrap()))
        .collect();
    files.sort();
    files
}

#[test]
fn a_sequential_test_decides_and_goes_on_where_it_was() {
    let directory = tempfile::tempdir().unwrap();
    let save = directory.path().join("pairs.jsonl");
    let arguments = [
        "sprt",
        "greedy",
        "random",
        "--game",
        "connect4",
        "--pairs",
        "400",
        "--elo0",
        "0",
        "--elo1",
        "120",
        "--save",
        save.to_str().unwrap(),
    ];
    let report = json(&arguments);
    assert_eq!(report["verdict"], "h1");
    assert!(report.get("no_verdict").is_none());
    let (ratio, upper) =
        (report["log_likelihood_ratio"].as_f64().unwrap(), report["bounds"][1].as_f64().unwrap());
    assert!(ratio >= upper, "{report}");
    let (counted, finished) =
        (report["pairs"].as_u64().unwrap(), report["plain_estimate"]["pairs"].as_u64().unwrap());
    assert!(counted <= finished && finished < 400, "{report}");
    assert!(report["plain_estimate"]["score"].as_f64().unwrap() > 0.5);
    // Everything has been played: the same verdict without another game.
    let kept = std::fs::read_to_string(&save).unwrap();
    let again = json(&arguments);
    assert_eq!((&again["verdict"], &again["pairs"]), (&report["verdict"], &report["pairs"]));
    assert_eq!(std::fs::read_to_string(&save).unwrap(), kept);

    let output =
        evaluate(&["sprt", "random", "random", "--game", "connect4", "--pairs", "4", "--elo1", "20"]);
    let printed = text(&output.stdout);
    assert_eq!(output.status.code(), Some(0), "{printed}");
    for part in ["no verdict: the pairs do not decide yet", "plain estimate from all pairs", "after 4 pairs"]
    {
        assert!(printed.contains(part), "no `{part}` in:\n{printed}");
    }
}

#[test]
fn a_ladder_grows_and_plays_only_what_is_missing() {
    let place = tempfile::tempdir().unwrap();
    let directory = place.path().join("ladder");
    let first = ladder(&directory, &["greedy"], &["--pairs", "12"]);
    assert_eq!(names(&first), ["greedy", "random"]);
    assert_eq!((&first["pairs"], &first["anchor"]), (&12.into(), &"random".into()));
    assert!(first["players"][0]["low"].as_f64().unwrap() > 0.0);
    let before = files(&directory);
    assert_eq!(before.len(), 1);

    // Nothing is asked for: the same standings.
    assert_eq!(ladder(&directory, &["greedy"], &["--pairs", "0"])["players"], first["players"]);
    // One more player: the old pairs stay as they are.
    let second = ladder(&directory, &["greedy", "rollouts:20"], &["--pairs", "15"]);
    assert_eq!(second["pairs"], 27);
    assert_eq!(second["players"].as_array().unwrap().len(), 3);
    let after = files(&directory);
    assert!(after.len() >= 2);
    let old = after.iter().find(|(name, _)| *name == before[0].0).unwrap();
    assert!(old.1.starts_with(&before[0].1));
    // A player who is not named any more keeps its rating.
    let third = ladder(&directory, &["greedy"], &["--pairs", "3"]);
    assert_eq!(third["players"].as_array().unwrap().len(), 3);
    // Wide intervals are wide enough at once.
    assert_eq!(ladder(&directory, &["greedy"], &["--width", "5000"])["pairs"], third["pairs"]);

    let output = evaluate(&["report", directory.to_str().unwrap()]);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let page = std::fs::read_to_string(directory.join("report.html")).unwrap();
    assert!(page.contains("rollouts:20") && page.contains("Everybody against everybody"));
    for name in ["players", "couples", "games"] {
        assert!(
            directory.join(format!("{name}.csv")).is_file()
                && directory.join(format!("{name}.parquet")).is_file()
        );
    }
    let kept: Value = serde_json::from_slice(&std::fs::read(directory.join("ladder.json")).unwrap()).unwrap();
    assert_eq!(kept["players"], third["players"]);
}

#[test]
fn runs_are_rated_by_their_checkpoints() {
    let place = tempfile::tempdir().unwrap();
    let run = place.path().join("run");
    for cycle in ["000001", "000002", "000003"] {
        support::write(&run.join("checkpoints").join(cycle), "connect4", &[]);
    }
    let directory = place.path().join("ladder");
    let (run_text, directory) = (run.to_str().unwrap(), directory.to_str().unwrap());
    let fixed = ["--game", "connect4", "--dir", directory, "--sims", "2", "--pairs", "4", "--json"];
    // The networks are one and the same.
    let output = support::evaluate(&[&["ladder", run_text][..], &fixed].concat());
    assert_eq!(output.status.code(), Some(2));
    assert!(text(&output.stderr).contains("two of the players are the same"), "{}", text(&output.stderr));
    let output = support::evaluate(&[&["ladder", run_text, "--checkpoints", "1"][..], &fixed].concat());
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    let standings: Value = serde_json::from_slice(&output.stdout).unwrap();
    let name = format!("{}/checkpoints/000003@2", run.display());
    assert!(names(&standings).contains(&name.as_str()), "{standings}");
    let player =
        standings["players"].as_array().unwrap().iter().find(|player| player["name"] == name.as_str());
    assert_eq!(player.unwrap()["cycle"], 3);
}

#[test]
fn wrong_input_gets_one_line_and_code_2() {
    let place = tempfile::tempdir().unwrap();
    let directory = place.path().join("ladder");
    let directory = directory.to_str().unwrap();
    ladder(Path::new(directory), &["greedy"], &["--pairs", "1"]);
    let game = ["--game", "connect4", "--dir", directory, "--seed", "4"];
    let cases: Vec<(Vec<&str>, String)> = vec![
        (
            [&["ladder"][..], &game].concat(),
            "no players beside random: name runs, checkpoints, built-in opponents or engines to rate"
                .to_owned(),
        ),
        ([&["ladder", "gredy"][..], &game].concat(), "unknown opponent `gredy`".to_owned()),
        (
            vec!["ladder", "greedy", "--game", "connect4", "--dir", directory, "--seed", "5"],
            format!("{directory}: holds another ladder: seed 5 here, 4 in the file"),
        ),
        (
            vec!["ladder", "greedy", "--game", "emergo", "--dir", directory, "--seed", "4"],
            format!("{directory}: holds another ladder: game emergo here, connect4 in the file"),
        ),
        (vec!["report", "/nowhere/at/all"], "/nowhere/at/all: no ladder is there".to_owned()),
        (
            vec![
                "sprt", "greedy", "random", "--game", "connect4", "--pairs", "9", "--elo0", "9", "--elo1",
                "3",
            ],
            "elo0 is 9 and should be less than elo1, 3".to_owned(),
        ),
    ];
    for (arguments, wanted) in cases {
        let (line, code) = refusal(&arguments);
        assert!(line.starts_with(&wanted), "{arguments:?}: {line}");
        assert_eq!(code, Some(2), "{arguments:?}");
    }
}
