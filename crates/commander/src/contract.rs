//! The rules half of the contract.

use crate::commander::Commander;
use crate::piece::{Kind, Piece};
use crate::point::Point;
use crate::position::Position;
use crate::rules::{FirstPlayer, Rules};
use crate::stack::Stack;
use crate::step::Step;
use crate::zobrist::BLUE_TO_MOVE;
use game::{Game, Line, Outcome, Player};

/// Red's pieces at the standard start; Blue's are mirrored top to bottom.
const STANDARD: [(&str, Kind); 19] = [
    ("g1", Kind::Commander),
    ("b2", Kind::Navy),
    ("e2", Kind::AirForce),
    ("f2", Kind::Headquarters),
    ("h2", Kind::Headquarters),
    ("i2", Kind::AirForce),
    ("d3", Kind::Artillery),
    ("g3", Kind::Missile),
    ("j3", Kind::Artillery),
    ("c4", Kind::Navy),
    ("e4", Kind::AntiAir),
    ("f4", Kind::Tank),
    ("h4", Kind::Tank),
    ("i4", Kind::AntiAir),
    ("c5", Kind::Infantry),
    ("d5", Kind::Engineer),
    ("g5", Kind::Militia),
    ("j5", Kind::Engineer),
    ("k5", Kind::Infantry),
];

impl Game for Commander {
    type Position = Position;
    type Step = Step;
    type Mark = ();
    type Rules = Rules;

    const NAME: &'static str = "commander";
    const RULES_VERSION: u32 = 1;

    fn presets() -> &'static [&'static str] {
        &Rules::PRESETS
    }

    fn preset(name: &str) -> Option<Rules> {
        Rules::preset(name)
    }

    fn with_rules(rules: Rules) -> Result<Commander, String> {
        Ok(Commander::new(rules))
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn start(&self) -> Position {
        let mut position = Position::empty(match self.rules.first_player {
            FirstPlayer::Red => Player::First,
            FirstPlayer::Blue => Player::Second,
        });
        for (name, kind) in STANDARD {
            let Some(point) = Point::read(name) else { continue };
            for side in Player::BOTH {
                let stack = Stack::single(side, Piece::new(kind, false));
                position.board.set::<true>(point.seen_by(side), stack);
            }
        }
        position
    }

    fn mover(&self, position: &Position) -> Player {
        position.mover
    }

    fn mid_turn(&self, position: &Position) -> bool {
        position.turn.under_way()
    }

    fn legal_steps(&self, position: &Position, steps: &mut Vec<Step>) {
        steps.clear();
        self.for_each_step(position, &mut |step| {
            steps.push(step);
            false
        });
    }

    fn play(&self, position: &mut Position, step: Step) {
        self.play_step(position, step);
    }

    fn repetition_key(&self, position: &Position) -> u64 {
        let side = if position.mover == Player::First { 0 } else { BLUE_TO_MOVE };
        position.board.key(Player::First) ^ side
    }

    fn irreversible(&self, position: &Position) -> bool {
        position.quiet_turns == 0
    }

    fn mark(&self, _position: &Position) {}

    fn outcome(&self, position: &Position, line: &Line<()>) -> Option<Outcome> {
        self.judge(position, line)
    }

    fn longest_game(&self) -> u32 {
        u32::from(self.rules.max_turns)
    }

    fn points(&self, position: &Position) -> [i32; 2] {
        position.points.map(|points| points as i32)
    }

    fn is_capture(&self, _position: &Position, step: Step) -> bool {
        step.kind.is_capture()
    }
}
