//! Planes, keys, codes and policy cells over random play.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

mod common;

use commander::{Commander, Position, Step};
use common::{preset, rows, steps};
use game::{Encoding, Game, NO_CELL, Notation, PlanesMut, Play};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::{HashMap, HashSet};

fn planes(game: &Commander, position: &Position) -> Vec<f32> {
    let shape = game.plane_shape();
    let mut numbers = vec![0.0; shape.len()];
    game.write_planes(position, &mut PlanesMut::new(shape, &mut numbers));
    numbers
}

fn bits(numbers: &[f32]) -> Vec<u32> {
    numbers.iter().map(|number| number.to_bits()).collect()
}

fn cells(game: &Commander, position: &Position, step: Step) -> Vec<u32> {
    let shape = game.policy_shape();
    let mut cells = vec![0; shape.cells_per_step];
    game.policy_cells(position, step, &mut cells);
    assert!(cells.iter().all(|&cell| cell == NO_CELL || (cell as usize) < shape.cells()));
    assert_ne!(cells[0], NO_CELL);
    cells
}

/// Positions of random games, in the middle of turns too, and of the case files.
fn sample(game: &Commander, games: u64) -> Vec<Position> {
    let mut positions = Vec::new();
    let starts = rows("official").into_iter().map(|row| game.read_position(row["fen"].as_str().unwrap()));
    let mut starts: Vec<Position> = starts.filter_map(Result::ok).collect();
    starts.extend((0..games).map(|_| game.start()));
    for (seed, start) in starts.into_iter().enumerate() {
        let mut random = ChaCha8Rng::seed_from_u64(seed as u64);
        let mut play = Play::new(game, start);
        let longest = if start == game.start() { 400 } else { 6 };
        for _ in 0..longest {
            let list = steps(game, &play.position);
            if list.is_empty() || (!game.mid_turn(&play.position) && play.outcome(game).is_some()) {
                break;
            }
            positions.push(play.position);
            // Prefer steps of parts of stacks, which are rare.
            let split: Vec<Step> = list
                .iter()
                .copied()
                .filter(|step| step.members != play.position.board().at(step.origin).full_mask())
                .collect();
            let from = if !split.is_empty() && random.random_bool(0.3) { split } else { list };
            let step = from[random.random_range(0..from.len())];
            play.step(game, step);
        }
    }
    positions
}

fn mirrored(step: Step) -> Step {
    Step { origin: step.origin.mirrored(), target: step.target.mirrored(), ..step }
}

#[test]
fn equal_keys_are_equal_planes_and_colours_do_not_show() {
    for name in ["official", "core", "wiki"] {
        let game = preset(name);
        let mut by_key: HashMap<u64, Vec<u32>> = HashMap::new();
        let mut distinct: HashSet<Vec<u32>> = HashSet::new();
        for position in sample(&game, 8) {
            let own = bits(&planes(&game, &position));
            let key = game.evaluation_key(&position);
            assert_eq!(by_key.entry(key).or_insert_with(|| own.clone()), &own, "one key, two encodings");
            distinct.insert(own.clone());
            let twin = position.flipped();
            assert_eq!(twin.flipped(), position);
            assert_eq!(bits(&planes(&game, &twin)), own, "{}", game.write_position(&position));
            assert_eq!(game.evaluation_key(&twin), key);
            let list = steps(&game, &position);
            let other: Vec<Step> = steps(&game, &twin).into_iter().map(mirrored).collect();
            assert_eq!(list, other, "{}", game.write_position(&position));
            for &step in &list {
                let there = cells(&game, &twin, mirrored(step));
                assert_eq!(cells(&game, &position, step), there);
            }
        }
        assert_eq!(by_key.len(), distinct.len(), "one encoding, two keys");
    }
}

/// Fields that the encoding may not see must not matter, and those that matter must show.
#[test]
fn every_counter_that_matters_shows() {
    let game = preset("official");
    let base =
        "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 r - -";
    let key = |rest: &str| game.evaluation_key(&game.read_position(&format!("{base} {rest}")).unwrap());
    assert_eq!(key("3 1"), key("3 9"), "the move number decides nothing");
    assert_eq!(key("3 1 points:10,0"), key("3 1 points:30,20"), "only the difference decides");
    assert_ne!(key("3 1"), key("4 1"));
    assert_ne!(key("3 1 points:10,0"), key("3 1 points:0,10"));
}

#[test]
fn codes_decode_and_cells_tell_steps_apart() {
    let game = preset("official");
    let (mut listed, mut shared) = (0, 0);
    for position in sample(&game, 4) {
        let list = steps(&game, &position);
        let mut codes = HashSet::new();
        let mut seen = HashSet::new();
        for &step in &list {
            let code = game.step_code(&position, step);
            assert!(codes.insert(code));
            assert_eq!(game.step_from_code(&position, code), Some(step));
            listed += 1;
            shared += !seen.insert(cells(&game, &position, step)) as usize;
        }
        for wrong in [0, u32::MAX, 0x8500_0010, 0x0085_0010] {
            let code = game::StepCode(wrong);
            assert!(codes.contains(&code) || game.step_from_code(&position, code).is_none());
        }
    }
    assert!(listed > 50_000, "{listed}");
    assert_eq!(shared, 0, "of {listed} steps");
}
