//! Networks as evaluators: every way of running them answers the same.

#![allow(clippy::unwrap_used)] // Also in the helpers of tests.

mod support;

use net::{InferenceModel, Net, NetError, Path, Plan, Precision, Rows, Trainer, TrainerConfig};
use selfplay::Difference;
use selfplay::evaluator::{Batch, Evaluator, EvaluatorError, Judgement};
use support::{PLANES, POLICY, batch, net, net_with_pairs, train_batch};
use tch::{Device, Kind};

/// A network with statistics and weights that are not the first ones.
fn trained() -> Net {
    taught(&net(8))
}

fn taught(net: &Net) -> Net {
    let config = TrainerConfig { averaging: net::Averaging::None, ..TrainerConfig::default() };
    let mut trainer = Trainer::new(net, &config, Device::Cpu).unwrap();
    for step in 0..10 {
        trainer.step(&train_batch(step * 16..step * 16 + 16), 1e-2).unwrap();
    }
    trainer.net().copy_to(Device::Cpu).unwrap()
}

fn model(net: &Net, path: Path, kind: Kind) -> InferenceModel {
    InferenceModel::new(net, &Plan::fixed(path, kind, Device::Cpu)).unwrap()
}

fn answers(batch: &Batch) -> Vec<(Vec<f32>, Judgement)> {
    (0..batch.len()).map(|row| batch.answer(row)).map(|(logits, own)| (logits.to_vec(), own)).collect()
}

fn largest_difference(left: &[(Vec<f32>, Judgement)], right: &[(Vec<f32>, Judgement)]) -> f32 {
    let mut largest = 0f32;
    for ((left_logits, left), (right_logits, right)) in left.iter().zip(right) {
        assert_eq!(left_logits.len(), right_logits.len());
        let (left_wdl, right_wdl) = (left.wdl.0, right.wdl.0);
        let pairs = left_logits.iter().zip(right_logits).map(|(left, right)| (*left, *right));
        let values = [
            (left_wdl.win, right_wdl.win),
            (left_wdl.draw, right_wdl.draw),
            (left_wdl.loss, right_wdl.loss),
            (left.margin.0, right.margin.0),
        ];
        for (left, right) in pairs.chain(values) {
            largest = largest.max((left - right).abs());
        }
    }
    largest
}

#[test]
fn frozen_and_fused_agree_with_eager() {
    for net in [trained(), taught(&net_with_pairs(8))] {
        all_ways_agree(&net);
    }
}

fn all_ways_agree(net: &Net) {
    let mut reference = batch(0..70);
    model(net, Path::Eager, Kind::Float).evaluator().evaluate(&mut reference).unwrap();
    let reference = answers(&reference);
    assert!(
        reference.iter().any(|(logits, _)| logits.iter().any(|logit| logit.abs() > 0.1)),
        "nothing to compare"
    );
    for path in [Path::Frozen, Path::Fused] {
        let mut found = batch(0..70);
        model(net, path, Kind::Float).evaluator().evaluate(&mut found).unwrap();
        let difference = largest_difference(&reference, &answers(&found));
        assert!(difference < 1e-3, "{path:?}: {difference}");
    }
}

#[test]
fn half_precision_agrees_roughly() {
    for net in [trained(), taught(&net_with_pairs(8))] {
        let [mut full, mut half] = [batch(0..9), batch(0..9)];
        model(&net, Path::Eager, Kind::Float).evaluator().evaluate(&mut full).unwrap();
        model(&net, Path::Fused, Kind::BFloat16).evaluator().evaluate(&mut half).unwrap();
        let difference = largest_difference(&answers(&full), &answers(&half));
        assert!(difference > 0.0 && difference < 0.2, "{difference}");
    }
}

#[test]
fn judgements_are_probabilities_and_margins_are_in_range() {
    let mut batch = batch(0..20);
    model(&trained(), Path::Fused, Kind::Float).evaluator().evaluate(&mut batch).unwrap();
    for (_, Judgement { wdl, margin }) in answers(&batch) {
        let wdl = wdl.0;
        assert!((wdl.win + wdl.draw + wdl.loss - 1.0).abs() < 1e-5 && wdl.win >= 0.0 && wdl.loss >= 0.0);
        assert!(margin.0.abs() <= 1.0);
    }
}

#[test]
fn padding_changes_no_bit_of_the_rows_before_it() {
    for path in [Path::Eager, Path::Frozen, Path::Fused] {
        let mut evaluator = model(&trained(), path, Kind::Float).evaluator();
        let [mut padded, mut whole] = [batch(3..6), batch(3..7)];
        // Three rows run as four.
        evaluator.evaluate(&mut padded).unwrap();
        evaluator.evaluate(&mut whole).unwrap();
        assert_eq!(answers(&padded)[..], answers(&whole)[..3], "{path:?}");
    }
}

