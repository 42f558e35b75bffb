//! What a turn under way has changed, and by which steps: what a FEN in the middle of a turn shows.

use crate::board::Board;
use crate::contents::{self, STACKS};
use crate::point::Point;
use crate::stack::Stack;
use crate::step::{Step, StepKind};
use crate::tables::{Geometry, NEAR, NO_RELATION};
use crate::turn::Turn;
use game::Player;

/// Steps of an unfinished turn: three members and a navy's second action are four, and the last
/// one ends the turn.
const MOST_STEPS: usize = 3;

/// Points from which pieces can attack the enemy commander, and so be promoted: eight rays.
const PLACES: usize = 8 * NEAR as usize;

/// A step made, from the turn's origin.
#[derive(Clone, Copy, PartialEq)]
struct Made {
    target: Point,
    /// Its kind above three bits of members.
    action: u8,
    /// Number of the stack that stood on the target before the step; its side follows from the kind.
    stood: u8,
}

const NOT_MADE: Made = Made { target: Point::NONE, action: 0, stood: contents::EMPTY };

impl Made {
    fn kind(self) -> StepKind {
        StepKind::ALL[self.action as usize >> 3]
    }

    fn stood(self, mover: Player) -> Stack {
        let stack = STACKS[self.stood as usize];
        match (stack.is_empty(), self.kind()) {
            (true, _) => stack,
            (false, StepKind::Join) => stack.of_side(mover),
            (false, _) => stack.of_side(mover.opponent()),
        }
    }
}

/// The steps of the turn under way, with what is needed to take them back.
#[derive(Clone, Copy, PartialEq)]
pub(crate) struct Before {
    made: u8,
    steps: [Made; MOST_STEPS],
    /// Slots of stacks that were promoted in the turn and have neither moved nor been joined since: three
    /// bits for every place, by direction and distance from the enemy commander.
    promoted: [u8; PLACES * 3 / 8],
}

impl Before {
    pub(crate) const NOTHING: Before =
        Before { made: 0, steps: [NOT_MADE; MOST_STEPS], promoted: [0; PLACES * 3 / 8] };

    /// Whether no step was noted: the state between turns.
    pub(crate) const fn is_nothing(&self) -> bool {
        self.made == 0
    }

    /// Notes a step that did not end the turn; `old` is the board before the step.
    pub(crate) fn note(&mut self, old: &Board, now: &Board, turn: &Turn, mover: Player, step: Step) {
        let stood = contents::number(old.at(step.target));
        let action = (step.kind as u8) << 3 | step.members;
        self.steps[self.made as usize] = Made { target: step.target, action, stood };
        self.made += 1;
        let Some(commander) = now.commander(mover.opponent()) else { return };
        let near = Geometry::get().near[commander.index()] & now.occupied(mover) & old.occupied(mover);
        for point in near {
            let (was, is) = (old.at(point), now.at(point));
            let moved = point == turn.origin || self.made().iter().any(|made| made.target == point);
            if was == is || moved {
                continue;
            }
            for (slot, (was, is)) in was.pieces().zip(is.pieces()).enumerate() {
                if was != is {
                    let bit = 3 * place(commander, point) + slot;
                    self.promoted[bit / 8] |= 1 << (bit % 8);
                }
            }
        }
    }

    fn made(&self) -> &[Made] {
        &self.steps[..self.made as usize]
    }

    /// The board before the turn, given the present one.
    pub(crate) fn board(&self, now: &Board, turn: &Turn, mover: Player) -> Board {
        let mut board = *now;
        board.set::<true>(turn.origin, turn.original);
        for made in self.made().iter().rev() {
            board.set::<true>(made.target, made.stood(mover));
        }
        if let Some(commander) = now.commander(mover.opponent()) {
            for point in Geometry::get().near[commander.index()] & board.occupied(mover) {
                let first = 3 * place(commander, point);
                let slots = (0..3).filter(|slot| {
                    let bit = first + slot;
                    self.promoted[bit / 8] >> (bit % 8) & 1 != 0
                });
                let mask = slots.fold(0, |mask, slot| mask | 1 << slot);
                board.set::<true>(point, board.at(point).demoted(mask));
            }
        }
        board
    }

    /// The points captured by Red and by Blue before the turn, given the present ones.
    pub(crate) fn points(&self, mut now: [u32; 2], turn: &Turn, mover: Player) -> [u32; 2] {
        for made in self.made().iter().filter(|made| made.kind().is_capture()) {
            if made.kind() != StepKind::Breach {
                now[mover.index()] -= u32::from(made.stood(mover).points());
            }
        }
        now[mover.opponent().index()] -= u32::from(turn.lost_points);
        now
    }

    /// The steps of the turn so far, whose origin is given.
    pub(crate) fn steps(&self, origin: Point) -> impl ExactSizeIterator<Item = Step> {
        self.made().iter().map(move |made| Step {
            origin,
            target: made.target,
            kind: made.kind(),
            members: made.action & 7,
        })
    }

    /// The same with colours exchanged and the board mirrored top to bottom.
    pub(crate) fn flipped(&self) -> Before {
        let mut before = *self;
        for made in &mut before.steps[..self.made as usize] {
            made.target = made.target.mirrored();
        }
        before.promoted = [0; PLACES * 3 / 8];
        for bit in (0..PLACES * 3).filter(|bit| self.promoted[bit / 8] >> (bit % 8) & 1 != 0) {
            let (direction, rest) = (bit / (3 * NEAR as usize), bit % (3 * NEAR as usize));
            // Right and left stay; the others change up for down.
            let mirrored = if matches!(direction, 2 | 3) { direction } else { direction ^ 1 };
            let bit = mirrored * 3 * NEAR as usize + rest;
            before.promoted[bit / 8] |= 1 << (bit % 8);
        }
        before
    }
}

/// Number of a place near a commander.
fn place(commander: Point, point: Point) -> usize {
    let code = Geometry::get().relation[commander.index()][point.index()];
    debug_assert!(code != NO_RELATION);
    (code >> 4) as usize * NEAR as usize + (code & 15) as usize - 1
}

impl std::fmt::Debug for Before {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let steps = self.made().iter().map(|made| (made.target, made.kind(), made.action & 7));
        formatter.debug_list().entries(steps).finish()
    }
}
