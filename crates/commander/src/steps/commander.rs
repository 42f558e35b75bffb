//! Steps of the commander (rules, section 5).

use super::{Generator, Group, Sink};
use crate::bits::Bits;
use crate::piece::Kind;
use crate::point::{Point, STRAIGHT};
use crate::tables::Ray;
use crate::terrain::at_sea;

impl<S: Sink + ?Sized> Generator<'_, S> {
    pub(super) fn commander_steps(&mut self, group: &Group) -> bool {
        let lines = self.lines_of_enemy_commander();
        let (game, board) = (self.game, self.board);
        for direction in self.directions().into_iter().take(STRAIGHT) {
            let ray = game.tables.ray(group.from, direction);
            let mut moves = true;
            for (index, &point) in ray.points().iter().enumerate() {
                let distance = index as u8 + 1;
                if board.is_empty(point) {
                    moves &= !lines.contains(point);
                    if moves && distance <= ray.dry && self.propose_move(group, point) {
                        return true;
                    }
                    continue;
                }
                if self.commander_meets(group, ray, point, distance, moves) {
                    return true;
                }
                break;
            }
        }
        false
    }

    /// Joins the friend or captures the enemy on the first occupied point of a ray; `moves` tells whether it
    /// may pass through the points before.
    fn commander_meets(&mut self, group: &Group, ray: &Ray, point: Point, distance: u8, moves: bool) -> bool {
        let there = self.board.at(point);
        if there.side() == self.side {
            let by_land = distance <= ray.dry || (at_sea(point) && self.game.rules.board_at_sea);
            return moves && by_land && self.propose_join(group, point, there);
        }
        let far = self.commanders_open && there.contains(Kind::Commander);
        (distance == 1 || far) && self.land_capture(group, point)
    }

    /// The step of [`Generator::commander_steps`] to one point.
    pub(super) fn commander_step_to(&mut self, group: &Group, target: Point) -> bool {
        let (game, board) = (self.game, self.board);
        let Some((direction, distance)) = game.tables.relation(group.from, target) else { return false };
        let ray = game.tables.ray(group.from, direction);
        let between = game.tables.between(group.from, direction, distance);
        if between.iter().any(|&point| !board.is_empty(point)) {
            return false;
        }
        let lines = self.lines_of_enemy_commander();
        let moves = !between.iter().any(|&point| lines.contains(point));
        if board.is_empty(target) {
            return moves
                && distance <= ray.dry
                && !lines.contains(target)
                && self.propose_move(group, target);
        }
        self.commander_meets(group, ray, target, distance, moves)
    }

    /// Empty points that the enemy commander sees along an open line, when it may be exposed.
    fn lines_of_enemy_commander(&mut self) -> Bits {
        if let Some(lines) = self.lines {
            return lines;
        }
        let enemy = self.side.opponent();
        let mut lines = Bits::EMPTY;
        if self.game.open(self.board, enemy)
            && let Some(commander) = self.board.commander(enemy)
        {
            for direction in 0..STRAIGHT {
                for &point in self.game.tables.ray(commander, direction).points() {
                    if !self.board.is_empty(point) {
                        break;
                    }
                    lines.insert(point);
                }
            }
        }
        *self.lines.insert(lines)
    }
}
