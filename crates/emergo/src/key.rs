//! Keys of positions: hashes made on demand, so that playing a step costs nothing for them.

use crate::position::Position;

/// Numbers without a pattern, one for each word that goes in: fractional bits of the square roots of
/// the first primes.
const SALT: [u64; 10] = [
    0x6a09_e667_f3bc_c908,
    0xbb67_ae85_84ca_a73b,
    0x3c6e_f372_fe94_f82b,
    0xa54f_f53a_5f1d_36f1,
    0x510e_527f_ade6_82d1,
    0x9b05_688c_2b3e_6c1f,
    0x1f83_d9ab_fb41_bd6b,
    0x5be0_cd19_137e_2179,
    0xcbbb_9d5d_c105_9ed8,
    0x629a_292a_367c_d507,
];

/// Both halves of a product, added without carry: every bit of the factors reaches every bit.
#[inline(always)]
const fn fold(one: u64, other: u64) -> u64 {
    let product = one as u128 * other as u128;
    product as u64 ^ (product >> 64) as u64
}

/// Key of the columns, whose squares are `sides`, and of one more word.
#[inline]
pub(crate) fn key(position: &Position, sides: [u64; 2], more: u64) -> u64 {
    let words = position.columns.words();
    let pair = |first: u64, second: u64, place: usize| fold(first ^ SALT[place], second ^ SALT[place + 1]);
    let columns = pair(words[0], words[1], 0)
        ^ pair(words[2], words[3], 2).rotate_left(21)
        ^ pair(words[4], words[5], 4).rotate_left(42);
    let owners = pair(sides[0], sides[1], 6);
    fold(columns ^ SALT[8], owners ^ fold(more ^ SALT[9], SALT[0]))
}
