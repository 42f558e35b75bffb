//! What must be known in the middle of a turn (rules, section 6).

use crate::board::Board;
use crate::piece::Kind;
use crate::point::Point;
use crate::rules::EngineerCarry;
use crate::stack::Stack;
use game::Player;

/// What the navy of the turn's stack has done with its gun.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Gun {
    /// Nothing that allows a second action.
    #[default]
    Silent = 0,
    /// Fired by the navy alone: it may go on alone or with all members that have not acted.
    FiredAlone = 1,
    /// Fired by the whole stack: only the navy may go on.
    FiredTogether = 2,
    /// The second action is done.
    Spent = 3,
}

impl Gun {
    /// Whether the navy may act a second time.
    #[inline]
    pub const fn loaded(self) -> bool {
        matches!(self, Gun::FiredAlone | Gun::FiredTogether)
    }
}

/// Where members of the turn's stack have gone.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Landing {
    /// The point.
    pub point: Point,
    /// What later members may do there.
    pub welcome: Welcome,
}

/// What members that act later may do at a [`Landing`].
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum Welcome {
    /// The carrier there left this turn: others ride along without a reach test.
    Ride = 0,
    /// The carrier there is a friend that was joined: others join by reach only.
    Reach = 1,
    /// Members were dropped there: nobody joins them this turn.
    Nobody = 2,
}

/// A turn under way. [`Turn::NONE`] between turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Turn {
    /// Where the acting stack stands; every step starts there.
    pub origin: Point,
    /// The stack as the turn began.
    pub original: Stack,
    /// Its members that have not acted, as they are now.
    pub ready: Stack,
    /// State of the navy's double strike.
    pub gun: Gun,
    /// Whether something was captured this turn, a breach included.
    pub captured: bool,
    /// Whether both commanders were open to exposure as the turn began.
    pub commanders_open: bool,
    /// What Red and Blue had as the turn began; noted by its first capture, before which nothing is lost.
    pub had: [Forces; 2],
    /// Points of the own pieces that crashes of this turn cost.
    pub(crate) lost_points: u16,
    landings: [Landing; 3],
    landed: u8,
}

/// Which of the battle forces a side has (rules, section 8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Forces(u8);

impl Forces {
    /// Nothing.
    pub const NONE: Forces = Forces(0);
    /// A navy.
    pub const MARINE: Forces = Forces(1);
    /// An air force.
    pub const AIR: Forces = Forces(2);
    /// A tank, infantry or artillery.
    pub const LAND: Forces = Forces(4);

    /// All three, in the order in which battles are judged.
    pub const ALL: [Forces; 3] = [Forces::MARINE, Forces::AIR, Forces::LAND];

    /// What a side has on a board.
    pub fn of(board: &Board, side: Player) -> Forces {
        Forces(board.forces(side))
    }

    /// Whether one of the three is among these.
    #[inline]
    pub const fn contains(self, one: Forces) -> bool {
        self.0 & one.0 != 0
    }

    /// Those that are not among the others.
    #[inline]
    pub const fn without(self, others: Forces) -> Forces {
        Forces(self.0 & !others.0)
    }
}

const NOWHERE: Landing = Landing { point: Point::NONE, welcome: Welcome::Nobody };

impl Turn {
    /// No turn under way.
    pub const NONE: Turn = Turn {
        origin: Point::NONE,
        original: Stack::EMPTY,
        ready: Stack::EMPTY,
        gun: Gun::Silent,
        captured: false,
        commanders_open: false,
        had: [Forces::NONE; 2],
        lost_points: 0,
        landings: [NOWHERE; 3],
        landed: 0,
    };

    /// A turn of the stack on `origin` before its first step.
    pub fn begin(board: &Board, origin: Point, commanders_open: bool) -> Turn {
        let stack = board.at(origin);
        Turn { origin, original: stack, ready: stack, commanders_open, ..Turn::NONE }
    }

    /// Notes what both sides have before a capture.
    #[inline]
    pub(crate) fn note_forces(&mut self, board: &Board) {
        if !self.captured {
            self.had = Player::BOTH.map(|side| Forces::of(board, side));
        }
    }

    /// What Red and Blue have lost in the turn.
    #[inline]
    pub(crate) fn lost(&self, board: &Board) -> [Forces; 2] {
        if !self.captured {
            return [Forces::NONE; 2];
        }
        Player::BOTH.map(|side| self.had[side.index()].without(Forces::of(board, side)))
    }

    /// Whether a turn is under way.
    #[inline]
    pub fn under_way(&self) -> bool {
        self.origin != Point::NONE
    }

    /// Whether no step has been made yet.
    #[inline]
    pub fn fresh(&self) -> bool {
        self.ready == self.original && self.gun == Gun::Silent
    }

    /// Where members have gone, in the order in which they went.
    #[inline]
    pub fn landings(&self) -> &[Landing] {
        &self.landings[..self.landed as usize]
    }

    /// The landing on a point.
    #[inline]
    pub fn landing(&self, point: Point) -> Option<Landing> {
        self.landings().iter().copied().find(|landing| landing.point == point)
    }

    /// Notes that members went to a point. There are never more than three points.
    pub fn land(&mut self, point: Point, welcome: Welcome) {
        let used = self.landed as usize;
        if let Some(known) = self.landings[..used].iter_mut().find(|landing| landing.point == point) {
            known.welcome = welcome;
        } else if used < self.landings.len() {
            self.landings[used] = Landing { point, welcome };
            self.landed += 1;
        }
    }

    /// Whether a member that goes to `target` would meet there the engineer or heavy piece that it
    /// stood with, on the bank where both were (`engineer_carry` = river).
    #[inline]
    pub fn reunites(&self, target: Point, carry: EngineerCarry) -> bool {
        carry == EngineerCarry::River
            && self.landed > 0
            && self.original.carrier().kind() == Kind::Engineer
            && self.landing(target).is_some()
            && self.origin.upper_bank() == target.upper_bank()
    }

    /// The same turn with colours exchanged and the board mirrored top to bottom.
    pub fn flipped(&self) -> Turn {
        let mut turn = *self;
        if self.under_way() {
            turn.origin = self.origin.mirrored();
        }
        turn.original = self.original.flipped();
        turn.ready = self.ready.flipped();
        turn.had.swap(0, 1);
        for landing in &mut turn.landings[..self.landed as usize] {
            landing.point = landing.point.mirrored();
        }
        turn
    }
}
