//! The program with untrained networks: values beside games, and the tree of openings.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

use arena::games;
use arena::rules_session::View;
use net::{
    CheckpointState, Device, Identity, Net, NetConfig, PolicyHead, Trainer, TrainerConfig, checkpoint,
};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;
use std::process::{Command, Output};

const SMALL: NetConfig = NetConfig {
    blocks: 1,
    channels: 8,
    pooling_every: 1,
    pooling_channels: 4,
    policy_channels: 4,
    policy_head: PolicyHead::Cells,
    value_channels: 4,
    value_hidden: 8,
    auxiliary: Vec::new(),
};

/// Writes a checkpoint of an untrained network.
fn write(directory: &Path, game: &str, seed: u64) -> CheckpointState {
    let facts = games::open(game, None, &[]).unwrap().facts();
    let net = Net::new(&SMALL, facts.planes, facts.policy, seed).unwrap();
    let trainer = Trainer::new(&net, &TrainerConfig::default(), Device::Cpu).unwrap();
    let identity = Identity { game: game.to_owned(), rules: facts.rules };
    checkpoint::save(directory, &trainer, &identity, &BTreeMap::new(), &json!(null)).unwrap()
}

fn study(arguments: &[&str]) -> Output {
    let fixed = ["--precision", "fp32", "--threads", "2"];
    Command::new(env!("CARGO_BIN_EXE_study")).args(arguments).args(fixed).output().unwrap()
}

#[test]
fn a_network_says_what_it_expects_and_that_it_never_saw_set_ups() {
    let directory = tempfile::tempdir().unwrap();
    let net = directory.path().join("net");
    write(&net, "commander", 1);
    let output = study(&["score", "fortress", "--agent", net.to_str().unwrap(), "--pairs", "11", "--json"]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success() && told.contains("never trained on free set-ups"), "{told}");
    let found: Value = serde_json::from_slice(&output.stdout).unwrap();
    assert!((0.0..=1.0).contains(&found["value"].as_f64().unwrap()), "{found}");
}

/// Draws the tree of openings of a config into `out`; what was found.
fn openings(directory: &Path, config: &str) -> Value {
    let place = |name: &str| directory.join(name).to_str().unwrap().to_owned();
    std::fs::write(place("openings.toml"), config).unwrap();
    let output = study(&["openings", &place("openings.toml"), "--out", &place("out")]);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    serde_json::from_slice(&std::fs::read(place("out/openings.json")).unwrap()).unwrap()
}

#[test]
fn openings_are_drawn_and_can_be_started_from() {
    let directory = tempfile::tempdir().unwrap();
    for (name, seed) in [("one", 1), ("other", 2)] {
        write(&directory.path().join(name), "connect4", seed);
    }
    let place = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    let config = format!(
        "game = \"connect4\"\ncheckpoints = [{:?}, {:?}]\nsimulations = 0\nsteps = 3\nleast_share = 0.01\ngames = 2\n",
        place("one"),
        place("other")
    );
    let found = openings(directory.path(), &config);
    let nodes = found["nodes"].as_array().unwrap();
    // An untrained network hardly prefers any of the seven columns, of which three are mirror images of others.
    let first: Vec<&Value> = nodes.iter().filter(|node| node["depth"] == 1).collect();
    assert_eq!(first.len(), 4);
    let steps = |node: &&Value| -> usize { node["ways"][0]["steps"].as_array().unwrap().len() };
    assert_eq!(first.iter().map(steps).sum::<usize>(), 7);
    let share: f64 = first.iter().map(|node| node["share"].as_f64().unwrap()).sum();
    assert!((share - 1.0).abs() < 1e-3, "{share}");
    assert!(
        nodes[0]["disagreement"].as_f64().unwrap() > 0.0 && nodes[0]["views"].as_array().unwrap().len() == 2
    );
    assert_eq!(nodes[0]["games"].as_u64().unwrap() % 2, 0);
    // Two stones of the first player in either order.
    assert!(nodes.iter().any(|node| node["depth"] == 3 && node["ways"].as_array().unwrap().len() > 1));
    for node in nodes.iter().filter(|node| node["depth"] != 0) {
        let ways = node["ways"].as_array().unwrap();
        let sum: f64 = ways.iter().map(|way| way["share"].as_f64().unwrap()).sum();
        assert!((sum - node["share"].as_f64().unwrap()).abs() < 1e-9, "{node}");
    }
    // Of the empty board's four choices at most two bits.
    assert!((1.9..2.0).contains(&nodes[0]["views"][0]["entropy"].as_f64().unwrap()), "{}", nodes[0]);
    let lines = std::fs::read_to_string(directory.path().join("out/openings.txt")).unwrap();
    let game = games::open("connect4", None, &[]).unwrap();
    for line in lines.lines().filter(|line| !line.starts_with('#')) {
        game.show(Some(line.split('#').next().unwrap().trim()), &View::default()).unwrap();
    }
    assert!(directory.path().join("out/openings.html").is_file());
    std::fs::write(place("openings.toml"), "steps = 0\n").unwrap();
    let output = study(&["openings", &place("openings.toml"), "--out", &place("out")]);
    let told = String::from_utf8_lossy(&output.stderr);
    assert!(
        output.status.code() == Some(2) && told.contains("steps: found 0") && told.contains("checkpoints"),
        "{told}"
    );
}

