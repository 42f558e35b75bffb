//! Steps of learning.

use super::config::{LearnConfig, Towards};
use super::episode::{Episode, Opponent, Paired, Side, Supply, judged};
use super::findings::Point;
use super::opponents::{Pool, PoolState};
use super::planes::SQUARES;
use super::policy::{Batch, Learned, Learner, Policy, PolicyError};
use super::returns::{Outcome, advantages};
use crate::generate::uniform;
use crate::study::StudyError;
use crate::table::{Judge, PairRequest, Seat, Table};
use commander::deployment::{PlacingOrder, Sampler};
use commander::{Commander, Deployment};
use game::Faults;
use pairs::Pair;
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

/// Number of the first pair of games in training; smaller ones belong to the search for replies.
const FIRST_PAIR: u64 = 1 << 40;

/// A training: what a policy learns from. It is a function of the config, of the policy and of how the table and
/// the judge answer; every draw names its own random stream, so that nothing else has to be kept.
pub struct Training<'a> {
    pub(super) game: &'a Commander,
    pub(super) config: &'a LearnConfig,
    pub(super) order: PlacingOrder,
    pub(super) table: &'a dyn Table,
    pub(super) judge: Option<&'a dyn Judge>,
    pub(super) say: &'a dyn Fn(&str),
    sampler: Sampler,
    uniform: Sampler,
    pool: Pool,
    update: u64,
}

/// What a step of learning did.
#[derive(Clone, Debug, PartialEq)]
pub struct Update {
    /// Its numbers.
    pub point: Point,
    /// Its pairs of set-ups.
    pub episodes: Vec<Episode>,
}

