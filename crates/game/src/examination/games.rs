//! Plays the games of an examination.

use super::{Check, Examiner};
use crate::record::{GameRecord, StepRecord, replay};
use crate::{BoardGame, Outcome, Play, StepCode};
use std::collections::HashMap;

/// Steps of a turn after which it counts as endless.
const ENDLESS_TURN: usize = 1000;

/// Plays one game from `start`, as far as there are choices, and tests its positions, turns and end.
pub(super) fn game<G: BoardGame>(examiner: &mut Examiner<'_, G>, start: G::Position) {
    let game = examiner.game;
    let mut play = Play::new(game, start);
    let mut codes = Vec::new();
    let mut legal = Vec::new();
    let (mut turn_start, mut turn) = game.turn_so_far(&start);
    let mut turns = 0;
    let mut reversible = Reversible::default();
    reversible.turn(examiner, &play.position);
    loop {
        game.legal_steps(&play.position, &mut legal);
        let outcome = play.outcome(game);
        examiner.position(&play, &legal, outcome);
        if let Some(outcome) = outcome {
            if !turn.is_empty() {
                finish_turn(examiner, &turn_start, &turn, &play.position);
            }
            examiner.report.statistics.add_game(outcome, turns);
            return record(examiner, &start, &codes, &play, outcome);
        }
        if legal.is_empty() || turn.len() > ENDLESS_TURN {
            // Reported where positions are tested; the game cannot go on.
            if !legal.is_empty() {
                examiner.fail(Check::LongestGame, &turn_start, "a turn that does not end");
            }
            return;
        }
        let before = play.position;
        let Some(chosen) = examiner.choose(legal.len()) else { return };
        let step = legal[chosen];
        codes.push(game.step_code(&before, step));
        examiner.report.statistics.captures += u64::from(game.is_capture(&before, step));
        turn.push(step);
        play.step(game, step);
        if game.mid_turn(&play.position) {
            if game.mover(&play.position) != game.mover(&before) {
                examiner.fail(Check::Mover, &play.position, "the mover changed inside a turn");
            }
            continue;
        }
        turns += 1;
        finish_turn(examiner, &turn_start, &turn, &play.position);
        reversible.turn(examiner, &play.position);
        if game.mover(&play.position) == game.mover(&turn_start) {
            examiner.fail(Check::Mover, &play.position, "the mover did not change after a turn");
        }
        turn.clear();
        turn_start = play.position;
        if turns > u64::from(game.longest_game()) {
            let found = format!("{turns} turns, but the longest game has {}", game.longest_game());
            return examiner.fail(Check::LongestGame, &play.position, found);
        }
    }
}

/// Tests the text of a turn that was played.
fn finish_turn<G: BoardGame>(
    examiner: &mut Examiner<'_, G>,
    before: &G::Position,
    steps: &[G::Step],
    after: &G::Position,
) {
    let game = examiner.game;
    examiner.report.statistics.turns += 1;
    *examiner.report.statistics.turn_lengths.entry(steps.len()).or_default() += 1;
    let text = game.turn_text(before, steps);
    match game.read_turn(before, &text) {
        Ok(read) if read == steps => {}
        Ok(read) => {
            let found =
                format!("the turn {text} of {} steps is read as {} other steps", steps.len(), read.len());
            examiner.fail(Check::TurnText, before, found);
        }
        Err(fault) => examiner.fail(Check::TurnText, before, format!("the turn {text} is refused: {fault}")),
    }
    let picture = game.board_svg(after, Some((before, steps)));
    if let Err(fault) = super::markup::well_formed(&picture) {
        examiner.fail(Check::Picture, after, format!("picture with last turn {text}: {fault}"));
    }
}

/// The positions of a game by key, and since when none of them may come back.
#[derive(Default)]
struct Reversible {
    turns: HashMap<u64, usize>,
    length: usize,
    since: usize,
}

impl Reversible {
    fn turn<G: BoardGame>(&mut self, examiner: &mut Examiner<'_, G>, position: &G::Position) {
        let game = examiner.game;
        if game.mid_turn(position) {
            return;
        }
        let key = game.repetition_key(position);
        if self.length > 0 && game.irreversible(position) {
            self.since = self.length;
        }
        if let Some(turn) = self.turns.insert(key, self.length)
            && turn < self.since
        {
            examiner.fail(
                Check::Irreversible,
                position,
                format!("the position stood after turn {turn} already"),
            );
        }
        self.length += 1;
    }
}

/// Records the game, replays the record, and tries two wrong records.
fn record<G: BoardGame>(
    examiner: &mut Examiner<'_, G>,
    start: &G::Position,
    codes: &[StepCode],
    play: &Play<G>,
    outcome: Outcome,
) {
    let game = examiner.game;
    let record = GameRecord {
        id: 1,
        cycle: 1,
        start: game.write_position(start),
        steps: codes.iter().map(|&code| StepRecord { code, search: None }).collect(),
        winner: outcome.winner_word().to_owned(),
        reason: outcome.reason.0.to_owned(),
        points: game.points(&play.position),
    };
    match replay(game, &record, |_, _, _| {}) {
        Ok(replayed) if replayed.position == play.position => {}
        Ok(replayed) => {
            let found = format!("replayed to {}", game.write_position(&replayed.position));
            examiner.fail(Check::Record, &play.position, found);
        }
        Err(fault) => examiner.fail(Check::Record, &play.position, format!("refused: {fault}")),
    }
    let longer = GameRecord {
        steps: record.steps.iter().cloned().chain([StepRecord { code: StepCode(0), search: None }]).collect(),
        ..record.clone()
    };
    let other = if record.winner == "draw" { "first" } else { "draw" };
    let wrong = GameRecord { winner: other.to_owned(), ..record };
    for (record, what) in [(longer, "with a step after its end"), (wrong, "with another winner")] {
        if replay(game, &record, |_, _, _| {}).is_ok() {
            examiner.fail(Check::Record, &play.position, format!("a record {what} is replayed"));
        }
    }
}
