//! Why: where pieces stand, what that goes with, and which descriptors tell good set-ups from others.

use crate::descriptors::Descriptors;
use commander::Deployment;
use commander::piece::Kind;
use commander::point::{FILES, Point, RANKS};
use serde::{Deserialize, Serialize};
use statistics::Interval;
use statistics::regression::{Regression, regression};

/// Set-ups' worth of "no effect" that every point's effect is drawn to.
const SHRINKAGE: f64 = 8.0;

/// A set-up with what is known of its strength.
#[derive(Clone, Debug, PartialEq)]
pub struct Scored {
    /// The set-up.
    pub deployment: Deployment,
    /// Its score or value.
    pub score: f64,
    /// How much it counts, such as its pairs.
    pub weight: f64,
}

/// Where the pieces of a kind stand, on the ranks of the own half from the own edge, each a row of files.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct HeatMap {
    /// Letter of the kind.
    pub piece: char,
    /// Its name.
    pub name: String,
    /// How many pieces of the kind the mixture has on each point on average.
    pub share: Vec<Vec<f64>>,
    /// What a piece there goes with; `None` where no set-up or every one has it.
    pub effect: Vec<Vec<Option<PointEffect>>>,
}

/// Score of set-ups with a piece on a point over the score of all, drawn to 0 where few have it there. It is
/// no proof of a cause: set-ups with it differ from others in more than that.
#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PointEffect {
    /// The difference, in scores.
    pub effect: f64,
    /// Its 95 % interval.
    pub interval: Interval,
    /// Set-ups that have a piece of the kind there.
    pub set_ups: u64,
}

/// Regressions of scores on [`Descriptors`], from played scores and from values.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Regressions {
    /// Names of the descriptors.
    pub features: Vec<String>,
    /// What games say; `None` for too few set-ups.
    pub games: Option<Regression>,
    /// What the network's values say; `None` without a network.
    pub values: Option<Regression>,
}

/// The heat maps of all kinds: shares of a mixture, effects from scored set-ups.
pub fn heat_maps(mixture: &[(f64, Deployment)], scored: &[Scored]) -> Vec<HeatMap> {
    let total: f64 = scored.iter().map(|one| one.weight).sum::<f64>().max(f64::MIN_POSITIVE);
    let mean = scored.iter().map(|one| one.weight * one.score).sum::<f64>() / total;
    let variance = scored.iter().map(|one| one.weight * (one.score - mean).powi(2)).sum::<f64>() / total;
    // Weights as numbers of set-ups.
    let unit = scored.len() as f64 / total;
    Kind::ALL
        .into_iter()
        .map(|kind| {
            let on = |deployment: &Deployment, at: Point| {
                deployment.at(at).pieces().filter(|piece| piece.kind() == kind).count()
            };
            let share = |at: Point| mixture.iter().map(|(share, one)| share * on(one, at) as f64).sum();
            let effect = |at: Point| {
                let there: Vec<&Scored> = scored.iter().filter(|one| on(&one.deployment, at) > 0).collect();
                if there.is_empty() || there.len() == scored.len() {
                    return None;
                }
                let weight = unit * there.iter().map(|one| one.weight).sum::<f64>();
                let sum = unit * there.iter().map(|one| one.weight * (one.score - mean)).sum::<f64>();
                let drawn = weight + SHRINKAGE;
                let error = (variance / drawn).sqrt();
                let effect = sum / drawn;
                Some(PointEffect {
                    effect,
                    interval: Interval::normal(effect, error),
                    set_ups: there.len() as u64,
                })
            };
            HeatMap {
                piece: kind.letter(),
                name: kind.name().to_owned(),
                share: on_ranks(share),
                effect: on_ranks(effect),
            }
        })
        .collect()
}

fn on_ranks<T>(value: impl Fn(Point) -> T) -> Vec<Vec<T>> {
    (0..RANKS / 2).map(|rank| (0..FILES).map(|file| value(Point::at(file, rank))).collect()).collect()
}

/// The regressions of two lists of scored set-ups.
pub fn regressions(games: &[Scored], values: &[Scored]) -> Regressions {
    let fit = |scored: &[Scored]| {
        let features: Vec<Vec<f64>> =
            scored.iter().map(|one| Descriptors::of(&one.deployment).numbers().to_vec()).collect();
        let scores: Vec<f64> = scored.iter().map(|one| one.score).collect();
        let weights: Vec<f64> = scored.iter().map(|one| one.weight).collect();
        regression(&features, &scores, &weights)
    };
    Regressions {
        features: Descriptors::NAMES.map(str::to_owned).to_vec(),
        games: fit(games),
        values: fit(values),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use commander::deployment::Sampler;
    use commander::{Commander, Rules};
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::SeedableRng;

    /// Set-ups that score by the depth of their commander alone.
    fn scored() -> Vec<Scored> {
        let sampler = Sampler::uniform(&Commander::new(Rules::default())).unwrap();
        let mut random = ChaCha8Rng::seed_from_u64(5);
        (0..300)
            .map(|_| {
                let deployment = sampler.draw(&mut random);
                let score = 0.3 + 0.4 * Descriptors::of(&deployment).commander_depth;
                Scored { deployment, score, weight: 8.0 }
            })
            .collect()
    }

    #[test]
    fn what_decides_is_seen() {
        let scored = scored();
        let found = regressions(&scored, &[]);
        assert_eq!(found.values, None);
        let games = found.games.unwrap();
        assert!(games.effects[0].interval.low > 0.05, "{games:?}");
        assert!(games.effects[1..].iter().all(|effect| effect.effect.abs() < 0.01), "{games:?}");
        let mixture = vec![(1.0, Deployment::standard())];
        let maps = heat_maps(&mixture, &scored);
        let commander = maps.iter().find(|map| map.piece == 'C').unwrap();
        assert_eq!(commander.share[0][6], 1.0);
        assert_eq!(maps.iter().map(|map| map.share.iter().flatten().sum::<f64>()).sum::<f64>(), 19.0);
        let mean = |rank: usize| {
            let found: Vec<f64> = commander.effect[rank].iter().flatten().map(|point| point.effect).collect();
            found.iter().sum::<f64>() / found.len() as f64
        };
        assert!(mean(0) > 0.02 && mean(5) < -0.02, "{} {}", mean(0), mean(5));
        assert_eq!(commander.effect[0][0], None);
    }
}
