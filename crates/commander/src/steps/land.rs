//! Steps of infantry, militia, engineer, tank, artillery, anti-air, missile and headquarters.

use super::{Generator, Group, Sink};
use crate::piece::Kind;
use crate::point::Point;
use crate::step::StepKind;
use crate::terrain::at_sea;
use crate::ways::Stop;

impl<S: Sink + ?Sized> Generator<'_, S> {
    pub(super) fn land_steps(&mut self, group: &Group) -> bool {
        let (game, board) = (self.game, self.board);
        let jumps = self.captures_jump(group);
        let own = board.occupied(self.side);
        let ways = game.tables.ways.of(self.side, group.leader, group.from);
        let mut clear = true;
        let mut number = 0;
        while let Some(stop) = ways.get(number) {
            number += 1;
            clear |= stop.first;
            if board.is_empty(stop.point) {
                if clear && stop.moves && self.propose_move(group, stop.point) {
                    return true;
                }
                continue;
            }
            if own.contains(stop.point) {
                if clear && stop.joins && self.propose_join(group, stop.point, board.at(stop.point)) {
                    return true;
                }
            } else if stop.captures && self.land_capture(group, stop.point) {
                return true;
            }
            clear = false;
            if !jumps {
                number = usize::from(stop.next_ray);
            }
        }
        false
    }

    /// The step of [`Generator::land_steps`] to one stop of the ways, `before` being those of its ray
    /// before it.
    pub(super) fn land_step_to(&mut self, group: &Group, before: &[Stop], stop: Stop) -> bool {
        let board = self.board;
        let clear = before.iter().all(|stop| board.is_empty(stop.point));
        if !clear && !self.captures_jump(group) {
            return false;
        }
        if board.is_empty(stop.point) {
            clear && stop.moves && self.propose_move(group, stop.point)
        } else if board.occupied(self.side).contains(stop.point) {
            clear && stop.joins && self.propose_join(group, stop.point, board.at(stop.point))
        } else {
            stop.captures && self.land_capture(group, stop.point)
        }
    }

    /// Whether nothing between matters to the group's captures.
    #[inline]
    fn captures_jump(&self, group: &Group) -> bool {
        match group.leader.kind() {
            Kind::Artillery => true,
            Kind::Missile => self.game.rules.missile_capture_jumps,
            _ => false,
        }
    }

    /// A capture on a point in range by a piece that stands on land only.
    pub(super) fn land_capture(&mut self, group: &Group, target: Point) -> bool {
        let kind =
            if !self.game.pierces_shield(group.leader.kind()) && self.game.shielded(self.board.at(target)) {
                StepKind::Breach
            } else if at_sea(target) {
                StepKind::StayCapture
            } else {
                StepKind::Capture
            };
        self.propose(group, target, kind)
    }
}
