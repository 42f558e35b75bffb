//! The list of targets.

use crate::{deployments, games, matches, positions, records, setups, shards, studies, turns};
use commander::Commander;
use connect4::ConnectFour;
use emergo::Emergo;
use xiangqi::Xiangqi;

/// What inputs are made of, which says how new ones are made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Grammar {
    /// Bytes, or text without a form that mutations would have to keep.
    Bytes,
    /// JSON, or lines of it.
    Json,
}

/// Something that is fuzzed.
#[derive(Clone, Copy, Debug)]
pub struct Target {
    /// Its name: that of its corpus and of its program in `fuzz/`.
    pub name: &'static str,
    /// What its inputs are made of.
    pub grammar: Grammar,
    /// Tries one input, which may be any bytes. Panics when a promise is broken.
    pub run: fn(&[u8]),
}

/// All targets.
pub const TARGETS: [Target; 22] = [
    Target { name: "commander_positions", grammar: Grammar::Bytes, run: positions::run::<Commander> },
    Target { name: "commander_turns", grammar: Grammar::Bytes, run: turns::run::<Commander> },
    Target { name: "commander_records", grammar: Grammar::Bytes, run: records::run::<Commander> },
    Target { name: "commander_setups", grammar: Grammar::Bytes, run: setups::run },
    Target { name: "commander_deployments", grammar: Grammar::Bytes, run: deployments::run },
    Target { name: "connect4_positions", grammar: Grammar::Bytes, run: positions::run::<ConnectFour> },
    Target { name: "connect4_turns", grammar: Grammar::Bytes, run: turns::run::<ConnectFour> },
    Target { name: "connect4_records", grammar: Grammar::Bytes, run: records::run::<ConnectFour> },
    Target { name: "emergo_positions", grammar: Grammar::Bytes, run: positions::run::<Emergo> },
    Target { name: "emergo_turns", grammar: Grammar::Bytes, run: turns::run::<Emergo> },
    Target { name: "emergo_records", grammar: Grammar::Bytes, run: records::run::<Emergo> },
    Target { name: "xiangqi_positions", grammar: Grammar::Bytes, run: positions::run::<Xiangqi> },
    Target { name: "xiangqi_turns", grammar: Grammar::Bytes, run: turns::run::<Xiangqi> },
    Target { name: "xiangqi_records", grammar: Grammar::Bytes, run: records::run::<Xiangqi> },
    Target { name: "commander_games", grammar: Grammar::Bytes, run: games::run::<Commander> },
    Target { name: "connect4_games", grammar: Grammar::Bytes, run: games::run::<ConnectFour> },
    Target { name: "emergo_games", grammar: Grammar::Bytes, run: games::run::<Emergo> },
    Target { name: "xiangqi_games", grammar: Grammar::Bytes, run: games::run::<Xiangqi> },
    Target { name: "game_shards", grammar: Grammar::Bytes, run: shards::run },
    Target { name: "match_pairs", grammar: Grammar::Json, run: matches::run },
    Target { name: "study_findings", grammar: Grammar::Json, run: studies::run_findings },
    Target { name: "study_records", grammar: Grammar::Json, run: studies::run_record },
];

/// The target with this name.
pub fn find(name: &str) -> Option<Target> {
    TARGETS.into_iter().find(|target| target.name == name)
}
