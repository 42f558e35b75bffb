//! A position: the board, the turn under way, and the counters of the game.

use crate::before::Before;
use crate::board::Board;
use crate::ending::Ended;
use crate::step::Step;
use crate::turn::Turn;
use game::Player;

/// A legal position of Commander Chess, also in the middle of a turn, in 256 bytes. Knows neither rules
/// nor history; repetition is judged on a line beside it.
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
    pub(crate) ended: Ended,
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
            ended: Ended::NOT,
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

    /// The position before the turn under way; between turns the position itself.
    pub(crate) fn before_turn(&self) -> Position {
        if !self.turn.under_way() {
            return *self;
        }
        Position {
            board: self.before.board(&self.board, &self.turn, self.mover),
            points: self.before.points(self.points, &self.turn, self.mover),
            turn: Turn::NONE,
            before: Before::NOTHING,
            ..*self
        }
    }

    /// The steps of the turn under way so far.
    pub(crate) fn steps_of_turn(&self) -> impl ExactSizeIterator<Item = Step> {
        self.before.steps(self.turn.origin)
    }

    /// The same situation with colours exchanged and the board mirrored top to bottom.
    pub fn flipped(&self) -> Position {
        let mut position = *self;
        position.board = self.board.flipped();
        position.turn = self.turn.flipped();
        position.before = self.before.flipped();
        position.mover = self.mover.opponent();
        position.points.swap(0, 1);
        position.ended = self.ended.flipped();
        position
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_position_is_small() {
        assert!(size_of::<Board>() <= 192, "{}", size_of::<Board>());
        assert!(size_of::<Position>() <= 256, "{}", size_of::<Position>());
    }
}
