//! Streaks of checks and chases, and the verdict over them (rules page, sections 4 to 6 of the judge).

use crate::piece::{Id, SLOTS};
use game::{Outcome, Player};

/// What a move was.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Class {
    /// Neither check nor chase.
    #[default]
    Idle,
    /// It left the enemy king attacked.
    Check,
    /// It was no check and made at least one good pair.
    Chase,
}

/// A set of pieces of one side, by [`Id::slot`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Pieces(pub u16);

impl Pieces {
    /// No piece.
    pub const NONE: Pieces = Pieces(0);

    /// Whether there is none.
    #[inline]
    pub const fn is_empty(self) -> bool {
        self.0 == 0
    }

    /// How many there are.
    #[inline]
    pub const fn len(self) -> u32 {
        self.0.count_ones()
    }

    /// Whether a piece of this number is in the set.
    #[inline]
    pub const fn contains(self, slot: usize) -> bool {
        self.0 >> slot & 1 != 0
    }

    /// Adds a piece.
    #[inline]
    pub const fn add(&mut self, id: Id) {
        self.0 |= 1 << id.slot();
    }

    /// The pieces' numbers, smallest first.
    pub fn slots(self) -> impl Iterator<Item = usize> {
        (0..SLOTS).filter(move |&slot| self.contains(slot))
    }
}

/// Attackers by the number of their target.
pub type Attackers = [Pieces; SLOTS];

/// What the moves of one side were lately.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Streaks {
    /// Its last moves in a row that were checks.
    pub(crate) checks: u8,
    /// Pieces that gave those checks.
    pub(crate) checkers: Pieces,
    /// By enemy piece: its last moves in a row that chased that piece.
    pub(crate) chases: [u8; SLOTS],
    /// By enemy piece: pieces that chased it in those moves.
    pub(crate) chasers: Attackers,
}

/// Moves in a row that so many pieces may make: 6 for each, for at most three.
#[inline]
pub const fn limit(pieces: Pieces) -> u8 {
    let counted = if pieces.len() > 3 { 3 } else { pieces.len() };
    6 * counted as u8
}

/// The larger of what a side's streaks come to.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Offence {
    Nothing,
    Chase,
    Check,
}

impl Streaks {
    /// No streak.
    pub const NONE: Streaks =
        Streaks { checks: 0, checkers: Pieces::NONE, chases: [0; SLOTS], chasers: [Pieces::NONE; SLOTS] };

    /// Length of the streak of checks.
    pub const fn checks(&self) -> u8 {
        self.checks
    }

    /// Pieces that gave the checks of the streak.
    pub const fn checkers(&self) -> Pieces {
        self.checkers
    }

    /// Length of the streak of chases of the enemy piece with this number.
    pub const fn chases(&self, target: usize) -> u8 {
        self.chases[target]
    }

    /// Pieces that chased the enemy piece with this number in the streak.
    pub const fn chasers(&self, target: usize) -> Pieces {
        self.chasers[target]
    }

    /// Goes on with a check by `checkers`.
    pub(crate) fn check(&mut self, checkers: Pieces) {
        self.checks = self.checks.saturating_add(1);
        self.checkers.0 |= checkers.0;
    }

    /// Ends the streak of checks.
    pub(crate) fn no_check(&mut self) {
        self.checks = 0;
        self.checkers = Pieces::NONE;
    }

    /// Goes on with the chases of `pairs` and ends all others.
    pub(crate) fn chase(&mut self, pairs: &Attackers) {
        let streaks = self.chases.iter_mut().zip(&mut self.chasers);
        for ((chases, chasers), attackers) in streaks.zip(pairs) {
            if attackers.is_empty() {
                *chases = 0;
                *chasers = Pieces::NONE;
            } else {
                *chases = chases.saturating_add(1);
                chasers.0 |= attackers.0;
            }
        }
    }

    /// Whether one more move could exceed a limit: no limit is below 6.
    #[inline]
    pub(crate) fn near_limit(&self) -> bool {
        self.checks >= 6 || self.chases.iter().any(|&chases| chases >= 6)
    }

    /// What these streaks come to, `reached` telling a length and its limit what counts.
    fn offence(&self, reached: impl Fn(u8, u8) -> bool) -> Offence {
        if reached(self.checks, limit(self.checkers)) {
            return Offence::Check;
        }
        let chase = |target: usize| reached(self.chases[target], limit(self.chasers[target]));
        if (0..SLOTS).any(chase) { Offence::Chase } else { Offence::Nothing }
    }
}

