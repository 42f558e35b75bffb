//! Optimisation steps: they learn, they repeat, and they refuse what is not finite.

#![allow(clippy::unwrap_used)] // Also in the helpers of tests.

mod support;

use net::{
    AdamWConfig, Averaging, InferenceModel, Net, NetConfig, NetError, Plan, Precision, StepReport, Trainer,
    TrainerConfig,
};
use selfplay::{AuxiliaryHead, Evaluator};
use support::{PLANES, POLICY, bits, config, net, net_with_pairs, train_batch, train_batch_with_auxiliary};
use tch::Device;

fn trainer(config: &TrainerConfig) -> Trainer {
    Trainer::new(&net(3), config, Device::Cpu).unwrap()
}

#[test]
fn a_tiny_batch_is_learned_by_heart_by_either_policy_head() {
    for net in [net(3), net_with_pairs(3)] {
        learned_by_heart(&net);
    }
}

fn learned_by_heart(net: &Net) {
    let settings = TrainerConfig { pieces: 1, ..TrainerConfig::default() };
    let mut trainer = Trainer::new(net, &settings, Device::Cpu).unwrap();
    let batch = train_batch(0..24);
    let first = trainer.step(&batch, 3e-3).unwrap();
    let mut last = first.clone();
    for _ in 0..150 {
        last = trainer.step(&batch, 3e-3).unwrap();
    }
    // Untrained: steps about equally likely, results about even.
    assert!((first.value_loss - 3f64.ln()).abs() < 0.3, "{first:?}");
    assert!(first.policy_loss - first.target_entropy > 0.3, "{first:?}");
    assert!(last.policy_loss - last.target_entropy < 0.03, "{last:?}");
    assert!(last.value_loss < 0.03, "{last:?}");
    assert!(last.margin_loss < 0.005, "{last:?}");
    assert!(last.total_loss < first.total_loss);
    assert_eq!(trainer.steps(), 151);
}

fn with_auxiliary() -> NetConfig {
    NetConfig { auxiliary: AuxiliaryHead::ALL.to_vec(), ..config() }
}

#[test]
fn auxiliary_heads_are_learned_by_heart_with_any_number_of_pieces() {
    let net = Net::new(&with_auxiliary(), PLANES, POLICY, 3).unwrap();
    let batch = train_batch_with_auxiliary(0..24);
    for pieces in [1, 3] {
        let settings = TrainerConfig { pieces, threads: 2, ..TrainerConfig::default() };
        let mut trainer = Trainer::new(&net, &settings, Device::Cpu).unwrap();
        let first = trainer.step(&batch, 3e-3).unwrap();
        let mut last = first.clone();
        for _ in 0..200 {
            last = trainer.step(&batch, 3e-3).unwrap();
        }
        let heads: Vec<_> = last.auxiliary_losses.iter().map(|(head, _)| *head).collect();
        assert_eq!(heads, AuxiliaryHead::ALL);
        // Two thirds of the rows have a reply of two steps; owners are three.
        let loss = |report: &StepReport, head: usize| report.auxiliary_losses[head].1;
        assert!((loss(&first, 1) - 2.0 / 3.0 * 2f64.ln()).abs() < 0.2, "{first:?}");
        assert!((loss(&first, 2) - 3f64.ln()).abs() < 0.3, "{first:?}");
        assert!(loss(&last, 0) < 0.05 && loss(&last, 1) < 0.05 && loss(&last, 2) < 0.1, "{last:?}");
    }
}

/// What is learned on the side is no part of play: a network with such heads answers as one without them.
#[test]
fn auxiliary_heads_leave_play_as_it_is() {
    let answers = |config: &NetConfig| {
        let net = Net::new(config, PLANES, POLICY, 3).unwrap();
        let plan = Plan::deterministic(Precision::Fp32, 8).unwrap();
        let mut batch = support::batch(0..8);
        InferenceModel::new(&net, &plan).unwrap().evaluator().evaluate(&mut batch).unwrap();
        (0..8).map(|row| (batch.answer(row).0.to_vec(), batch.answer(row).1)).collect::<Vec<_>>()
    };
    assert_eq!(answers(&with_auxiliary()), answers(&config()));
}

