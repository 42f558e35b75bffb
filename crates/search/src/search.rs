//! The search of one live game.

use crate::arena::{Arena, NO_NODE, NO_STEP, ROOT, Worth};
use crate::config::{Effort, Exploration, Method, SearchConfig, SolvedNodes, TreeRepetition, TreeReuse};
use crate::gumbel::Visited;
use crate::leaves::WaitingLeaf;
use crate::noise;
use crate::proof::Proof;
use crate::report::{RootReport, RootValue, StepReport};
use crate::root::Root;
use game::{Game, OfFirst, OfMover, Play, Player, Wdl};
use rand_chacha::ChaCha8Rng;
use std::collections::VecDeque;

/// The tree of one live game, and the search that grows it.
///
/// The caller drives it: [`begin`](Search::begin) a game; for every step of it
/// [`plan`](Search::plan) a search, then answer every [`Gathered::Leaf`] of
/// [`gather`](Search::gather) by [`apply`](Search::apply) until it says
/// [`Gathered::Finished`]; then [`choose`](Search::choose) and [`advance`](Search::advance). At most
/// one leaf of a tree is outstanding; full batches come from many games. Who has one game alone takes several
/// leaves at a time by [`gather_batch`](Search::gather_batch).
///
/// The same calls with the same answers and the same random stream give the same tree, bit for bit.
#[derive(Debug)]
pub struct Search<G: Game> {
    pub(crate) config: SearchConfig,
    margin_unit: f32,
    pub(crate) arena: Arena<G::Step>,
    pub(crate) root: Root,
    live: Option<Live<G>>,
    pub(crate) phase: Phase,
    effort: Effort,
    /// The root has been searched, or an earlier step of the same turn.
    root_searched: bool,
    earlier_searched: bool,
    /// Nodes from the root to the parent of the leaf.
    pub(crate) path: Vec<u32>,
    /// Legal steps of the leaf.
    pub(crate) steps: Vec<G::Step>,
    /// Side to move at the leaf.
    pub(crate) leaf_mover: Player,
    visited: Vec<Visited>,
    /// Leaves of a batch that wait for their answers, in their order.
    pub(crate) waiting: VecDeque<WaitingLeaf<G::Step>>,
}

#[derive(Debug)]
struct Live<G: Game> {
    play: Play<G>,
    /// Where simulations walk: its line is that of `play`, then turns inside the tree.
    scratch: Play<G>,
    random: ChaCha8Rng,
}

/// What the search waits for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Phase {
    /// A plan.
    Idle,
    /// The judgement of the root.
    Root,
    /// Simulations.
    Simulations,
    /// The judgement of the position behind this step of the last node on the path.
    Leaf { order: u32 },
    /// Nothing: the search is done.
    Finished,
}

/// What [`Search::gather`] came to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Gathered {
    /// [`Search::leaf`] is to be judged and the answer given to [`Search::apply`].
    Leaf,
    /// The search is done, or none was planned.
    Finished,
}

impl<G: Game> Search<G> {
    /// An empty search. `config` must pass [`SearchConfig::check`].
    pub fn new(config: SearchConfig) -> Self {
        debug_assert!(config.check().is_ok(), "{config:?}");
        Search {
            arena: Arena::new(config.margin_weight),
            config,
            margin_unit: 0.0,
            root: Root::default(),
            live: None,
            phase: Phase::Idle,
            effort: Effort { simulations: 0, exploration: Exploration::None },
            root_searched: false,
            earlier_searched: false,
            path: Vec::new(),
            steps: Vec::new(),
            leaf_mover: Player::First,
            visited: Vec::new(),
            waiting: VecDeque::new(),
        }
    }

    /// Sets the points that count as one unit of the margin, `Encoding::margin_unit` of the game: a
    /// finished game has the margin tanh(points margin / unit). With 0, as at first, it has none.
    #[must_use]
    pub fn with_margin_unit(mut self, unit: f32) -> Self {
        self.margin_unit = unit;
        self
    }

    /// The configuration.
    pub fn config(&self) -> &SearchConfig {
        &self.config
    }

    /// Starts a new game: drops the tree and copies `play`. All chance comes from `random`, which
    /// should be this game's own stream.
    pub fn begin(&mut self, _game: &G, play: &Play<G>, random: ChaCha8Rng) {
        match &mut self.live {
            Some(live) => {
                live.play.copy_from(play);
                live.scratch.copy_from(play);
                live.random = random;
            }
            None => self.live = Some(Live { play: play.clone(), scratch: play.clone(), random }),
        }
        self.waiting.clear();
        self.arena.clear();
        self.root.clear();
        self.phase = Phase::Idle;
        (self.root_searched, self.earlier_searched) = (false, false);
    }

