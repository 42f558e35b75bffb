//! The ways of land pieces: where they may go from every point, laid out in the order of the steps.

use crate::piece::{Kind, PIECE_CODES, Piece};
use crate::point::{DIRECTION_ORDER, POINTS, Point, is_diagonal};
use crate::rules::Rules;
use crate::tables::{Geometry, Range};
use crate::terrain::at_sea;
use game::Player;

/// A point on the ways of a piece, rays one after another, each from its nearest point on.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Stop {
    /// The point.
    pub point: Point,
    /// It is the first of its ray.
    pub first: bool,
    /// An empty point is reached by a move, as far as ranges and terrain go.
    pub moves: bool,
    /// A friend there is reached by a join.
    pub joins: bool,
    /// An enemy there is in range.
    pub captures: bool,
    /// Number of the stop at which the next ray begins.
    pub next_ray: u8,
}

/// The ways of all land pieces, commanders apart, from all points, for both sides: they list their
/// directions in different orders.
#[derive(Clone, Debug)]
pub(crate) struct Ways {
    stops: Vec<Stop>,
    /// Where those of a side, piece code and point begin; the next entry is where they end.
    begin: Vec<u32>,
}

impl Ways {
    /// The ways under these rules, with the ranges by piece code.
    pub fn new(rules: &Rules, geometry: &Geometry, ranges: &[Range; PIECE_CODES]) -> Ways {
        let mut ways = Ways { stops: Vec::new(), begin: vec![0] };
        let pieces = Kind::ALL
            .into_iter()
            .filter(|kind| !matches!(kind, Kind::Navy | Kind::AirForce | Kind::Commander))
            .flat_map(|kind| [Piece::new(kind, false), Piece::new(kind, true)]);
        for side in Player::BOTH {
            for (code, &range) in ranges.iter().enumerate() {
                let piece = pieces.clone().find(|piece| piece.index() == code);
                for from in (0..POINTS).map(Point::from_index) {
                    if let Some(piece) = piece {
                        ways.add(rules, geometry, side, piece.kind(), range, from);
                    }
                    ways.begin.push(ways.stops.len() as u32);
                }
            }
        }
        ways
    }

    fn add(
        &mut self,
        rules: &Rules,
        geometry: &Geometry,
        side: Player,
        kind: Kind,
        range: Range,
        from: Point,
    ) {
        let start = self.stops.len();
        for direction in DIRECTION_ORDER[side.index()] {
            let diagonal = is_diagonal(direction) as usize;
            let (moves, captures) = (range.moves[diagonal], range.captures[diagonal]);
            let ray = &geometry.rays[from.index()][direction];
            // How far moves lead: over the river only where the piece can cross.
            let crossing = if kind.is_heavy() { moves.min(ray.forded) } else { moves };
            let first = self.stops.len();
            for (distance, &point) in (1..).zip(ray.up_to(moves.max(captures))) {
                let by_land = distance <= ray.dry;
                self.stops.push(Stop {
                    point,
                    first: distance == 1,
                    moves: distance <= crossing && by_land,
                    joins: distance <= crossing && (by_land || (at_sea(point) && rules.board_at_sea)),
                    captures: distance <= captures,
                    next_ray: 0,
                });
            }
            let next_ray = (self.stops.len() - start) as u8;
            for stop in &mut self.stops[first..] {
                stop.next_ray = next_ray;
            }
        }
    }

    /// Those of a piece of a side from a point.
    #[inline]
    pub fn of(&self, side: Player, piece: Piece, from: Point) -> &[Stop] {
        let index = (side.index() * PIECE_CODES + piece.index()) * POINTS + from.index();
        &self.stops[self.begin[index] as usize..self.begin[index + 1] as usize]
    }
}
