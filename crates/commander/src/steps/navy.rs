//! Steps of the navy (rules, sections 2, 3 and 6).

use super::{Generator, Group, Sink};
use crate::piece::Kind;
use crate::point::{Point, is_diagonal};
use crate::rules::{NavyCaptureAcrossLand, NavyMoveBlock, TorpedoJumps};
use crate::step::StepKind;
use crate::terrain::navigable;

impl<S: Sink + ?Sized> Generator<'_, S> {
    /// Moves and joins by water.
    pub(super) fn navy_moves(&mut self, group: Group) -> bool {
        let range = self.range(&group);
        let game = self.game;
        for direction in self.directions() {
            let reach = range.moves[is_diagonal(direction) as usize];
            let water = game.tables.geometry.water[group.from.index()][direction];
            for &point in &game.tables.ray(group.from, direction)[..reach.min(water) as usize] {
                let own = self.own(point);
                if own {
                    if self.propose_join(&group, point) {
                        return true;
                    }
                } else if !self.enemy(point) && self.propose(&group, point, StepKind::Move) {
                    return true;
                }
                if self.stops_ships(point) {
                    break;
                }
            }
        }
        false
    }

    fn stops_ships(&self, point: Point) -> bool {
        match self.game.rules.navy_move_block {
            NavyMoveBlock::Enemy => self.enemy(point),
            NavyMoveBlock::Navies => {
                let stack = self.board.at(point);
                !stack.is_empty() && stack.carrier().kind() == Kind::Navy
            }
        }
    }

    /// Captures by gun and torpedo, or by torpedo only.
    pub(super) fn navy_captures(&mut self, group: Group, torpedo_only: bool) -> bool {
        let range = self.range(&group);
        let game = self.game;
        for direction in self.directions() {
            let diagonal = is_diagonal(direction) as usize;
            let (gun, torpedo) = (range.captures[diagonal], range.torpedo[diagonal]);
            let ray = game.tables.ray(group.from, direction);
            let reach = (torpedo.max(gun) as usize).min(ray.len());
            let water = game.tables.geometry.water[group.from.index()][direction];
            let mut enemies_passed = false;
            for (index, &point) in ray[..reach].iter().enumerate() {
                if !self.enemy(point) {
                    continue;
                }
                let distance = index as u8 + 1;
                let hits = if self.board.at(point).carrier().kind() == Kind::Navy {
                    let passes = !enemies_passed || game.rules.torpedo_jumps == TorpedoJumps::All;
                    distance <= torpedo && passes
                } else {
                    distance <= gun && !torpedo_only
                };
                enemies_passed = true;
                if !hits {
                    continue;
                }
                let across_land = game.rules.navy_capture_across_land == NavyCaptureAcrossLand::Replace;
                let kind = if distance <= water || (navigable(point) && across_land) {
                    StepKind::Capture
                } else {
                    StepKind::StayCapture
                };
                if self.propose(&group, point, kind) {
                    return true;
                }
            }
        }
        false
    }
}
