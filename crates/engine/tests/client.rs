//! Engines that behave well and engines that do not.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use engine::{Engine, EngineFault, EngineSettings, Limit, OptionValue, Protocol, Score};
use std::path::Path;
use std::time::{Duration, Instant};

fn settings(arguments: &[&str]) -> EngineSettings {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/scripted-engine");
    let protocol = if arguments.first() == Some(&"ucci") { Protocol::Ucci } else { Protocol::Uci };
    let arguments = arguments.iter().map(ToString::to_string).collect();
    EngineSettings { arguments, grace_ms: 200, ..EngineSettings::new(path, protocol) }
}

fn turns(words: &[&str]) -> Vec<String> {
    words.iter().map(ToString::to_string).collect()
}

const START: &str = "7/7/7/7/7/7 x";
const SHORT: Limit = Limit::Time(Duration::from_millis(100));

fn think(engine: &mut Engine, played: &[&str]) -> Result<String, EngineFault> {
    engine.think(START, &turns(played), Limit::Nodes(1), &|| false).map(|answer| answer.unwrap().turn)
}

#[test]
fn engines_play_in_both_protocols() {
    for protocol in ["uci", "ucci"] {
        let mut engine = Engine::start(&settings(&[protocol])).unwrap();
        assert_eq!(engine.name(), Some("Scripted engine"));
        engine.new_game().unwrap();
        assert_eq!(think(&mut engine, &[]).unwrap(), "a");
        let full = ["a", "a", "a", "a", "a", "a"];
        let answer = engine.think(START, &turns(&full), Limit::Nodes(9), &|| false).unwrap().unwrap();
        assert_eq!((answer.turn.as_str(), answer.info.score), ("b", Some(Score::Centipawns(12))));
        assert_eq!((answer.info.nodes, answer.info.line), (Some(7), turns(&["b"])));
    }
}

#[test]
fn faults_are_told_apart() {
    for (fault, message) in [
        ("hang", "no turn within 0.3 s"),
        ("crash", "it ended by itself (signal 9)"),
        ("exit", "it ended by itself (exit code 3)"),
        ("none", "it says that it has no turn (`bestmove (none)`)"),
        ("resign", "it gives up (`bestmove resign`)"),
    ] {
        let mut engine = Engine::start(&settings(&["uci", fault, "2"])).unwrap();
        assert_eq!(think(&mut engine, &[]).unwrap(), "a", "{fault}");
        let limit = if fault == "hang" { SHORT } else { Limit::Nodes(1) };
        let error = engine.think(START, &turns(&["a", "b"]), limit, &|| false).unwrap_err();
        assert_eq!(error.to_string(), message);
        assert!(!error.is_start());
    }
    // What is legal is not for this crate to say, and what it does not understand it leaves out.
    for (fault, turn) in [("illegal", "h"), ("garbage", "a"), ("loud", "a")] {
        let mut engine = Engine::start(&settings(&["uci", fault])).unwrap();
        let answer = engine.think(START, &[], Limit::Nodes(1), &|| false).unwrap().unwrap();
        assert_eq!(answer.turn, turn, "{fault}");
    }
}

#[test]
fn engines_that_never_get_ready_are_given_up() {
    for (arguments, message) in [
        (["uci", "silent"], "no `uciok` within 0.3 s"),
        (["uci", "unready"], "no `readyok` within 0.3 s"),
        (["uci", "babble"], "no `uciok` within 0.3 s"),
        (["ucci", "silent"], "no `ucciok` within 0.3 s"),
    ] {
        let begin = Instant::now();
        let fault = Engine::start(&EngineSettings { startup_ms: 300, ..settings(&arguments) }).err().unwrap();
        assert_eq!(fault.to_string(), message);
        assert!(fault.is_start() && begin.elapsed() < Duration::from_secs(20));
    }
    let missing = EngineSettings::new("no/such/program", Protocol::Uci);
    let fault = Engine::start(&missing).err().unwrap();
    assert_eq!(
        fault.to_string(),
        "no/such/program cannot be started: No such file or directory (os error 2)"
    );
    let gone = EngineSettings { arguments: Vec::new(), ..EngineSettings::new("true", Protocol::Uci) };
    let fault = Engine::start(&gone).err().unwrap();
    assert!(matches!(fault, EngineFault::Ended { .. }), "{fault}");
}

#[test]
fn only_options_that_it_has_are_set() {
    let mut wanted = settings(&["uci"]);
    wanted.options.insert("Skill Level".to_owned(), OptionValue::Number(5));
    Engine::start(&wanted).unwrap();
    wanted.options.insert("Hash".to_owned(), OptionValue::Number(16));
    let fault = Engine::start(&wanted).err().unwrap();
    assert_eq!(fault.to_string(), "it has no option `Hash`; it has Skill Level");
    assert!(fault.is_start());
}

#[test]
fn a_search_can_be_stopped() {
    let mut engine = Engine::start(&settings(&["uci", "hang"])).unwrap();
    let begin = Instant::now();
    let stopped = || begin.elapsed() > Duration::from_millis(50);
    let answer = engine.think(START, &[], Limit::Time(Duration::from_secs(100)), &stopped).unwrap();
    assert_eq!(answer, None);
}

/// A dropped engine takes everything with it that it has started, the `sleep` of a hanging one included.
#[test]
fn no_process_is_left() {
    let place = tempfile::tempdir().unwrap();
    let script = place.path().join("engine.sh");
    let note = place.path().join("child");
    std::fs::write(
        &script,
        format!(
            "sleep 1000 &\necho $! > {}\nwhile read -r line; do case $line in uci) echo uciok;; isready) echo \
             readyok;; esac; done\n",
            note.display()
        ),
    )
    .unwrap();
    let settings = EngineSettings {
        arguments: vec![script.to_str().unwrap().to_owned()],
        ..EngineSettings::new("sh", Protocol::Uci)
    };
    let engine = Engine::start(&settings).unwrap();
    let child: i32 = std::fs::read_to_string(&note).unwrap().trim().parse().unwrap();
    // A process that has ended and not been waited for by its new parent counts as gone.
    let alive = || {
        let state = std::fs::read_to_string(format!("/proc/{child}/stat")).unwrap_or_default();
        state.rsplit(") ").next().is_some_and(|rest| !rest.is_empty() && !rest.starts_with('Z'))
    };
    assert!(alive());
    drop(engine);
    let begin = Instant::now();
    while alive() && begin.elapsed() < Duration::from_secs(10) {
        std::thread::sleep(Duration::from_millis(10));
    }
    assert!(!alive());
}
