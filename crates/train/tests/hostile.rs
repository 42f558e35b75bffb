//! What strangers and broken disks may leave in a run directory: it is named and refused, or named and left out.
//! `scripts/hostile-files` does the same to every kind of file with all programs.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

mod support;

use fuzzing::mutation::{mutate, mutate_json};
use game::random::{Purpose, stream};
use serde_json::{Value, json};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;
use support::{Place, TINY};
use train::config::TrainConfig;
use train::report_page;
use train::run_data::RunData;
use train::run_state::RunState;

/// A run of one cycle.
fn small_run() -> Place {
    let place = Place::new(TINY);
    place.done(&["--run", "run", "--cycles", "1", "--set", "evaluation.every_cycles=1"]);
    place
}

/// Exit code 1 or 2 and one line that says why.
fn refused(place: &Place, code: i32) -> String {
    let output = place.run(&["--run", "run", "--resume"]);
    let text = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(code), "{text}");
    let last = text.lines().last().unwrap();
    assert!(last.starts_with("error: "), "{text}");
    last.to_owned()
}

/// Changes `state.json` and gives it its right checksum.
fn change_state(checkpoint: &Path, change: impl FnOnce(&mut Value)) {
    let path = checkpoint.join("state.json");
    let mut state: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
    state.as_object_mut().unwrap().remove("check");
    change(&mut state);
    fs::write(&path, files::sealed::write(&state).unwrap()).unwrap();
}

fn copy(from: &Path, to: &Path) {
    fs::create_dir_all(to).unwrap();
    for entry in fs::read_dir(from).unwrap().flatten() {
        let (path, place) = (entry.path(), to.join(entry.file_name()));
        if path.is_dir() {
            copy(&path, &place);
        } else {
            fs::copy(&path, &place).unwrap();
        }
    }
}

#[test]
fn nothing_leads_out_of_a_run() {
    let place = small_run();
    let (run, mine) = (place.path("run"), place.path("mine"));
    fs::write(&mine, "mine").unwrap();
    for name in
        ["log.jsonl", "lock", "metrics.jsonl", "checkpoints/000001/state.json", "games/games-000009.open"]
    {
        let (path, aside) = (run.join(name), place.path("aside"));
        let was_there = path.exists();
        if was_there {
            fs::rename(&path, &aside).unwrap();
        }
        symlink(&mine, &path).unwrap();
        let line = refused(&place, 2);
        assert!(line.contains(name) && line.contains("is a link"), "{line}");
        assert_eq!(fs::read(&mine).unwrap(), b"mine", "{name}");
        fs::remove_file(&path).unwrap();
        if was_there {
            fs::rename(&aside, &path).unwrap();
        }
    }
    // A name in a file, with everything else of it right.
    fs::create_dir(place.path("elsewhere")).unwrap();
    change_state(&run.join("checkpoints/000001"), |state| {
        state["extra"]["unfinished"] = json!("../../../elsewhere/games");
    });
    let line = refused(&place, 1);
    assert!(line.contains("000001: state.json") && line.contains("no name of saved games"), "{line}");
    assert_eq!(fs::read_dir(place.path("elsewhere")).unwrap().count(), 0);
}

