//! A position: the board, the turn under way, and the counters of the game.

use crate::board::Board;
use crate::point::{POINTS, Point};
use crate::stack::Stack;
use crate::step::Step;
use crate::turn::Turn;
use game::{Outcome, Player};

/// A legal position of Commander Chess, also in the middle of a turn. Knows neither rules nor
/// history; repetition is judged on a line beside it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Position {
    pub(crate) board: Board,
    pub(crate) turn: Turn,
    pub(crate) before: Before,
    pub(crate) mover: Player,
    /// Points captured so far by Red and by Blue.
    pub(crate) points: [u32; 2],
    /// Single turns since the last capture.
    pub(crate) quiet_turns: u16,
    /// Full-move number, rises after Blue.
    pub(crate) number: u32,
    /// Single turns since the game's start position.
    pub(crate) played: u16,
    /// The end of the game by the rules that look at one turn only (section 8, rules 1 to 3).
    pub(crate) ended: Option<Outcome>,
}

impl Position {
    /// A position without pieces at the beginning of a game.
    pub(crate) const fn empty(mover: Player) -> Position {
        Position {
            board: Board::EMPTY,
            turn: Turn::NONE,
            before: Before::NOTHING,
            mover,
            points: [0; 2],
            quiet_turns: 0,
            number: 1,
            played: 0,
            ended: None,
        }
    }

    /// The board.
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The turn under way; [`Turn::NONE`] between turns.
    pub const fn turn(&self) -> &Turn {
        &self.turn
    }

    /// The side to move, the same through all steps of a turn.
    pub const fn mover(&self) -> Player {
        self.mover
    }

    /// Single turns of either side since the last capture, as the turn under way began.
    pub const fn quiet_turns(&self) -> u16 {
        self.quiet_turns
    }

    /// The full-move number.
    pub const fn number(&self) -> u32 {
        self.number
    }

    /// Single turns played since the game's start position.
    pub const fn played(&self) -> u16 {
        self.played
    }

    /// Points captured so far by Red and by Blue.
    pub const fn points(&self) -> [u32; 2] {
        self.points
    }

    /// The same situation with colours exchanged and the board mirrored top to bottom.
    pub fn flipped(&self) -> Position {
        let mut position = *self;
        position.board = self.board.flipped();
        position.turn = self.turn.flipped();
        position.before = self.before.flipped();
        position.mover = self.mover.opponent();
        position.points.swap(0, 1);
        position.ended = self.ended.map(|outcome| Outcome {
            verdict: match outcome.verdict {
                game::Verdict::Win(player) => game::Verdict::Win(player.opponent()),
                other => other,
            },
            reason: outcome.reason,
        });
        position
    }
}

/// Points that a turn can change before its last step: the origin, three targets, and the 40
/// points from which pieces can attack the enemy commander and be promoted.
const MOST_CHANGES: usize = 44;
/// Steps of an unfinished turn: three members and a navy's second action are four, and the last
/// one ends the turn.
const MOST_STEPS: usize = 3;

/// What the board was before the turn under way, as differences, and the steps since: what a FEN in
/// the middle of a turn shows.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Before {
    changes: u8,
    steps_made: u8,
    points: [Point; MOST_CHANGES],
    stacks: [Stack; MOST_CHANGES],
    steps: [Step; MOST_STEPS],
    pub(crate) captured_points: [u32; 2],
}

impl Before {
    pub(crate) const NOTHING: Before = Before {
        changes: 0,
        steps_made: 0,
        points: [Point::NONE; MOST_CHANGES],
        stacks: [Stack::EMPTY; MOST_CHANGES],
        steps: [Step::end_turn(Point::NONE); MOST_STEPS],
        captured_points: [0; 2],
    };

    /// Whether no step was noted: the state between turns.
    pub(crate) const fn is_nothing(&self) -> bool {
        self.steps_made == 0
    }

    /// The board before the turn, given the present one.
    pub(crate) fn board(&self, now: &Board) -> Board {
        let mut board = *now;
        for index in 0..self.changes as usize {
            board.set::<true>(self.points[index], self.stacks[index]);
        }
        board
    }

    /// Notes a step that did not end the turn: `old` is the board before the turn.
    pub(crate) fn note(&mut self, old: &Board, now: &Board, step: Step) {
        self.changes = 0;
        for index in 0..POINTS {
            let point = Point::from_index(index);
            if old.at(point) != now.at(point) {
                debug_assert!((self.changes as usize) < MOST_CHANGES);
                self.points[self.changes as usize] = point;
                self.stacks[self.changes as usize] = old.at(point);
                self.changes += 1;
            }
        }
        self.steps[self.steps_made as usize] = step;
        self.steps_made += 1;
    }

    /// The steps of the turn so far.
    pub(crate) fn steps(&self) -> &[Step] {
        &self.steps[..self.steps_made as usize]
    }

    fn flipped(&self) -> Before {
        let mut before = *self;
        let changes = self.changes as usize;
        let mut pairs: Vec<(Point, Stack)> =
            (0..changes).map(|index| (self.points[index].mirrored(), self.stacks[index].flipped())).collect();
        pairs.sort_unstable_by_key(|&(point, _)| point);
        for (index, (point, stack)) in pairs.into_iter().enumerate() {
            before.points[index] = point;
            before.stacks[index] = stack;
        }
        for step in &mut before.steps[..self.steps_made as usize] {
            *step = Step { origin: step.origin.mirrored(), target: step.target.mirrored(), ..*step };
        }
        before.captured_points.swap(0, 1);
        before
    }
}

impl std::fmt::Debug for Before {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Before").field("steps", &self.steps()).finish_non_exhaustive()
    }
}
