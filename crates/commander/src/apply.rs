//! What a step changes on the board and in the turn (rules, sections 3, 5 and 6).

use crate::board::Board;
use crate::commander::Commander;
use crate::piece::Kind;
use crate::rules::{HeroTiming, NavyDouble};
use crate::stack::Stack;
use crate::step::{Step, StepKind};
use crate::turn::{Gun, Turn, Welcome};

/// What a step takes off the board.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Spoils {
    /// The enemy stack, also one that a crash takes.
    pub captured: Stack,
    /// The own stack that a crash costs.
    pub lost: Stack,
}

impl Commander {
    /// Plays a step that is not the end of the turn, without ending the turn.
    pub(crate) fn apply<const KEYS: bool>(&self, board: &mut Board, turn: &mut Turn, step: Step) -> Spoils {
        let stack = board.at(step.origin);
        let side = stack.side();
        let group = stack.select(step.members);
        let target = board.at(step.target);
        let mut spoils = Spoils::default();
        match step.kind {
            StepKind::Move | StepKind::Capture => {
                spoils.captured = target;
                board.set::<KEYS>(step.origin, stack.without(group));
                board.set::<KEYS>(step.target, group);
                turn.land(step.target, Welcome::Ride);
            }
            StepKind::Join => {
                board.set::<KEYS>(step.origin, stack.without(group));
                let union = target.joined(group).unwrap_or(target);
                board.set::<KEYS>(step.target, union);
                if union.carrier() == group.carrier() {
                    turn.land(step.target, Welcome::Ride);
                } else if turn.landing(step.target).is_none() {
                    turn.land(step.target, Welcome::Reach);
                }
            }
            StepKind::StayCapture => {
                spoils.captured = target;
                board.set::<KEYS>(step.target, Stack::EMPTY);
            }
            StepKind::Crash => {
                spoils = Spoils { captured: target, lost: group };
                board.set::<KEYS>(step.origin, stack.without(group));
                board.set::<KEYS>(step.target, Stack::EMPTY);
            }
            StepKind::Breach => {
                board.set::<KEYS>(step.target, target.select(target.full_mask() & !1));
            }
            StepKind::Drop => {
                let flyer = group.select(1);
                let dropped = group.without(flyer);
                board.set::<KEYS>(step.origin, stack.without(dropped));
                board.set::<KEYS>(step.target, dropped);
                turn.land(step.target, Welcome::Nobody);
            }
            StepKind::EndTurn => {}
        }
        turn.captured |= step.kind.is_capture();
        self.note_action(turn, step, stack, group, target);
        if self.rules.hero_timing == HeroTiming::Step && !spoils.captured.contains(Kind::Commander) {
            self.promote_attackers::<KEYS>(board, turn, side);
        }
        spoils
    }

    /// Notes who has acted and what the navy may still do.
    fn note_action(&self, turn: &mut Turn, step: Step, stack: Stack, group: Stack, target: Stack) {
        let by_navy = !group.is_empty() && group.carrier().kind() == Kind::Navy;
        if turn.gun.loaded() && by_navy {
            turn.ready = turn.ready.without(group.without(group.select(1)));
            turn.gun = Gun::Spent;
            return;
        }
        let together = turn.fresh() && group == stack && step.kind != StepKind::Drop;
        turn.ready = if together { Stack::EMPTY } else { turn.ready.without(group) };
        let shot = by_navy
            && step.kind == StepKind::StayCapture
            && target.carrier().kind() != Kind::Navy
            && self.rules.navy_double != NavyDouble::Off;
        if shot && turn.gun == Gun::Silent {
            turn.gun = if together { Gun::FiredTogether } else { Gun::FiredAlone };
        }
    }
}