    /// Plans a search of the root. Leaves that were gathered and not answered are forgotten.
    pub fn plan(&mut self, game: &G, effort: Effort) {
        self.effort = effort;
        self.forget_waiting();
        self.root.clear();
        let Some(live) = &mut self.live else { return };
        if !self.arena.nodes.is_empty() {
            return self.prepare();
        }
        live.scratch.copy_from(&live.play);
        self.path.clear();
        if let Some((worth, proof)) = self.end(game, TreeRepetition::ByRules) {
            let node = self.arena.add_terminal(self.leaf_mover, worth, proof);
            self.arena.back_up(&[node], worth);
            self.prepare();
        } else {
            self.phase = Phase::Root;
        }
    }

    /// Walks on until a position needs judging or the search is done. Games that end inside the tree
    /// are backed up on the way, so that a call is bounded by the simulations that are left. While a
    /// leaf waits for its answer it is said again.
    pub fn gather(&mut self, game: &G) -> Gathered {
        loop {
            match self.phase {
                Phase::Idle | Phase::Finished => return Gathered::Finished,
                Phase::Root | Phase::Leaf { .. } => return Gathered::Leaf,
                Phase::Simulations => {
                    let proven = !self.arena.node(ROOT).proof.is_open();
                    if self.root.done == self.root.budget || proven || self.is_full() {
                        self.phase = Phase::Finished;
                    } else {
                        self.simulate(game);
                    }
                }
            }
        }
    }

    /// The position to judge and its legal steps, after [`Gathered::Leaf`]. It is never the end of a
    /// game.
    ///
    /// # Panics
    /// Without [`begin`](Search::begin).
    pub fn leaf(&self) -> (&G::Position, &[G::Step]) {
        (&self.live().scratch.position, &self.steps)
    }

    /// Takes the answer for the leaf: one logit a legal step in their order, and the judgement seen
    /// by the side to move there. Of a batch the leaf that has waited longest is answered. All numbers must be finite (evaluators promise it). Without a
    /// gathered leaf nothing happens.
    ///
    /// # Panics
    /// If there are not as many logits as legal steps.
    pub fn apply(&mut self, logits: &[f32], wdl: OfMover<Wdl>, margin: OfMover<f32>) {
        let order = match self.phase {
            Phase::Root => None,
            Phase::Leaf { order } => Some(order),
            Phase::Idle | Phase::Simulations | Phase::Finished => match self.next_waiting() {
                Some(order) => Some(order),
                None => return,
            },
        };
        assert_eq!(logits.len(), self.steps.len(), "one logit a legal step");
        let mover = self.leaf_mover;
        let worth = Worth { wdl: wdl.to_first(mover), margin: margin.to_first(mover) };
        let node = self.arena.add_judged(mover, &self.steps, logits, worth);
        let worth = self.arena.node(node).own;
        match order {
            None => {
                self.arena.back_up(&[node], worth);
                self.prepare();
            }
            Some(order) => {
                self.link(order, node);
                self.finish_simulation(worth);
                self.phase = Phase::Simulations;
            }
        }
    }

