//! One search of the root: its budget, its noise, and how simulations are spread at the root. None of
//! it belongs to the tree, which outlives it.

use crate::arena::{Arena, Choice, NO_NODE, ROOT};
use crate::config::{Effort, Exploration, ForcedStep, GumbelConfig, Method, SearchConfig, SolvedNodes};
use crate::gumbel::Visited;
use crate::halving::Halving;
use crate::noise;
use crate::proof::Proof;
use rand_chacha::ChaCha8Rng;

/// State of the search of one root. All lists are by order of the root's steps.
#[derive(Clone, Debug, Default)]
pub(crate) struct Root {
    /// Simulations of this search, and how many of them are done.
    pub budget: u32,
    pub done: u32,
    /// The search asks for the raw policy only.
    raw: bool,
    /// The child of each step, `NO_NODE` where there is none.
    children: Vec<u32>,
    /// Visits of each step before this search.
    kept: Vec<u32>,
    /// Gumbel draws or Dirichlet weights; empty without noise.
    noise: Vec<f32>,
    /// Steps that sequential halving started with, best first, each with g + logit.
    considered: Vec<(u32, f32)>,
    pub halving: Halving,
    visited: Vec<Visited>,
    /// Completed values.
    values: Vec<f32>,
    ranking: Vec<(f32, u32, f32)>,
}

impl Root {
    /// Forgets the last search.
    pub fn clear(&mut self) {
        (self.budget, self.done, self.raw) = (0, 0, false);
        self.children.clear();
        self.kept.clear();
        self.noise.clear();
        self.considered.clear();
        self.halving = Halving::default();
    }

    /// Prepares a search of a judged root. `later_step` says that an earlier step of the same turn
    /// has been searched.
    pub fn prepare<S: Copy>(
        &mut self,
        config: &SearchConfig,
        arena: &Arena<S>,
        effort: Effort,
        later_step: bool,
        random: &mut ChaCha8Rng,
    ) {
        self.clear();
        let root = arena.node(ROOT);
        let steps = root.steps();
        self.children.resize(steps, NO_NODE);
        self.kept.resize(steps, 0);
        for (index, child) in arena.children(ROOT) {
            self.children[child.order as usize] = index;
            self.kept[child.order as usize] = child.visits;
        }
        self.raw = effort.simulations == 0;
        let forced = steps == 1 && config.forced_step == ForcedStep::Judge;
        let proven = config.solved_nodes == SolvedNodes::On && !root.proof.is_open();
        self.budget = if root.terminal || forced || proven {
            0
        } else if later_step {
            let share = (effort.simulations as f32 * config.later_steps).ceil() as u32;
            share.saturating_sub(self.kept.iter().sum())
        } else {
            effort.simulations
        };
        if effort.exploration == Exploration::SelfPlay && steps > 1 && !self.raw {
            self.noise.resize(steps, 0.0);
            match config.method {
                Method::Gumbel => self.noise.fill_with(|| noise::gumbel(random)),
                Method::Puct => {
                    let alpha = f64::from(config.puct.noise_total) / steps as f64;
                    noise::dirichlet(random, alpha, &mut self.noise);
                }
            }
        }
        if config.method == Method::Gumbel && steps > 0 {
            let most = config.gumbel.considered.min(self.budget.max(1)).min(steps as u32);
            self.consider(&config.gumbel, arena, most);
            self.halving = Halving::new(most, self.budget);
        }
    }

    /// Notes a new child of the root.
    pub fn opened(&mut self, order: u32, child: u32) {
        self.children[order as usize] = child;
    }

