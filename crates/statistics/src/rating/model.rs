//! How likely results are between players of given ratings.

use crate::elo::ELO_PER_LOG_ODDS;
use serde::{Deserialize, Serialize};

/// The model of Bradley and Terry with draws (R. R. Davidson, "On extending the Bradley–Terry model to
/// accommodate ties in paired comparison experiments", Journal of the American Statistical Association
/// 65, 1970) and an advantage of the first move (R. R. Davidson and R. J. Beaver, "On extending the
/// Bradley–Terry model to incorporate within-pair order effects", Biometrics 33, 1977).
///
/// With `δ = (rating of the first player − rating of the second + advantage) / (400 / ln 10)` a game ends
/// with weights `e^(δ/2)` for a win of the first player, `e^η` for a draw and `e^(−δ/2)` for a loss.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct Model {
    /// What the first move is worth, in Elo.
    pub first_advantage: f64,
    /// The logarithm η of the weight of a draw.
    pub draw_log_weight: f64,
}

/// Probabilities of the results of a game, for its first player.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct Chances {
    /// The first player loses.
    pub loss: f64,
    /// Nobody wins.
    pub draw: f64,
    /// The first player wins.
    pub win: f64,
}

impl Chances {
    /// Expected score of the first player.
    pub fn score(self) -> f64 {
        self.win + self.draw / 2.0
    }

    /// The chances as losses, draws, wins.
    pub const fn as_array(self) -> [f64; 3] {
        [self.loss, self.draw, self.win]
    }
}

impl Model {
    /// Chances of a game in which the first player is better by `difference` Elo.
    pub fn chances(&self, difference: f64) -> Chances {
        chances((difference + self.first_advantage) / ELO_PER_LOG_ODDS, self.draw_log_weight)
    }

    /// Expected score of a game, over both colours, of a player who is better by `difference` Elo.
    pub fn score(&self, difference: f64) -> f64 {
        (self.chances(difference).score() + 1.0 - self.chances(-difference).score()) / 2.0
    }

    /// The share of draws between equal players, over both colours.
    pub fn draw_share(&self) -> f64 {
        self.chances(0.0).draw
    }
}

/// Chances from the difference in log-odds and the draws' logarithmic weight.
pub(super) fn chances(delta: f64, eta: f64) -> Chances {
    // Nothing overflows when the largest exponent is taken out.
    let largest = (delta.abs() / 2.0).max(eta);
    let [win, draw, loss] = [delta / 2.0, eta, -delta / 2.0].map(|exponent| (exponent - largest).exp());
    let sum = win + draw + loss;
    Chances { loss: loss / sum, draw: draw / sum, win: win / sum }
}

/// What a game tells of (δ, η), the parameters that it depends on. Its statistics are ½, 0 or −½ for a
/// win, draw or loss of the first player, and 1 or 0 for a draw or another result; the model is an
/// exponential family in them.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct GameMoments {
    /// Expected statistics.
    pub mean: [f64; 2],
    /// Their covariance: the Fisher information of a game.
    pub covariance: [[f64; 2]; 2],
    /// Their third central moments: `third[c]` is the derivative of the covariance by parameter `c`.
    pub third: [[[f64; 2]; 2]; 2],
}

/// The statistics of a loss, a draw and a win.
pub(super) const STATISTICS: [[f64; 2]; 3] = [[-0.5, 0.0], [0.0, 1.0], [0.5, 0.0]];

impl GameMoments {
    pub fn of(chances: Chances) -> GameMoments {
        let likely = || chances.as_array().into_iter().zip(STATISTICS);
        let mut moments = GameMoments::default();
        for (chance, statistics) in likely() {
            for (mean, statistic) in moments.mean.iter_mut().zip(statistics) {
                *mean += chance * statistic;
            }
        }
        for (chance, statistics) in likely() {
            let distance = [0, 1].map(|i| statistics[i] - moments.mean[i]);
            for i in 0..2 {
                for j in 0..2 {
                    let square = chance * distance[i] * distance[j];
                    moments.covariance[i][j] += square;
                    for (third, distance) in moments.third.iter_mut().zip(distance) {
                        third[i][j] += square * distance;
                    }
                }
            }
        }
        moments
    }
}

