//! A short form of `scripts/torture`: faults at system calls of studies.

// Helpers of tests may unwrap and print as tests do.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use endurance::campaign::{self, Settings};
use endurance::fault::Kind;
use endurance::subject::{Programs, Subject};
use endurance::subjects::study::Study;
use std::path::PathBuf;
use std::time::Duration;

#[test]
fn studies_survive_kills_failures_and_signals() {
    let none = PathBuf::new();
    let settings = Settings {
        programs: Programs { train: none.clone(), evaluate: none, study: env!("CARGO_BIN_EXE_study").into() },
        seed: 4,
        kills: 3,
        failures: 3,
        stops: 1,
        faults_a_work: 4,
        limit: Duration::from_secs(300),
        keep: false,
    };
    let subjects: Vec<Box<dyn Subject>> = vec![Box::new(Study)];
    let figures = campaign::run(&settings, &subjects, &mut |_| Ok(())).unwrap();
    println!("{figures}");
    assert!(figures.losses.is_empty(), "{figures}");
    assert!(figures.tried(Kind::Kill) >= 3 && figures.compared > 0, "{figures}");
}
