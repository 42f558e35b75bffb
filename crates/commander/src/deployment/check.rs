//! From a written set-up to a legal one (rules, section 9).

use super::{Army, Deployment, PlacedPiece, WrittenDeployment};
use crate::commander::Commander;
use crate::piece::{Kind, Piece};
use crate::point::{Point, RANKS};
use crate::rules::{FreeStacks, FreeZone};
use crate::stack::Stack;
use crate::tables::may_stand;
use game::{Faults, Player};

impl FreeZone {
    /// Number of ranks, from the own edge.
    pub const fn ranks(self) -> usize {
        match self {
            FreeZone::Half => RANKS / 2,
            FreeZone::FiveRanks => 5,
        }
    }
}

impl Commander {
    /// Whether a free set-up may have these pieces on one point; a single piece always may.
    pub(super) fn may_deploy_together(&self, stack: Stack) -> bool {
        let mut kinds = stack.pieces().map(Piece::kind);
        let shielded = [kinds.next(), kinds.next()] == [Some(Kind::Headquarters), Some(Kind::Commander)];
        match (stack.len(), self.rules.free_stacks) {
            (1, _) => true,
            (2, FreeStacks::Hq) => shielded,
            (_, FreeStacks::Any) => self.tables.legal_stack(stack),
            _ => false,
        }
    }

    /// The free set-up that is written, or everything that is wrong with it under `free_zone`, `free_stacks`
    /// and `stack_caps`.
    ///
    /// # Errors
    /// The place of a fault is its point; where a kind has too many pieces all their points, and where it has
    /// too few the name of the kind. Pieces that may not stand together are tested one by one, others by their
    /// carrier.
    pub fn deployment(&self, written: &WrittenDeployment) -> Result<Deployment, Faults> {
        let mut faults = Faults::new();
        let mut stacks = Vec::new();
        for (point, pieces) in written.by_point() {
            if let Some(stack) = self.group(point, &pieces, &mut faults) {
                stacks.push((point, stack));
            }
        }
        for kind in Kind::ALL {
            let points: Vec<String> = written
                .by_point()
                .iter()
                .flat_map(|(_, pieces)| pieces)
                .filter(|piece| piece.kind == kind)
                .map(|piece| piece.point.to_string())
                .collect();
            let (found, wanted) = (points.len(), usize::from(Army::FULL.count(kind)));
            let message =
                format!("found {found} of the piece {} ({}), expected {wanted}", kind.letter(), kind.name());
            if found > wanted {
                faults.add(points.join(" and "), message);
            } else if found < wanted {
                faults.add(kind.name(), message);
            }
        }
        faults.into_result(Deployment::new(stacks))
    }

    /// The pieces of one point as a stack, if they make one at all; faults say whether it is legal.
    fn group(&self, point: Point, pieces: &[PlacedPiece], faults: &mut Faults) -> Option<Stack> {
        let place = point.to_string();
        let ranks = self.rules.free_zone.ranks();
        if point.rank() >= ranks {
            faults.add(&place, format!("lies outside the ranks of a set-up, expected ranks 1 to {ranks}"));
        }
        for piece in pieces.iter().filter(|piece| piece.hero) {
            let letter = piece.kind.letter();
            faults.add(&place, format!("`+{letter}`: a set-up has no heroes, write {letter}"));
        }
        let mut stack = Some(Stack::EMPTY);
        for piece in pieces {
            let plain = Piece::new(piece.kind, false);
            stack = match stack {
                Some(stack) if stack.is_empty() => Some(Stack::single(Player::First, plain)),
                Some(stack) => stack.with(plain),
                None => None,
            };
        }
        let together = stack.filter(|&stack| self.may_deploy_together(stack));
        if together.is_none() {
            let letters: String = pieces.iter().map(|piece| piece.kind.letter()).collect();
            let expected = match self.rules.free_stacks {
                FreeStacks::None => "one piece a point (free_stacks = none)",
                FreeStacks::Hq => "one piece a point, but for (HC) (free_stacks = hq)",
                FreeStacks::Any => "a legal stack under stack_caps",
            };
            faults.add(&place, format!("({letters}) stand together, expected {expected}"));
        }
        let bearers: Vec<Kind> = match together {
            Some(stack) => vec![stack.carrier().kind()],
            None => pieces.iter().map(|piece| piece.kind).collect(),
        };
        for kind in bearers.into_iter().filter(|&kind| !may_stand(kind, point)) {
            let ground = if kind == Kind::Navy { "files a to c or d6, e6" } else { "files c to k" };
            faults.add(
                &place,
                format!(
                    "the piece {} ({}) cannot stand there, expected {ground}",
                    kind.letter(),
                    kind.name()
                ),
            );
        }
        together
    }
}
