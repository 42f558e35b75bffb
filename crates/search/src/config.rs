//! What can be chosen about a search, and what one search is asked to do.

use game::Faults;
use serde::{Deserialize, Serialize};

/// Everything that can be chosen about a search. The same for all positions of a run; what changes
/// from step to step is an [`Effort`].
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct SearchConfig {
    /// How simulations are spread over the steps.
    pub method: Method,
    /// Settings of [`Method::Gumbel`].
    pub gumbel: GumbelConfig,
    /// Settings of [`Method::Puct`].
    pub puct: PuctConfig,
    /// Weight of the points margin in the utility that a search maximises:
    /// `utility = (win − loss) + margin_weight · margin`, the margin in [−1, 1]. Not negative.
    pub margin_weight: f32,
    /// What is kept of the tree when a step has been played.
    pub reuse: TreeReuse,
    /// A turn's simulations are spent on its first step. At a later step of the same turn the kept
    /// subtree is topped up until it holds this share of them, in (0, 1].
    pub later_steps: f32,
    /// What is done where only one step is legal.
    pub forced_step: ForcedStep,
    /// Whether proven results are backed up as such.
    pub solved_nodes: SolvedNodes,
    /// What a position inside the tree that has occurred before in the game is worth.
    pub repetition: TreeRepetition,
    /// A kept subtree with more nodes than this is dropped, so that memory stays bounded: a tree
    /// never has more than this many nodes plus the simulations of one search plus one.
    pub most_kept_nodes: u32,
    /// A search whose tree has this size ends before its simulations are done and chooses by what it has
    /// found, whatever wanted more: time, an endless search, many simulations. From 1 to 16384 MiB.
    pub most_tree_megabytes: u32,
}

impl Default for SearchConfig {
    fn default() -> Self {
        SearchConfig {
            method: Method::Gumbel,
            gumbel: GumbelConfig::default(),
            puct: PuctConfig::default(),
            margin_weight: 0.0,
            reuse: TreeReuse::Game,
            later_steps: 0.25,
            forced_step: ForcedStep::Judge,
            solved_nodes: SolvedNodes::Off,
            repetition: TreeRepetition::ByRules,
            most_kept_nodes: 50_000,
            most_tree_megabytes: 2_048,
        }
    }
}

impl SearchConfig {
    /// All faults of the values, each with its key.
    pub fn check(&self) -> Result<(), Faults> {
        let mut faults = Faults::new();
        let mut number = |place: &str, found: f32, right: bool, wanted: &str| {
            if !right || !found.is_finite() {
                faults.add(place, format!("found {found}, must be {wanted}"));
            }
        };
        number("margin_weight", self.margin_weight, self.margin_weight >= 0.0, "0 or more");
        let size = self.most_tree_megabytes;
        number("most_tree_megabytes", size as f32, (1..=16_384).contains(&size), "1 to 16384");
        let share = self.later_steps;
        number("later_steps", share, share > 0.0 && share <= 1.0, "above 0 and at most 1");
        let gumbel = &self.gumbel;
        number("gumbel.considered", gumbel.considered as f32, gumbel.considered >= 1, "at least 1");
        number("gumbel.visit_offset", gumbel.visit_offset, gumbel.visit_offset >= 0.0, "0 or more");
        number("gumbel.value_scale", gumbel.value_scale, gumbel.value_scale > 0.0, "above 0");
        let puct = &self.puct;
        number("puct.exploration", puct.exploration, puct.exploration > 0.0, "above 0");
        number("puct.exploration_base", puct.exploration_base, puct.exploration_base >= 1.0, "at least 1");
        let reduction = puct.first_play_reduction;
        number("puct.first_play_reduction", reduction, reduction >= 0.0, "0 or more");
        let share = puct.noise_share;
        number("puct.noise_share", share, (0.0..=1.0).contains(&share), "between 0 and 1");
        number("puct.noise_total", puct.noise_total, puct.noise_total > 0.0, "above 0");
        number("puct.forced_playouts", puct.forced_playouts, puct.forced_playouts >= 0.0, "0 or more");
        faults.into_result(())
    }
}

/// How simulations are spread over the steps.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Method {
    /// Gumbel AlphaZero: Gumbel top-k with sequential halving at the root, deterministic choice by
    /// the improved policy below it (Danihelka et al. 2022). Good at few simulations.
    Gumbel,
    /// The AlphaZero formula with root noise (Silver et al. 2018).
    Puct,
}

