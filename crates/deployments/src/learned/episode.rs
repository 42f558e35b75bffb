//! Pairs of set-ups that can be played: who meets whom, and what is on record of it.

use super::config::OpponentsConfig;
use super::draw::{Drawn, draw};
use super::opponents::Pool;
use super::policy::{Policy, PolicyError};
use crate::table::{Judge, TableError};
use commander::deployment::{MOST_VOID, MOST_VOID_UNIFORM, PlacingOrder, Sampler};
use commander::{Commander, Deployment};
use game::random::{Purpose, stream};
use pairs::Pair;
use rand::Rng;
use rand_chacha::ChaCha8Rng;
use serde::{Deserialize, Serialize};

/// Whom the policy met.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Opponent {
    /// Itself as it was then.
    Current,
    /// Itself as it was after so many updates.
    Past(u64),
    /// The sampler of the regulariser.
    Sampler,
}

/// A pair of set-ups as it is kept on record.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Episode {
    /// Updates behind the policy that placed the first set-up.
    pub update: u64,
    /// Number of the pair in its batch.
    pub pair: u64,
    /// Who placed the second one.
    pub opponent: Opponent,
    /// Both set-ups, each as its line.
    pub sides: [String; 2],
    /// Pairs before it that were void: both sides placed again, from fresh streams.
    pub void: u32,
    /// Whether sixteen in a row were void, so that both set-ups were drawn uniformly. Nothing is learned from them.
    pub fallback: bool,
    /// Score of the first set-up, from 0 to 1.
    pub score: f64,
    /// The games, where the score comes from games; else it is that of the judge.
    pub games: Option<Pair>,
}

/// Where set-ups come from.
pub(super) struct Supply<'a> {
    pub game: &'a Commander,
    pub order: &'a PlacingOrder,
    pub policy: &'a dyn Policy,
    pub pool: &'a Pool,
    pub sampler: &'a Sampler,
    pub uniform: &'a Sampler,
    pub config: &'a OpponentsConfig,
    pub seed: u64,
}

/// A side of a pair: how it was placed, or the set-up alone where nothing is learned from it.
#[derive(Clone, Debug)]
pub(super) enum Side {
    Placed(Box<Drawn>),
    Given(Deployment),
}

impl Side {
    pub fn deployment(&self) -> &Deployment {
        match self {
            Side::Placed(drawn) => &drawn.deployment,
            Side::Given(deployment) => deployment,
        }
    }
}

/// A pair that is not void in either colour.
#[derive(Clone, Debug)]
pub(super) struct Paired {
    pub opponent: Opponent,
    pub sides: [Side; 2],
    pub void: u32,
    pub fallback: bool,
}

