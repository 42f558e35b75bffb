//! Playing steps.

use crate::column::Column;
use crate::emergo::Emergo;
use crate::position::{Capture, Position};
use crate::square::Square;
use crate::step::Step;

impl Emergo {
    /// Plays a legal step.
    #[inline]
    pub(crate) fn play_step(&self, position: &mut Position, step: Step) {
        match step {
            Step::Enter { square } => {
                // An empty hand on the other side makes the whole hand one shadow piece.
                let men = if position.enemy_hand() == 0 { position.own_hand() } else { 1 };
                let mover = position.mover.index();
                position.columns.put(square, Column::new(men, 0));
                position.sides[mover] |= square.bit();
                position.hands[mover] -= men;
                position.end_turn(true);
            }
            Step::Move { from, direction } => {
                let column = position.columns.at(from);
                position.shift_column(from, direction.from(from, 1), column);
                position.end_turn(false);
            }
            Step::Jump { from, direction } => {
                let target = direction.from(from, 2);
                let column = position.columns.at(from).with_prisoner();
                position.capture_top(direction.from(from, 1));
                position.shift_column(from, target, column);
                position.capture = position.capture.after(direction, target);
                if self.jumpers(position).is_empty() {
                    position.end_turn(false);
                }
            }
        }
    }
}

impl Position {
    /// The mover's column leaves `from` and is `column` on the empty square `target`.
    #[inline(always)]
    fn shift_column(&mut self, from: Square, target: Square, column: Column) {
        self.columns.put(from, Column::NONE);
        self.columns.put(target, column);
        self.sides[self.mover.index()] ^= from.bit() | target.bit();
    }

    /// Takes the top man of an enemy column; its prisoners are freed if that was the only guard.
    #[inline(always)]
    fn capture_top(&mut self, victim: Square) {
        let before = self.columns.at(victim);
        let after = before.without_top();
        self.columns.put(victim, after);
        if before.guards() == 1 {
            self.sides[self.mover.opponent().index()] ^= victim.bit();
            if after != Column::NONE {
                self.sides[self.mover.index()] |= victim.bit();
            }
        }
    }

    #[inline(always)]
    fn end_turn(&mut self, entered: bool) {
        self.mover = self.mover.opponent();
        self.ply = self.ply.saturating_add(1);
        self.capture = Capture::NONE;
        self.entered = entered;
    }

    /// The position before the jumps of the turn under way that are known, and those jumps, first to
    /// last.
    pub(crate) fn unwound(&self) -> (Position, Vec<Step>) {
        let mut before = *self;
        let mut steps = Vec::new();
        let Some((mut square, _)) = self.capturer() else { return (before, steps) };
        let (own, enemy) = (self.mover.index(), self.mover.opponent().index());
        for direction in self.capture.backwards() {
            let back = direction.reverse();
            let (victim, from) = (back.from(square, 1), back.from(square, 2));
            let column = before.columns.at(square);
            before.columns.put(square, Column::NONE);
            before.columns.put(from, Column::new(column.guards(), column.prisoners() - 1));
            before.sides[own] ^= square.bit() | from.bit();
            let left = before.columns.at(victim);
            let whole = if before.sides[enemy] & victim.bit() != 0 {
                Column::new(left.guards() + 1, left.prisoners())
            } else {
                // Freed by the jump, or nothing.
                before.sides[own] &= !victim.bit();
                before.sides[enemy] |= victim.bit();
                Column::new(1, left.guards())
            };
            before.columns.put(victim, whole);
            steps.push(Step::Jump { from, direction });
            square = from;
        }
        if !steps.is_empty() {
            before.capture = Capture::NONE;
        }
        steps.reverse();
        (before, steps)
    }
}
