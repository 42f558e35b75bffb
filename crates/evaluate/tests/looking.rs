//! `evaluate solved`, `canaries` and `explain`, on small networks with random weights.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use serde_json::Value;
use std::path::{Path, PathBuf};
use support::evaluate;

/// Writes a checkpoint of an untrained network.
fn write(place: &Path, game: &str) -> PathBuf {
    let directory = place.join(game);
    support::write(&directory, game, &[]);
    directory
}

fn printed(arguments: &[&str]) -> String {
    let output = evaluate(arguments);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap()
}

fn json_of(arguments: &[&str]) -> Value {
    let text = printed(&[arguments, &["--json"]].concat());
    assert_eq!(text.lines().count(), 1, "{text}");
    serde_json::from_str(&text).unwrap()
}

/// The line after `error: ` of a command that exits with `code`.
fn error(arguments: &[&str], code: i32) -> String {
    let output = evaluate(arguments);
    let messages = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(code), "{messages}");
    messages.lines().find_map(|line| line.strip_prefix("error: ")).unwrap_or_default().to_owned()
}

#[test]
fn solved_positions_are_asked_beside_an_untrained_twin() {
    let place = tempfile::tempdir().unwrap();
    let directory = write(place.path(), "connect4");
    let agent = directory.to_str().unwrap();
    let report = json_of(&["solved", agent, "--positions", "60", "--sims", "30"]);
    assert_eq!((&report["game"], &report["positions"]), (&"connect4".into(), &60.into()));
    let rows = report["rows"].as_array().unwrap();
    let names: Vec<&str> = rows.iter().map(|row| row["agent"].as_str().unwrap()).collect();
    assert_eq!(names, [&format!("{agent}@30"), "untrained@30", &format!("{agent}@0"), "untrained@0"]);
    for row in rows {
        let number = |field: &str| row[field].as_f64().unwrap();
        assert_eq!(number("asked"), 60.0);
        assert!((number("share") - number("kept") / 60.0).abs() < 1e-12);
        assert!(number("low") < number("share") && number("share") < number("high"));
        let buckets = row["buckets"].as_array().unwrap();
        let sum = |field: &str| buckets.iter().map(|bucket| bucket[field].as_u64().unwrap()).sum::<u64>();
        assert_eq!((sum("asked"), Some(sum("kept"))), (60, row["kept"].as_u64()));
    }
    // The search finds more than the raw policy, also without training.
    assert!(rows[1]["kept"].as_u64() > rows[3]["kept"].as_u64(), "{report}");
    let random = report["random_share"].as_f64().unwrap();
    assert!((0.3..0.7).contains(&random), "{random}");
    // Another seed is another untrained network, not another agent.
    let other = json_of(&["solved", &format!("{agent}@30"), "--positions", "60", "--seed", "5"]);
    assert_eq!(other["rows"][0]["kept"], rows[0]["kept"]);
    assert_eq!(other["rows"].as_array().unwrap().len(), 2);
    let table = printed(&["solved", agent, "--positions", "10", "--sims", "0"]);
    assert_eq!(table.lines().count(), 5, "{table}");
    let commander = write(place.path(), "commander");
    let line = error(&["solved", commander.to_str().unwrap(), "greedy"], 2);
    assert!(line.contains("it plays the game 'commander', wanted is 'connect4'"), "{line}");
    assert!(line.contains("`greedy` is no network"), "{line}");
}

#[test]
fn positions_are_explained() {
    let place = tempfile::tempdir().unwrap();
    let directory = write(place.path(), "connect4");
    let agent = directory.to_str().unwrap();
    let svg = place.path().join("board.svg");
    let fen = ["--fen", "7/7/7/7/ooo4/xxx4 x"];
    let base = ["explain", agent, "--game", "connect4"];
    let text =
        printed(&[&base[..], &fen, &["--sims", "50", "--top", "3", "--svg", svg.to_str().unwrap()]].concat());
    assert!(text.contains("first to move; all numbers are first's"), "{text}");
    assert!(text.contains("\n> d "), "{text}");
    assert!(text.contains("4 more steps with "), "{text}");
    let picture = std::fs::read_to_string(&svg).unwrap();
    assert!(picture.contains("<g class=\"policy\"") && picture.trim_end().ends_with("</svg>"));
    let found = json_of(&[&base[..], &fen, &["--sims", "50"]].concat());
    let sum = |field: &str| {
        found["steps"].as_array().unwrap().iter().map(|step| step[field].as_f64().unwrap()).sum::<f64>()
    };
    assert!((sum("prior") - 1.0).abs() < 1e-4 && (sum("policy") - 1.0).abs() < 1e-4);
    assert_eq!((sum("visits"), &found["simulations"]), (50.0, &50.into()));
    assert_eq!(found["steps"][found["chosen"].as_u64().unwrap() as usize]["step"], "d");
    for judged in ["network", "search"] {
        let number = |field: &str| found[judged][field].as_f64().unwrap();
        assert!((number("win") + number("draw") + number("loss") - 1.0).abs() < 1e-4);
    }
    // Games with points tell their margin.
    let commander = write(place.path(), "commander");
    let text = printed(&["explain", commander.to_str().unwrap(), "--game", "commander", "--sims", "0"]);
    assert!(text.contains("points margin ") && text.contains(" more steps with "), "{text}");
    let line = error(&[&base[..], &["--fen", "7/7/7/7/ooo4/xxxx3 o"]].concat(), 2);
    assert!(line.contains("the game has ended here (four)"), "{line}");
}

#[test]
fn canaries_pass_or_fail_with_an_exit_code() {
    let place = tempfile::tempdir().unwrap();
    let directory = write(place.path(), "connect4");
    let agent = directory.to_str().unwrap();
    let file = place.path().join("canaries.txt");
    let ask = |text: &str| {
        std::fs::write(&file, text).unwrap();
        evaluate(&["canaries", agent, "--file", file.to_str().unwrap(), "--sims", "60"])
    };
    // A search finds a win in one whatever its network says.
    let output = ask("win; 7/7/7/7/ooo4/xxx4 x; + d; -\n");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(text.contains(" %  d  ") && !text.contains("the search plays"), "{text}");
    // An untrained network cannot be sure of everything.
    let output = ask("hope; 7/7/7/7/7/7 x; + a; win\nfear; 7/7/7/7/7/7 x; + g; loss\n");
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    assert_eq!(output.status.code(), Some(1), "{text}");
    assert!(text.contains("FAIL: ") && text.contains(" of 2 pass\n"), "{text}");
    let messages = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(messages.contains(" of 2 canaries fail"), "{messages}");
    // Those that come with the program are asked where no file is named.
    let output = evaluate(&["canaries", agent, "--json"]);
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let rows = report["rows"].as_array().unwrap();
    let passed = rows.iter().filter(|row| row["faults"].as_array().unwrap().is_empty()).count();
    assert_eq!(report["passed"], passed);
    assert_eq!(output.status.code(), Some(i32::from(passed < rows.len())));
    let line = error(&["canaries", agent, "--file", "none.txt"], 2);
    assert!(line.starts_with("none.txt: No such file"), "{line}");
}
