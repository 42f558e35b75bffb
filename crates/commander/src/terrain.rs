//! Terrain of the points (rules, section 1).

use crate::point::Point;

/// What a point is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Terrain {
    /// Files a and b: navy only.
    Sea,
    /// File c: navy and everything else.
    Coast,
    /// d6, e6, d7, e7: navy and everything else.
    NavigableRiver,
    /// f6, f7, h6, h7: the ends of the two fords.
    Ford,
    /// The other points of ranks 6 and 7.
    Riverbank,
    /// Everything else.
    Land,
}

/// The terrain of a point.
pub const fn terrain(point: Point) -> Terrain {
    match (point.file(), point.rank()) {
        (0 | 1, _) => Terrain::Sea,
        (2, _) => Terrain::Coast,
        (3 | 4, 5 | 6) => Terrain::NavigableRiver,
        (5 | 7, 5 | 6) => Terrain::Ford,
        (_, 5 | 6) => Terrain::Riverbank,
        _ => Terrain::Land,
    }
}

/// Whether a navy may stand there: 40 points.
#[inline]
pub const fn navigable(point: Point) -> bool {
    matches!(terrain(point), Terrain::Sea | Terrain::Coast | Terrain::NavigableRiver)
}

/// Whether the point is open sea, where only a navy and its passengers may be.
#[inline]
pub const fn at_sea(point: Point) -> bool {
    point.file() < 2
}

/// Whether a ship's step between two adjacent points would cut across dry land: c5–d6, c8–d7.
pub const fn blocked_corner(from: Point, to: Point) -> bool {
    const C5: Point = Point::at(2, 4);
    const D6: Point = Point::at(3, 5);
    const C8: Point = Point::at(2, 7);
    const D7: Point = Point::at(3, 6);
    const fn joins(from: Point, to: Point, one: Point, other: Point) -> bool {
        (from.index() == one.index() && to.index() == other.index())
            || (from.index() == other.index() && to.index() == one.index())
    }
    joins(from, to, C5, D6) || joins(from, to, C8, D7)
}

/// Whether a heavy piece's move between neighbours leads over the river beside the fords.
pub const fn misses_ford(from: Point, to: Point) -> bool {
    from.upper_bank() != to.upper_bank() && !(from.file() == to.file() && matches!(from.file(), 5 | 7))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::point::POINTS;

    #[test]
    fn counts_of_the_rules_page() {
        let points = || (0..POINTS).map(Point::from_index);
        assert_eq!(points().filter(|&point| navigable(point)).count(), 40);
        assert_eq!(points().filter(|&point| !at_sea(point)).count(), 108);
        assert_eq!(points().filter(|&point| terrain(point) == Terrain::Ford).count(), 4);
        assert!(points().all(|point| terrain(point) == terrain(point.mirrored())));
    }
}
