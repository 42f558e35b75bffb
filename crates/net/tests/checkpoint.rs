//! Checkpoints: read back to the bit, complete or absent, and refused by name when they do not fit.

#![allow(clippy::unwrap_used)] // Also in the helpers of tests.

mod support;

use game::PlaneShape;
use net::checkpoint::{self, CheckpointError};
use net::{Averaging, Expected, Identity, Net, RulesCheck, Trainer, TrainerConfig};
use safetensors::SafeTensors;
use serde_json::json;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use support::{PLANES, POLICY, bits, net, net_with_pairs, train_batch};
use tch::Device;

fn identity() -> Identity {
    Identity { game: "commander".to_string(), rules: json!({"preset": "official", "stay": 3}) }
}

fn expected() -> Expected {
    Expected { identity: identity(), planes: PLANES, policy: POLICY, rules_check: RulesCheck::Same }
}

fn trained(config: &TrainerConfig, steps: usize) -> Trainer {
    taught(&net(3), config, steps)
}

fn taught(net: &Net, config: &TrainerConfig, steps: usize) -> Trainer {
    let mut trainer = Trainer::new(net, config, Device::Cpu).unwrap();
    go_on(&mut trainer, 0, steps);
    trainer
}

fn go_on(trainer: &mut Trainer, from: usize, to: usize) {
    for step in from..to {
        trainer.step(&train_batch(step * 8..step * 8 + 8), 1e-3).unwrap();
    }
}

fn save(directory: &Path, trainer: &Trainer) {
    let counters = BTreeMap::from([("cycles".to_string(), 7)]);
    checkpoint::save(directory, trainer, &identity(), &counters, &json!({"note": [1, 2.5]})).unwrap();
}

#[test]
fn a_network_of_the_other_policy_head_comes_back() {
    let trainer = taught(&net_with_pairs(3), &TrainerConfig::default(), 2);
    let place = tempfile::tempdir().unwrap();
    let directory = place.path().join("checkpoints/000001");
    save(&directory, &trainer);
    let (play, state) = checkpoint::load_net(&directory, Some(&expected())).unwrap();
    assert_eq!(state.net, *trainer.net().config());
    assert_eq!(bits(&play), bits(trainer.play_net()));
}

#[test]
fn interrupted_equals_uninterrupted_to_the_bit() {
    for averaging in [Averaging::None, Averaging::Exponential { decay: 0.9 }] {
        let config = TrainerConfig { averaging, ..TrainerConfig::default() };
        let whole = trained(&config, 6);
        let half = trained(&config, 3);
        let place = tempfile::tempdir().unwrap();
        let directory = place.path().join("checkpoints/000003");
        save(&directory, &half);
        let (mut resumed, state) =
            checkpoint::load_trainer(&directory, &config, Device::Cpu, Some(&expected())).unwrap();
        assert_eq!(bits(half.net()), bits(resumed.net()));
        assert_eq!(bits(half.play_net()), bits(resumed.play_net()));
        assert_eq!((state.optimizer_steps, state.counters["cycles"]), (3, 7));
        assert_eq!(state.extra, json!({"note": [1, 2.5]}));
        go_on(&mut resumed, 3, 6);
        assert_eq!(bits(whole.net()), bits(resumed.net()));
        assert_eq!(bits(whole.play_net()), bits(resumed.play_net()));
    }
}

#[test]
fn playing_needs_no_data_of_training() {
    let trainer = trained(&TrainerConfig::default(), 2);
    let place = tempfile::tempdir().unwrap();
    let directory = place.path().join("1");
    save(&directory, &trainer);
    let mut names: Vec<_> =
        fs::read_dir(&directory).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    names.sort();
    assert_eq!(names, ["optimizer.safetensors", "state.json", "weights.safetensors"]);
    fs::remove_file(directory.join("optimizer.safetensors")).unwrap();
    let (net, _) = checkpoint::load_net(&directory, Some(&expected())).unwrap();
    assert_eq!(bits(&net), bits(trainer.play_net()));
    let error =
        checkpoint::load_trainer(&directory, trainer.config(), Device::Cpu, None).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("optimizer.safetensors"), "{error}");
}

