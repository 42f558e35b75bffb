//! Steps of the navy (rules, sections 2, 3 and 6).

use super::{Generator, Group, Sink};
use crate::piece::Kind;
use crate::point::{Point, is_diagonal};
use crate::rules::{NavyCaptureAcrossLand, NavyMoveBlock, TorpedoJumps};
use crate::stack::Stack;
use crate::step::StepKind;
use crate::terrain::navigable;

impl<S: Sink + ?Sized> Generator<'_, S> {
    /// Moves and joins by water.
    pub(super) fn navy_moves(&mut self, group: &Group) -> bool {
        let range = self.range(group);
        let (game, board) = (self.game, self.board);
        for direction in self.directions() {
            let ray = game.tables.ray(group.from, direction);
            for &point in ray.up_to(range.moves[is_diagonal(direction) as usize].min(ray.water)) {
                if board.is_empty(point) {
                    if self.propose_move(group, point) {
                        return true;
                    }
                    continue;
                }
                let there = board.at(point);
                if there.side() == self.side && self.propose_join(group, point, there) {
                    return true;
                }
                if self.stops_ships(there) {
                    break;
                }
            }
        }
        false
    }

    fn stops_ships(&self, there: Stack) -> bool {
        match self.game.rules.navy_move_block {
            NavyMoveBlock::Enemy => there.side() != self.side,
            NavyMoveBlock::Navies => there.carrier().kind() == Kind::Navy,
        }
    }

    /// Captures by gun and torpedo, or by torpedo only.
    pub(super) fn navy_captures(&mut self, group: &Group, torpedo_only: bool) -> bool {
        let range = self.range(group);
        let (game, board) = (self.game, self.board);
        let enemies = board.occupied(self.side.opponent());
        for direction in self.directions() {
            let diagonal = is_diagonal(direction) as usize;
            let (gun, torpedo) = (range.captures[diagonal], range.torpedo[diagonal]);
            let ray = game.tables.ray(group.from, direction);
            let mut enemies_passed = false;
            for (index, &point) in ray.up_to(torpedo.max(gun)).iter().enumerate() {
                if !enemies.contains(point) {
                    continue;
                }
                let distance = index as u8 + 1;
                let hits = if board.at(point).carrier().kind() == Kind::Navy {
                    distance <= torpedo && (!enemies_passed || self.torpedoes_pass_all())
                } else {
                    distance <= gun && !torpedo_only
                };
                enemies_passed = true;
                if hits && self.navy_capture(group, point, distance <= ray.water) {
                    return true;
                }
            }
        }
        false
    }

    #[inline]
    fn torpedoes_pass_all(&self) -> bool {
        self.game.rules.torpedo_jumps == TorpedoJumps::All
    }

    /// A capture by a navy that hits the target, which it may reach `by_water`.
    #[inline]
    fn navy_capture(&mut self, group: &Group, target: Point, by_water: bool) -> bool {
        let across_land = self.game.rules.navy_capture_across_land == NavyCaptureAcrossLand::Replace;
        let replaces = by_water || (across_land && navigable(target));
        self.propose(group, target, if replaces { StepKind::Capture } else { StepKind::StayCapture })
    }

    /// The step of [`Generator::navy_moves`] or [`Generator::navy_captures`] to one point.
    pub(super) fn navy_step_to(&mut self, group: &Group, target: Point) -> bool {
        let range = self.range(group);
        let (game, board) = (self.game, self.board);
        let Some((direction, distance)) = game.tables.relation(group.from, target) else { return false };
        let diagonal = is_diagonal(direction) as usize;
        let by_water = distance <= game.tables.ray(group.from, direction).water;
        let mut between = game.tables.between(group.from, direction, distance).iter();
        let enemies = board.occupied(self.side.opponent());
        if !enemies.contains(target) {
            let stops = |&point: &Point| !board.is_empty(point) && self.stops_ships(board.at(point));
            if !by_water || distance > range.moves[diagonal] || between.any(stops) {
                return false;
            }
            return match board.is_empty(target) {
                true => self.propose_move(group, target),
                false => self.propose_join(group, target, board.at(target)),
            };
        }
        let hits = if board.at(target).carrier().kind() == Kind::Navy {
            distance <= range.torpedo[diagonal]
                && (self.torpedoes_pass_all() || !between.any(|&point| enemies.contains(point)))
        } else {
            distance <= range.captures[diagonal]
        };
        hits && self.navy_capture(group, target, by_water)
    }
}
