//! From the parts of a written turn to the one legal turn that is meant.

use super::Letters;
use super::parts::{Action, Named, Part, Sign, parts};
use super::writing::point;
use crate::commander::Commander;
use crate::position::Position;
use crate::stack::Stack;
use crate::step::{Step, StepKind};
use game::Game;

/// The steps of the complete legal turn with this text.
///
/// # Errors
/// Why there is none, or that there are several.
pub(super) fn read_turn(
    game: &Commander,
    letters: Letters,
    position: &Position,
    text: &str,
) -> Result<Vec<Step>, String> {
    let parts = parts(letters, text)?;
    let mut here = *position;
    let mut steps = Vec::new();
    for part in &parts {
        if part.actions[0].sign == Sign::Check {
            continue;
        }
        if !steps.is_empty() && !here.turn.under_way() {
            return Err(format!("the turn is complete before {}", point(part.actions[0].target)));
        }
        let stack = position.board.at(part.origin);
        if !part.whole.is_empty() && !names(&part.whole, stack) {
            return Err(format!("{} has {}", point(part.origin), found(letters, stack)));
        }
        read_part(game, letters, &mut here, part, &mut steps)?;
    }
    if steps.is_empty() {
        return Err("no step in it".to_owned());
    }
    if here.turn.under_way() {
        if !game.can_end(&here.board, &here.turn, here.mover) {
            return Err("the turn cannot end here, expected further steps".to_owned());
        }
        steps.push(Step::end_turn(here.turn.origin));
    }
    Ok(steps)
}

/// Plays the actions of a part. Where a navy strikes twice the order of writing is not always the
/// order of play: the gun fires first.
fn read_part(
    game: &Commander,
    letters: Letters,
    here: &mut Position,
    part: &Part,
    steps: &mut Vec<Step>,
) -> Result<(), String> {
    let mut orders = vec![part.actions.iter().collect::<Vec<_>>()];
    if part.actions.len() > 1 {
        orders.insert(0, part.actions.iter().rev().collect());
    }
    let mut fault = String::new();
    for order in orders {
        match play(game, letters, *here, part, &order) {
            Ok((after, played)) => {
                *here = after;
                steps.extend(played);
                return Ok(());
            }
            Err(message) => fault = message,
        }
    }
    Err(fault)
}

fn play(
    game: &Commander,
    letters: Letters,
    mut here: Position,
    part: &Part,
    actions: &[&Action],
) -> Result<(Position, Vec<Step>), String> {
    let mut steps = Vec::new();
    for action in actions {
        if !steps.is_empty() && !here.turn.under_way() {
            return Err(format!("the turn is complete before {}", point(action.target)));
        }
        let step = only_step(game, letters, &here, part, action)?;
        game.play(&mut here, step);
        steps.push(step);
    }
    Ok((here, steps))
}

/// The only legal step that an action may mean.
fn only_step(
    game: &Commander,
    letters: Letters,
    here: &Position,
    part: &Part,
    action: &Action,
) -> Result<Step, String> {
    let board = &here.board;
    let target = board.at(action.target);
    if let Some(named) = action.victim.iter().find(|named| !target.contains(named.kind)) {
        let letter = letters.of(named.kind);
        return Err(format!("no {letter} on {}, which has {}", point(action.target), found(letters, target)));
    }
    let mut legal = Vec::new();
    game.legal_steps(here, &mut legal);
    if legal.is_empty() {
        return Err("the game has ended".to_owned());
    }
    let group = |step: &Step| board.at(step.origin).select(step.members);
    legal.retain(|step| {
        step.origin == part.origin
            && step.target == action.target
            && means(action.sign, step.kind)
            && names(&part.group, group(step))
    });
    // Of a capture that may stay or go without a sign that says so, it goes.
    if action.sign == Sign::Capture && legal.iter().any(|step| step.kind == StepKind::Capture) {
        legal.retain(|step| step.kind == StepKind::Capture);
    }
    // Of like pieces, a hero and a plain one, the mark of a hero tells.
    if legal.len() > 1 {
        legal.retain(|step| exactly(&part.group, group(step)));
    }
    match legal.as_slice() {
        &[step] => Ok(step),
        [] => Err(match board.at(part.origin) {
            stack if stack.is_empty() => format!("not legal: {} is empty", point(part.origin)),
            stack if stack.side() != here.mover => {
                format!("not legal: {} on {} is not to move", letters.stack(stack), point(part.origin))
            }
            stack => format!(
                "not legal: {} on {} cannot do this upon {}",
                letters.stack(stack),
                point(part.origin),
                point(action.target)
            ),
        }),
        _ => Err(format!("may mean {} steps", legal.len())),
    }
}

/// Whether a sign may stand for a kind of step.
fn means(sign: Sign, kind: StepKind) -> bool {
    match sign {
        Sign::Move => matches!(kind, StepKind::Move | StepKind::Join),
        Sign::Capture => matches!(kind, StepKind::Capture | StepKind::StayCapture),
        Sign::Stay => kind == StepKind::StayCapture,
        Sign::Crash => kind == StepKind::Crash,
        Sign::Breach => kind == StepKind::Breach,
        Sign::Drop => kind == StepKind::Drop,
        Sign::Check => false,
    }
}

/// Whether these pieces are named, in any order; marks of heroes may be missing.
fn names(named: &[Named], stack: Stack) -> bool {
    let mut kinds: Vec<_> = named.iter().map(|named| named.kind).collect();
    kinds.sort_unstable();
    let mut found: Vec<_> = stack.pieces().map(|piece| piece.kind()).collect();
    found.sort_unstable();
    kinds == found
}

/// Whether these pieces are named with their marks of heroes.
fn exactly(named: &[Named], stack: Stack) -> bool {
    let mut sought: Vec<_> = named.iter().map(|named| (named.kind, named.hero)).collect();
    sought.sort_unstable();
    let mut found: Vec<_> = stack.pieces().map(|piece| (piece.kind(), piece.is_hero())).collect();
    found.sort_unstable();
    sought == found
}

fn found(letters: Letters, stack: Stack) -> String {
    if stack.is_empty() { "nothing".to_owned() } else { letters.stack(stack) }
}
