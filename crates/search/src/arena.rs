//! The arena that a tree lives in.
//!
//! A node exists for every visited position. Its legal steps and their priors stand together in two
//! flat lists, in the game's order; a step is named by its place there (its *order*). A step that has
//! been visited is *opened*: its node hangs in the list of its parent's children and its prior there
//! has its sign turned, so that a scan of the priors sees only closed steps; a closed step whose leaf
//! waits for its answer has too. Nodes are in the order
//! of their creation: a child's index is larger than its parent's, and steps lie in the order of
//! their nodes. Compaction relies on both.

use crate::lanes;
use crate::proof::Proof;
use game::{OfFirst, Player, Wdl};
use std::ops::Range;

/// In place of a node's index: no node.
pub(crate) const NO_NODE: u32 = u32::MAX;
/// In place of a step's order: no step.
pub(crate) const NO_STEP: u32 = u32::MAX;
/// Index of the root node.
pub(crate) const ROOT: u32 = 0;
/// No prior is smaller: a step may get a tiny prior, never none.
const SMALLEST_PRIOR: f32 = 1e-30;
/// In place of the order of the best closed step: not known, or no step is closed.
const UNKNOWN: u32 = u32::MAX;
const NONE: u32 = u32::MAX - 1;

/// What is known of one position: a judgement, a final result, or a mean over visits.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub(crate) struct Worth {
    pub wdl: OfFirst<Wdl>,
    pub margin: OfFirst<f32>,
}

/// Sums over visits, as the first player sees them. Draws are what is left of the visits.
#[derive(Clone, Copy, Debug, Default)]
struct Sums {
    win: f64,
    loss: f64,
    margin: f64,
}

/// A visited position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Node {
    sums: Sums,
    pub visits: u32,
    /// Leaves below that wait for their answers; each counts as a visit in choices.
    virtual_visits: u32,
    /// Order of the step that leads here, among its parent's.
    pub order: u32,
    /// Prior of that step.
    pub prior: f32,
    next_sibling: u32,
    pub mover: Player,
    pub proof: Proof,
    pub terminal: bool,
    /// The child opened last.
    first_child: u32,
    first_step: u32,
    steps: u32,
    /// Order of the closed step with the largest prior; may be `UNKNOWN` or `NONE`.
    best_closed: u32,
    /// Prior of all closed steps together; known when `best_closed` is.
    closed_prior: f32,
    /// What the evaluator said, or the result where the game has ended.
    pub own: Worth,
}

impl Node {
    fn new(mover: Player, own: Worth, steps: Range<usize>) -> Node {
        Node {
            sums: Sums::default(),
            visits: 0,
            virtual_visits: 0,
            order: 0,
            prior: 1.0,
            next_sibling: NO_NODE,
            mover,
            proof: Proof::Open,
            terminal: false,
            first_child: NO_NODE,
            first_step: steps.start as u32,
            steps: steps.len() as u32,
            best_closed: UNKNOWN,
            closed_prior: 0.0,
            own,
        }
    }

    /// Mean over all visits; the proven result where there is one.
    pub fn mean(&self) -> Worth {
        let visits = f64::from(self.visits.max(1));
        let win = (self.sums.win / visits) as f32;
        let loss = (self.sums.loss / visits) as f32;
        let mean = OfFirst(Wdl { win, draw: (1.0 - win - loss).max(0.0), loss });
        Worth { wdl: self.proof.wdl().unwrap_or(mean), margin: OfFirst((self.sums.margin / visits) as f32) }
    }

    /// Visits, virtual ones included: N in the formulas that choose a step.
    #[inline]
    pub fn counted_visits(&self) -> u32 {
        self.visits + self.virtual_visits
    }

    /// Number of legal steps.
    #[inline]
    pub fn steps(&self) -> usize {
        self.steps as usize
    }
}

/// The step to take at a node, and the child it leads to (`NO_NODE` while closed).
#[derive(Clone, Copy, Debug)]
pub(crate) struct Choice {
    pub order: u32,
    pub child: u32,
}

/// The step with the largest prior among those never visited, and what selection needs of the rest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Closed {
    pub order: u32,
    pub prior: f32,
    /// Prior of all closed steps together.
    pub all_priors: f32,
}

