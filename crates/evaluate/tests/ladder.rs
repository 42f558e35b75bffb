//! `evaluate sprt`, `evaluate ladder` and `evaluate report`: what they print, keep and refuse.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used, clippy::expect_used)]

mod support;

use ladder::League;
use serde_json::Value;
use std::path::Path;
use std::process::{Command, Output, Stdio};
use std::time::{Duration, Instant};

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
    // A moment is enough for some pairs, whatever they would be without a clock.
    let timed = ladder(&directory, &["greedy", "alphabeta:2"], &["--minutes", "0.03"]);
    assert!(timed["pairs"].as_u64() > third["pairs"].as_u64());
    let third = ladder(&directory, &["greedy"], &["--pairs", "0"]);
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
    let standings = |more: &[&str]| {
        let output = support::evaluate(&[&["ladder", run_text], more, &fixed].concat());
        let messages = text(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{messages}");
        (serde_json::from_slice::<Value>(&output.stdout).unwrap(), messages)
    };
    // The networks are one and the same.
    let (all, messages) = standings(&[]);
    let named = |cycle| format!("{}/checkpoints/00000{cycle}@2", run.display());
    assert_eq!(all["players"].as_array().unwrap().len(), 2, "{all}");
    for cycle in [2, 3] {
        let line = format!("{} is left out: it is the same player as {}", named(cycle), named(1));
        assert!(messages.contains(&line), "{messages}");
    }
    let (standings, messages) = standings(&["--checkpoints", "1"]);
    assert!(messages.contains("2 players of connect4, 4 pairs played before"), "{messages}");
    let name = named(3);
    assert!(names(&standings).contains(&name.as_str()), "{standings}");
    let player =
        standings["players"].as_array().unwrap().iter().find(|player| player["name"] == name.as_str());
    assert_eq!(player.unwrap()["cycle"], 3);
}

fn scripted(arguments: &[&str], more: &str) -> String {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../engine/tests/data/scripted-engine");
    let arguments: Vec<String> = arguments.iter().map(|argument| format!("argument={argument}")).collect();
    format!("engine:{path}?{}{more}", arguments.join("&"))
}

/// Engines are players like others; those that hang or crash lose those games by name, and the ladder goes on.
#[test]
fn engines_are_rated_whatever_they_do() {
    let place = tempfile::tempdir().unwrap();
    let directory = place.path().to_str().unwrap();
    let steady = scripted(&["uci"], "@5");
    let hanging = scripted(&["uci", "hang"], "&grace_ms=100@20ms");
    let crashing = scripted(&["ucci", "crash", "2"], "&protocol=ucci@5");
    let output = evaluate(&[
        "ladder",
        &steady,
        &crashing,
        &hanging,
        "--game",
        "connect4",
        "--dir",
        directory,
        "--block",
        "1",
        "--pairs",
        "5",
        "--threads",
        "1",
        "--json",
    ]);
    let messages = text(&output.stderr);
    assert_eq!(output.status.code(), Some(0), "{messages}");
    for fault in ["no turn within 0.1 s", "it ended by itself (signal 9)"] {
        let line = format!(": a game is forfeited: scripted-engine: {fault}");
        assert!(messages.contains(&line), "no `{line}` in {messages}");
    }
    let standings: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert_eq!((&standings["pairs"], &standings["unrated"]), (&5.into(), &serde_json::json!([])));
    let of = |name: &str| {
        let players = standings["players"].as_array().unwrap();
        players.iter().find(|player| player["name"] == name).unwrap().clone()
    };
    // Each turn of the one, and the second one of the other, were the last.
    let hung = of(&hanging);
    assert_eq!(hung["losses"], 2 * hung["pairs"].as_u64().unwrap(), "{hung}");
    assert_eq!((&hung["kind"], &of(&steady)["budget"]), (&"engine".into(), &"5 nodes".into()));
    let crashed = of(&crashing);
    assert!(crashed["losses"].as_u64() >= Some(2), "{crashed}");
}