#[test]
fn checkpoints_of_others_are_refused_by_name() {
    let place = small_run();
    let checkpoints = place.path("run/checkpoints");
    let path = |name: &str| checkpoints.join(name);
    let backup = place.path("backup");
    copy(&checkpoints, &backup);
    let restore = || {
        fs::remove_dir_all(&checkpoints).unwrap();
        copy(&backup, &checkpoints);
    };

    // A number that is none, with the right checksum: the network is not trained, and not asked.
    let mut weights = fs::read(path("000001/weights.safetensors")).unwrap();
    let end = weights.len();
    weights[end - 4..].copy_from_slice(&f32::NAN.to_le_bytes());
    fs::write(path("000001/weights.safetensors"), &weights).unwrap();
    change_state(&path("000001"), |state| {
        state["weights_blake3"] = json!(blake3::hash(&weights).to_string())
    });
    let line = refused(&place, 1);
    assert!(line.contains("000001") && line.contains("weights.safetensors: '"), "{line}");
    assert!(line.contains("holds a number that is not finite; delete "), "{line}");
    // What the line says helps.
    fs::remove_dir_all(path("000001")).unwrap();
    place.done(&["--run", "run", "--resume", "--cycles", "1"]);

    restore();
    fs::rename(path("000000"), path("000002")).unwrap();
    let line = refused(&place, 1);
    assert!(line.contains("000002: holds the run after cycle 0, not 2"), "{line}");

    restore();
    change_state(&path("000001"), |state| state["extra"]["cycle"] = json!(u64::MAX));
    assert!(refused(&place, 1).contains("cycle is 18446744073709551615, more than"));

    restore();
    for (name, other) in [("weights", "optimizer"), ("optimizer", "weights")] {
        let file = |name: &str| path(&format!("000001/{name}.safetensors"));
        fs::copy(backup.join(format!("000001/{other}.safetensors")), file(name)).unwrap();
        assert!(refused(&place, 1).contains(&format!("{name}.safetensors is damaged")));
        fs::copy(backup.join(format!("000001/{name}.safetensors")), file(name)).unwrap();
    }
}

#[test]
fn games_and_records_that_were_changed_are_named() {
    let place = small_run();
    let run = place.path("run");
    // A game that the rules do not confirm, behind right checksums: the file and the game are named.
    let shard = run.join("games/games-000000.shard");
    let (identity, mut games) = {
        let mut reader = selfplay::ShardReader::open(&shard).unwrap();
        let block = reader.next_block().unwrap().unwrap().unwrap();
        (reader.identity().clone(), block)
    };
    let whole = fs::read(&shard).unwrap();
    games[0].steps[1].code = game::StepCode(99);
    fs::remove_file(&shard).unwrap();
    selfplay::ShardWriter::create(&shard, &identity).unwrap().append(&games).unwrap();
    let line = refused(&place, 1);
    assert!(line.contains("games-000000.shard: game ") && line.contains("99 is no legal step"), "{line}");
    fs::write(&shard, &whole).unwrap();

    // A block that was damaged, and a record: both are named, and the run goes on without them.
    let mut damaged = whole;
    let end = damaged.len();
    damaged[end - 10] ^= 1;
    fs::write(&shard, damaged).unwrap();
    let mut metrics = fs::read(run.join("metrics.jsonl")).unwrap();
    metrics[3] = 0xff;
    fs::write(run.join("metrics.jsonl"), metrics).unwrap();
    let text = place.done(&["--run", "run", "--resume", "--cycles", "2"]);
    assert!(text.contains("games-000000.shard at byte "), "{text}");
    assert!(text.contains("metrics.jsonl: lines [1] are damaged and were dropped"), "{text}");
}

/// Inputs with their mutations, half of them bytes and half of them JSON.
fn mutations(name: u64, count: usize, corpus: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut random = stream(1, Purpose::Sampling, &[name]);
    (0..count).map(|_| mutate_json(corpus, &mut random)).collect()
}

#[test]
fn whatever_stands_in_the_files_of_a_run_it_has_a_page_or_a_refusal() {
    let place = small_run();
    let run = place.path("run");
    for (number, name) in
        ["metrics.jsonl", "log.jsonl", "manifest.json", "config.toml"].into_iter().enumerate()
    {
        let path: PathBuf = run.join(name);
        let whole = fs::read(&path).unwrap();
        for input in mutations(number as u64, 80, std::slice::from_ref(&whole)) {
            fs::write(&path, &input).unwrap();
            match RunData::read(&run) {
                Ok(data) => {
                    let (page, _) = report_page::page(&data);
                    assert!(page.to_html().contains("</html>"));
                }
                Err(error) => assert!(error.to_string().contains("manifest.json"), "{error}"),
            }
        }
        fs::write(&path, whole).unwrap();
    }
}

