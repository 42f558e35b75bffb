//! A worker: many live games that feed one evaluator.

use crate::cache::EvaluationCache;
use crate::config::SelfPlayConfig;
use crate::counters::Counters;
use crate::live_game::{LiveGame, UnfinishedGame};
use crate::{Batch, Evaluator, EvaluatorError};
use game::record::GameRecord;
use game::starts::StartSampler;
use game::{BoardGame, Fault, Faults};
use search::{Gathered, SearchConfig};
use std::collections::{HashMap, VecDeque};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Instant;

/// What a worker does next; asked before every batch.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Proceed {
    /// Play on; a finished game is followed by a new one.
    Play,
    /// Finish the games in hand without beginning new ones.
    FinishGames,
    /// Come back now. Games stay in hand and go on in the next run.
    Stop,
}

/// Why [`Worker::run`] came back.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ended {
    /// It was told to stop.
    Stopped,
    /// It was told to finish its games, and all are finished.
    NoGamesLeft,
}

/// Why a worker could not be made.
#[derive(Debug, thiserror::Error)]
pub enum WorkerError {
    /// Settings are wrong; every one of them is named.
    #[error("self-play settings: {}", .0.join("; "))]
    Config(Vec<String>),
    /// Start positions are wrong.
    #[error("self-play settings: {0}")]
    Starts(Faults),
    /// Search settings are wrong.
    #[error("search settings: {0}")]
    Search(Faults),
}

/// Plays many games at once, so that the evaluator always gets full batches.
///
/// One worker belongs to one thread and one evaluator. It never waits: while rows are missing it
/// walks its games one after the other, and everything outside the evaluator is counted
/// ([`Counters::outside_share`]).
pub struct Worker<G: BoardGame> {
    game: G,
    config: SelfPlayConfig,
    search: SearchConfig,
    starts: StartSampler<G::Position>,
    seed: u64,
    cycle: u64,
    /// Next game number of the run, shared by all workers.
    ids: Arc<AtomicU64>,
    games: Vec<LiveGame<G>>,
    /// Games that can go on, in the order of their turns.
    ready: VecDeque<usize>,
    /// Places in `games` of finished games.
    free: Vec<usize>,
    /// Games that wait for a row of the batch, in the order in which they came.
    waiting: Vec<Waiting>,
    /// Evaluation keys of the rows of the batch.
    keys: Vec<u64>,
    /// Rows of the batch by evaluation key.
    rows: HashMap<u64, usize>,
    batch: Batch,
    cache: EvaluationCache,
    counters: Counters,
}

struct Waiting {
    game: usize,
    row: usize,
}

/// What a game came to when it was played on.
enum Walked {
    /// It waits for this row of the batch.
    Waits(usize),
    /// It has finished.
    Finished(GameRecord),
}

impl<G: BoardGame> Worker<G> {
    /// A worker without games; [`Worker::run`] begins them. `ids` hands out game numbers and is
    /// shared by all workers of a run.
    ///
    /// # Errors
    /// Settings that cannot work.
    pub fn new(
        game: G,
        config: SelfPlayConfig,
        search: SearchConfig,
        seed: u64,
        ids: Arc<AtomicU64>,
    ) -> Result<Worker<G>, WorkerError> {
        let faults = config.faults();
        if !faults.is_empty() {
            return Err(WorkerError::Config(faults));
        }
        search.check().map_err(WorkerError::Search)?;
        let starts = config.starts.sampler(&game).map_err(WorkerError::Starts)?;
        Ok(Worker {
            batch: Batch::for_game(&game, config.batch_size),
            cache: EvaluationCache::new(config.cache_bytes()),
            games: Vec::with_capacity(config.games_per_worker),
            ready: VecDeque::with_capacity(config.games_per_worker),
            free: Vec::new(),
            waiting: Vec::with_capacity(config.games_per_worker),
            keys: Vec::with_capacity(config.batch_size),
            rows: HashMap::with_capacity(config.batch_size),
            counters: Counters::default(),
            cycle: 0,
            game,
            config,
            search,
            starts,
            seed,
            ids,
        })
    }

