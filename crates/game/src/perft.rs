//! Counting everything that can be played to a depth: the classical test of a rules engine.
//!
//! Depth counts complete turns. A position in which the game has ended has no continuation;
//! repetition is not applied, since it belongs to games and not to positions, nor need a game's own
//! [fast count](Game::perft_steps) apply what ends games by counters and judges.

use crate::{BoardGame, Game, turns::Turns};
use serde::{Deserialize, Serialize};
use std::collections::HashSet;

/// What perft counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Count {
    /// At depth d: sequences of d − 1 complete turns and one legal first step.
    Steps,
    /// At depth d: sequences of d ordered complete turns.
    Turns,
    /// Distinct positions ([`Game::repetition_key`]) after one complete turn; depth 1 only.
    Boards,
}

impl Count {
    /// The word on the command line and in JSON.
    pub const fn word(self) -> &'static str {
        match self {
            Count::Steps => "steps",
            Count::Turns => "turns",
            Count::Boards => "boards",
        }
    }
}

/// A depth that a count does not have.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[error("depth {depth}: distinct boards are counted at depth 1 only")]
pub struct DepthError {
    /// The depth asked for.
    pub depth: u32,
}

/// One line of a divided perft.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Branch {
    /// The first turn (at depth 1 of [`Count::Steps`]: the first step).
    pub turn: String,
    /// What is counted below it.
    pub nodes: u64,
}

/// Number of `count` at exactly this depth below `position`; 1 at depth 0.
pub fn perft<G: Game>(game: &G, position: &G::Position, depth: u32, count: Count) -> Result<u64, DepthError> {
    check(depth, count)?;
    Ok(match count {
        Count::Boards if depth == 1 => boards(game, position).len() as u64,
        Count::Steps | Count::Turns | Count::Boards => {
            Counter::new(game, position, depth, count).count(position)
        }
    })
}

/// Perft split by first turn, in the order of the game. Branches that lead to nothing are listed
/// with 0; under [`Count::Boards`] a turn counts 1 when it is the first to reach its position. The
/// branches sum to [`perft`] of the same depth, which must not be 0.
pub fn divide<G: BoardGame>(
    game: &G,
    position: &G::Position,
    depth: u32,
    count: Count,
) -> Result<Vec<Branch>, DepthError> {
    check(depth, count)?;
    let mut branches = Vec::new();
    if depth == 0 {
        return Ok(branches);
    }
    if depth == 1 && count == Count::Steps {
        let mut steps = Vec::new();
        game.legal_steps(position, &mut steps);
        branches.extend(steps.iter().map(|&step| Branch { turn: game.step_text(position, step), nodes: 1 }));
        return Ok(branches);
    }
    let mut seen = HashSet::new();
    let mut counter = Counter::new(game, position, depth - 1, count);
    let (before, done) = game.turn_so_far(position);
    let mut turns = Turns::new(game, position);
    while turns.advance(game) {
        let nodes = match count {
            Count::Boards => u64::from(seen.insert(game.repetition_key(turns.position()))),
            Count::Steps | Count::Turns => counter.count(turns.position()),
        };
        let steps = [done.as_slice(), turns.steps()].concat();
        branches.push(Branch { turn: game.turn_text(&before, &steps), nodes });
    }
    Ok(branches)
}

fn check(depth: u32, count: Count) -> Result<(), DepthError> {
    if count == Count::Boards && depth > 1 { Err(DepthError { depth }) } else { Ok(()) }
}

fn boards<G: Game>(game: &G, position: &G::Position) -> HashSet<u64> {
    let mut keys = HashSet::new();
    let mut turns = Turns::new(game, position);
    while turns.advance(game) {
        keys.insert(game.repetition_key(turns.position()));
    }
    keys
}

/// Counts with one walk for every turn but the last, so that nothing is allocated on the way.
struct Counter<'g, G: Game> {
    game: &'g G,
    count: Count,
    depth: u32,
    walks: Vec<Turns<G>>,
    steps: Vec<G::Step>,
}

impl<'g, G: Game> Counter<'g, G> {
    fn new(game: &'g G, position: &G::Position, depth: u32, count: Count) -> Counter<'g, G> {
        let walks = match count {
            Count::Steps => depth.saturating_sub(1),
            Count::Turns | Count::Boards => depth,
        };
        let walks = (0..walks).map(|_| Turns::new(game, position)).collect();
        let steps = Vec::new();
        Counter { game, count: if depth == 0 { Count::Turns } else { count }, depth, walks, steps }
    }

    fn count(&mut self, position: &G::Position) -> u64 {
        if self.count == Count::Steps
            && let Some(nodes) = self.game.perft_steps(position, self.depth)
        {
            return nodes;
        }
        below(self.game, self.count, &mut self.walks, &mut self.steps, position)
    }
}

/// What is counted below a position: all turns through the first walk, then the walks after it.
fn below<G: Game>(
    game: &G,
    count: Count,
    walks: &mut [Turns<G>],
    steps: &mut Vec<G::Step>,
    position: &G::Position,
) -> u64 {
    let Some((walk, deeper)) = walks.split_first_mut() else {
        return match count {
            Count::Steps => game.count_steps(position, steps) as u64,
            Count::Turns | Count::Boards => 1,
        };
    };
    if deeper.is_empty()
        && count == Count::Turns
        && let Some(turns) = game.count_turns(position)
    {
        return turns;
    }
    walk.start(game, position);
    let mut nodes = 0;
    while walk.advance(game) {
        nodes += below(game, count, deeper, steps, walk.position());
    }
    nodes
}
