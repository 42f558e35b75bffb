//! The end of the game (rules, *End of the game*).

use crate::emergo::Emergo;
use crate::position::Position;
use crate::rules::{Blocked, MaxTurnsResult, NoEntry, Repetition};
use game::{Line, Outcome};

impl Emergo {
    /// The end of the game at a position, all rules in their order.
    pub(crate) fn judge(&self, position: &Position, line: &Line<()>) -> Option<Outcome> {
        if position.capture.under_way() {
            return None;
        }
        let winner = position.mover.opponent();
        if position.own() == 0 && position.own_hand() == 0 {
            return Some(Outcome::win(winner, "no_men"));
        }
        if !self.has_turn(position) {
            return Some(if position.own_hand() > 0 {
                match self.rules.no_entry {
                    NoEntry::Draw => Outcome::draw("no_entry"),
                    NoEntry::Loss => Outcome::win(winner, "no_entry"),
                }
            } else {
                match self.rules.blocked {
                    Blocked::Draw => Outcome::draw("blocked"),
                    Blocked::Loss => Outcome::win(winner, "blocked"),
                }
            });
        }
        if self.rules.repetition == Repetition::Draw && line.occurrences() >= 3 {
            return Some(Outcome::draw("repetition"));
        }
        self.out_of_turns(position).then(|| match self.rules.max_turns_result {
            MaxTurnsResult::Draw => Outcome::draw("max_turns"),
            MaxTurnsResult::Truncate => Outcome::truncated("truncated"),
        })
    }
}
