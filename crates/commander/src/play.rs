//! Playing steps and ending turns.

use crate::commander::Commander;
use crate::piece::Kind;
use crate::position::{Before, Position};
use crate::step::{Step, StepKind};
use crate::steps::Generator;
use crate::turn::Turn;
use game::{Outcome, Player};

impl Commander {
    /// Calls `sink` with every legal step in order until it returns true; tells whether it did.
    pub(crate) fn for_each_step(&self, position: &Position, sink: &mut impl FnMut(Step) -> bool) -> bool {
        if position.ended.is_some() || (!position.turn.under_way() && self.judge_counters(position).is_some())
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
        Generator::new(self, &position.board, &position.turn, position.mover, &mut any).run()
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
        let points_before = position.points;
        let single = position.turn.original.len() == 1;
        let before = (!single || position.turn.original.carrier().kind() == Kind::Navy)
            .then(|| position.before.board(&position.board));
        let spoils = self.apply::<true>(&mut position.board, &mut position.turn, step);
        if !spoils.captured.is_empty() {
            position.points[side.index()] += u32::from(spoils.captured.points());
        }
        if !spoils.lost.is_empty() {
            position.points[side.opponent().index()] += u32::from(spoils.lost.points());
        }
        if spoils.captured.contains(Kind::Commander) {
            position.ended = Some(Outcome::win(side, "commander_captured"));
            self.end_turn(position);
            return;
        }
        if let Some(before) = before
            && self.can_go_on(&position.board, &position.turn, side)
        {
            if position.before.is_nothing() {
                position.before.captured_points = points_before;
            }
            position.before.note(&before, &position.board, step);
            return;
        }
        self.end_turn(position);
    }

    /// Ends the turn under way: promotions, counters, and the rules that look at this turn only.
    fn end_turn(&self, position: &mut Position) {
        let mover = position.mover;
        if position.ended.is_none() {
            self.promote_at_end::<true>(&mut position.board, mover);
            position.ended = self.battle_result(&position.board, position.turn.had, mover);
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
