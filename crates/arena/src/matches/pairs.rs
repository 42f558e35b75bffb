//! Playing all pairs of a match on a few threads.

use super::contestant::Contestant;
use super::live::{LiveGame, Seat, Waiting};
use super::openings::{Opening, Starts};
use super::plan::{MatchError, MatchPlan, Stop, Watch};
use super::tally::{MatchGame, PairResult, Tally};
use game::BoardGame;
use selfplay::Batch;
use std::collections::HashMap;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Plays a match and returns its finished pairs in order; fewer than planned when `watch` stopped it.
///
/// Every game draws from streams of its own, named by seed, pair, game and side. So without networks
/// the result depends on the seed alone, on no number of threads. With networks the threads share
/// the pairs out in a fixed way, but other numbers of threads or games at once make other batches,
/// and the last bits of a network's answers may depend on the batch; now and then that changes a step.
pub fn run<G: BoardGame>(
    game: &G,
    contestants: &[Contestant; 2],
    starts: &Starts<G>,
    plan: &MatchPlan,
    watch: &dyn Watch,
) -> Result<Vec<PairResult>, MatchError> {
    let threads = plan.threads.clamp(1, usize::try_from(plan.pairs).unwrap_or(usize::MAX).max(1));
    let board = Board { finished: Mutex::default(), failed: AtomicBool::new(false), next: AtomicU64::new(0) };
    std::thread::scope(|scope| {
        let workers: Vec<_> = (0..threads)
            .map(|thread| {
                let worker =
                    Worker { game, contestants, starts, plan, watch, board: &board, thread, threads };
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
    let mut pairs = std::mem::take(&mut board.lock().0);
    pairs.sort_by_key(|pair| pair.pair);
    Ok(pairs)
}

/// What the workers share.
struct Board {
    finished: Mutex<(Vec<PairResult>, Tally)>,
    failed: AtomicBool,
    next: AtomicU64,
}

impl Board {
    /// A worker that panicked while it held the lock ends the match anyway.
    fn lock(&self) -> MutexGuard<'_, (Vec<PairResult>, Tally)> {
        self.finished.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

struct Worker<'a, G: BoardGame> {
    game: &'a G,
    contestants: &'a [Contestant; 2],
    starts: &'a Starts<G>,
    plan: &'a MatchPlan,
    watch: &'a dyn Watch,
    board: &'a Board,
    thread: usize,
    threads: usize,
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
        let mut seats = [self.seat(0)?, self.seat(1)?];
        let networks = seats.iter().any(|seat| matches!(seat, Seat::Network { .. }));
        let at_once = if networks { self.plan.games_at_once.max(2) } else { 2 };
        let mut own_pairs = 0;
        let mut live: Vec<LiveGame<G>> = Vec::new();
        let mut halves: HashMap<u64, [Option<MatchGame>; 2]> = HashMap::new();
        let stopped = || self.stop() == Stop::Now;
        loop {
            while live.len() + 2 <= at_once && self.stop() == Stop::GoOn {
                let Some(pair) = self.next_pair(networks, &mut own_pairs) else { break };
                let opening =
                    self.starts.opening(self.game, self.plan.seed, pair, self.plan.opening_turns)?;
                live.extend((0..2).map(|number| self.begin(&seats, &opening, pair, number)));
            }
            if live.is_empty() {
                return Ok(());
            }
            let mut index = 0;
            while index < live.len() {
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
            for seat in &mut seats {
                if let Seat::Network { evaluator, batch, .. } = seat
                    && !batch.is_empty()
                {
                    evaluator.evaluate(batch)?;
                }
            }
            for live in &mut live {
                live.answer(&seats);
            }
            for seat in &mut seats {
                if let Seat::Network { batch, .. } = seat {
                    batch.clear();
                }
            }
        }
    }

    fn seat(&self, side: usize) -> Result<Seat<G>, MatchError> {
        match &self.contestants[side] {
            Contestant::BuiltIn(opponent) => Ok(Seat::BuiltIn(opponent.for_game(self.game))),
            Contestant::Network(player) => {
                let evaluator = (player.make_evaluator)()?;
                if evaluator.plane_shape() != self.game.plane_shape()
                    || evaluator.policy_shape() != self.game.policy_shape()
                {
                    return Err(MatchError::Shapes { side: ['A', 'B'][side] });
                }
                let batch = Box::new(Batch::for_game(self.game, self.plan.games_at_once));
                let (search, simulations) = (player.search.clone(), player.simulations);
                Ok(Seat::Network { evaluator, batch, search, simulations })
            }
        }
    }

    /// With networks the pairs are dealt out, so that batches repeat; without, a thread takes the next
    /// one, so that none waits for another.
    fn next_pair(&self, networks: bool, own_pairs: &mut u64) -> Option<u64> {
        let pair = if networks {
            let pair = self.thread as u64 + *own_pairs * self.threads as u64;
            *own_pairs += 1;
            pair
        } else {
            self.board.next.fetch_add(1, Ordering::Relaxed)
        };
        (pair < self.plan.pairs).then_some(pair)
    }

    fn begin(&self, seats: &[Seat<G>; 2], opening: &Opening<G>, pair: u64, number: usize) -> LiveGame<G> {
        LiveGame::new(self.game, seats, opening, self.plan.seed, pair, number)
    }

    fn finish(
        &self,
        live: LiveGame<G>,
        outcome: game::Outcome,
        halves: &mut HashMap<u64, [Option<MatchGame>; 2]>,
    ) {
        let (pair, number) = (live.pair, live.number);
        let games = halves.entry(pair).or_default();
        games[number] = Some(live.finish(self.game, outcome));
        if let [Some(_), Some(_)] = games
            && let Some([Some(first), Some(second)]) = halves.remove(&pair)
        {
            let result = PairResult { pair, games: [first, second] };
            let mut finished = self.board.lock();
            finished.1.add(&result);
            self.watch.pair_finished(&finished.1);
            finished.0.push(result);
        }
    }

    fn stop(&self) -> Stop {
        if self.board.failed.load(Ordering::Relaxed) { Stop::Now } else { self.watch.stop() }
    }
}
