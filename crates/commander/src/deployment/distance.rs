//! How far two set-ups are from each other.

use super::Deployment;
use crate::piece::Kind;
use crate::point::Point;

/// How steps between two points are counted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Metric {
    /// Along files and ranks only: |files| + |ranks| (Manhattan).
    #[default]
    Straight,
    /// In eight directions: the larger of |files| and |ranks| (Chebyshev).
    Diagonal,
}

impl Metric {
    /// Steps from one point to another over an empty board without terrain.
    pub const fn steps(self, from: Point, to: Point) -> u32 {
        let files = from.file().abs_diff(to.file()) as u32;
        let ranks = from.rank().abs_diff(to.rank()) as u32;
        match self {
            Metric::Straight => files + ranks,
            Metric::Diagonal if files > ranks => files,
            Metric::Diagonal => ranks,
        }
    }
}

/// A piece that stands elsewhere in the other set-up.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PieceMove {
    /// What kind.
    pub kind: Kind,
    /// Its point in the first set-up.
    pub from: Point,
    /// Its point in the second one.
    pub to: Point,
    /// Steps between them.
    pub steps: u32,
}

/// The distance of two set-ups, and how it comes about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Distance {
    /// Sum of the steps of all pieces.
    pub steps: u32,
    /// The pieces that move, in the order of the kinds.
    pub moves: Vec<PieceMove>,
}

/// The least number of steps that turn one set-up into the other, every piece going to the point of a like
/// one: an assignment of least cost for each kind. `None` where their pieces differ. It is a metric: 0
/// exactly for equal pieces on equal points, the same in both directions, and never longer than by way of
/// a third set-up.
pub fn distance(one: &Deployment, other: &Deployment, metric: Metric) -> Option<Distance> {
    let mut moves = Vec::new();
    for kind in Kind::ALL {
        let of = |deployment: &Deployment| -> Vec<Point> {
            let like = deployment.pieces().filter(|(_, piece)| piece.kind() == kind);
            like.map(|(point, _)| point).collect()
        };
        let (from, to) = (of(one), of(other));
        if from.len() != to.len() {
            return None;
        }
        for (&from, to) in from.iter().zip(cheapest(&from, &to, metric)) {
            if from != to {
                moves.push(PieceMove { kind, from, to, steps: metric.steps(from, to) });
            }
        }
    }
    Some(Distance { steps: moves.iter().map(|piece| piece.steps).sum(), moves })
}

/// The order of `to` that is cheapest to reach from `from`, found by trying all: no kind has more than two
/// pieces.
fn cheapest(from: &[Point], to: &[Point], metric: Metric) -> Vec<Point> {
    let Some((&first, rest)) = from.split_first() else { return Vec::new() };
    let mut best: Option<(u32, Vec<Point>)> = None;
    for (index, &target) in to.iter().enumerate() {
        let mut others = to.to_vec();
        others.remove(index);
        let mut order = cheapest(rest, &others, metric);
        order.insert(0, target);
        let cost = metric.steps(first, target)
            + rest.iter().zip(&order[1..]).map(|(&from, &to)| metric.steps(from, to)).sum::<u32>();
        if best.as_ref().is_none_or(|(least, _)| cost < *least) {
            best = Some((cost, order));
        }
    }
    best.map(|(_, order)| order).unwrap_or_default()
}