#[test]
fn missing_and_wrong_auxiliary_targets_are_refused() {
    let net = Net::new(&with_auxiliary(), PLANES, POLICY, 3).unwrap();
    let mut trainer = Trainer::new(&net, &TrainerConfig::default(), Device::Cpu).unwrap();
    let message = trainer.step(&train_batch(0..8), 1e-3).unwrap_err().to_string();
    for part in ["turns_left", "reply_ends", "owners"] {
        assert!(message.contains(part), "{message}");
    }
    let good = train_batch_with_auxiliary(0..8);
    type Spoil = fn(&mut net::TrainBatch);
    let spoils: [(&str, Spoil); 5] = [
        ("owner 3", |batch| batch.auxiliary.owners[5] = 3),
        ("sample 10001 (row 1 of the batch): turns left", |batch| batch.auxiliary.turns_left[1] = f32::NAN),
        ("sample 10002 (row 2 of the batch): reply target", |batch| batch.auxiliary.reply[3] = f32::INFINITY),
        ("below 72", |batch| batch.auxiliary.reply_cells[0] = 72),
        ("ends of rows fall", |batch| batch.auxiliary.reply_ends[6] = 0),
    ];
    for (expected, spoil) in spoils {
        let mut batch = good.clone();
        spoil(&mut batch);
        let message = trainer.step(&batch, 1e-3).unwrap_err().to_string();
        assert!(message.contains(expected), "{message}");
    }
    trainer.step(&good, 1e-3).unwrap();
}

#[test]
fn the_number_of_threads_changes_no_bit_and_the_number_of_pieces_does() {
    let run = |pieces, threads| {
        let mut trainer = trainer(&TrainerConfig { pieces, threads, ..TrainerConfig::default() });
        for step in 0..3 {
            trainer.step(&train_batch(step * 10..step * 10 + 10), 1e-3).unwrap();
        }
        (bits(trainer.net()), bits(trainer.play_net()))
    };
    let one = run(3, 1);
    assert_eq!(one, run(3, 2));
    assert_eq!(one, run(3, 3));
    assert_ne!(one, run(1, 1));
    assert_ne!(one.0, one.1, "the average differs from the weights");
}

#[test]
fn without_averaging_the_trained_weights_play() {
    let mut trainer = trainer(&TrainerConfig { averaging: Averaging::None, ..TrainerConfig::default() });
    trainer.step(&train_batch(0..8), 1e-3).unwrap();
    assert_eq!(bits(trainer.net()), bits(trainer.play_net()));
    assert_ne!(bits(trainer.net()), bits(&net(3)));
}

#[test]
fn a_number_that_is_not_finite_names_its_sample_and_changes_nothing() {
    let mut trainer = trainer(&TrainerConfig::default());
    let good = train_batch(0..12);
    let width = good.planes.len() / 12;
    type Spoil = fn(&mut net::TrainBatch, usize);
    let spoils: [(&str, Spoil); 4] = [
        ("planes", |batch, width| batch.planes[7 * width + 5] = f32::NAN),
        ("value target", |batch, _| batch.wdl_target[7][1] = f32::INFINITY),
        ("margin target", |batch, _| batch.margin_target[7] = f32::NEG_INFINITY),
        ("policy weight", |batch, _| batch.policy_weight[7] = f32::NAN),
    ];
    let before = bits(trainer.net());
    for (expected, spoil) in spoils {
        let mut batch = good.clone();
        spoil(&mut batch, width);
        match trainer.step(&batch, 1e-3) {
            Err(NetError::NonFiniteSample { id: 10_007, row: 7, what }) => assert_eq!(what, expected),
            other => panic!("{expected}: {other:?}"),
        }
    }
    // Finite numbers whose loss overflows.
    let mut batch = good.clone();
    batch.wdl_target[4] = [-3e38, -3e38, -3e38];
    match trainer.step(&batch, 1e-3) {
        Err(NetError::NonFiniteSample { id: 10_004, row: 4, what: "value loss" }) => {}
        other => panic!("{other:?}"),
    }
    assert_eq!(before, bits(trainer.net()));
    assert_eq!(trainer.steps(), 0);
}