/// How a game of a pair between `a` and `b` depends on what the pair depends on: (rating of a − rating of
/// b, advantage, η).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Colour {
    /// `a` is the first player: δ = difference + advantage.
    First,
    /// `b` is the first player: δ = advantage − difference.
    Second,
}

impl Colour {
    const fn sign(self) -> f64 {
        match self {
            Colour::First => 1.0,
            Colour::Second => -1.0,
        }
    }

    /// Derivatives by (difference, advantage, η) from those by (δ, η).
    pub const fn slope(self, [by_delta, by_eta]: [f64; 2]) -> [f64; 3] {
        [self.sign() * by_delta, by_delta, by_eta]
    }

    /// The quadratic form in (difference, advantage, η) of one in (δ, η).
    pub fn form(self, [[delta, mixed], [_, eta]]: [[f64; 2]; 2]) -> [[f64; 3]; 3] {
        let sign = self.sign();
        [[delta, sign * delta, sign * mixed], [sign * delta, delta, mixed], [sign * mixed, mixed, eta]]
    }

    /// The covariance of (δ, η) from that of (difference, advantage, η).
    pub fn covariance(self, of: &[[f64; 3]; 3]) -> [[f64; 2]; 2] {
        let sign = self.sign();
        let mixed = sign * of[0][2] + of[1][2];
        [[of[0][0] + 2.0 * sign * of[0][1] + of[1][1], mixed], [mixed, of[2][2]]]
    }
}

impl Model {
    /// The Fisher information of a pair about (difference, advantage, η), all in log-odds, between players
    /// who differ by `difference` Elo.
    pub(crate) fn information_of_pair(&self, difference: f64) -> [[f64; 3]; 3] {
        let first = Colour::First.form(GameMoments::of(self.chances(difference)).covariance);
        let second = Colour::Second.form(GameMoments::of(self.chances(-difference)).covariance);
        [0, 1, 2].map(|i| [0, 1, 2].map(|j| first[i][j] + second[i][j]))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn chances_agree_with_the_formula() {
        let model = Model { first_advantage: 40.0, draw_log_weight: 0.3 };
        let Chances { loss, draw, win } = model.chances(100.0);
        // Davidson 1970: draw² = ν² · win · loss; the odds of the rest are Elo's.
        assert!((draw * draw - 0.6f64.exp() * win * loss).abs() < 1e-12);
        assert!(((win / loss).log10() * 400.0 - 140.0).abs() < 1e-9);
        assert!((loss + draw + win - 1.0).abs() < 1e-12);
        assert!((model.score(100.0) + model.score(-100.0) - 1.0).abs() < 1e-12);
        let far = Model { draw_log_weight: -1e5, ..model }.chances(1e6);
        assert_eq!((far.win, far.draw, far.loss), (1.0, 0.0, 0.0));
    }

    #[test]
    fn moments_are_derivatives() {
        let (delta, eta, step) = (0.7, -0.4, 1e-5);
        let at = |delta: f64, eta: f64| GameMoments::of(chances(delta, eta));
        let here = at(delta, eta);
        for (parameter, [up, down]) in
            [[at(delta + step, eta), at(delta - step, eta)], [at(delta, eta + step), at(delta, eta - step)]]
                .into_iter()
                .enumerate()
        {
            for i in 0..2 {
                let slope = (up.mean[i] - down.mean[i]) / (2.0 * step);
                assert!((slope - here.covariance[i][parameter]).abs() < 1e-8);
                for j in 0..2 {
                    let slope = (up.covariance[i][j] - down.covariance[i][j]) / (2.0 * step);
                    assert!((slope - here.third[parameter][i][j]).abs() < 1e-8);
                }
            }
        }
    }
}