/// Nodes and steps of one tree; node 0 is the root.
#[derive(Clone, Debug)]
pub(crate) struct Arena<S> {
    pub nodes: Vec<Node>,
    steps: Vec<S>,
    /// Softmax of the logits, at least `SMALLEST_PRIOR`; negative for opened steps.
    priors: Vec<f32>,
    moved: Vec<u32>,
    /// Where leaves wait for their answers: nodes, and orders of closed steps.
    reserved: Vec<(u32, u32)>,
    recent: RecentUse,
    margin_weight: f32,
}

/// What trees have needed lately, so that one large tree is not paid for ever after.
#[derive(Clone, Copy, Debug, Default)]
struct RecentUse {
    trees: u32,
    nodes: usize,
    steps: usize,
}

/// After so many trees, about a game, the room that none of them needed is given back.
const TREES_BETWEEN: u32 = 64;

impl<S: Copy> Arena<S> {
    pub fn new(margin_weight: f32) -> Arena<S> {
        Arena {
            nodes: Vec::new(),
            steps: Vec::new(),
            priors: Vec::new(),
            moved: Vec::new(),
            reserved: Vec::new(),
            recent: RecentUse::default(),
            margin_weight,
        }
    }

    /// Drops the tree. Its room stays for the next ones, as far as they have needed it lately.
    pub fn clear(&mut self) {
        self.note_use();
        self.nodes.clear();
        self.steps.clear();
        self.priors.clear();
        self.reserved.clear();
        self.recent.trees += 1;
        if self.recent.trees >= TREES_BETWEEN {
            let RecentUse { nodes, steps, .. } = std::mem::take(&mut self.recent);
            self.nodes.shrink_to(nodes);
            self.steps.shrink_to(steps);
            self.priors.shrink_to(steps);
            self.moved.clear();
            self.moved.shrink_to(nodes);
        }
    }

    fn note_use(&mut self) {
        self.recent.nodes = self.recent.nodes.max(self.nodes.len());
        self.recent.steps = self.recent.steps.max(self.steps.len());
    }

