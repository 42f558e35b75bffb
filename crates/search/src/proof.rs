//! Proven results.

use game::{OfFirst, Outcome, Player, Wdl};

/// What is proven about a node, whoever is to move.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Proof {
    /// Nothing.
    Open,
    /// This side wins with best play.
    Win(Player),
    /// A draw with best play. Games cut off at their longest length count as draws here, as they do
    /// in values.
    Draw,
}

impl Proof {
    pub(crate) fn of(outcome: &Outcome) -> Proof {
        outcome.winner().map_or(Proof::Draw, Proof::Win)
    }

    #[inline]
    pub(crate) fn is_open(self) -> bool {
        self == Proof::Open
    }

    /// The proven result, unless open.
    #[inline]
    pub(crate) fn wdl(self) -> Option<OfFirst<Wdl>> {
        match self {
            Proof::Open => None,
            Proof::Win(Player::First) => Some(OfFirst(Wdl::WIN)),
            Proof::Win(Player::Second) => Some(OfFirst(Wdl::LOSS)),
            Proof::Draw => Some(OfFirst(Wdl::DRAW)),
        }
    }

    /// What follows for a node from the proofs of its visited steps, which are all its steps or not.
    pub(crate) fn of_node(mover: Player, steps: impl Iterator<Item = Proof>, all: bool) -> Proof {
        let mut best = if all { Proof::Win(mover.opponent()) } else { Proof::Open };
        for proof in steps {
            match proof {
                Proof::Win(player) if player == mover => return proof,
                Proof::Open => best = Proof::Open,
                Proof::Draw if !best.is_open() => best = Proof::Draw,
                Proof::Draw | Proof::Win(_) => {}
            }
        }
        best
    }
}