/// An engine that cannot be started again is left out; everybody else plays on.
#[test]
fn engines_that_are_gone_are_left_out() {
    let place = tempfile::tempdir().unwrap();
    let script = place.path().join("engine.sh");
    // It starts when it is tried out and when it is to play, crashes, and never starts again.
    let twice = "echo start >> \"$0.starts\"\n[ $(wc -l < \"$0.starts\") -gt 2 ] && exit 7\nwhile read -r \
                 line; do case $line in uci) echo uciok;; isready) echo readyok;; go*) exit 1;; esac; done\n";
    std::fs::write(&script, twice).unwrap();
    let engine = format!("engine:sh?argument={}@5", script.display());
    let directory = place.path().join("ladder");
    let output = evaluate(&[
        "ladder",
        &engine,
        "greedy",
        "--game",
        "connect4",
        "--dir",
        directory.to_str().unwrap(),
        "--block",
        "3",
        "--pairs",
        "8",
        "--threads",
        "1",
        "--json",
    ]);
    let messages = text(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{messages}");
    let line = "engine `sh` is left out from now on: it ended by itself (exit code 7)";
    assert_eq!(messages.matches(line).count(), 2, "{messages}");
    assert!(messages.trim_end().lines().last().unwrap().starts_with("error: engine `sh` is left out"));
    let standings: Value = serde_json::from_slice(&output.stdout).unwrap();
    let kept: Value = serde_json::from_slice(&std::fs::read(directory.join("ladder.json")).unwrap()).unwrap();
    assert_eq!((&kept, standings["pairs"].as_u64().unwrap() >= 8), (&standings, true), "{messages}");
    assert!(names(&standings).contains(&"greedy"), "{standings}");
    // An engine that does not even start once is wrong input, before anything is played.
    let (line, code) = refusal(&[
        "ladder",
        &engine,
        "greedy",
        "--game",
        "connect4",
        "--dir",
        directory.to_str().unwrap(),
        "--pairs",
        "1",
    ]);
    assert_eq!((line.as_str(), code), ("engine `sh`: it ended by itself (exit code 7)", Some(2)));
}

/// A ladder too long to end, told to stop: what was finished is kept and printed, and the same command plays
/// on from there.
#[test]
fn an_interrupted_ladder_goes_on_where_it_was() {
    let place = tempfile::tempdir().unwrap();
    let directory = place.path().join("ladder");
    let players = ["rollouts:20", "alphabeta:2"];
    let child = Command::new(env!("CARGO_BIN_EXE_evaluate"))
        .arg("ladder")
        .args(players)
        .args(["--game", "connect4", "--block", "3", "--seed", "4", "--pairs", "1000000", "--json", "--dir"])
        .arg(&directory)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let begin = Instant::now();
    let pairs = |(_, text): &(String, String)| (text.lines().count() as u64).saturating_sub(1);
    let played = || -> u64 {
        if directory.join("pairs").is_dir() { files(&directory).iter().map(pairs).sum() } else { 0 }
    };
    while played() < 4 && begin.elapsed() < Duration::from_secs(120) {
        std::thread::sleep(Duration::from_millis(5));
    }
    // SAFETY: a signal to a child that has not been waited for.
    assert_eq!(unsafe { libc::kill(child.id() as i32, libc::SIGINT) }, 0);
    let output = child.wait_with_output().unwrap();
    let messages = text(&output.stderr);
    assert_eq!(output.status.code(), Some(130), "{messages}");
    assert!(messages.contains("stopping: finishing what is under way"), "{messages}");
    let standings: Value = serde_json::from_slice(&output.stdout).unwrap();
    let before = files(&directory);
    assert!(played() >= 4);
    assert_eq!(standings["pairs"].as_u64().unwrap(), played());
    let kept: Value = serde_json::from_slice(&std::fs::read(directory.join("ladder.json")).unwrap()).unwrap();
    assert_eq!(kept, standings);
    // Nothing is played again: three pairs more, behind those that are there.
    let after = ladder(&directory, &players, &["--pairs", "3"]);
    assert_eq!(after["pairs"].as_u64().unwrap(), standings["pairs"].as_u64().unwrap() + 3);
    let now = files(&directory);
    for (name, text) in &before {
        assert!(now.iter().any(|(other, more)| other == name && more.starts_with(text)), "{name}");
    }
}

/// Matches, sequential tests and ladders begin where they are told to, all in the same way.
#[test]
fn starts_are_the_same_for_everybody() {
    let place = tempfile::tempdir().unwrap();
    let directory = place.path().join("ladder");
    let save = place.path().join("pairs.jsonl");
    let fixed =
        ["--game", "commander", "--starts", "free-uniform", "--pairs", "1", "--seed", "3", "--threads", "1"];
    let option = ["--option", "max_turns=12"];
    let dir = ["--dir", directory.to_str().unwrap()];
    json(&[&["ladder", "greedy"][..], &fixed, &option, &dir].concat());
    json(
        &[&["match", "random", "greedy"][..], &fixed, &option, &["--save", save.to_str().unwrap()]].concat(),
    );
    let rated = League::read(&directory).unwrap();
    let played = pairs::read(&save).unwrap();
    assert_eq!(rated.matches[0].pairs, played.pairs);
    assert_eq!(rated.matches[0].header, played.header);
    json(
        &[
            &["sprt", "random", "greedy", "--elo1", "50"][..],
            &fixed,
            &option,
            &["--save", save.to_str().unwrap()],
        ]
        .concat(),
    );
    assert_eq!(pairs::read(&save).unwrap(), played);
}

#[test]
fn wrong_input_gets_one_line_and_code_2() {
    let place = tempfile::tempdir().unwrap();
    let directory = place.path().join("ladder");
    let directory = directory.to_str().unwrap();
    ladder(Path::new(directory), &["greedy"], &["--pairs", "1"]);
    let game = ["--game", "connect4", "--dir", directory, "--seed", "4"];
    let damaged = place.path().join("damaged");
    ladder(&damaged, &["greedy"], &["--pairs", "1"]);
    let (path, text) = files(&damaged).remove(0);
    std::fs::write(&path, text.replacen("\"pair\"", "\"pear\"", 1)).unwrap();
    let strange = place.path().join("strange");
    std::fs::create_dir_all(strange.join("pairs")).unwrap();
    std::fs::write(strange.join("pairs/x.jsonl"), [0xFF, 0xFE]).unwrap();
    let times = place.path().join("times");
    ladder(&times, &["greedy"], &["--pairs", "1"]);
    std::fs::write(times.join("times.json"), "soon").unwrap();
    let file = place.path().join("file");
    std::fs::write(&file, "").unwrap();
    let [damaged, strange, times, file] =
        [&damaged, &strange, &times, &file].map(|path| path.to_str().unwrap());
    let out = format!("{directory}/nowhere/page.html");
    let in_dir = |dir| vec!["ladder", "greedy", "--game", "connect4", "--seed", "4", "--dir", dir];
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
        (
            [&["ladder", "greedy", "--starts", "free-uniform"][..], &game].concat(),
            "--starts free-uniform: start positions: line 1: unknown start `free-uniform` for connect4: use one of \
             standard, and there is no such file"
                .to_owned(),
        ),
        (in_dir(damaged), format!("{path}: line 2: damaged: its checksum is ")),
        (vec!["report", damaged], format!("{path}: line 2: damaged: its checksum is ")),
        (in_dir(strange), format!("{strange}/pairs/x.jsonl: no file of pairs: ")),
        (in_dir(times), format!("{times}/times.json: no file of times: ")),
        (in_dir(file), format!("{file}: Not a directory")),
        (vec!["report", directory, "--out", &out], format!("{out}: No such file or directory")),
        (
            [&["ladder", "greedy", "--starts", file][..], &game].concat(),
            format!("--starts {file}: start positions: line 1: no position in the whole file"),
        ),
        (
            [&["ladder", "greedy", "rollouts:0", "engine:no-such@5"][..], &game].concat(),
            "opponent `rollouts:0`: the number of playouts is `0` and should be a whole number from 1 to 1000000; \
             engine `no-such`: there is no program no-such in PATH"
                .to_owned(),
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
