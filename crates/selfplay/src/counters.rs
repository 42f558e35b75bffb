//! What a worker has done, and where its time went.

use game::starts::DrawnStart;
use serde::{Deserialize, Serialize};
use std::ops::{AddAssign, Sub};
use std::time::Duration;

/// Work of one worker, or of several added up, since they began.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Counters {
    /// Positions judged by the evaluator.
    pub evaluations: u64,
    /// Batches given to the evaluator.
    pub batches: u64,
    /// Rows that these batches had room for.
    pub room: u64,
    /// Answers found in the evaluation cache.
    pub cache_hits: u64,
    /// Answers shared with the same position in the same batch.
    pub shared: u64,
    /// Simulations of all searches.
    pub simulations: u64,
    /// Steps chosen by searches.
    pub steps: u64,
    /// Games finished.
    pub games: u64,
    /// Games that a side gave up.
    pub resigned: u64,
    /// Games played to their end although a side would have given up.
    pub played_on: u64,
    /// Games among them that this side did not lose.
    pub false_resignations: u64,
    /// Start positions drawn for new games.
    pub starts: u64,
    /// Starts that were thrown away before them because the rules declare them void.
    pub void_starts: u64,
    /// Starts for which another source stood in after too many void ones in a row.
    pub fallback_starts: u64,
    /// Time inside the evaluator.
    pub evaluator_time: Duration,
    /// Time inside [`Worker::run`](crate::Worker::run), the evaluator's included.
    pub total_time: Duration,
}

impl Counters {
    /// How full the batches were, in [0, 1].
    pub fn fill(&self) -> f64 {
        ratio(self.evaluations as f64, self.room as f64)
    }

    /// Share of answers that came without an evaluation of their own, in [0, 1].
    pub fn hit_share(&self) -> f64 {
        let free = (self.cache_hits + self.shared) as f64;
        ratio(free, free + self.evaluations as f64)
    }

    /// Adds a start that was drawn.
    pub(crate) fn add_start<P>(&mut self, start: &DrawnStart<P>) {
        self.starts += 1;
        self.void_starts += u64::from(start.void);
        self.fallback_starts += u64::from(start.fallback);
    }

    /// Adds what the end of a game that was played on says about giving up.
    pub(crate) fn add_played_on(&mut self, was_wrong: bool) {
        self.played_on += 1;
        self.false_resignations += u64::from(was_wrong);
    }

    /// Share of drawn starts that were void, in [0, 1].
    pub fn void_share(&self) -> f64 {
        ratio(self.void_starts as f64, (self.starts + self.void_starts) as f64)
    }

    /// Share of time spent outside the evaluator, in [0, 1].
    pub fn outside_share(&self) -> f64 {
        1.0 - ratio(self.evaluator_time.as_secs_f64(), self.total_time.as_secs_f64())
    }

    /// Evaluations per second of this worker; of several workers added up: per second and worker.
    pub fn evaluations_per_second(&self) -> f64 {
        ratio(self.evaluations as f64, self.total_time.as_secs_f64())
    }
}

fn ratio(part: f64, whole: f64) -> f64 {
    if whole > 0.0 { part / whole } else { 0.0 }
}

impl AddAssign for Counters {
    fn add_assign(&mut self, other: Counters) {
        self.evaluations += other.evaluations;
        self.batches += other.batches;
        self.room += other.room;
        self.cache_hits += other.cache_hits;
        self.shared += other.shared;
        self.simulations += other.simulations;
        self.steps += other.steps;
        self.games += other.games;
        self.resigned += other.resigned;
        self.played_on += other.played_on;
        self.false_resignations += other.false_resignations;
        self.starts += other.starts;
        self.void_starts += other.void_starts;
        self.fallback_starts += other.fallback_starts;
        self.evaluator_time += other.evaluator_time;
        self.total_time += other.total_time;
    }
}

impl Sub for Counters {
    type Output = Counters;

    /// The work between two readings of the same counters, the earlier one subtracted.
    fn sub(self, earlier: Counters) -> Counters {
        Counters {
            evaluations: self.evaluations - earlier.evaluations,
            batches: self.batches - earlier.batches,
            room: self.room - earlier.room,
            cache_hits: self.cache_hits - earlier.cache_hits,
            shared: self.shared - earlier.shared,
            simulations: self.simulations - earlier.simulations,
            steps: self.steps - earlier.steps,
            games: self.games - earlier.games,
            resigned: self.resigned - earlier.resigned,
            played_on: self.played_on - earlier.played_on,
            false_resignations: self.false_resignations - earlier.false_resignations,
            starts: self.starts - earlier.starts,
            void_starts: self.void_starts - earlier.void_starts,
            fallback_starts: self.fallback_starts - earlier.fallback_starts,
            evaluator_time: self.evaluator_time.saturating_sub(earlier.evaluator_time),
            total_time: self.total_time.saturating_sub(earlier.total_time),
        }
    }
}
