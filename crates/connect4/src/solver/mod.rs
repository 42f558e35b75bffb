//! An exact solver: who wins with perfect play, and how soon.
//!
//! Connect Four was solved by J. D. Allen and by V. Allis ("A Knowledge-Based Approach of
//! Connect-Four", 1988): the first player wins from the empty board by beginning in the middle. This
//! solver needs no knowledge of the game. It is a negamax with alpha-beta pruning over bitboards, a
//! table of bounds, steps tried in the order of the threats that they make, and exact scores found by
//! halving an interval with null windows; the ideas are collected in P. Pons, "Solving Connect 4: how
//! to build a perfect AI" (2015).
//!
//! `search.rs` is the search, `table.rs` its memory, `threats.rs` the bit arithmetic.

mod search;
mod table;
mod threats;

use crate::board::{COLUMNS, Position, SQUARES, Step, files};
use game::Player;
use search::Search;
pub(crate) use threats::{completing, playable};

/// Stones of one player on a full board.
const STONES_EACH: i32 = SQUARES as i32 / 2;

/// What a position is worth to the side to move with perfect play of both sides.
///
/// A win is worth 22 less the number of stones that the winner then has, a loss the same negative, a
/// draw 0: the larger, the sooner a win or the later a loss. So the empty board is worth 1 (won with
/// the first player's 21st stone), and no score is beyond ±18.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Score(i8);

/// Who wins with perfect play, seen by the side to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Value {
    /// The other side wins.
    Loss,
    /// Nobody wins.
    Draw,
    /// The side to move wins.
    Win,
}

impl Value {
    /// The same value seen by the other side.
    #[must_use]
    pub const fn flip(self) -> Value {
        match self {
            Value::Loss => Value::Win,
            Value::Draw => Value::Draw,
            Value::Win => Value::Loss,
        }
    }

    /// `win`, `draw` or `loss`.
    pub const fn word(self) -> &'static str {
        match self {
            Value::Loss => "loss",
            Value::Draw => "draw",
            Value::Win => "win",
        }
    }
}

impl Score {
    /// A score as a number; `None` beyond ±18.
    pub fn new(number: i32) -> Option<Score> {
        i8::try_from(number).ok().filter(|number| (-18..=18).contains(number)).map(Score)
    }

    /// The number.
    pub const fn number(self) -> i32 {
        self.0 as i32
    }

    /// The same score seen by the other side.
    #[must_use]
    pub const fn flip(self) -> Score {
        Score(-self.0)
    }

    /// Who wins.
    pub const fn value(self) -> Value {
        match self.0 {
            ..0 => Value::Loss,
            0 => Value::Draw,
            1.. => Value::Win,
        }
    }

    /// Turns until the end of a game that both sides play perfectly from `position`, whose score this
    /// is: the winner as fast as possible, the loser as slowly.
    pub const fn turns_left(self, position: &Position) -> u32 {
        let stones = position.count();
        if self.0 == 0 {
            return SQUARES as u32 - stones;
        }
        let winners_stones = (STONES_EACH + 1 - self.number().abs()) as u32;
        let winner = if self.0 > 0 { position.mover() } else { position.mover().opponent() };
        let last = match winner {
            Player::First => 2 * winners_stones - 1,
            Player::Second => 2 * winners_stones,
        };
        last.saturating_sub(stones)
    }

    /// From the search's number, which is never beyond ±18: a line of four has four stones.
    const fn found(number: i32) -> Score {
        Score(number as i8)
    }
}

/// Solves positions. What it finds out about one helps with the next: keep it.
#[derive(Debug)]
pub struct Solver {
    search: Search,
}

impl Default for Solver {
    fn default() -> Solver {
        Solver::new()
    }
}

impl Solver {
    /// A solver with a table of 64 MiB.
    pub fn new() -> Solver {
        Solver::with_slots(1 << 23)
    }

    /// A solver with a table of at least this many slots of 8 bytes.
    pub fn with_slots(slots: usize) -> Solver {
        Solver { search: Search::new(slots) }
    }

    /// The exact score of a position, also of one where the game has ended.
    pub fn score(&mut self, position: &Position) -> Score {
        let stones = position.count() as i32;
        if position.is_won() {
            return Score::found((stones + 1) / 2 - (STONES_EACH + 1));
        }
        if completing(position.own(), position.stones()) & playable(position.stones()) != 0 {
            return Score::found(STONES_EACH - stones / 2);
        }
        let mut least = -(STONES_EACH - (stones + 1) / 2);
        // On a full board the interval would be empty.
        let mut most = (STONES_EACH - 1 - stones / 2).max(least);
        while least < most {
            // Numbers near 0 first: most scores are there, and a small number is refuted sooner.
            let mut middle = least + (most - least) / 2;
            if middle <= 0 && least / 2 < middle {
                middle = least / 2;
            } else if middle >= 0 && most / 2 > middle {
                middle = most / 2;
            }
            let found = self.search.run(position.own(), position.stones(), middle, middle + 1);
            if found <= middle {
                most = found;
            } else {
                least = found;
            }
        }
        Score::found(least)
    }

    /// Who wins; much faster than the exact score.
    pub fn value(&mut self, position: &Position) -> Value {
        if position.is_won() {
            return Value::Loss;
        }
        if completing(position.own(), position.stones()) & playable(position.stones()) != 0 {
            return Value::Win;
        }
        // Two null windows ask less than one wide window.
        if self.search.run(position.own(), position.stones(), 0, 1) > 0 {
            Value::Win
        } else if self.search.run(position.own(), position.stones(), -1, 0) < 0 {
            Value::Loss
        } else {
            Value::Draw
        }
    }

    /// The exact score of each file's step for the side that plays it; `None` where no stone can be
    /// dropped.
    pub fn step_scores(&mut self, position: &Position) -> [Option<Score>; COLUMNS] {
        self.each_step(position, |solver, after| solver.score(after).flip())
    }

    /// Who wins after each file's step, seen by the side that plays it; `None` where no stone can be
    /// dropped.
    pub fn step_values(&mut self, position: &Position) -> [Option<Value>; COLUMNS] {
        self.each_step(position, |solver, after| solver.value(after).flip())
    }

    fn each_step<T>(
        &mut self,
        position: &Position,
        mut judge: impl FnMut(&mut Solver, &Position) -> T,
    ) -> [Option<T>; COLUMNS] {
        let mut found = [const { None }; COLUMNS];
        for step in files(position.open_files()) {
            let mut after = *position;
            after.drop(step);
            found[Step::file(step)] = Some(judge(self, &after));
        }
        found
    }

    /// Positions looked at so far.
    pub const fn nodes(&self) -> u64 {
        self.search.nodes
    }
}
