//! What can be read off a fit.

use super::model::Model;
use crate::elo::ELO_PER_LOG_ODDS;
use crate::interval::{Interval, normal_below};
use ndarray::Array2;
use serde::Serialize;

/// Ratings of players with their covariance.
#[derive(Clone, Debug)]
pub struct Ratings {
    elo: Vec<f64>,
    anchor: usize,
    model: Model,
    dispersion: f64,
    /// In log-odds: a row a player (zeros for the anchor), the first-move advantage, η.
    covariance: Array2<f64>,
}

/// A number in Elo with its uncertainty.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Rating {
    /// The number.
    pub elo: f64,
    /// Its standard error.
    pub standard_error: f64,
    /// Its interval of 95 %.
    #[serde(flatten)]
    pub interval: Interval,
}

/// How much better one player is than another.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// The difference of their ratings.
    #[serde(flatten)]
    pub rating: Rating,
    /// The probability that it is positive.
    pub superiority: f64,
}

impl Rating {
    fn new(elo: f64, variance: f64) -> Rating {
        let standard_error = variance.max(0.0).sqrt() * ELO_PER_LOG_ODDS;
        Rating { elo, standard_error, interval: Interval::normal(elo, standard_error) }
    }
}

impl Ratings {
    pub(super) fn new(
        elo: Vec<f64>,
        anchor: usize,
        model: Model,
        dispersion: f64,
        covariance: Array2<f64>,
    ) -> Ratings {
        Ratings { elo, anchor, model, dispersion, covariance }
    }

    /// Number of players.
    pub fn players(&self) -> usize {
        self.elo.len()
    }

    /// The player who stands at 0.
    pub const fn anchor(&self) -> usize {
        self.anchor
    }

    /// All ratings in Elo, in the order of the players.
    pub fn elo(&self) -> &[f64] {
        &self.elo
    }

    /// A player's rating above the player who stands at 0. The number must be one of a player, here and
    /// below.
    pub fn rating(&self, player: usize) -> Rating {
        Rating::new(self.elo[player], self.covariance[(player, player)])
    }

    /// How much better one player is than another.
    pub fn difference(&self, player: usize, opponent: usize) -> Difference {
        let covariance = &self.covariance;
        let variance = covariance[(player, player)] + covariance[(opponent, opponent)]
            - 2.0 * covariance[(player, opponent)];
        let rating = Rating::new(self.elo[player] - self.elo[opponent], variance);
        let superiority = match rating.standard_error > 0.0 {
            true => normal_below(rating.elo / rating.standard_error),
            false => 0.5,
        };
        Difference { rating, superiority }
    }

    /// What the first move is worth.
    pub fn first_advantage(&self) -> Rating {
        let row = self.players();
        Rating::new(self.model.first_advantage, self.covariance[(row, row)])
    }

    /// How results follow from ratings.
    pub const fn model(&self) -> &Model {
        &self.model
    }

    /// The share of draws between equal players with its interval of 95 %.
    pub fn draw_share(&self) -> (f64, Interval) {
        let row = self.players() + 1;
        let eta = Interval::normal(self.model.draw_log_weight, self.covariance[(row, row)].sqrt());
        let share = |eta: f64| Model { draw_log_weight: eta, ..self.model }.draw_share();
        (self.model.draw_share(), eta.map(share))
    }

    /// Spread of the pair scores over the spread that two independent games would have. Below 1 where
    /// starts favour one side, so that the two games of a pair balance each other.
    pub const fn dispersion(&self) -> f64 {
        self.dispersion
    }

    /// Expected score of a player against another, over both colours.
    pub fn expected_score(&self, player: usize, opponent: usize) -> f64 {
        self.model.score(self.elo[player] - self.elo[opponent])
    }

    /// Players from the best to the worst; equal ones by number.
    pub fn order(&self) -> Vec<usize> {
        let mut order: Vec<usize> = (0..self.players()).collect();
        order.sort_by(|&one, &other| self.elo[other].total_cmp(&self.elo[one]).then(one.cmp(&other)));
        order
    }

    /// The covariance in log-odds: players, first-move advantage, η.
    pub(crate) const fn covariance(&self) -> &Array2<f64> {
        &self.covariance
    }

    /// The Fisher information of a pair between two players, in (difference, advantage, η).
    pub(crate) fn information_of_pair(&self, player: usize, opponent: usize) -> [[f64; 3]; 3] {
        self.model.information_of_pair(self.elo[player] - self.elo[opponent])
    }
}
