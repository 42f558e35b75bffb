//! Which stacks hang: all that a side attacks, found in one go over its pieces.

use crate::bits::Bits;
use crate::board::Board;
use crate::commander::Commander;
use crate::piece::Kind;
use crate::point::is_diagonal;
use game::Player;

impl Commander {
    /// Points of the stacks of `side` that a piece of the other side could capture by a single step.
    pub(crate) fn hanging(&self, board: &Board, side: Player) -> Bits {
        let by = side.opponent();
        let mut hanging = Bits::EMPTY;
        // What nothing is known to attack yet.
        let mut left = board.occupied(side);
        let commander = board.commander(side);
        let shielded = commander.filter(|&point| self.shielded(board.at(point)));
        let mut defence = None;
        for (place, stack) in board.stacks(by) {
            for piece in stack.pieces() {
                for target in self.tables.reach(piece, place) & left {
                    let Some((back, distance)) = self.tables.relation(target, place) else { continue };
                    let naval = board.at(target).carrier().kind() == Kind::Navy;
                    let Some(passage) = self.passage(piece, is_diagonal(back), distance, naval) else {
                        continue;
                    };
                    if shielded == Some(target) && !self.pierces_shield(piece.kind()) {
                        continue;
                    }
                    if self.passes(board, passage, piece, target, back, distance, &mut defence) {
                        hanging.insert(target);
                        left.remove(target);
                    }
                }
            }
        }
        if let Some(point) = commander
            && shielded.is_none()
            && self.exposed(board)
        {
            hanging.insert(point);
        }
        hanging
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::middle_games;
    use crate::rules::Rules;

    #[test]
    fn hanging_stacks_are_those_that_are_attacked() {
        let (mut attacked, mut all) = (0, 0);
        for preset in Rules::PRESETS {
            let game = Commander::new(Rules::preset(preset).unwrap());
            for position in middle_games::positions(&game) {
                let board = position.board();
                for side in Player::BOTH {
                    let hanging = game.hanging(board, side);
                    for point in board.occupied(side) {
                        let is = game.attacked(board, point, side.opponent());
                        assert_eq!(hanging.contains(point), is, "{point} {position:?}");
                        attacked += usize::from(is);
                        all += 1;
                    }
                }
            }
        }
        assert!(attacked > 500 && all > 2 * attacked, "{attacked} of {all}");
    }
}
