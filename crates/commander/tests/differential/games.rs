//! Games of both implementations side by side.

use super::common;
use super::comparison::{Report, engine_ending, reference_ending};
use super::reference::game::Game;
use super::reference::position::Position;
use super::setting::Setting;
use commander::Step as EngineStep;
use game::{Game as _, Notation, Play};
use rand::Rng;
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

/// A random game of both side by side; the endings, repetition and limits included, must be the same at every turn.
pub fn play_together(
    setting: &Setting,
    start: &Position,
    turns: usize,
    random: &mut ChaCha8Rng,
    report: &mut Report,
) -> String {
    let engine = &setting.engine;
    let Ok(read) = engine.read_position(&start.text()) else { return "not read".to_string() };
    let mut play = Play::new(engine, read);
    let mut game = Game::new(start.clone());
    let mut texts: Vec<String> = Vec::new();
    if play.outcome(engine).is_some() {
        return "over at the start".to_string();
    }
    for _ in 0..turns {
        let before = play.position;
        let mut line = Vec::new();
        loop {
            let steps = common::steps(engine, &play.position);
            // Going back where one came from makes repetitions.
            let back: Vec<EngineStep> = steps
                .iter()
                .copied()
                .filter(|step| {
                    let text = engine.step_text(&play.position, *step);
                    let last = texts
                        .len()
                        .checked_sub(2)
                        .map(|index| texts[index].split('-').rev().collect::<Vec<_>>());
                    last.is_some_and(|last| last.join("-") == text)
                })
                .collect();
            let step = match back.first() {
                Some(step) if random.random_bool(0.7) => *step,
                _ => *steps.choose(random).unwrap(),
            };
            line.push(step);
            play.step(engine, step);
            if !engine.mid_turn(&play.position) {
                break;
            }
        }
        let text = engine.turn_text(&before, &line);
        let fen = game.position.text();
        texts.push(text.clone());
        report.turns += 1;
        let expected = match game.play(&text) {
            Ok(ending) => ending,
            Err(fault) => {
                report.differences.push(format!("game | {} | {fen}\n    {fault}", setting.name));
                return "illegal".to_string();
            }
        };
        let outcome = play.outcome(engine);
        let ending = engine_ending(outcome);
        let over = outcome.is_some();
        let what = format!("game after {text}");
        let found = format!("{} {}", engine.write_position(&play.position), ending);
        let wanted = format!("{} {}", game.position.text(), reference_ending(expected));
        report.lists(&what, setting, &fen, std::slice::from_ref(&found), std::slice::from_ref(&wanted));
        if over || found != wanted {
            return ending;
        }
    }
    "not over".to_string()
}
