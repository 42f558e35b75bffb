//! A short form of `scripts/torture`: faults at system calls of studies.

// Helpers of tests may unwrap and print as tests do.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use endurance::campaign::{self, Settings};
use endurance::fault::Kind;
use endurance::place::{Place, Torment};
use endurance::shim::Shim;
use endurance::subject::{Programs, Subject};
use endurance::subjects::study::Study;
use std::path::PathBuf;
use std::time::Duration;

const LIMIT: Duration = Duration::from_secs(300);

fn programs() -> Programs {
    let none = PathBuf::new();
    Programs { train: none.clone(), evaluate: none, study: env!("CARGO_BIN_EXE_study").into() }
}

#[test]
fn studies_survive_kills_failures_and_signals() {
    let settings = Settings {
        programs: programs(),
        seed: 4,
        kills: 3,
        failures: 3,
        stops: 1,
        faults_a_work: 4,
        limit: LIMIT,
        keep: false,
    };
    let subjects: Vec<Box<dyn Subject>> = vec![Box::new(Study)];
    let figures = campaign::run(&settings, &subjects, &mut |_| Ok(())).unwrap();
    println!("{figures}");
    assert!(figures.losses.is_empty(), "{figures}");
    assert!(figures.tried(Kind::Kill) >= 3 && figures.compared > 0, "{figures}");
}

/// After a power cut a name that was not synced may be the old one again.
#[test]
fn every_new_name_is_on_the_disk_before_the_next() {
    let (shim, place) = (Shim::build().unwrap(), Place::new().unwrap());
    Study.prepare(&place).unwrap();
    let torment = Torment { limit: LIMIT, ..Torment::default() };
    let ended = place.run(&shim, Study.command(&programs(), &place), &torment).unwrap();
    assert_eq!(ended.code, Some(0), "{}", ended.in_words());
    assert!(ended.trace.unsynced.is_empty(), "{:?}", ended.trace.unsynced);
    for site in ["config.toml", "findings.json", "report.html"] {
        let call = ("rename".to_owned(), site.to_owned());
        assert!(ended.trace.calls.contains_key(&call), "{site}: {:?}", ended.trace.calls.keys());
    }
}
