//! Playing steps and ending turns.

use crate::before::Before;
use crate::commander::Commander;
use crate::ending::Ended;
use crate::piece::Kind;
use crate::position::Position;
use crate::step::{Step, StepKind};
use crate::steps::Generator;
use crate::turn::Turn;
use game::{Outcome, Player};

impl Commander {
    /// Calls `sink` with every legal step in order until it returns true; tells whether it did.
    pub(crate) fn for_each_step(&self, position: &Position, sink: &mut impl FnMut(Step) -> bool) -> bool {
        if position.ended.is_over() || (!position.turn.under_way() && self.judge_counters(position).is_some())
        {
            return false;
        }
        let (board, turn, side) = (&position.board, &position.turn, position.mover);
        if Generator::new(self, board, turn, side, sink).run() {
            return true;
        }
        turn.under_way() && self.can_end(board, turn, side) && sink(Step::end_turn(turn.origin))
    }

    /// Whether the side to move has a legal step, counters left aside.
    pub(crate) fn has_step(&self, position: &Position) -> bool {
        let mut any = |_: Step| true;
        Generator::new(self, &position.board, &position.turn, position.mover, &mut any).any()
    }

    /// Plays a legal step.
    pub(crate) fn play_step(&self, position: &mut Position, step: Step) {
        if step.kind == StepKind::EndTurn {
            self.end_turn(position);
            return;
        }
        let side = position.mover;
        if !position.turn.under_way() {
            let open = self.both_open(&position.board);
            position.turn = Turn::begin(&position.board, step.origin, open);
        }
        if step.kind.is_capture() {
            position.turn.note_forces(&position.board);
        }
        let original = position.turn.original;
        let may_go_on = original.len() > 1 || original.carrier().kind() == Kind::Navy;
        let before = may_go_on.then_some(position.board);
        let spoils = self.apply::<true>(&mut position.board, &mut position.turn, step);
        if !spoils.captured.is_empty() {
            position.points[side.index()] += u32::from(spoils.captured.points());
        }
        if !spoils.lost.is_empty() {
            position.points[side.opponent().index()] += u32::from(spoils.lost.points());
            position.turn.lost_points += spoils.lost.points();
        }
        if spoils.captured.contains(Kind::Commander) {
            position.ended = Ended::with(Outcome::win(side, "commander_captured"));
            self.end_turn(position);
            return;
        }
        if let Some(before) = before
            && self.can_go_on(&position.board, &position.turn, side)
        {
            position.before.note(&before, &position.board, &position.turn, side, step);
            return;
        }
        self.end_turn(position);
    }

    /// Ends the turn under way: promotions, counters, and the rules that look at this turn only.
    fn end_turn(&self, position: &mut Position) {
        let mover = position.mover;
        if !position.ended.is_over() {
            self.promote_at_end::<true>(&mut position.board, mover);
            if let Some(outcome) = self.battle_result(&position.board, &position.turn, mover) {
                position.ended = Ended::with(outcome);
            }
        }
        position.quiet_turns = if position.turn.captured { 0 } else { position.quiet_turns + 1 };
        position.played += 1;
        if mover == Player::Second {
            position.number += 1;
        }
        position.mover = mover.opponent();
        position.turn = Turn::NONE;
        if !position.before.is_nothing() {
            position.before = Before::NOTHING;
        }
    }
}