#[test]
fn passes_in_bf16_are_near_those_in_fp32_and_are_watched() {
    let with = |precision| trainer(&TrainerConfig { precision, ..TrainerConfig::default() });
    let batch = train_batch(0..24);
    assert_eq!(with(Precision::Fp32).precision_difference(&batch).unwrap(), None);
    let mut half = with(Precision::Bf16);
    let before = bits(half.net());
    let found = half.precision_difference(&batch).unwrap().unwrap();
    assert!(found.policy > 0.0 && found.policy < 0.05 && found.largest_policy >= found.policy, "{found:?}");
    assert!(found.value > 0.0 && found.value < 0.05 && found.largest_value >= found.value, "{found:?}");
    assert_eq!(before, bits(half.net()), "nothing was changed");
    let mut bad = batch;
    bad.planes[3] = f32::NAN;
    assert!(half.precision_difference(&bad).is_err());
    half.step(&train_batch(0..24), 1e-3).unwrap();
}

#[test]
fn all_faults_of_a_batch_are_named_at_once() {
    let mut batch = train_batch(0..6);
    batch.cells[2] = 9_999;
    batch.ids.pop();
    batch.margin_target.push(0.0);
    let message = trainer(&TrainerConfig::default()).step(&batch, 1e-3).unwrap_err().to_string();
    for part in ["cell 9999", "ids has 5", "margin_target has 7"] {
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn all_faults_of_the_settings_are_named_at_once() {
    let optimizer = AdamWConfig { beta1: 1.0, weight_decay: -1.0, ..AdamWConfig::default() };
    let config = TrainerConfig { optimizer, pieces: 0, ..TrainerConfig::default() };
    let message = Trainer::new(&net(1), &config, Device::Cpu).map(|_| ()).unwrap_err().to_string();
    for part in ["beta1 = 1", "weight_decay = -1", "pieces = 0"] {
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn half_precision_starts_like_full_precision() {
    let run = |precision| {
        let config = TrainerConfig { precision, pieces: 1, ..TrainerConfig::default() };
        trainer(&config).step(&train_batch(0..8), 1e-3).unwrap()
    };
    let (full, half) = (run(Precision::Fp32), run(Precision::Bf16));
    assert_ne!(full.total_loss, half.total_loss, "both are full precision");
    assert!((full.total_loss / half.total_loss - 1.0).abs() < 0.02, "{full:?} {half:?}");
    assert!((full.gradient_norm / half.gradient_norm - 1.0).abs() < 0.1, "{full:?} {half:?}");
    // The switch is off again afterwards.
    assert_eq!(full, run(Precision::Fp32));
}

#[test]
fn a_long_gradient_is_clipped() {
    let run = |clip_norm| {
        let optimizer = AdamWConfig { epsilon: 1.0, ..AdamWConfig::default() };
        let mut trainer = trainer(&TrainerConfig { clip_norm, optimizer, ..TrainerConfig::default() });
        let report = trainer.step(&train_batch(0..8), 1.0).unwrap();
        (report.gradient_norm, bits(trainer.net()))
    };
    let (norm, free) = run(0.0);
    let (same_norm, unclipped) = run(norm * 2.0);
    let (_, clipped) = run(norm / 100.0);
    assert_eq!(norm, same_norm);
    assert_eq!(free, unclipped);
    assert_ne!(free, clipped);
}
