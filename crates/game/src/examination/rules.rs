//! Tests of the rules half of the contract.

use super::{Check, Examiner};
use crate::options::{as_table, rules_from};
use crate::{BoardGame, Line, Outcome, Play, Player, Turns};
use toml::Value;

/// Most turns of one position that are walked through.
const MOST_TURNS: u64 = 5000;
/// A name that no preset and no option has.
const NO_NAME: &str = "no-such-name";

/// Tests presets and options.
pub(super) fn rules<G: BoardGame>(examiner: &mut Examiner<'_, G>) {
    let report = &mut examiner.report;
    report.statistics.sizes = [size_of::<G::Position>(), size_of::<G::Step>()];
    if G::presets().is_empty() {
        report.fail(Check::Presets, G::NAME, "there is none");
    }
    for &name in G::presets() {
        let Some(rules) = G::preset(name) else {
            report.fail(Check::Presets, name, "it is listed but does not exist");
            continue;
        };
        match G::with_rules(rules.clone()) {
            Ok(game) if *game.rules() == rules => {}
            Ok(_) => report.fail(Check::Presets, name, "the game has other rules"),
            Err(message) => report.fail(Check::Presets, name, message),
        }
        match as_table(&rules) {
            Ok(table) => {
                match Value::Table(table.clone()).try_into::<G::Rules>() {
                    Ok(read) if read == rules => {}
                    Ok(_) => report.fail(Check::RulesText, name, "read back as other rules"),
                    Err(error) => report.fail(Check::RulesText, name, error.message()),
                }
                let mut unknown = table;
                unknown.insert(NO_NAME.to_owned(), Value::Boolean(true));
                if Value::Table(unknown).try_into::<G::Rules>().is_ok() {
                    report.fail(Check::RulesText, name, "an unknown key is not refused");
                }
            }
            Err(message) => report.fail(Check::RulesText, name, message),
        }
    }
    if G::preset(NO_NAME).is_some() || rules_from::<G>(Some(NO_NAME), &[]).is_ok() {
        report.fail(Check::Presets, NO_NAME, "an unknown preset opens");
    }
    let unit = examiner.game.margin_unit();
    if !unit.is_finite() || unit < 0.0 {
        report.fail(Check::MarginUnit, G::NAME, format!("it is {unit}"));
    }
}

/// Tests what is cheap enough for every position.
pub(super) fn position<G: BoardGame>(
    examiner: &mut Examiner<'_, G>,
    play: &Play<G>,
    legal: &[G::Step],
    outcome: Option<Outcome>,
) {
    let game = examiner.game;
    let here = &play.position;
    // A list that held something else before must be replaced.
    let mut again = legal.to_vec();
    game.legal_steps(here, &mut again);
    if again != legal {
        examiner.fail(Check::StepOrder, here, "the legal steps are listed differently a second time");
    }
    let count = game.count_steps(here, &mut again);
    if count != legal.len() {
        examiner.fail(Check::StepOrder, here, format!("{count} legal steps counted, {} listed", legal.len()));
    }
    let alone = game.outcome(here, &Line::new());
    match (legal.is_empty(), alone) {
        (true, None) => examiner.fail(Check::StepsUntilTheEnd, here, "no legal step, but no outcome"),
        (false, Some(end)) => {
            let found = format!("{} legal steps, but the game has ended by {}", legal.len(), end.reason);
            examiner.fail(Check::StepsUntilTheEnd, here, found);
        }
        (true, Some(_)) | (false, None) => {}
    }
    if alone.is_some() && outcome.is_none() {
        examiner.fail(Check::Outcome, here, "the game has ended, but not with its line");
    }
    let [first, second] = game.points(here);
    if game.margin_unit() == 0.0 && (first, second) != (0, 0) {
        examiner.fail(
            Check::MarginUnit,
            here,
            format!("points {first} and {second}, but the margin unit is 0"),
        );
    }
}

/// Tests every legal step of a position.
pub(super) fn thorough<G: BoardGame>(examiner: &mut Examiner<'_, G>, here: &G::Position, legal: &[G::Step]) {
    let game = examiner.game;
    if let Some(counted) = game.count_turns(here) {
        let mut turns = Turns::new(game, here);
        let mut walked = 0;
        while walked <= MOST_TURNS && turns.advance(game) {
            walked += 1;
        }
        if counted != walked && walked <= MOST_TURNS {
            examiner.fail(
                Check::TurnCount,
                here,
                format!("{counted} turns counted, {walked} walked through"),
            );
        }
    }
    let points = game.points(here);
    let mut steps = Vec::new();
    for &step in legal {
        let mut after = *here;
        game.play(&mut after, step);
        let new = game.points(&after);
        let text = || game.step_text(here, step);
        if new != points && !game.is_capture(here, step) {
            let found = format!("{} captures nothing, but points go from {points:?} to {new:?}", text());
            examiner.fail(Check::Points, here, found);
        }
        let mover = game.mover(here).index();
        if new[mover] < points[mover] {
            let found = format!("{} takes points from its own side: from {points:?} to {new:?}", text());
            examiner.fail(Check::Points, here, found);
        }
        let between = !game.mid_turn(here) && !game.mid_turn(&after);
        if between && game.repetition_key(here) == game.repetition_key(&after) {
            examiner.fail(Check::RepetitionKey, here, format!("{} does not change the key", text()));
        }
        game.legal_steps(&after, &mut steps);
        if game.mid_turn(&after) && steps.is_empty() != game.outcome(&after, &Line::new()).is_some() {
            let found =
                format!("after {} {} steps inside a turn do not fit its outcome", text(), steps.len());
            examiner.fail(Check::StepsUntilTheEnd, here, found);
        }
    }
    for viewer in Player::BOTH {
        let seen = game.observe(here, viewer);
        if game.observe(&seen, viewer) != seen {
            examiner.fail(Check::Observe, here, format!("{viewer:?} sees something else the second time"));
        }
        game.legal_steps(&seen, &mut steps);
        if game.mover(&seen) != game.mover(here) {
            examiner.fail(Check::Observe, here, format!("{viewer:?} sees another side to move"));
        } else if viewer == game.mover(here) && steps != legal {
            examiner.fail(Check::Observe, here, "the mover sees other legal steps");
        }
    }
}
