//! Play allocates nothing once its lists have grown.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

mod common;

use common::{read, standard};
use emergo::{Emergo, Position};
use game::perft::{Count, perft};
use game::{Encoding, Game, PlanesMut, Play};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use upkeep::allocations::{self, Counting};

#[global_allocator]
static COUNTING: Counting = Counting;

/// Random games, listing and counting steps, asking for the end and writing planes at every step.
fn games(
    game: &Emergo,
    play: &mut Play<Emergo>,
    start: &Play<Emergo>,
    list: &mut Vec<emergo::Step>,
    numbers: &mut [f32],
) {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    for _ in 0..200 {
        play.copy_from(start);
        while play.outcome(game).is_none() {
            game.count_steps(&play.position, list);
            game.legal_steps(&play.position, list);
            game.write_planes(&play.position, &mut PlanesMut::new(game.plane_shape(), numbers));
            std::hint::black_box(game.evaluation_key(&play.position));
            play.step(game, list[random.random_range(0..list.len())]);
        }
    }
}

#[test]
fn random_games_allocate_nothing() {
    let game = standard();
    let start = Play::new(&game, game.start());
    let mut play = start.clone();
    let (mut list, mut numbers) = (Vec::new(), vec![0.0; game.plane_shape().len()]);
    let growing = allocations::of(|| games(&game, &mut play, &start, &mut list, &mut numbers));
    assert!(growing > 0, "the counter does not count");
    assert_eq!(allocations::of(|| games(&game, &mut play, &start, &mut list, &mut numbers)), 0);
}

#[test]
fn perft_allocates_the_same_for_more_positions() {
    let game = standard();
    // The same number of walks, over few positions and over many.
    let count = |position: &Position| allocations::of(|| perft(&game, position, 3, Count::Turns));
    let few = read(&game, "9/9/9/9/9/9/9/9/A@8 w 40 0,1");
    assert!(count(&game.start()) <= count(&few) + 12, "{} and {}", count(&game.start()), count(&few));
}
