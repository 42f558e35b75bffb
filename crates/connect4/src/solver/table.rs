//! The solver's memory: bounds of positions.

/// What is known of a position's score.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// It is at least this.
    Lower(i32),
    /// It is at most this.
    Upper(i32),
}

/// Bits of a key: a position's number has 49.
const KEY_BITS: u32 = 56;

/// A table of one bound a slot; a newer bound replaces an older one. A slot is the key below and the
/// bound in the upper eight bits, so that no bound is ever taken for another position's.
#[derive(Debug)]
pub(super) struct Table {
    slots: Vec<u64>,
    shift: u32,
}

impl Table {
    /// An empty table with at least `slots` slots.
    pub fn new(slots: usize) -> Table {
        let slots = slots.next_power_of_two().max(2);
        // No position has the key 0: the bit above a file's top stone is always set.
        Table { slots: vec![0; slots], shift: 64 - slots.trailing_zeros() }
    }

    #[inline]
    fn slot(&self, key: u64) -> usize {
        // Fibonacci hashing: the upper bits of a product with 2⁶⁴ / φ.
        (key.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> self.shift) as usize
    }

    #[inline]
    pub fn find(&self, key: u64) -> Option<Bound> {
        let slot = self.slots[self.slot(key)];
        if slot & ((1 << KEY_BITS) - 1) != key {
            return None;
        }
        // Six bits of score above −32, one of the kind.
        let code = (slot >> KEY_BITS) as i32;
        let score = (code >> 1) - 32;
        Some(if code & 1 == 1 { Bound::Lower(score) } else { Bound::Upper(score) })
    }

    #[inline]
    pub fn store(&mut self, key: u64, bound: Bound) {
        let code = match bound {
            Bound::Lower(score) => ((score + 32) << 1) | 1,
            Bound::Upper(score) => (score + 32) << 1,
        };
        let slot = self.slot(key);
        self.slots[slot] = key | ((code as u64) << KEY_BITS);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bounds_come_back_under_their_own_key_only() {
        let mut table = Table::new(16);
        for key in 1..2_000_u64 {
            let score = (key % 37) as i32 - 18;
            let bound = if key % 2 == 0 { Bound::Lower(score) } else { Bound::Upper(score) };
            table.store(key << 37, bound);
            assert_eq!(table.find(key << 37), Some(bound));
        }
        let kept = (1..2_000_u64).filter(|key| table.find(key << 37).is_some()).count();
        assert!((1..=16).contains(&kept), "{kept} of 16");
        assert_eq!(table.find(2_000 << 37), None);
    }
}
