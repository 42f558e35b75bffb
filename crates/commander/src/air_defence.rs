//! Air-defence zones (rules, section 4).

use crate::bits::Bits;
use crate::board::Board;
use crate::commander::Commander;
use crate::piece::Piece;
use crate::point::Point;
use crate::rules::AirZones;
use crate::stack::Stack;
use crate::tables::NO_ZONE;
use game::Player;

/// How an air force may attack a point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Strike {
    /// Not at all.
    None,
    /// As other pieces do.
    Free,
    /// Only one for one.
    Crash,
}

/// The air defence of a side.
#[derive(Clone, Copy, Debug)]
pub(crate) struct AirDefence {
    /// Points with stacks that defend.
    posts: Bits,
    /// Points in a zone of any of them.
    pub zones: Bits,
}

impl Commander {
    /// Radius of the zone that a stack defends; `None` if it does not.
    #[inline]
    pub(crate) fn zone_radius(&self, stack: Stack) -> Option<usize> {
        let of = |piece: Piece| self.tables.zone_radius[piece.index()];
        let radius = if self.rules.carried_defends {
            stack.pieces().map(of).filter(|&radius| radius != NO_ZONE).max().unwrap_or(NO_ZONE)
        } else {
            of(stack.carrier())
        };
        (radius != NO_ZONE).then_some(radius as usize)
    }

    /// The air defence of a side.
    pub(crate) fn air_defence(&self, board: &Board, side: Player) -> AirDefence {
        let mut defence = AirDefence { posts: Bits::EMPTY, zones: Bits::EMPTY };
        for point in board.defenders(side) {
            if let Some(radius) = self.zone_radius(board.at(point)) {
                defence.posts.insert(point);
                defence.zones |= self.tables.geometry.discs[radius][point.index()];
            }
        }
        defence
    }

    /// Points of the stacks whose zones cover a target or a point of the way to it.
    pub(crate) fn posts_on_way(
        &self,
        board: &Board,
        defence: &AirDefence,
        target: Point,
        way: &[Point],
    ) -> Bits {
        let meets = |&post: &Point| {
            self.zone_radius(board.at(post)).is_some_and(|radius| {
                let zone = self.tables.geometry.discs[radius][post.index()];
                zone.contains(target) || way.iter().any(|&point| zone.contains(point))
            })
        };
        defence.posts.into_iter().filter(meets).collect()
    }

    /// How an air force may attack `target`, `distance` points away in the direction opposite to `back`;
    /// ranges are not looked at.
    pub(crate) fn strike(
        &self,
        board: &Board,
        flyer: Piece,
        target: Point,
        back: usize,
        distance: u8,
        defence: &AirDefence,
    ) -> Strike {
        if flyer.is_hero() {
            return Strike::Free;
        }
        let way = self.tables.between(target, back, distance);
        let entered = way.iter().any(|&point| defence.zones.contains(point));
        if !defence.zones.contains(target) {
            return if entered { Strike::None } else { Strike::Free };
        }
        if !entered && self.rules.air_zones == AirZones::Share {
            return Strike::Crash;
        }
        let mut covering = 0;
        for point in defence.posts {
            let Some(radius) = self.zone_radius(board.at(point)) else { continue };
            let zone = self.tables.geometry.discs[radius][point.index()];
            if zone.contains(target) {
                covering += 1;
            } else if way.iter().any(|&point| zone.contains(point)) {
                return Strike::None;
            }
        }
        if self.rules.air_zones == AirZones::TwoBlock && covering > 1 { Strike::None } else { Strike::Crash }
    }
}