impl<'a> Training<'a> {
    /// A training at its beginning.
    ///
    /// # Errors
    /// Rules under which set-ups cannot be drawn, settings out of range, and games that everybody must play where
    /// no judge is.
    pub fn new(
        game: &'a Commander,
        config: &'a LearnConfig,
        table: &'a dyn Table,
        judge: Option<&'a dyn Judge>,
        say: &'a dyn Fn(&str),
    ) -> Result<Training<'a>, Faults> {
        let mut faults = Faults::new();
        if judge.is_none() && config.games.share < 1.0 {
            faults.add(
                "games.share",
                format!("found {}, expected 1: agent.player has no network that judges", config.games.share),
            );
        }
        faults.into_result(())?;
        let uniform = uniform(game)?;
        let sampler = match config.regulariser.towards {
            Towards::Uniform => uniform.clone(),
            Towards::Prior => Sampler::with_prior(game, &config.regulariser.settings)?,
        };
        let pool = Pool::new(config.opponents.pool as usize);
        let order = PlacingOrder::new(game);
        Ok(Training { game, config, order, table, judge, say, sampler, uniform, pool, update: 0 })
    }

    /// Goes on after so many updates with the pool of then.
    ///
    /// # Errors
    /// The first one of `open`, which opens the policy that had so many updates behind it.
    pub fn resume<E>(
        mut self,
        updates: u64,
        pool: &PoolState,
        open: impl Fn(u64) -> Result<Box<dyn Policy>, E>,
    ) -> Result<Training<'a>, E> {
        self.pool = Pool::resume(self.config.opponents.pool as usize, pool, open)?;
        self.update = updates;
        Ok(self)
    }

    /// What it was told to do.
    pub fn config(&self) -> &LearnConfig {
        self.config
    }

    /// Updates so far.
    pub fn updates(&self) -> u64 {
        self.update
    }

    /// The past policies.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// Whether the policy as it is now is to be offered to the pool, and kept.
    pub fn is_time_for_a_snapshot(&self) -> bool {
        self.update.is_multiple_of(self.config.opponents.every)
    }

    /// Offers the policy as it is now to the pool.
    ///
    /// # Errors
    /// A network that fails.
    pub fn offer(&mut self, learner: &dyn Learner) -> Result<(), PolicyError> {
        self.pool.offer(self.update, learner.snapshot()?, self.config.seed);
        Ok(())
    }

    /// One step: pairs of set-ups, their scores, and what is learned from them.
    ///
    /// # Errors
    /// As for a study; the policy and the count of updates are then as they were.
    pub fn step(&mut self, learner: &mut dyn Learner) -> Result<Update, StudyError> {
        let number = u64::from(self.config.batch.pairs);
        let supply = Supply {
            game: self.game,
            order: &self.order,
            policy: &*learner,
            pool: &self.pool,
            sampler: &self.sampler,
            uniform: &self.uniform,
            config: &self.config.opponents,
            seed: self.config.seed,
        };
        let pairs = supply.pairs(self.update, number)?;
        let (scores, mut games) = self.scores(&pairs)?;
        let (batch, [entropy, divergence]) = self.batch(&pairs, &scores);
        // Where the uniform sampler stood in for every pair there is nothing to learn from.
        let learned = match batch.rows() {
            0 => Learned::default(),
            _ => learner.learn(&batch, self.config.optimizer.learning_rate)?,
        };
        let mean = |wanted: &dyn Fn(Opponent) -> bool| {
            let met: Vec<f64> = pairs
                .iter()
                .zip(&scores)
                .filter(|(pair, _)| wanted(pair.opponent) && !pair.fallback)
                .map(|(_, score)| *score)
                .collect();
            (!met.is_empty()).then(|| met.iter().sum::<f64>() / met.len() as f64)
        };
        let void: u64 = pairs.iter().map(|pair| u64::from(pair.void)).sum();
        let point = Point {
            update: self.update,
            past: mean(&|opponent| matches!(opponent, Opponent::Past(_))),
            sampler: mean(&|opponent| opponent == Opponent::Sampler),
            entropy,
            divergence,
            void_share: void as f64 / (void + pairs.len() as u64) as f64,
            fallbacks: pairs.iter().filter(|pair| pair.fallback).count() as u64,
            played: games.len() as u64,
            learned,
        };
        let episodes = (0..)
            .zip(pairs.iter().zip(&scores))
            .map(|(pair, (paired, &score))| Episode {
                update: self.update,
                pair,
                opponent: paired.opponent,
                sides: paired.sides.each_ref().map(|side| side.deployment().to_string()),
                void: paired.void,
                fallback: paired.fallback,
                score,
                games: games.remove(&pair),
            })
            .collect();
        self.update += 1;
        Ok(Update { point, episodes })
    }

    /// The score of each pair's first side, and the games of those that played, by their place.
    fn scores(&self, pairs: &[Paired]) -> Result<(Vec<f64>, HashMap<u64, Pair>), StudyError> {
        let playing = (self.config.games.share * pairs.len() as f64).round() as usize;
        let first = FIRST_PAIR + self.update * u64::from(self.config.batch.pairs);
        let requests: Vec<PairRequest> = (first..)
            .zip(&pairs[..playing])
            .map(|(number, pair)| PairRequest {
                number,
                sides: pair.sides.each_ref().map(|side| side.deployment().clone()),
            })
            .collect();
        let kept = Mutex::new(HashMap::new());
        if !requests.is_empty() {
            let seat = Seat { player: 0, simulations: self.config.games.simulations };
            self.table.play(seat, &requests, &|request, pair| {
                kept.lock()
                    .unwrap_or_else(PoisonError::into_inner)
                    .insert(request.number - first, pair.clone());
                true
            })?;
        }
        let games: HashMap<u64, Pair> = kept.into_inner().unwrap_or_else(PoisonError::into_inner);
        let mut scores = Vec::with_capacity(pairs.len());
        for place in 0..playing as u64 {
            let pair = games.get(&place).ok_or(StudyError::Missing { number: first + place })?;
            scores.push(pair.half_points() as f64 / 4.0);
        }
        if let (Some(judge), true) = (self.judge, playing < pairs.len()) {
            let sides: Vec<[&Deployment; 2]> =
                pairs[playing..].iter().map(|pair| pair.sides.each_ref().map(Side::deployment)).collect();
            scores.extend(judged(self.game, judge, &sides)?);
        }
        Ok((scores, games))
    }

    /// What is learned from, and entropy and divergence of the policy: the placements of first sides and, where
    /// the policy met itself, of second sides. The two are compared among themselves, since what the partner
    /// brought hangs on the own choice.
    fn batch(&self, pairs: &[Paired], scores: &[f64]) -> (Batch, [f64; 2]) {
        let weight = self.config.regulariser.weight;
        let mut batch = Batch { entropy_weight: weight, ..Batch::default() };
        let (mut entropy, mut divergence, mut number) = (0.0, 0.0, 0.0);
        for side in [0, 1] {
            let mut placed = Vec::new();
            let mut outcomes = Vec::new();
            for (pair, &score) in pairs.iter().zip(scores) {
                let Side::Placed(drawn) = &pair.sides[side] else { continue };
                let outcome = Outcome {
                    score: if side == 0 { score } else { 1.0 - score },
                    log_sampler: self.sampler.log_probability(&drawn.deployment),
                    entropies: drawn.placements.iter().map(|placement| placement.entropy).collect(),
                    expected: drawn.placements.iter().map(|placement| placement.expected).collect(),
                };
                entropy += drawn.entropy();
                divergence -= drawn.entropy() + outcome.log_sampler;
                number += 1.0;
                placed.push(drawn);
                outcomes.push(outcome);
            }
            for ((drawn, outcome), advantages) in
                placed.iter().zip(&outcomes).zip(advantages(&outcomes, weight))
            {
                for (placement, advantage) in drawn.placements.iter().zip(advantages) {
                    let mut open = [false; SQUARES];
                    placement.open.iter().for_each(|point| open[point.index()] = true);
                    batch.planes.extend(&placement.planes);
                    batch.open.extend(open);
                    batch.chosen.push(placement.chosen.index() as u32);
                    batch.advantages.push(advantage as f32);
                    batch.scores.push(outcome.score as f32);
                }
            }
        }
        let number = f64::max(number, 1.0);
        (batch, [entropy / number, divergence / number])
    }
}
