//! What stands on a point: nothing, a piece, or a stack of up to three pieces of one side.

use crate::piece::{Kind, Piece};
use game::Player;

/// Up to three pieces of one side in 16 bits: three piece codes, the carrier's lowest, and the side.
/// Always in order, so that equal contents are equal values.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Stack(u16);

const CODE: u16 = 0x1f;
const SIDE: u16 = 0x8000;

impl Stack {
    /// Nothing.
    pub const EMPTY: Stack = Stack(0);

    /// A single piece.
    #[inline]
    pub const fn single(side: Player, piece: Piece) -> Stack {
        Stack(piece.code() as u16 | (side as u16) << 15)
    }

    /// Red's stack of these piece codes, which must be in order.
    #[inline]
    pub(crate) const fn from_codes(codes: u16) -> Stack {
        Stack(codes)
    }

    /// The same pieces as a side's. Must not be empty unless for Red.
    #[inline]
    pub(crate) const fn of_side(self, side: Player) -> Stack {
        Stack(self.0 & !SIDE | (side as u16) << 15)
    }

    /// The stack as a number, for keys.
    #[inline]
    pub const fn bits(self) -> u16 {
        self.0
    }

    /// Whether there is nothing.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// Number of pieces.
    #[inline]
    pub const fn len(self) -> usize {
        (self.0 & CODE != 0) as usize
            + (self.0 & CODE << 5 != 0) as usize
            + (self.0 & CODE << 10 != 0) as usize
    }

    /// The side it belongs to; Red for nothing.
    #[inline]
    pub const fn side(self) -> Player {
        if self.0 & SIDE == 0 { Player::First } else { Player::Second }
    }

    /// The same pieces for the other side.
    #[inline]
    pub const fn flipped(self) -> Stack {
        if self.is_empty() { self } else { Stack(self.0 ^ SIDE) }
    }

    /// The piece in a slot, which must be below `len`.
    #[inline]
    pub const fn piece(self, slot: usize) -> Piece {
        Piece::from_code((self.0 >> (5 * slot) & CODE) as u8)
    }

    /// The carrier (or the only piece). Must not be empty.
    #[inline]
    pub const fn carrier(self) -> Piece {
        self.piece(0)
    }

    /// The pieces, carrier first.
    #[inline]
    pub fn pieces(self) -> impl Iterator<Item = Piece> {
        let mut rest = self.0 & !SIDE;
        std::iter::from_fn(move || {
            (rest != 0).then(|| {
                let piece = Piece::from_code((rest & CODE) as u8);
                rest >>= 5;
                piece
            })
        })
    }

    /// Whether a piece of this kind is in it.
    #[inline]
    pub const fn contains(self, kind: Kind) -> bool {
        // A group of four bits that is 0 after the exclusive or is one of this kind.
        let other = self.kinds() ^ (kind.index() * 0x111);
        other.wrapping_sub(0x111) & !other & 0x888 != 0
    }

    /// The battle forces in it (rules, section 8): 1 for a navy, 2 for an air force, 4 for land troops.
    pub(crate) const fn forces(self) -> u8 {
        let land =
            self.contains(Kind::Tank) || self.contains(Kind::Infantry) || self.contains(Kind::Artillery);
        self.contains(Kind::Navy) as u8 | (self.contains(Kind::AirForce) as u8) << 1 | (land as u8) << 2
    }

    /// The kinds of the pieces as three 4-bit numbers, the carrier's lowest.
    #[inline]
    pub const fn kinds(self) -> usize {
        let bits = self.0;
        ((bits >> 1 & 0xf) | (bits >> 6 & 0xf) << 4 | (bits >> 11 & 0xf) << 8) as usize
    }

    /// The sum of the pieces' points.
    #[inline]
    pub fn points(self) -> u16 {
        self.pieces().map(Piece::points).sum()
    }

    /// The stack with one more piece; `None` when it is full.
    #[inline]
    pub fn with(self, piece: Piece) -> Option<Stack> {
        if self.0 & CODE << 10 != 0 {
            return None;
        }
        let code = piece.code() as u16;
        let (first, second) = (self.0 & CODE, self.0 >> 5 & CODE);
        let codes = if first == 0 {
            code
        } else if code <= first {
            code | first << 5 | second << 10
        } else if second == 0 || code <= second {
            first | code << 5 | second << 10
        } else {
            first | second << 5 | code << 10
        };
        Some(Stack(codes | self.0 & SIDE))
    }

    /// Both stacks of one side together; `None` when they are more than three pieces.
    #[inline]
    pub fn joined(self, other: Stack) -> Option<Stack> {
        if self.is_empty() {
            return Some(other);
        }
        let mut union = self;
        for piece in other.pieces() {
            union = union.with(piece)?;
        }
        Some(union)
    }

