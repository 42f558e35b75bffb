//! Looking at runs: report, list, compare and export, on one tiny run.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

use parquet::file::reader::{FileReader, SerializedFileReader};
use parquet::record::RowAccessor;
use serde_json::Value;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::OnceLock;

const TINY: &str = r#"
seed = 3
[game]
name = "connect4"
[limits]
cycles = 2
[net]
blocks = 1
channels = 8
[selfplay]
games_per_worker = 8
batch_size = 8
simulations = { mixed = { full = 8, fast = 4, full_share = 0.5 } }
[selfplay.random_openings]
share = 1.0
most_turns = 3
[window]
least_samples = 100
[training]
batch = 32
reuse = 1.0
metrics_every = 2
[cycle]
positions = 200
[evaluation]
every_cycles = 1
opening_turns = 4
ladder = [{ opponent = "random", pairs = 2, simulations = 2 }]
"#;

/// A directory with a run named `one` in it, made once.
fn place() -> &'static Path {
    static PLACE: OnceLock<tempfile::TempDir> = OnceLock::new();
    PLACE
        .get_or_init(|| {
            let directory = tempfile::tempdir().unwrap();
            fs::write(directory.path().join("config.toml"), TINY).unwrap();
            let output = train(directory.path(), &["run", "config.toml", "--run", "one"]);
            assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
            directory
        })
        .path()
}

fn train(directory: &Path, arguments: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_train")).current_dir(directory).args(arguments).output().unwrap()
}

/// Runs in the place and asks for success; standard output and standard error.
fn done(arguments: &[&str]) -> (String, String) {
    let output = train(place(), arguments);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{errors}");
    (String::from_utf8(output.stdout).unwrap(), errors)
}

/// Runs in the place and asks for exit code 2 and one line that says why.
fn refused(arguments: &[&str]) -> String {
    let output = train(place(), arguments);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(2), "{errors}");
    assert_eq!(errors.trim_end().lines().count(), 1, "{errors}");
    errors
}

/// A run of its own that a test may spoil: a copy without checkpoints.
fn copy(name: &str) -> PathBuf {
    let copy = place().join(name);
    fs::create_dir_all(copy.join("games")).unwrap();
    for file in ["config.toml", "manifest.json", "metrics.jsonl", "log.jsonl"] {
        fs::copy(place().join("one").join(file), copy.join(file)).unwrap();
    }
    for entry in fs::read_dir(place().join("one/games")).unwrap() {
        let path = entry.unwrap().path();
        if path.is_file() {
            fs::copy(&path, copy.join("games").join(path.file_name().unwrap())).unwrap();
        }
    }
    copy
}

#[test]
fn a_run_leaves_a_page_that_says_how_it_ended() {
    let page = fs::read_to_string(place().join("one/report.html")).unwrap();
    for words in [
        "Score against fixed opponents",
        "Policy loss",
        "How games end",
        "data-turn=",
        "connect4 (",
        "finished",
    ] {
        assert!(page.contains(words), "{words}");
    }
    for words in ["could not be read", "nothing yet", "http://", "https://"] {
        assert!(!page.replace("http://www.w3.org/2000/svg", "").contains(words), "{words}");
    }
    assert!(page.contains("No alarms") || page.contains("What to try"));
    let (out, errors) = done(&["report", "one", "--out", "page.html"]);
    assert!(out.is_empty() && errors.trim() == "page.html", "{out}{errors}");
    assert!(place().join("page.html").is_file());
}

#[test]
fn damage_is_named_and_the_rest_is_shown() {
    let copy = copy("damaged");
    fs::write(copy.join("manifest.json"), "{").unwrap();
    let mut metrics = fs::read_to_string(copy.join("metrics.jsonl")).unwrap();
    metrics.push_str("{\"kind\":\"other\"}\n");
    fs::write(copy.join("metrics.jsonl"), metrics).unwrap();
    let (_, errors) = done(&["report", "damaged"]);
    assert!(errors.contains("manifest.json") && errors.contains("unknown variant `other`"), "{errors}");
    let page = fs::read_to_string(copy.join("report.html")).unwrap();
    assert!(page.contains("could not be read") && page.contains("data-turn="));
    // Of another rules version or another game the games are refused by name.
    let config = fs::read_to_string(copy.join("config.toml")).unwrap();
    fs::write(copy.join("config.toml"), config.replace("\"connect4\"", "\"commander\"")).unwrap();
    let (_, errors) = done(&["report", "damaged"]);
    assert!(errors.contains("it holds games of connect4, not of commander"), "{errors}");
    fs::write(copy.join("manifest.json"), "{\"schema\": 7, \"starts\": []}").unwrap();
    assert!(refused(&["report", "damaged"]).contains("has schema 7"));
    assert!(refused(&["report", "nowhere"]).contains("nowhere: no run is there"));
    let output = train(place(), &["report", "one", "--out", "no/where.html"]);
    assert_eq!(output.status.code(), Some(1));
}

#[test]
fn runs_are_listed_with_state_and_results() {
    let (out, _) = done(&["list", "one"]);
    let line = out.lines().nth(1).unwrap();
    for words in ["one", "connect4", "finished", "random@2"] {
        assert!(line.contains(words), "{words} in {line}");
    }
    let (out, _) = done(&["list", ".", "--json"]);
    let list: Value = serde_json::from_str(&out).unwrap();
    let one = list["runs"].as_array().unwrap().iter().find(|run| run["run"] == "one").unwrap();
    assert_eq!((&one["cycles"], &one["status"]), (&Value::from(2), &Value::from("finished")));
    assert_eq!(one["ladder"][0]["opponent"], "random");
    assert!(refused(&["list", "nowhere"]).contains("nowhere"));
}

