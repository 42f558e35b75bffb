//! Alpha-beta on points.

use super::table::{Bound, Table};
use super::trial::{Trial, margin};
use super::{BuiltIn, Opponent};
use game::{BoardGame, Play, Player};
use rand::seq::SliceRandom;
use rand_chacha::ChaCha8Rng;

/// Value of a game that is won now; a win after `n` turns is worth `WIN − n`. Far above any sum of
/// points.
pub const WIN: i32 = 1_000_000;

/// From here on a value is a win, whatever its distance.
const WON: i32 = WIN - 100_000;

/// Most turns of nothing but captures that are looked at below the last full turn.
pub const QUIESCENCE_TURNS: u32 = 4;

/// Looks `depth` single turns ahead, all steps of a turn counting as one, and then goes on with
/// captures only until the position is quiet or [`QUIESCENCE_TURNS`] are over.
///
/// Positions are worth the points captured minus the points lost since the start of the game; a won
/// game more than any points, the sooner the more; a draw, or a game cut off, 0. In the quiet part
/// the side to move may always stop and take the points as they stand, also in the middle of a turn.
///
/// Negamax with alpha-beta pruning (Knuth and Moore 1975, section 3), iterative deepening by whole
/// turns, captures first, and a transposition table keyed by [`game::Encoding::evaluation_key`];
/// the value changes its sign where the mover changes, not at every step. Ties are broken in favour
/// of the step that looked best one turn less deep, then by the random stream.
pub struct AlphaBeta<G: BoardGame> {
    depth: u32,
    trial: Trial<G>,
    table: Table,
    root: Vec<Candidate<G::Step>>,
    /// Value of the last search.
    value: i32,
    levels: Vec<Level<G::Step>>,
    nodes: u64,
}

/// What a search found.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Found<S> {
    /// The best step.
    pub step: S,
    /// Value of the position for the side to move, in points or near ±[`WIN`].
    pub value: i32,
    /// Positions looked at.
    pub nodes: u64,
}

#[derive(Clone, Copy)]
struct Candidate<S> {
    step: S,
    /// Index in the order of the legal steps.
    index: usize,
    /// What is tried first: larger is sooner.
    promise: i32,
}

/// Buffers of one level of the recursion.
struct Level<S> {
    steps: Vec<S>,
    candidates: Vec<Candidate<S>>,
}

/// How far a node is from the root and from the horizon, in turns.
#[derive(Clone, Copy)]
struct Reach {
    /// Turns since the root.
    distance: u32,
    /// Full turns still to look at.
    depth: u32,
    /// Turns of captures to look at after them.
    captures: u32,
}

impl Reach {
    fn after(self, turn_goes_on: bool) -> Reach {
        if turn_goes_on {
            return self;
        }
        let Reach { distance, depth, captures } = self;
        match depth {
            0 => Reach { distance: distance + 1, depth, captures: captures.saturating_sub(1) },
            _ => Reach { distance: distance + 1, depth: depth - 1, captures },
        }
    }
}

impl<G: BoardGame> AlphaBeta<G> {
    /// An opponent that looks `depth` turns ahead, at least one.
    pub fn new(game: &G, depth: u32) -> AlphaBeta<G> {
        AlphaBeta {
            depth: depth.max(1),
            trial: Trial::new(game),
            table: Table::new(),
            root: Vec::new(),
            value: 0,
            levels: Vec::new(),
            nodes: 0,
        }
    }

    /// Searches a position; `None` where there is no legal step.
    pub fn search(&mut self, game: &G, play: &Play<G>, random: &mut ChaCha8Rng) -> Option<Found<G::Step>> {
        self.table.clear();
        self.nodes = 0;
        self.trial.begin(play);
        let mut root = std::mem::take(&mut self.root);
        self.fill(game, 0, Selection::All, None);
        root.clear();
        root.append(&mut self.levels[0].candidates);
        root.shuffle(random);
        root.sort_by_key(|candidate| std::cmp::Reverse(candidate.promise));
        let mut value = 0;
        for depth in 1..=self.depth {
            if root.len() < 2 && depth < self.depth {
                continue;
            }
            value = self.deepen(game, depth, &mut root);
            if value.abs() >= WON {
                break;
            }
        }
        let step = root.first().map(|candidate| candidate.step);
        (self.root, self.value) = (root, value);
        step.map(|step| Found { step, value, nodes: self.nodes })
    }

    /// One iteration: brings the best step to the front, the others behind it by what is known of
    /// them, and returns the value.
    fn deepen(&mut self, game: &G, depth: u32, root: &mut [Candidate<G::Step>]) -> i32 {
        let mover = game.mover(self.trial.position());
        let bookmark = self.trial.bookmark();
        let reach = Reach { distance: 0, depth, captures: QUIESCENCE_TURNS };
        let mut alpha = -WIN - 1;
        let mut best = 0;
        for (index, candidate) in root.iter_mut().enumerate() {
            self.trial.step(game, candidate.step);
            let value = self.child(game, mover, reach, 1, alpha, WIN + 1);
            self.trial.back_to(&bookmark);
            candidate.promise = value;
            if value > alpha {
                alpha = value;
                best = index;
            }
        }
        // A value that did not beat the best one is only an upper bound: it must not overtake it.
        if let Some(candidate) = root.get_mut(best) {
            candidate.promise = i32::MAX;
        }
        root.sort_by_key(|candidate| std::cmp::Reverse(candidate.promise));
        alpha
    }

