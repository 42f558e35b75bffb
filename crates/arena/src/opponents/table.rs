//! A transposition table of bounded size.

/// What a stored value says about the true one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Bound {
    /// It is the value.
    Exact,
    /// The value is at least this.
    Lower,
    /// The value is at most this.
    Upper,
}

/// What a search found out about a position, seen by the side to move there.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    key: u64,
    generation: u32,
    pub(super) value: i32,
    /// Index of the best step in the order of the legal steps.
    pub(super) best: u16,
    /// Turns that were looked ahead.
    pub(super) depth: u8,
    pub(super) bound: Bound,
}

/// 2¹⁶ entries of 24 bytes; a newer one replaces an older one.
const SLOTS: usize = 1 << 16;

/// Remembers positions of one search; entries of earlier searches count as absent, so that no
/// search depends on what was searched before it.
pub(super) struct Table {
    entries: Vec<Entry>,
    generation: u32,
}

impl Table {
    pub(super) fn new() -> Table {
        let empty = Entry { key: 0, generation: 0, value: 0, best: 0, depth: 0, bound: Bound::Exact };
        Table { entries: vec![empty; SLOTS], generation: 0 }
    }

    /// Forgets everything.
    pub(super) fn clear(&mut self) {
        match self.generation.checked_add(1) {
            Some(next) => self.generation = next,
            None => *self = Table { generation: 1, ..Table::new() },
        }
    }

    pub(super) fn find(&self, key: u64) -> Option<&Entry> {
        let entry = &self.entries[key as usize % SLOTS];
        (entry.generation == self.generation && entry.key == key).then_some(entry)
    }

    pub(super) fn store(&mut self, key: u64, value: i32, best: usize, depth: u32, bound: Bound) {
        let best = u16::try_from(best).unwrap_or(u16::MAX);
        let depth = u8::try_from(depth).unwrap_or(u8::MAX);
        self.entries[key as usize % SLOTS] =
            Entry { key, generation: self.generation, value, best, depth, bound };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn entries_are_found_until_cleared_or_replaced() {
        let mut table = Table::new();
        table.clear();
        assert!(table.find(0).is_none());
        table.store(5, -3, 2, 1, Bound::Lower);
        let entry = table.find(5).unwrap();
        assert_eq!((entry.value, entry.best, entry.depth, entry.bound), (-3, 2, 1, Bound::Lower));
        assert!(table.find(5 + SLOTS as u64).is_none());
        table.store(5 + SLOTS as u64, 1, 0, 1, Bound::Exact);
        assert!(table.find(5).is_none());
        table.clear();
        assert!(table.find(5 + SLOTS as u64).is_none());
    }
}
