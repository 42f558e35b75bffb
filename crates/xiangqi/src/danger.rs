//! What threatens a king, and which moves may leave him capturable.

use crate::board::Board;
use crate::piece::{Id, Kind};
use crate::square::{Square, Squares};
use crate::step::Step;
use crate::tables::{CROSS, HORSE, LEG, PAWN_ORIGINS, between};
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
        let king = board.king(side);
        let (all, own) = (board.all(), board.occupied(side));
        let near = Near::to(board, side, king, Squares::EMPTY);
        let mut danger = Danger {
            checkers: Squares::EMPTY,
            answers: Squares::ALL,
            screens: Squares::EMPTY,
            guards: Squares::EMPTY,
            hollow: Squares::EMPTY,
        };
        for square in near.rooks.seen_by(Player::First) {
            let gap = between(square, king);
            let inside = gap.and(all);
            if inside.is_empty() {
                danger.check(square, gap.or(Squares::of(square)));
            } else if inside.is_single() {
                danger.guards = danger.guards.or(inside.and(own));
            }
        }
        for square in near.cannons.seen_by(Player::First) {
            let gap = between(square, king);
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
        for square in near.horses.seen_by(Player::First) {
            let leg = leg(square, king);
            if own.contains(leg) {
                danger.guards = danger.guards.or(Squares::of(leg));
            } else if !all.contains(leg) {
                danger.check(square, Squares::of(leg).or(Squares::of(square)));
            }
        }
        for square in near.pawns.seen_by(Player::First) {
            danger.check(square, Squares::of(square));
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

    #[inline(always)]
    fn check(&mut self, checker: Square, answers: Squares) {
        self.checkers = self.checkers.or(Squares::of(checker));
        self.answers = self.answers.and(answers);
    }
}

/// Enemy pieces that may attack a king, by how they attack.
struct Near {
    /// On his lines: rooks and the other king.
    rooks: Squares,
    /// On his lines: cannons.
    cannons: Squares,
    /// A horse's move away.
    horses: Squares,
    /// A pawn's move away: they attack whatever else stands around.
    pawns: Squares,
}

impl Near {
    /// The pieces around the king of `side` on `king`, those on `gone` being captured.
    #[inline(always)]
    fn to(board: &Board, side: Player, king: Square, gone: Squares) -> Near {
        let enemy = side.opponent();
        let enemies = board.occupied(enemy).without(gone);
        let lines = enemies.and(CROSS[king.index()]);
        Near {
            rooks: lines.and(board.kind(Kind::Rook).or(board.kind(Kind::King))),
            cannons: lines.and(board.kind(Kind::Cannon)),
            horses: enemies.and(board.kind(Kind::Horse)).and(HORSE[king.index()][0]),
            pawns: enemies.and(board.kind(Kind::Pawn)).and(PAWN_ORIGINS[enemy.index()][king.index()]),
        }
    }
}

impl Board {
    /// Whether the king of `side` cannot be captured after a move of that side.
    #[inline(always)]
    pub(crate) fn is_safe(&self, side: Player, step: Step) -> bool {
        let Step { from, to } = step;
        let home = self.king(side);
        let king = if from == home { to } else { home };
        let occupied = self.all().without(Squares::of(from)).or(Squares::of(to));
        let near = Near::to(self, side, king, Squares::of(to));
        let inside = |square: Square| between(square, king).and(occupied);
        near.pawns.is_empty()
            && near.rooks.seen_by(Player::First).all(|square| !inside(square).is_empty())
            && near.cannons.seen_by(Player::First).all(|square| !inside(square).is_single())
            && near.horses.seen_by(Player::First).all(|square| occupied.contains(leg(square, king)))
    }
}

/// The leg of a horse that goes from `square` to `king`, a horse's move away.
#[inline(always)]
fn leg(square: Square, king: Square) -> Square {
    Square::from_index(LEG[square.index()][king.index()] as usize)
}