/// What deterministic mode rests on: in calls of a fixed shape an answer depends on the position alone, and
/// neither on the other rows, nor on its place, nor on how many rows are padding.
#[test]
fn in_a_fixed_shape_a_row_depends_neither_on_its_neighbours_nor_on_its_place() {
    const ROWS: usize = 24;
    let net = trained();
    for (path, kind) in [
        (Path::Eager, Kind::Float),
        (Path::Frozen, Kind::Float),
        (Path::Fused, Kind::Float),
        (Path::Fused, Kind::BFloat16),
    ] {
        let plan = Plan { rows: Rows::Fixed(ROWS), ..Plan::fixed(path, kind, Device::Cpu) };
        let mut evaluator = InferenceModel::new(&net, &plan).unwrap().evaluator();
        let mut alone = Vec::new();
        for row in 0..ROWS {
            let mut batch = batch(row..row + 1);
            evaluator.evaluate(&mut batch).unwrap();
            alone.extend(answers(&batch));
        }
        let mut together = batch(0..ROWS);
        evaluator.evaluate(&mut together).unwrap();
        assert_eq!(answers(&together), alone, "{path:?} {kind:?}: other places, other neighbours");
        let mut few = batch(5..12);
        evaluator.evaluate(&mut few).unwrap();
        assert_eq!(answers(&few)[..], alone[5..12], "{path:?} {kind:?}: other padding");
        // Two calls, the second one padded.
        let mut many = batch(0..ROWS + 3);
        evaluator.evaluate(&mut many).unwrap();
        assert_eq!(answers(&many)[..ROWS], alone[..], "{path:?} {kind:?}: several calls");
        // And another module of the same network.
        let mut again = InferenceModel::new(&net, &plan).unwrap().evaluator();
        let mut batch = batch(3..20);
        again.evaluate(&mut batch).unwrap();
        assert_eq!(answers(&batch)[..], alone[3..20], "{path:?} {kind:?}: another module");
    }
}

/// Fusing is a switch of the whole process: whoever compiles at the same time must not get the other's.
#[test]
fn networks_that_are_made_at_the_same_time_run_as_was_asked() {
    let answered = |net: &Net, path: Path| {
        let plan = Plan { rows: Rows::Fixed(8), ..Plan::fixed(path, Kind::Float, Device::Cpu) };
        let mut batch = batch(0..8);
        InferenceModel::new(net, &plan).unwrap().evaluator().evaluate(&mut batch).unwrap();
        answers(&batch)
    };
    let net = trained();
    let ways = [Path::Frozen, Path::Fused];
    let alone = ways.map(|path| answered(&net, path));
    assert_ne!(alone[0], alone[1], "nothing would be seen");
    for _ in 0..10 {
        let threads = ways.map(|path| {
            let net = net.copy_to(Device::Cpu).unwrap();
            std::thread::spawn(move || answered(&net, path))
        });
        assert_eq!(threads.map(|thread| thread.join().unwrap()), alone);
    }
}

#[test]
fn batches_of_any_size_are_cut_into_parts() {
    let mut evaluator = model(&trained(), Path::Fused, Kind::Float).evaluator();
    let mut single = Vec::new();
    for row in 0..150 {
        let mut batch = batch(row..row + 1);
        evaluator.evaluate(&mut batch).unwrap();
        single.extend(answers(&batch));
    }
    for rows in [0, 1, 5, 13, 64, 65, 150] {
        let mut batch = batch(0..rows);
        evaluator.evaluate(&mut batch).unwrap();
        let difference = largest_difference(&answers(&batch), &single[..rows]);
        assert!(difference < 1e-3, "{rows} rows: {difference}");
    }
}

#[test]
fn a_step_logit_is_the_sum_of_its_cells() {
    for path in [Path::Eager, Path::Fused] {
        let mut evaluator = model(&trained(), path, Kind::Float).evaluator();
        let none = game::NO_CELL;
        let mut batch = Batch::new(PLANES, POLICY, 1);
        batch.push_numbers(&support::planes(1), &[4, none, none, 71, 4, 71, none, none]);
        evaluator.evaluate(&mut batch).unwrap();
        let (logits, _) = batch.answer(0);
        assert!((logits[0] + logits[1] - logits[2]).abs() < 1e-5, "{logits:?}");
        assert_ne!(logits[0], logits[1]);
        assert_eq!(logits[3], 0.0);
    }
}

#[test]
fn workers_that_all_ask_first_share_what_one_of_them_compiles() {
    let net = trained();
    // Of the sizes 32 and 8, then of 1: the workers begin at different ends.
    let rows = |worker: usize| if worker.is_multiple_of(2) { [40, 1] } else { [1, 40] };
    let mut alone = [40, 1].map(|rows| batch(0..rows));
    let before = model(&net, Path::Fused, Kind::Float);
    alone.iter_mut().for_each(|batch| before.evaluator().evaluate(batch).unwrap());
    let model = model(&net, Path::Fused, Kind::Float);
    let workers: Vec<_> = (0..4)
        .map(|worker| {
            let mut evaluator = model.evaluator();
            std::thread::spawn(move || {
                rows(worker).map(|rows| {
                    let mut batch = batch(0..rows);
                    evaluator.evaluate(&mut batch).unwrap();
                    (rows, answers(&batch))
                })
            })
        })
        .collect();
    for worker in workers {
        for (rows, answers_of_worker) in worker.join().unwrap() {
            let expected = alone.iter().find(|batch| batch.len() == rows).unwrap();
            assert_eq!(answers_of_worker, answers(expected));
        }
    }
}