    /// Chooses the steps that sequential halving starts with: the largest g + logits + σ(q). At a new
    /// root σ(q) is the same for all, so that this is Gumbel top-k; at a kept root the visits that
    /// are there already speak with it.
    fn consider<S: Copy>(&mut self, config: &GumbelConfig, arena: &Arena<S>, most: u32) {
        let completion = config.complete(arena, ROOT, &mut self.visited);
        self.values.clear();
        self.values.resize(self.children.len(), completion.mixed);
        for step in &self.visited {
            self.values[step.order as usize] = step.value;
        }
        self.ranking.clear();
        for ((prior, &value), order) in arena.priors(ROOT).zip(&self.values).zip(0..) {
            let base = prior.ln() + self.noise.get(order as usize).copied().unwrap_or(0.0);
            self.ranking.push((base + completion.sigma(value), order, base));
        }
        self.ranking.sort_unstable_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)));
        let best = self.ranking.iter().take(most as usize);
        self.considered.extend(best.map(|&(_, order, base)| (order, base)));
    }

    /// Whether the next simulation needs the answers of all before it: a halving goes by what the visits of its
    /// phase have found.
    pub fn needs_answers(&self, config: &SearchConfig) -> bool {
        config.method == Method::Gumbel && self.halving.begins_phase()
    }

    /// The step that the next simulation takes at the root.
    pub fn select<S: Copy>(&mut self, config: &SearchConfig, arena: &mut Arena<S>) -> Choice {
        match config.method {
            Method::Gumbel => {
                let level = self.halving.next();
                self.best_considered(&config.gumbel, arena, level)
            }
            Method::Puct if self.noise.is_empty() => config.puct.select(arena, ROOT),
            Method::Puct => config.puct.select_with_noise(arena, ROOT, &self.noise, &self.children),
        }
    }

    /// Visits of a step, virtual ones and those of a kept tree included.
    fn visits<S: Copy>(&self, arena: &Arena<S>, order: u32) -> u32 {
        match self.children[order as usize] {
            NO_NODE => u32::from(arena.is_reserved(ROOT, order)),
            child => arena.node(child).counted_visits(),
        }
    }

    /// Among the considered steps with exactly `level` visits of this search (`None`: with the most
    /// visits) the one with the largest g + logits + σ(q).
    fn best_considered<S: Copy>(
        &mut self,
        config: &GumbelConfig,
        arena: &Arena<S>,
        level: Option<u32>,
    ) -> Choice {
        let completion = config.complete(arena, ROOT, &mut self.visited);
        for step in &self.visited {
            self.values[step.order as usize] = step.value;
        }
        let new_visits = |order: u32| self.visits(arena, order) - self.kept[order as usize];
        let most_visits = || self.considered.iter().map(|&(order, _)| new_visits(order)).max();
        let level = level.or_else(most_visits).unwrap_or(0);
        let (mut best, mut best_score) = (None, f32::NEG_INFINITY);
        for &(order, base) in self.considered.iter().filter(|&&(order, _)| new_visits(order) == level) {
            let child = self.children[order as usize];
            let value = if child == NO_NODE { completion.mixed } else { self.values[order as usize] };
            let score = base + completion.sigma(value);
            if best.is_none_or(|held| score > best_score || (score == best_score && order < held)) {
                (best, best_score) = (Some(order), score);
            }
        }
        debug_assert!(best.is_some(), "the schedule asks for a level that no step has");
        let order = best.unwrap_or(0);
        Choice { order, child: self.children[order as usize] }
    }

    /// The search's own best step, by order: a proven win where there is one, the largest prior for
    /// the raw policy, the winner of the halving, or the most visits. The root must have steps.
    pub fn best<S: Copy>(&mut self, config: &SearchConfig, arena: &Arena<S>) -> u32 {
        let root = arena.node(ROOT);
        if config.solved_nodes == SolvedNodes::On && root.proof == Proof::Win(root.mover) {
            let won = arena.children(ROOT).filter(|(_, child)| child.proof == root.proof);
            let best = won.max_by_key(|(_, child)| (child.visits, std::cmp::Reverse(child.order)));
            if let Some((_, child)) = best {
                return child.order;
            }
        }
        match config.method {
            _ if self.raw => argmax(arena.priors(ROOT)),
            Method::Gumbel => self.best_considered(&config.gumbel, arena, None).order,
            Method::Puct => argmax((0..root.steps() as u32).map(|order| self.visits(arena, order))),
        }
    }

    /// What the search makes of the root's policy, by order of its steps; it sums to 1. The prior for
    /// the raw policy, the improved policy of a Gumbel search, the shares of visits of a PUCT search
    /// (without forced ones, and of proven wins alone where there are some).
    pub fn policy<S: Copy>(&self, config: &SearchConfig, arena: &Arena<S>) -> Vec<f32> {
        let root = arena.node(ROOT);
        let mut weights = vec![0.0; root.steps()];
        match config.method {
            Method::Gumbel if !self.raw => return config.gumbel.improved_policy(arena, ROOT),
            Method::Puct if !self.raw && arena.children(ROOT).next().is_some() => {
                let won = config.solved_nodes == SolvedNodes::On && root.proof == Proof::Win(root.mover);
                // Without forcing nothing is taken back, single visits neither.
                let forced = config.puct.forced_playouts > 0.0 && !self.noise.is_empty();
                let pruned =
                    forced.then(|| config.puct.pruned_visits(arena, ROOT, &self.noise, &self.children));
                for (_, child) in arena.children(ROOT) {
                    let order = child.order as usize;
                    if !won || child.proof == root.proof {
                        weights[order] = pruned.as_ref().map_or(child.visits, |visits| visits[order]) as f32;
                    }
                }
            }
            Method::Gumbel | Method::Puct => {
                weights.iter_mut().zip(arena.priors(ROOT)).for_each(|(weight, prior)| *weight = prior);
            }
        }
        let total: f32 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight /= total);
        weights
    }
}

/// Index of the largest; the first of equals.
fn argmax<T: PartialOrd + Copy>(values: impl Iterator<Item = T>) -> u32 {
    let mut best: Option<(u32, T)> = None;
    for (index, value) in (0..).zip(values) {
        if best.is_none_or(|(_, held)| value > held) {
            best = Some((index, value));
        }
    }
    best.map_or(0, |(index, _)| index)
}
