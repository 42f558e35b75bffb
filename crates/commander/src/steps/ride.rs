//! Riding along with members that left earlier in the turn (rules, section 6).

use super::{Generator, Group, Sink};
use crate::step::StepKind;
use crate::tables::may_stand;
use crate::turn::Welcome;

impl<S: Sink + ?Sized> Generator<'_, S> {
    pub(super) fn ride_steps(&mut self, group: &Group) -> bool {
        let (turn, side) = (self.turn, self.side);
        let mut landings = [None; 3];
        for (place, landing) in landings.iter_mut().zip(turn.landings()) {
            *place = (landing.welcome == Welcome::Ride).then_some(landing.point.seen_by(side));
        }
        // The order in which members left must not show in the order of steps.
        landings.sort_unstable();
        for target in landings.into_iter().flatten().map(|point| point.seen_by(side)) {
            let there = self.board.at(target);
            let Some(union) = there.joined(group.pieces) else { continue };
            let carried = union.carrier() == there.carrier();
            if carried
                && self.game.tables.legal_stack(union)
                && may_stand(union.carrier().kind(), target)
                && !turn.reunites(target, self.game.rules.engineer_carry)
                && self.propose(group, target, StepKind::Join)
            {
                return true;
            }
        }
        false
    }
}
