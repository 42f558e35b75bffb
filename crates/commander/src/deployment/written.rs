//! A set-up of one side as a person writes it down.

use super::Deployment;
use crate::board::Board;
use crate::piece::Kind;
use crate::point::Point;
use game::Player;

/// A piece of a written set-up: nothing about it need be legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct PlacedPiece {
    /// Where, seen from the own side.
    pub point: Point,
    /// What kind.
    pub kind: Kind,
    /// Whether a `+` stands before it.
    pub hero: bool,
}

/// Any pieces on any points. Pieces on one point are a stack, wherever in the text they stand.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct WrittenDeployment {
    /// The pieces, in the order in which they were written.
    pub pieces: Vec<PlacedPiece>,
}

impl WrittenDeployment {
    /// What stands on a board of one side, seen from that side: how a position that has been played to is
    /// looked at as a set-up.
    pub fn of_board(board: &Board, side: Player) -> WrittenDeployment {
        let mut pieces = Vec::new();
        for place in board.occupied(side) {
            let point = place.seen_by(side);
            for piece in board.at(place).pieces() {
                pieces.push(PlacedPiece { point, kind: piece.kind(), hero: piece.is_hero() });
            }
        }
        pieces.sort_unstable();
        WrittenDeployment { pieces }
    }

    /// The pieces by point, in the order of the points.
    pub(super) fn by_point(&self) -> Vec<(Point, Vec<PlacedPiece>)> {
        let mut pieces = self.pieces.clone();
        pieces.sort_unstable();
        let mut points: Vec<(Point, Vec<PlacedPiece>)> = Vec::new();
        for piece in pieces {
            match points.last_mut() {
                Some((point, here)) if *point == piece.point => here.push(piece),
                _ => points.push((piece.point, vec![piece])),
            }
        }
        points
    }
}

impl From<&Deployment> for WrittenDeployment {
    fn from(deployment: &Deployment) -> WrittenDeployment {
        let placed = deployment.pieces().map(|(point, piece)| PlacedPiece {
            point,
            kind: piece.kind(),
            hero: piece.is_hero(),
        });
        WrittenDeployment { pieces: placed.collect() }
    }
}
