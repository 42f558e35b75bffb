//! Publishing again and again: networks are made ready hundreds of times in a run, and memory must not grow with it.
#![allow(clippy::unwrap_used)] // Also in the helpers of tests.

mod support;

use net::{InferenceModel, Kind, Net, NetConfig, Path, Plan};
use selfplay::evaluator::Evaluator;
use support::{PLANES, POLICY, batch};
use tch::Device;

/// Resident memory of this process in KiB.
fn resident() -> u64 {
    let status = std::fs::read_to_string("/proc/self/status").unwrap();
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:")).unwrap();
    line.split_whitespace().next().unwrap().parse().unwrap()
}

/// Makes networks ready, evaluates with each on two threads as a cycle of self-play would, and throws them away. The
/// first third settles (pools of the allocator, caches of compiled kernels); after it memory may grow by as much as
/// `tolerance` KiB an export. `GARRISON_EXPORTS=800 cargo test --release -p net --test exports -- --nocapture` takes
/// longer and prints the curve.
#[test]
fn memory_does_not_grow_with_the_number_of_exports() {
    net::runtime::prepare();
    let asked = std::env::var("GARRISON_EXPORTS").ok().map(|text| text.parse::<usize>().unwrap());
    let exports = asked.unwrap_or(30);
    // A leak of a network's weights alone is 600 KiB an export; a short run also sees the last of the settling.
    let tolerance = if asked.is_some() { 24 } else { 96 };
    let settled = exports / 3;
    let (mut begin, mut end) = (0, 0);
    for index in 0..exports {
        // Other weights every time, as after training.
        let plan = Plan::fixed(Path::Fused, Kind::Float, Device::Cpu);
        let config = NetConfig { blocks: 2, ..NetConfig::default() };
        let net = Net::new(&config, PLANES, POLICY, index as u64).unwrap();
        let model = InferenceModel::new(&net, &plan).unwrap();
        std::thread::scope(|scope| {
            for worker in 0..2 {
                let mut evaluator = model.evaluator();
                scope.spawn(move || evaluator.evaluate(&mut batch(worker..worker + 40)).unwrap());
            }
        });
        drop(model);
        end = resident();
        if index == settled {
            begin = end;
        }
        if asked.is_some() && index.is_multiple_of(20) {
            println!("{index} exports: {} MiB", end / 1024);
        }
    }
    let grown = end.saturating_sub(begin);
    let most = (exports - settled) as u64 * tolerance;
    println!("{exports} exports: grown by {grown} KiB after the first third, {most} are allowed");
    assert!(grown <= most, "memory grew by {grown} KiB over {} exports", exports - settled);
}
