//! Positions of random games as a batch: something for evaluators to judge when nobody searches.

use crate::Batch;
use game::{BoardGame, Play};
use rand::Rng;

/// A batch of `rows` positions from random games, taken from all their stages: one in `STRIDE` steps on average, so
/// that neighbours are not near copies.
pub fn random_batch<G: BoardGame>(game: &G, rows: usize, random: &mut impl Rng) -> Batch {
    let mut batch = Batch::for_game(game, rows);
    let mut steps = Vec::new();
    let mut play = Play::new(game, game.start());
    while batch.len() < rows {
        game.legal_steps(&play.position, &mut steps);
        if steps.is_empty() || play.outcome(game).is_some() {
            play = Play::new(game, game.start());
            continue;
        }
        if random.random_range(0..STRIDE) == 0 {
            batch.push(game, &play.position, &steps);
        }
        play.step(game, steps[random.random_range(0..steps.len())]);
    }
    batch
}

/// Steps from one position that is taken to the next, on average.
const STRIDE: u32 = 8;

#[cfg(test)]
mod tests {
    use super::*;
    use connect4::ConnectFour;
    use game::random::{Purpose, stream};

    #[test]
    fn positions_are_many_and_repeat_with_the_seed() {
        let game = ConnectFour::new();
        let batch = |seed| random_batch(&game, 40, &mut stream(seed, Purpose::Playout, &[]));
        let one = batch(1);
        assert_eq!(one.len(), 40);
        assert_eq!(one.planes(), batch(1).planes());
        assert_ne!(one.planes(), batch(2).planes());
        let length = one.plane_shape().len();
        let different: std::collections::HashSet<Vec<u32>> = one
            .planes()
            .chunks_exact(length)
            .map(|row| row.iter().map(|number| number.to_bits()).collect())
            .collect();
        assert!(different.len() > 30, "{} different positions", different.len());
        assert!((0..40).all(|row| !one.step_range(row).is_empty()));
    }
}
