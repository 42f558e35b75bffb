//! The judge: every row of the rules page, and the lines of a plain reference.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

use flate2::read::GzDecoder;
use game::options::{parse_pairs, rules_from};
use game::{Game, Judged, Notation};
use std::collections::BTreeSet;
use std::io::Read;
use xiangqi::Xiangqi;

/// More plies than any game has.
const ENOUGH: usize = 620;

fn open(preset: &str, options: &[String]) -> Xiangqi {
    let rules = rules_from::<Xiangqi>(Some(preset), &parse_pairs(options).unwrap()).unwrap();
    Xiangqi::with_rules(rules).unwrap()
}

fn judge(game: &Xiangqi, fen: &str, moves: &[&str]) -> Judged {
    let start = game.read_position(fen).unwrap_or_else(|faults| panic!("{fen}: {faults}"));
    game.judge(&start, moves).unwrap().unwrap_or_else(|fault| panic!("{fen}: {fault}"))
}

/// The moves of a row, cycles written out.
fn written_out(text: &str) -> Vec<&str> {
    let mut moves = Vec::new();
    let mut rest = text;
    while let Some(at) = rest.find(['[', '(']) {
        moves.extend(rest[..at].split_whitespace());
        let end = rest.find([']', ')']).unwrap();
        let cycle: Vec<&str> = rest[at + 1..end].split_whitespace().collect();
        let (times, tail) = match rest[end + 1..].strip_prefix('×') {
            Some(tail) => (tail[..1].parse().unwrap(), &tail[1..]),
            None => (ENOUGH / cycle.len(), &rest[end + 1..]),
        };
        moves.extend(cycle.repeat(times));
        rest = tail;
    }
    moves.extend(rest.split_whitespace());
    moves
}

#[test]
fn every_row_of_the_rules_page() {
    let mut rows = 0;
    for line in include_str!("data/judge-rows.txt").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split('|').map(str::trim).collect();
        let [fen, moves, rules, verdict, ply, reason, progress] = fields[..] else { panic!("{line}") };
        let mut words = rules.split_whitespace().map(str::to_owned);
        let preset = words.next().unwrap();
        let game = open(&preset, &words.collect::<Vec<_>>());
        let judged = judge(&game, fen, &written_out(moves));
        let found = (judged.verdict, judged.ply.to_string(), judged.reason);
        assert_eq!(found, (verdict, ply.to_owned(), reason.trim_matches('-')), "{line}: {judged:?}");
        if progress != "-" {
            assert_eq!(judged.counters["progress"].plies.to_string(), progress, "{line}");
        }
        rows += 1;
    }
    assert_eq!(rows, 31);
}

#[test]
fn every_line_of_the_reference() {
    let mut text = String::new();
    GzDecoder::new(&include_bytes!("data/judge.jsonl.gz")[..]).read_to_string(&mut text).unwrap();
    let mut reasons = BTreeSet::new();
    let mut wrong = Vec::new();
    for line in text.lines() {
        let case: serde_json::Value = serde_json::from_str(line).unwrap();
        let text = |key: &str| case[key].as_str().unwrap();
        let options = case["options"].as_object().unwrap();
        let options: Vec<String> = options
            .iter()
            .map(|(key, value)| format!("{key}={}", value.to_string().trim_matches('"')))
            .collect();
        let game = open(text("preset"), &options);
        let moves: Vec<&str> = text("moves").split_whitespace().collect();
        let judged = judge(&game, text("fen"), &moves);
        let expected = (text("verdict"), case["ply"].as_u64().unwrap() as usize, text("reason"));
        if (judged.verdict, judged.ply, judged.reason) != expected {
            wrong.push(format!(
                "{} {} {options:?} {}: expected {expected:?}, found {judged:?}",
                text("fen"),
                text("preset"),
                moves[..moves.len().min(9)].join(" ")
            ));
        }
        reasons.insert(judged.reason);
    }
    assert!(wrong.is_empty(), "{} wrong:\n{}", wrong.len(), wrong.join("\n"));
    assert!(reasons.len() >= 12, "{reasons:?}");
}
