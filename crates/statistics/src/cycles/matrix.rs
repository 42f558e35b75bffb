//! How each player does against each other one.

use crate::interval::normal_below;
use crate::pentanomial::Moments;
use crate::rating::{Couple, Ratings, Results};
use ndarray::Array2;

/// Games at the score that the ratings expect which are added to every couple's.
pub const PRIOR_GAMES: f64 = 4.0;

/// Log-odds of the expected score of every player against every other one, with variances.
#[derive(Clone, Debug, PartialEq)]
pub struct OddsMatrix {
    /// Antisymmetric: the row's log-odds against the column.
    pub(super) odds: Array2<f64>,
    /// Variances of the entries; symmetric.
    pub(super) variances: Array2<f64>,
}

impl OddsMatrix {
    /// What pairs and ratings together say. Every couple's score is that of its games and of
    /// [`PRIOR_GAMES`] more games at the score that the ratings expect; so a couple that has not played
    /// stands where the ratings put it. The ratings must be those of the results' players.
    pub fn new(results: &Results, ratings: &Ratings) -> OddsMatrix {
        let players = ratings.players();
        let mut matrix = OddsMatrix {
            odds: Array2::zeros((players, players)),
            variances: Array2::zeros((players, players)),
        };
        for couple in Couple::all(players) {
            let Couple { a, b } = couple;
            let pairs = results.between(a, b).pentanomial();
            let expected = ratings.expected_score(a, b).clamp(1e-9, 1.0 - 1e-9);
            let mut counts = pairs.counts().map(|count| count as f64);
            // Two pairs, split between won and lost so that their score is the expected one.
            counts[0] += PRIOR_GAMES / 2.0 * (1.0 - expected);
            counts[4] += PRIOR_GAMES / 2.0 * expected;
            let moments = Moments::of(counts);
            let slope = 1.0 / (moments.mean * (1.0 - moments.mean));
            let odds = (moments.mean / (1.0 - moments.mean)).ln();
            let played = moments.variance / moments.pairs * slope * slope;
            // Without games nothing but the ratings is known, and their error is the entry's.
            let rated = ratings.difference(a, b).rating.standard_error / crate::elo::ELO_PER_LOG_ODDS;
            let variance = if pairs.pairs() == 0 { rated * rated } else { played };
            (matrix.odds[(a, b)], matrix.odds[(b, a)]) = (odds, -odds);
            (matrix.variances[(a, b)], matrix.variances[(b, a)]) = (variance, variance);
        }
        matrix
    }

    /// A matrix of log-odds that are exactly known: the rows' against the columns'. What contradicts
    /// antisymmetry is averaged away.
    ///
    /// # Panics
    /// Where `odds` is no square.
    pub fn exact(odds: &[&[f64]]) -> OddsMatrix {
        let players = odds.len();
        let odds = Array2::from_shape_fn((players, players), |(row, column)| {
            (odds[row][column] - odds[column][row]) / 2.0
        });
        OddsMatrix { odds, variances: Array2::zeros((players, players)) }
    }

    /// Number of players.
    pub fn players(&self) -> usize {
        self.odds.nrows()
    }

    /// Log-odds of a player's score against another.
    pub fn odds(&self, player: usize, opponent: usize) -> f64 {
        self.odds[(player, opponent)]
    }

    /// Expected score of a player against another.
    pub fn score(&self, player: usize, opponent: usize) -> f64 {
        1.0 / (1.0 + (-self.odds[(player, opponent)]).exp())
    }

    /// The probability that a player scores more than half against another.
    pub fn superiority(&self, player: usize, opponent: usize) -> f64 {
        let (odds, error) = (self.odds[(player, opponent)], self.variances[(player, opponent)].sqrt());
        if error > 0.0 {
            normal_below(odds / error)
        } else if odds == 0.0 {
            0.5
        } else {
            f64::from(u8::from(odds > 0.0))
        }
    }
}
