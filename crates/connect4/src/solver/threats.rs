//! Points that complete a line of four.

use crate::board::{BOTTOM, FILE, FULL};

/// The empty points that would complete a line of four for `own`, whether a stone can be dropped there
/// now or later. Stones lie on each other.
#[inline]
pub(crate) const fn completing(own: u64, stones: u64) -> u64 {
    // Upwards only a third stone on two.
    let mut found = (own << 1) & (own << 2) & (own << 3);
    let mut index = 0;
    while index < 3 {
        let shift = [FILE, FILE - 1, FILE + 1][index];
        let before = (own << shift) & (own << (2 * shift));
        let behind = (own >> shift) & (own >> (2 * shift));
        // Three on one side, or two and one.
        found |= before & ((own << (3 * shift)) | (own >> shift));
        found |= behind & ((own >> (3 * shift)) | (own << shift));
        index += 1;
    }
    found & FULL & !stones
}

/// The points on which a stone can land now.
#[inline]
pub(crate) const fn playable(stones: u64) -> u64 {
    (stones + BOTTOM) & FULL
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::has_four;

    /// Boards on which stones lie on each other: only there a line upwards is never completed from below.
    #[test]
    fn completing_points_are_those_that_make_a_four() {
        let mut state = 3_u64;
        let mut draw = || {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            state.rotate_right(23) ^ (state >> 7)
        };
        let mut found = 0;
        for _ in 0..20_000 {
            let stones = (0..7).fold(0, |stones, file| stones | ((1 << (draw() % 7)) - 1) << (file * FILE));
            let own = stones & draw();
            if has_four(own) {
                continue;
            }
            for bit in (0..49).map(|bit| 1 << bit).filter(|bit| FULL & !stones & bit != 0) {
                let completes = completing(own, stones) & bit != 0;
                assert_eq!(completes, has_four(own | bit), "{own:#x} {stones:#x} {bit:#x}");
                found += u32::from(completes);
            }
            assert_eq!(completing(own, stones) & !(FULL & !stones), 0);
        }
        assert!(found > 1_000, "only {found} completing points");
    }
}
