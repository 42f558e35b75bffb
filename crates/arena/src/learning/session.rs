//! What works behind [`LearningSession`].

use super::taught::TaughtGames;
use super::{
    KeptGames, LearningError, LearningSession, LearningSettings, PlayEnd, PlayReport, PlayWatch, Teacher,
    WindowFill,
};
use game::record::GameRecord;
use game::{BoardGame, Fault};
use rand_chacha::ChaCha8Rng;
use selfplay::{
    Counters, Evaluator, EvaluatorError, GameStatistics, GameStore, Identity, Proceed, Retention, Retired,
    SelfPlayConfig, TargetConfig, TrainBatch, UnfinishedGame, Window, WindowSize, Worker, searched_steps,
};
use std::collections::HashSet;
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::mpsc::{self, Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

/// How often the watch is asked.
const WATCH_INTERVAL: Duration = Duration::from_millis(100);
/// No number of a game comes near this; what says so was not written by self-play.
const MOST_GAMES: u64 = 1 << 47;
/// Bytes after which a shard is closed even within a cycle.
const SHARD_BYTES: u64 = 64 << 20;

/// Workers, shards and window of one game.
pub struct Session<G: BoardGame> {
    game: G,
    workers: Vec<Worker<G>>,
    /// Next game number.
    ids: Arc<AtomicU64>,
    store: GameStore,
    window: Window<G>,
    targets: TargetConfig,
    selfplay: SelfPlayConfig,
    seed: u64,
    cycle: u64,
    /// Games of the cycle under way, and their samples.
    statistics: GameStatistics,
    positions: u64,
    /// Numbers of the games of the cycle under way that were in the shards already.
    finished: HashSet<u64>,
    notes: Vec<String>,
}

/// What the workers of one call share.
struct Board {
    /// Samples that the cycle has.
    positions: AtomicU64,
    /// Samples that it is to have.
    wanted: u64,
    stop: AtomicBool,
}

impl Board {
    fn proceed(&self) -> Proceed {
        if self.complete() || self.stop.load(Ordering::Relaxed) { Proceed::Stop } else { Proceed::Play }
    }

    fn complete(&self) -> bool {
        self.positions.load(Ordering::Relaxed) >= self.wanted
    }
}

impl<G: BoardGame> Session<G> {
    /// Begins a session: reads what an earlier start left and makes the workers.
    ///
    /// # Errors
    /// Wrong settings, or shards that cannot be read.
    pub fn new(game: G, settings: &LearningSettings) -> Result<Session<G>, LearningError> {
        let identity =
            Identity::of(&game, &settings.run).map_err(|error| LearningError::Rules(error.to_string()))?;
        let (mut store, recovered) = GameStore::open(&settings.games, identity, SHARD_BYTES)?;
        let mut notes: Vec<String> = recovered.iter().map(ToString::to_string).collect();
        if let KeptGames::Through(cycle) = settings.kept {
            let dropped = store.drop_after(cycle)?;
            if dropped > 0 {
                notes.push(format!("{dropped} games of a cycle that was cut off are played again"));
            }
        }
        let mut session = Session {
            window: Window::new(game.clone(), settings.window).with_auxiliary(&settings.auxiliary),
            targets: settings.targets,
            selfplay: settings.selfplay.clone(),
            seed: settings.seed,
            ids: Arc::default(),
            workers: Vec::new(),
            cycle: settings.cycle,
            statistics: GameStatistics::new(),
            positions: 0,
            finished: HashSet::new(),
            game,
            store,
            notes,
        };
        let next = session.read_games(settings.window)?;
        session.ids.store(next, Ordering::Relaxed);
        for _ in 0..settings.workers.max(1) {
            let ids = Arc::clone(&session.ids);
            let (selfplay, search) = (settings.selfplay.clone(), settings.search.clone());
            session.workers.push(Worker::new(session.game.clone(), selfplay, search, settings.seed, ids)?);
        }
        Ok(session)
    }

    /// Fills the window from the shards, counts the games of the cycle under way, and returns the first
    /// free game number.
    fn read_games(&mut self, size: WindowSize) -> Result<u64, LearningError> {
        let totals = self.store.totals()?;
        let made = totals.samples + totals.retired_samples;
        let loaded = self.store.newest(size.samples(made))?;
        self.notes.extend(loaded.faults.iter().map(ToString::to_string));
        self.window.resume(made, &loaded.games);
        let mut next = 0;
        for (index, record) in loaded.games.iter().enumerate() {
            let taken = self.take_up(record);
            next = next.max(taken.map_err(|fault| LearningError::Replayed {
                shard: loaded.shard_of(index).unwrap_or(Path::new("")).to_owned(),
                fault,
            })?);
        }
        Ok(next)
    }

    /// Takes a game of an earlier start into the window and, if it belongs to it, into the cycle under way;
    /// returns the number after its own.
    fn take_up(&mut self, record: &GameRecord) -> Result<u64, Fault> {
        if record.id > MOST_GAMES {
            return Err(Fault::new(format!("game {}", record.id), "no run has that many games".to_owned()));
        }
        if record.cycle == self.cycle {
            self.count(record)?;
            self.finished.insert(record.id);
        }
        self.window.insert(record)?;
        Ok(record.id + 1)
    }

    /// Counts a game of the cycle under way.
    fn count(&mut self, record: &GameRecord) -> Result<(), Fault> {
        self.statistics.add(&self.game, record)?;
        self.positions += searched_steps(record) as u64;
        Ok(())
    }

    /// Keeps a finished game on the disk and in the window.
    fn keep(&mut self, record: &GameRecord) -> Result<(), LearningError> {
        self.count(record).map_err(LearningError::Record)?;
        self.store.append(std::slice::from_ref(record))?;
        self.window.insert(record).map_err(LearningError::Record)?;
        Ok(())
    }

    /// Takes finished games until all workers are done.
    fn collect(
        &mut self,
        finished: &Receiver<GameRecord>,
        board: &Board,
        watch: &mut dyn PlayWatch,
    ) -> Result<(), LearningError> {
        let mut asked = Instant::now();
        loop {
            match finished.recv_timeout(WATCH_INTERVAL) {
                Ok(record) => self.keep(&record)?,
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => return Ok(()),
            }
            if asked.elapsed() >= WATCH_INTERVAL {
                asked = Instant::now();
                watch.progress(self.positions, self.statistics.games());
                if watch.stop() {
                    board.stop.store(true, Ordering::Relaxed);
                }
            }
        }
    }

    /// Plays until the cycle has its samples: each of `players` on a thread of its own, finished games being kept as
    /// they come.
    fn play_with<P>(
        &mut self,
        players: Vec<P>,
        positions: u64,
        watch: &mut dyn PlayWatch,
    ) -> Result<PlayReport, LearningError>
    where
        P: FnOnce(&Board, &mut dyn FnMut(GameRecord)) -> Result<Counters, EvaluatorError> + Send,
    {
        let begin = Instant::now();
        let board = Board {
            positions: AtomicU64::new(self.positions),
            wanted: positions,
            stop: AtomicBool::new(false),
        };
        let played = self.play_on_threads(players, &board, watch);
        // Also after a failure: what was played is kept.
        let closed = self.store.close_shard();
        let counters = played?;
        closed?;
        Ok(PlayReport {
            end: if board.complete() { PlayEnd::Complete } else { PlayEnd::Stopped },
            games: self.statistics.summary(),
            counters,
            seconds: begin.elapsed().as_secs_f64(),
        })
    }

    fn play_on_threads<P>(
        &mut self,
        players: Vec<P>,
        board: &Board,
        watch: &mut dyn PlayWatch,
    ) -> Result<Counters, LearningError>
    where
        P: FnOnce(&Board, &mut dyn FnMut(GameRecord)) -> Result<Counters, EvaluatorError> + Send,
    {
        std::thread::scope(|scope| {
            let (sender, finished) = mpsc::channel();
            let begin = |player: P| {
                let sender = sender.clone();
                scope.spawn(move || {
                    // A player counts its samples itself, so that one alone stops at the same game every time.
                    let mut sink = |record: GameRecord| {
                        board.positions.fetch_add(searched_steps(&record) as u64, Ordering::Relaxed);
                        // The receiver outlives the players.
                        let _ = sender.send(record);
                    };
                    let played = player(board, &mut sink);
                    if played.is_err() {
                        board.stop.store(true, Ordering::Relaxed);
                    }
                    played
                })
            };
            let threads: Vec<_> = players.into_iter().map(begin).collect();
            drop(sender);
            let mut result = self.collect(&finished, board, watch);
            board.stop.store(true, Ordering::Relaxed);
            let mut counters = Counters::default();
            for thread in threads {
                let played = match thread.join() {
                    Ok(played) => played.map_err(LearningError::from),
                    Err(_) => Err(LearningError::Panicked),
                };
                result = result.and(played.map(|played| counters += played));
            }
            result.map(|()| counters)
        })
    }
}

/// A worker with its evaluator, as [`Session::play_with`] takes it.
fn player<G: BoardGame>(
    worker: &mut Worker<G>,
    mut evaluator: Box<dyn Evaluator>,
) -> impl FnOnce(&Board, &mut dyn FnMut(GameRecord)) -> Result<Counters, EvaluatorError> + Send {
    move |board, sink| {
        let before = *worker.counters();
        worker.run(evaluator.as_mut(), |_| board.proceed(), sink)?;
        Ok(*worker.counters() - before)
    }
}

impl<G: BoardGame> LearningSession for Session<G> {
    fn workers(&self) -> usize {
        self.workers.len()
    }

    fn notes(&self) -> &[String] {
        &self.notes
    }

    fn begin_cycle(&mut self, cycle: u64) {
        if cycle != self.cycle {
            self.statistics = GameStatistics::new();
            self.positions = 0;
            self.finished.clear();
        }
        self.cycle = cycle;
        for worker in &mut self.workers {
            worker.set_cycle(cycle);
            worker.publish();
        }
    }

    fn play(
        &mut self,
        evaluators: Vec<Box<dyn Evaluator>>,
        positions: u64,
        watch: &mut dyn PlayWatch,
    ) -> Result<PlayReport, LearningError> {
        let mut workers = std::mem::take(&mut self.workers);
        let players =
            workers.iter_mut().zip(evaluators).map(|(worker, evaluator)| player(worker, evaluator)).collect();
        let report = self.play_with(players, positions, watch);
        self.workers = workers;
        report
    }

    fn play_taught(
        &mut self,
        teacher: Teacher,
        positions: u64,
        watch: &mut dyn PlayWatch,
    ) -> Result<PlayReport, LearningError> {
        let (game, selfplay, seed) = (self.game.clone(), self.selfplay.clone(), self.seed);
        let (ids, cycle) = (Arc::clone(&self.ids), self.cycle);
        let mut players = Vec::new();
        for _ in 0..self.workers.len() {
            let mut games = TaughtGames::new(&game, &selfplay, seed, teacher)?;
            let ids = &ids;
            players.push(move |board: &Board, sink: &mut dyn FnMut(GameRecord)| {
                let mut counters = Counters::default();
                while board.proceed() == Proceed::Play {
                    let id = ids.fetch_add(1, Ordering::Relaxed);
                    // A game in hand is played to its end when the cycle has its samples: to drop it would favour
                    // short games.
                    let stop = || board.stop.load(Ordering::Relaxed);
                    if let Some(record) = games.play(id, cycle, &mut counters, stop) {
                        sink(record);
                    }
                }
                Ok(counters)
            });
        }
        self.play_with(players, positions, watch)
    }

    fn window(&self) -> WindowFill {
        WindowFill {
            samples: self.window.len(),
            games: self.window.games() as u64,
            bytes: self.window.bytes() as u64,
        }
    }

    fn unused_cache_bytes(&self) -> u64 {
        self.workers.iter().map(|worker| worker.cache().unused_bytes() as u64).sum()
    }

    fn sample(
        &mut self,
        rows: usize,
        random: &mut ChaCha8Rng,
        batch: &mut TrainBatch,
    ) -> Result<(), LearningError> {
        if self.window.is_empty() {
            return Err(LearningError::EmptyWindow);
        }
        self.window.draw(&self.targets, rows, random, batch);
        Ok(())
    }

    fn retire(&mut self, retention: Retention) -> Result<Retired, LearningError> {
        let samples = self.window.len().max(self.window.capacity());
        Ok(self.store.retire(retention, samples, self.cycle)?)
    }

    fn unfinished(&self) -> Vec<Vec<UnfinishedGame>> {
        self.workers.iter().map(Worker::unfinished).collect()
    }

    fn restore(&mut self, games: Vec<Vec<UnfinishedGame>>) -> Result<(), LearningError> {
        let count = self.workers.len();
        let mut dealt: Vec<Vec<UnfinishedGame>> = vec![Vec::new(); count];
        let same = games.len() == count;
        let mut next = self.ids.load(Ordering::Relaxed);
        for (index, list) in games.into_iter().enumerate() {
            for game in list {
                if game.id > MOST_GAMES {
                    let place = format!("game {}", game.id);
                    return Err(LearningError::Saved(Fault::new(
                        place,
                        "no run has that many games".to_owned(),
                    )));
                }
                next = next.max(game.id + 1);
                if self.finished.contains(&game.id) {
                    continue;
                }
                let place = if same { index } else { game.id as usize % count };
                dealt[place].push(game);
            }
        }
        self.ids.store(next, Ordering::Relaxed);
        for (worker, games) in self.workers.iter_mut().zip(dealt) {
            worker.restore(games).map_err(LearningError::Saved)?;
        }
        Ok(())
    }
}
