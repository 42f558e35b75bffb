//! The written half of the contract: FEN, steps and turns (rules, *Notation*).

use crate::direction::Direction;
use crate::emergo::Emergo;
use crate::position::Position;
use crate::setup::Setup;
use crate::square::{Square, file_name};
use crate::step::Step;
use crate::{picture, svg};
use game::{Fault, Faults, Game, Notation, Player, StepTrace};
use std::fmt::Write;

impl Notation for Emergo {
    fn read_position(&self, text: &str) -> Result<Position, Faults> {
        let (setup, mut faults) = Setup::read(text, self.board.width);
        match self.position(&setup) {
            Ok(position) => faults.into_result(position),
            Err(more) => {
                faults.0.extend(more.0);
                Err(faults)
            }
        }
    }

    fn write_position(&self, position: &Position) -> String {
        let mut text = String::new();
        let width = self.board.width;
        for rank in (0..width).rev() {
            let mut empty = 0;
            for file in 0..width {
                let Some((owner, column)) = Square::at(file, rank).and_then(|square| position.column(square))
                else {
                    empty += 1;
                    continue;
                };
                if empty > 0 {
                    let _ = write!(text, "{empty}");
                    empty = 0;
                }
                text.push(letter(column.guards(), owner));
                text.push(letter(column.prisoners(), owner));
            }
            if empty > 0 {
                let _ = write!(text, "{empty}");
            }
            if rank > 0 {
                text.push('/');
            }
        }
        let side = if position.mover == Player::First { 'w' } else { 'b' };
        let [white, black] = position.hands;
        let _ = write!(text, " {side} {} {white},{black}", position.ply);
        if let Some((square, direction)) = position.capturer() {
            let _ = write!(text, " {square}{}", direction.word());
        }
        text
    }

    fn step_text(&self, _position: &Position, step: Step) -> String {
        let target = step.target();
        match step {
            Step::Enter { .. } => format!("@{target}"),
            Step::Move { from, .. } => format!("{from}-{target}"),
            Step::Jump { from, .. } => format!("{from}x{target}"),
        }
    }

    /// A capture is written as its squares joined by `x`.
    fn turn_text(&self, position: &Position, steps: &[Step]) -> String {
        let Some((&first, others)) = steps.split_first() else { return String::new() };
        let mut text = self.step_text(position, first);
        for step in others {
            let _ = write!(text, "x{}", step.target());
        }
        text
    }

    /// Text tells no more of a capture under way than where it stands and the last direction: a
    /// position that was read in the middle of one counts as if the turn began there.
    fn turn_so_far(&self, position: &Position) -> (Position, Vec<Step>) {
        position.unwound()
    }

    fn read_step(&self, position: &Position, text: &str) -> Result<Step, Fault> {
        let step =
            parse_step(text).ok_or_else(|| Fault::new(text, "no step: write one as @d4, d4-e5 or d4xf6"))?;
        let mut steps = Vec::new();
        self.legal_steps(position, &mut steps);
        if steps.contains(&step) {
            Ok(step)
        } else {
            Err(Fault::new(text, self.why_illegal(position, step, &steps)))
        }
    }

    fn read_turn(&self, position: &Position, text: &str) -> Result<Vec<Step>, Fault> {
        let squares: Vec<&str> = text.split('x').collect();
        if squares.len() < 2 {
            return self.read_step(position, text).map(|step| vec![step]);
        }
        let mut here = *position;
        let mut steps = Vec::with_capacity(squares.len() - 1);
        for pair in squares.windows(2) {
            if !steps.is_empty() && !self.mid_turn(&here) {
                return Err(Fault::new(text, format!("the capture ends on {}", pair[0])));
            }
            let step = self.read_step(&here, &pair.join("x"))?;
            self.play(&mut here, step);
            steps.push(step);
        }
        match here.capturer() {
            Some((square, _)) => {
                Err(Fault::new(text, format!("the column on {square} must go on capturing")))
            }
            None => Ok(steps),
        }
    }

    fn phase(&self, position: &Position) -> Option<&'static str> {
        Some(if position.hands == [0, 0] { "movement" } else { "entry" })
    }

    fn board_text(&self, position: &Position) -> String {
        picture::board_text(&self.board, position)
    }

    fn board_svg(&self, position: &Position, last_turn: Option<(&Position, &[Step])>) -> String {
        svg::board_svg(&self.board, position, last_turn.map_or(&[], |(_, steps)| steps))
    }

    fn step_trace(&self, _position: &Position, step: Step) -> Option<StepTrace> {
        Some(svg::step_trace(&self.board, step))
    }
}

impl Emergo {
    /// Why a step is not among the legal ones.
    fn why_illegal(&self, position: &Position, step: Step, legal: &[Step]) -> &'static str {
        let capture = legal.iter().any(|step| matches!(step, Step::Jump { .. }));
        match step {
            _ if legal.is_empty() => "not legal here: the game has ended",
            Step::Enter { .. } | Step::Move { .. } if capture => "not legal here: there is a capture to make",
            Step::Jump { from, direction }
                if self.jumpers(position).0[direction as usize] & from.bit() != 0 =>
            {
                "not legal here: another capture takes more men"
            }
            Step::Move { .. } if position.own_hand() > 0 => {
                "not legal here: columns do not step while men are in hand"
            }
            Step::Enter { .. } if position.own_hand() == 0 => "not legal here: no men are in hand",
            Step::Enter { square }
                if position.empty(self.board.all) & square.bit() != 0
                    && !(self.centre_barred(position, position.mover) && square == self.board.centre) =>
            {
                "not legal here: the man could be captured at once"
            }
            Step::Enter { square }
                if self.centre_barred(position, position.mover) && square == self.board.centre =>
            {
                "not legal here: White's first man may not be entered in the centre"
            }
            Step::Enter { .. } | Step::Move { .. } | Step::Jump { .. } => "not a legal step here",
        }
    }
}

/// The step that a text means, legal or not.
fn parse_step(text: &str) -> Option<Step> {
    if let Some(square) = text.strip_prefix('@') {
        return Some(Step::Enter { square: Square::read(square)? });
    }
    let (sign, distance) = if text.contains('-') { ('-', 1) } else { ('x', 2) };
    let (from, target) = text.split_once(sign)?;
    let (from, target) = (Square::read(from)?, Square::read(target)?);
    let direction = Direction::between(from, target, distance)?;
    Some(if distance == 1 { Step::Move { from, direction } } else { Step::Jump { from, direction } })
}

/// A number of men as a letter: A or a for 1, `@` for none.
pub(crate) const fn letter(men: u8, owner: Player) -> char {
    match (men, owner) {
        (0, _) => '@',
        (_, Player::First) => (b'@' + men) as char,
        (_, Player::Second) => (b'`' + men) as char,
    }
}

/// The name of a side.
pub(crate) const fn side_name(side: Player) -> &'static str {
    match side {
        Player::First => "White",
        Player::Second => "Black",
    }
}

/// The letters of the files of a board.
pub(crate) fn file_names(width: usize) -> impl Iterator<Item = char> {
    (0..width).map(file_name)
}
