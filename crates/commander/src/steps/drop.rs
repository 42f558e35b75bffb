//! Drop and return of an air force (rules, section 6).

use super::{Generator, Sink};
use crate::piece::Piece;
use crate::point::{Point, is_diagonal};
use crate::rules::AirDrop;
use crate::stack::Stack;
use crate::step::{Step, StepKind};
use crate::tables::may_stand;

impl<S: Sink + ?Sized> Generator<'_, S> {
    /// Drops of the members in `ready` by the air force `flyer`, which is one of them.
    pub(super) fn drop_steps(&mut self, from: Point, stack: Stack, ready: Stack, flyer: Piece) -> bool {
        let game = self.game;
        if game.rules.air_drop == AirDrop::Off {
            return false;
        }
        let single = Stack::single(self.side, flyer);
        let others = ready.without(single);
        let zones = self.zones(flyer);
        let mut parts = [Stack::EMPTY; 3];
        let mut known = 0;
        for mask in 1..=others.full_mask() {
            let dropped = others.select(mask);
            let fits = single.joined(dropped).is_some_and(|load| {
                load.carrier() == flyer && game.tables.legal_stack(load) && game.tables.legal_stack(dropped)
            });
            if !fits || parts[..known].contains(&dropped) {
                continue;
            }
            parts[known] = dropped;
            known += 1;
        }
        for direction in self.directions() {
            let reach = game.tables.range(flyer).moves[is_diagonal(direction) as usize];
            for &point in game.tables.ray(from, direction).up_to(reach) {
                if zones.contains(point) {
                    break;
                }
                if !self.board.is_empty(point) {
                    continue;
                }
                for &dropped in &parts[..known] {
                    if !may_stand(dropped.carrier().kind(), point) {
                        continue;
                    }
                    let Some(load) = single.joined(dropped) else { continue };
                    let members = stack.mask_of(load);
                    let step = Step { origin: from, target: point, kind: StepKind::Drop, members };
                    if self.legal(step, dropped) && (self.sink)(step) {
                        return true;
                    }
                }
            }
        }
        false
    }
}