#[test]
fn workers_share_a_network() {
    let net = trained();
    let model = model(&net, Path::Fused, Kind::Float);
    let mut alone = batch(0..40);
    model.evaluator().evaluate(&mut alone).unwrap();
    let workers: Vec<_> = (0..3)
        .map(|_| {
            let mut evaluator = model.evaluator();
            std::thread::spawn(move || {
                let mut batch = batch(0..40);
                for _ in 0..5 {
                    evaluator.evaluate(&mut batch).unwrap();
                }
                answers(&batch)
            })
        })
        .collect();
    drop(model);
    for worker in workers {
        assert_eq!(worker.join().unwrap(), answers(&alone));
    }
}

#[test]
fn other_shapes_bad_cells_and_bad_numbers_are_refused() {
    for path in [Path::Eager, Path::Fused] {
        let mut evaluator = model(&trained(), path, Kind::Float).evaluator();
        let other = game::PlaneShape { channels: 6, ..PLANES };
        let error = evaluator.evaluate(&mut Batch::new(other, POLICY, 1)).unwrap_err();
        assert!(matches!(error, EvaluatorError::Shape { .. }), "{error}");

        let mut bad = Batch::new(PLANES, POLICY, 1);
        bad.push_numbers(&support::planes(1), &[72, 1]);
        let error = evaluator.evaluate(&mut bad).unwrap_err();
        assert!(error.to_string().contains("policy cell 72"), "{error}");

        let mut bad = batch(0..1);
        let mut planes = support::planes(2);
        planes[3] = f32::NAN;
        bad.push_numbers(&planes, &[1, 2]);
        let error = evaluator.evaluate(&mut bad).unwrap_err();
        assert!(matches!(error, EvaluatorError::NotFinite { row: 1 }), "{error}");
        evaluator.evaluate(&mut batch(0..3)).unwrap();
    }
}

/// What watches a run's networks: compiled ones are near, bf16 is farther and near enough, another network is not.
#[test]
fn ways_of_running_a_network_are_near_the_exact_one_and_other_networks_are_not() {
    let net = trained();
    let mut exact = InferenceModel::exact(&net).unwrap().evaluator();
    let mut difference = |model: InferenceModel| {
        Difference::between(&mut model.evaluator(), &mut exact, &mut batch(0..24)).unwrap()
    };
    let same = difference(InferenceModel::exact(&net).unwrap());
    assert_eq!(same, Difference::default());
    let fused = difference(model(&net, Path::Fused, Kind::Float));
    assert!(fused.policy < 1e-4 && fused.largest_value < 1e-4, "{fused:?}");
    let half = difference(model(&net, Path::Fused, Kind::BFloat16));
    assert!(half.policy > fused.policy && half.policy < 0.05 && half.value < 0.05, "{half:?}");
    let other = difference(InferenceModel::exact(&support::net(99)).unwrap());
    assert!(other.policy > 0.05 && other.value > 0.01, "{other:?}");
    assert!(other.policy > 3.0 * half.policy && other.value > 3.0 * half.value, "{half:?} {other:?}");
}

#[test]
fn a_network_with_a_bad_weight_is_not_made_ready() {
    let config = TrainerConfig { averaging: net::Averaging::None, pieces: 1, ..TrainerConfig::default() };
    let mut trainer = Trainer::new(&net(8), &config, Device::Cpu).unwrap();
    // Such a learning rate overflows the weights at once.
    let error = trainer.step(&train_batch(0..16), f64::MAX).unwrap_err();
    assert!(matches!(error, NetError::NonFiniteUpdate { .. }), "{error}");
    for path in [Path::Eager, Path::Fused] {
        let plan = Plan::fixed(path, Kind::Float, Device::Cpu);
        let error = InferenceModel::new(trainer.net(), &plan).map(|_| ()).unwrap_err();
        assert!(matches!(error, NetError::NonFiniteWeight { .. }), "{error}");
    }
}

#[test]
fn the_plan_suits_the_processor_and_says_why() {
    let net = net(1);
    let plan = Plan::choose(&net, Precision::Fp32, Device::Cpu).unwrap();
    assert_eq!((plan.path, plan.kind), (Path::Fused, Kind::Float));
    let plan = Plan::choose(&net, Precision::Auto, Device::Cpu).unwrap();
    if !net::plan::has_bf16_instructions() {
        assert_eq!(plan.kind, Kind::Float);
        assert!(plan.to_string().contains("no avx512_bf16"), "{plan}");
    }
    let plan = Plan::choose(&net, Precision::Bf16, Device::Cpu).unwrap();
    assert_eq!((plan.path, plan.kind), (Path::Fused, Kind::BFloat16));
}

#[test]
fn cuda_without_cuda_is_refused_with_the_missing_library() {
    // On a machine with CUDA there is nothing to refuse.
    if let Err(error) = net::device::open(net::DeviceChoice::Cuda) {
        let text = error.to_string();
        assert!(text.starts_with("device cuda: ") && text.contains("cuda"), "{text}");
    }
}
