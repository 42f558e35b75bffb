//! A network that is made ready again and again leaves nothing behind. A test program of its own: it counts the
//! memory of the whole process.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

use game::{PlaneShape, PolicyShape};
use net::{InferenceModel, Net, NetConfig, Plan, Precision};
use selfplay::evaluator::{Batch, Evaluator};

/// Bytes that are allocated in this process by its main thread.
fn allocated() -> usize {
    // SAFETY: reads the allocator's counters.
    let counters = unsafe { libc::mallinfo2() };
    counters.uordblks + counters.hblkhd
}

#[test]
fn networks_that_are_gone_leave_no_memory_behind() {
    net::runtime::prepare();
    let planes = PlaneShape { rows: 6, columns: 7, channels: 3 };
    let policy = PolicyShape { squares: 42, planes: 1, cells_per_step: 1 };
    let config = NetConfig { blocks: 1, channels: 8, ..NetConfig::default() };
    let net = Net::new(&config, planes, policy, 1).unwrap();
    let plan = Plan::deterministic(Precision::Fp32, 8).unwrap();
    let publish = || {
        let model = InferenceModel::new(&net, &plan).unwrap();
        let mut batch = Batch::new(planes, policy, 8);
        batch.push_numbers(&vec![0.5; planes.len()], &[0, 1, 2]);
        model.evaluator().evaluate(&mut batch).unwrap();
    };
    (0..5).for_each(|_| publish());
    let before = allocated();
    const TIMES: usize = 20;
    (0..TIMES).for_each(|_| publish());
    let each = allocated().saturating_sub(before) / TIMES;
    // What oneDNN would keep of a network of this size is 470 KiB.
    assert!(each < 8 << 10, "{each} bytes stay of each network");
}
