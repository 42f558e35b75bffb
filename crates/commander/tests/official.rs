//! The preset `official` against a plain reference: first steps, complete turns, whole games.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

mod common;

use common::{preset, rows, step_texts, strings, turns, winner_word};
use game::{Game, Line, Notation, Play};
use std::collections::BTreeMap;

/// What a turn leads to, as in the case files.
type Result = (String, Option<String>, Option<String>);

fn compare_turns(fen: &str, expected: &serde_json::Value) -> Vec<String> {
    let game = preset("official");
    let position = game.read_position(fen).unwrap();
    // A FEN in the middle of a turn: the texts of whole turns begin with the steps so far.
    let (start, begun) = match fen.split_once(" turn:") {
        Some((before, rest)) => {
            (game.read_position(before).unwrap(), rest.split_once(':').unwrap().1.to_owned() + "/")
        }
        None => (position, String::new()),
    };
    let mut wanted: BTreeMap<String, Result> = BTreeMap::new();
    for turn in expected.as_array().unwrap() {
        let word = |key: &str| turn.get(key).and_then(|value| value.as_str()).map(str::to_owned);
        wanted.insert(word("turn").unwrap(), (word("fen").unwrap(), word("winner"), word("reason")));
    }
    let mut found: BTreeMap<String, Result> = BTreeMap::new();
    let mut count = 0;
    for (steps, after) in turns(&game, &position) {
        let own = game.turn_text(&position, &steps);
        let text = if own.is_empty() { begun.trim_end_matches('/').to_owned() } else { begun.clone() + &own };
        let outcome = game.outcome(&after, &Line::new());
        let result = (
            game.write_position(&after),
            outcome.as_ref().map(|outcome| winner_word(outcome).to_owned()),
            outcome.map(|outcome| outcome.reason.0.to_owned()),
        );
        count += 1;
        if let Ok(read) = game.read_turn(&start, &text) {
            assert!(
                read.ends_with(&steps[..steps.len().min(read.len())]) || !begun.is_empty(),
                "{fen} {text}"
            );
        } else {
            panic!("{fen}: {text} cannot be read back");
        }
        found.insert(text, result);
    }
    let mut differences = Vec::new();
    if count != found.len() {
        differences.push(format!("{fen}: {} texts for {count} turns", found.len()));
    }
    for (turn, result) in &wanted {
        match found.get(turn) {
            None => differences.push(format!("{fen}: missing {turn}")),
            Some(other) if other != result => {
                differences.push(format!("{fen}: {turn} gives {other:?}, expected {result:?}"));
            }
            Some(_) => {}
        }
    }
    for turn in found.keys().filter(|turn| !wanted.contains_key(*turn)) {
        differences.push(format!("{fen}: unexpected {turn}"));
    }
    differences
}

fn report(differences: &[String]) {
    for line in differences.iter().take(400) {
        eprintln!("{line}");
    }
    assert!(differences.is_empty(), "{} differences", differences.len());
}

#[test]
fn positions_first_steps_and_turns() {
    let game = preset("official");
    let mut differences = Vec::new();
    for row in rows("official") {
        let fen = row["fen"].as_str().unwrap();
        let position = game.read_position(fen).unwrap();
        assert_eq!(game.write_position(&position), fen);
        let mut wanted = strings(&row["steps"]);
        wanted.sort();
        let found = step_texts(&game, &position);
        if found != wanted {
            let missing: Vec<_> = wanted.iter().filter(|text| !found.contains(text)).collect();
            let extra: Vec<_> = found.iter().filter(|text| !wanted.contains(text)).collect();
            differences.push(format!("{fen}: steps missing {missing:?} unexpected {extra:?}"));
        }
        let mover = position.mover();
        let reason = game.outcome(&position, &Line::new()).map(|outcome| outcome.reason.0);
        let judged = [
            ("check", game.in_danger(position.board(), mover)),
            ("exposed", game.exposed(position.board())),
            ("mate", reason == Some("mate")),
            ("stalemate", reason == Some("stalemate")),
        ];
        for (key, value) in judged {
            if row[key].as_bool().unwrap() != value {
                differences.push(format!("{fen}: {key} is {value}"));
            }
        }
        differences.extend(compare_turns(fen, &row["turns"]));
    }
    report(&differences);
}

#[test]
fn positions_in_the_middle_of_a_turn() {
    let game = preset("official");
    let mut differences = Vec::new();
    for row in rows("midturn") {
        let fen = row["fen"].as_str().unwrap();
        let position = game.read_position(fen).unwrap();
        assert_eq!(game.write_position(&position), fen);
        let mut wanted = strings(&row["steps"]);
        wanted.sort();
        let found = step_texts(&game, &position);
        if found != wanted {
            differences.push(format!("{fen}: steps {found:?}, expected {wanted:?}"));
        }
        differences.extend(compare_turns(fen, &row["turns"]));
    }
    report(&differences);
}

#[test]
fn whole_games() {
    let game = preset("official");
    for row in rows("games") {
        let start = game.read_position(row["start"].as_str().unwrap()).unwrap();
        let mut play = Play::new(&game, start);
        for turn in strings(&row["turns"]) {
            assert_eq!(play.outcome(&game), None, "{row} at {turn}");
            let fen = game.write_position(&play.position);
            let steps = game.read_turn(&play.position, &turn);
            for step in steps.unwrap_or_else(|fault| panic!("{fen}: {fault}")) {
                play.step(&game, step);
            }
        }
        let outcome = play.outcome(&game).unwrap();
        assert_eq!(winner_word(&outcome), row["winner"].as_str().unwrap(), "{row}");
        assert_eq!(outcome.reason.0, row["reason"].as_str().unwrap(), "{row}");
        let points: Vec<i64> =
            row["points"].as_array().unwrap().iter().map(|n| n.as_i64().unwrap()).collect();
        assert_eq!(game.points(&play.position).map(i64::from).to_vec(), points);
        assert_eq!(game.write_position(&play.position), row["fen"].as_str().unwrap());
    }
}
