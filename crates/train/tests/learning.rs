//! The loop learns: a few minutes of Connect Four beat the untrained search, and the network has come to
//! see what is plain. The long version of this is a run of half an hour (`docs/proof.md`).

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

use evaluate::arguments::{CanariesArguments, MachineArguments, SolvedArguments};
use evaluate::interrupt::Interrupt;
use evaluate::{canaries, solved};
use net::{DeviceChoice, Precision};
use std::process::Command;

/// Small enough for about three minutes on two cores, self-play by far the most of them.
const CONFIG: &str = r#"
seed = 7
[game]
name = "connect4"
[limits]
cycles = 12
[net]
blocks = 2
channels = 24
[search]
solved_nodes = "on"
[selfplay]
games_per_worker = 96
batch_size = 48
simulations = { always = 24 }
[window]
size = { fixed = 30_000 }
[training]
batch = 128
reuse = 5.0
[training.targets]
value = { along-game = { decay = 0.8 } }
proven = "trust"
[training.learning_rate]
peak = 4e-3
warm_up_steps = 40
decay = { cosine-over-run = { floor = 4e-4 } }
[cycle]
positions = 5_000
workers = 2
[evaluation]
every_cycles = 100
ladder = []
"#;

/// Simulations of the trained and of the untrained search.
const SIMULATIONS: u32 = 50;
/// Positions out of the thousand. The standard error of the difference is about four points.
const POSITIONS: u16 = 250;

#[test]
fn a_few_minutes_beat_the_untrained_search_by_ten_points() {
    let place = tempfile::tempdir().unwrap();
    std::fs::write(place.path().join("config.toml"), CONFIG).unwrap();
    let trained = Command::new(env!("CARGO_BIN_EXE_train"))
        .current_dir(place.path())
        .args(["run", "config.toml", "--run", "run"])
        .output()
        .unwrap();
    assert_eq!(trained.status.code(), Some(0), "{}", String::from_utf8_lossy(&trained.stderr));

    let run = place.path().join("run").to_str().unwrap().to_owned();
    let machine =
        MachineArguments { device: DeviceChoice::Cpu, threads: Some(2), precision: Precision::Auto };
    let arguments = SolvedArguments {
        agents: vec![format!("{run}@{SIMULATIONS}"), format!("{run}@0")],
        sims: SIMULATIONS,
        positions: POSITIONS,
        seed: 0,
        json: false,
        machine: machine.clone(),
    };
    let report = solved::report(&arguments, &Interrupt::new()).unwrap().unwrap();
    println!("{report}");
    let shares: Vec<f64> = report.rows.iter().map(|row| row.all.share.unwrap()).collect();
    let [search, untrained_search, policy, untrained_policy] = shares[..] else { panic!("{report}") };
    assert!(search >= untrained_search + 0.10, "{report}");
    assert!(policy >= untrained_policy + 0.05, "{report}");

    let arguments = CanariesArguments { agent: run, sims: SIMULATIONS, file: None, json: false, machine };
    let report = canaries::report(&arguments, &Interrupt::new()).unwrap().unwrap();
    println!("{report}");
    // Not all of them after minutes: 15 and 16 of 18 in two runs of other seeds. An untrained network
    // passes two or three.
    assert!(report.passed >= 9, "{report}");
    for row in report.rows.iter().filter(|row| row.name.starts_with("win in one")) {
        let missed = row.faults.iter().any(|fault| fault.starts_with("the search plays"));
        assert!(!missed, "{report}");
    }
}