impl Supply<'_> {
    /// So many pairs for an update. Where a pair is void in one of the colours both sides place again from fresh
    /// streams; after sixteen in a row both are drawn uniformly.
    pub fn pairs(&self, update: u64, number: u64) -> Result<Vec<Paired>, PolicyError> {
        let opponents: Vec<(Opponent, Option<usize>)> =
            (0..number).map(|pair| self.opponent(update, pair)).collect();
        let mut found: Vec<Option<Paired>> = vec![None; number as usize];
        for attempt in 0..=MOST_VOID + MOST_VOID_UNIFORM {
            let pending: Vec<usize> = (0..found.len()).filter(|&pair| found[pair].is_none()).collect();
            if pending.is_empty() {
                break;
            }
            let fallback = attempt >= MOST_VOID;
            let sides = match attempt {
                0..MOST_VOID => self.placed(update, attempt, &pending, &opponents)?,
                _ if attempt < MOST_VOID + MOST_VOID_UNIFORM => pending
                    .iter()
                    .map(|&pair| {
                        [0, 1].map(|side| {
                            Side::Given(self.uniform.draw(&mut self.stream(update, pair, attempt, side)))
                        })
                    })
                    .collect(),
                _ => vec![[0, 1].map(|_| Side::Given(Deployment::standard())); pending.len()],
            };
            for (pair, sides) in pending.into_iter().zip(sides) {
                let [one, other] = sides.each_ref().map(Side::deployment);
                let last = attempt == MOST_VOID + MOST_VOID_UNIFORM;
                if last || !(is_void(self.game, [one, other]) || is_void(self.game, [other, one])) {
                    found[pair] =
                        Some(Paired { opponent: opponents[pair].0, sides, void: attempt, fallback });
                }
            }
        }
        // The last attempt takes what it gets.
        Ok(found.into_iter().flatten().collect())
    }

    fn stream(&self, update: u64, pair: usize, attempt: u32, side: u64) -> ChaCha8Rng {
        stream(self.seed, Purpose::Opening, &[20, update, pair as u64, attempt.into(), side])
    }

    /// Whom a pair's first side meets, with the number of a past policy in the pool.
    fn opponent(&self, update: u64, pair: u64) -> (Opponent, Option<usize>) {
        let mut random = stream(self.seed, Purpose::Selection, &[20, update, pair]);
        let OpponentsConfig { current, past, sampler, .. } = self.config;
        let drawn = random.random::<f64>() * (current + past + sampler);
        if drawn < *sampler {
            return (Opponent::Sampler, None);
        }
        if drawn < sampler + past && !self.pool.is_empty() {
            let number = random.random_range(0..self.pool.len());
            if let Some((updates, _)) = self.pool.member(number) {
                return (Opponent::Past(updates), Some(number));
            }
        }
        (Opponent::Current, None)
    }

    /// Both sides of pairs, each placed by whom it belongs to; what one policy places goes through it together.
    fn placed(
        &self,
        update: u64,
        attempt: u32,
        pending: &[usize],
        opponents: &[(Opponent, Option<usize>)],
    ) -> Result<Vec<[Side; 2]>, PolicyError> {
        let by = |policy: &dyn Policy, pairs: &[usize], side: u64| {
            let mut streams: Vec<ChaCha8Rng> =
                pairs.iter().map(|&pair| self.stream(update, pair, attempt, side)).collect();
            draw(policy, self.order, &mut streams)
        };
        let placed = |drawn| Side::Placed(Box::new(drawn));
        let own = by(self.policy, pending, 0)?.into_iter().map(placed);
        let mut others: Vec<Option<Side>> = vec![None; pending.len()];
        let of = |wanted: (Opponent, Option<usize>)| -> Vec<usize> {
            (0..pending.len()).filter(|&place| opponents[pending[place]] == wanted).collect()
        };
        let mut sources: Vec<(Opponent, Option<usize>)> = Vec::new();
        for &pair in pending {
            if !sources.contains(&opponents[pair]) {
                sources.push(opponents[pair]);
            }
        }
        for source in sources {
            let places = of(source);
            let pairs: Vec<usize> = places.iter().map(|&place| pending[place]).collect();
            let sides: Vec<Side> = match (source.0, source.1.and_then(|number| self.pool.member(number))) {
                (Opponent::Sampler, _) => pairs
                    .iter()
                    .map(|&pair| Side::Given(self.sampler.draw(&mut self.stream(update, pair, attempt, 1))))
                    .collect(),
                (_, Some((_, past))) => {
                    by(past, &pairs, 1)?.into_iter().map(|drawn| Side::Given(drawn.deployment)).collect()
                }
                (_, None) => by(self.policy, &pairs, 1)?.into_iter().map(placed).collect(),
            };
            for (place, side) in places.into_iter().zip(sides) {
                others[place] = Some(side);
            }
        }
        // Every place belongs to one source.
        Ok(own.zip(others.into_iter().flatten()).map(|(one, other)| [one, other]).collect())
    }
}

/// Whether a game between two set-ups, the first one Red's, is void.
pub(super) fn is_void(game: &Commander, sides: [&Deployment; 2]) -> bool {
    game.void(&game.deployed(sides)).is_some()
}

/// What a judge expects of the first set-up of each pair, both colours; a void game counts ½.
pub(super) fn judged(
    game: &Commander,
    judge: &dyn Judge,
    pairs: &[[&Deployment; 2]],
) -> Result<Vec<f64>, TableError> {
    let both: Vec<[Option<[&Deployment; 2]>; 2]> = pairs
        .iter()
        .map(|&[one, other]| {
            [[one, other], [other, one]].map(|sides| (!is_void(game, sides)).then_some(sides))
        })
        .collect();
    let positions: Vec<[&Deployment; 2]> = both.iter().flatten().flatten().copied().collect();
    let mut values = if positions.is_empty() { Vec::new() } else { judge.judge(&positions)? }.into_iter();
    let mut missing = false;
    let scores = both
        .iter()
        .map(|[red, blue]| {
            let mut value = |played: &Option<_>| match played {
                None => 0.5,
                Some(_) => values.next().unwrap_or_else(|| {
                    missing = true;
                    0.5
                }),
            };
            let (red, blue) = (value(red), value(blue));
            0.5 * (red + 1.0 - blue)
        })
        .collect();
    match missing {
        false => Ok(scores),
        true => Err(TableError::Failed("the judge did not answer for every position".to_owned())),
    }
}

