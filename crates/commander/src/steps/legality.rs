//! Which proposed steps are legal: those after which the turn can be completed (rules, section 6).

use super::{Generator, Sink};
use crate::board::Board;
use crate::commander::Commander;
use crate::piece::Kind;
use crate::stack::Stack;
use crate::step::{Step, StepKind};
use crate::tables::may_stand;
use crate::turn::Turn;
use game::Player;

/// A capture takes three pieces at most.
const LARGEST_CAPTURE: u16 = 3;

impl<S: Sink + ?Sized> Generator<'_, S> {
    /// Whether the turn can be completed after a step that obeys its piece's rules. `leaving` are
    /// the pieces that leave the origin, if the kind of step makes pieces leave.
    #[inline]
    pub(super) fn legal(&self, step: Step, leaving: Stack) -> bool {
        let target = self.board.at(step.target);
        let takes = matches!(step.kind, StepKind::Capture | StepKind::StayCapture | StepKind::Crash);
        if takes && target.contains(Kind::Commander) {
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
        if self.game.may_remain(remainder, step) && self.surely_safe(step, remainder) {
            debug_assert!(self.completes_after(step), "the quick answer must be the exact one: {step:?}");
            return true;
        }
        self.completes_after(step)
    }

    /// Whether the step cannot endanger the own commander; `false` where a closer look is needed.
    #[inline]
    fn surely_safe(&self, step: Step, remainder: Stack) -> bool {
        let watch = &self.watch;
        let Some(commander) = watch.commander else { return true };
        let empties_target = matches!(step.kind, StepKind::StayCapture | StepKind::Crash);
        let captures = step.kind.is_capture();
        !(!watch.safe
            || watch.air_threat
            || step.origin == commander
            || (step.kind == StepKind::Join && step.target == commander)
            || step.kind == StepKind::Breach
            || watch.guards <= 1
            || (captures && watch.guards <= 1 + LARGEST_CAPTURE)
            || (remainder.is_empty() && watch.blockers.contains(step.origin))
            || (empties_target && watch.blockers.contains(step.target)))
    }

    /// The closer look: plays the step on a copy and tries to complete the turn.
    #[inline(never)]
    fn completes_after(&self, step: Step) -> bool {
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

impl Commander {
    /// Whether what remains on the origin of a step may be there when the turn ends.
    #[inline]
    fn may_remain(&self, remainder: Stack, step: Step) -> bool {
        remainder.is_empty()
            || (self.tables.legal_stack(remainder) && may_stand(remainder.carrier().kind(), step.origin))
    }

    /// Whether the turn may end here: the remainder is legal and the own commander is safe after
    /// the promotions of both sides.
    pub(crate) fn can_end(&self, board: &Board, turn: &Turn, side: Player) -> bool {
        let remainder = board.at(turn.origin);
        if !remainder.is_empty()
            && remainder.side() == side
            && !(self.tables.legal_stack(remainder) && may_stand(remainder.carrier().kind(), turn.origin))
        {
            return false;
        }
        if board.commander(side).is_none() {
            return true;
        }
        let watch = self.watch(board, side);
        // Promotions matter where they widen a zone (for better, or for worse: a wider zone may
        // turn a forbidden flight into a crash) or make a hero of the enemy's last guard.
        if watch.safe && !watch.air_threat && !self.has_new_guard(board, side.opponent()) {
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