    /// Plays. `proceed` is asked before every batch; finished games go to `sink` as they finish.
    /// Games in hand stay in hand when it returns.
    ///
    /// # Errors
    /// What the evaluator says; an answer that is not finite is named with its game and step. The games are
    /// unharmed: their searches begin anew.
    pub fn run(
        &mut self,
        evaluator: &mut dyn Evaluator,
        mut proceed: impl FnMut(&Counters) -> Proceed,
        mut sink: impl FnMut(GameRecord),
    ) -> Result<Ended, EvaluatorError> {
        let mut since = Instant::now();
        loop {
            let what = proceed(&self.counters);
            let ended = match what {
                Proceed::Stop => Some(Ended::Stopped),
                Proceed::FinishGames if self.ready.is_empty() => Some(Ended::NoGamesLeft),
                Proceed::FinishGames => None,
                Proceed::Play => {
                    self.fill_up();
                    None
                }
            };
            if let Some(ended) = ended {
                self.counters.total_time += since.elapsed();
                return Ok(ended);
            }
            self.gather(what == Proceed::Play, &mut sink);
            let answered = self.evaluate(evaluator);
            let now = Instant::now();
            self.counters.total_time += now - since;
            since = now;
            if let Err(error) = answered {
                let error = self.locate(error);
                self.abandon_batch();
                return Err(error);
            }
            self.apply();
        }
    }

    /// Tells the worker that its evaluator has changed: cached answers are forgotten and the search
    /// of every game in hand begins anew, so that no tree mixes two networks and that games saved
    /// now ([`Worker::unfinished`]) go on exactly like these.
    pub fn publish(&mut self) {
        self.cache.clear();
        self.restart_searches();
    }

    /// Begins the searches of all games in hand anew, keeping the cache.
    pub fn restart_searches(&mut self) {
        for &place in &self.ready {
            self.games[place].restart_search(&self.game, &self.config, self.seed);
        }
    }

    /// The number that records carry as the cycle in which their game ended.
    pub fn set_cycle(&mut self, cycle: u64) {
        self.cycle = cycle;
    }

    /// The games in hand, for saving; restored in this order they meet the same batches. A restored
    /// game goes on exactly like the saved one if [`Worker::publish`] is called before or after
    /// saving, without a run in between.
    pub fn unfinished(&self) -> Vec<UnfinishedGame> {
        self.ready.iter().map(|&place| self.games[place].unfinished().clone()).collect()
    }

    /// Takes saved games in hand, after those that it has. More than `games_per_worker` are fine.
    ///
    /// # Errors
    /// A game that its rules do not confirm; none is taken then.
    pub fn restore(&mut self, unfinished: Vec<UnfinishedGame>) -> Result<(), Fault> {
        let restored: Result<Vec<_>, _> = unfinished
            .into_iter()
            .map(|saved| LiveGame::restore(&self.game, &self.config, &self.search, self.seed, saved))
            .collect();
        for live in restored? {
            let place = self.games.len();
            self.games.push(live);
            self.ready.push_back(place);
        }
        Ok(())
    }

    /// Number of games in hand.
    pub fn games_in_hand(&self) -> usize {
        self.ready.len()
    }

    /// Its evaluation cache.
    pub fn cache(&self) -> &EvaluationCache {
        &self.cache
    }

    /// What it has done since it was made.
    pub fn counters(&self) -> &Counters {
        &self.counters
    }

    /// Bytes of all games in hand (trees and records so far), for memory figures.
    pub fn game_bytes(&self) -> usize {
        self.games.iter().map(LiveGame::bytes).sum()
    }

    /// Bytes of the evaluation cache.
    pub fn cache_bytes(&self) -> usize {
        self.cache.bytes()
    }

    /// The game.
    pub fn game(&self) -> &G {
        &self.game
    }

    /// Begins games until the configured number is in hand.
    fn fill_up(&mut self) {
        while self.ready.len() < self.config.games_per_worker {
            let place = match self.free.pop() {
                Some(place) => {
                    self.begin_again(place);
                    place
                }
                None => {
                    let id = self.ids.fetch_add(1, Ordering::Relaxed);
                    self.games.push(LiveGame::start(
                        &self.game,
                        &self.config,
                        &self.search,
                        &self.starts,
                        (self.seed, id),
                        &mut self.counters,
                    ));
                    self.games.len() - 1
                }
            };
            self.ready.push_back(place);
        }
    }

