//! What both implementations say about one position.

use super::common;
use super::reference;
use super::reference::game::limits;
use super::reference::position::{Ending, Position};
use super::setting::Setting;
use commander::{Commander, Position as EnginePosition, Step as EngineStep};
use game::{Game as _, Line, Notation, Outcome};
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;

/// What was compared and what differed.
#[derive(Default)]
pub struct Report {
    pub positions: usize,
    pub turns: usize,
    pub differences: Vec<String>,
}

impl Report {
    /// Notes a difference between two lists of texts.
    pub fn lists(
        &mut self,
        what: &str,
        setting: &Setting,
        fen: &str,
        engine: &[String],
        reference: &[String],
    ) {
        if engine == reference {
            return;
        }
        let only = |a: &[String], b: &[String]| -> Vec<String> {
            a.iter().filter(|text| !b.contains(text)).take(8).cloned().collect()
        };
        self.differences.push(format!(
            "{what} | {} | {fen}\n    engine only {:?}\n    reference only {:?}",
            setting.name,
            only(engine, reference),
            only(reference, engine)
        ));
    }

    pub fn finish(self) {
        for difference in self.differences.iter().take(60) {
            println!("{difference}");
        }
        println!("{} positions, {} turns compared", self.positions, self.turns);
        assert!(self.differences.is_empty(), "{} differences", self.differences.len());
    }
}

pub fn engine_ending(outcome: Option<Outcome>) -> String {
    outcome
        .map_or_else(String::new, |outcome| format!("{} {}", common::winner_word(&outcome), outcome.reason))
}

pub fn reference_ending(ending: Option<Ending>) -> String {
    ending.map_or_else(String::new, |ending| {
        let winner = if ending.reason == "truncated" { "none" } else { ending.winner_name() };
        format!("{winner} {}", ending.reason)
    })
}

/// All complete turns from a position at rest with what they lead to, or nothing if there are more than `limit`.
pub fn engine_turns(engine: &Commander, position: &EnginePosition, limit: usize) -> Option<Vec<String>> {
    fn go(
        engine: &Commander,
        start: &EnginePosition,
        here: &EnginePosition,
        line: &mut Vec<EngineStep>,
        found: &mut Vec<String>,
        limit: usize,
    ) {
        for step in common::steps(engine, here) {
            if found.len() > limit {
                return;
            }
            let mut next = *here;
            engine.play(&mut next, step);
            line.push(step);
            if engine.mid_turn(&next) {
                go(engine, start, &next, line, found, limit);
            } else {
                let text = engine.turn_text(start, line);
                let ending = engine_ending(engine.outcome(&next, &Line::new()));
                found.push(format!("{text} > {} {ending}", engine.write_position(&next)));
            }
            line.pop();
        }
    }
    let mut found = Vec::new();
    go(engine, position, position, &mut Vec::new(), &mut found, limit);
    found.sort();
    (found.len() <= limit).then_some(found)
}

/// How much of what follows a position is compared.
#[derive(Clone, Copy)]
pub struct Depth {
    /// All complete turns, where there are no more than this.
    pub all_turns: usize,
    /// So many random turns, where there are more.
    pub some_turns: usize,
    /// Walks into turns of several steps.
    pub walks: usize,
}

impl Depth {
    /// All turns up to a number, or none.
    pub fn all(all_turns: usize) -> Depth {
        Depth { all_turns, some_turns: 0, walks: 4 }
    }
}

