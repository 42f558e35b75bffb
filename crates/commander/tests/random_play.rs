//! Invariants of random play under every single option, flipped from each preset.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

mod common;

use commander::piece::Kind;
use commander::point::{POINTS, Point};
use commander::tables::{Tables, may_stand};
use commander::{Commander, Position, Rules, StepKind, middle_games};
use common::{VALUES, step_texts, steps};
use game::{Game, Line, Notation, Play, Player};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;

fn rules(preset: &str, key: &str, value: &str) -> Rules {
    let pairs = game::options::parse_pairs(&[format!("{key}={value}")]).unwrap();
    game::options::rules_from::<Commander>(Some(preset), &pairs).unwrap()
}

/// Number of pieces of each kind and side.
fn material(position: &Position) -> [[u16; 12]; 2] {
    Player::BOTH.map(|side| {
        let mut counts = [0; 12];
        for kind in Kind::ALL {
            counts[kind.index()] = position.board().count(side, kind);
        }
        counts
    })
}

fn check_position(game: &Commander, tables: &Tables, position: &Position) {
    let board = position.board();
    assert_eq!(*board, board.rebuilt(), "sets, counts and keys follow the stacks");
    for point in (0..POINTS).map(Point::from_index) {
        let stack = board.at(point);
        if stack.is_empty() || point == position.turn().origin {
            continue;
        }
        assert!(tables.legal_stack(stack), "{stack} on {point}");
        assert!(may_stand(stack.carrier().kind(), point), "{stack} on {point}");
        assert!(stack.pieces().all(|piece| piece.kind() != Kind::Commander || !piece.is_hero()));
    }
    for side in Player::BOTH {
        assert!(board.count(side, Kind::Commander) <= 1);
    }
    let fen = game.write_position(position);
    if position.played() == 0 || game.outcome(position, &Line::new()).is_none() {
        let again = game.read_position(&fen).unwrap_or_else(|faults| panic!("{fen}: {faults}"));
        assert_eq!(game.write_position(&again), fen);
        assert_eq!(step_texts(game, &again), step_texts(game, position), "{fen}");
        assert_eq!(again.board(), board, "{fen}");
        assert_eq!(again.turn(), position.turn(), "{fen}");
    }
}

/// Plays one random game and checks every position on the way.
fn play_and_check(game: &Commander, seed: u64, from: Position) {
    let tables = Tables::new(game.rules());
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let mut play = Play::new(game, from);
    let mut turns = 0;
    loop {
        if !game.mid_turn(&play.position) && play.outcome(game).is_some() {
            break;
        }
        let before = play.position;
        check_position(game, &tables, &before);
        let list = steps(game, &before);
        assert!(!list.is_empty(), "a game that goes on has steps");
        let step = list[random.random_range(0..list.len())];
        let text = game.step_text(&before, step);
        assert_eq!(game.read_step(&before, &text), Ok(step));
        assert_eq!(list.iter().filter(|&&other| game.step_text(&before, other) == text).count(), 1, "{text}");
        play.step(game, step);
        let after = &play.position;
        let (old, new) = (material(&before), material(after));
        for side in 0..2 {
            for kind in 0..12 {
                assert!(new[side][kind] <= old[side][kind], "material never appears");
            }
        }
        if step.kind.is_capture() {
            assert_ne!(old, new, "{text} captures");
        } else {
            assert_eq!(old, new, "{text} captures nothing");
            assert_eq!(before.points(), after.points());
        }
        if step.kind == StepKind::Crash {
            assert!(after.points().iter().zip(before.points()).all(|(now, then)| *now >= then));
        }
        if game.mid_turn(after) {
            assert_eq!(after.mover(), before.mover());
        } else {
            turns += 1;
            assert_eq!(after.mover(), before.mover().opponent());
            assert_eq!(after.played(), before.played() + 1);
            let captured = step.kind.is_capture() || before.turn().captured;
            assert_eq!(after.quiet_turns(), if captured { 0 } else { before.quiet_turns() + 1 });
            assert_eq!(game.irreversible(after), captured);
            let commander_lost =
                play.outcome(game).is_some_and(|outcome| outcome.reason.0 == "commander_captured");
            assert!(commander_lost || !game.in_danger(after.board(), before.mover()), "{text}");
        }
    }
    assert!(turns <= game.longest_game());
    assert!(steps(game, &play.position).is_empty() || play.line.occurrences() >= 3);
}

#[test]
fn every_option_in_every_preset() {
    for preset in middle_games::PRESETS {
        let base = Rules::preset(preset).unwrap();
        for (key, values) in VALUES {
            for value in *values {
                let rules = rules(preset, key, value);
                if rules == base && *value != values[0] {
                    continue;
                }
                let game = Commander::new(rules);
                play_and_check(&game, 7, game.start());
            }
        }
    }
}

#[test]
fn the_list_of_options_is_complete() {
    let table = game::options::as_table(&Rules::official()).unwrap();
    let mut known: Vec<&str> = VALUES.iter().map(|(key, _)| *key).collect();
    known.sort_unstable();
    let mut keys: Vec<&String> = table.keys().collect();
    keys.sort_unstable();
    assert_eq!(keys, known);
}

/// From crowded positions with heroes and stacks, where rare rules meet.
#[test]
fn sparse_positions_under_every_option() {
    let fens: Vec<String> = ["core-sparse", "official"]
        .iter()
        .flat_map(|name| common::rows(name))
        .map(|row| row["fen"].as_str().unwrap().to_owned())
        // One of them has navies on dry land, which may stay there but may not be left behind.
        .filter(|fen| !fen.starts_with("4c6/11/11/4n6/"))
        .collect();
    let mut index = 0;
    for preset in middle_games::PRESETS {
        for (key, values) in VALUES {
            for value in *values {
                let game = Commander::new(rules(preset, key, value));
                for _ in 0..2 {
                    index += 1;
                    let Ok(position) = game.read_position(&fens[index * 31 % fens.len()]) else { continue };
                    if game.outcome(&position, &Line::new()).is_none() {
                        play_and_check(&game, index as u64, position);
                    }
                }
            }
        }
    }
}