    /// Value for `parent`'s mover of the position that a step of his led to.
    fn child(&mut self, game: &G, parent: Player, reach: Reach, level: usize, alpha: i32, beta: i32) -> i32 {
        let position = self.trial.position();
        let reach = reach.after(game.mid_turn(position));
        if game.mover(position) == parent {
            self.node(game, reach, level, alpha, beta)
        } else {
            -self.node(game, reach, level, -beta, -alpha)
        }
    }

    /// Value for the side to move, exact between `alpha` and `beta`, else a bound on that side.
    fn node(&mut self, game: &G, reach: Reach, level: usize, mut alpha: i32, mut beta: i32) -> i32 {
        self.nodes += 1;
        let position = *self.trial.position();
        let mover = game.mover(&position);
        if let Some(outcome) = self.trial.outcome(game) {
            let distance = i32::try_from(reach.distance).unwrap_or(i32::MAX).min(WIN - WON);
            return match outcome.winner() {
                Some(winner) if winner == mover => WIN - distance,
                Some(_) => distance - WIN,
                None => 0,
            };
        }
        let mut best = -WIN - 1;
        let mut first = None;
        let mut key = None;
        if reach.depth == 0 {
            best = margin(game, &position, mover);
            if best >= beta || reach.captures == 0 {
                return best;
            }
            alpha = alpha.max(best);
            self.fill(game, level, Selection::Captures, None);
        } else {
            let hash = game.evaluation_key(&position);
            key = Some(hash);
            if let Some(entry) = self.table.find(hash) {
                if u32::from(entry.depth) == reach.depth {
                    let value = from_table(entry.value, reach.distance);
                    match entry.bound {
                        Bound::Exact => return value,
                        Bound::Lower => alpha = alpha.max(value),
                        Bound::Upper => beta = beta.min(value),
                    }
                    if alpha >= beta {
                        return value;
                    }
                }
                first = Some(usize::from(entry.best));
            }
            self.fill(game, level, Selection::All, first);
        }
        let candidates = std::mem::take(&mut self.levels[level].candidates);
        let bookmark = self.trial.bookmark();
        let floor = alpha;
        let mut best_index = 0;
        for candidate in &candidates {
            self.trial.step(game, candidate.step);
            let value = self.child(game, mover, reach, level + 1, alpha, beta);
            self.trial.back_to(&bookmark);
            if value > best {
                best = value;
                best_index = candidate.index;
                alpha = alpha.max(value);
                if alpha >= beta {
                    break;
                }
            }
        }
        self.levels[level].candidates = candidates;
        if let Some(key) = key {
            let bound = match best {
                _ if best >= beta => Bound::Lower,
                _ if best <= floor => Bound::Upper,
                _ => Bound::Exact,
            };
            self.table.store(key, to_table(best, reach.distance), best_index, reach.depth, bound);
        }
        best
    }

    /// Fills the candidates of a level from the present position: the step numbered `first`, then
    /// captures by their gain, then the rest in their order.
    fn fill(&mut self, game: &G, level: usize, selection: Selection, first: Option<usize>) {
        if self.levels.len() == level {
            self.levels.push(Level { steps: Vec::new(), candidates: Vec::new() });
        }
        let position = *self.trial.position();
        let mover = game.mover(&position);
        let before = margin(game, &position, mover);
        let Level { steps, candidates } = &mut self.levels[level];
        game.legal_steps(&position, steps);
        candidates.clear();
        for (index, &step) in steps.iter().enumerate() {
            let capture = game.is_capture(&position, step);
            if selection == Selection::Captures && !capture {
                continue;
            }
            let promise = if first == Some(index) {
                i32::MAX
            } else if capture {
                let mut after = position;
                game.play(&mut after, step);
                1 + margin(game, &after, mover) - before
            } else {
                0
            };
            candidates.push(Candidate { step, index, promise });
        }
        candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.promise));
    }
}

/// Which steps of a position are looked at.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Selection {
    All,
    Captures,
}

/// The table keeps distances of wins from the position itself, searches from the root.
fn to_table(value: i32, distance: u32) -> i32 {
    shift(value, i32::try_from(distance).unwrap_or(i32::MAX))
}

fn from_table(value: i32, distance: u32) -> i32 {
    shift(value, -i32::try_from(distance).unwrap_or(i32::MAX))
}

fn shift(value: i32, turns: i32) -> i32 {
    match value {
        _ if value >= WON => value + turns,
        _ if value <= -WON => value - turns,
        _ => value,
    }
}

impl<G: BoardGame> Opponent<G> for AlphaBeta<G> {
    fn choose(&mut self, game: &G, play: &Play<G>, random: &mut ChaCha8Rng) -> Option<G::Step> {
        self.search(game, play, random).map(|found| found.step)
    }

    /// Those whose bound is the value of the best one: a step that some reply was found to make worse is not among
    /// them, but one may be whose worst reply nobody looked for after another had cut the search off.
    fn equal_steps(&self, _chosen: G::Step, equal: &mut Vec<G::Step>) {
        equal.clear();
        // The best one stands in front.
        let (best, others) = (self.root.iter().take(1), self.root.iter().skip(1));
        let equals = others.filter(|candidate| candidate.promise == self.value);
        equal.extend(best.chain(equals).map(|candidate| candidate.step));
    }
}

impl<G: BoardGame> std::fmt::Debug for AlphaBeta<G> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(formatter, "{:?}", BuiltIn::AlphaBeta { depth: self.depth })
    }
}
