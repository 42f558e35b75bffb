//! Which proposed steps are legal: those after which the turn can be completed (rules, section 6).

use super::{Generator, Sink};
use crate::attacks::{MANY_GUARDS, Watch};
use crate::board::Board;
use crate::commander::Commander;
use crate::piece::Kind;
use crate::point::Point;
use crate::stack::Stack;
use crate::step::{Step, StepKind};
use crate::tables::may_stand;
use crate::turn::Turn;
use game::Player;

impl<S: Sink + ?Sized> Generator<'_, S> {
    /// Whether the turn can be completed after a step that obeys its piece's rules. `leaving` are
    /// the pieces that leave the origin, if the kind of step makes pieces leave.
    #[inline]
    pub(super) fn legal(&self, step: Step, leaving: Stack) -> bool {
        if self.takes_commander(step) {
            return true;
        }
        let stack = self.board.at(step.origin);
        let stays = matches!(step.kind, StepKind::StayCapture | StepKind::Breach);
        let remainder = if stays {
            stack
        } else if leaving == stack {
            Stack::EMPTY
        } else {
            stack.without(leaving)
        };
        if self.game.may_remain(remainder, step.origin)
            && self.watch.allows_leaving(step.origin, remainder)
            && self.watch.allows_effects(step)
        {
            debug_assert!(self.completes_after(step), "the quick answer must be the exact one: {step:?}");
            return true;
        }
        self.completes_after(step)
    }

    /// Whether a step captures the enemy commander, which wins whatever else happens.
    #[inline]
    pub(super) fn takes_commander(&self, step: Step) -> bool {
        matches!(step.kind, StepKind::Capture | StepKind::StayCapture | StepKind::Crash)
            && self.board.at(step.target).contains(Kind::Commander)
    }

    /// The closer look: plays the step on a copy and tries to complete the turn.
    #[inline(never)]
    pub(super) fn completes_after(&self, step: Step) -> bool {
        let mut board = *self.board;
        let mut turn = if self.turn.under_way() {
            *self.turn
        } else {
            Turn::begin(self.board, step.origin, self.commanders_open)
        };
        self.game.apply::<false>(&mut board, &mut turn, step);
        self.game.can_end(&board, &turn, self.side) || self.game.can_go_on(&board, &turn, self.side)
    }
}

impl Watch {
    /// Whether the own commander surely stays safe when pieces leave `origin` and `remainder` stays
    /// there; `false` where a closer look is needed.
    #[inline]
    pub(super) fn allows_leaving(&self, origin: Point, remainder: Stack) -> bool {
        let Some(commander) = self.commander else { return true };
        self.safe
            && !self.zones_may_grow
            && !self.defenders.contains(origin)
            && origin != commander
            && self.guards > 1
            && !(remainder.is_empty() && self.pins.contains(origin))
    }

    /// The same for what a step does to its target.
    #[inline]
    fn allows_effects(&self, step: Step) -> bool {
        let Some(commander) = self.commander else { return true };
        match step.kind {
            StepKind::Move | StepKind::Drop | StepKind::EndTurn => true,
            StepKind::Join => step.target != commander && !self.defenders.contains(step.target),
            StepKind::Capture => self.guards == MANY_GUARDS,
            StepKind::StayCapture => self.guards == MANY_GUARDS && !self.pins.contains(step.target),
            // A crash may take two blockers of one line away.
            StepKind::Crash => self.guards == MANY_GUARDS && !self.blockers.contains(step.target),
            StepKind::Breach => false,
        }
    }
}

impl Commander {
    /// Whether what remains on the origin of a step may be there when the turn ends.
    #[inline]
    pub(super) fn may_remain(&self, remainder: Stack, origin: Point) -> bool {
        remainder.is_empty()
            || (self.tables.legal_stack(remainder) && may_stand(remainder.carrier().kind(), origin))
    }

    /// Whether the turn may end here: the remainder is legal and the own commander is safe after
    /// the promotions of both sides.
    pub(crate) fn can_end(&self, board: &Board, turn: &Turn, side: Player) -> bool {
        let there = board.at(turn.origin);
        if (there.is_empty() || there.side() == side) && !self.may_remain(there, turn.origin) {
            return false;
        }
        if board.commander(side).is_none() {
            return true;
        }
        let watch = self.watch(board, side);
        // Promotions matter where they widen a zone (for better, or for worse: a wider zone may
        // turn a forbidden flight into a crash) or make a hero of the enemy's last guard.
        if watch.safe && watch.defenders.is_empty() && self.new_guard(board, side.opponent()).is_none() {
            return true;
        }
        let mut board = *board;
        self.promote_at_end::<false>(&mut board, side);
        !self.in_danger(&board, side)
    }

    /// Whether some further step of the turn under way is legal.
    pub(crate) fn can_go_on(&self, board: &Board, turn: &Turn, side: Player) -> bool {
        if turn.ready.is_empty() && !turn.gun.loaded() {
            return false;
        }
        let mut any = |_: Step| true;
        let sink: &mut dyn FnMut(Step) -> bool = &mut any;
        Generator::new(self, board, turn, side, sink).run()
    }
}
