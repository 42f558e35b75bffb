//! The list of targets.

use crate::{deployments, positions, records, setups, turns};
use commander::Commander;
use connect4::ConnectFour;
use emergo::Emergo;
use xiangqi::Xiangqi;

/// Something that is fuzzed.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name: that of its corpus and of its program in `fuzz/`.
    pub name: &'static str,
    /// Tries one input, which may be any bytes. Panics when a promise is broken.
    pub run: fn(&[u8]),
}

/// All targets.
pub const TARGETS: [Target; 14] = [
    Target { name: "commander_positions", run: positions::run::<Commander> },
    Target { name: "commander_turns", run: turns::run::<Commander> },
    Target { name: "commander_records", run: records::run::<Commander> },
    Target { name: "commander_setups", run: setups::run },
    Target { name: "commander_deployments", run: deployments::run },
    Target { name: "connect4_positions", run: positions::run::<ConnectFour> },
    Target { name: "connect4_turns", run: turns::run::<ConnectFour> },
    Target { name: "connect4_records", run: records::run::<ConnectFour> },
    Target { name: "emergo_positions", run: positions::run::<Emergo> },
    Target { name: "emergo_turns", run: turns::run::<Emergo> },
    Target { name: "emergo_records", run: records::run::<Emergo> },
    Target { name: "xiangqi_positions", run: positions::run::<Xiangqi> },
    Target { name: "xiangqi_turns", run: turns::run::<Xiangqi> },
    Target { name: "xiangqi_records", run: records::run::<Xiangqi> },
];

/// The target with this name.
pub fn find(name: &str) -> Option<Target> {
    TARGETS.into_iter().find(|target| target.name == name)
}