#[test]
fn openings_go_through_the_entry_phase_of_emergo() {
    let directory = tempfile::tempdir().unwrap();
    write(&directory.path().join("net"), "emergo", 1);
    let place = |name: &str| directory.path().join(name).to_str().unwrap().to_owned();
    let config = format!(
        "game = \"emergo\"\ncheckpoints = [{:?}]\nsimulations = 0\nsteps = 2\nleast_share = 0.002\ngames = 1\n",
        place("net")
    );
    let found = openings(directory.path(), &config);
    let nodes = found["nodes"].as_array().unwrap();
    let first: Vec<&Value> = nodes.iter().filter(|node| node["depth"] == 1).collect();
    let steps = |node: &&Value| node["ways"][0]["steps"].as_array().unwrap().len();
    // Of 41 squares the centre is barred; those on an axis or a diagonal have four images, the other two kinds eight.
    assert_eq!(first.iter().map(steps).sum::<usize>(), 40);
    assert_eq!(first.iter().filter(|node| steps(node) == 8).count(), 2);
    assert!(first.len() == 8 && nodes.iter().any(|node| node["depth"] == 2));
    let game = games::open("emergo", None, &[]).unwrap();
    for node in nodes {
        game.show(node["fen"].as_str(), &View::default()).unwrap();
    }
}

#[test]
fn the_shipped_study_can_be_read() {
    let directory = tempfile::tempdir().unwrap();
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/commander/study");
    // It has a reply of the oracle, which no network has judged beforehand.
    for name in ["findings.json", "config.toml"] {
        std::fs::copy(assets.join(name), directory.path().join(name)).unwrap();
    }
    for command in ["show", "report"] {
        let output =
            Command::new(env!("CARGO_BIN_EXE_study")).arg(command).arg(directory.path()).output().unwrap();
        assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    }
    assert!(directory.path().join("report.html").is_file());
}

#[test]
fn shipped_configs_are_right() {
    let configs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../configs");
    for name in ["studies/deployments.toml", "studies/quick.toml"] {
        study::directory::read_config::<deployments::Config>(&configs.join(name))
            .unwrap_or_else(|failure| panic!("{failure}"));
    }
    study::directory::read_config::<deployments::learned::LearnConfig>(&configs.join("studies/deploy.toml"))
        .unwrap_or_else(|failure| panic!("{failure}"));
    let text = std::fs::read_to_string(configs.join("studies/openings.toml")).unwrap();
    toml::from_str::<study::openings::OpeningsConfig>(&text).unwrap().check().unwrap();
}
