//! Steps of the air force (rules, sections 3 and 4).

use super::{Generator, Group, Sink};
use crate::air_defence::Strike;
use crate::piece::Kind;
use crate::point::{Point, is_diagonal};
use crate::rules::{AirReturn, SplitBomb};
use crate::step::StepKind;
use crate::terrain::at_sea;

impl<S: Sink + ?Sized> Generator<'_, S> {
    pub(super) fn air_steps(&mut self, group: &Group) -> bool {
        let range = self.range(group);
        let zones = self.zones(group.leader);
        let (game, board) = (self.game, self.board);
        let own = board.occupied(self.side);
        for direction in self.directions() {
            let ray = game.tables.ray(group.from, direction);
            // Whether the flight has stayed outside zones.
            let mut safe = true;
            for (index, &point) in ray.up_to(range.moves[is_diagonal(direction) as usize]).iter().enumerate()
            {
                safe = safe && !zones.contains(point);
                let stop = if board.is_empty(point) {
                    safe && !at_sea(point) && self.propose_move(group, point)
                } else if own.contains(point) {
                    safe && self.propose_join(group, point, board.at(point))
                } else {
                    self.air_attack(group, point, direction, index as u8 + 1)
                };
                if stop {
                    return true;
                }
            }
        }
        false
    }

    /// The steps of [`Generator::air_steps`] to one point, in their order.
    pub(super) fn air_steps_to(&mut self, group: &Group, target: Point) -> bool {
        let (game, board) = (self.game, self.board);
        let Some((direction, distance)) = game.tables.relation(group.from, target) else { return false };
        if board.occupied(self.side.opponent()).contains(target) {
            return self.air_attack(group, target, direction, distance);
        }
        let empty = board.is_empty(target);
        if empty && at_sea(target) {
            return false;
        }
        let zones = self.zones(group.leader);
        let between = game.tables.between(group.from, direction, distance);
        if zones.contains(target) || between.iter().any(|&point| zones.contains(point)) {
            return false;
        }
        match empty {
            true => self.propose_move(group, target),
            false => self.propose_join(group, target, board.at(target)),
        }
    }

    fn air_attack(&mut self, group: &Group, target: Point, direction: usize, distance: u8) -> bool {
        // The way back from the target is the opposite direction.
        let back = direction ^ if is_diagonal(direction) { 3 } else { 1 };
        let (game, board) = (self.game, self.board);
        match game.strike(board, group.leader, target, back, distance, self.defence()) {
            Strike::None => false,
            Strike::Crash => {
                let suicide = group.pieces.contains(Kind::Commander)
                    && !self.board.at(target).contains(Kind::Commander);
                !suicide && self.propose(group, target, StepKind::Crash)
            }
            Strike::Free => {
                let lands = !at_sea(target);
                if lands && self.propose(group, target, StepKind::Capture) {
                    return true;
                }
                let returns = !lands || self.may_return(group, target);
                returns && self.propose(group, target, StepKind::StayCapture)
            }
        }
    }

    /// Whether the group may bomb and return from a target where it could land.
    fn may_return(&self, group: &Group, target: Point) -> bool {
        let rules = &self.game.rules;
        if self.board.at(target).carrier().kind() == Kind::AirForce
            || (group.split && rules.split_bomb == SplitBomb::NoLanding)
        {
            return false;
        }
        rules.air_return == AirReturn::Free || {
            let mut board = *self.board;
            let remainder = board.at(group.from).without(group.pieces);
            board.set::<false>(group.from, remainder);
            board.set::<false>(target, group.pieces);
            self.game.attacked(&board, target, self.side.opponent())
        }
    }
}
