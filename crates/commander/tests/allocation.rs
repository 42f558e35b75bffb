//! Play, lists of steps and encodings allocate nothing once their lists have grown.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

mod common;

use commander::{Commander, Rules, Step, middle_games};
use common::preset;
use game::{Encoding, Game, PlanesMut, Play};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::ops::ControlFlow;
use upkeep::allocations::{self, Counting};

#[global_allocator]
static COUNTING: Counting = Counting;

/// Two random games from every start: one listing and counting steps, asking for the end and writing planes,
/// keys and policy cells at every step, one of drawn steps.
fn games(
    game: &Commander,
    starts: &[Play<Commander>],
    play: &mut Play<Commander>,
    list: &mut Vec<Step>,
    numbers: &mut [f32],
    cells: &mut [u32],
) {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    for start in starts {
        play.copy_from(start);
        while play.outcome(game).is_none() {
            game.count_steps(&play.position, list);
            game.legal_steps(&play.position, list);
            game.write_planes(&play.position, &mut PlanesMut::new(game.plane_shape(), numbers));
            std::hint::black_box(game.evaluation_key(&play.position));
            for &step in list.iter() {
                game.policy_cells(&play.position, step, cells);
            }
            play.step(game, list[random.random_range(0..list.len())]);
        }
        play.copy_from(start);
        while let ControlFlow::Continue(step) = play.random_step(game, &mut random, list) {
            play.step(game, step);
        }
    }
}

#[test]
fn random_games_from_middle_games_allocate_nothing() {
    for name in Rules::PRESETS {
        let game = preset(name);
        let starts: Vec<Play<Commander>> = middle_games::positions(&game)
            .into_iter()
            .chain([game.start()])
            .map(|position| Play::new(&game, position))
            .collect();
        let mut play = starts[0].clone();
        let (mut list, mut numbers) = (Vec::new(), vec![0.0; game.plane_shape().len()]);
        let mut cells = vec![0; game.policy_shape().cells_per_step];
        let mut work = || games(&game, &starts, &mut play, &mut list, &mut numbers, &mut cells);
        let growing = allocations::of(&mut work);
        assert!(growing > 0, "the counter does not count");
        assert_eq!(allocations::of(&mut work), 0, "{name}");
    }
}