    /// What has been found so far; complete after [`Gathered::Finished`]. Before the root has been
    /// judged it has no steps and all values are 0.
    ///
    /// # Panics
    /// Without [`begin`](Search::begin).
    pub fn report(&self) -> RootReport<'_, G> {
        let position = &self.live().play.position;
        let Some(root) = self.arena.nodes.first() else {
            let (before, after) = (RootValue::default(), RootValue::default());
            return RootReport { position, steps: Vec::new(), before, after, simulations: 0 };
        };
        let value = |worth: Worth| RootValue {
            wdl: worth.wdl.to_mover(root.mover),
            margin: worth.margin.to_mover(root.mover),
            utility: self.arena.utility_of(&worth).to_mover(root.mover),
        };
        let mut steps: Vec<_> = self
            .arena
            .steps(ROOT)
            .iter()
            .zip(self.arena.priors(ROOT))
            .zip(self.root.policy(&self.config, &self.arena))
            .map(|((&step, prior), policy)| StepReport { step, prior, visits: 0, value: None, policy })
            .collect();
        for (_, child) in self.arena.children(ROOT) {
            let step = &mut steps[child.order as usize];
            step.visits = child.visits;
            step.value = Some(self.arena.utility(child).to_mover(root.mover));
        }
        let (before, after) = (value(root.own), value(root.mean()));
        RootReport { position, steps, before, after, simulations: self.root.done }
    }

    /// The step to play. At temperature 0 the search's own best: the winner of the halving, or the
    /// most visits, or for the raw policy the largest prior; ties go to the earlier step. Above 0 a
    /// step is drawn with weight policy^(1/temperature) (see [`StepReport::policy`]). With
    /// [`SolvedNodes::On`] a proven win is always taken, and a proven loss drawn only when all steps
    /// lose.
    ///
    /// # Panics
    /// If the root has not been judged or the game has ended.
    pub fn choose(&mut self, temperature: f32) -> G::Step {
        let best = self.root.best(&self.config, &self.arena);
        let root = self.arena.node(ROOT);
        let won = root.proof == Proof::Win(root.mover);
        let drawn = match &mut self.live {
            Some(live) if temperature > 0.0 && root.steps() > 1 && !won => {
                let mut weights = self.root.policy(&self.config, &self.arena);
                let lost = Proof::Win(root.mover.opponent());
                for (_, child) in self.arena.children(ROOT) {
                    if child.proof == lost && root.proof != lost {
                        weights[child.order as usize] = 0.0;
                    }
                }
                draw(&weights, temperature, &mut live.random)
            }
            _ => None,
        };
        self.arena.step(ROOT, drawn.unwrap_or(best))
    }

    /// Plays a legal step on the root and keeps its subtree as configured.
    pub fn advance(&mut self, game: &G, step: G::Step) {
        self.forget_waiting();
        let Some(live) = &mut self.live else { return };
        live.play.step(game, step);
        live.scratch.copy_from(&live.play);
        let turn_goes_on = game.mid_turn(&live.play.position);
        let keep = match self.config.reuse {
            TreeReuse::Off => false,
            TreeReuse::Turn => turn_goes_on,
            TreeReuse::Game => true,
        };
        let has_tree = keep && !self.arena.nodes.is_empty();
        let steps = if has_tree { self.arena.steps(ROOT) } else { &[] };
        let order = steps.iter().position(|&known| known == step);
        let child = order
            .and_then(|order| self.arena.children(ROOT).find(|(_, child)| child.order as usize == order));
        match child.map(|(index, _)| index) {
            // A repeated position counts as an end in the tree alone.
            Some(child) if self.arena.node(child).terminal && live.play.outcome(game).is_none() => {
                self.arena.clear();
            }
            Some(child) => self.arena.keep_subtree(child, self.config.most_kept_nodes),
            None => self.arena.clear(),
        }
        self.root.clear();
        self.phase = Phase::Idle;
        self.earlier_searched = turn_goes_on && (self.earlier_searched || self.root_searched);
        self.root_searched = false;
    }

    /// The game so far.
    ///
    /// # Panics
    /// Without [`begin`](Search::begin).
    pub fn play(&self) -> &Play<G> {
        &self.live().play
    }

    /// Nodes in the tree, one for every position visited.
    pub fn nodes(&self) -> usize {
        self.arena.nodes.len()
    }

    /// Whether the tree is as large as it may be ([`SearchConfig::most_tree_megabytes`]): the search ends then.
    pub fn is_full(&self) -> bool {
        self.arena.used_bytes() >= (self.config.most_tree_megabytes as usize) << 20
    }

    /// Bytes that the tree holds, unused capacity included.
    pub fn bytes(&self) -> usize {
        self.arena.bytes()
    }

    pub(crate) fn arena(&self) -> &Arena<G::Step> {
        &self.arena
    }

    #[expect(clippy::expect_used, reason = "documented as a condition of the callers")]
    fn live(&self) -> &Live<G> {
        self.live.as_ref().expect("begin comes first")
    }

    /// Makes a judged root ready for simulations.
    fn prepare(&mut self) {
        let Some(live) = &mut self.live else { return };
        self.root.prepare(&self.config, &self.arena, self.effort, self.earlier_searched, &mut live.random);
        self.root_searched = true;
        self.phase = Phase::Simulations;
    }

    /// One walk from the root: ends at a known result, which is backed up, or at a new position. False, with
    /// nothing done, where all steps of a node lead to leaves that wait for their answers.
    pub(crate) fn simulate(&mut self, game: &G) -> bool {
        let Some(live) = &mut self.live else { return false };
        live.scratch.position = live.play.position;
        live.scratch.line.truncate(live.play.line.len());
        self.path.clear();
        let mut node = ROOT;
        let order = loop {
            self.path.push(node);
            let choice = match self.config.method {
                _ if node == ROOT => self.root.select(&self.config, &mut self.arena),
                Method::Gumbel => self.config.gumbel.select(&mut self.arena, node, &mut self.visited),
                Method::Puct => self.config.puct.select(&mut self.arena, node),
            };
            let closed = choice.child == NO_NODE;
            if choice.order == NO_STEP || (closed && self.arena.is_reserved(node, choice.order)) {
                return false;
            }
            let step = self.arena.step(node, choice.order);
            if choice.child != NO_NODE {
                let known = self.arena.node(choice.child);
                if known.terminal || !known.proof.is_open() {
                    let worth = if known.terminal { known.own } else { known.mean() };
                    self.path.push(choice.child);
                    self.finish_simulation(worth);
                    return true;
                }
            }
            live.scratch.step(game, step);
            if choice.child == NO_NODE {
                break choice.order;
            }
            node = choice.child;
        };
        if let Some((worth, proof)) = self.end(game, self.config.repetition) {
            let node = self.arena.add_terminal(self.leaf_mover, worth, proof);
            self.link(order, node);
            self.finish_simulation(worth);
            self.arena.prove(&self.path);
        } else {
            self.phase = Phase::Leaf { order };
        }
        true
    }

    /// Result of the scratch position and its proof if the game has ended there, or counts as ended by
    /// `repetition`; otherwise lists the legal steps.
    fn end(&mut self, game: &G, repetition: TreeRepetition) -> Option<(Worth, Proof)> {
        let Some(Live { scratch, .. }) = &self.live else { return None };
        self.leaf_mover = game.mover(&scratch.position);
        let outcome = scratch.outcome(game);
        let repeats = outcome.is_none()
            && repetition == TreeRepetition::TwofoldDraw
            && !game.mid_turn(&scratch.position)
            && scratch.line.occurrences() >= 2;
        if outcome.is_none() && !repeats {
            game.legal_steps(&scratch.position, &mut self.steps);
            debug_assert!(!self.steps.is_empty(), "a game without legal steps has ended");
            if !self.steps.is_empty() {
                return None;
            }
        }
        let [first, second] = game.points(&scratch.position);
        let margin = match self.margin_unit {
            unit if unit > 0.0 => ((first - second) as f32 / unit).tanh(),
            _ => 0.0,
        };
        let wdl = outcome.map_or(OfFirst(Wdl::DRAW), |outcome| outcome.wdl());
        let proof = match self.config.solved_nodes {
            _ if repeats => Proof::Open,
            SolvedNodes::Off => Proof::Open,
            SolvedNodes::On => outcome.as_ref().map_or(Proof::Draw, Proof::of),
        };
        Some((Worth { wdl, margin: OfFirst(margin) }, proof))
    }

    /// Hangs a new node behind a step of the last node on the path and puts it on the path.
    fn link(&mut self, order: u32, node: u32) {
        let parent = self.path.last().copied().unwrap_or(ROOT);
        self.arena.open(parent, order, node);
        if parent == ROOT {
            self.root.opened(order, node);
        }
        self.path.push(node);
    }

    fn finish_simulation(&mut self, worth: Worth) {
        self.arena.back_up(&self.path, worth);
        self.root.done += 1;
    }
}

/// Draws a step with weight `weights[order]^(1/temperature)`; `None` when all weights are 0.
fn draw(weights: &[f32], temperature: f32, random: &mut ChaCha8Rng) -> Option<u32> {
    let largest = weights.iter().copied().fold(0.0f32, f32::max);
    let exponent = 1.0 / f64::from(temperature);
    let scaled = |weight: f32| f64::from(weight / largest).powf(exponent);
    let total: f64 = weights.iter().map(|&weight| scaled(weight)).sum();
    if !total.is_finite() || total <= 0.0 {
        return None;
    }
    let mut left = noise::uniform(random) * total;
    for (order, &weight) in (0..).zip(weights) {
        left -= scaled(weight);
        if left < 0.0 {
            return Some(order);
        }
    }
    weights.iter().rposition(|&weight| weight > 0.0).map(|order| order as u32)
}
