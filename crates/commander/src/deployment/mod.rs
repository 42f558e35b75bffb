//! Set-ups of one side (rules, section 9): written down, checked, counted, drawn, compared.
//!
//! A [`Deployment`] is a legal set-up of one side, a [`WrittenDeployment`] anything that a person may
//! write down. Both are seen from the own side: rank 1 is the own edge and the enemy is above, so that one
//! text deploys Red and Blue. [`Commander::deployment`] leads from the one to the other and names all
//! faults at once; [`Commander::deployed`] puts two on a board.
//!
//! `line.rs`, `template.rs` and `drawing.rs` are the three ways of writing one down, `space.rs` counts
//! legal set-ups exactly, `sampler.rs` draws them, `placing.rs` places one piece by piece, `starts.rs` offers
//! them to self-play.

mod army;
mod check;
mod distance;
mod drawing;
mod line;
mod list;
mod pair;
mod placing;
mod prior;
mod sampler;
mod space;
mod standard;
mod starts;
mod template;
mod written;

pub use army::Army;
pub use distance::{Distance, Metric, PieceMove, distance};
pub use list::{ListedDeployment, read_list, split_weight};
pub use pair::{MOST_VOID, MOST_VOID_UNIFORM, PairSupply, Void, VoidTally};
pub use placing::{Placing, PlacingOrder};
pub use prior::{PiecePrior, Prior};
pub use sampler::Sampler;
pub use space::{Space, SpaceError};
pub(crate) use starts::{KINDS, source};
pub use written::{PlacedPiece, WrittenDeployment};

use crate::commander::Commander;
use crate::piece::{Kind, Piece};
use crate::point::Point;
use crate::position::Position;
use crate::rules::FirstPlayer;
use crate::stack::Stack;
use game::Player;

#[cfg(doc)]
use crate::rules::Rules;

/// A set-up of one side, seen from that side. Its stacks belong to [`Player::First`] and are in the order
/// of their points.
///
/// Those that [`Commander::deployment`] and a [`Sampler`] make obey the rules of free set-ups; the
/// standard and the skirmish set-up are what the rules give.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Deployment {
    stacks: Vec<(Point, Stack)>,
}

impl Deployment {
    fn new(mut stacks: Vec<(Point, Stack)>) -> Deployment {
        stacks.sort_unstable_by_key(|&(point, _)| point);
        Deployment { stacks }
    }

    /// What stands where, in the order of the points.
    pub fn stacks(&self) -> &[(Point, Stack)] {
        &self.stacks
    }

    /// What stands on a point.
    pub fn at(&self, point: Point) -> Stack {
        let found = self.stacks.binary_search_by_key(&point, |&(point, _)| point);
        found.map_or(Stack::EMPTY, |index| self.stacks[index].1)
    }

    /// Every piece with its point, in the order of the points.
    pub fn pieces(&self) -> impl Iterator<Item = (Point, Piece)> {
        self.stacks.iter().flat_map(|&(point, stack)| stack.pieces().map(move |piece| (point, piece)))
    }

    /// Where the commander stands.
    pub fn commander(&self) -> Option<Point> {
        self.pieces().find(|(_, piece)| piece.kind() == Kind::Commander).map(|(point, _)| point)
    }
}

impl Commander {
    /// The position with the first set-up for Red and the second for Blue, before the first turn;
    /// [`Rules::first_player`] is to move. Whether the pair is void is asked of [`Commander::void`].
    pub fn deployed(&self, sides: [&Deployment; 2]) -> Position {
        let mut position = Position::empty(match self.rules.first_player {
            FirstPlayer::Red => Player::First,
            FirstPlayer::Blue => Player::Second,
        });
        for (side, deployment) in Player::BOTH.into_iter().zip(sides) {
            for &(point, stack) in &deployment.stacks {
                let stack = if side == Player::First { stack } else { stack.flipped() };
                position.board.set::<true>(point.seen_by(side), stack);
            }
        }
        position
    }
}
