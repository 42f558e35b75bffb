//! Tests of the written half of the contract.

use super::{Check, Examiner, markup};
use crate::{BoardGame, Turns};
use rand::Rng;
use std::collections::HashSet;

/// Turns whose text is read back, of one position.
const TURNS: usize = 32;
/// Most turns of one position that are listed.
const MOST_TURNS: usize = 5000;
/// Wrong texts tried, for one position.
const WRONG_TEXTS: usize = 8;

/// Tests what is cheap enough for every position.
pub(super) fn position<G: BoardGame>(examiner: &mut Examiner<'_, G>, here: &G::Position, legal: &[G::Step]) {
    let game = examiner.game;
    let text = game.write_position(here);
    match game.read_position(&text) {
        Ok(read) => {
            examiner.report.statistics.exact_texts += u64::from(read == *here);
            if let Some(found) = difference(game, here, legal, &read) {
                examiner.fail(Check::PositionText, here, found);
            }
        }
        Err(faults) => examiner.fail(Check::PositionText, here, format!("refused: {faults}")),
    }
    let (before, steps) = game.turn_so_far(here);
    let mut replayed = before;
    for &step in &steps {
        game.play(&mut replayed, step);
    }
    if replayed != *here || game.mid_turn(&before) || steps.is_empty() == game.mid_turn(here) {
        let found = format!("{} steps from {}", steps.len(), game.write_position(&before));
        examiner.fail(Check::TurnSoFar, here, found);
    }
}

/// How a position that was read back differs from the one that was written. A difference that text
/// cannot show (turns since the start) may end the game, but changes nothing before.
fn difference<G: BoardGame>(
    game: &G,
    here: &G::Position,
    legal: &[G::Step],
    read: &G::Position,
) -> Option<String> {
    let text = game.write_position(read);
    if text != game.write_position(here) {
        return Some(format!("written again as {text}"));
    }
    if game.mover(read) != game.mover(here) || game.mid_turn(read) != game.mid_turn(here) {
        return Some("read back with another side to move or in another state of the turn".to_owned());
    }
    if game.points(read) != game.points(here) {
        return Some("read back with other points".to_owned());
    }
    if !game.mid_turn(here) && game.repetition_key(read) != game.repetition_key(here) {
        return Some("read back with another repetition key".to_owned());
    }
    let mut steps = Vec::new();
    game.legal_steps(read, &mut steps);
    let ended_unseen = legal.is_empty() && read != here;
    (steps != legal && !ended_unseen).then(|| "read back with other legal steps".to_owned())
}

/// Tests the texts of all steps and of the turns, pictures, and wrong texts.
pub(super) fn thorough<G: BoardGame>(examiner: &mut Examiner<'_, G>, here: &G::Position, legal: &[G::Step]) {
    steps(examiner, here, legal);
    turns(examiner, here);
    let game = examiner.game;
    if let Err(fault) = markup::well_formed(&game.board_svg(here, None)) {
        examiner.fail(Check::Picture, here, fault);
    }
    let board = game.board_text(here);
    if board.len() < 2 || !board.ends_with('\n') {
        examiner.fail(Check::Picture, here, "the board in characters does not end with a line break");
    }
    wrong_texts(examiner, here);
}

fn steps<G: BoardGame>(examiner: &mut Examiner<'_, G>, here: &G::Position, legal: &[G::Step]) {
    let game = examiner.game;
    let mut seen = HashSet::new();
    for &step in legal {
        let text = game.step_text(here, step);
        match game.read_step(here, &text) {
            Ok(read) if read == step => {}
            Ok(_) => examiner.fail(Check::StepText, here, format!("{text} is read as another step")),
            Err(fault) => examiner.fail(Check::StepText, here, format!("{text} is refused: {fault}")),
        }
        if text.is_empty() || text.chars().any(|letter| letter.is_whitespace() || letter.is_control()) {
            examiner.fail(Check::StepText, here, format!("`{text}` is no word"));
        }
        if !seen.insert(text.clone()) {
            examiner.fail(Check::StepText, here, format!("{text} stands for two steps"));
        }
    }
    if game.read_step(here, "no-such-step").is_ok() {
        examiner.fail(Check::StepText, here, "a text that is no step is read");
    }
}

fn turns<G: BoardGame>(examiner: &mut Examiner<'_, G>, here: &G::Position) {
    let game = examiner.game;
    if game.mid_turn(here) {
        return;
    }
    let mut list = Vec::new();
    let mut turns = Turns::new(game, here);
    while list.len() < MOST_TURNS && turns.advance(game) {
        list.push(turns.steps().to_vec());
    }
    let mut seen = HashSet::new();
    let stride = list.len().div_ceil(TURNS).max(1);
    for (index, steps) in list.iter().enumerate() {
        let text = game.turn_text(here, steps);
        if index % stride == 0 {
            match game.read_turn(here, &text) {
                Ok(read) if read == *steps => {}
                Ok(_) => examiner.fail(Check::TurnText, here, format!("{text} is read as another turn")),
                Err(fault) => examiner.fail(Check::TurnText, here, format!("{text} is refused: {fault}")),
            }
        }
        if !seen.insert(text.clone()) {
            examiner.fail(Check::TurnText, here, format!("{text} stands for two turns"));
        }
    }
    if game.read_turn(here, "no-such-turn").is_ok() {
        examiner.fail(Check::TurnText, here, "a text that is no turn is read");
    }
}

fn wrong_texts<G: BoardGame>(examiner: &mut Examiner<'_, G>, here: &G::Position) {
    let game = examiner.game;
    let text: Vec<char> = game.write_position(here).chars().collect();
    for _ in 0..WRONG_TEXTS {
        let mut wrong = text.clone();
        for _ in 0..examiner.random.random_range(1..=3) {
            let place = examiner.random.random_range(0..=wrong.len());
            let letter = text.get(examiner.random.random_range(0..text.len().max(1))).copied().unwrap_or(' ');
            match examiner.random.random_range(0..4) {
                0 => wrong.insert(place, letter),
                1 => wrong.insert(place, char::from(examiner.random.random_range(b' '..=b'~'))),
                2 if place < wrong.len() => wrong[place] = letter,
                _ if place < wrong.len() => drop(wrong.remove(place)),
                _ => {}
            }
        }
        let wrong: String = wrong.into_iter().collect();
        match game.read_position(&wrong) {
            Err(faults) if faults.0.is_empty() => {
                examiner.report.fail(Check::WrongPositionText, wrong, "refused without a fault");
            }
            Err(_) => {}
            Ok(position) => {
                let written = game.write_position(&position);
                let again = game.read_position(&written).map(|again| game.write_position(&again));
                if again.as_ref() != Ok(&written) {
                    let found = format!("read as {written}, which is not read back");
                    examiner.report.fail(Check::WrongPositionText, wrong, found);
                }
            }
        }
    }
}
