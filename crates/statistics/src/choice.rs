//! Which pairs to play next: those that tell most.

use crate::linear::solve;
use crate::rating::{Couple, Ratings, Results};
use ndarray::{Array2, Axis, s};

/// What is known, and how much a pair would add to it.
///
/// What a pair tells is by how much it lowers the variance of the differences between players, added up
/// over all couples: A-optimal design (K. Chaloner and I. Verdinelli, "Bayesian experimental design: a
/// review", Statistical Science 10, 1995, section 2.1) for the comparisons. The information of a pair is
/// that of the fitted model, largest between equals; the expected covariance after it follows by the
/// formula of Sherman, Morrison and Woodbury. Pairs of players whose difference is known anyway tell
/// little, and so do pairs of a strong player and a weak one.
#[derive(Clone, Debug)]
pub struct Choice<'a> {
    ratings: &'a Ratings,
    /// What the covariance will be after the pairs that were chosen.
    covariance: Array2<f64>,
}

impl<'a> Choice<'a> {
    /// Nothing chosen yet.
    pub fn new(ratings: &'a Ratings) -> Choice<'a> {
        Choice { ratings, covariance: ratings.covariance().clone() }
    }

    /// The couple of which `pairs` more pairs lower the variance most for what they cost, and by how
    /// much they lower it (in squared log-odds, all couples together, cost not counted). Of equals the
    /// first one. `None` without couples.
    ///
    /// `cost` is what a pair of a couple costs, in any unit, or `None` where it cannot be played.
    pub fn best(&self, pairs: u64, cost: impl Fn(Couple) -> Option<f64>) -> Option<(Couple, f64)> {
        let mut best: Option<(Couple, f64, f64)> = None;
        for couple in Couple::all(self.ratings.players()) {
            let Some(cost) = cost(couple) else { continue };
            let reduction = self.reduction(couple, pairs);
            let worth = reduction / cost.max(f64::MIN_POSITIVE);
            if best.is_none_or(|(_, _, most)| worth > most * (1.0 + 1e-9)) {
                best = Some((couple, reduction, worth));
            }
        }
        best.map(|(couple, reduction, _)| (couple, reduction))
    }

    /// By how much pairs of a couple lower the variance of the differences, all couples together.
    pub fn reduction(&self, couple: Couple, pairs: u64) -> f64 {
        let players = self.ratings.players();
        let (columns, gain) = self.update(couple, pairs);
        // The sum over all couples of the square of a difference is `players` times the sum of squares
        // less the square of the sum; here for the matrix of the three columns.
        let rows = columns.slice(s![..players, ..]);
        let sums = rows.sum_axis(Axis(0)).insert_axis(Axis(0));
        let squares = rows.t().dot(&rows) * players as f64 - sums.t().dot(&sums);
        squares.dot(&gain).diag().sum()
    }

    /// The variance of the differences, all couples together, in squared log-odds.
    pub fn variance(&self) -> f64 {
        let covariance = &self.covariance;
        Couple::all(self.ratings.players())
            .map(|Couple { a, b }| covariance[(a, a)] + covariance[(b, b)] - 2.0 * covariance[(a, b)])
            .sum()
    }

    /// Counts pairs as played.
    pub fn choose(&mut self, couple: Couple, pairs: u64) {
        let (columns, gain) = self.update(couple, pairs);
        self.covariance -= &columns.dot(&gain).dot(&columns.t());
    }

    /// `columns · gain · columnsᵀ` is what the covariance loses. With `W` the matrix that makes
    /// (difference, advantage, η) of all parameters, the columns are `C·W`, and the gain is
    /// `(1 + n·J·WᵀCW)⁻¹·n·J` for `n` pairs of information `J`.
    fn update(&self, couple: Couple, pairs: u64) -> (Array2<f64>, Array2<f64>) {
        let Couple { a, b } = couple;
        let players = self.ratings.players();
        let covariance = &self.covariance;
        let columns = Array2::from_shape_fn((players + 2, 3), |(row, column)| match column {
            0 => covariance[(row, a)] - covariance[(row, b)],
            column => covariance[(row, players + column - 1)],
        });
        let part = Array2::from_shape_fn((3, 3), |(row, column)| match row {
            0 => columns[(a, column)] - columns[(b, column)],
            row => columns[(players + row - 1, column)],
        });
        let pair = self.ratings.information_of_pair(a, b);
        // The covariance carries the dispersion, so the information must too.
        let weight = pairs as f64 / self.ratings.dispersion();
        let information = Array2::from_shape_fn((3, 3), |(row, column)| weight * pair[row][column]);
        let gain = solve(Array2::eye(3) + information.dot(&part), information);
        (columns, gain.unwrap_or_else(|| Array2::zeros((3, 3))))
    }
}

/// Couples that connect players who have not met: of each group but the first the player and the one of an
/// earlier group whose numbers are nearest, among those who `can` play each other. Where players stand in an
/// order that has to do with strength, such as checkpoints of a run, these are likely equals.
pub fn connections(results: &Results, can: impl Fn(Couple) -> bool) -> Vec<Couple> {
    let groups = results.groups();
    let mut earlier: Vec<usize> = groups.first().cloned().unwrap_or_default();
    let mut found = Vec::new();
    for group in groups.iter().skip(1) {
        let couples = group.iter().flat_map(|&one| earlier.iter().map(move |&other| Couple::new(one, other)));
        found.extend(
            couples.filter(|&couple| can(couple)).min_by_key(|couple| (couple.b - couple.a, couple.a)),
        );
        earlier.extend(group);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rating::{GameResult, rate};
    use GameResult::{Draw, Loss, Win};

    fn league() -> Results {
        let mut results = Results::new(4);
        let outcomes = [(Win, Loss), (Win, Draw), (Loss, Loss), (Draw, Win), (Win, Win)];
        for (player, opponent, pairs) in [(0, 1, 30), (1, 2, 30), (2, 3, 4)] {
            for pair in 0..pairs {
                let (first, second) = outcomes[pair % 5];
                results.add(player, opponent, first, second);
            }
        }
        results
    }

    #[test]
    fn reductions_are_what_choosing_does() {
        let results = league();
        let ratings = rate(&results, 0).unwrap();
        for couple in Couple::all(4) {
            let mut choice = Choice::new(&ratings);
            let expected = choice.reduction(couple, 7);
            let before = choice.variance();
            choice.choose(couple, 7);
            let found = before - choice.variance();
            assert!(
                (found - expected).abs() < 1e-9 * before && found > 0.0,
                "{couple:?}: {found} {expected}"
            );
            // The same by adding information and inverting, without the anchor's row.
            let keep = |matrix: &Array2<f64>| matrix.slice(s![1.., 1..]).to_owned();
            let inverse = |matrix: Array2<f64>| solve(matrix, Array2::eye(5)).unwrap();
            let pair = ratings.information_of_pair(couple.a, couple.b);
            let mut design = Array2::<f64>::zeros((3, 6));
            design[(0, couple.a)] = 1.0;
            design[(0, couple.b)] = -1.0;
            design[(1, 4)] = 1.0;
            design[(2, 5)] = 1.0;
            let design = design.slice(s![.., 1..]);
            let pair =
                Array2::from_shape_fn((3, 3), |(row, column)| pair[row][column] * 7.0 / ratings.dispersion());
            let direct = inverse(inverse(keep(ratings.covariance())) + design.t().dot(&pair).dot(&design));
            let distance =
                (direct - keep(&choice.covariance)).iter().fold(0f64, |far, entry| far.max(entry.abs()));
            assert!(distance < 1e-9, "{couple:?}: {distance}");
        }
    }

    #[test]
    fn the_least_known_player_comes_first() {
        let results = league();
        let ratings = rate(&results, 0).unwrap();
        let choice = Choice::new(&ratings);
        let (couple, reduction) = choice.best(4, |_| Some(1.0)).unwrap();
        assert_eq!(couple.b, 3, "{couple:?}");
        assert!(reduction > 0.0);
        // Where the last player is not to be had, and where it costs too much.
        let (couple, _) = choice.best(4, |couple| (couple.b != 3).then_some(1.0)).unwrap();
        assert_ne!(couple.b, 3);
        let (couple, _) = choice.best(4, |couple| Some(if couple.b == 3 { 1e6 } else { 1.0 })).unwrap();
        assert_ne!(couple.b, 3);
        assert_eq!(choice.best(4, |_| None), None);
    }

    #[test]
    fn strangers_are_connected() {
        let mut results = Results::new(5);
        let couple = |a, b| Couple { a, b };
        let all = |_| true;
        assert_eq!(connections(&results, all), [couple(0, 1), couple(1, 2), couple(2, 3), couple(3, 4)]);
        // Around somebody who cannot play.
        let without_2 = |couple: Couple| ![couple.a, couple.b].contains(&2);
        assert_eq!(connections(&results, without_2), [couple(0, 1), couple(1, 3), couple(3, 4)]);
        results.add(0, 2, Win, Win);
        results.add(1, 4, Win, Win);
        assert_eq!(connections(&results, all), [couple(0, 1), couple(2, 3)]);
        assert_eq!(connections(&results, without_2), [couple(0, 1), couple(3, 4)]);
        assert_eq!(connections(&results, |_| false), []);
    }
}
