//! Named random streams.
//!
//! Everything recorded draws from a ChaCha stream of its own, named by seed, purpose and numbers
//! (cycle, game…), so that no draw depends on what other games or threads did before it.

use rand::SeedableRng;
use rand_chacha::ChaCha8Rng;

/// What a stream is for: two streams of different purposes never meet.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Purpose {
    /// Start positions and opening steps.
    Opening,
    /// Steps of random players and playouts.
    Playout,
    /// Choices and noise inside a search.
    Search,
    /// Choice of the step to play from a finished search.
    Selection,
    /// Order and choice of training samples.
    Sampling,
    /// First weights of a network.
    Weights,
    /// Bootstrap and other statistics.
    Statistics,
}

impl Purpose {
    const fn name(self) -> &'static str {
        match self {
            Purpose::Opening => "opening",
            Purpose::Playout => "playout",
            Purpose::Search => "search",
            Purpose::Selection => "selection",
            Purpose::Sampling => "sampling",
            Purpose::Weights => "weights",
            Purpose::Statistics => "statistics",
        }
    }
}

/// The stream of `seed` for `purpose` and `numbers` (for example cycle and game).
pub fn stream(seed: u64, purpose: Purpose, numbers: &[u64]) -> ChaCha8Rng {
    let mut hasher = blake3::Hasher::new_derive_key("garrison random stream 1");
    hasher.update(&seed.to_le_bytes());
    hasher.update(purpose.name().as_bytes());
    hasher.update(&(numbers.len() as u64).to_le_bytes());
    for number in numbers {
        hasher.update(&number.to_le_bytes());
    }
    ChaCha8Rng::from_seed(*hasher.finalize().as_bytes())
}

#[cfg(test)]
mod tests {
    use super::*;
    use rand::RngCore;

    #[test]
    fn streams_repeat_and_differ() {
        let first = |seed, purpose, numbers: &[u64]| stream(seed, purpose, numbers).next_u64();
        let base = first(1, Purpose::Search, &[2, 3]);
        assert_eq!(base, first(1, Purpose::Search, &[2, 3]));
        for other in [
            first(2, Purpose::Search, &[2, 3]),
            first(1, Purpose::Opening, &[2, 3]),
            first(1, Purpose::Search, &[3, 2]),
            first(1, Purpose::Search, &[2]),
        ] {
            assert_ne!(base, other);
        }
    }
}