    /// Bytes of what is in the tree; the same for the same tree.
    #[inline]
    pub fn used_bytes(&self) -> usize {
        self.nodes.len() * size_of::<Node>() + self.steps.len() * (size_of::<S>() + size_of::<f32>())
    }

    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.steps.capacity() * size_of::<S>()
            + (self.priors.capacity() + self.moved.capacity()) * size_of::<u32>()
    }

    #[inline]
    pub fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    #[inline]
    fn range(&self, node: u32) -> Range<usize> {
        let node = self.node(node);
        node.first_step as usize..(node.first_step + node.steps) as usize
    }

    /// A node's legal steps.
    #[inline]
    pub fn steps(&self, node: u32) -> &[S] {
        &self.steps[self.range(node)]
    }

    /// One of a node's legal steps.
    #[inline]
    pub fn step(&self, node: u32, order: u32) -> S {
        self.steps[(self.node(node).first_step + order) as usize]
    }

    /// Priors of a node's legal steps, whether opened or not.
    pub fn priors(&self, node: u32) -> impl Iterator<Item = f32> {
        self.priors[self.range(node)].iter().map(|prior| prior.abs())
    }

    /// The children of a node with their indices, the one opened last first.
    #[inline]
    pub fn children(&self, node: u32) -> Children<'_> {
        Children { nodes: &self.nodes, next: self.node(node).first_child }
    }

    /// The utility of something known: result plus weighted margin.
    #[inline]
    pub fn utility_of(&self, worth: &Worth) -> OfFirst<f32> {
        OfFirst(worth.wdl.0.value() + self.margin_weight * worth.margin.0)
    }

    /// Mean utility of a visited node.
    #[inline]
    pub fn utility(&self, node: &Node) -> OfFirst<f32> {
        let Sums { win, loss, margin } = node.sums;
        let visits = f64::from(node.visits);
        let margin = f64::from(self.margin_weight) * margin;
        let utility = match node.proof.wdl() {
            None => (win - loss + margin) / visits,
            Some(OfFirst(wdl)) => f64::from(wdl.value()) + margin / visits,
        };
        OfFirst(utility as f32)
    }

    /// The largest utility there is; the smallest is its negative.
    #[inline]
    pub fn utility_bound(&self) -> f32 {
        1.0 + self.margin_weight
    }

    /// Adds a judged node with its legal steps and their logits. Not yet visited, not yet linked.
    /// Numbers that are not finite break the caller's promise; they become the smallest prior and a
    /// draw, so that the tree stays whole.
    pub fn add_judged(&mut self, mover: Player, steps: &[S], logits: &[f32], own: Worth) -> u32 {
        let finite = own.margin.0.is_finite() && own.wdl.0.value().is_finite();
        debug_assert!(finite, "the evaluator answered with {own:?}");
        debug_assert!(logits.iter().all(|logit| logit.is_finite()), "the evaluator answered with {logits:?}");
        let own = if finite { own } else { Worth { wdl: OfFirst(Wdl::DRAW), margin: OfFirst(0.0) } };
        let first = self.steps.len();
        self.steps.extend_from_slice(steps);
        self.priors.extend_from_slice(logits);
        lanes::softmax(&mut self.priors[first..], SMALLEST_PRIOR);
        self.nodes.push(Node::new(mover, own, first..self.steps.len()));
        self.nodes.len() as u32 - 1
    }

    /// Adds a node where the game has ended. Not yet visited, not yet linked.
    pub fn add_terminal(&mut self, mover: Player, own: Worth, proof: Proof) -> u32 {
        let none = self.steps.len()..self.steps.len();
        self.nodes.push(Node { terminal: true, proof, ..Node::new(mover, own, none) });
        self.nodes.len() as u32 - 1
    }

    /// Hangs a new node behind a closed step.
    pub fn open(&mut self, parent: u32, order: u32, child: u32) {
        let holder = &mut self.nodes[parent as usize];
        let prior = &mut self.priors[(holder.first_step + order) as usize];
        debug_assert!(*prior > 0.0 && order < holder.steps);
        let next_sibling = std::mem::replace(&mut holder.first_child, child);
        holder.best_closed = UNKNOWN;
        let node = &mut self.nodes[child as usize];
        (node.order, node.prior, node.next_sibling) = (order, *prior, next_sibling);
        *prior = -*prior;
    }

    /// The best of a node's closed steps; `None` when all are opened. Ties go to the earlier step.
    #[inline]
    pub fn closed(&mut self, node: u32) -> Option<Closed> {
        if self.node(node).best_closed == UNKNOWN {
            let priors = &self.priors[self.range(node)];
            let largest = lanes::largest(priors);
            let best = if largest > 0.0 { priors.iter().position(|&prior| prior == largest) } else { None };
            let all_priors = lanes::sum_of_positive(priors);
            let node = &mut self.nodes[node as usize];
            node.best_closed = best.map_or(NONE, |order| order as u32);
            node.closed_prior = all_priors;
        }
        let node = self.node(node);
        let order = node.best_closed;
        (order != NONE).then(|| {
            let prior = self.priors[(node.first_step + order) as usize];
            Closed { order, prior, all_priors: node.closed_prior }
        })
    }

    /// Reserves a closed step of a path's last node for a leaf that waits for its answer: no choice takes it
    /// meanwhile, and the nodes on the path count one virtual visit more. A virtual visit has no value, so that
    /// means stay what they are (Liu et al. 2020, "Watch the Unobserved").
    pub fn reserve(&mut self, path: &[u32], order: u32) {
        self.virtual_visit(path, order, |visits| visits + 1);
        self.reserved.extend(path.last().map(|&parent| (parent, order)));
    }

    /// Takes a reservation back.
    pub fn release(&mut self, path: &[u32], order: u32) {
        self.virtual_visit(path, order, |visits| visits - 1);
        let held = path.last().map(|&parent| (parent, order));
        self.reserved.retain(|&reserved| Some(reserved) != held);
    }

    fn virtual_visit(&mut self, path: &[u32], order: u32, change: fn(u32) -> u32) {
        for &node in path {
            let node = &mut self.nodes[node as usize];
            node.virtual_visits = change(node.virtual_visits);
        }
        let Some(&parent) = path.last() else { return };
        let parent = &mut self.nodes[parent as usize];
        parent.best_closed = UNKNOWN;
        let prior = &mut self.priors[(parent.first_step + order) as usize];
        *prior = -*prior;
    }

    /// Whether a leaf behind this step waits for its answer.
    #[inline]
    pub fn is_reserved(&self, node: u32, order: u32) -> bool {
        !self.reserved.is_empty() && self.reserved.contains(&(node, order))
    }

    /// Counts one visit of every node on a path.
    pub fn back_up(&mut self, path: &[u32], worth: Worth) {
        for &node in path {
            let node = &mut self.nodes[node as usize];
            node.visits += 1;
            node.sums.win += f64::from(worth.wdl.0.win);
            node.sums.loss += f64::from(worth.wdl.0.loss);
            node.sums.margin += f64::from(worth.margin.0);
        }
    }

    /// Carries the proof of a path's last node towards the root as far as it goes.
    pub fn prove(&mut self, path: &[u32]) {
        for &index in path.iter().rev().skip(1) {
            if !self.node(index).proof.is_open() {
                continue;
            }
            let waits = self.reserved.iter().any(|&(node, _)| node == index);
            let all = !waits && self.closed(index).is_none();
            let proofs = self.children(index).map(|(_, child)| child.proof);
            let proof = Proof::of_node(self.node(index).mover, proofs, all);
            if proof.is_open() {
                break;
            }
            self.nodes[index as usize].proof = proof;
        }
    }

    /// Makes `root` the root and drops everything that is not below it, in place. Drops the whole
    /// tree when more than `most` nodes would stay.
    pub fn keep_subtree(&mut self, root: u32, most: u32) {
        const DROPPED: u32 = u32::MAX;
        const KEPT: u32 = u32::MAX - 1;
        self.note_use();
        self.moved.clear();
        self.moved.resize(self.nodes.len(), DROPPED);
        self.moved[root as usize] = KEPT;
        let (mut nodes, mut steps) = (0, 0);
        for index in root as usize..self.nodes.len() {
            if self.moved[index] == DROPPED {
                continue;
            }
            if nodes == most as usize {
                return self.clear();
            }
            let mut child = self.nodes[index].first_child;
            while child != NO_NODE {
                self.moved[child as usize] = KEPT;
                child = self.nodes[child as usize].next_sibling;
            }
            let range = self.range(index as u32);
            self.moved[index] = nodes as u32;
            self.nodes[nodes] = Node { first_step: steps as u32, ..self.nodes[index] };
            self.steps.copy_within(range.clone(), steps);
            self.priors.copy_within(range.clone(), steps);
            steps += range.len();
            nodes += 1;
        }
        self.nodes.truncate(nodes);
        self.steps.truncate(steps);
        self.priors.truncate(steps);
        self.nodes[ROOT as usize].next_sibling = NO_NODE;
        for node in &mut self.nodes {
            for link in [&mut node.first_child, &mut node.next_sibling] {
                if *link != NO_NODE {
                    *link = self.moved[*link as usize];
                }
            }
        }
    }
}

