//! Turns as text.

use super::Letters;
use crate::commander::Commander;
use crate::piece::Piece;
use crate::point::Point;
use crate::position::Position;
use crate::stack::Stack;
use crate::step::{Step, StepKind};
use game::{Game, Line, Player, Verdict};

/// A complete legal turn with the marks that follow from the position after it.
pub(super) fn turn_text(game: &Commander, letters: Letters, position: &Position, steps: &[Step]) -> String {
    let mut text = String::new();
    let mut here = *position;
    for (index, &step) in steps.iter().enumerate() {
        // The end of a turn is not written.
        if step.kind != StepKind::EndTurn {
            let stack = here.board.at(step.origin);
            let group = stack.select(step.members);
            if index > 0 {
                text.push('/');
            } else if group != stack {
                text.push_str(&letters.stack(stack));
            }
            text.push_str(&step_text(letters, &here, step, group));
        }
        game.play(&mut here, step);
    }
    text.push_str(&marks(game, letters, &here, position.mover));
    text
}

fn step_text(letters: Letters, position: &Position, step: Step, group: Stack) -> String {
    let target = position.board.at(step.target);
    let sign = match step.kind {
        StepKind::Move | StepKind::Join => "_",
        StepKind::Capture => "@",
        StepKind::StayCapture => "@^",
        StepKind::Crash if target.carrier().kind().is_defender() => "><",
        StepKind::Crash => "@\"",
        StepKind::Breach => "@!",
        StepKind::Drop => "~",
        StepKind::EndTurn => "",
    };
    let victim = match step.kind {
        StepKind::Breach => letters.piece(target.carrier()),
        kind if kind.is_capture() => letters.stack(target),
        _ => String::new(),
    };
    format!("{}{}{sign}{victim}{}", letters.stack(group), point(step.origin), point(step.target))
}

/// What follows from the position after a turn of `mover`: who gives check, or who has won.
fn marks(game: &Commander, letters: Letters, after: &Position, mover: Player) -> String {
    match game.outcome(after, &Line::new()).map(|outcome| outcome.verdict) {
        Some(Verdict::Win(winner)) if winner == mover => "^".to_owned(),
        Some(Verdict::Win(_)) => "!!".to_owned(),
        Some(Verdict::Draw | Verdict::Truncated) => String::new(),
        None => checks(game, letters, after),
    }
}

/// The pieces that give check to the side to move, each as a part of its own.
fn checks(game: &Commander, letters: Letters, position: &Position) -> String {
    let Some(commander) = position.board.commander(position.mover) else { return String::new() };
    let checkers = game.checkers(&position.board, position.mover).into_iter();
    let told = checkers.map(|(place, piece): (Point, Piece)| {
        let king = letters.of(crate::piece::Kind::Commander);
        format!("/{}{}>{king}{}", letters.piece(piece), point(place), point(commander))
    });
    told.collect()
}

/// `row,column` from 0.
pub(super) fn point(point: Point) -> String {
    format!("{},{}", point.rank(), point.file())
}
