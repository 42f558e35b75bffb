//! Occurrences of a position on the line of a game: the judge `cycle3` and the draw by repetition.

use crate::streaks::{Class, Pieces};
use game::{Line, LineEntry, Outcome, Player};

/// What a line remembers of a ply.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Mark {
    /// What the ply was.
    pub class: Class,
    /// The enemy pieces that it chased, by number.
    pub chased: Pieces,
}

/// What all plies of one side in a cycle have in common.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Habit {
    /// Nothing.
    None,
    /// Each chased these pieces.
    Chase(Pieces),
    /// Each was a check.
    Check,
}

/// The plies between the third-last occurrence of the newest position and now.
pub(crate) struct Cycle<'l> {
    plies: &'l [LineEntry<Mark>],
}

impl<'l> Cycle<'l> {
    /// The cycle that the newest position of a line ends; `None` before its third occurrence.
    pub(crate) fn of(line: &'l Line<Mark>) -> Option<Cycle<'l>> {
        let tail = line.reversible_tail();
        let key = tail.last()?.key;
        let occurrences = tail.iter().enumerate().rev().filter(|(_, entry)| entry.key == key);
        let (index, _) = occurrences.map(|(index, entry)| (index, entry.key)).nth(2)?;
        Some(Cycle { plies: &tail[index + 1..] })
    }

    /// Number of plies.
    pub(crate) fn len(&self) -> usize {
        self.plies.len()
    }

    /// What the plies of the side to move, or else of the other one, have in common.
    pub(crate) fn habit(&self, to_move: bool) -> Habit {
        let plies = || self.plies.iter().skip(usize::from(!to_move)).step_by(2).map(|entry| entry.mark);
        if plies().all(|mark| mark.class == Class::Check) {
            return Habit::Check;
        }
        let common = plies().fold(u16::MAX, |common, mark| common & mark.chased.0);
        if common == 0 { Habit::None } else { Habit::Chase(Pieces(common)) }
    }

    /// The verdict of `judge = cycle3`, `mover` being the side to move.
    pub(crate) fn verdict(&self, mover: Player) -> Option<Outcome> {
        let habits = [
            (mover, self.habit(true), self.habit(false)),
            (mover.opponent(), self.habit(false), self.habit(true)),
        ];
        habits.into_iter().find_map(|(side, own, other)| match (own, other) {
            (Habit::Check, Habit::Check) => Some(Outcome::draw("mutual_check")),
            (Habit::Check, _) => Some(Outcome::win(side.opponent(), "check")),
            (Habit::Chase(_), Habit::Chase(_)) => Some(Outcome::draw("mutual_chase")),
            (Habit::Chase(_), Habit::None) => Some(Outcome::win(side.opponent(), "chase")),
            (Habit::Chase(_) | Habit::None, _) => None,
        })
    }
}
