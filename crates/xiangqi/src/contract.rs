//! The rules half of the contract.

use crate::cycle::{Cycle, Habit, Mark};
use crate::danger::Danger;
use crate::piece::Kind;
use crate::position::Position;
use crate::rules::{Judge, RepetitionDraw, Rules};
use crate::step::Step;
use crate::xiangqi::Xiangqi;
use game::{Game, Line, Outcome, Player};

impl Game for Xiangqi {
    type Position = Position;
    type Step = Step;
    type Mark = Mark;
    type Rules = Rules;

    const NAME: &'static str = "xiangqi";
    const RULES_VERSION: u32 = 1;

    fn presets() -> &'static [&'static str] {
        &Rules::PRESETS
    }

    fn preset(name: &str) -> Option<Rules> {
        Rules::preset(name)
    }

    fn with_rules(rules: Rules) -> Result<Xiangqi, String> {
        Ok(Xiangqi::new(rules))
    }

    fn rules(&self) -> &Rules {
        &self.rules
    }

    fn start(&self) -> Position {
        Position::start()
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
        self.any_legal(position, |step| {
            steps.push(step);
            false
        });
    }

    #[inline]
    fn play(&self, position: &mut Position, step: Step) {
        self.play_step(position, step);
    }

    /// On the board alone: the judge is not asked.
    fn perft_steps(&self, position: &Position, depth: u32) -> Option<u64> {
        Some(position.board.perft(depth))
    }

    #[inline]
    fn repetition_key(&self, position: &Position) -> u64 {
        position.board.key()
    }

    #[inline]
    fn irreversible(&self, position: &Position) -> bool {
        position.irreversible
    }

    #[inline]
    fn mark(&self, position: &Position) -> Mark {
        Mark { class: position.last, chased: position.chased }
    }

    /// In the order of the rules page: no legal move (`mate`, `stalemate`, `move_forbidden`), the judge
    /// (`check`, `chase`, `mutual_check`, `mutual_chase`, `chase_against_check`), `repetition`,
    /// `material`, `progress`, `effective`, `total`.
    fn outcome(&self, position: &Position, line: &Line<Mark>) -> Option<Outcome> {
        let mover = position.mover();
        if !position.board.has_step() {
            let check = Danger::of(&position.board, mover).in_check();
            return Some(Outcome::win(mover.opponent(), if check { "mate" } else { "stalemate" }));
        }
        if self.forbids(position) && !self.any_allowed(position, |_| true) {
            return Some(Outcome::win(mover.opponent(), "move_forbidden"));
        }
        position.ruling.or_else(|| self.repeated(mover, line)).or(position.drawn)
    }

    fn longest_game(&self) -> u32 {
        u32::from(self.rules.total_limit())
    }

    /// What each side has taken of a full army of the other (see [`Kind::points`]).
    fn points(&self, position: &Position) -> [i32; 2] {
        Player::BOTH.map(|side| {
            let points =
                |kind: Kind| kind.points() * position.board.of_kind(side.opponent(), kind).len() as i32;
            let left: i32 = Kind::ALL.into_iter().map(points).sum();
            ARMY - left
        })
    }

    #[inline]
    fn is_capture(&self, position: &Position, step: Step) -> bool {
        position.board.at(step.to).is_some()
    }
}

/// Points of a full army.
const ARMY: i32 = {
    let mut points = 0;
    let mut index = 0;
    while index < Kind::ALL.len() {
        points += Kind::ALL[index].points() * Kind::ALL[index].number() as i32;
        index += 1;
    }
    points
};

impl Xiangqi {
    /// What the occurrences of the newest position on the line make of the game.
    fn repeated(&self, mover: Player, line: &Line<Mark>) -> Option<Outcome> {
        let draws = self.rules.repetition_draw == RepetitionDraw::Third;
        let judged = self.rules.judge == Judge::Cycle3;
        if !draws && !judged {
            return None;
        }
        let cycle = Cycle::of(line)?;
        if judged && let Some(verdict) = cycle.verdict(mover) {
            return Some(verdict);
        }
        // Under streaks a cycle of checks or chases is left to them.
        let left = !judged && [true, false].into_iter().any(|to_move| cycle.habit(to_move) != Habit::None);
        (draws && !left).then_some(Outcome::draw("repetition"))
    }
}
