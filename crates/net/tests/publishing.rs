//! A network that is made ready again and again leaves nothing behind. A test program of its own: it counts the
//! memory of the whole process.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

use game::{PlaneShape, PolicyShape};
use net::{InferenceModel, Net, NetConfig, NetEvaluator, Plan, Precision};
use selfplay::evaluator::{Batch, Evaluator};

/// Bytes that are allocated in this process, C++ objects in slabs.
fn allocated() -> usize {
    // SAFETY: reads the allocator's counters, of the one heap that there is.
    let counters = unsafe { libc::mallinfo2() };
    counters.uordblks + counters.hblkhd + net::runtime::pool_bytes()
}

/// Makes networks ready, one after the other, runs each on this thread and on another one, and drops it; bytes that
/// stay of each. Between two networks `beside` pieces of other sizes are allocated and kept, so that nothing comes to
/// lie where something lay before.
fn left_by_each(beside: usize) -> usize {
    let planes = PlaneShape { rows: 6, columns: 7, channels: 3 };
    let policy = PolicyShape { squares: 42, planes: 1, cells_per_step: 1 };
    let config = NetConfig { blocks: 2, channels: 16, ..NetConfig::default() };
    let net = Net::new(&config, planes, policy, 1).unwrap();
    let plan = Plan::deterministic(Precision::Fp32, 8).unwrap();
    let publish = || {
        let model = InferenceModel::new(&net, &plan).unwrap();
        let evaluate = move |mut evaluator: NetEvaluator| {
            let mut batch = Batch::new(planes, policy, 8);
            batch.push_numbers(&vec![0.5; planes.len()], &[0, 1, 2]);
            evaluator.evaluate(&mut batch).unwrap();
        };
        evaluate(model.evaluator());
        let other = model.evaluator();
        std::thread::scope(|scope| scope.spawn(move || evaluate(other)).join().unwrap());
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
fn networks_that_are_gone_leave_no_memory_behind() {
    // SAFETY: takes two integers. Before other threads exist, so that all memory is counted.
    assert_eq!(unsafe { libc::mallopt(libc::M_ARENA_MAX, 1) }, 1);
    net::runtime::prepare();
    // What oneDNN would keep of a network of this size is 470 KiB and more, and 2 KiB of what it knew it by.
    for beside in [0, 40] {
        let each = left_by_each(beside);
        println!("{each} bytes of each network stay, {beside} pieces beside");
        assert!(each < 512, "{each} bytes stay of each network, {beside} pieces beside");
    }
}
