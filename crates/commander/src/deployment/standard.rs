//! The two set-ups that the rules give (rules, sections 2 and 9).

use super::Deployment;
use crate::piece::{Kind, Piece};
use crate::point::Point;
use crate::stack::Stack;
use game::Player;

type Table = [(&'static str, Kind)];

const STANDARD: &Table = &[
    ("g1", Kind::Commander),
    ("b2", Kind::Navy),
    ("e2", Kind::AirForce),
    ("f2", Kind::Headquarters),
    ("h2", Kind::Headquarters),
    ("i2", Kind::AirForce),
    ("d3", Kind::Artillery),
    ("g3", Kind::Missile),
    ("j3", Kind::Artillery),
    ("c4", Kind::Navy),
    ("e4", Kind::AntiAir),
    ("f4", Kind::Tank),
    ("h4", Kind::Tank),
    ("i4", Kind::AntiAir),
    ("c5", Kind::Infantry),
    ("d5", Kind::Engineer),
    ("g5", Kind::Militia),
    ("j5", Kind::Engineer),
    ("k5", Kind::Infantry),
];

/// Nine pieces without a commander.
const SKIRMISH: &Table = &[
    ("b2", Kind::Navy),
    ("e2", Kind::AirForce),
    ("i2", Kind::AirForce),
    ("d3", Kind::Artillery),
    ("g3", Kind::Missile),
    ("j3", Kind::Artillery),
    ("c4", Kind::Navy),
    ("e4", Kind::AntiAir),
    ("i4", Kind::AntiAir),
];

fn read(table: &Table) -> Deployment {
    let placed = table.iter().filter_map(|&(name, kind)| {
        Some((Point::read(name)?, Stack::single(Player::First, Piece::new(kind, false))))
    });
    Deployment::new(placed.collect())
}

impl Deployment {
    /// The standard set-up.
    pub fn standard() -> Deployment {
        read(STANDARD)
    }

    /// The set-up of the skirmish, which is played under the `win_set` marine and air.
    pub fn skirmish() -> Deployment {
        read(SKIRMISH)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_point_is_one_and_a_skirmish_is_part_of_the_standard() {
        let (standard, skirmish) = (Deployment::standard(), Deployment::skirmish());
        assert_eq!((standard.stacks().len(), skirmish.stacks().len()), (STANDARD.len(), SKIRMISH.len()));
        assert!(skirmish.stacks().iter().all(|placed| standard.stacks().contains(placed)));
        assert_eq!((standard.commander(), skirmish.commander()), (Point::read("g1"), None));
    }
}