/// Settings of the Gumbel search. Symbols are those of Danihelka et al., "Policy improvement by
/// planning with Gumbel" (ICLR 2022).
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct GumbelConfig {
    /// Most steps that sequential halving starts with (m).
    pub considered: u32,
    /// c_visit of the transform σ(q) = (c_visit + max N) · c_scale · q.
    pub visit_offset: f32,
    /// c_scale of the same transform.
    pub value_scale: f32,
    /// What range the q of the transform is brought to first.
    pub value_range: ValueRange,
}

impl Default for GumbelConfig {
    fn default() -> Self {
        GumbelConfig { considered: 16, visit_offset: 50.0, value_scale: 1.0, value_range: ValueRange::Bounds }
    }
}

/// How utilities are brought to [0, 1] before the transform σ.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ValueRange {
    /// By the bounds of the utility: a certain loss is 0, a certain win 1. Small differences of
    /// uncertain values stay small.
    Bounds,
    /// By the smallest and largest completed value among the node's own steps: the best is 1
    /// whatever the difference. Use it with a smaller `value_scale` (0.1).
    Siblings,
}

/// Settings of the PUCT search.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct PuctConfig {
    /// c_init of C(s) = ln((1 + N(s) + c_base) / c_base) + c_init.
    pub exploration: f32,
    /// c_base of the same formula.
    pub exploration_base: f32,
    /// What a step without visits is taken to be worth.
    pub first_play: FirstPlay,
    /// Reduction of [`FirstPlay::Parent`].
    pub first_play_reduction: f32,
    /// Share of the root prior that is replaced by noise in self-play (ε).
    pub noise_share: f32,
    /// The noise is Dirichlet with α = `noise_total` / number of legal steps.
    pub noise_total: f32,
    /// k of the forced playouts √(k · P(a) · ΣN) that each visited step of a root with noise gets, so
    /// that noise has time to be proven right; the policy target does without those that the formula
    /// would not have made (Wu 2020, "Accelerating Self-Play Learning in Go", section 3.2, where k is
    /// 2). 0: none.
    pub forced_playouts: f32,
}

impl Default for PuctConfig {
    fn default() -> Self {
        PuctConfig {
            exploration: 1.25,
            exploration_base: 19_652.0,
            first_play: FirstPlay::Parent,
            first_play_reduction: 0.2,
            noise_share: 0.25,
            noise_total: 10.0,
            forced_playouts: 0.0,
        }
    }
}

/// What a step without visits is taken to be worth (first-play urgency).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum FirstPlay {
    /// A loss, as in AlphaZero.
    Loss,
    /// A draw.
    Draw,
    /// What its node is worth so far, less `first_play_reduction · √(prior of the visited steps)`.
    Parent,
}

/// What is kept of the tree when a step has been played.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TreeReuse {
    /// Nothing.
    Off,
    /// The subtree of the played step while the same turn goes on.
    Turn,
    /// The subtree of the played step, always.
    Game,
}

/// What is done where only one step is legal. It is chosen in any case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum ForcedStep {
    /// The position is judged once, without simulations.
    Judge,
    /// The position is searched like any other, for its value.
    Search,
}

/// Whether proven results are backed up as such.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum SolvedNodes {
    /// Results only enter averages.
    Off,
    /// A node with a winning step is won, a node whose steps are all proven has the best of their
    /// results; proven nodes are not searched below, and a proven root ends its search.
    On,
}

/// What a position inside the tree that has occurred before in the game or on the way to it is worth.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TreeRepetition {
    /// What the rules say, which usually wait for a third occurrence.
    ByRules,
    /// A draw as soon as it occurs for the second time: what could be done from there could have been
    /// done the first time, and few simulations never see a third. It is no proof, and the game itself
    /// goes on. Not for rules under which repeating may lose, as perpetual check does in Xiangqi.
    TwofoldDraw,
}

/// What one search is asked to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Effort {
    /// Simulations for a turn: the first step of a turn gets all of them anew, for later steps see
    /// [`SearchConfig::later_steps`]. The judgement of a new root is not counted. 0 asks for the raw
    /// policy: one judgement of the root.
    pub simulations: u32,
    /// Whether the root is explored at random.
    pub exploration: Exploration,
}

/// Whether the root is explored at random.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Exploration {
    /// Gumbel noise, or Dirichlet noise on the prior.
    SelfPlay,
    /// No noise: the search is deterministic.
    None,
}
