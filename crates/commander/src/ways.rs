//! The ways of pieces: where they may go from every point, laid out in the order of the steps.

use crate::contents::number;
use crate::piece::{Kind, PIECE_CODES, Piece};
use crate::point::{DIRECTION_ORDER, POINTS, Point, is_diagonal};
use crate::rules::Rules;
use crate::stack::Stack;
use crate::tables::{Geometry, Range};
use crate::terrain::at_sea;
use game::Player;

/// A point on the ways of a piece, rays one after another, each from its nearest point on. Of navies, air
/// forces and commanders only the point matters: what they may do there depends on more.
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

/// The ways of all pieces from all points, for both sides: they list their directions in different orders.
#[derive(Clone, Debug)]
pub(crate) struct Ways {
    stops: Vec<Stop>,
    /// Where those of a side, piece code and point begin; the next entry is where they end.
    begin: Vec<u32>,
    /// How many steps at most a piece that stands alone has, for either side, by its number as a stack and by
    /// point, or [`UNKNOWN`].
    most: Box<[[u8; POINTS]; 256]>,
}

/// What stands there is a stack, or has two kinds of steps to some stops.
const UNKNOWN: u8 = u8::MAX;

impl Ways {
    /// The ways under these rules, with the ranges by piece code.
    pub fn new(rules: &Rules, geometry: &Geometry, ranges: &[Range; PIECE_CODES]) -> Ways {
        let mut ways = Ways { stops: Vec::new(), begin: vec![0], most: Box::new([[UNKNOWN; POINTS]; 256]) };
        let pieces = Kind::ALL.into_iter().flat_map(|kind| [Piece::new(kind, false), Piece::new(kind, true)]);
        for side in Player::BOTH {
            for (code, &range) in ranges.iter().enumerate() {
                let piece = pieces.clone().find(|piece| piece.index() == code);
                for from in (0..POINTS).map(Point::from_index) {
                    if let Some(piece) = piece {
                        let before = ways.stops.len();
                        ways.add(rules, geometry, side, piece.kind(), range, from);
                        if piece.kind() != Kind::AirForce {
                            let number = number(Stack::single(Player::First, piece));
                            ways.most[number as usize][from.index()] = (ways.stops.len() - before) as u8;
                        }
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
            let (moves, captures) =
                (range.moves[diagonal], range.captures[diagonal].max(range.torpedo[diagonal]));
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

    /// How many steps at most the piece has that stands alone on a point under a number of `contents.rs`: the
    /// number of its stops. `None` where that is no bound: of stacks, and of air forces.
    #[inline]
    pub fn most_steps(&self, number: u8, from: Point) -> Option<usize> {
        let stops = self.most[number as usize][from.index()];
        (stops != UNKNOWN).then_some(stops as usize)
    }

    /// Those of a piece of a side from a point.
    #[inline]
    pub fn of(&self, side: Player, piece: Piece, from: Point) -> &[Stop] {
        let index = (side.index() * PIECE_CODES + piece.index()) * POINTS + from.index();
        &self.stops[self.begin[index] as usize..self.begin[index + 1] as usize]
    }
}
