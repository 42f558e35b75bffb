//! Connect Four as a game.

use crate::board::{Position, SQUARES, Step, files};
use game::{Game, Line, Outcome, Player};
use serde::{Deserialize, Serialize};

/// The rule options of Connect Four: there are none.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Rules {}

/// Connect Four.
#[derive(Clone, Copy, Debug, Default)]
pub struct ConnectFour {
    rules: Rules,
}

impl ConnectFour {
    /// The game under its only rules.
    pub const fn new() -> ConnectFour {
        ConnectFour { rules: Rules {} }
    }
}

impl Game for ConnectFour {
    type Position = Position;
    type Step = Step;
    type Mark = ();
    type Rules = Rules;

    const NAME: &'static str = "connect4";
    const RULES_VERSION: u32 = 1;

    fn presets() -> &'static [&'static str] {
        &["standard"]
    }

    fn preset(name: &str) -> Option<Rules> {
        (name == "standard").then_some(Rules {})
    }

    fn with_rules(rules: Rules) -> Result<ConnectFour, String> {
        Ok(ConnectFour { rules })
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn start(&self) -> Position {
        Position::START
    }

    #[inline]
    fn mover(&self, position: &Position) -> Player {
        position.mover()
    }

    #[inline]
    fn mid_turn(&self, _position: &Position) -> bool {
        false
    }

    #[inline]
    fn legal_steps(&self, position: &Position, steps: &mut Vec<Step>) {
        steps.clear();
        steps.extend(files(position.open_files()));
    }

    #[inline]
    fn count_steps(&self, position: &Position, _scratch: &mut Vec<Step>) -> usize {
        position.open_files().count_ones() as usize
    }

    #[inline]
    fn play(&self, position: &mut Position, step: Step) {
        position.drop(step);
    }

    #[inline]
    fn repetition_key(&self, position: &Position) -> u64 {
        key(position)
    }

    /// Always: a dropped stone stays.
    #[inline]
    fn irreversible(&self, _position: &Position) -> bool {
        true
    }

    #[inline]
    fn mark(&self, _position: &Position) {}

    /// Four in a line for the side that moved last (`four`), else a full board (`full`).
    #[inline]
    fn outcome(&self, position: &Position, _line: &Line<()>) -> Option<Outcome> {
        if position.is_won() {
            Some(Outcome::win(position.mover().opponent(), "four"))
        } else if position.is_full() {
            Some(Outcome::draw("full"))
        } else {
            None
        }
    }

    fn longest_game(&self) -> u32 {
        SQUARES as u32
    }

    #[inline]
    fn points(&self, _position: &Position) -> [i32; 2] {
        [0, 0]
    }

    #[inline]
    fn is_capture(&self, _position: &Position, _step: Step) -> bool {
        false
    }
}

/// A one-to-one mix of the position's own number, so that different positions have different keys.
#[inline]
pub(crate) fn key(position: &Position) -> u64 {
    // The finaliser of SplitMix64 (Steele, Lea and Flood 2014), a bijection of 64-bit numbers.
    let mut key = position.number();
    key = (key ^ (key >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    key = (key ^ (key >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    key ^ (key >> 31)
}
