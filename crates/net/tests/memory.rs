//! Networks that are made ready again and again leave nothing behind, and neither do optimisation steps. A test program
//! of its own: it counts the memory of the whole process.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

mod support;

use game::{PlaneShape, PolicyShape};
use net::{Device, InferenceModel, Net, NetConfig, NetEvaluator, Plan, Precision, Trainer, TrainerConfig};
use selfplay::evaluator::{Batch, Evaluator};

/// Bytes that are allocated in this process, C++ objects in slabs.
fn allocated() -> usize {
    // SAFETY: reads the allocator's counters, of the one heap that there is.
    let counters = unsafe { libc::mallinfo2() };
    counters.uordblks + counters.hblkhd + net::runtime::pool_bytes()
}

const PLANES: PlaneShape = PlaneShape { rows: 6, columns: 7, channels: 3 };
const POLICY: PolicyShape = PolicyShape { squares: 42, planes: 1, cells_per_step: 1 };

/// How a small network is run for `rows` at once.
fn model(channels: usize, rows: usize) -> impl Fn() -> InferenceModel {
    let config = NetConfig { blocks: 2, channels, ..NetConfig::default() };
    let net = Net::new(&config, PLANES, POLICY, 1).unwrap();
    let plan = Plan::deterministic(Precision::Fp32, rows).unwrap();
    move || InferenceModel::new(&net, &plan).unwrap()
}

fn evaluate(mut evaluator: NetEvaluator, rows: usize) {
    let mut batch = Batch::new(PLANES, POLICY, rows);
    for _ in 0..rows {
        batch.push_numbers(&[0.5; PLANES.len()], &[0, 1, 2]);
    }
    evaluator.evaluate(&mut batch).unwrap();
}

/// Takes optimisation steps of two threads; bytes that stay of each.
fn left_by_each_step() -> usize {
    const TIMES: usize = 1_500;
    let settings = TrainerConfig { threads: 2, ..TrainerConfig::default() };
    let mut trainer = Trainer::new(&support::net(3), &settings, Device::Cpu).unwrap();
    let batch = support::train_batch(0..64);
    let mut steps = |times: usize| {
        for _ in 0..times {
            trainer.step(&batch, 1e-3).unwrap();
        }
        allocated()
    };
    let before = steps(TIMES);
    steps(TIMES).saturating_sub(before) / TIMES
}

/// Makes networks ready, one after the other, runs each on this thread and on another one, and drops it; bytes that
/// stay of each. Between two networks `beside` pieces of other sizes are allocated and kept, so that nothing comes to
/// lie where something lay before.
fn left_by_each(beside: usize) -> usize {
    const ROWS: usize = 8;
    let model = model(16, ROWS);
    let publish = || {
        let model = model();
        evaluate(model.evaluator(), 1);
        let other = model.evaluator();
        std::thread::scope(|scope| scope.spawn(move || evaluate(other, 1)).join().unwrap());
    };
    const FIRST: usize = 300;
    const TIMES: usize = 200;
    let mut kept: Vec<Vec<u8>> = Vec::with_capacity((FIRST + TIMES) * beside);
    let mut bytes = 0;
    let mut play = |times: usize| {
        for _ in 0..times {
            publish();
            for _ in 0..beside {
                let piece = vec![1; 24 + kept.len() * 61 % 900];
                // SAFETY: the pointer is that of a piece that is alive.
                bytes += unsafe { libc::malloc_usable_size(piece.as_ptr().cast_mut().cast()) }
                    + size_of::<usize>();
                kept.push(piece);
            }
        }
        allocated().saturating_sub(bytes)
    };
    let before = play(FIRST);
    play(TIMES).saturating_sub(before) / TIMES
}

#[test]
fn networks_that_are_gone_and_steps_leave_no_memory_behind() {
    // SAFETY: takes two integers. Before other threads exist, so that all memory is counted.
    assert_eq!(unsafe { libc::mallopt(libc::M_ARENA_MAX, 1) }, 1);
    net::runtime::prepare();
    // What oneDNN would keep of a network of this size is 470 KiB and more, and 2 KiB of what it knew it by.
    for beside in [0, 40] {
        let each = left_by_each(beside);
        println!("{each} bytes of each network stay, {beside} pieces beside");
        assert!(each < 512, "{each} bytes stay of each network, {beside} pieces beside");
    }
    let each = left_by_each_step();
    println!("{each} bytes of each optimisation step stay");
    // Of a thread that is begun for a step 88 bytes stay.
    assert!(each < 64, "{each} bytes stay of each optimisation step");
}
