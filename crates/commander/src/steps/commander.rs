//! Steps of the commander (rules, section 5).

use super::{Generator, Group, Sink};
use crate::attacks::is_empty;
use crate::bits::Bits;
use crate::piece::Kind;
use crate::point::is_diagonal;
use crate::step::StepKind;
use crate::terrain::at_sea;

impl<S: Sink + ?Sized> Generator<'_, S> {
    pub(super) fn commander_steps(&mut self, group: Group) -> bool {
        let lines = self.lines_of_enemy_commander();
        let game = self.game;
        for direction in self.directions() {
            if is_diagonal(direction) {
                continue;
            }
            // Whether it may still move on, and whether it has left land on its way.
            let (mut moves, mut dry) = (true, true);
            for (index, &point) in game.tables.ray(group.from, direction).iter().enumerate() {
                dry &= !at_sea(point);
                if self.own(point) {
                    let by_land = dry || (at_sea(point) && game.rules.board_at_sea);
                    if moves && by_land && self.propose_join(&group, point) {
                        return true;
                    }
                    break;
                }
                if self.enemy(point) {
                    let far = self.commanders_open && self.board.at(point).contains(Kind::Commander);
                    if (index == 0 || far) && self.land_capture(&group, point) {
                        return true;
                    }
                    break;
                }
                moves &= !lines.contains(point);
                if moves && dry && self.propose(&group, point, StepKind::Move) {
                    return true;
                }
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
            for direction in 0..4 {
                for &point in self.game.tables.ray(commander, direction) {
                    if !is_empty(self.board, point) {
                        break;
                    }
                    lines.insert(point);
                }
            }
        }
        *self.lines.insert(lines)
    }
}
