//! When a side gives up a game, and how often that would have been wrong.

use game::record::SearchRecord;
use game::{Outcome, Player};
use serde::{Deserialize, Serialize};

/// Whether a side that expects to lose gives up.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum Resignation {
    /// Every game is played to its end.
    #[default]
    Never,
    /// A side gives up when it has expected less than `value` in so many turns of its own in a row
    /// (Silver et al. 2017, "Mastering the game of Go without human knowledge", methods: some games are
    /// played on to measure how often giving up would have been wrong).
    Below {
        /// The expected result, win − loss, in [−1, 1).
        value: f32,
        /// Turns in a row.
        turns: u32,
        /// Share of games in which nobody gives up, so that what giving up would have cost is known.
        played_on: f32,
    },
}

impl Resignation {
    /// Everything that is wrong with the numbers, each with its key.
    pub fn faults(&self) -> Vec<String> {
        let Resignation::Below { value, turns, played_on } = *self else { return Vec::new() };
        let mut faults = Vec::new();
        if !(-1.0..1.0).contains(&value) {
            faults.push(format!("`resignation.below.value` is {value}; it must be at least -1 and below 1"));
        }
        if turns == 0 {
            faults.push("`resignation.below.turns` is 0; it must be at least 1".to_owned());
        }
        if !(0.0..=1.0).contains(&played_on) {
            faults.push(format!("`resignation.below.played_on` is {played_on}; it must be between 0 and 1"));
        }
        faults
    }

    /// Share of games in which nobody gives up.
    pub(crate) fn played_on(&self) -> f32 {
        match self {
            Resignation::Never => 1.0,
            Resignation::Below { played_on, .. } => *played_on,
        }
    }
}

/// What a game's searches say about giving up so far.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct ResignationWatch {
    /// Turns in a row in which each side's search was below the bound.
    hopeless: [u32; 2],
    /// Who would have given up first.
    given_up: Option<Player>,
}

impl ResignationWatch {
    /// Takes in the search of a turn's first step; returns whether its side gives up there.
    pub(crate) fn look(&mut self, config: &Resignation, mover: Player, search: &SearchRecord) -> bool {
        let Resignation::Below { value, turns, .. } = *config else { return false };
        let hopeless = &mut self.hopeless[mover.index()];
        *hopeless = if search.value() < value { *hopeless + 1 } else { 0 };
        let gives_up = *hopeless >= turns;
        if gives_up {
            self.given_up.get_or_insert(mover);
        }
        gives_up
    }

    /// Of a game that was played to its end although a side would have given up: whether that side would
    /// have been wrong. `None` where nobody would have, and of a game that was cut off.
    pub(crate) fn would_have_been_wrong(&self, outcome: &Outcome) -> Option<bool> {
        let loser = self.given_up?;
        match outcome.verdict {
            game::Verdict::Truncated => None,
            _ => Some(outcome.winner() != Some(loser.opponent())),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use game::{OfMover, StepCode, Wdl};

    const BELOW: Resignation = Resignation::Below { value: -0.9, turns: 2, played_on: 0.5 };

    fn expects(value: f32) -> SearchRecord {
        let wdl = OfMover(Wdl { win: (1.0 + value) / 2.0, draw: 0.0, loss: (1.0 - value) / 2.0 });
        SearchRecord::new(&[(StepCode(0), 1.0)], wdl, 1, true, 0.0)
    }

    #[test]
    fn a_side_gives_up_after_so_many_hopeless_turns_of_its_own_in_a_row() {
        let mut watch = ResignationWatch::default();
        let mut look = |player, value| watch.look(&BELOW, player, &expects(value));
        assert!(!look(Player::First, -0.95));
        assert!(!look(Player::Second, -0.95), "the turns of both sides are not added up");
        assert!(!look(Player::First, -0.5), "hope ends the row");
        assert!(!look(Player::First, -0.95));
        assert!(look(Player::First, -0.95));
        assert!(look(Player::Second, -0.99));
        assert_eq!(watch.given_up, Some(Player::First), "the first to give up counts");
    }

    #[test]
    fn giving_up_was_wrong_unless_the_other_side_won() {
        let mut watch = ResignationWatch::default();
        assert_eq!(watch.would_have_been_wrong(&Outcome::draw("x")), None);
        watch.given_up = Some(Player::Second);
        for (outcome, wrong) in [
            (Outcome::win(Player::First, "x"), Some(false)),
            (Outcome::win(Player::Second, "x"), Some(true)),
            (Outcome::draw("x"), Some(true)),
            (Outcome::truncated("x"), None),
        ] {
            assert_eq!(watch.would_have_been_wrong(&outcome), wrong, "{outcome:?}");
        }
    }

    #[test]
    fn never_is_never_and_bad_numbers_are_named() {
        let mut watch = ResignationWatch::default();
        assert!((0..50).all(|_| !watch.look(&Resignation::Never, Player::First, &expects(-1.0))));
        assert!(BELOW.faults().is_empty() && Resignation::Never.faults().is_empty());
        let faults = Resignation::Below { value: f32::NAN, turns: 0, played_on: 1.5 }.faults();
        assert_eq!(faults.len(), 3, "{faults:?}");
    }
}
