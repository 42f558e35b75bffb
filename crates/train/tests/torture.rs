//! A short form of `scripts/torture`: faults at system calls, and what they showed before.

// Helpers of tests may unwrap and print as tests do.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use endurance::campaign::{self, Settings};
use endurance::fault::{Effect, Fault, Kind, Lasting};
use endurance::place::{Ended, Place, Torment};
use endurance::shim::Shim;
use endurance::subject::{Kept, Programs, Subject};
use endurance::subjects::training::Training;
use std::path::PathBuf;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(300);

fn programs() -> Programs {
    let none = PathBuf::new();
    Programs { train: env!("CARGO_BIN_EXE_train").into(), evaluate: none.clone(), study: none }
}

#[test]
fn runs_survive_kills_failures_and_signals() {
    let settings = Settings {
        programs: programs(),
        seed: 3,
        kills: 6,
        failures: 3,
        stops: 1,
        faults_a_work: 6,
        limit: LIMIT,
        keep: false,
    };
    let subjects: Vec<Box<dyn Subject>> =
        vec![Box::new(Training { workers: 1 }), Box::new(Training { workers: 2 })];
    let figures = campaign::run(&settings, &subjects, &mut |_| Ok(())).unwrap();
    println!("{figures}");
    assert!(figures.losses.is_empty(), "{figures}");
    assert!(figures.tried(Kind::Kill) >= 6 && figures.compared > 0, "{figures}");
}

/// A run from its beginning to its end with a fault, and what it left.
fn run_with(call: &str, site: &str, number: u32, effect: Effect) -> (Place, Ended) {
    let (shim, place) = (Shim::build().unwrap(), Place::new().unwrap());
    let training = Training { workers: 1 };
    training.prepare(&place).unwrap();
    let fault = Fault { call: call.to_owned(), site: site.to_owned(), number, effect };
    let torment = Torment { fault: Some(fault), limit: LIMIT, ..Torment::default() };
    let ended = place.run(&shim, training.command(&programs(), &place), &torment).unwrap();
    assert!(ended.trace.fired.is_some(), "{}", ended.in_words());
    (place, ended)
}

/// The log goes on after a line that could not be written; nothing may stand behind half of one.
#[test]
fn a_log_line_that_could_not_be_written_whole_leaves_nothing() {
    let (place, ended) = run_with("write", "log.jsonl", 2, Effect::Short(libc::ENOSPC, Lasting::Once));
    assert_eq!(ended.code, Some(0), "{}", ended.in_words());
    assert!(ended.text.contains("warning: log.jsonl: No space left"), "{}", ended.text);
    Training { workers: 1 }.check(&place, &Kept::new()).unwrap();
}

/// Errors of the file system say what happened; the program says to which file.
#[test]
fn errors_name_their_file() {
    for (call, site, number, named) in [
        ("mkdir", "tb", 1, "work/tb: Permission denied"),
        ("write", "metrics.jsonl", 2, "work/metrics.jsonl: Permission denied"),
        ("open", "log.jsonl", 1, "work/log.jsonl: Permission denied"),
    ] {
        let (_, ended) = run_with(call, site, number, Effect::Fail(libc::EACCES, Lasting::Once));
        assert_eq!(ended.code, Some(1), "{}", ended.in_words());
        assert!(
            ended.last_line().starts_with("error: ") && ended.last_line().contains(named),
            "{}",
            ended.text
        );
    }
}

/// After a power cut a name that was not synced may be the old one again.
#[test]
fn every_new_name_is_on_the_disk_before_the_next() {
    let (shim, place) = (Shim::build().unwrap(), Place::new().unwrap());
    let training = Training { workers: 1 };
    training.prepare(&place).unwrap();
    let torment = Torment { limit: LIMIT, ..Torment::default() };
    let ended = place.run(&shim, training.command(&programs(), &place), &torment).unwrap();
    assert_eq!(ended.code, Some(0), "{}", ended.in_words());
    assert!(ended.trace.unsynced.is_empty(), "{:?}", ended.trace.unsynced);
    let renamed = |site: &str| ended.trace.calls.contains_key(&("rename".to_owned(), site.to_owned()));
    for site in ["config.toml", "manifest.json", "checkpoints/#", "games/games-#.shard", "eval/#.json"] {
        assert!(renamed(site), "{site}: {:?}", ended.trace.calls.keys());
    }
}
