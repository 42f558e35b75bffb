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
            if let Some((point, stack, piece)) = self.new_guard(board, side) {
                let mask = stack.mask_of(Stack::single(side, piece));
                board.set::<KEYS>(point, stack.promoted(mask));
            }
        }
    }

    /// Whether a piece counts when the last guard is looked for.
    #[inline]
    fn may_guard(&self, piece: Piece) -> bool {
        match piece.kind() {
            Kind::Commander => false,
            Kind::Headquarters => self.rules.last_guard == LastGuard::WithHq,
            _ => true,
        }
    }

    /// Number of pieces of a side among which the last guard may be, counted up to `most`;
    /// `None` when the side can have none.
    #[inline]
    pub(crate) fn guards(&self, board: &Board, side: Player, most: usize) -> Option<usize> {
        if self.rules.last_guard == LastGuard::Off || board.commander(side).is_none() {
            return None;
        }
        // So many stacks beside the commander's have as many pieces, when all pieces count.
        if self.rules.last_guard == LastGuard::WithHq && board.occupied(side).len() as usize > most {
            return Some(most);
        }
        Some(board.pieces(side).filter(|&piece| self.may_guard(piece)).take(most).count())
    }

    /// The piece of a side that beside its commander is the only one that counts, unless it is a hero.
    pub(crate) fn new_guard(&self, board: &Board, side: Player) -> Option<(Point, Stack, Piece)> {
        if self.guards(board, side, 2) != Some(1) {
            return None;
        }
        board.stacks(side).find_map(|(point, stack)| {
            let guard = stack.pieces().find(|&piece| self.may_guard(piece) && !piece.is_hero())?;
            Some((point, stack, guard))
        })
    }
}
