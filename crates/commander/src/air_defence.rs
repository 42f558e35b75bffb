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

    /// All points in a zone of a side.
    pub(crate) fn zones(&self, board: &Board, side: Player) -> Bits {
        let mut zones = Bits::EMPTY;
        for point in board.defenders(side) {
            if let Some(radius) = self.zone_radius(board.at(point)) {
                zones |= self.tables.geometry.discs[radius][point.index()];
            }
        }
        zones
    }

    /// How an air force may attack `target`, `distance` points away; ranges are not looked at.
    pub(crate) fn strike(
        &self,
        board: &Board,
        flyer: Piece,
        target: Point,
        back: usize,
        distance: u8,
        defending: Player,
    ) -> Strike {
        if flyer.is_hero() {
            return Strike::Free;
        }
        let mut between = Bits::EMPTY;
        for &point in self.tables.between(target, back, distance) {
            between.insert(point);
        }
        let mut touched = 0;
        let mut covered = false;
        for point in board.defenders(defending) {
            let Some(radius) = self.zone_radius(board.at(point)) else { continue };
            let zone = self.tables.geometry.discs[radius][point.index()];
            let covers = zone.contains(target);
            let entered = zone.meets(between);
            if entered && !covers {
                return Strike::None;
            }
            covered |= covers;
            touched += covers as u32;
        }
        if !covered {
            Strike::Free
        } else if self.rules.air_zones == AirZones::TwoBlock && touched > 1 {
            Strike::None
        } else {
            Strike::Crash
        }
    }
}
