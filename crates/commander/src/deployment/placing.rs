//! A set-up placed piece by piece.

use super::{Army, Deployment};
use crate::commander::Commander;
use crate::piece::{Kind, Piece};
use crate::point::{FILES, Point, RANKS};
use crate::stack::Stack;
use crate::tables::may_stand;
use game::Player;

/// Points of the own half.
const HALF: usize = RANKS / 2 * FILES;

/// The order in which the pieces of a free set-up are placed: kind by kind as [`Kind::ALL`] has them, so that a
/// carrier stands before its cargo comes, and pieces of a kind from a1 along the ranks. Every legal set-up comes
/// about in exactly one way, and no way ends before all pieces stand:
///
/// - what stands below a piece of a legal stack is a legal stack itself, so that no point ever waits for a piece;
/// - all but navies have 45 points or more, of which 18 are taken at most, so that a kind always finds room; and
///   [`PlacingOrder::open`] leaves out points behind which the other pieces of the kind would find none.
#[derive(Clone, Debug)]
pub struct PlacingOrder {
    game: Commander,
    pieces: Vec<Kind>,
}

/// A set-up under way.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Placing {
    half: [Stack; HALF],
    /// Where each piece went.
    places: Vec<Point>,
}

impl Placing {
    /// How many pieces stand.
    pub fn placed(&self) -> usize {
        self.places.len()
    }

    /// Where they went, in the order of their placing.
    pub fn places(&self) -> &[Point] {
        &self.places
    }

    /// What stands on a point; nothing beyond the own half.
    pub fn at(&self, point: Point) -> Stack {
        self.half.get(point.index()).copied().unwrap_or(Stack::EMPTY)
    }
}

impl PlacingOrder {
    /// The order under the rules of a game.
    pub fn new(game: &Commander) -> PlacingOrder {
        let copies = |kind| std::iter::repeat_n(kind, usize::from(Army::FULL.count(kind)));
        PlacingOrder { game: game.clone(), pieces: Kind::ALL.into_iter().flat_map(copies).collect() }
    }

    /// The pieces in their order: 19 of them.
    pub fn pieces(&self) -> &[Kind] {
        &self.pieces
    }

    /// No piece placed.
    pub fn begin(&self) -> Placing {
        Placing { half: [Stack::EMPTY; HALF], places: Vec::with_capacity(self.pieces.len()) }
    }

    /// The piece that comes next; `None` when all stand.
    pub fn next(&self, placing: &Placing) -> Option<Kind> {
        self.pieces.get(placing.placed()).copied()
    }

    /// The points on which the next piece may be placed so that a legal set-up can still be completed, from a1
    /// along the ranks. Never empty while a piece is left.
    pub fn open(&self, placing: &Placing) -> Vec<Point> {
        self.fitting(placing)
            .filter(|&(point, stack)| self.others_fit(placing, point, stack))
            .map(|fit| fit.0)
            .collect()
    }

    /// Places the next piece; `None` where it must not go there.
    #[must_use]
    pub fn place(&self, placing: &Placing, point: Point) -> Option<Placing> {
        let (_, stack) = self.fitting(placing).find(|fit| fit.0 == point)?;
        self.others_fit(placing, point, stack).then(|| with(placing, point, stack))
    }

    /// The set-up when all pieces stand; `None` before.
    pub fn finished(&self, placing: &Placing) -> Option<Deployment> {
        if placing.placed() < self.pieces.len() {
            return None;
        }
        let stacks = placing.half.iter().enumerate().filter(|(_, stack)| !stack.is_empty());
        Some(Deployment::new(stacks.map(|(index, &stack)| (Point::from_index(index), stack)).collect()))
    }

    /// The points to which the pieces of a set-up go, in the order; `None` for one that is no free set-up.
    pub fn places(&self, deployment: &Deployment) -> Option<Vec<Point>> {
        let mut pieces: Vec<(Kind, Point)> =
            deployment.pieces().map(|(point, piece)| (piece.kind(), point)).collect();
        pieces.sort_unstable();
        let right = pieces.iter().map(|piece| piece.0).eq(self.pieces.iter().copied());
        right.then(|| pieces.into_iter().map(|piece| piece.1).collect())
    }

    /// Where the next piece may stand by itself, and the stack that it makes there.
    fn fitting(&self, placing: &Placing) -> impl Iterator<Item = (Point, Stack)> {
        let number = placing.placed();
        let kind = self.pieces.get(number).copied();
        // Pieces of a kind come from a1 along the ranks.
        let again = number > 0 && kind == Some(self.pieces[number - 1]);
        let first = if again { placing.places[number - 1].index() } else { 0 };
        let last = self.game.rules.free_zone.ranks() * FILES;
        (first..last).filter_map(move |index| {
            let (point, piece) = (Point::from_index(index), Piece::new(kind?, false));
            let stack = match placing.half[index] {
                empty if empty.is_empty() => Stack::single(Player::First, piece),
                stack => stack.with(piece)?,
            };
            let fits = may_stand(stack.carrier().kind(), point) && self.game.may_deploy_together(stack);
            fits.then_some((point, stack))
        })
    }

    /// Whether the other pieces of its kind find room behind a piece on a point.
    fn others_fit(&self, placing: &Placing, point: Point, stack: Stack) -> bool {
        let number = placing.placed();
        if self.pieces.get(number + 1) != self.pieces.get(number) {
            return true;
        }
        let next = with(placing, point, stack);
        self.fitting(&next).any(|(point, stack)| self.others_fit(&next, point, stack))
    }
}

fn with(placing: &Placing, point: Point, stack: Stack) -> Placing {
    let mut next = placing.clone();
    next.half[point.index()] = stack;
    next.places.push(point);
    next
}