/// The verdict after a move of `mover`: only a streak of his that exceeds its limit asks for one, and
/// the enemy's streaks at their limit are held against it.
pub(crate) fn verdict(streaks: &[Streaks; 2], mover: Player) -> Option<Outcome> {
    let own = &streaks[mover.index()];
    if !own.near_limit() {
        return None;
    }
    let enemy = &streaks[mover.opponent().index()];
    let own = own.offence(|length, limit| length > limit);
    let enemy = enemy.offence(|length, limit| length > 0 && length >= limit);
    match (own, enemy) {
        (Offence::Nothing, _) => None,
        (Offence::Check, Offence::Check) => Some(Outcome::draw("mutual_check")),
        (Offence::Check, _) => Some(Outcome::win(mover.opponent(), "check")),
        (Offence::Chase, Offence::Chase) => Some(Outcome::draw("mutual_chase")),
        (Offence::Chase, Offence::Nothing) => Some(Outcome::win(mover.opponent(), "chase")),
        (Offence::Chase, Offence::Check) => Some(Outcome::win(mover, "chase_against_check")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::Player::{First, Second};

    fn checks(length: u8, pieces: u16) -> Streaks {
        Streaks { checks: length, checkers: Pieces(pieces), ..Streaks::NONE }
    }

    fn chases(length: u8, pieces: u16) -> Streaks {
        let mut streaks = Streaks::NONE;
        streaks.chases[5] = length;
        streaks.chasers[5] = Pieces(pieces);
        streaks
    }

    #[test]
    fn limits_grow_with_at_most_three_pieces() {
        for (pieces, expected) in [(0b1, 6), (0b11, 12), (0b111, 18), (0b1111_0000, 18)] {
            assert_eq!(limit(Pieces(pieces)), expected);
        }
    }

    #[test]
    fn only_the_move_that_exceeds_a_limit_asks_for_a_verdict() {
        for (pieces, limit) in [(1, 6), (3, 12), (7, 18), (15, 18)] {
            for streaks in [checks, chases] {
                assert_eq!(verdict(&[streaks(limit, pieces), Streaks::NONE], First), None);
                assert!(verdict(&[streaks(limit + 1, pieces), Streaks::NONE], First).is_some());
                // The enemy's streak alone asks for nothing.
                assert_eq!(verdict(&[Streaks::NONE, streaks(limit + 1, pieces)], First), None);
            }
        }
    }

    #[test]
    fn a_streak_at_its_limit_is_held_against_the_verdict() {
        let over = |own: Streaks, enemy: Streaks| verdict(&[own, enemy], First);
        let nothing = Streaks::NONE;
        assert_eq!(over(checks(7, 1), nothing), Some(Outcome::win(Second, "check")));
        assert_eq!(over(checks(7, 1), checks(5, 1)), Some(Outcome::win(Second, "check")));
        assert_eq!(over(checks(7, 1), chases(6, 1)), Some(Outcome::win(Second, "check")));
        assert_eq!(over(checks(7, 1), checks(6, 1)), Some(Outcome::draw("mutual_check")));
        assert_eq!(over(checks(13, 3), checks(6, 3)), Some(Outcome::win(Second, "check")));
        assert_eq!(over(chases(7, 1), nothing), Some(Outcome::win(Second, "chase")));
        assert_eq!(over(chases(7, 1), chases(11, 3)), Some(Outcome::win(Second, "chase")));
        assert_eq!(over(chases(7, 1), chases(12, 3)), Some(Outcome::draw("mutual_chase")));
        // The row without a short natural game under the preset `cxq`.
        assert_eq!(over(chases(7, 1), checks(6, 1)), Some(Outcome::win(First, "chase_against_check")));
        assert_eq!(over(chases(7, 1), checks(6, 3)), Some(Outcome::win(Second, "chase")));
        let swapped = verdict(&[checks(12, 3), chases(19, 7)], Second);
        assert_eq!(swapped, Some(Outcome::win(Second, "chase_against_check")));
    }

    #[test]
    fn a_side_that_violates_both_is_judged_by_its_checks() {
        let mut both = checks(7, 1);
        both.chases[2] = 7;
        both.chasers[2] = Pieces(1);
        assert_eq!(verdict(&[both, Streaks::NONE], First), Some(Outcome::win(Second, "check")));
        let mut limit = checks(6, 1);
        limit.chases[2] = 6;
        limit.chasers[2] = Pieces(1);
        assert_eq!(verdict(&[chases(7, 1), limit], First), Some(Outcome::win(First, "chase_against_check")));
        assert_eq!(verdict(&[checks(7, 1), limit], First), Some(Outcome::draw("mutual_check")));
    }
}
