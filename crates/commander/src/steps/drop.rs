//! Drop and return of an air force (rules, section 6).

use super::{Generator, Sink};
use crate::piece::Piece;
use crate::point::{Point, is_diagonal};
use crate::rules::AirDrop;
use crate::stack::Stack;
use crate::step::{Step, StepKind};
use crate::tables::may_stand;

/// Sets that can be made of two members.
const MOST_LOADS: usize = 3;

/// What an air force drops.
#[derive(Clone, Copy)]
struct Load {
    dropped: Stack,
    /// The same with the air force.
    flying: Stack,
}

impl<S: Sink + ?Sized> Generator<'_, S> {
    /// Drops of the members in `ready` by the air force `flyer`, which is one of them.
    pub(super) fn drop_steps(&mut self, from: Point, stack: Stack, ready: Stack, flyer: Piece) -> bool {
        let game = self.game;
        if game.rules.air_drop == AirDrop::Off {
            return false;
        }
        let loads = self.loads(ready, flyer);
        let zones = self.zones(flyer);
        for direction in self.directions() {
            let reach = game.tables.range(flyer).moves[is_diagonal(direction) as usize];
            for &point in game.tables.ray(from, direction).up_to(reach) {
                if zones.contains(point) {
                    break;
                }
                if self.board.is_empty(point) && self.drop_loads(from, stack, &loads, point) {
                    return true;
                }
            }
        }
        false
    }

    /// The steps of [`Generator::drop_steps`] to one point, in their order.
    pub(super) fn drop_steps_to(&mut self, from: Point, stack: Stack, flyer: Piece, target: Point) -> bool {
        let game = self.game;
        let Some((direction, distance)) = game.tables.relation(from, target) else { return false };
        let zones = self.zones(flyer);
        let between = game.tables.between(from, direction, distance);
        if !self.board.is_empty(target)
            || zones.contains(target)
            || between.iter().any(|&point| zones.contains(point))
        {
            return false;
        }
        let loads = self.loads(stack, flyer);
        self.drop_loads(from, stack, &loads, target)
    }

    /// What an air force may fly away with and drop, out of the members in `ready`, of which it is one; both
    /// the dropped pieces and all that fly, nothing where there are fewer.
    fn loads(&self, ready: Stack, flyer: Piece) -> [Load; MOST_LOADS] {
        let single = Stack::single(self.side, flyer);
        let others = ready.without(single);
        let mut loads = [Load { dropped: Stack::EMPTY, flying: Stack::EMPTY }; MOST_LOADS];
        let mut known = 0;
        for mask in 1..=others.full_mask() {
            let dropped = others.select(mask);
            let Some(flying) = single.joined(dropped) else { continue };
            let fits = flying.carrier() == flyer
                && self.game.tables.legal_stack(flying)
                && self.game.tables.legal_stack(dropped);
            if fits && loads[..known].iter().all(|load| load.dropped != dropped) {
                loads[known] = Load { dropped, flying };
                known += 1;
            }
        }
        loads
    }

    /// Drops on an empty point that the air force reaches.
    fn drop_loads(&mut self, from: Point, stack: Stack, loads: &[Load], target: Point) -> bool {
        for load in loads.iter().take_while(|load| !load.dropped.is_empty()) {
            if !may_stand(load.dropped.carrier().kind(), target) {
                continue;
            }
            let members = stack.mask_of(load.flying);
            let step = Step { origin: from, target, kind: StepKind::Drop, members };
            if self.legal(step, load.dropped) && (self.sink)(step) {
                return true;
            }
        }
        false
    }
}
