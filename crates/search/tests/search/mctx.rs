//! The same searches as mctx (DeepMind's reference in JAX) on random trees: `scripts/check-search` makes
//! `data/mctx.jsonl`, and compares as many more as are asked for.

use crate::games::{Answer, begun, drive, quiet};
use game::{Game, Line, Outcome, Player};
use search::{FirstPlay, GumbelConfig, Method, PuctConfig, SearchConfig, ValueRange};
use serde::Deserialize;

/// What the hashes are for; steps count from 1. As in `scripts/search_trees.py`.
const LOGIT: u32 = 0x1000;
const VALUE: u32 = 0x2000;
const CHILD: u32 = 0x3000;

/// An endless tree in which everything is a hash of the position.
#[derive(Clone)]
struct Endless {
    steps: u32,
}

/// A position: its number, and the side to move.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Node(u32, Player);

/// A 32-bit hash of two numbers (the finaliser of `MurmurHash3`).
fn mix(node: u32, salt: u32) -> u32 {
    let mut x = node ^ salt.wrapping_mul(0x9e37_79b9);
    x = (x ^ x >> 16).wrapping_mul(0x85eb_ca6b);
    x = (x ^ x >> 13).wrapping_mul(0xc2b2_ae35);
    x ^ x >> 16
}

/// A number from −1 to 1 of a hash.
fn unit(x: u32) -> f32 {
    (x >> 8) as f32 / (1 << 23) as f32 - 1.0
}

fn judge(node: &Node, steps: &[u32]) -> Answer {
    let logits = steps.iter().map(|step| 2.0 * unit(mix(node.0, LOGIT + 1 + step))).collect();
    (logits, 0.8 * unit(mix(node.0, VALUE)), 0.0)
}

impl Game for Endless {
    type Position = Node;
    type Step = u32;
    type Mark = ();
    type Rules = u32;
    const NAME: &'static str = "endless";
    const RULES_VERSION: u32 = 1;

    fn presets() -> &'static [&'static str] {
        &["two"]
    }
    fn preset(_name: &str) -> Option<u32> {
        Some(2)
    }
    fn with_rules(steps: u32) -> Result<Self, String> {
        Ok(Endless { steps })
    }
    fn rules(&self) -> &u32 {
        &self.steps
    }
    fn start(&self) -> Node {
        Node(0, Player::First)
    }
    fn mover(&self, node: &Node) -> Player {
        node.1
    }
    fn mid_turn(&self, _node: &Node) -> bool {
        false
    }
    fn legal_steps(&self, _node: &Node, steps: &mut Vec<u32>) {
        steps.clear();
        steps.extend(0..self.steps);
    }
    fn play(&self, node: &mut Node, step: u32) {
        *node = Node(mix(node.0, CHILD + 1 + step), node.1.opponent());
    }
    fn repetition_key(&self, node: &Node) -> u64 {
        node.0.into()
    }
    fn irreversible(&self, _node: &Node) -> bool {
        true
    }
    fn mark(&self, _node: &Node) {}
    fn outcome(&self, _node: &Node, _line: &Line<()>) -> Option<Outcome> {
        None
    }
    fn longest_game(&self) -> u32 {
        u32::MAX
    }
    fn points(&self, _node: &Node) -> [i32; 2] {
        [0, 0]
    }
    fn is_capture(&self, _node: &Node, _step: u32) -> bool {
        false
    }
}

/// What mctx found on one tree.
#[derive(Debug, Deserialize)]
struct Found {
    method: String,
    tree: u32,
    steps: u32,
    simulations: u32,
    considered: u32,
    visits: Vec<u32>,
    policy: Vec<f32>,
    value: f32,
    best: Option<u32>,
}

/// The settings that `scripts/search_trees.py` gives mctx.
fn config(found: &Found) -> SearchConfig {
    let gumbel = GumbelConfig {
        considered: found.considered,
        visit_offset: 50.0,
        value_scale: 0.1,
        value_range: ValueRange::Siblings,
    };
    let puct = PuctConfig {
        exploration: 1.25,
        exploration_base: 19_652.0,
        first_play: FirstPlay::Draw,
        ..SearchConfig::default().puct
    };
    let method = if found.method == "gumbel" { Method::Gumbel } else { Method::Puct };
    SearchConfig { method, gumbel, puct, ..SearchConfig::default() }
}

#[test]
fn visits_policies_and_choices_are_those_of_mctx() {
    let path = std::env::var("GARRISON_MCTX")
        .unwrap_or_else(|_| concat!(env!("CARGO_MANIFEST_DIR"), "/tests/search/data/mctx.jsonl").to_owned());
    let text = std::fs::read_to_string(&path).unwrap();
    let (mut trees, mut different) = (0, Vec::new());
    for line in text.lines() {
        let found: Found = serde_json::from_str(line).unwrap();
        let game = Endless { steps: found.steps };
        let mut search = begun(&game, Node(found.tree, Player::First), config(&found), 0);
        drive(&mut search, &game, quiet(found.simulations), judge);
        let best = search.choose(0.0);
        let report = search.report();
        let near = |left: f32, right: f32| (left - right).abs() < 2e-4;
        let same = report.steps.iter().map(|step| step.visits).eq(found.visits.iter().copied())
            && report.steps.iter().zip(&found.policy).all(|(step, &weight)| near(step.policy, weight))
            && near(report.after.utility.0, found.value)
            && found.best.is_none_or(|wanted| wanted == best);
        if !same {
            different.push(format!("{found:?}\nbut {best} {:?} {:?}", report.after, report.steps));
        }
        trees += 1;
    }
    assert!(trees >= 50, "{path} has only {trees} trees");
    assert!(different.is_empty(), "{} of {trees} differ, the first: {}", different.len(), different[0]);
}
