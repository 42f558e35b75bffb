//! The written half of the contract: FEN and the machine form of steps and turns (rules, sections
//! 2 and 10). The classical record is in `record/`.

use crate::commander::Commander;
use crate::point::{FILES, Point, RANKS};
use crate::position::Position;
use crate::setup::Setup;
use crate::stack::Stack;
use crate::step::{Step, StepKind};
use crate::{middle_games, picture, record, svg};
use game::written::RecordFormat;
use game::{Fault, Faults, Game, Notation, PictureLayer, Player, StepTrace};
use std::fmt::Write;

/// The layer of pictures with the air-defence zones.
const AIR_DEFENCE: &str = "air-defence";

impl Notation for Commander {
    fn read_position(&self, text: &str) -> Result<Position, Faults> {
        let (setup, mut faults) = Setup::read(text);
        match self.position(&setup) {
            Ok(position) => faults.into_result(position),
            Err(more) => {
                faults.0.extend(more.0);
                Err(faults)
            }
        }
    }

    fn write_position(&self, position: &Position) -> String {
        let (before, steps) = self.turn_so_far(position);
        let mut text = String::new();
        for rank in (0..RANKS).rev() {
            let mut empty = 0;
            for file in 0..FILES {
                let stack = before.board.at(Point::at(file, rank));
                if stack.is_empty() {
                    empty += 1;
                    continue;
                }
                if empty > 0 {
                    let _ = write!(text, "{empty}");
                    empty = 0;
                }
                let _ = write!(text, "{stack}");
            }
            if empty > 0 {
                let _ = write!(text, "{empty}");
            }
            if rank > 0 {
                text.push('/');
            }
        }
        let side = if position.mover == Player::First { 'r' } else { 'b' };
        let _ = write!(text, " {side} - - {} {}", position.quiet_turns, position.number);
        if before.points != [0, 0] {
            let _ = write!(text, " points:{},{}", before.points[0], before.points[1]);
        }
        if !steps.is_empty() {
            let _ = write!(text, " turn:{}:{}", position.turn.origin, self.turn_text(&before, &steps));
        }
        text
    }

    fn step_text(&self, position: &Position, step: Step) -> String {
        if step.kind == StepKind::EndTurn {
            return ".".to_owned();
        }
        let stack = position.board.at(step.origin);
        let group = stack.select(step.members);
        let all = match step.kind {
            StepKind::Drop => stack.len(),
            _ if position.turn.under_way() => position.turn.original.len(),
            _ => stack.len(),
        };
        let mut text = String::new();
        if group.len() < all {
            push_members(&mut text, group);
        }
        let _ = write!(text, "{}{}{}", step.origin, step.kind.sign(), step.target);
        text
    }

    fn turn_text(&self, position: &Position, steps: &[Step]) -> String {
        let mut here = *position;
        let mut texts = Vec::with_capacity(steps.len());
        for &step in steps {
            // The end of a turn is never written in its text.
            if step.kind != StepKind::EndTurn {
                texts.push(self.step_text(&here, step));
            }
            self.play(&mut here, step);
        }
        texts.join("/")
    }

    fn turn_so_far(&self, position: &Position) -> (Position, Vec<Step>) {
        (position.before_turn(), position.steps_of_turn().collect())
    }

    fn read_step(&self, position: &Position, text: &str) -> Result<Step, Fault> {
        let mut found = None;
        self.for_each_step(position, &mut |step| {
            let matches = self.step_text(position, step) == text
                || (step.kind == StepKind::Drop && self.drop_in_parentheses(position, step) == text);
            found = matches.then_some(step);
            matches
        });
        found.ok_or_else(|| Fault::new(text, "not a legal step here"))
    }

    fn read_turn(&self, position: &Position, text: &str) -> Result<Vec<Step>, Fault> {
        let mut here = *position;
        let mut steps = Vec::new();
        for part in text.split('/') {
            if !steps.is_empty() && !here.turn.under_way() {
                return Err(Fault::new(part, "the turn is complete before this step"));
            }
            let step = self.read_step(&here, part)?;
            if step.kind == StepKind::EndTurn {
                return Err(Fault::new(part, "the end of a turn is not written in its text"));
            }
            self.play(&mut here, step);
            steps.push(step);
        }
        if here.turn.under_way() {
            let end = Step::end_turn(here.turn.origin);
            if !self.can_end(&here.board, &here.turn, here.mover) {
                return Err(Fault::new(text, "the turn cannot end here, expected further steps"));
            }
            steps.push(end);
        }
        Ok(steps)
    }

    fn formats() -> &'static [&'static dyn RecordFormat<Commander>] {
        &record::FORMATS
    }

    fn bench_positions(&self) -> Vec<Position> {
        middle_games::positions(self)
    }

    fn board_text(&self, position: &Position) -> String {
        picture::board_text(position)
    }

    fn board_svg(&self, position: &Position, last_turn: Option<(&Position, &[Step])>) -> String {
        svg::board_svg(position, last_turn.map_or(&[], |(_, steps)| steps), None)
    }

    fn picture_layers() -> &'static [PictureLayer] {
        const { &[PictureLayer { name: AIR_DEFENCE, about: "the air-defence zones of both sides" }] }
    }

    fn board_svg_with(
        &self,
        position: &Position,
        last_turn: Option<(&Position, &[Step])>,
        layers: &[&str],
    ) -> String {
        let zones = || Player::BOTH.map(|side| self.air_defence(&position.board, side).zones);
        let zones = layers.contains(&AIR_DEFENCE).then(zones);
        svg::board_svg(position, last_turn.map_or(&[], |(_, steps)| steps), zones)
    }

    fn step_trace(&self, _position: &Position, step: Step) -> Option<StepTrace> {
        svg::step_trace(step)
    }
}

impl Commander {
    /// A drop with its members written out, also where everything on the point takes part.
    fn drop_in_parentheses(&self, position: &Position, step: Step) -> String {
        let mut text = String::new();
        push_members(&mut text, position.board.at(step.origin).select(step.members));
        let _ = write!(text, "{}{}{}", step.origin, step.kind.sign(), step.target);
        text
    }
}

/// The members of a stack in parentheses, always in upper case.
fn push_members(text: &mut String, members: Stack) {
    text.push('(');
    for piece in members.pieces() {
        if piece.is_hero() {
            text.push('+');
        }
        text.push(piece.kind().letter());
    }
    text.push(')');
}
