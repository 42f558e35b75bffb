//! Captures (rules, *Captures*): who can jump, and how far a column can go on.

use crate::direction::Direction;
use crate::emergo::Emergo;
use crate::position::{Columns, Position};
use crate::rules::Majority;
use crate::square::{Square, squares};

/// Where captures take place: what can be jumped and where a jump can land.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Field {
    /// Enemy columns that do not stand at the edge.
    pub(crate) targets: u64,
    /// Empty squares.
    pub(crate) empty: u64,
}

impl Field {
    /// Columns of `own` that can jump in a direction.
    #[inline(always)]
    pub(crate) const fn jumpers(self, own: u64, direction: Direction) -> u64 {
        let back = direction.reverse();
        back.shift(self.victims(own, direction))
    }

    /// Columns that `own` columns can jump over in a direction. A target has neighbours on all sides, so
    /// that the shifts cannot mislead.
    #[inline(always)]
    pub(crate) const fn victims(self, own: u64, direction: Direction) -> u64 {
        self.targets & direction.shift(own) & direction.reverse().shift(self.empty)
    }

    /// Columns that some column of `own` can jump over.
    #[inline(always)]
    pub(crate) const fn all_victims(self, own: u64) -> u64 {
        self.victims(own, Direction::NorthEast)
            | self.victims(own, Direction::NorthWest)
            | self.victims(own, Direction::SouthEast)
            | self.victims(own, Direction::SouthWest)
    }
}

/// The columns that can jump, by direction; in the middle of a turn only the capturing one, which does
/// not turn back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Jumpers(pub(crate) [u64; 4]);

impl Jumpers {
    /// Whether nothing can jump.
    #[inline(always)]
    pub(crate) const fn is_empty(&self) -> bool {
        self.squares() == 0
    }

    /// Where they stand.
    #[inline(always)]
    pub(crate) const fn squares(&self) -> u64 {
        self.0[0] | self.0[1] | self.0[2] | self.0[3]
    }

    /// Number of different jumps.
    #[inline(always)]
    pub(crate) fn count(&self) -> u32 {
        self.0.iter().map(|set| set.count_ones()).sum()
    }

    /// Whether there are several jumps to choose from.
    #[inline(always)]
    pub(crate) const fn several(&self) -> bool {
        let [one, two, three, four] = self.0;
        let squares = self.squares();
        let shared = one & two | (one | two) & three | (one | two | three) & four;
        shared != 0 || squares & squares.wrapping_sub(1) != 0
    }

    /// Directions in which the column on a square can jump.
    #[inline(always)]
    pub(crate) fn directions(self, from: Square) -> impl Iterator<Item = Direction> {
        Direction::ALL.into_iter().filter(move |&direction| self.0[direction as usize] & from.bit() != 0)
    }

    /// All jumps, by square and then by direction.
    #[inline(always)]
    pub(crate) fn jumps(self) -> impl Iterator<Item = (Square, Direction)> {
        squares(self.squares())
            .flat_map(move |from| self.directions(from).map(move |direction| (from, direction)))
    }
}

/// What becomes of a capture that goes on to its end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Chains {
    /// Most jumps.
    pub(crate) longest: u32,
    /// Ways to go on: those with the most jumps, or all that end where the column cannot go on.
    pub(crate) ways: u64,
}

/// Follows chains of jumps over the columns of a position. The capturer's own column does not matter to
/// where it can go, so only what it jumps over is kept.
pub(crate) struct Walk {
    columns: Columns,
    field: Field,
    majority: Majority,
}

impl Walk {
    /// The chains that begin with this jump of one of the mover's columns.
    pub(crate) fn first_jump(&mut self, from: Square, direction: Direction) -> Chains {
        // The column leaves its square, which it may come back to or jump across.
        let field = Field { empty: self.field.empty | from.bit(), ..self.field };
        self.jump(field, from, direction)
    }

    /// The chains that begin with this jump of a column that is lifted off the board.
    fn jump(&mut self, field: Field, from: Square, direction: Direction) -> Chains {
        let victim = direction.from(from, 1);
        let before = self.columns.at(victim);
        let after = before.without_top();
        let mut field = field;
        if before.guards() == 1 {
            // What is left is the capturer's own now: nothing to jump over, and no room if it is there.
            field.targets &= !victim.bit();
            if after.guards() == 0 {
                field.empty |= victim.bit();
            }
        }
        self.columns.put(victim, after);
        let mut chains = self.go_on(field, direction.from(from, 2), direction.reverse());
        self.columns.put(victim, before);
        chains.longest += 1;
        chains
    }

    /// The chains of a column that has just jumped to `from`, `back` being where it came from. Each jump
    /// takes one of at most twelve men, so that this does not go deep.
    fn go_on(&mut self, field: Field, from: Square, back: Direction) -> Chains {
        let bit = from.bit();
        let mut best = Chains { longest: 0, ways: 1 };
        let mut first = true;
        for direction in Direction::ALL {
            if direction == back || field.victims(bit, direction) == 0 {
                continue;
            }
            let chains = self.jump(field, from, direction);
            if first {
                best = chains;
                first = false;
            } else {
                best = self.better(best, chains);
            }
        }
        best
    }

    /// Both kinds of chains together.
    #[inline]
    pub(crate) fn better(&self, one: Chains, other: Chains) -> Chains {
        if self.majority == Majority::Off || one.longest == other.longest {
            return Chains { longest: one.longest.max(other.longest), ways: one.ways + other.ways };
        }
        if one.longest > other.longest { one } else { other }
    }
}

impl Emergo {
    /// Where the mover captures.
    #[inline(always)]
    pub(crate) const fn field(&self, position: &Position) -> Field {
        Field { targets: position.enemy() & self.board.interior, empty: position.empty(self.board.all) }
    }

    /// What follows the mover's chains of jumps.
    #[inline(always)]
    pub(crate) const fn walk(&self, position: &Position) -> Walk {
        Walk { columns: position.columns, field: self.field(position), majority: self.rules.majority }
    }

    /// The mover's columns that can jump.
    #[inline(always)]
    pub(crate) const fn jumpers(&self, position: &Position) -> Jumpers {
        let field = self.field(position);
        let (own, back) = match position.capture.capturer() {
            None => (position.own(), None),
            Some((square, last)) => (square.bit(), Some(last.reverse() as usize)),
        };
        let mut sets = [
            field.jumpers(own, Direction::NorthEast),
            field.jumpers(own, Direction::NorthWest),
            field.jumpers(own, Direction::SouthEast),
            field.jumpers(own, Direction::SouthWest),
        ];
        if let Some(back) = back {
            sets[back] = 0;
        }
        Jumpers(sets)
    }
}
