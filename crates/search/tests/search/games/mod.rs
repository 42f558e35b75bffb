//! Small games for the tests, and how to search them.

pub mod noughts;
pub mod ring;
pub mod twigs;

use game::{Game, OfMover, Play, Wdl};
use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;
use search::{Effort, Exploration, Gathered, Search, SearchConfig};

/// Answer of a test evaluator: logits, value and margin of the side to move.
pub type Answer = (Vec<f32>, f32, f32);

/// Win, draw and loss with this expected result and no draws.
pub fn wdl(value: f32) -> Wdl {
    Wdl { win: 0.5 + value / 2.0, draw: 0.0, loss: 0.5 - value / 2.0 }
}

/// All logits 0, every position even.
pub fn uniform<P, S>(_position: &P, steps: &[S]) -> Answer {
    (vec![0.0; steps.len()], 0.0, 0.0)
}

pub fn seeded(seed: u64) -> ChaCha8Rng {
    ChaCha8Rng::seed_from_u64(seed)
}

pub fn quiet(simulations: u32) -> Effort {
    Effort { simulations, exploration: Exploration::None }
}

pub fn noisy(simulations: u32) -> Effort {
    Effort { simulations, exploration: Exploration::SelfPlay }
}

/// A search that has begun a game at `position`.
pub fn begun<G: Game>(game: &G, position: G::Position, config: SearchConfig, seed: u64) -> Search<G> {
    config.check().unwrap();
    let mut search = Search::new(config);
    search.begin(game, &Play::new(game, position), seeded(seed));
    search
}

/// Plans a search and answers its leaves to the end; returns how many there were.
pub fn drive<G: Game>(
    search: &mut Search<G>,
    game: &G,
    effort: Effort,
    judge: impl Fn(&G::Position, &[G::Step]) -> Answer,
) -> u32 {
    search.plan(game, effort);
    let mut leaves = 0;
    while search.gather(game) == Gathered::Leaf {
        let (position, steps) = search.leaf();
        let mut legal = Vec::new();
        game.legal_steps(position, &mut legal);
        assert_eq!(legal, steps);
        assert!(!legal.is_empty(), "the end of a game needs no judgement");
        let (logits, value, margin) = judge(position, steps);
        search.apply(&logits, OfMover(wdl(value)), OfMover(margin));
        leaves += 1;
    }
    leaves
}