    fn begin_again(&mut self, place: usize) {
        let id = self.ids.fetch_add(1, Ordering::Relaxed);
        self.games[place].begin(&self.game, &self.config, &self.starts, (self.seed, id), &mut self.counters);
    }

    /// Walks games in turn until the batch is full or every game waits for a row of it; also until
    /// many games have finished, since with everything in the cache no batch would ever fill and
    /// nobody would be asked how to proceed.
    fn gather(&mut self, go_on: bool, sink: &mut impl FnMut(GameRecord)) {
        let mut finished = 0;
        while self.batch.len() < self.config.batch_size && finished < self.config.games_per_worker {
            let Some(place) = self.ready.pop_front() else { break };
            match self.walk(place) {
                Walked::Waits(row) => self.waiting.push(Waiting { game: place, row }),
                Walked::Finished(record) => {
                    sink(record);
                    finished += 1;
                    self.counters.games += 1;
                    let in_hand = self.ready.len() + self.waiting.len();
                    if go_on && in_hand < self.config.games_per_worker {
                        self.begin_again(place);
                        self.ready.push_front(place);
                    } else {
                        self.free.push(place);
                    }
                }
            }
        }
    }

    /// Plays a game on until it waits for a row of the batch or finishes.
    fn walk(&mut self, place: usize) -> Walked {
        let live = &mut self.games[place];
        loop {
            match live.search().gather(&self.game) {
                Gathered::Leaf => {
                    let (position, steps) = live.search().leaf();
                    let key = self.game.evaluation_key(position);
                    if let Some(&row) = self.rows.get(&key)
                        && self.batch.step_range(row).len() == steps.len()
                    {
                        self.counters.shared += 1;
                        return Walked::Waits(row);
                    }
                    let Some((logits, judgement)) = self.cache.get(key, steps.len()) else {
                        let row = self.batch.push(&self.game, position, steps);
                        self.keys.push(key);
                        self.rows.insert(key, row);
                        return Walked::Waits(row);
                    };
                    self.counters.cache_hits += 1;
                    live.search().apply(logits, judgement.wdl, judgement.margin);
                }
                Gathered::Finished => {
                    let (outcome, simulations) = live.play_choice(&self.game, &self.config, self.seed);
                    self.counters.simulations += u64::from(simulations);
                    self.counters.steps += 1;
                    if let Some(outcome) = outcome {
                        live.count_resignation(&outcome, &mut self.counters);
                        return Walked::Finished(live.finish(&self.game, outcome, self.cycle));
                    }
                }
            }
        }
    }

    fn evaluate(&mut self, evaluator: &mut dyn Evaluator) -> Result<(), EvaluatorError> {
        if self.batch.is_empty() {
            return Ok(());
        }
        self.counters.evaluations += self.batch.len() as u64;
        self.counters.batches += 1;
        self.counters.room += self.config.batch_size as u64;
        let start = Instant::now();
        let answered = evaluator.evaluate(&mut self.batch);
        self.counters.evaluator_time += start.elapsed();
        answered
    }

    /// Hands the answers of the batch to the games that wait for them.
    fn apply(&mut self) {
        for (row, &key) in self.keys.iter().enumerate() {
            let (logits, judgement) = self.batch.answer(row);
            self.cache.insert(key, logits, judgement);
        }
        for Waiting { game, row } in self.waiting.drain(..) {
            let (logits, judgement) = self.batch.answer(row);
            self.games[game].search().apply(logits, judgement.wdl, judgement.margin);
            self.ready.push_back(game);
        }
        self.clear_batch();
    }

    /// Says of a bad row which game asked for it.
    fn locate(&self, error: EvaluatorError) -> EvaluatorError {
        let EvaluatorError::NotFinite { row } = error else { return error };
        let Some(waiting) = self.waiting.iter().find(|waiting| waiting.row == row) else { return error };
        let unfinished = self.games[waiting.game].unfinished();
        EvaluatorError::NotFiniteAt { game: unfinished.id, step: unfinished.steps.len() as u64 + 1 }
    }

    /// After a failure: no game waits any longer, and none keeps half a search.
    fn abandon_batch(&mut self) {
        self.ready.extend(self.waiting.drain(..).map(|waiting| waiting.game));
        self.clear_batch();
        self.restart_searches();
    }

    fn clear_batch(&mut self) {
        self.keys.clear();
        self.rows.clear();
        self.batch.clear();
    }
}
