//! Networks in 8-bit numbers: near the exact ones on positions of games, and refused where they cannot be had.

#![allow(clippy::unwrap_used)] // Also in the helpers of tests.

mod support;

use game::{BoardGame, Encoding};
use net::quantised::has_int8_instructions;
use net::{
    Averaging, Device, DeviceChoice, InferenceModel, Kind, Net, NetConfig, NetError, Path, Plan, Precision,
    TrainBatch, Trainer, TrainerConfig,
};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use selfplay::evaluator::{Batch, Evaluator};
use selfplay::{Difference, random_batch};

/// Positions of random games.
fn positions<G: BoardGame>(game: &G, rows: usize, seed: u64) -> Batch {
    random_batch(game, rows, &mut ChaCha8Rng::seed_from_u64(seed))
}

/// A network that has learned to tell some positions apart: the first step is good in odd rows, the last in even ones.
fn trained<G: BoardGame>(game: &G) -> Net {
    let config = NetConfig { blocks: 2, channels: 32, ..NetConfig::default() };
    let net = Net::new(&config, game.plane_shape(), game.policy_shape(), 5).unwrap();
    let settings = TrainerConfig { averaging: Averaging::None, threads: 1, ..TrainerConfig::default() };
    let mut trainer = Trainer::new(&net, &settings, Device::Cpu).unwrap();
    let batch = positions(game, 64, 9);
    let mut samples = TrainBatch { planes: batch.planes().to_vec(), ..TrainBatch::default() };
    samples.cells = batch.cells().to_vec();
    samples.step_ends = batch.step_ends().to_vec();
    for row in 0..batch.len() {
        let steps = batch.step_range(row).len();
        let good = if row % 2 == 0 { steps - 1 } else { 0 };
        samples.policy_target.extend((0..steps).map(|step| f32::from(u8::from(step == good))));
        samples.policy_weight.push(1.0);
        samples.wdl_target.push([[1.0, 0.0, 0.0], [0.0, 0.0, 1.0]][row % 2]);
        samples.margin_target.push([0.5, -0.5][row % 2]);
        samples.ids.push(row as u64);
    }
    for _ in 0..20 {
        trainer.step(&samples, 3e-3).unwrap();
    }
    trainer.net().copy_to(Device::Cpu).unwrap()
}

fn quantised(net: &Net, positions: Batch) -> Result<InferenceModel, NetError> {
    InferenceModel::new(net, &Plan::fixed(Path::Fused, Kind::QUInt8, Device::Cpu).calibrated(|| positions))
}

fn near<G: BoardGame>(game: &G) {
    let net = trained(game);
    let mut exact = InferenceModel::exact(&net).unwrap().evaluator();
    let model = quantised(&net, positions(game, 128, 1)).unwrap();
    let difference =
        Difference::between(&mut model.evaluator(), &mut exact, &mut positions(game, 100, 2)).unwrap();
    assert!(difference.policy > 0.0 && difference.policy < 0.05 && difference.value < 0.1, "{difference:?}");
    let plan = Plan::fixed(Path::Fused, Kind::Float, Device::Cpu);
    let other = Net::new(net.config(), net.plane_shape(), net.policy_shape(), 77).unwrap();
    let mut other = InferenceModel::new(&other, &plan).unwrap().evaluator();
    let far = Difference::between(&mut other, &mut exact, &mut positions(game, 100, 2)).unwrap();
    assert!(far.policy > 3.0 * difference.policy, "{far:?} {difference:?}");
}

#[test]
fn a_network_in_8_bits_is_near_the_exact_one_on_positions_of_two_games() {
    if has_int8_instructions() {
        near(&connect4::ConnectFour::new());
        near(&emergo::Emergo::new(emergo::Rules::default()).unwrap());
    }
}

/// What workers rest on: an answer does not depend on the other rows of a call, nor on padding.
#[test]
fn rows_do_not_depend_on_their_neighbours() {
    if !has_int8_instructions() {
        return;
    }
    let game = connect4::ConnectFour::new();
    let model = quantised(&trained(&game), positions(&game, 64, 1)).unwrap();
    let mut evaluator = model.evaluator();
    let [mut three, mut four] = [positions(&game, 3, 4), positions(&game, 4, 4)];
    evaluator.evaluate(&mut three).unwrap();
    evaluator.evaluate(&mut four).unwrap();
    for row in 0..3 {
        assert_eq!(three.answer(row), four.answer(row));
    }
}

#[test]
fn what_cannot_be_had_in_8_bits_is_refused() {
    let game = connect4::ConnectFour::new();
    let net = Net::new(
        &NetConfig { blocks: 1, channels: 8, ..NetConfig::default() },
        game.plane_shape(),
        game.policy_shape(),
        1,
    )
    .unwrap();
    let refused = |batch: &Batch| match quantised(&net, batch.clone()).map(|_| ()).unwrap_err() {
        NetError::Quantised(text) => text,
        error => panic!("{error}"),
    };
    if !has_int8_instructions() {
        assert!(refused(&positions(&game, 1, 1)).contains("vnni"));
        return;
    }
    assert!(refused(&Batch::for_game(&game, 1)).contains("at least one"));
    let mut bad = Batch::for_game(&game, 1);
    bad.push_numbers(&vec![f32::NAN; game.plane_shape().len()], &[0]);
    assert!(refused(&bad).contains("not finite"));
    let none = Plan::fixed(Path::Fused, Kind::QUInt8, Device::Cpu);
    assert!(InferenceModel::new(&net, &none).is_err());
}

#[test]
fn numbers_are_read_as_they_are_written() {
    for precision in [Precision::Auto, Precision::Fp32, Precision::Bf16, Precision::Int8] {
        let text = precision.to_string();
        assert_eq!(text.parse(), Ok(precision));
        assert_eq!(serde_json::from_value::<Precision>(text.into()).unwrap(), precision);
    }
    assert!("int4".parse::<Precision>().unwrap_err().contains("fp32, bf16 or int8"));
}

#[test]
fn numbers_of_8_bits_are_for_processors_and_for_what_need_not_repeat() {
    assert!(Precision::Int8.fault(DeviceChoice::Cuda).is_some_and(|fault| fault.contains("processor")));
    assert_eq!(Precision::Int8.fault(DeviceChoice::Cpu).is_none(), has_int8_instructions());
    assert_eq!(Precision::Bf16.fault(DeviceChoice::Cuda), None);
    assert!(Plan::deterministic(Precision::Int8, 8).is_err());
}