/// See [`Arena::children`].
pub(crate) struct Children<'a> {
    nodes: &'a [Node],
    next: u32,
}

impl<'a> Iterator for Children<'a> {
    type Item = (u32, &'a Node);

    #[inline]
    fn next(&mut self) -> Option<(u32, &'a Node)> {
        if self.next == NO_NODE {
            return None;
        }
        let index = self.next;
        let node = &self.nodes[index as usize];
        self.next = node.next_sibling;
        Some((index, node))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A root with so many steps, all opened.
    fn grow(arena: &mut Arena<u32>, steps: u32) {
        let all: Vec<u32> = (0..steps).collect();
        let own = Worth::default();
        arena.add_judged(Player::First, &all, &vec![0.0; all.len()], own);
        for order in 0..steps {
            let child = arena.add_judged(Player::Second, &all, &vec![0.0; all.len()], own);
            arena.open(ROOT, order, child);
        }
    }

    #[test]
    fn one_large_tree_is_not_paid_for_ever_after() {
        let mut arena = Arena::new(0.0);
        grow(&mut arena, 100);
        arena.keep_subtree(ROOT, u32::MAX);
        let (large, used) = (arena.bytes(), arena.used_bytes());
        for _ in 0..2 * TREES_BETWEEN {
            arena.clear();
            grow(&mut arena, 10);
        }
        assert!(large >= used && arena.bytes() < large / 20, "{} of {large} bytes", arena.bytes());
        // What is needed again and again stays.
        let room = arena.bytes();
        for _ in 0..2 * TREES_BETWEEN {
            arena.clear();
            grow(&mut arena, 10);
        }
        assert_eq!(arena.bytes(), room);
    }
}