#[test]
fn an_existing_directory_is_left_alone_and_a_partial_one_replaced() {
    let trainer = trained(&TrainerConfig::default(), 1);
    let place = tempfile::tempdir().unwrap();
    let directory = place.path().join("1");
    fs::create_dir_all(place.path().join("1.partial")).unwrap();
    fs::write(place.path().join("1.partial/weights.safetensors"), "torn").unwrap();
    save(&directory, &trainer);
    assert!(!place.path().join("1.partial").exists());
    let before = fs::read(directory.join("state.json")).unwrap();
    let again = checkpoint::save(&directory, &trainer, &identity(), &BTreeMap::new(), &json!(null));
    assert!(matches!(again, Err(CheckpointError::File { .. })), "{again:?}");
    assert_eq!(before, fs::read(directory.join("state.json")).unwrap());
}

#[test]
fn a_damaged_file_is_refused_by_name() {
    let trainer = trained(&TrainerConfig::default(), 1);
    for file in ["weights.safetensors", "optimizer.safetensors"] {
        type Damage = fn(&mut Vec<u8>);
        let damages: [Damage; 3] = [
            |bytes| bytes.truncate(bytes.len() - 1),
            |bytes| {
                let middle = bytes.len() / 2;
                bytes[middle] ^= 1;
            },
            |bytes| bytes.clear(),
        ];
        for damage in damages {
            let place = tempfile::tempdir().unwrap();
            let directory = place.path().join("1");
            save(&directory, &trainer);
            let mut bytes = fs::read(directory.join(file)).unwrap();
            damage(&mut bytes);
            fs::write(directory.join(file), bytes).unwrap();
            let error = checkpoint::load_trainer(&directory, trainer.config(), Device::Cpu, None)
                .map(|_| ())
                .unwrap_err();
            let text = error.to_string();
            assert!(matches!(error, CheckpointError::Damaged { .. }) && text.contains(file), "{text}");
        }
    }
}

/// Saves, changes `state.json` and reads the network back.
fn with_state(change: impl Fn(&mut serde_json::Value)) -> String {
    let trainer = trained(&TrainerConfig::default(), 1);
    let place = tempfile::tempdir().unwrap();
    let directory = place.path().join("1");
    save(&directory, &trainer);
    let file = directory.join("state.json");
    let mut state: serde_json::Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    state.as_object_mut().unwrap().remove("check");
    change(&mut state);
    fs::write(&file, files::sealed::write(&state).unwrap()).unwrap();
    checkpoint::load_net(&directory, None).map(|_| ()).unwrap_err().to_string()
}

#[test]
fn a_state_that_promises_other_tensors_is_refused_with_all_their_names() {
    let text = with_state(|state| state["net"]["blocks"] = json!(3));
    assert!(text.contains("lacks the tensor 'blocks.2.first.weight'"), "{text}");
    assert!(text.contains("lacks the tensor 'blocks.2.second.norm.variance'"), "{text}");
    let text = with_state(|state| state["net"]["blocks"] = json!(1));
    assert!(text.contains("unknown tensor 'blocks.1.first.weight'"), "{text}");
    let text = with_state(|state| state["planes"]["channels"] = json!(6));
    assert!(text.contains("'stem.weight' has shape [16, 5, 3, 3], should have [16, 6, 3, 3]"), "{text}");
    let text = with_state(|state| state["net"]["channels"] = json!(0));
    assert!(text.contains("net.channels = 0"), "{text}");
    let text = with_state(|state| state["planes"]["rows"] = json!(u64::MAX));
    assert!(text.contains("planes.rows = 18446744073709551615 must be 1 to 256"), "{text}");
    let text = with_state(|state| state["schema"] = json!(99));
    assert!(text.contains("schema 99, this program reads schemas 1 to 2"), "{text}");
    let text = with_state(|state| state["surprise"] = json!(1));
    assert!(text.contains("surprise"), "{text}");
}

/// Every bit of `state.json` counts: a counter that is off by a little would change what is learned.
#[test]
fn a_state_with_a_flipped_bit_is_refused() {
    let trainer = trained(&TrainerConfig::default(), 1);
    let place = tempfile::tempdir().unwrap();
    let directory = place.path().join("1");
    save(&directory, &trainer);
    let file = directory.join("state.json");
    let whole = fs::read(&file).unwrap();
    for byte in 0..whole.len() - 1 {
        let mut damaged = whole.clone();
        damaged[byte] ^= 1 << (byte % 8);
        fs::write(&file, damaged).unwrap();
        let error = checkpoint::read_state(&directory).unwrap_err().to_string();
        assert!(error.contains("state.json"), "byte {byte}: {error}");
    }
}

