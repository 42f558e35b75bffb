//! The AlphaZero formula (Silver et al. 2018, methods, "Search"): argmax of
//! Q(a) + C(s) · P(a) · √N(s) / (1 + N(a)), all values of the node's mover.

use crate::arena::{Arena, Choice, NO_NODE, NO_STEP, Node};
use crate::config::{FirstPlay, PuctConfig};

/// The formula at one node.
struct Formula {
    /// C(s) · √N(s).
    exploration: f32,
    /// Value of a step without visits.
    first_play: f32,
}

impl Formula {
    #[inline]
    fn of_closed(&self, prior: f32) -> f32 {
        self.first_play + self.exploration * prior
    }

    #[inline]
    fn of_visited<S: Copy>(&self, arena: &Arena<S>, parent: &Node, child: &Node, prior: f32) -> f32 {
        let value = arena.utility(child).to_mover(parent.mover).0;
        value + self.exploration * prior / (1.0 + child.counted_visits() as f32)
    }
}

impl PuctConfig {
    /// `closed_prior` is the prior of all steps without visits.
    #[inline]
    fn formula<S: Copy>(&self, arena: &Arena<S>, node: u32, closed_prior: f32) -> Formula {
        let parent = arena.node(node);
        let first_play = match self.first_play {
            FirstPlay::Loss => -arena.utility_bound(),
            FirstPlay::Draw => 0.0,
            FirstPlay::Parent => {
                let value = arena.utility(parent).to_mover(parent.mover).0;
                value - self.first_play_reduction * (1.0 - closed_prior).max(0.0).sqrt()
            }
        };
        Formula { exploration: self.exploration_at(parent.counted_visits()), first_play }
    }

    /// C(s) · √N(s).
    #[inline]
    fn exploration_at(&self, visits: u32) -> f32 {
        let visits = visits as f32;
        let rate = ((1.0 + visits + self.exploration_base) / self.exploration_base).ln() + self.exploration;
        rate * visits.sqrt()
    }

    /// The prior of a root's step with its share of noise.
    #[inline]
    fn with_noise(&self, prior: f32, noise: f32) -> f32 {
        (1.0 - self.noise_share) * prior + self.noise_share * noise
    }

    /// Visits that a visited step of the root must have after `visits` of the root:
    /// √(k · P(a) · ΣN) (Wu 2020, section 3.2).
    #[inline]
    fn forced(&self, prior: f32, visits: u32) -> f32 {
        (self.forced_playouts * prior * visits as f32).sqrt()
    }

    /// The step to take at a node without noise; `NO_STEP` where leaves behind all of them wait. The node must
    /// have steps.
    #[inline]
    pub(crate) fn select<S: Copy>(&self, arena: &mut Arena<S>, node: u32) -> Choice {
        let closed = arena.closed(node);
        let formula = self.formula(arena, node, closed.map_or(0.0, |closed| closed.all_priors));
        let mut best = Choice { order: NO_STEP, child: NO_NODE };
        let mut best_score = f32::NEG_INFINITY;
        if let Some(closed) = closed {
            best.order = closed.order;
            best_score = formula.of_closed(closed.prior);
        }
        let parent = arena.node(node);
        for (index, child) in arena.children(node) {
            let score = formula.of_visited(arena, parent, child, child.prior);
            if score > best_score || (score == best_score && child.order < best.order) {
                best = Choice { order: child.order, child: index };
                best_score = score;
            }
        }
        best
    }

    /// The step to take at a root with noise, one weight a step by order; `children` are the root's
    /// children by order, `NO_NODE` where there is none.
    pub(crate) fn select_with_noise<S: Copy>(
        &self,
        arena: &mut Arena<S>,
        node: u32,
        noise: &[f32],
        children: &[u32],
    ) -> Choice {
        let closed_prior = arena.closed(node).map_or(0.0, |closed| closed.all_priors);
        let formula = self.formula(arena, node, closed_prior);
        let parent = arena.node(node);
        let mut best = Choice { order: NO_STEP, child: NO_NODE };
        let mut best_score = f32::NEG_INFINITY;
        let steps = arena.priors(node).zip(noise).zip(children).zip(0..);
        for (((prior, noise), &child), order) in steps {
            let prior = self.with_noise(prior, *noise);
            let score = match child {
                NO_NODE if arena.is_reserved(node, order) => continue,
                NO_NODE => formula.of_closed(prior),
                child => {
                    let child = arena.node(child);
                    if (child.counted_visits() as f32) < self.forced(prior, parent.counted_visits()) {
                        f32::INFINITY
                    } else {
                        formula.of_visited(arena, parent, child, prior)
                    }
                }
            };
            if score > best_score {
                best = Choice { order, child };
                best_score = score;
            }
        }
        best
    }

