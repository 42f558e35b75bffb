//! Whose piece stands on a square.

use crate::Player;

/// Whose piece stands on a square, as one side sees it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Owner {
    /// Nobody's: the square is empty.
    #[default]
    Nobody,
    /// The viewer's.
    Own,
    /// The other side's.
    Enemy,
}

impl Owner {
    /// All owners, in the order of [`Owner::index`].
    pub const ALL: [Owner; 3] = [Owner::Nobody, Owner::Own, Owner::Enemy];

    /// What a piece of `side` is to `viewer`.
    pub fn of(side: Player, viewer: Player) -> Owner {
        if side == viewer { Owner::Own } else { Owner::Enemy }
    }

    /// Its number: 0, 1 or 2.
    pub const fn index(self) -> usize {
        self as usize
    }
}
