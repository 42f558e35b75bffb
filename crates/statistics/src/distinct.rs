//! When results are no evidence.

/// Why there is no interval.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum MissingInterval {
    /// Nothing was played.
    #[error("no pair was finished")]
    NoPairs,
    /// Too many games are copies of others.
    #[error(
        "only {distinct} of {games} games are distinct, fewer than 90 %: copies of a game are no evidence; \
         ask for more opening turns or more start positions"
    )]
    Copies {
        /// All games.
        games: u64,
        /// Those that differ from all others.
        distinct: u64,
    },
}

/// Whether an interval may be stated. Two deterministic players repeat their game from a start that they
/// had before; an interval that counts copies as evidence would be too narrow. So at least 90 % of the
/// games must be distinct.
///
/// # Errors
/// Why not.
pub fn intervals_allowed(games: u64, distinct: u64) -> Result<(), MissingInterval> {
    if games == 0 {
        Err(MissingInterval::NoPairs)
    } else if u128::from(distinct) * 10 < u128::from(games) * 9 {
        Err(MissingInterval::Copies { games, distinct })
    } else {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nine_of_ten_must_be_distinct() {
        assert_eq!(intervals_allowed(10, 9), Ok(()));
        assert_eq!(intervals_allowed(10, 8), Err(MissingInterval::Copies { games: 10, distinct: 8 }));
        assert_eq!(intervals_allowed(0, 0), Err(MissingInterval::NoPairs));
    }
}