    /// Visits of the root's steps by order without those that only forcing explains (Wu 2020,
    /// section 3.2, policy target pruning): from every step but the most visited one up to its forced
    /// visits are taken, as long as the formula would still not prefer it to the most visited one; a
    /// step that is left with a single visit loses it too. `noise` and `children` are as in
    /// [`select_with_noise`](PuctConfig::select_with_noise).
    pub(crate) fn pruned_visits<S: Copy>(
        &self,
        arena: &Arena<S>,
        node: u32,
        noise: &[f32],
        children: &[u32],
    ) -> Vec<u32> {
        let parent = arena.node(node);
        let exploration = self.exploration_at(parent.visits);
        let score = |child: &Node, visits: u32, noise: f32| {
            let prior = self.with_noise(child.prior, noise);
            arena.utility(child).to_mover(parent.mover).0 + exploration * prior / (1.0 + visits as f32)
        };
        let visited = |&child: &u32| if child == NO_NODE { 0 } else { arena.node(child).visits };
        let mut visits: Vec<u32> = children.iter().map(visited).collect();
        let Some(most) = (0..visits.len()).max_by_key(|&order| (visits[order], std::cmp::Reverse(order)))
        else {
            return visits;
        };
        if children[most] == NO_NODE {
            return visits;
        }
        let best = score(arena.node(children[most]), visits[most], noise[most]);
        for (order, &child) in
            children.iter().enumerate().filter(|&(order, &child)| order != most && child != NO_NODE)
        {
            let child = arena.node(child);
            let forced = self.forced(self.with_noise(child.prior, noise[order]), parent.visits) as u32;
            let mut left = child.visits;
            for _ in 0..forced.min(child.visits) {
                if score(child, left - 1, noise[order]) >= best {
                    break;
                }
                left -= 1;
            }
            visits[order] = if left == 1 { 0 } else { left };
        }
        visits
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::arena::{ROOT, Worth};
    use crate::config::SearchConfig;
    use game::{OfFirst, Player, Wdl};

    /// A root of First with these steps: prior, visits, value for First; and its children.
    fn root(steps: &[(f32, u32, f32)]) -> (Arena<u8>, Vec<u32>) {
        let mut arena = Arena::new(0.0);
        let draw = Worth { wdl: OfFirst(Wdl::DRAW), margin: OfFirst(0.0) };
        let logits: Vec<f32> = steps.iter().map(|step| step.0.ln()).collect();
        let list: Vec<u8> = (0..steps.len() as u8).collect();
        arena.add_judged(Player::First, &list, &logits, draw);
        arena.back_up(&[ROOT], draw);
        let mut children = vec![NO_NODE; steps.len()];
        for (order, &(_, visits, value)) in steps.iter().enumerate().filter(|(_, step)| step.1 > 0) {
            let wdl = Wdl { win: 0.5 + value / 2.0, draw: 0.0, loss: 0.5 - value / 2.0 };
            let worth = Worth { wdl: OfFirst(wdl), margin: OfFirst(0.0) };
            let child = arena.add_judged(Player::Second, &[], &[], worth);
            arena.open(ROOT, order as u32, child);
            children[order] = child;
            for _ in 0..visits {
                arena.back_up(&[ROOT, child], worth);
            }
        }
        (arena, children)
    }

    fn config(forced_playouts: f32) -> PuctConfig {
        let base = SearchConfig::default().puct;
        // C(s) = 1, but for a thousandth.
        PuctConfig { exploration: 1.0, exploration_base: 1e6, noise_share: 0.25, forced_playouts, ..base }
    }

    #[test]
    fn a_visited_step_below_its_forced_visits_comes_first() {
        // Noised priors 0.70, 0.25 and 0.05 of 100 visits: √(2 · 0.25 · 100) = 7.07 and √(2 · 0.05 · 100) = 3.16.
        let noise = [0.4, 0.4, 0.2];
        let (mut arena, children) = root(&[(0.8, 90, 0.5), (0.2, 7, -0.9), (1e-9, 2, -0.9)]);
        let select = |config: &PuctConfig, arena: &mut Arena<u8>| {
            config.select_with_noise(arena, ROOT, &noise, &children).order
        };
        assert_eq!(select(&config(2.0), &mut arena), 1);
        assert_eq!(select(&config(0.0), &mut arena), 0);
        // One visit more, and the next one is due.
        let child = children[1];
        let worth = arena.node(child).own;
        arena.back_up(&[ROOT, child], worth);
        assert_eq!(select(&config(2.0), &mut arena), 2);
        // A step without visits is not forced: it scores -1 + 0.05 · 10.
        let (mut arena, children) = root(&[(1.0, 99, 0.5), (1e-9, 0, 0.0)]);
        let config = PuctConfig { first_play: FirstPlay::Loss, ..config(2.0) };
        assert_eq!(config.select_with_noise(&mut arena, ROOT, &[0.8, 0.2], &children).order, 0);
    }

    #[test]
    fn pruning_takes_back_what_only_forcing_explains() {
        let noise = [0.4, 0.4, 0.2];
        // The best step scores 0.5 + 0.70 · 10 / 81 = 0.586. The second scores -0.5 + 2.5 / (1 + n) and
        // reaches that at n = 1.3: of its 9 visits 7 may go (√50 = 7.07), which leaves 2. The third scores
        // 0.5 + 0.5 / (1 + n), which reaches 0.586 at n = 4.8: of its 10 visits 3 (√10 = 3.16) may go.
        let (arena, children) = root(&[(0.8, 80, 0.5), (0.2, 9, -0.5), (1e-9, 10, 0.5)]);
        assert_eq!(config(2.0).pruned_visits(&arena, ROOT, &noise, &children), [80, 2, 7]);
        // Of 8 visits one is left, and goes too; of 6 the formula itself wants all (0.5 + 0.5 / 6 = 0.583).
        let (arena, children) = root(&[(0.8, 85, 0.5), (0.2, 8, -0.9), (1e-9, 6, 0.5)]);
        assert_eq!(config(2.0).pruned_visits(&arena, ROOT, &noise, &children), [85, 0, 6]);
        assert_eq!(config(0.0).pruned_visits(&arena, ROOT, &noise, &children), [85, 8, 6]);
        let (arena, children) = root(&[(0.8, 99, 0.5), (0.2, 0, 0.0), (1e-9, 0, 0.0)]);
        assert_eq!(config(2.0).pruned_visits(&arena, ROOT, &noise, &children), [99, 0, 0]);
    }
}
