//! The ratings that make results likeliest.

use super::model::{Chances, Colour, GameMoments, Model, STATISTICS, chances};
use super::ratings::Ratings;
use super::results::{Couple, GameResult, Results};
use crate::elo::ELO_PER_LOG_ODDS;
use crate::linear::{Cholesky, largest};
use ndarray::{Array1, Array2};

/// Weight, in pairs, of the model's own spread in the estimate of the dispersion.
pub const PRIOR_PAIRS: f64 = 20.0;

/// Steps after which the search for the ratings gives up; a dozen is usual.
const MOST_STEPS: usize = 500;

/// Largest change of a log-odds in one step: far from the answer Newton's step may be far too long.
const LONGEST_STEP: f64 = 2.0;

/// Largest change of a log-odds with which the search ends.
const CLOSE: f64 = 1e-10;

/// Why players cannot be rated.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RatingError {
    /// There is nobody to rate, or the player who stands at 0 is not among them.
    #[error("player {anchor}, who stands at 0, is none of the {players} players")]
    NoAnchor {
        /// The player who stands at 0.
        anchor: usize,
        /// Number of players.
        players: usize,
    },
    /// Some players have not met others, even through others.
    #[error("players in {} groups have not met across groups", .0.len())]
    Unconnected(Vec<Vec<usize>>),
    /// The numbers ran away.
    #[error("the likelihood has no maximum that {MOST_STEPS} steps find")]
    NoMaximum,
}

/// Rates players by maximum likelihood with Firth's penalty; player `anchor` stands at 0.
///
/// What is maximised is the log-likelihood plus half the logarithm of the determinant of the Fisher
/// information (D. Firth, "Bias reduction of maximum likelihood estimates", Biometrika 80, 1993). The
/// penalty takes away the leading term of the estimates' bias, weighs about as much as half a game won and
/// half a game lost a player, and keeps finite what the likelihood alone would send to infinity: the
/// rating of a player who won or lost everything (G. Heinze and M. Schemper, "A solution to the problem of
/// separation in logistic regression", Statistics in Medicine 21, 2002), and the weight of draws where
/// none was seen.
///
/// The covariance is the inverse of the Fisher information, times the dispersion: the spread of pair
/// scores around their expectations, over the spread that two independent games would have. Games that
/// share a start are not independent (an opening that favours one side brings each player a win), and the
/// model alone would state intervals for independent ones. [`PRIOR_PAIRS`] of the model's own spread
/// steady it.
///
/// # Errors
/// Players who cannot be compared.
pub fn rate(results: &Results, anchor: usize) -> Result<Ratings, RatingError> {
    let players = results.players();
    if anchor >= players {
        return Err(RatingError::NoAnchor { anchor, players });
    }
    let groups = results.groups();
    if groups.len() > 1 {
        return Err(RatingError::Unconnected(groups));
    }
    let fit = Fit { results, anchor, players };
    let mut parameters = fit.start();
    let mut here = fit.at(&parameters).ok_or(RatingError::NoMaximum)?;
    for _ in 0..MOST_STEPS {
        let mut step = here.information.solve(&here.slope);
        let longest = largest(&step);
        if !longest.is_finite() {
            return Err(RatingError::NoMaximum);
        }
        if longest > LONGEST_STEP {
            step *= LONGEST_STEP / longest;
        }
        // With few games the penalty bends the hill as much as the games do, and a whole step leads as far
        // down on the other side: half a step for as long as that is higher.
        let rounding = 1e-12 * here.height.abs();
        let mut next: Option<(Array1<f64>, Height)> = None;
        for _ in 0..40 {
            let tried = &parameters + &step;
            let there = fit.at(&tried).filter(|there| there.height >= here.height - rounding);
            match (there, &next) {
                (Some(there), Some((_, best))) if there.height <= best.height => break,
                (Some(there), _) => next = Some((tried, there)),
                (None, Some(_)) => break,
                (None, None) => {}
            }
            step *= 0.5;
        }
        let Some((tried, there)) = next else { break };
        let moved = largest(&(&tried - &parameters));
        (parameters, here) = (tried, there);
        if moved < CLOSE {
            break;
        }
    }
    // The Newton step of an exponential family has the size of the remaining error.
    if largest(&here.information.solve(&here.slope)) > 1e-6 {
        return Err(RatingError::NoMaximum);
    }
    Ok(fit.ratings(&parameters, &here.information.inverse()))
}