/// Compares everything both say about a position at rest.
pub fn compare(
    setting: &Setting,
    position: &Position,
    depth: Depth,
    random: &mut ChaCha8Rng,
    report: &mut Report,
) {
    let fen = position.text();
    let engine = &setting.engine;
    let read = match engine.read_position(&fen) {
        Ok(read) => read,
        Err(faults) => {
            report.differences.push(format!("read | {} | {fen}\n    {faults}", setting.name));
            return;
        }
    };
    assert_eq!(Position::parse(&fen, &setting.options).map(|read| read.text()), Ok(fen.clone()));
    report.positions += 1;
    report.lists("text", setting, &fen, &[engine.write_position(&read)], std::slice::from_ref(&fen));

    let judged = |check: bool, exposed: bool| [format!("check {check}, exposed {exposed}")];
    let mover = engine.mover(&read);
    report.lists(
        "check",
        setting,
        &fen,
        &judged(engine.in_danger(read.board(), mover), engine.exposed(read.board())),
        &judged(position.check(), reference::reach::exposed(&position.board, &setting.options)),
    );
    let (mut found, mut expected) = (common::step_texts(engine, &read), position.step_texts());
    if let Some(outcome) = engine.outcome(&read, &Line::new()) {
        // A position that is over before its first turn has no steps; the reference judges turns only.
        if !matches!(outcome.reason.0, "mate" | "stalemate") {
            (found, expected) = (Vec::new(), Vec::new());
        } else if !found.is_empty() || !expected.is_empty() {
            report.differences.push(format!("over | {} | {fen}\n    {outcome:?}", setting.name));
        }
    }
    let equal = found == expected;
    report.lists("steps", setting, &fen, &found, &expected);
    if !equal || found.is_empty() {
        return;
    }
    if let Some(found) = engine_turns(engine, &read, depth.all_turns) {
        let mut expected: Vec<String> = position
            .turns()
            .into_iter()
            .map(|turn| {
                let ending = turn.ending.or_else(|| limits(&turn.after, false, 1));
                format!("{} > {} {}", turn.text, turn.after.text(), reference_ending(ending))
            })
            .collect();
        expected.sort();
        report.turns += expected.len();
        report.lists("turns", setting, &fen, &found, &expected);
    } else {
        for _ in 0..depth.some_turns {
            compare_turn(setting, position, &read, random, report);
        }
    }
    compare_middle(setting, position, read, depth.walks, random, report);
}

/// Compares where a random turn leads.
fn compare_turn(
    setting: &Setting,
    position: &Position,
    start: &EnginePosition,
    random: &mut ChaCha8Rng,
    report: &mut Report,
) {
    let engine = &setting.engine;
    let (mut here, mut line) = (*start, Vec::new());
    loop {
        let step = *common::steps(engine, &here).choose(random).unwrap();
        line.push(step);
        engine.play(&mut here, step);
        if !engine.mid_turn(&here) {
            break;
        }
    }
    let text = engine.turn_text(start, &line);
    let ending = engine_ending(engine.outcome(&here, &Line::new()));
    let found = format!("{text} > {} {ending}", engine.write_position(&here));
    let expected = match position.play(&text) {
        None => format!("{text} is not legal"),
        Some((after, ending)) => {
            let ending = ending.or_else(|| limits(&after, false, 1));
            format!("{text} > {} {}", after.text(), reference_ending(ending))
        }
    };
    report.turns += 1;
    report.lists("turn", setting, &position.text(), &[found], &[expected]);
}

/// Walks into turns of several steps and compares texts and steps on the way.
fn compare_middle(
    setting: &Setting,
    position: &Position,
    start: EnginePosition,
    walks: usize,
    random: &mut ChaCha8Rng,
    report: &mut Report,
) {
    let engine = &setting.engine;
    for _ in 0..walks {
        let (mut here, mut plain) = (start, position.clone());
        loop {
            let parts: Vec<EngineStep> = common::steps(engine, &here)
                .into_iter()
                .filter(|step| {
                    let text = engine.step_text(&here, *step);
                    text != "." && (text.starts_with('(') || text.contains('_') || engine.mid_turn(&here))
                })
                .collect();
            let Some(step) = parts.choose(random) else { break };
            let text = engine.step_text(&here, *step);
            engine.play(&mut here, *step);
            let Some(next) = plain.step(&text) else { break };
            plain = next;
            let goes_on = engine.mid_turn(&here);
            let texts = plain.step_texts();
            let fen = plain.text();
            if goes_on == texts.is_empty() {
                report.differences.push(format!("goes on {goes_on} | {} | {fen}", setting.name));
            }
            if !goes_on || texts.is_empty() {
                break;
            }
            report.lists(
                "middle text",
                setting,
                &fen,
                &[engine.write_position(&here)],
                std::slice::from_ref(&fen),
            );
            report.lists("middle steps", setting, &fen, &common::step_texts(engine, &here), &texts);
            match engine.read_position(&fen) {
                Ok(read) if read == here => {}
                Ok(_) => report.differences.push(format!("middle read differs | {} | {fen}", setting.name)),
                Err(faults) => {
                    report.differences.push(format!("middle read | {} | {fen}\n    {faults}", setting.name))
                }
            }
        }
    }
}
