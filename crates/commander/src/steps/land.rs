//! Steps of infantry, militia, engineer, tank, artillery, anti-air, missile and headquarters.

use super::{Generator, Group, Sink};
use crate::piece::Kind;
use crate::point::{Point, is_diagonal};
use crate::step::StepKind;
use crate::terrain::at_sea;

impl<S: Sink + ?Sized> Generator<'_, S> {
    pub(super) fn land_steps(&mut self, group: &Group) -> bool {
        let range = self.range(group);
        let kind = group.leader.kind();
        let jumps =
            kind == Kind::Artillery || (kind == Kind::Missile && self.game.rules.missile_capture_jumps);
        let heavy = kind.is_heavy();
        let (side, game, board) = (self.side, self.game, self.board);
        for direction in self.directions() {
            let diagonal = is_diagonal(direction) as usize;
            let (moves, captures) = (range.moves[diagonal], range.captures[diagonal]);
            let ray = game.tables.ray(group.from, direction);
            // How far moves lead: over land, and over the river only where the piece can cross.
            let crossing = if heavy { moves.min(ray.forded) } else { moves };
            let dry = crossing.min(ray.dry);
            let mut clear = true;
            for (index, &point) in ray.up_to(moves.max(captures)).iter().enumerate() {
                let distance = index as u8 + 1;
                let there = board.at(point);
                if there.is_empty() {
                    if clear && distance <= dry && self.propose_move(group, point) {
                        return true;
                    }
                    continue;
                }
                if there.side() == side {
                    let by_land = distance <= ray.dry || (at_sea(point) && game.rules.board_at_sea);
                    if clear && distance <= crossing && by_land && self.propose_join(group, point, there) {
                        return true;
                    }
                } else if (clear || jumps) && distance <= captures && self.land_capture(group, point) {
                    return true;
                }
                clear = false;
                if !jumps {
                    break;
                }
            }
        }
        false
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
