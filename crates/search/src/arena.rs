//! The arena that a tree lives in.
//!
//! A node exists for every visited position, an edge for every legal step of a visited position.
//! A node's edges stand together; those with a child (the *opened* ones) come first, in the order of
//! their opening, so that selection reads only those and the best of the rest. Nodes are in the order
//! of their creation: a child's index is larger than its parent's, and edges lie in the order of
//! their nodes. Compaction relies on both.

use crate::proof::Proof;
use game::{OfFirst, Player, Wdl};

/// In place of a node's index: no node.
pub(crate) const NO_NODE: u32 = u32::MAX;
/// Index of the root node.
pub(crate) const ROOT: u32 = 0;
/// No prior is smaller: a step may get a tiny prior, never none.
const SMALLEST_PRIOR: f32 = 1e-30;
/// In place of the best closed edge: not known.
const UNKNOWN: u32 = u32::MAX;

/// A legal step of a visited position.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Edge<S> {
    pub step: S,
    /// Softmax of the logits, at least `SMALLEST_PRIOR`.
    pub prior: f32,
    /// The node it leads to; `NO_NODE` while closed.
    pub child: u32,
    /// Place among the legal steps.
    pub order: u32,
}

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
    /// What the evaluator said, or the result where the game has ended.
    pub own: Worth,
    pub visits: u32,
    first_edge: u32,
    edges: u32,
    opened: u32,
    /// The closed edge with the largest prior, relative to `first_edge`; may be `UNKNOWN`.
    best_closed: u32,
    /// Prior of all closed edges together; known when `best_closed` is.
    closed_prior: f32,
    pub mover: Player,
    pub proof: Proof,
    pub terminal: bool,
}

impl Node {
    fn new(mover: Player, own: Worth, first_edge: usize, edges: usize) -> Node {
        Node {
            sums: Sums::default(),
            own,
            visits: 0,
            first_edge: first_edge as u32,
            edges: edges as u32,
            opened: 0,
            best_closed: UNKNOWN,
            closed_prior: 0.0,
            mover,
            proof: Proof::Open,
            terminal: false,
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

    pub fn steps(&self) -> usize {
        self.edges as usize
    }
}

/// The step with the largest prior among those never visited, and what selection needs of the rest.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Closed {
    /// Index of the edge in the arena.
    pub edge: usize,
    pub prior: f32,
    pub order: u32,
    /// Prior of all closed edges together.
    pub all_priors: f32,
}

/// Nodes and edges of one tree; node 0 is the root.
#[derive(Clone, Debug)]
pub(crate) struct Arena<S> {
    pub nodes: Vec<Node>,
    pub edges: Vec<Edge<S>>,
    moved: Vec<u32>,
    margin_weight: f32,
}

impl<S: Copy> Arena<S> {
    pub fn new(margin_weight: f32) -> Arena<S> {
        Arena { nodes: Vec::new(), edges: Vec::new(), moved: Vec::new(), margin_weight }
    }

    pub fn clear(&mut self) {
        self.nodes.clear();
        self.edges.clear();
    }

    pub fn bytes(&self) -> usize {
        self.nodes.capacity() * size_of::<Node>()
            + self.edges.capacity() * size_of::<Edge<S>>()
            + self.moved.capacity() * size_of::<u32>()
    }

    #[inline]
    pub fn node(&self, node: u32) -> &Node {
        &self.nodes[node as usize]
    }

    /// Indices of a node's edges.
    #[inline]
    pub fn edge_range(&self, node: u32) -> std::ops::Range<usize> {
        let node = self.node(node);
        node.first_edge as usize..(node.first_edge + node.edges) as usize
    }

    #[inline]
    pub fn edges_of(&self, node: u32) -> &[Edge<S>] {
        &self.edges[self.edge_range(node)]
    }

    /// A node's visited edges.
    #[inline]
    pub fn opened(&self, node: u32) -> &[Edge<S>] {
        let node = self.node(node);
        &self.edges[node.first_edge as usize..(node.first_edge + node.opened) as usize]
    }

    /// Index in the arena of a node's first edge.
    #[inline]
    pub fn first_edge(&self, node: u32) -> usize {
        self.node(node).first_edge as usize
    }

    /// The node an edge leads to, if visited.
    #[inline]
    pub fn child(&self, edge: &Edge<S>) -> Option<&Node> {
        (edge.child != NO_NODE).then(|| self.node(edge.child))
    }

    /// Visits of an edge.
    #[inline]
    pub fn visits(&self, edge: &Edge<S>) -> u32 {
        self.child(edge).map_or(0, |child| child.visits)
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
        let margin = f64::from(self.margin_weight) * (margin / visits);
        let result = match node.proof.wdl() {
            None => (win - loss) / visits,
            Some(OfFirst(wdl)) => f64::from(wdl.value()),
        };
        OfFirst((result + margin) as f32)
    }

    /// The largest utility there is; the smallest is its negative.
    #[inline]
    pub fn utility_bound(&self) -> f32 {
        1.0 + self.margin_weight
    }