/// The parameters are, in log-odds: the players' ratings without the anchor's, the first-move advantage,
/// and the logarithm η of the draws' weight.
struct Fit<'a> {
    results: &'a Results,
    anchor: usize,
    players: usize,
}

/// The penalised likelihood at a point.
struct Height {
    /// The penalised log-likelihood.
    height: f64,
    /// Its derivatives.
    slope: Array1<f64>,
    information: Cholesky,
}

impl Fit<'_> {
    fn parameters(&self) -> usize {
        self.players + 1
    }

    /// Where a player's rating stands among the parameters; the anchor has none.
    fn place(&self, player: usize) -> Option<usize> {
        (player != self.anchor).then(|| player - usize::from(player > self.anchor))
    }

    fn rating(&self, parameters: &Array1<f64>, player: usize) -> f64 {
        self.place(player).map_or(0.0, |place| parameters[place])
    }

    fn advantage_and_eta(&self, parameters: &Array1<f64>) -> (f64, f64) {
        (parameters[self.players - 1], parameters[self.players])
    }

    /// Equal players, with as many draws as there were.
    fn start(&self) -> Array1<f64> {
        let mut games = [0.5; 3];
        for (_, counts) in self.results.couples() {
            for (sum, count) in games.iter_mut().zip(counts.games()) {
                *sum += count as f64;
            }
        }
        let mut start = Array1::zeros(self.parameters());
        start[self.players] = (2.0 * games[1] / (games[0] + games[2])).ln();
        start
    }

    /// Chances of the two games of a couple: in the one `a` is the first player, in the other `b`.
    fn games(&self, parameters: &Array1<f64>, couple: Couple) -> [Chances; 2] {
        let difference = self.rating(parameters, couple.a) - self.rating(parameters, couple.b);
        let (advantage, eta) = self.advantage_and_eta(parameters);
        [chances(difference + advantage, eta), chances(advantage - difference, eta)]
    }

    /// The parameters that a couple's games depend on, each with the one of (difference, advantage, η) that
    /// it is part of, and its sign there.
    fn spots(&self, couple: Couple) -> impl Iterator<Item = (usize, usize, f64)> {
        [
            self.place(couple.a).map(|place| (place, 0, 1.0)),
            self.place(couple.b).map(|place| (place, 0, -1.0)),
            Some((self.players - 1, 1, 1.0)),
            Some((self.players, 2, 1.0)),
        ]
        .into_iter()
        .flatten()
    }

    /// Adds a vector of (difference, advantage, η) of a couple to one of all parameters.
    fn spread(&self, couple: Couple, part: [f64; 3], whole: &mut Array1<f64>) {
        for (place, index, sign) in self.spots(couple) {
            whole[place] += sign * part[index];
        }
    }

    /// Adds a matrix of (difference, advantage, η) of a couple to one of all parameters.
    fn spread_matrix(&self, couple: Couple, part: [[f64; 3]; 3], whole: &mut Array2<f64>) {
        for (row, i, left) in self.spots(couple) {
            for (column, j, right) in self.spots(couple) {
                whole[(row, column)] += left * right * part[i][j];
            }
        }
    }

    /// `None` where the information is singular to working precision.
    fn at(&self, parameters: &Array1<f64>) -> Option<Height> {
        let size = self.parameters();
        let (mut likelihood, mut slope) = (0.0, Array1::zeros(size));
        let mut information = Array2::zeros((size, size));
        let mut cells: Vec<(Couple, Colour, f64, GameMoments)> = Vec::new();
        for (couple, counts) in self.results.couples() {
            let [losses, draws, wins] = counts.as_second();
            // What a loses as second player, b wins as first.
            let played = [counts.as_first(), [wins, draws, losses]];
            let both = self.games(parameters, couple);
            for ((colour, counts), chances) in
                [Colour::First, Colour::Second].into_iter().zip(played).zip(both)
            {
                let moments = GameMoments::of(chances);
                let games = counts.iter().sum::<u64>() as f64;
                let mut rest = moments.mean.map(|mean| -games * mean);
                for ((count, chance), statistics) in counts.iter().zip(chances.as_array()).zip(STATISTICS) {
                    if *count > 0 {
                        likelihood += *count as f64 * chance.ln();
                    }
                    for (rest, statistic) in rest.iter_mut().zip(statistics) {
                        *rest += *count as f64 * statistic;
                    }
                }
                self.spread(couple, colour.slope(rest), &mut slope);
                let covariance = moments.covariance.map(|row| row.map(|entry| games * entry));
                self.spread_matrix(couple, colour.form(covariance), &mut information);
                cells.push((couple, colour, games, moments));
            }
        }
        let information = Cholesky::new(information)?;
        let inverse = information.inverse();
        for (couple, colour, games, moments) in cells {
            let leverage = colour.covariance(&self.of_couple(&inverse, couple));
            let trace = |third: [[f64; 2]; 2]| {
                let products = leverage.iter().flatten().zip(third.iter().flatten());
                games / 2.0 * products.map(|(leverage, third)| leverage * third).sum::<f64>()
            };
            self.spread(couple, colour.slope(moments.third.map(trace)), &mut slope);
        }
        let height = likelihood + information.half_log_determinant();
        height.is_finite().then_some(Height { height, slope, information })
    }

    /// The covariance of (difference, advantage, η) of a couple.
    fn of_couple(&self, covariance: &Array2<f64>, couple: Couple) -> [[f64; 3]; 3] {
        let mut part = [[0.0; 3]; 3];
        for (row, i, left) in self.spots(couple) {
            for (column, j, right) in self.spots(couple) {
                part[i][j] += left * right * covariance[(row, column)];
            }
        }
        part
    }

    /// See [`rate`].
    fn dispersion(&self, parameters: &Array1<f64>) -> f64 {
        let (mut seen, mut expected, mut pairs) = (0.0, 0.0, 0.0);
        for (couple, counts) in self.results.couples() {
            let [first, second] = self.games(parameters, couple);
            // Of the game in which b is the first player, a's score is what b's leaves.
            let mean = first.score() + 1.0 - second.score();
            let variance = |chances: Chances| chances.win + chances.draw / 4.0 - chances.score().powi(2);
            let count = counts.pairs() as f64;
            expected += count * (variance(first) + variance(second));
            pairs += count;
            for as_first in GameResult::ALL {
                for as_second in GameResult::ALL {
                    let score = (as_first.half_points() + as_second.half_points()) as f64 / 2.0;
                    seen += counts.count(as_first, as_second) as f64 * (score - mean).powi(2);
                }
            }
        }
        // The residuals are too small by what the ratings were fitted to them.
        let free = (pairs - (self.players - 1) as f64).max(pairs / 2.0);
        let prior = PRIOR_PAIRS * expected / pairs;
        (seen * pairs / free + prior) / (expected + prior)
    }

    fn ratings(&self, parameters: &Array1<f64>, inverse: &Array2<f64>) -> Ratings {
        let (advantage, eta) = self.advantage_and_eta(parameters);
        let model = Model { first_advantage: advantage * ELO_PER_LOG_ODDS, draw_log_weight: eta };
        let elo = (0..self.players).map(|player| self.rating(parameters, player) * ELO_PER_LOG_ODDS);
        let dispersion = self.dispersion(parameters);
        // Back to one row a player, that of the anchor 0, then the advantage and η.
        let place = |row: usize| if row < self.players { self.place(row) } else { Some(row - 1) };
        let size = self.players + 2;
        let covariance =
            Array2::from_shape_fn((size, size), |(row, column)| match (place(row), place(column)) {
                (Some(row), Some(column)) => inverse[(row, column)] * dispersion,
                _ => 0.0,
            });
        Ratings::new(elo.collect(), self.anchor, model, dispersion, covariance)
    }
}
