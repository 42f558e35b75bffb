//! Air-defence zones (rules, section 4).

use crate::bits::Bits;
use crate::board::Board;
use crate::commander::Commander;
use crate::piece::Piece;
use crate::point::Point;
use crate::rules::AirZones;
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
    /// The zone that the stack on a point defends; `None` if it does not.
    #[inline]
    fn zone(&self, board: &Board, point: Point) -> Option<Bits> {
        let radius = self.tables.zone_radius[board.number_at(point) as usize];
        (radius != NO_ZONE).then(|| self.tables.geometry.discs[radius as usize][point.index()])
    }

    /// The air defence of a side.
    pub(crate) fn air_defence(&self, board: &Board, side: Player) -> AirDefence {
        let mut defence = AirDefence { posts: Bits::EMPTY, zones: Bits::EMPTY };
        for point in board.defenders(side) {
            if let Some(zone) = self.zone(board, point) {
                defence.posts.insert(point);
                defence.zones |= zone;
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
            self.zone(board, post)
                .is_some_and(|zone| zone.contains(target) || way.iter().any(|&point| zone.contains(point)))
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
            let Some(zone) = self.zone(board, point) else { continue };
            if zone.contains(target) {
                covering += 1;
            } else if way.iter().any(|&point| zone.contains(point)) {
                return Strike::None;
            }
        }
        if self.rules.air_zones == AirZones::TwoBlock && covering > 1 { Strike::None } else { Strike::Crash }
    }
}
