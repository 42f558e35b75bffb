//! The two searches written down once more as plainly as possible (recursion, double precision,
//! everything computed afresh), to compare whole trees with. Margin weight 0 and no kept trees.

use crate::games::twigs::Twigs;
use game::{Game, Line, Player};
use rand::RngCore;
use rand_chacha::ChaCha8Rng;
use search::{GumbelConfig, PuctConfig};

pub struct Node {
    mover: Player,
    own: f64,
    priors: Vec<f64>,
    children: Vec<Option<Node>>,
    visits: u32,
    sum: f64,
}

#[derive(Clone, Copy)]
pub enum Formula<'a> {
    Gumbel(&'a GumbelConfig),
    Puct(&'a PuctConfig),
}

fn sign(player: Player) -> f64 {
    if player == Player::First { 1.0 } else { -1.0 }
}

impl Node {
    /// Judges a position; its value as the first player sees it.
    fn new(game: &Twigs, position: u32) -> Node {
        let mover = game.mover(&position);
        let mut steps = Vec::new();
        game.legal_steps(&position, &mut steps);
        let (logits, value, _) = game.judge(&position, &steps);
        let own = match game.outcome(&position, &Line::new()) {
            Some(outcome) => f64::from(outcome.wdl().0.value()),
            None => f64::from(value) * sign(mover),
        };
        let weights: Vec<f64> = logits.iter().map(|&logit| f64::from(logit).exp()).collect();
        let total: f64 = weights.iter().sum();
        Node {
            mover,
            own,
            priors: weights.iter().map(|weight| weight / total).collect(),
            children: weights.iter().map(|_| None).collect(),
            visits: 1,
            sum: own,
        }
    }

    fn visits_of(&self, index: usize) -> u32 {
        self.children[index].as_ref().map_or(0, |child| child.visits)
    }

    /// Mean of a visited step for the mover here.
    fn q(&self, index: usize) -> Option<f64> {
        let child = self.children[index].as_ref()?;
        Some(sign(self.mover) * child.sum / f64::from(child.visits))
    }

    /// logits + σ(completed q), all steps.
    fn scores(&self, config: &GumbelConfig) -> Vec<f64> {
        let all = 0..self.priors.len();
        let visits: u32 = all.clone().map(|index| self.visits_of(index)).sum();
        let most = all.clone().map(|index| self.visits_of(index)).max().unwrap();
        let own = sign(self.mover) * self.own;
        let mixed = if visits == 0 {
            own
        } else {
            let visited: Vec<usize> = all.clone().filter(|&index| self.visits_of(index) > 0).collect();
            let prior: f64 = visited.iter().map(|&index| self.priors[index]).sum();
            let value: f64 = visited.iter().map(|&index| self.priors[index] * self.q(index).unwrap()).sum();
            (own + f64::from(visits) * value / prior) / (1.0 + f64::from(visits))
        };
        let scale = (f64::from(config.visit_offset) + f64::from(most)) * f64::from(config.value_scale);
        all.map(|index| {
            let q = self.q(index).unwrap_or(mixed);
            self.priors[index].ln() + scale * (q + 1.0) / 2.0
        })
        .collect()
    }

    pub fn improved(&self, config: &GumbelConfig) -> Vec<f64> {
        let scores = self.scores(config);
        let largest = scores.iter().copied().fold(f64::MIN, f64::max);
        let weights: Vec<f64> = scores.iter().map(|score| (score - largest).exp()).collect();
        let total: f64 = weights.iter().sum();
        weights.iter().map(|weight| weight / total).collect()
    }

    fn select(&self, formula: Formula<'_>) -> usize {
        let scores: Vec<f64> = match formula {
            Formula::Gumbel(config) => {
                let share = 1.0 / f64::from(self.visits);
                let policy = self.improved(config).into_iter().enumerate();
                policy.map(|(index, weight)| weight - f64::from(self.visits_of(index)) * share).collect()
            }
            Formula::Puct(config) => {
                let visits = f64::from(self.visits);
                let base = f64::from(config.exploration_base);
                let rate = ((1.0 + visits + base) / base).ln() + f64::from(config.exploration);
                let all = 0..self.priors.len();
                let prior: f64 = all.clone().filter(|&i| self.visits_of(i) > 0).map(|i| self.priors[i]).sum();
                let mean = sign(self.mover) * self.sum / visits;
                let first_play = mean - f64::from(config.first_play_reduction) * prior.sqrt();
                all.map(|index| {
                    let q = self.q(index).unwrap_or(first_play);
                    let own_visits = f64::from(self.visits_of(index));
                    q + rate * self.priors[index] * visits.sqrt() / (1.0 + own_visits)
                })
                .collect()
            }
        };
        argmax(&scores, |_| true)
    }

    /// One simulation through `step` here, or through the best one; its result for the first player.
    fn simulate(&mut self, game: &Twigs, position: u32, formula: Formula<'_>, step: Option<usize>) -> f64 {
        let result = if self.priors.is_empty() {
            self.own
        } else {
            let index = step.unwrap_or_else(|| self.select(formula));
            let next = game.twigs[position as usize].steps[index];
            match &mut self.children[index] {
                Some(child) => child.simulate(game, next, formula, None),
                slot => {
                    let child = Node::new(game, next);
                    let own = child.own;
                    *slot = Some(child);
                    own
                }
            }
        };
        self.visits += 1;
        self.sum += result;
        result
    }

    /// Lines of the tree: name, visits, mean.
    pub fn lines(&self, game: &Twigs, position: u32, lines: &mut Vec<(String, u32, f64)>) {
        let twig = &game.twigs[position as usize];
        lines.push((twig.name.clone(), self.visits, self.sum / f64::from(self.visits)));
        for (child, &next) in self.children.iter().zip(&twig.steps) {
            if let Some(child) = child {
                child.lines(game, next, lines);
            }
        }
    }
}

fn argmax(scores: &[f64], allowed: impl Fn(usize) -> bool) -> usize {
    let mut best = None;
    for (index, &score) in scores.iter().enumerate() {
        if allowed(index) && best.is_none_or(|held: usize| score > scores[held]) {
            best = Some(index);
        }
    }
    best.unwrap()
}

pub fn puct(game: &Twigs, config: &PuctConfig, simulations: u32) -> Node {
    let mut root = Node::new(game, 0);
    for _ in 0..simulations {
        root.simulate(game, 0, Formula::Puct(config), None);
    }
    root
}

/// A whole Gumbel search with noise from `random` (none: no noise); the tree and its choice.
pub fn gumbel(
    game: &Twigs,
    config: &GumbelConfig,
    simulations: u32,
    random: Option<&mut ChaCha8Rng>,
) -> (Node, usize) {
    let mut root = Node::new(game, 0);
    let steps = root.priors.len();
    let mut noise = vec![0.0; steps];
    if let Some(random) = random.filter(|_| steps > 1) {
        for draw in &mut noise {
            let even = ((random.next_u64() >> 11) as f64 + 0.5) / (1u64 << 53) as f64;
            *draw = -(-even.ln()).ln();
        }
    }
    let noisy = |root: &Node| -> Vec<f64> {
        root.scores(config).iter().zip(&noise).map(|(score, draw)| score + draw).collect()
    };
    let start = noisy(&root);
    let most = (config.considered as usize).min(steps).min(simulations.max(1) as usize);
    let mut ranked: Vec<usize> = (0..steps).collect();
    ranked.sort_by(|&left, &right| start[right].total_cmp(&start[left]));
    for level in levels(most, simulations as usize) {
        let scores = noisy(&root);
        let next = argmax(&scores, |index| ranked[..most].contains(&index) && root.visits_of(index) == level);
        root.simulate(game, 0, Formula::Gumbel(config), Some(next));
    }
    let scores = noisy(&root);
    let most_visits = (0..steps).map(|index| root.visits_of(index)).max().unwrap();
    let choice =
        argmax(&scores, |index| root.visits_of(index) == most_visits && ranked[..most].contains(&index));
    (root, choice)
}

/// For each simulation the visits that its step must have: Algorithm 2 written out as a list.
fn levels(most: usize, simulations: usize) -> Vec<u32> {
    let mut levels = Vec::new();
    let phases = (most as f64).log2().ceil().max(1.0) as usize;
    let mut considered = most;
    let mut level = 0;
    while levels.len() < simulations {
        for _ in 0..(simulations / (phases * considered)).max(1) {
            levels.extend(std::iter::repeat_n(level, considered));
            level += 1;
        }
        considered = if considered == 1 { 1 } else { (considered / 2).max(2) };
    }
    levels.truncate(simulations);
    levels
}
