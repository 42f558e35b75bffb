//! The committed middle games are what the measurements of speed promise.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

mod common;

use commander::{Commander, Position, Rules, middle_games};
use common::{preset, steps};
use game::{Game, Line, Notation, Player};
use std::collections::HashSet;

/// Number of stacks with cargo and of heroes.
fn stacks_and_heroes(position: &Position) -> (usize, usize) {
    let board = position.board();
    let all: Vec<_> = Player::BOTH.into_iter().flat_map(|side| board.stacks(side)).collect();
    let loaded = all.iter().filter(|(_, stack)| stack.len() > 1).count();
    let heroes = all.iter().flat_map(|(_, stack)| stack.pieces()).filter(|piece| piece.is_hero()).count();
    (loaded, heroes)
}

#[test]
fn they_have_stacks_heroes_and_split_turns_at_all_stages() {
    assert!(middle_games::lines().count() >= 50);
    for name in middle_games::PRESETS {
        let game = preset(name);
        let own: Vec<&str> =
            middle_games::lines().filter(|(preset, _)| *preset == name).map(|(_, fen)| fen).collect();
        assert!(own.len() >= 20, "{name}: {}", own.len());
        assert_eq!(own.iter().collect::<HashSet<_>>().len(), own.len(), "{name}: one stands twice");
        let positions: Vec<Position> = own.iter().map(|fen| game.read_position(fen).unwrap()).collect();
        for (fen, position) in own.iter().zip(&positions) {
            assert_eq!(game.write_position(position), *fen);
            assert!(game.outcome(position, &Line::new()).is_none(), "{fen}: has ended");
            assert!(steps(&game, position).len() > 1, "{fen}");
            let (loaded, heroes) = stacks_and_heroes(position);
            assert!(game.mid_turn(position) || loaded > 1 || (loaded > 0 && heroes > 0), "{fen}");
        }
        let number =
            |wanted: &dyn Fn(&Position) -> bool| positions.iter().filter(|&here| wanted(here)).count();
        assert!(number(&|here| game.mid_turn(here)) >= 6, "{name}: turns under way");
        assert!(number(&|here| stacks_and_heroes(here).1 > 0) >= 6, "{name}: heroes");
        for span in [10..25, 25..45, 45..81] {
            assert!(number(&|here| span.contains(&here.number())) >= 6, "{name}: moves {span:?}");
        }
        for side in Player::BOTH {
            assert!(number(&|here| here.mover() == side) >= 5, "{name}: {side:?} to move");
        }
    }
}

#[test]
fn rules_measure_on_their_own_and_on_most_others() {
    for name in middle_games::PRESETS {
        let own = middle_games::lines().filter(|(preset, _)| *preset == name).count();
        let all = middle_games::positions(&Commander::new(Rules::preset(name).unwrap())).len();
        assert!(all > own && all <= middle_games::lines().count(), "{name}: {all}");
    }
}