    /// Adds a judged node with its legal steps and their logits. Not yet visited, not yet linked.
    /// Numbers that are not finite break the caller's promise; they become a uniform prior and a
    /// draw, so that the tree stays whole.
    pub fn add_judged(&mut self, mover: Player, steps: &[S], logits: &[f32], own: Worth) -> u32 {
        let finite = own.margin.0.is_finite() && own.wdl.0.value().is_finite();
        debug_assert!(finite, "the evaluator answered with {own:?}");
        let own = if finite { own } else { Worth { wdl: OfFirst(Wdl::DRAW), margin: OfFirst(0.0) } };
        let first = self.edges.len();
        let largest = logits.iter().copied().fold(f32::NEG_INFINITY, f32::max);
        let mut total = 0.0f32;
        self.edges.extend(steps.iter().zip(logits).enumerate().map(|(order, (&step, &logit))| {
            let weight = (logit - largest).exp();
            total += weight;
            Edge { step, prior: weight, child: NO_NODE, order: order as u32 }
        }));
        debug_assert!(total.is_finite() && total > 0.0, "the evaluator answered with logits {logits:?}");
        let edges = &mut self.edges[first..];
        if total.is_finite() && total > 0.0 {
            edges.iter_mut().for_each(|edge| edge.prior = (edge.prior / total).max(SMALLEST_PRIOR));
        } else {
            let even = 1.0 / edges.len() as f32;
            edges.iter_mut().for_each(|edge| edge.prior = even);
        }
        self.nodes.push(Node::new(mover, own, first, steps.len()));
        self.nodes.len() as u32 - 1
    }

    /// Adds a node where the game has ended. Not yet visited, not yet linked.
    pub fn add_terminal(&mut self, mover: Player, own: Worth, proof: Proof) -> u32 {
        self.nodes.push(Node { terminal: true, proof, ..Node::new(mover, own, self.edges.len(), 0) });
        self.nodes.len() as u32 - 1
    }

    /// Links a closed edge to a new node. Returns the indices of the two edges that changed places:
    /// the opened edge now stands at the first.
    pub fn open(&mut self, parent: u32, edge: usize, child: u32) -> (usize, usize) {
        let node = &mut self.nodes[parent as usize];
        let place = (node.first_edge + node.opened) as usize;
        debug_assert!(edge >= place && self.edges[edge].child == NO_NODE);
        node.opened += 1;
        node.best_closed = UNKNOWN;
        self.edges[edge].child = child;
        self.edges.swap(place, edge);
        (place, edge)
    }

    /// The best of a node's closed edges; `None` when all are opened. Ties go to the earlier step.
    #[inline]
    pub fn closed(&mut self, node: u32) -> Option<Closed> {
        let Node { first_edge, edges, opened, best_closed, .. } = *self.node(node);
        if opened == edges {
            return None;
        }
        if best_closed == UNKNOWN {
            let closed = &self.edges[(first_edge + opened) as usize..(first_edge + edges) as usize];
            let mut best = 0;
            let mut all_priors = closed[0].prior;
            for (index, edge) in closed.iter().enumerate().skip(1) {
                all_priors += edge.prior;
                let held = &closed[best];
                if edge.prior > held.prior || (edge.prior == held.prior && edge.order < held.order) {
                    best = index;
                }
            }
            let node = &mut self.nodes[node as usize];
            node.best_closed = opened + best as u32;
            node.closed_prior = all_priors;
        }
        let node = self.node(node);
        let edge = (node.first_edge + node.best_closed) as usize;
        let Edge { prior, order, .. } = self.edges[edge];
        Some(Closed { edge, prior, order, all_priors: node.closed_prior })
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
        for &node in path.iter().rev().skip(1) {
            if !self.node(node).proof.is_open() {
                continue;
            }
            let proofs = self.opened(node).iter().map(|edge| self.node(edge.child).proof);
            let Node { mover, opened, edges, .. } = *self.node(node);
            let proof = Proof::of_node(mover, proofs, opened == edges);
            if proof.is_open() {
                break;
            }
            self.nodes[node as usize].proof = proof;
        }
    }

    /// Makes `root` the root and drops everything that is not below it, in place. Drops the whole
    /// tree when more than `most` nodes would stay.
    pub fn keep_subtree(&mut self, root: u32, most: u32) {
        const DROPPED: u32 = u32::MAX;
        const KEPT: u32 = u32::MAX - 1;
        self.moved.clear();
        self.moved.resize(self.nodes.len(), DROPPED);
        self.moved[root as usize] = KEPT;
        let (mut nodes, mut edges) = (0, 0);
        for index in root as usize..self.nodes.len() {
            if self.moved[index] == DROPPED {
                continue;
            }
            if nodes == most as usize {
                return self.clear();
            }
            let range = self.edge_range(index as u32);
            let mut node = self.nodes[index];
            for edge in &self.edges[range.start..range.start + node.opened as usize] {
                self.moved[edge.child as usize] = KEPT;
            }
            node.first_edge = edges as u32;
            self.edges.copy_within(range.clone(), edges);
            edges += range.len();
            self.moved[index] = nodes as u32;
            self.nodes[nodes] = node;
            nodes += 1;
        }
        self.nodes.truncate(nodes);
        self.edges.truncate(edges);
        for edge in self.edges.iter_mut().filter(|edge| edge.child != NO_NODE) {
            edge.child = self.moved[edge.child as usize];
        }
    }
}