#[test]
fn comparisons_show_where_configs_differ() {
    let other = copy("other");
    let config = fs::read_to_string(other.join("config.toml")).unwrap();
    fs::write(other.join("config.toml"), config.replace("batch = 32", "batch = 64")).unwrap();
    let (out, _) = done(&["compare", "one", "other", "--html", "both.html", "--over", "minutes"]);
    let line = out.lines().find(|line| line.starts_with("training.batch")).unwrap();
    assert!(line.contains("32") && line.contains("64"), "{line}");
    assert!(!out.contains("net.blocks"), "{out}");
    let page = fs::read_to_string(place().join("both.html")).unwrap();
    assert!(page.contains("Where the configs differ") && page.contains("minutes of work"));
    let (out, _) = done(&["compare", "one", "other", "--json"]);
    let json: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(json["config"]["training.batch"], serde_json::json!(["32", "64"]));
    assert_eq!(json["runs"].as_array().unwrap().len(), 2);
    assert!(done(&["compare", "one", "./one"]).0.contains("The configs are the same"));
}

#[test]
fn games_are_the_same_in_both_kinds_of_files() {
    let (_, errors) = done(&["export", "one", "--games", "games.jsonl"]);
    done(&["export", "one", "--games", "games.parquet"]);
    let text = fs::read_to_string(place().join("games.jsonl")).unwrap();
    let lines: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert!(errors.contains(&format!("{} steps", lines.len())), "{errors}");
    let file = SerializedFileReader::new(fs::File::open(place().join("games.parquet")).unwrap()).unwrap();
    let about = file.metadata().file_metadata().key_value_metadata().unwrap();
    let about = about.iter().find(|pair| pair.key == "garrison").and_then(|pair| pair.value.clone()).unwrap();
    assert_eq!(serde_json::from_str::<Value>(&about).unwrap()["game"], "connect4");
    let mut count = 0;
    for (row, line) in file.get_row_iter(None).unwrap().zip(&lines) {
        let row = row.unwrap();
        let names: Vec<&String> = row.get_column_iter().map(|(name, _)| name).collect();
        assert_eq!(names.len(), line.as_object().unwrap().len());
        for (index, (name, field)) in row.get_column_iter().enumerate() {
            let wanted = &line[name];
            let text = match wanted {
                // Lists are compared as a whole, weights by what 32-bit numbers hold.
                Value::Array(list) => {
                    let elements = row.get_list(index).unwrap();
                    assert_eq!(elements.len(), list.len(), "{name}");
                    continue;
                }
                Value::Number(number) if number.is_f64() => {
                    assert_eq!(row.get_float(index).unwrap(), number.as_f64().unwrap() as f32, "{name}");
                    continue;
                }
                Value::String(text) => format!("{text:?}"),
                other => other.to_string(),
            };
            assert_eq!(field.to_string(), text, "{name}");
        }
        count += 1;
    }
    assert_eq!(count, lines.len());
    // Rows say what the records say.
    let opening = lines.iter().find(|line| line["simulations"].is_null()).unwrap();
    assert_eq!(opening["policy"].as_array().unwrap().len(), 0);
    assert!(opening["value"].is_null() && opening["full_search"] == false);
    let searched = lines.iter().find(|line| line["full_search"] == true).unwrap();
    let weights: f64 =
        searched["policy_weight"].as_array().unwrap().iter().map(|w| w.as_f64().unwrap()).sum();
    assert!((weights - 1.0).abs() < 1e-3);
    let sum: f64 = ["win", "draw", "loss"].iter().map(|key| searched[key].as_f64().unwrap()).sum();
    assert!((sum - 1.0).abs() < 1e-3);
    for line in &lines {
        let wanted = match (line["winner"].as_str().unwrap(), line["mover"].as_str().unwrap()) {
            ("draw", _) => 0.0,
            (winner, mover) if winner == mover => 1.0,
            _ => -1.0,
        };
        assert_eq!(line["outcome"].as_f64(), Some(wanted));
        assert_eq!(line["step"], line["turn"], "a step is a turn in Connect Four");
    }
    assert!(refused(&["export", "one", "--games", "games.csv"]).contains(".jsonl or .parquet"));
    assert!(refused(&["export", "nowhere", "--games", "games.jsonl"]).contains("no run is there"));
}

#[test]
fn networks_are_exported_from_runs_and_checkpoints() {
    // Names of one length: a module's file repeats its name inside.
    let (_, errors) = done(&["export", "one", "--net", "last.pt"]);
    assert!(errors.contains("000002"), "{errors}");
    done(&["export", "one/checkpoints/000002", "--net", "same.pt"]);
    let size = |name: &str| fs::metadata(place().join(name)).unwrap().len();
    assert_eq!(size("last.pt"), size("same.pt"));
    assert!(refused(&["export", "config.toml", "--net", "none.pt"]).contains("config.toml"));
    let output = train(place(), &["export", "one", "--net", "no/where.pt"]);
    assert_eq!(output.status.code(), Some(1));
    let output = train(place(), &["export", "one"]);
    assert_eq!(output.status.code(), Some(2), "nothing to export");
    let left: Vec<_> = fs::read_dir(place())
        .unwrap()
        .filter_map(|entry| entry.unwrap().file_name().into_string().ok())
        .filter(|name| name.ends_with(".partial"))
        .collect();
    assert!(left.is_empty() || left.iter().all(|name| name.starts_with("games")), "{left:?}");
}
