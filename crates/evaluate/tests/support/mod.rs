//! Checkpoints of small networks with random weights, and the program that reads them.

#![allow(clippy::unwrap_used)] // Helpers of tests may unwrap as tests do.

use arena::games;
use game::options::parse_pairs;
use net::{
    CheckpointState, Device, Identity, Net, NetConfig, PolicyHead, Trainer, TrainerConfig, checkpoint,
};
use serde_json::json;
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
pub fn write(directory: &Path, game: &str, options: &[&str]) -> CheckpointState {
    let texts: Vec<String> = options.iter().map(ToString::to_string).collect();
    let facts = games::open(game, None, &parse_pairs(&texts).unwrap()).unwrap().facts();
    let net = Net::new(&SMALL, facts.planes, facts.policy, 1).unwrap();
    let trainer = Trainer::new(&net, &TrainerConfig::default(), Device::Cpu).unwrap();
    let identity = Identity { game: game.to_owned(), rules: facts.rules };
    checkpoint::save(directory, &trainer, &identity, &BTreeMap::new(), &json!(null)).unwrap()
}

pub fn evaluate(arguments: &[&str]) -> Output {
    evaluate_in("fp32", arguments)
}

/// The same with networks in other numbers.
pub fn evaluate_in(precision: &str, arguments: &[&str]) -> Output {
    let fixed = ["--precision", precision, "--threads", "2"];
    Command::new(env!("CARGO_BIN_EXE_evaluate")).args(arguments).args(fixed).output().unwrap()
}
