//! Steps of infantry, militia, engineer, tank, artillery, anti-air, missile and headquarters.

use super::{Generator, Group, Sink};
use crate::piece::Kind;
use crate::point::{Point, is_diagonal};
use crate::step::StepKind;
use crate::terrain::at_sea;

/// Whether a heavy piece's move between neighbours leads over the river beside the fords.
fn misses_ford(from: Point, to: Point) -> bool {
    from.upper_bank() != to.upper_bank() && !(from.file() == to.file() && matches!(from.file(), 5 | 7))
}

impl<S: Sink + ?Sized> Generator<'_, S> {
    pub(super) fn land_steps(&mut self, group: Group) -> bool {
        let range = self.range(&group);
        let kind = group.leader.kind();
        let jumps =
            kind == Kind::Artillery || (kind == Kind::Missile && self.game.rules.missile_capture_jumps);
        let heavy = kind.is_heavy();
        for direction in self.directions() {
            let diagonal = is_diagonal(direction) as usize;
            let (moves, captures) = (range.moves[diagonal], range.captures[diagonal]);
            let reach = moves.max(captures) as usize;
            let game = self.game;
            let ray = game.tables.ray(group.from, direction);
            let ray = &ray[..reach.min(ray.len())];
            let mut previous = group.from;
            // Whether a move may still pass, whether it has left land, whether pieces were passed.
            let (mut passable, mut dry, mut clear) = (true, true, true);
            for (index, &point) in ray.iter().enumerate() {
                let distance = index as u8 + 1;
                passable &= !(heavy && misses_ford(previous, point));
                previous = point;
                dry &= !at_sea(point);
                if self.own(point) {
                    let by_land = dry || (at_sea(point) && self.game.rules.board_at_sea);
                    if clear && passable && by_land && distance <= moves && self.propose_join(&group, point) {
                        return true;
                    }
                    clear = false;
                } else if self.enemy(point) {
                    if (clear || jumps) && distance <= captures && self.land_capture(&group, point) {
                        return true;
                    }
                    clear = false;
                } else if clear
                    && passable
                    && dry
                    && distance <= moves
                    && self.propose(&group, point, StepKind::Move)
                {
                    return true;
                }
                if !clear && !jumps {
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