#[cfg(test)]
mod tests {
    use super::super::policy::Answers;
    use super::*;
    use crate::generate::uniform;
    use crate::learned::planes::SQUARES;
    use commander::Rules;
    use commander::deployment::PlacingOrder;
    use commander::piece::Kind;
    use commander::point::Point;

    /// Puts every piece, or the commander alone, as near to k6 as it gets.
    struct Corner {
        all: bool,
    }

    impl Policy for Corner {
        fn answer(&self, planes: &[f32], rows: usize) -> Result<Answers, PolicyError> {
            let channels = super::super::planes::CHANNELS;
            let mut logits = Vec::new();
            for row in planes.chunks(SQUARES * channels).take(rows) {
                let commander = row[Kind::ALL.len() + Kind::Commander.index() - 1] > 0.0;
                let pull = if self.all || commander { 40.0 } else { 0.0 };
                logits.extend((0..SQUARES).map(|index| {
                    let point = Point::from_index(index);
                    pull * (point.rank() * 11 + point.file()) as f32
                }));
            }
            Ok(Answers { logits, expected: vec![0.5; rows] })
        }
    }

    fn pairs(policy: &dyn Policy, seed: u64, number: u64) -> Vec<Paired> {
        let game = Commander::new(Rules::default());
        let (order, uniform) = (PlacingOrder::new(&game), uniform(&game).unwrap());
        let config = OpponentsConfig { current: 0.5, past: 0.0, sampler: 0.5, ..OpponentsConfig::default() };
        let pool = Pool::new(1);
        Supply {
            game: &game,
            order: &order,
            policy,
            pool: &pool,
            sampler: &uniform,
            uniform: &uniform,
            config: &config,
            seed,
        }
        .pairs(3, number)
        .unwrap()
    }

    #[test]
    fn void_pairs_place_again_and_a_hopeless_policy_is_given_up_for_the_uniform_sampler() {
        let game = Commander::new(Rules::default());
        let fine = pairs(&Corner { all: false }, 1, 40);
        // Both commanders on k6 with the river between them are exposed or can be taken: against itself the
        // policy never has a pair that can be played, against the sampler it may.
        assert_eq!(fine.len(), 40);
        let [mut given_up, mut again] = [0, 0];
        for pair in &fine {
            let [one, other] = pair.sides.each_ref().map(Side::deployment);
            assert!(!is_void(&game, [one, other]) && !is_void(&game, [other, one]));
            assert_eq!(pair.fallback, pair.void >= MOST_VOID);
            if pair.fallback {
                given_up += 1;
                assert!(pair.sides.iter().all(|side| matches!(side, Side::Given(_))));
                assert_ne!(one.commander(), Point::read("k6"));
            } else {
                again += u32::from(pair.void > 0);
                assert!(matches!(pair.sides[0], Side::Placed(_)));
                assert_eq!(pair.opponent == Opponent::Current, matches!(pair.sides[1], Side::Placed(_)));
            }
        }
        assert!(given_up > 0 && again > 0, "{given_up} {again}");
        // The same again, whatever else is drawn beside it.
        let fewer = pairs(&Corner { all: false }, 1, 7);
        for (one, other) in fine.iter().zip(&fewer) {
            assert_eq!(one.sides[0].deployment(), other.sides[0].deployment());
            assert_eq!((one.void, one.opponent), (other.void, other.opponent));
        }
        assert_ne!(
            pairs(&Corner { all: true }, 2, 2)[0].sides[0].deployment(),
            fine[0].sides[0].deployment()
        );
    }

    #[test]
    fn a_judge_is_asked_for_both_colours() {
        struct Red;
        impl Judge for Red {
            fn judge(&self, positions: &[[&Deployment; 2]]) -> Result<Vec<f64>, TableError> {
                // Red's advantage, and one of whoever has the commander further left.
                let file = |one: &Deployment| one.commander().map_or(0.0, |point| point.file() as f64);
                Ok(positions.iter().map(|[red, blue]| 0.6 + 0.01 * (file(blue) - file(red))).collect())
            }
        }
        let game = Commander::new(Rules::default());
        let all = crate::named(&game);
        let standard = &all[0].deployment;
        for other in &all {
            let found = judged(&game, &Red, &[[&other.deployment, standard]]).unwrap()[0];
            let file = |one: &Deployment| one.commander().unwrap().file() as f64;
            let right = 0.5 + 0.01 * (file(standard) - file(&other.deployment));
            let void = is_void(&game, [&other.deployment, standard])
                || is_void(&game, [standard, &other.deployment]);
            assert!(void || (found - right).abs() < 1e-12, "{}: {found} {right}", other.name);
        }
    }
}
