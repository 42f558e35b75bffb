//! Keys of positions: one 64-bit number for a stack on a point.
//!
//! A board's key is the exclusive or of the keys of its stacks. Each number comes from a fixed
//! mixing function instead of a table, since there are 132 · 2¹⁶ combinations of point and stack.

use crate::point::Point;
use crate::stack::Stack;

/// Mixes 64 bits: the finaliser of SplitMix64 (Steele, Lea and Flood 2014).
#[inline]
pub const fn mix(value: u64) -> u64 {
    let value = value.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let value = (value ^ value >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    let value = (value ^ value >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    value ^ value >> 31
}

/// Key of a stack on a point; 0 for nothing.
#[inline]
pub const fn stack_key(point: Point, stack: Stack) -> u64 {
    if stack.is_empty() { 0 } else { mix((point.index() as u64) << 16 | stack.bits() as u64) }
}

/// Key of the side to move when it is Blue; 0 for Red.
pub const BLUE_TO_MOVE: u64 = mix(u64::MAX);
