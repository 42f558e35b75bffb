//! One worked position, or more, for what each option decides: `tests/data/options.txt`.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

mod common;

use commander::deployment::WrittenDeployment;
use commander::{Commander, Rules};
use common::VALUES;
use game::options::{as_table, parse_pairs, rules_from};
use game::{Game, Line, Notation, Outcome};

/// The pieces that `deploys` does not name.
const USUAL_PIECES: &str = "N b2 c4, F e2 i2, T f4 h4, E d5 j5, A d3 j3, G e4 i4, S g3, I c5 k5, M g5";

struct Case {
    fen: String,
    with: Vec<String>,
    /// What holds under each value.
    values: Vec<(String, Vec<String>)>,
}

/// The options of the data file with their cases.
fn options() -> Vec<(String, Vec<Case>)> {
    let text = include_str!("data/options.txt");
    let mut options: Vec<(String, Vec<Case>)> = Vec::new();
    for line in text.lines().filter(|line| !line.is_empty() && !line.starts_with('#')) {
        let words: Vec<String> = line.split(' ').skip(1).map(str::to_owned).collect();
        if let Some(key) = line.strip_prefix("option ") {
            options.push((key.to_owned(), Vec::new()));
            continue;
        }
        let cases = &mut options.last_mut().unwrap().1;
        if let Some(fen) = line.strip_prefix("fen ") {
            cases.push(Case { fen: fen.to_owned(), with: Vec::new(), values: Vec::new() });
        } else if line.starts_with("with ") {
            cases.last_mut().unwrap().with = words;
        } else {
            if cases.is_empty() {
                cases.push(Case { fen: String::new(), with: Vec::new(), values: Vec::new() });
            }
            let (value, checks) = line.split_once(": ").unwrap();
            let checks = checks.split("; ").map(str::to_owned).collect();
            cases.last_mut().unwrap().values.push((value.to_owned(), checks));
        }
    }
    options
}

fn rules(pairs: &[String]) -> Rules {
    rules_from::<Commander>(None, &parse_pairs(pairs).unwrap()).unwrap()
}

/// The end of the game after a turn and the position, or nothing where the turn is illegal.
fn after(game: &Commander, fen: &str, turn: &str) -> Option<(commander::Position, Option<Outcome>)> {
    let mut position = game.read_position(fen).unwrap();
    for step in game.read_turn(&position, turn).ok()? {
        game.play(&mut position, step);
    }
    Some((position, game.outcome(&position, &Line::new())))
}

/// Whether a check of the data file holds.
fn holds(game: &Commander, fen: &str, check: &str) -> bool {
    if check == "refused" {
        return game.read_position(fen).is_err();
    }
    if let Some(start) = check.strip_prefix("start ") {
        return game.write_position(&game.start()).starts_with(start);
    }
    if let Some(rest) = check.strip_prefix("deploys ") {
        let (written, faults) = WrittenDeployment::read_line(&format!("{USUAL_PIECES}, {rest}"));
        assert!(faults.0.is_empty(), "{check}");
        return game.deployment(&written).is_ok();
    }
    if let Some(other) = check.strip_prefix("no ") {
        return !holds(game, fen, other);
    }
    if game.read_position(fen).is_err() {
        return false;
    }
    if let Some((turn, end)) = check.split_once(" => ") {
        return after(game, fen, turn).is_some_and(|(_, outcome)| {
            let words = outcome.map(|outcome| format!("{} {}", outcome.winner_word(), outcome.reason));
            words.unwrap_or_else(|| "on".to_owned()) == end
        });
    }
    if let Some((turn, position)) = check.split_once(" -> ") {
        return after(game, fen, turn).is_some_and(|(found, _)| game.write_position(&found) == position);
    }
    if let Some((turn, score)) = check.split_once(" scores ") {
        return after(game, fen, turn).is_some_and(|(found, outcome)| {
            let [red, blue] = game.score_sheet(&found, outcome.as_ref());
            format!("{red},{blue}") == score
        });
    }
    if check.contains('/') {
        return after(game, fen, check).is_some();
    }
    game.read_step(&game.read_position(fen).unwrap(), check).is_ok()
}

#[test]
fn every_case_holds_and_every_two_values_are_told_apart() {
    for (key, cases) in options() {
        let mut values: Vec<&str> = Vec::new();
        let mut answers: Vec<Vec<bool>> = Vec::new();
        for case in &cases {
            let checks: Vec<&String> = case.values.iter().flat_map(|(_, checks)| checks).collect();
            for (index, (value, own)) in case.values.iter().enumerate() {
                let pairs = [case.with.as_slice(), &[format!("{key}={value}")]].concat();
                let game = Commander::new(rules(&pairs));
                for check in own {
                    assert!(holds(&game, &case.fen, check), "{key}={value}: {check} in {}", case.fen);
                }
                if values.len() == index {
                    values.push(value);
                    answers.push(Vec::new());
                }
                assert_eq!(values[index], value, "{key}: the same values in each case");
                answers[index].extend(checks.iter().map(|check| holds(&game, &case.fen, check)));
            }
        }
        for (one, answer) in answers.iter().enumerate() {
            for other in 0..one {
                assert_ne!(*answer, answers[other], "{key}: {} like {}", values[one], values[other]);
            }
        }
    }
}

#[test]
fn no_option_and_no_value_is_forgotten() {
    let options = options();
    let mut keys: Vec<&String> = options.iter().map(|(key, _)| key).collect();
    keys.sort_unstable();
    let table = as_table(&Rules::official()).unwrap();
    let mut known: Vec<&String> = table.keys().collect();
    known.sort_unstable();
    assert_eq!(keys, known);
    for (key, values) in VALUES {
        // Any number is a value of these.
        if matches!(*key, "no_capture_turns" | "max_turns") {
            continue;
        }
        let cases = &options.iter().find(|(name, _)| name == key).unwrap().1;
        let shown: Vec<Rules> =
            cases[0].values.iter().map(|(value, _)| rules(&[format!("{key}={value}")])).collect();
        for value in *values {
            assert!(shown.contains(&rules(&[format!("{key}={value}")])), "{key}={value}");
        }
    }
}
