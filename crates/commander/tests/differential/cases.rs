//! The plain implementation itself against the cases and the numbers of the rules page.

use super::common;
use super::reference;
use super::reference::game::{Game, limits};
use super::reference::options::Options;
use super::reference::position::Position;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The reference itself against the cases: a mistake in it would make the comparison worthless.
#[test]
fn the_reference_agrees_with_the_cases() {
    let options = Rc::new(Options::preset("official"));
    for name in ["official", "midturn"] {
        for row in common::rows(name) {
            let fen = row["fen"].as_str().unwrap();
            let position = Position::parse(fen, &options).unwrap();
            let mut steps = common::strings(&row["steps"]);
            steps.sort();
            assert_eq!(position.step_texts(), steps, "{fen}");
            if name == "official" {
                assert_eq!(position.check(), row["check"].as_bool().unwrap(), "{fen}");
            }
            let word = |row: &serde_json::Value, key: &str| row[key].as_str().unwrap_or_default().to_string();
            let wanted = row["turns"].as_array().unwrap();
            if wanted.len() > 120 {
                continue;
            }
            let wanted: BTreeMap<String, [String; 3]> = wanted
                .iter()
                .map(|turn| {
                    (word(turn, "turn"), [word(turn, "fen"), word(turn, "winner"), word(turn, "reason")])
                })
                .collect();
            let found: BTreeMap<String, [String; 3]> = position
                .turns()
                .into_iter()
                .map(|turn| {
                    let ending = turn.ending.or_else(|| limits(&turn.after, false, 0));
                    let (winner, reason) = ending.map_or_else(Default::default, |ending| {
                        (ending.winner_name().to_string(), ending.reason)
                    });
                    (turn.text, [turn.after.text(), winner, reason])
                })
                .collect();
            assert_eq!(found, wanted, "{fen}");
        }
    }
    for row in common::rows("games") {
        let mut game = Game::new(Position::parse(row["start"].as_str().unwrap(), &options).unwrap());
        let mut ending = None;
        for turn in common::strings(&row["turns"]) {
            assert_eq!(ending, None);
            ending = game.play(&turn).unwrap();
        }
        let ending = ending.unwrap();
        assert_eq!(
            (ending.winner_name(), ending.reason.as_str()),
            (row["winner"].as_str().unwrap(), row["reason"].as_str().unwrap())
        );
        assert_eq!(game.position.text(), row["fen"].as_str().unwrap());
    }
}

/// The numbers of the rules page, section 11, from the reference.
#[test]
fn the_reference_meets_the_numbers() {
    for (preset, nodes) in [("core", 13_460), ("official", 13_459)] {
        let start = Position::parse(reference::START, &Rc::new(Options::preset(preset))).unwrap();
        let turns = start.turns();
        assert_eq!(turns.len(), 116);
        assert_eq!(turns.iter().map(|turn| turn.after.steps().len()).sum::<usize>(), nodes, "{preset}");
    }
    let core = Rc::new(Options::preset("core"));
    for (board, turns, boards) in [
        ("6c4/11/11/11/11/11/11/11/4(TI)6/11/11/7C3", 97, 61),
        ("6c4/11/11/11/11/11/11/11/4(EA)6/11/11/7C3", 177, 107),
        ("6c4/11/11/11/11/11/11/11/2(NF)8/11/11/7C3", 531, 284),
        ("5c5/11/11/11/11/11/11/11/11/11/11/6(HC)4", 14, 14),
    ] {
        let position = Position::parse(&format!("{board} r - - 0 1"), &core).unwrap();
        let found = position.turns();
        let distinct: std::collections::BTreeSet<String> =
            found.iter().map(|turn| reference::fen::board_text(&turn.after.board)).collect();
        assert_eq!((found.len(), distinct.len()), (turns, boards), "{board}");
    }
}
