//! Play, lists of steps and encodings allocate nothing once their lists have grown.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

mod common;

use commander::{Commander, Rules, Step, middle_games};
use common::preset;
use game::{Encoding, Game, PlanesMut, Play};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

/// The system's allocator, counting what the calling thread asks for.
struct Counting;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

// SAFETY: every call goes to the system's allocator unchanged; the counter is a plain number of the
// calling thread and allocates nothing.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.set(ALLOCATIONS.get() + 1);
        // SAFETY: the caller keeps the promises of `alloc`, which are the same there.
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        // SAFETY: the pointer came from the system's allocator with this layout.
        unsafe { System.dealloc(pointer, layout) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Allocations during some work.
fn allocations<T>(work: impl FnOnce() -> T) -> u64 {
    let before = ALLOCATIONS.get();
    std::hint::black_box(work());
    ALLOCATIONS.get() - before
}

/// A random game from every start, listing and counting steps, asking for the end and writing planes,
/// keys and policy cells at every step.
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
        let growing = allocations(&mut work);
        assert!(growing > 0, "the counter does not count");
        assert_eq!(allocations(&mut work), 0, "{name}");
    }
}
