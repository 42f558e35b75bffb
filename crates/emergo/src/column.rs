//! A column: guards over prisoners.

/// What stands on a square: guards of one colour on top of prisoners of the other. Whose it is stands
/// beside it in the [`Position`](crate::Position).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(transparent)]
pub struct Column(u8);

impl Column {
    /// Nothing.
    pub(crate) const NONE: Column = Column(0);

    /// A column; both numbers below 16, and some guard unless there is nothing at all.
    #[inline]
    pub(crate) const fn new(guards: u8, prisoners: u8) -> Column {
        debug_assert!(guards < 16 && prisoners < 16 && (guards > 0 || prisoners == 0));
        Column(prisoners << 4 | guards)
    }

    /// Men of the owner, on top.
    #[inline]
    pub const fn guards(self) -> u8 {
        self.0 & 15
    }

    /// Men of the other side, below.
    #[inline]
    pub const fn prisoners(self) -> u8 {
        self.0 >> 4
    }

    /// The column with one prisoner more: what it is after a capture.
    #[inline]
    pub(crate) const fn with_prisoner(self) -> Column {
        Column(self.0 + (1 << 4))
    }

    /// What is left without the top man. Where that was the only guard, the prisoners are the guards
    /// now, and the column is the other side's.
    #[inline]
    pub(crate) const fn without_top(self) -> Column {
        if self.guards() > 1 { Column(self.0 - 1) } else { Column(self.prisoners()) }
    }

    /// The whole column as a number.
    #[inline]
    pub(crate) const fn bits(self) -> u8 {
        self.0
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn captures_move_men_from_top_to_bottom() {
        let column = Column::new(2, 3);
        assert_eq!(column.with_prisoner(), Column::new(2, 4));
        assert_eq!(column.without_top(), Column::new(1, 3));
        assert_eq!(column.without_top().without_top(), Column::new(3, 0));
        assert_eq!(Column::new(1, 0).without_top(), Column::NONE);
    }
}
