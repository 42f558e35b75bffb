//! One search of the root: its budget, its noise, and how simulations are spread at the root. None of
//! it belongs to the tree, which outlives it.

use crate::arena::{Arena, Edge, ROOT};
use crate::config::{Effort, Exploration, ForcedStep, GumbelConfig, Method, SearchConfig, SolvedNodes};
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
    pub raw: bool,
    /// Index of each step's edge.
    slots: Vec<u32>,
    /// Visits of each step before this search.
    kept: Vec<u32>,
    /// Gumbel draws or Dirichlet weights; empty without noise.
    noise: Vec<f32>,
    /// Steps that sequential halving started with, best first.
    considered: Vec<u32>,
    halving: Halving,
    values: Vec<(f32, u32)>,
    ranking: Vec<(f32, u32)>,
}

impl Root {
    /// Forgets the last search.
    pub fn clear(&mut self) {
        (self.budget, self.done, self.raw) = (0, 0, false);
        self.slots.clear();
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
        self.slots.resize(steps, 0);
        self.kept.resize(steps, 0);
        for (index, edge) in arena.edge_range(ROOT).zip(arena.edges_of(ROOT)) {
            self.slots[edge.order as usize] = index as u32;
            self.kept[edge.order as usize] = arena.visits(edge);
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

    /// Chooses the steps that sequential halving starts with: the largest g + logits + σ(q). At a new
    /// root σ(q) is the same for all, so that this is Gumbel top-k; at a kept root the visits that
    /// are there already speak with it.
    fn consider<S: Copy>(&mut self, config: &GumbelConfig, arena: &Arena<S>, most: u32) {
        let completion = config.complete(arena, ROOT, &mut self.values);
        let mut ranking = std::mem::take(&mut self.ranking);
        ranking.clear();
        ranking.extend(arena.edges_of(ROOT).iter().enumerate().map(|(index, edge)| {
            let value = self.values.get(index).map_or(completion.mixed, |&(value, _)| value);
            (self.gumbel_score(edge, completion.sigma(value)), edge.order)
        }));
        ranking.sort_unstable_by(|left, right| right.0.total_cmp(&left.0).then(left.1.cmp(&right.1)));
        self.considered.extend(ranking.iter().take(most as usize).map(|&(_, order)| order));
        self.ranking = ranking;
    }

    fn gumbel_score<S>(&self, edge: &Edge<S>, sigma: f32) -> f32 {
        let gumbel = self.noise.get(edge.order as usize).copied().unwrap_or(0.0);
        gumbel + edge.prior.ln() + sigma
    }

    /// Index of the edge that the next simulation takes at the root.
    pub fn select<S: Copy>(&mut self, config: &SearchConfig, arena: &mut Arena<S>) -> usize {
        match config.method {
            Method::Gumbel => {
                let level = self.halving.next();
                self.best_considered(&config.gumbel, arena, level)
            }
            Method::Puct if self.noise.is_empty() => config.puct.select(arena, ROOT),
            Method::Puct => config.puct.select_with_noise(arena, ROOT, &self.noise),
        }
    }

    /// Among the considered steps with exactly `level` visits of this search (`None`: with the most
    /// visits) the one with the largest g + logits + σ(q).
    fn best_considered<S: Copy>(
        &mut self,
        config: &GumbelConfig,
        arena: &Arena<S>,
        level: Option<u32>,
    ) -> usize {
        let completion = config.complete(arena, ROOT, &mut self.values);
        let first = arena.first_edge(ROOT);
        let visits = |order: u32| {
            let edge = &arena.edges[self.slots[order as usize] as usize];
            arena.visits(edge) - self.kept[order as usize]
        };
        let level =
            level.unwrap_or_else(|| self.considered.iter().map(|&order| visits(order)).max().unwrap_or(0));
        let mut best: Option<(f32, u32)> = None;
        for &order in self.considered.iter().filter(|&&order| visits(order) == level) {
            let slot = self.slots[order as usize];
            let edge = &arena.edges[slot as usize];
            let value = self.values.get(slot as usize - first).map_or(completion.mixed, |&(value, _)| value);
            let score = self.gumbel_score(edge, completion.sigma(value));
            let better = best.is_none_or(|(held, held_slot)| {
                let held_order = arena.edges[held_slot as usize].order;
                score > held || (score == held && order < held_order)
            });
            if better {
                best = Some((score, slot));
            }
        }
        debug_assert!(best.is_some(), "the schedule asks for a level that no step has");
        best.map_or(first, |(_, slot)| slot as usize)
    }

    /// Notes that two edges of the root have changed places.
    pub fn swapped<S>(&mut self, arena: &Arena<S>, places: (usize, usize)) {
        for place in [places.0, places.1] {
            self.slots[arena.edges[place].order as usize] = place as u32;
        }
    }

    /// The search's own best step as the index of its edge: a proven win where there is one, the
    /// largest prior for the raw policy, the winner of the halving, or the most visits.
    pub fn best<S: Copy>(&mut self, config: &SearchConfig, arena: &Arena<S>) -> usize {
        let first = arena.first_edge(ROOT);
        let root = arena.node(ROOT);
        if config.solved_nodes == SolvedNodes::On && root.proof == Proof::Win(root.mover) {
            let wins = |edge: &Edge<S>| {
                arena.child(edge).filter(|child| child.proof == root.proof).map_or(0, |child| child.visits)
            };
            return first + argmax(arena.edges_of(ROOT), |edge| wins(edge) as f32);
        }
        match config.method {
            _ if self.raw => first + argmax(arena.edges_of(ROOT), |edge| edge.prior),
            Method::Gumbel => self.best_considered(&config.gumbel, arena, None),
            Method::Puct => first + argmax(arena.edges_of(ROOT), |edge| arena.visits(edge) as f32),
        }
    }

    /// What the search makes of the root's policy, by order of its steps; it sums to 1. The prior for
    /// the raw policy, the improved policy of a Gumbel search, the shares of visits of a PUCT search
    /// (of proven wins alone where there are some).
    pub fn policy<S: Copy>(&self, config: &SearchConfig, arena: &Arena<S>) -> Vec<f32> {
        let root = arena.node(ROOT);
        let mut weights = vec![0.0; root.steps()];
        let edges = arena.edges_of(ROOT);
        match config.method {
            Method::Gumbel if !self.raw => return config.gumbel.improved_policy(arena, ROOT),
            Method::Puct if !self.raw && !arena.opened(ROOT).is_empty() => {
                let won = config.solved_nodes == SolvedNodes::On && root.proof == Proof::Win(root.mover);
                for edge in arena.opened(ROOT) {
                    let child = arena.node(edge.child);
                    if !won || child.proof == root.proof {
                        weights[edge.order as usize] = child.visits as f32;
                    }
                }
            }
            Method::Gumbel | Method::Puct => {
                edges.iter().for_each(|edge| weights[edge.order as usize] = edge.prior);
            }
        }
        let total: f32 = weights.iter().sum();
        weights.iter_mut().for_each(|weight| *weight /= total);
        weights
    }
}

/// Index of the edge with the largest score; ties go to the earlier step.
fn argmax<S>(edges: &[Edge<S>], score: impl Fn(&Edge<S>) -> f32) -> usize {
    let mut best = 0;
    for index in 1..edges.len() {
        let (held, next) = (score(&edges[best]), score(&edges[index]));
        if next > held || (next == held && edges[index].order < edges[best].order) {
            best = index;
        }
    }
    best
}
