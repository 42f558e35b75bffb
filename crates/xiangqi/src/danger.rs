//! What threatens a king, and which moves may leave him capturable.

use crate::board::Board;
use crate::piece::{Id, Kind};
use crate::square::{SQUARES, Square, Squares};
use crate::step::Step;
use crate::tables::{LEG, PAWN, between};
use game::Player;

/// What the enemy pieces around a king mean for the moves of his side.
///
/// Moves that cannot matter are told apart without playing them: only moves of the king, of pieces
/// that keep a line or a horse's leg closed (*guards*), and, in check, moves that may answer it are
/// tested one by one.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Danger {
    /// Points of the pieces that give check.
    checkers: Squares,
    /// Where a move must end to answer all checks, other than by a screen moving off.
    answers: Squares,
    /// Own screens of cannons that give check: they may answer by moving off.
    screens: Squares,
    /// Own pieces whose move may open a line or a leg.
    guards: Squares,
    /// Points between the king and a cannon that looks at him over nothing: no piece may step in.
    hollow: Squares,
}

impl Danger {
    /// The danger for the king of `side`.
    #[inline(always)]
    pub(crate) fn of(board: &Board, side: Player) -> Danger {
        let king = board.square(Id::king(side));
        let (all, own, enemy) = (board.all(), board.occupied(side), side.opponent());
        let mut danger = Danger {
            checkers: Squares::EMPTY,
            answers: Squares::ALL,
            screens: Squares::EMPTY,
            guards: Squares::EMPTY,
            hollow: Squares::EMPTY,
        };
        for id in Id::of_kind(enemy, Kind::Rook).chain([Id::king(enemy)]) {
            let square = board.square(id);
            let Some(gap) = line_to(square, king) else { continue };
            let inside = gap.and(all);
            if inside.is_empty() {
                danger.check(square, gap.or(Squares::of(square)));
            } else if inside.is_single() {
                danger.guards = danger.guards.or(inside.and(own));
            }
        }
        for id in Id::of_kind(enemy, Kind::Cannon) {
            let square = board.square(id);
            let Some(gap) = line_to(square, king) else { continue };
            let inside = gap.and(all);
            if inside.is_empty() {
                danger.hollow = danger.hollow.or(gap);
            } else if inside.is_single() {
                danger.check(square, gap.or(Squares::of(square)));
                danger.screens = danger.screens.or(inside.and(own));
            } else if inside.is_pair() {
                danger.guards = danger.guards.or(inside.and(own));
            }
        }
        for id in Id::of_kind(enemy, Kind::Horse) {
            let square = board.square(id);
            let Some(leg) = leg(square, king) else { continue };
            if own.contains(leg) {
                danger.guards = danger.guards.or(Squares::of(leg));
            } else if !all.contains(leg) {
                danger.check(square, Squares::of(leg).or(Squares::of(square)));
            }
        }
        // A pawn gives check from where a pawn of the king's own side would attack it, or beside.
        let near = PAWN_CHECKS[enemy.index()][king.index()].and(board.occupied(enemy));
        for square in near.seen_by(Player::First) {
            if board.at(square).is_some_and(|id| id.kind() == Kind::Pawn) {
                danger.check(square, Squares::of(square));
            }
        }
        danger
    }

    /// Whether the king is in check.
    #[inline]
    pub(crate) const fn in_check(&self) -> bool {
        !self.checkers.is_empty()
    }

    /// Points of the pieces that give check.
    #[inline]
    pub(crate) const fn checkers(&self) -> Squares {
        self.checkers
    }

    /// Pieces whose moves must be tested although there is no check, the king apart.
    #[inline]
    pub(crate) const fn guards(&self) -> Squares {
        self.guards
    }

    /// Points that pieces other than the king may step on.
    #[inline]
    pub(crate) const fn open(&self) -> Squares {
        Squares::ALL.without(self.hollow)
    }

    /// Splits a piece's targets into those that are legal for certain and those to be tested; the
    /// others are not legal.
    #[inline(always)]
    pub(crate) fn split(&self, id: Id, from: Square, targets: Squares) -> (Squares, Squares) {
        if id.kind() == Kind::King {
            return (Squares::EMPTY, targets);
        }
        let targets = targets.without(self.hollow);
        if self.in_check() {
            let moves_off = self.screens.contains(from);
            (Squares::EMPTY, if moves_off { targets } else { targets.and(self.answers) })
        } else if self.guards.contains(from) {
            (Squares::EMPTY, targets)
        } else {
            (targets, Squares::EMPTY)
        }
    }

    #[inline]
    fn check(&mut self, checker: Square, answers: Squares) {
        self.checkers = self.checkers.or(Squares::of(checker));
        self.answers = self.answers.and(answers);
    }
}

impl Board {
    /// Whether the king of `side` cannot be captured after a move of that side.
    #[inline]
    pub(crate) fn is_safe(&self, side: Player, step: Step) -> bool {
        let Step { from, to } = step;
        let home = self.square(Id::king(side));
        let king = if from == home { to } else { home };
        let occupied = self.all().without(Squares::of(from)).or(Squares::of(to));
        self.is_safe_among(side, king, occupied, to)
    }

    /// Whether no enemy piece attacks the king of `side` on `king`, `occupied` being the occupied
    /// points and the piece on `gone` being captured.
    #[inline]
    fn is_safe_among(&self, side: Player, king: Square, occupied: Squares, gone: Square) -> bool {
        let enemy = side.opponent();
        let square_of = |id: Id| Some(self.square(id)).filter(|&square| square != gone);
        for id in Id::of_kind(enemy, Kind::Rook).chain([Id::king(enemy)]) {
            let gap = square_of(id).and_then(|square| line_to(square, king));
            if gap.is_some_and(|gap| gap.and(occupied).is_empty()) {
                return false;
            }
        }
        for id in Id::of_kind(enemy, Kind::Cannon) {
            let gap = square_of(id).and_then(|square| line_to(square, king));
            if gap.is_some_and(|gap| gap.and(occupied).is_single()) {
                return false;
            }
        }
        for id in Id::of_kind(enemy, Kind::Horse) {
            let leg = square_of(id).and_then(|square| leg(square, king));
            if leg.is_some_and(|leg| !occupied.contains(leg)) {
                return false;
            }
        }
        let near = PAWN_CHECKS[enemy.index()][king.index()].and(self.occupied(enemy));
        near.seen_by(Player::First)
            .all(|square| square == gone || self.at(square).is_none_or(|id| id.kind() != Kind::Pawn))
    }
}

/// The points strictly between two points of one line; `None` for others and for no point.
#[inline(always)]
fn line_to(square: Square, king: Square) -> Option<Squares> {
    if square == Square::NONE { None } else { between(square, king) }
}

/// The leg of a horse that goes from `square` to `king`.
#[inline(always)]
fn leg(square: Square, king: Square) -> Option<Square> {
    if square == Square::NONE {
        return None;
    }
    let leg = LEG[square.index()][king.index()];
    ((leg as usize) < SQUARES).then(|| Square::from_index(leg as usize))
}

/// Where pawns of a side stand that attack a point.
static PAWN_CHECKS: [[Squares; SQUARES]; 2] = {
    let mut table = [[Squares::EMPTY; SQUARES]; 2];
    let mut from = 0;
    while from < SQUARES {
        let mut side = 0;
        while side < 2 {
            let mut to = 0;
            while to < SQUARES {
                if PAWN[side][from].contains(Square::from_index(to)) {
                    table[side][to] = table[side][to].or(Squares::of(Square::from_index(from)));
                }
                to += 1;
            }
            side += 1;
        }
        from += 1;
    }
    table
};
