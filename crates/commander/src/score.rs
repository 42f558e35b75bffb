//! Score sheets: captured points and the bonus for a battle won (rules, section 8).

use crate::commander::Commander;
use crate::position::Position;
use crate::rules::Bonus;
use game::{Outcome, Player};

impl Commander {
    /// The points of Red and of Blue on a score sheet: what each side captured, and the battle bonus of the
    /// winner. The bonus is for score sheets only and decides nothing.
    pub fn score_sheet(&self, position: &Position, outcome: Option<&Outcome>) -> [u32; 2] {
        let mut score = position.points();
        if let Some((outcome, winner)) = outcome.and_then(|outcome| Some((outcome, outcome.winner()?))) {
            score[Player::index(winner)] += match (outcome.reason.0, self.rules.bonus) {
                ("marine" | "air" | "land", Bonus::Classic) => 100,
                ("mate" | "commander_captured", Bonus::Classic) => 200,
                ("marine" | "air" | "land" | "mate" | "commander_captured", Bonus::Revised) => 50,
                _ => 0,
            };
        }
        score
    }
}
