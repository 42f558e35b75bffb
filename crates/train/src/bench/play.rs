//! Self-play against the same network run alone: equal batch, numbers and threads, in turns in the same run.

use super::inference::{BATCHES, InferenceRate};
use super::{Setting, Stopwatch, median};
use crate::interrupt::Interrupt;
use crate::measurement::settings;
use anyhow::{Context, Result, anyhow};
use arena::learning::{LearningSession, PlayWatch};
use net::peak::sustained;
use net::runtime::prepare_thread;
use net::{InferenceModel, NetError, Path, Plan, Precision};
use selfplay::Counters;
use serde::Serialize;
use std::time::{Duration, Instant};
use tempfile::TempDir;

/// How often both are measured.
const ROUNDS: usize = 4;

/// Self-play beside the network alone. Shares are medians of the rounds.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct PlayRate {
    /// The way that the network is run.
    pub path: Path,
    /// Its numbers.
    pub precision: Precision,
    /// Workers, a thread each.
    pub workers: usize,
    /// Live games of a worker.
    pub games_per_worker: usize,
    /// Rows of a batch.
    pub batch_size: usize,
    /// What the workers' threads evaluate alone, positions a second by the clock, over all of them.
    pub alone_per_second: f64,
    /// What they evaluate in self-play, by the clock, over all of them.
    pub evaluations_per_second: f64,
    /// Self-play's share of the network alone, by the clock.
    pub share: f64,
    /// The same by the processor time that an evaluation takes: what other processes take away does not count.
    pub processor_share: f64,
    /// What the workers' threads could multiply in the same rounds, operations a second of processor time: the peak
    /// under the load of the moment ([`net::peak::sustained`]); in 32-bit numbers where the network has 8-bit ones.
    pub sustained_peak: f64,
    /// Share of it that self-play reaches; `None` on a GPU and in 8-bit numbers.
    pub share_of_peak: Option<f64>,
    /// What the evaluator makes on one core of the best rate that any way has bare, in these numbers and at this
    /// batch (or the next smaller one that was measured).
    pub share_of_best_path: f64,
    /// How full batches were.
    pub fill: f64,
    /// Share of answers that needed no evaluation of their own.
    pub hit_share: f64,
    /// Share of the workers' time outside the evaluator.
    pub outside_share: f64,
    /// Answers to searches a second, cached ones included, by the clock.
    pub answers_per_second: f64,
    /// Searched steps a second, by the clock.
    pub steps_per_second: f64,
    /// Games finished a second, by the clock.
    pub games_per_second: f64,
    /// The rounds.
    pub rounds: Vec<PlayRound>,
}

/// One round: the processor's peak, the network alone, then self-play.
#[derive(Clone, Copy, Debug, PartialEq, Serialize)]
pub struct PlayRound {
    /// Operations a second of processor time in multiplications alone.
    pub sustained_peak: f64,
    /// Positions a second alone, by the clock.
    pub alone_per_second: f64,
    /// Positions a second of processor time alone, one core's worth.
    pub alone_per_processor_second: f64,
    /// Evaluations a second in self-play, by the clock.
    pub evaluations_per_second: f64,
    /// Evaluations a second of processor time in self-play.
    pub evaluations_per_processor_second: f64,
}

/// Measures for about `seconds`.
pub fn measure(
    setting: &Setting<'_>,
    plan: &Plan,
    inference: &[InferenceRate],
    seconds: f64,
) -> Result<PlayRate> {
    let config = setting.config;
    let mut game = Play::begin(setting, plan)?;
    let workers = game.workers();
    let slice = seconds / (ROUNDS as f64 * 2.25 + 2.0);
    let bar = setting.progress.phase("measure self-play", "rounds", ROUNDS as u64);
    // Games spread over their stages first, and caches fill.
    game.run(slice * 2.0)?;
    let mut rounds = Vec::new();
    let (mut counters, mut played) = (Counters::default(), 0.0);
    for round in 0..ROUNDS {
        setting.go_on()?;
        let sustained_peak = peak(plan.precision(), workers, slice / 4.0)?;
        let alone = alone(setting, &game.model, workers, slice)?;
        let (done, clock) = game.run(slice)?;
        let evaluations = done.evaluations as f64;
        rounds.push(PlayRound {
            sustained_peak,
            alone_per_second: alone.by_clock,
            alone_per_processor_second: alone.by_processor,
            evaluations_per_second: evaluations / clock.seconds,
            evaluations_per_processor_second: evaluations / clock.processor_seconds,
        });
        counters += done;
        played += clock.seconds;
        bar.update(round as u64 + 1);
    }
    let middle = |number: fn(&PlayRound) -> f64| median(&mut rounds.iter().map(number).collect::<Vec<_>>());
    let sustained_peak = middle(|round| round.sustained_peak);
    let per_processor_second = middle(|round| round.evaluations_per_processor_second);
    let rows = BATCHES.into_iter().rev().find(|&rows| rows <= config.selfplay.batch_size).unwrap_or(1);
    let alike = || inference.iter().filter(|rate| rate.rows == rows && rate.precision == plan.precision());
    let best = alike().map(|rate| rate.bare_positions_per_second).fold(0.0, f64::max);
    let own = alike().find(|rate| rate.path == plan.path).map_or(0.0, |rate| rate.positions_per_second);
    let answers = counters.evaluations + counters.cache_hits + counters.shared;
    let per_second = |count: u64| count as f64 / f64::max(played, 1e-9);
    Ok(PlayRate {
        path: plan.path,
        precision: plan.precision(),
        workers,
        games_per_worker: config.selfplay.games_per_worker,
        batch_size: config.selfplay.batch_size,
        alone_per_second: middle(|round| round.alone_per_second),
        evaluations_per_second: middle(|round| round.evaluations_per_second),
        share: middle(|round| round.evaluations_per_second / round.alone_per_second),
        processor_share: middle(|round| {
            round.evaluations_per_processor_second / round.alone_per_processor_second
        }),
        sustained_peak,
        share_of_peak: (plan.precision() != Precision::Int8)
            .then(|| setting.share_of(sustained_peak, per_processor_second))
            .flatten(),
        share_of_best_path: own / f64::max(best, 1e-9),
        fill: counters.fill(),
        hit_share: counters.hit_share(),
        outside_share: counters.outside_share(),
        answers_per_second: per_second(answers),
        steps_per_second: per_second(counters.steps),
        games_per_second: per_second(counters.games),
        rounds,
    })
}

