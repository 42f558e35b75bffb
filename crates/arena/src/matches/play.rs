//! Playing all pairs of a match on a few threads.

use super::contestant::Contestant;
use super::live::{LiveGame, Waiting};
use super::openings::{Opening, Starts};
use super::plan::{MatchError, MatchPlan, Stop, Watch};
use super::seat::{Seat, Side};
use super::tally::Tally;
use game::BoardGame;
use pairs::{Pair, PlayedGame};
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Plays what is missing of a match and returns all its finished pairs in order, those that were played
/// `earlier` included; fewer than planned when `watch` stopped it.
///
/// The chance in a game comes from streams of its own, named by seed, pair and colour. So without
/// networks the result depends on the seed alone, on no number of threads and on no interruption. With
/// networks the threads share the pairs out in a fixed way, but other numbers of threads or games at once
/// make other batches, and the last bits of a network's answers may depend on the batch; now and then
/// that changes a step. Where time counts nothing repeats.
///
/// Each checkpoint has a batch on each thread, filled by all of the thread's games that wait for it. One
/// side is served until hardly any game waits for it, then the other: games then come to wait for the
/// same side together, and batches become nearly as large as there are games. Where time counts or an engine plays, a thread plays one game at
/// a time, so that no game waits for another.
pub fn run<G: BoardGame>(
    game: &G,
    contestants: &[Contestant; 2],
    starts: &Starts<G>,
    plan: &MatchPlan,
    earlier: Vec<Pair>,
    watch: &dyn Watch,
) -> Result<Vec<Pair>, MatchError> {
    let played: HashSet<u64> = earlier.iter().map(|pair| pair.pair).collect();
    let missing: Vec<u64> =
        starts.numbers(plan.pairs).into_iter().filter(|pair| !played.contains(pair)).collect();
    let threads = plan.threads.clamp(1, missing.len().max(1));
    let board = Board {
        finished: Mutex::new((Tally::of(&earlier), earlier)),
        failed: AtomicBool::new(false),
        next: AtomicUsize::new(0),
    };
    if !missing.is_empty() {
        std::thread::scope(|scope| {
            let workers: Vec<_> = (0..threads)
                .map(|thread| {
                    let (missing, board) = (missing.as_slice(), &board);
                    let worker =
                        Worker { game, contestants, starts, plan, watch, missing, board, thread, threads };
                    scope.spawn(move || worker.run())
                })
                .collect();
            let mut result = Ok(());
            for worker in workers {
                match worker.join() {
                    Ok(outcome) => result = result.and(outcome),
                    Err(panic) => std::panic::resume_unwind(panic),
                }
            }
            result
        })?;
    }
    let mut pairs = std::mem::take(&mut board.lock().1);
    pairs.sort_by_key(|pair| pair.pair);
    Ok(pairs)
}

/// A side is served as long as more than one in so many games waits for it. Fewer would be served in tiny
/// batches; more would leave the games of a thread split between the sides, each with half a batch.
const HARDLY_ANY: usize = 16;

/// What the workers share.
struct Board {
    finished: Mutex<(Tally, Vec<Pair>)>,
    failed: AtomicBool,
    next: AtomicUsize,
}

impl Board {
    /// A worker that panicked while it held the lock ends the match anyway.
    fn lock(&self) -> MutexGuard<'_, (Tally, Vec<Pair>)> {
        self.finished.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Worker<'a, G: BoardGame> {
    game: &'a G,
    contestants: &'a [Contestant; 2],
    starts: &'a Starts<G>,
    plan: &'a MatchPlan,
    watch: &'a dyn Watch,
    /// Numbers of the pairs to be played.
    missing: &'a [u64],
    board: &'a Board,
    thread: usize,
    threads: usize,
}

/// The games that a worker has yet to begin.
struct Supply<G: BoardGame> {
    /// Pairs are dealt out, so that batches repeat; else a thread takes the next one, so that none waits
    /// for another.
    dealt: bool,
    /// Pairs of its own that it has taken.
    taken: usize,
    /// Games of pairs that have been taken.
    games: VecDeque<(Opening<G>, u64, usize)>,
}