#[test]
fn a_state_without_a_checksum_is_read_from_the_version_that_had_none() {
    let trainer = trained(&TrainerConfig::default(), 1);
    let place = tempfile::tempdir().unwrap();
    let directory = place.path().join("1");
    save(&directory, &trainer);
    let file = directory.join("state.json");
    let mut state: serde_json::Value = serde_json::from_slice(&fs::read(&file).unwrap()).unwrap();
    state.as_object_mut().unwrap().remove("check");
    state["schema"] = json!(1);
    fs::write(&file, state.to_string()).unwrap();
    assert_eq!(checkpoint::load_net(&directory, Some(&expected())).unwrap().1.optimizer_steps, 1);
    state["schema"] = json!(2);
    fs::write(&file, state.to_string()).unwrap();
    let error = checkpoint::load_net(&directory, None).map(|_| ()).unwrap_err().to_string();
    assert!(error.contains("state.json: no checksum at its end"), "{error}");
}

/// Numbers that no training writes, in files whose checksums are right.
#[test]
fn numbers_that_cannot_be_computed_with_are_refused_by_name() {
    let trainer = trained(&TrainerConfig::default(), 1);
    for (file, tensor, number, words) in [
        ("weights.safetensors", "stem.weight", f32::NAN, "'stem.weight' holds a number that is not finite"),
        ("weights.safetensors", "stem.norm.variance", -1.0, "'stem.norm.variance' holds a square below 0"),
        (
            "optimizer.safetensors",
            "mean/stem.weight",
            f32::INFINITY,
            "'mean/stem.weight' holds a number that",
        ),
        ("optimizer.safetensors", "square/stem.weight", -1e-9, "'square/stem.weight' holds a square below 0"),
        ("optimizer.safetensors", "trained/stem.norm.gain", f32::NEG_INFINITY, "'trained/stem.norm.gain'"),
    ] {
        let place = tempfile::tempdir().unwrap();
        let directory = place.path().join("1");
        save(&directory, &trainer);
        let path = directory.join(file);
        let mut bytes = fs::read(&path).unwrap();
        let data = SafeTensors::deserialize(&bytes).unwrap().tensor(tensor).unwrap().data().as_ptr() as usize;
        let start = data - bytes.as_ptr() as usize;
        bytes[start..start + 4].copy_from_slice(&number.to_le_bytes());
        fs::write(&path, &bytes).unwrap();
        let state_path = directory.join("state.json");
        let mut state: serde_json::Value = serde_json::from_slice(&fs::read(&state_path).unwrap()).unwrap();
        state.as_object_mut().unwrap().remove("check");
        let key = if file.starts_with('w') { "weights_blake3" } else { "optimizer_blake3" };
        state[key] = json!(blake3::hash(&bytes).to_string());
        fs::write(&state_path, files::sealed::write(&state).unwrap()).unwrap();
        let error = checkpoint::load_trainer(&directory, trainer.config(), Device::Cpu, None).map(|_| ());
        let text = error.unwrap_err().to_string();
        assert!(text.contains(file) && text.contains(words), "{text}");
    }
}

#[test]
fn a_checkpoint_for_something_else_is_refused_with_all_differences() {
    let trainer = trained(&TrainerConfig::default(), 1);
    let place = tempfile::tempdir().unwrap();
    let directory = place.path().join("1");
    save(&directory, &trainer);
    let refuse = |change: &dyn Fn(&mut Expected)| {
        let mut expected = expected();
        change(&mut expected);
        let error = checkpoint::load_net(&directory, Some(&expected)).map(|_| ()).unwrap_err();
        assert!(matches!(error, CheckpointError::Mismatch { .. }), "{error}");
        error.to_string()
    };
    let text = refuse(&|expected| {
        expected.identity.rules = json!({"preset": "core", "stay": 3, "extra": true});
        expected.planes = PlaneShape { channels: 9, ..PLANES };
    });
    for part in
        ["rules.preset is \"official\", wanted is \"core\"", "rules.extra is missing", "reads 5 planes"]
    {
        assert!(text.contains(part), "{text}");
    }
    assert!(!text.contains("rules.stay"), "{text}");
    let text = refuse(&|expected| expected.identity.game = "emergo".to_string());
    assert!(text.contains("'commander', wanted is 'emergo'"), "{text}");

    let mut other = expected();
    other.identity.rules = json!({"preset": "core"});
    other.rules_check = RulesCheck::AnyOptions;
    assert!(checkpoint::load_net(&directory, Some(&other)).is_ok());
}

#[test]
fn a_missing_checkpoint_names_the_file() {
    let place = tempfile::tempdir().unwrap();
    let error = checkpoint::load_net(&place.path().join("nowhere"), None).map(|_| ()).unwrap_err();
    assert!(error.to_string().contains("nowhere/state.json"), "{error}");
}