/// Positions a second.
struct Rate {
    by_clock: f64,
    /// Of processor time.
    by_processor: f64,
}

/// Evaluates full batches on `workers` threads for `seconds`, as self-play's workers do, and nothing else.
fn alone(setting: &Setting<'_>, model: &InferenceModel, workers: usize, seconds: f64) -> Result<Rate> {
    let rows = setting.config.selfplay.batch_size;
    let batches: Vec<_> = (0..workers).map(|worker| setting.game.random_batch(rows, worker as u64)).collect();
    let evaluators = model.evaluators(workers);
    let watch = Stopwatch::start();
    let counts = std::thread::scope(|scope| {
        let threads: Vec<_> = batches
            .into_iter()
            .zip(evaluators)
            .map(|(mut batch, mut evaluator)| {
                let begin = watch.begin;
                scope.spawn(move || -> Result<usize> {
                    let mut count = 0;
                    while begin.elapsed().as_secs_f64() < seconds {
                        evaluator.evaluate(&mut batch)?;
                        count += batch.len();
                    }
                    Ok(count)
                })
            })
            .collect();
        let joined = |thread: std::thread::ScopedJoinHandle<'_, Result<usize>>| {
            thread.join().unwrap_or_else(|_| Err(anyhow!("a thread that evaluates panicked")))
        };
        threads.into_iter().map(joined).sum::<Result<usize>>()
    })? as f64;
    Ok(Rate { by_clock: counts / watch.seconds(), by_processor: counts / watch.processor_seconds() })
}

/// What `workers` threads multiply at once for `seconds`, operations a second of processor time of one of them; in
/// 32-bit numbers for 8-bit ones.
pub(super) fn peak(precision: Precision, workers: usize, seconds: f64) -> Result<f64> {
    let kind = if precision == Precision::Int8 { Precision::Fp32.kind() } else { precision.kind() };
    let rates: Result<Vec<f64>> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..workers)
            .map(|_| {
                scope.spawn(|| {
                    prepare_thread();
                    sustained(kind, seconds)
                })
            })
            .collect();
        let joined = |thread: std::thread::ScopedJoinHandle<'_, Result<f64, NetError>>| match thread.join() {
            Ok(rate) => Ok(rate?),
            Err(_) => Err(anyhow!("a thread that multiplies panicked")),
        };
        threads.into_iter().map(joined).collect()
    });
    Ok(rates?.iter().sum::<f64>() / workers.max(1) as f64)
}

/// Seconds by the clock and of processor time.
pub(super) struct Times {
    seconds: f64,
    processor_seconds: f64,
}

/// Self-play under way: it goes on where it was at each call.
pub(super) struct Play<'a> {
    session: Box<dyn LearningSession>,
    model: InferenceModel,
    interrupt: &'a Interrupt,
    /// Where finished games are written; removed at the end.
    _place: TempDir,
}

impl Play<'_> {
    /// Begins the games.
    pub(super) fn begin<'a>(setting: &Setting<'a>, plan: &Plan) -> Result<Play<'a>> {
        let place = tempfile::tempdir().context("a temporary directory")?;
        let config = setting.config;
        let workers = config.workers(setting.cores);
        let settings = settings(config, config.selfplay.clone(), &place.path().join("games"), workers);
        let mut session = setting.game.begin_learning(&settings)?;
        session.begin_cycle(1);
        let model = InferenceModel::new(setting.net, plan)?;
        model.prepare(config.selfplay.batch_size)?;
        Ok(Play { session, model, interrupt: setting.interrupt, _place: place })
    }

    /// Threads that play.
    pub(super) fn workers(&self) -> usize {
        self.session.workers()
    }

    /// Plays for `seconds`.
    pub(super) fn run(&mut self, seconds: f64) -> Result<(Counters, Times)> {
        let evaluators = self.model.evaluators(self.workers());
        let mut until = Until {
            end: Instant::now() + Duration::from_secs_f64(seconds),
            interrupt: self.interrupt.clone(),
        };
        let watch = Stopwatch::start();
        let report = self.session.play(evaluators, u64::MAX, &mut until)?;
        let times = Times { seconds: report.seconds, processor_seconds: watch.processor_seconds() };
        Ok((report.counters, times))
    }
}

/// Stops self-play at a time.
struct Until {
    end: Instant,
    interrupt: Interrupt,
}

impl PlayWatch for Until {
    fn progress(&mut self, _positions: u64, _games: u64) {}

    fn stop(&self) -> bool {
        self.interrupt.asked() || Instant::now() >= self.end
    }
}
