//! Steps of the commander (rules, section 5).

use super::{Generator, Group, Sink};
use crate::bits::Bits;
use crate::piece::Kind;
use crate::point::STRAIGHT;
use crate::terrain::at_sea;

impl<S: Sink + ?Sized> Generator<'_, S> {
    pub(super) fn commander_steps(&mut self, group: &Group) -> bool {
        let lines = self.lines_of_enemy_commander();
        let (side, game, board) = (self.side, self.game, self.board);
        for direction in self.directions().into_iter().take(STRAIGHT) {
            let ray = game.tables.ray(group.from, direction);
            let mut moves = true;
            for (index, &point) in ray.points().iter().enumerate() {
                let distance = index as u8 + 1;
                let there = board.at(point);
                if there.is_empty() {
                    moves &= !lines.contains(point);
                    if moves && distance <= ray.dry && self.propose_move(group, point) {
                        return true;
                    }
                    continue;
                }
                if there.side() == side {
                    let by_land = distance <= ray.dry || (at_sea(point) && game.rules.board_at_sea);
                    if moves && by_land && self.propose_join(group, point, there) {
                        return true;
                    }
                } else {
                    let far = self.commanders_open && there.contains(Kind::Commander);
                    if (distance == 1 || far) && self.land_capture(group, point) {
                        return true;
                    }
                }
                break;
            }
        }
        false
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
