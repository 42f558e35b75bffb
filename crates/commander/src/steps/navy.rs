//! Steps of the navy (rules, sections 2, 3 and 6).

use super::{Generator, Group, Sink};
use crate::piece::Kind;
use crate::point::is_diagonal;
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
        let across_land = game.rules.navy_capture_across_land == NavyCaptureAcrossLand::Replace;
        let passes_all = game.rules.torpedo_jumps == TorpedoJumps::All;
        for direction in self.directions() {
            let diagonal = is_diagonal(direction) as usize;
            let (gun, torpedo) = (range.captures[diagonal], range.torpedo[diagonal]);
            let ray = game.tables.ray(group.from, direction);
            let mut enemies_passed = false;
            for (index, &point) in ray.up_to(torpedo.max(gun)).iter().enumerate() {
                if !enemies.contains(point) {
                    continue;
                }
                let there = board.at(point);
                let distance = index as u8 + 1;
                let hits = if there.carrier().kind() == Kind::Navy {
                    distance <= torpedo && (!enemies_passed || passes_all)
                } else {
                    distance <= gun && !torpedo_only
                };
                enemies_passed = true;
                if !hits {
                    continue;
                }
                let kind = if distance <= ray.water || (navigable(point) && across_land) {
                    StepKind::Capture
                } else {
                    StepKind::StayCapture
                };
                if self.propose(group, point, kind) {
                    return true;
                }
            }
        }
        false
    }
}
