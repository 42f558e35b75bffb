//! What a policy sees of a set-up under way.

use commander::deployment::{Placing, PlacingOrder};
use commander::piece::{Kind, Piece};
use commander::point::{FILES, Point, RANKS};

/// Points of the own half: six ranks of eleven files.
pub const SQUARES: usize = RANKS / 2 * FILES;
/// Planes of a set-up under way.
pub const CHANNELS: usize = 2 * KINDS + 3;
const KINDS: usize = Kind::ALL.len();

/// The own half as a policy sees it, point by point (`[6, 11, CHANNELS]`, rank 1 first):
///
/// | planes | |
/// |---|---|
/// | 0–10 | how many pieces of each kind stand there |
/// | 11–21 | 1 everywhere on the plane of the kind that comes next |
/// | 22 | 1 where the piece may go so that a legal set-up can still be completed |
/// | 23 | share of pieces that stand, everywhere |
/// | 24 | 1 everywhere, so that the edges of the board can be seen |
///
/// Sea, land and zone show in plane 22; nothing of the other side is there.
pub fn planes(order: &PlacingOrder, placing: &Placing, open: &[Point]) -> Vec<f32> {
    let mut planes = vec![0.0; SQUARES * CHANNELS];
    let next = order.next(placing).map(|kind| KINDS + kind.index() - 1);
    let share = placing.placed() as f32 / order.pieces().len() as f32;
    for (index, cells) in planes.chunks_mut(CHANNELS).enumerate() {
        for piece in placing.at(Point::from_index(index)).pieces() {
            cells[Piece::kind(piece).index() - 1] += 1.0;
        }
        if let Some(next) = next {
            cells[next] = 1.0;
        }
        cells[2 * KINDS + 1] = share;
        cells[2 * KINDS + 2] = 1.0;
    }
    for point in open {
        planes[point.index() * CHANNELS + 2 * KINDS] = 1.0;
    }
    planes
}