    /// The pieces in the slots of a mask (bit 0: the carrier); empty for no slots.
    #[inline]
    pub const fn select(self, mask: u8) -> Stack {
        let mut codes = 0;
        let mut place = 0;
        let mut slot = 0;
        while slot < 3 {
            let code = self.0 >> (5 * slot) & CODE;
            if mask >> slot & 1 != 0 && code != 0 {
                codes |= code << place;
                place += 5;
            }
            slot += 1;
        }
        if codes == 0 { Stack::EMPTY } else { Stack(codes | self.0 & SIDE) }
    }

    /// The mask of all its slots.
    #[inline]
    pub const fn full_mask(self) -> u8 {
        (1u8 << self.len()) - 1
    }

    /// The lowest slots that hold the pieces of `part`, which must be among this stack's pieces.
    #[inline]
    pub fn mask_of(self, part: Stack) -> u8 {
        let mut mask = 0;
        for piece in part.pieces() {
            for slot in 0..3 {
                if mask >> slot & 1 == 0 && (self.0 >> (5 * slot) & CODE) as u8 == piece.code() {
                    mask |= 1 << slot;
                    break;
                }
            }
        }
        mask
    }

    /// The pieces without those of `part`, which must be among them.
    #[inline]
    pub fn without(self, part: Stack) -> Stack {
        self.select(self.full_mask() & !self.mask_of(part))
    }

    /// The stack with the pieces of the mask's slots promoted. Slots may change places.
    pub fn promoted(self, mask: u8) -> Stack {
        self.changed(mask, Piece::promoted)
    }

    /// The stack with the pieces of the mask's slots as plain ones again. Slots may change places.
    pub(crate) fn demoted(self, mask: u8) -> Stack {
        self.changed(mask, Piece::demoted)
    }

    fn changed(self, mask: u8, change: impl Fn(Piece) -> Piece) -> Stack {
        let mut stack = Stack(self.0 & SIDE);
        for (slot, piece) in self.pieces().enumerate() {
            let piece = if mask >> slot & 1 != 0 { change(piece) } else { piece };
            stack = match stack.with(piece) {
                Some(stack) => stack,
                // Never more pieces than before.
                None => return self,
            };
        }
        stack
    }
}

impl std::fmt::Display for Stack {
    /// As in a FEN: `T`, `+t`, `(N+FT)`.
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        use std::fmt::Write;
        let brackets = self.len() > 1;
        if brackets {
            formatter.write_char('(')?;
        }
        for piece in self.pieces() {
            if piece.is_hero() {
                formatter.write_char('+')?;
            }
            let letter = piece.kind().letter();
            formatter.write_char(match self.side() {
                Player::First => letter,
                Player::Second => letter.to_ascii_lowercase(),
            })?;
        }
        if brackets {
            formatter.write_char(')')?;
        }
        Ok(())
    }
}

impl std::fmt::Debug for Stack {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        if self.is_empty() { formatter.write_str("-") } else { std::fmt::Display::fmt(self, formatter) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn stack(letters: &[(Kind, bool)]) -> Stack {
        let mut stack = Stack::single(Player::Second, Piece::new(letters[0].0, letters[0].1));
        for &(kind, hero) in &letters[1..] {
            stack = stack.with(Piece::new(kind, hero)).unwrap();
        }
        stack
    }

    #[test]
    fn members_are_always_in_order() {
        let one = stack(&[(Kind::Tank, false), (Kind::AirForce, true), (Kind::Navy, false)]);
        let other = stack(&[(Kind::Navy, false), (Kind::Tank, false), (Kind::AirForce, true)]);
        assert_eq!(one, other);
        assert_eq!(one.to_string(), "(n+ft)");
        assert_eq!(one.with(Piece::new(Kind::Tank, false)), None);
        assert_eq!(stack(&[(Kind::Tank, false), (Kind::Tank, true)]).to_string(), "(+tt)");
    }

    #[test]
    fn parts_of_a_stack_with_twins() {
        let twins = stack(&[(Kind::Navy, false), (Kind::Tank, false), (Kind::Tank, false)]);
        let tank = Stack::single(Player::Second, Piece::new(Kind::Tank, false));
        assert_eq!(twins.mask_of(tank), 0b010);
        assert_eq!(twins.without(tank).to_string(), "(nt)");
        assert_eq!(twins.without(tank).without(tank).to_string(), "n");
        assert_eq!(twins.without(twins), Stack::EMPTY);
        assert_eq!(twins.promoted(0b100).to_string(), "(n+tt)");
        assert_eq!(twins.promoted(0b100).demoted(0b010), twins);
        assert!(twins.contains(Kind::Navy) && twins.contains(Kind::Tank));
        assert!(Kind::ALL.iter().filter(|&&kind| twins.contains(kind)).count() == 2);
        assert_eq!(twins.joined(tank), None);
    }
}
