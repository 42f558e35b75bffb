//! Promotions (rules, section 7).

use crate::board::Board;
use crate::commander::Commander;
use crate::piece::{Kind, Piece};
use crate::point::Point;
use crate::rules::LastGuard;
use crate::stack::Stack;
use crate::turn::Turn;
use game::Player;

/// Points at distance 1 to 5 on eight rays: more stacks cannot attack one point.
const MOST_ATTACKERS: usize = 40;

impl Commander {
    /// Promotes every piece of `side` that attacks the enemy commander. Members of the turn's stack
    /// stay known as heroes.
    pub(crate) fn promote_attackers<const KEYS: bool>(
        &self,
        board: &mut Board,
        turn: &mut Turn,
        side: Player,
    ) {
        let Some(target) = board.commander(side.opponent()) else { return };
        let mut found = [(Point::NONE, 0u8); MOST_ATTACKERS];
        let mut length = 0;
        self.attackers(board, target, side, |place, slot, piece| {
            if !piece.is_hero() && piece.kind() != Kind::Commander {
                if length == 0 || found[length - 1].0 != place {
                    found[length] = (place, 0);
                    length += 1;
                }
                found[length - 1].1 |= 1 << slot;
            }
            false
        });
        for &(place, mask) in &found[..length] {
            let stack = board.at(place);
            if place == turn.origin {
                let mut ready_mask = 0;
                for (slot, piece) in turn.ready.pieces().enumerate() {
                    let attacks = |(other, member): (usize, Piece)| member == piece && mask >> other & 1 != 0;
                    ready_mask |= (stack.pieces().enumerate().any(attacks) as u8) << slot;
                }
                turn.ready = turn.ready.promoted(ready_mask);
            }
            board.set::<KEYS>(place, stack.promoted(mask));
        }
    }

    /// The promotions at the end of a turn of `mover`: attackers, then the last guards of both.
    pub(crate) fn promote_at_end<const KEYS: bool>(&self, board: &mut Board, mover: Player) {
        let mut no_turn = Turn::NONE;
        self.promote_attackers::<KEYS>(board, &mut no_turn, mover);
        for side in Player::BOTH {
            if self.has_new_guard(board, side) {
                self.promote_guard::<KEYS>(board, side);
            }
        }
    }

    /// Whether a side has its commander and exactly one other piece that is not a hero.
    #[inline]
    pub(crate) fn has_new_guard(&self, board: &Board, side: Player) -> bool {
        let ignored = match self.rules.last_guard {
            LastGuard::Off => return false,
            LastGuard::WithHq => 0,
            LastGuard::WithoutHq => board.count(side, Kind::Headquarters),
        };
        board.commander(side).is_some()
            && board.total(side) == ignored + 2
            && self.guard(board, side).is_some_and(|(_, _, piece)| !piece.is_hero())
    }

    fn promote_guard<const KEYS: bool>(&self, board: &mut Board, side: Player) {
        if let Some((point, stack, piece)) = self.guard(board, side) {
            let mask = stack.mask_of(Stack::single(side, piece));
            board.set::<KEYS>(point, stack.promoted(mask));
        }
    }

    /// The first piece of a side that can be a last guard.
    fn guard(&self, board: &Board, side: Player) -> Option<(Point, Stack, Piece)> {
        let counts = |piece: &Piece| match piece.kind() {
            Kind::Commander => false,
            Kind::Headquarters => self.rules.last_guard == LastGuard::WithHq,
            _ => true,
        };
        board.occupied(side).into_iter().find_map(|point| {
            let stack = board.at(point);
            stack.pieces().find(counts).map(|piece| (point, stack, piece))
        })
    }
}
