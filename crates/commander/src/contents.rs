//! Numbers for what can stand on a point, in 8 bits instead of a stack's 16, so that positions are small.
//!
//! Every stack that some value of `stack_caps` allows has a number, its side apart. The only others that
//! ever stand on a board are pairs that a carrier leaves behind in the middle of a turn, until they split
//! too; a board holds at most one of these and writes it down beside, under [`ODD`].

use crate::piece::{Kind, Piece};
use crate::stack::Stack;

/// Number of an empty point.
pub(crate) const EMPTY: u8 = 0;

/// Number of a stack that no rules allow.
pub(crate) const ODD: u8 = u8::MAX;

/// The stacks by their numbers, as Red's.
pub(crate) static STACKS: [Stack; 256] = STACKS_BY_NUMBER;

const STACKS_BY_NUMBER: [Stack; 256] = TABLES.0;

/// The numbers by the stacks' bits without the side.
static NUMBERS: [u8; 1 << 15] = TABLES.1;

/// Whether a number stands for a stack with a piece that may defend against air forces.
pub(crate) static DEFENDS: [bool; 256] = {
    let mut defends = [false; 256];
    let mut number = 1;
    while number < 256 {
        let stack = STACKS_BY_NUMBER[number];
        defends[number] =
            stack.contains(Kind::AntiAir) || stack.contains(Kind::Missile) || stack.contains(Kind::Navy);
        number += 1;
    }
    defends
};

/// The battle forces in the stack of a number, as [`Stack::forces`] has them.
pub(crate) static FORCES: [u8; 256] = {
    let mut forces = [0; 256];
    let mut number = 1;
    while number < 256 {
        forces[number] = STACKS_BY_NUMBER[number].forces();
        number += 1;
    }
    forces
};

/// Number of a stack.
#[inline]
pub(crate) fn number(stack: Stack) -> u8 {
    NUMBERS[(stack.bits() & 0x7fff) as usize]
}

const TABLES: ([Stack; 256], [u8; 1 << 15]) = {
    let mut tables = ([Stack::EMPTY; 256], [ODD; 1 << 15]);
    tables.1[0] = EMPTY;
    let mut next = EMPTY as usize;
    let mut first = 0;
    while first < PIECES.len() {
        let carrier = PIECES[first];
        add(&mut tables, &mut next, carrier.code() as u16);
        let mut second = first + 1;
        while second < PIECES.len() {
            let cargo = PIECES[second];
            if rides(carrier.kind(), cargo.kind()) {
                let pair = carrier.code() as u16 | (cargo.code() as u16) << 5;
                add(&mut tables, &mut next, pair);
                let mut third = second;
                while third < PIECES.len() {
                    if ride_together(carrier.kind(), cargo.kind(), PIECES[third].kind()) {
                        add(&mut tables, &mut next, pair | (PIECES[third].code() as u16) << 10);
                    }
                    third += 1;
                }
            }
            second += 1;
        }
        first += 1;
    }
    tables
};

const fn add(tables: &mut ([Stack; 256], [u8; 1 << 15]), next: &mut usize, codes: u16) {
    *next += 1;
    assert!(*next < ODD as usize);
    tables.0[*next] = Stack::from_codes(codes);
    tables.1[codes as usize] = *next as u8;
}

/// Every piece, in the order of the codes. A commander is never a hero.
const PIECES: [Piece; 21] = {
    let mut pieces = [Piece::new(Kind::Commander, false); 21];
    let mut next = 0;
    let mut index = 0;
    while index < Kind::ALL.len() {
        let kind = Kind::ALL[index];
        if !matches!(kind, Kind::Commander) {
            pieces[next] = Piece::new(kind, true);
            next += 1;
        }
        pieces[next] = Piece::new(kind, false);
        next += 1;
        index += 1;
    }
    pieces
};

/// Whether a carrier may carry this cargo under some `stack_caps` (rules, section 6).
const fn rides(carrier: Kind, cargo: Kind) -> bool {
    match carrier {
        Kind::Navy => matches!(cargo, Kind::AirForce | Kind::Tank) || cargo.is_person(),
        Kind::AirForce => matches!(cargo, Kind::Tank) || cargo.is_person(),
        Kind::Tank => cargo.is_person(),
        Kind::Engineer => cargo.is_heavy(),
        Kind::Headquarters => matches!(cargo, Kind::Commander),
        _ => false,
    }
}

/// Whether it may carry both under some `stack_caps`.
const fn ride_together(carrier: Kind, first: Kind, second: Kind) -> bool {
    let two_commanders = matches!((first, second), (Kind::Commander, Kind::Commander));
    let two_tanks = matches!((first, second), (Kind::Tank, Kind::Tank));
    rides(carrier, first)
        && rides(carrier, second)
        && !two_commanders
        && match carrier {
            Kind::Navy | Kind::Tank => true,
            Kind::AirForce => !two_tanks,
            _ => false,
        }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::Rules;
    use crate::tables::Tables;
    use game::Player;

    /// All sorted triples of codes, fewer pieces included.
    fn stacks() -> impl Iterator<Item = Stack> {
        let upto = || std::iter::once(None).chain(PIECES.map(Some));
        PIECES.into_iter().flat_map(move |first| {
            upto().flat_map(move |second| {
                upto().filter_map(move |third| {
                    let mut stack = Stack::single(Player::First, first);
                    for piece in [second, third].into_iter().flatten() {
                        stack = stack.with(piece)?;
                    }
                    Some(stack)
                })
            })
        })
    }

    #[test]
    fn every_stack_that_any_rules_allow_has_a_number_and_no_other() {
        let tables = Rules::PRESETS.map(|preset| Tables::new(&Rules::preset(preset).unwrap()));
        let mut numbered = 0;
        for stack in stacks() {
            let commanders = stack.pieces().filter(|piece| piece.kind() == Kind::Commander).count();
            let allowed = commanders <= 1 && tables.iter().any(|tables| tables.legal_stack(stack));
            assert_eq!(number(stack) != ODD, allowed, "{stack}");
            if allowed {
                assert_eq!(STACKS[number(stack) as usize], stack);
                numbered += 1;
            }
        }
        assert!(numbered > 241, "each stack comes several times");
        assert_eq!(STACKS.iter().filter(|stack| !stack.is_empty()).count(), 241);
    }
}