impl<G: BoardGame> Worker<'_, G> {
    fn run(&self) -> Result<(), MatchError> {
        let result = self.play();
        if result.is_err() {
            self.board.failed.store(true, Ordering::Relaxed);
        }
        result
    }

    fn play(&self) -> Result<(), MatchError> {
        let [a, b] = self.contestants;
        let mut seats = [self.seat(0, a)?, self.seat(1, b)?];
        let networks = seats.iter().any(|seat| matches!(seat, Seat::Network { .. }));
        let alone = a.plays_alone() || b.plays_alone();
        let at_once = match (alone, networks) {
            (true, _) => 1,
            (false, true) => self.plan.games_at_once.max(2),
            (false, false) => 2,
        };
        let mut supply = Supply { dealt: networks && !alone, taken: 0, games: VecDeque::new() };
        let mut live: Vec<LiveGame<G>> = Vec::new();
        let mut halves: HashMap<u64, [Option<PlayedGame>; 2]> = HashMap::new();
        let stopped = || self.stop() == Stop::Now;
        let mut served = 0;
        loop {
            while let Some((opening, pair, number)) =
                self.next_game(&mut supply, &mut halves, live.len(), at_once)?
            {
                live.push(LiveGame::new(self.game, &mut seats, &opening, self.plan.seed, pair, number));
            }
            if live.is_empty() {
                return Ok(());
            }
            let mut index = 0;
            while index < live.len() {
                if live[index].waits_for().is_some() {
                    index += 1;
                    continue;
                }
                match live[index].advance(self.game, &mut seats, &stopped)? {
                    Waiting::Judgement => index += 1,
                    Waiting::Stopped => return Ok(()),
                    Waiting::Nothing(outcome) => {
                        // Order matters to batches: removal keeps it.
                        let ended = live.remove(index);
                        self.finish(ended, outcome, &mut halves);
                    }
                }
            }
            served = self.judge_batch(served, &mut seats, &mut live)?;
        }
    }

    fn seat(&self, side: Side, contestant: &Contestant) -> Result<Seat<G>, MatchError> {
        Seat::new(self.game, side, contestant, self.plan.games_at_once)
    }

    /// Judges a batch of the side that is served and hands out its answers; returns that side, which is
    /// the other one where hardly any game waits for the one that was `served`.
    fn judge_batch(
        &self,
        served: Side,
        seats: &mut [Seat<G>; 2],
        live: &mut [LiveGame<G>],
    ) -> Result<Side, MatchError> {
        let rows = |side: Side| match &seats[side] {
            Seat::Network { batch, .. } => batch.len(),
            _ => 0,
        };
        let other = 1 - served;
        let hardly_any = rows(served) * HARDLY_ANY <= live.len();
        let side = if hardly_any && rows(other) > 0 { other } else { served };
        let Seat::Network { evaluator, batch, .. } = &mut seats[side] else { return Ok(side) };
        if batch.is_empty() {
            return Ok(side);
        }
        evaluator.evaluate(batch)?;
        self.watch.batch_judged(side, batch.len());
        for live in live.iter_mut().filter(|live| live.waits_for() == Some(side)) {
            live.answer(seats);
        }
        if let Seat::Network { batch, .. } = &mut seats[side] {
            batch.clear();
        }
        Ok(side)
    }

    /// The next game to begin beside so many others, if there is room and one is left.
    fn next_game(
        &self,
        supply: &mut Supply<G>,
        halves: &mut HashMap<u64, [Option<PlayedGame>; 2]>,
        live: usize,
        at_once: usize,
    ) -> Result<Option<(Opening<G>, u64, usize)>, MatchError> {
        if live >= at_once {
            return Ok(None);
        }
        if let Some(game) = supply.games.pop_front() {
            return Ok(Some(game));
        }
        // A pair is begun where there is room for both of its games, or where they are played in turn.
        if live + 2 > at_once.max(2) || self.stop() != Stop::GoOn {
            return Ok(None);
        }
        let index = if supply.dealt {
            self.thread + supply.taken * self.threads
        } else {
            self.board.next.fetch_add(1, Ordering::Relaxed)
        };
        let Some(&pair) = self.missing.get(index) else { return Ok(None) };
        supply.taken += 1;
        let openings = self.starts.openings(self.game, self.plan.seed, pair, self.plan.opening_turns)?;
        for (number, opening) in openings.into_iter().enumerate() {
            match opening {
                Some(opening) => supply.games.push_back((opening, pair, number)),
                None => halves.entry(pair).or_default()[number] = Some(PlayedGame::void(number)),
            }
        }
        Ok(supply.games.pop_front())
    }

    fn finish(
        &self,
        live: LiveGame<G>,
        outcome: game::Outcome,
        halves: &mut HashMap<u64, [Option<PlayedGame>; 2]>,
    ) {
        let (pair, number) = (live.pair, live.number);
        let games = halves.entry(pair).or_default();
        games[number] = Some(live.finish(self.game, outcome));
        if let [Some(_), Some(_)] = games
            && let Some([Some(first), Some(second)]) = halves.remove(&pair)
        {
            let pair = Pair { pair, games: [first, second] };
            let mut finished = self.board.lock();
            finished.0.add(&pair);
            self.watch.pair_finished(&pair, &finished.0);
            finished.1.push(pair);
        }
    }

    fn stop(&self) -> Stop {
        if self.board.failed.load(Ordering::Relaxed) { Stop::Now } else { self.watch.stop() }
    }
}