#[test]
fn whatever_a_config_says_it_is_refused_or_in_range() {
    let shipped = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs");
    let mut corpus = vec![TINY.as_bytes().to_vec()];
    for entry in fs::read_dir(shipped).unwrap().flatten() {
        let path = entry.path();
        if path.extension().is_some_and(|ending| ending == "toml") {
            corpus.push(fs::read(path).unwrap());
        }
    }
    let mut random = stream(2, Purpose::Sampling, &[]);
    let mut taken = 0;
    for _ in 0..400 {
        let text = String::from_utf8_lossy(&mutate(&corpus, &mut random)).into_owned();
        let Ok(table) = text.parse() else { continue };
        match TrainConfig::from_table(table, &[]) {
            Ok(config) => {
                taken += 1;
                assert!(config.faults().is_empty());
                assert!(config.selfplay.games_per_worker <= 1 << 20 && config.training.batch <= 65_536);
            }
            Err(faults) => assert!(!faults.is_empty()),
        }
    }
    assert!(taken > 20, "{taken}");
}

#[test]
fn whatever_a_state_says_it_is_refused_or_stays_in_its_run() {
    let place = small_run();
    let state: Value =
        serde_json::from_slice(&fs::read(place.path("run/checkpoints/000001/state.json")).unwrap()).unwrap();
    let corpus = [serde_json::to_vec(&state["extra"]).unwrap()];
    let mut taken = 0;
    for input in mutations(9, 1_000, &corpus) {
        let Ok(state) = serde_json::from_slice::<RunState>(&input) else { continue };
        if state.faults().is_empty() {
            taken += 1;
            let name = state.unfinished.as_deref().unwrap_or_default();
            assert!(!name.contains(['/', '.']), "{name}");
            assert!(state.owed_samples.is_finite() && state.current_cycle() > 0);
        }
    }
    assert!(taken > 20, "{taken}");
}

/// Reads a run with a pipe in it, to which nobody writes: exit code and everything said. 124: it waited.
fn read_run(place: &Place, arguments: &[&str]) -> (Option<i32>, String) {
    let mut command = Command::new("timeout");
    command.arg("120").arg(env!("CARGO_BIN_EXE_train")).args(arguments);
    let output = command.current_dir(place.path("")).output().unwrap();
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8_lossy(&text).into_owned())
}

#[test]
fn a_pipe_is_named_and_not_waited_for() {
    let place = small_run();
    let digest = ["digest", "run"].as_slice();
    let export = ["export", "run", "--net", "net.pt"].as_slice();
    let games = ["export", "run", "--games", "games.parquet"].as_slice();
    for (name, commands) in [
        ("checkpoints/000001/weights.safetensors", [digest, export].as_slice()),
        ("checkpoints/000001/state.json", &[digest, export]),
        ("checkpoints/000001/optimizer.safetensors", &[digest]),
        ("games/games-000000.shard", &[digest, games]),
        ("games/unfinished/000001.json.zst", &[digest]),
    ] {
        let (path, aside) = (place.path("run").join(name), place.path("aside"));
        fs::rename(&path, &aside).unwrap();
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        for command in commands {
            let (code, text) = read_run(&place, command);
            let file = path.file_name().unwrap().to_str().unwrap();
            assert!(matches!(code, Some(1 | 2)) && text.contains(file), "{command:?}: {code:?} {text}");
            assert!(text.contains("is a pipe, expected a file"), "{command:?}: {text}");
        }
        fs::remove_file(&path).unwrap();
        fs::rename(&aside, &path).unwrap();
    }
    // A run can be looked at without its lock.
    let lock = place.path("run/lock");
    fs::remove_file(&lock).unwrap();
    assert!(Command::new("mkfifo").arg(&lock).status().unwrap().success());
    assert_eq!(read_run(&place, &["list", "run"]).0, Some(0));
}
