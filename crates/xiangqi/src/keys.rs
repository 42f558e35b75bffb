//! Hash keys of boards.

use crate::piece::Kind;
use crate::square::{SQUARES, Square};
use game::Player;

/// Keys of pieces by owner (0: whoever sees the board), kind and point as he sees it.
static PIECES: [[[u64; SQUARES]; 7]; 2] = {
    let mut table = [[[0; SQUARES]; 7]; 2];
    let mut number = 0;
    while number < 2 * 7 * SQUARES {
        table[number / (7 * SQUARES)][number / SQUARES % 7][number % SQUARES] = mix(number as u64);
        number += 1;
    }
    table
};

/// What is added when Black is to move.
pub(crate) const BLACK_TO_MOVE: u64 = mix(u64::MAX);

/// Mixes 64 bits: the finaliser of SplitMix64 (Steele, Lea and Flood 2014).
#[inline]
pub(crate) const fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ value >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ value >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ value >> 31
}

/// Key of a piece on a point as `viewer` sees it.
#[inline]
pub(crate) const fn piece_key(viewer: Player, side: Player, kind: Kind, square: Square) -> u64 {
    PIECES[viewer.index() ^ side.index()][kind as usize][square.seen_by(viewer).index()]
}
