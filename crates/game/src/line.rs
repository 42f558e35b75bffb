//! The line of finished turns that led to a position: what repetition rules look at.

/// One finished turn (or the start) on a [`Line`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LineEntry<M> {
    /// [`Game::repetition_key`](crate::Game::repetition_key) of the position after the turn.
    pub key: u64,
    /// What the game remembers of the turn beside the key, for judges that look back (checks and
    /// chases of Xiangqi); `()` where nothing.
    pub mark: M,
    /// No earlier position can come back after this turn (a capture, say): looking back stops here.
    pub irreversible: bool,
}

/// Keys and marks of the turns played so far, oldest first. Play and search extend it at the end of
/// every turn; a search truncates it again when it goes back to its root.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Line<M> {
    entries: Vec<LineEntry<M>>,
}

impl<M: Copy> Line<M> {
    /// A line without turns; with it, no position counts as repeated.
    pub const fn new() -> Line<M> {
        Line { entries: Vec::new() }
    }

    /// Adds the position reached by a finished turn.
    #[inline]
    pub fn push(&mut self, entry: LineEntry<M>) {
        self.entries.push(entry);
    }

    /// Number of entries.
    #[inline]
    pub fn len(&self) -> usize {
        self.entries.len()
    }

    /// Whether there are no entries.
    #[inline]
    pub fn is_empty(&self) -> bool {
        self.entries.is_empty()
    }

    /// Drops all entries from index `length` on.
    #[inline]
    pub fn truncate(&mut self, length: usize) {
        self.entries.truncate(length);
    }

    /// Drops all entries.
    pub fn clear(&mut self) {
        self.entries.clear();
    }

    /// The entries, oldest first.
    #[inline]
    pub fn entries(&self) -> &[LineEntry<M>] {
        &self.entries
    }

    /// Replaces this line by a copy of `other`, keeping the allocation.
    pub fn copy_from(&mut self, other: &Line<M>) {
        self.entries.clear();
        self.entries.extend_from_slice(&other.entries);
    }

    /// The entries since the last irreversible turn, that turn's own position included.
    #[inline]
    pub fn reversible_tail(&self) -> &[LineEntry<M>] {
        let start = self.entries.iter().rposition(|entry| entry.irreversible).unwrap_or(0);
        &self.entries[start..]
    }

    /// How often the newest position stands on the line, itself included; 0 on an empty line.
    #[inline]
    pub fn occurrences(&self) -> usize {
        let Some(last) = self.entries.last() else { return 0 };
        let mut occurrences = 0;
        for entry in self.entries.iter().rev() {
            occurrences += usize::from(entry.key == last.key);
            if entry.irreversible {
                break;
            }
        }
        occurrences
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(key: u64, irreversible: bool) -> LineEntry<()> {
        LineEntry { key, mark: (), irreversible }
    }

    #[test]
    fn occurrences_stop_at_an_irreversible_turn() {
        let mut line = Line::new();
        assert_eq!(line.occurrences(), 0);
        for (key, irreversible) in [(1, false), (2, false), (1, false)] {
            line.push(entry(key, irreversible));
        }
        assert_eq!(line.occurrences(), 2);
        line.push(entry(7, true));
        line.push(entry(1, false));
        assert_eq!(line.occurrences(), 1);
        line.truncate(3);
        assert_eq!(line.occurrences(), 2);
    }
}
