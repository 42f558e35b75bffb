//! One search after another, a few positions of its tree judged together.

use super::{OtherShapes, Stopwatch};
use game::BoardGame;
use pairs::Clock;
use search::{Effort, Exploration, Search};
use selfplay::{Batch, Evaluator, EvaluatorError};
use std::time::Duration;

/// How long a step is searched.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ThinkingLimit {
    /// So many simulations, as in a match.
    Simulations(u32),
    /// So much time; the position itself and one step are judged in any case.
    Time {
        /// How much.
        time: Duration,
        /// By which clock.
        clock: Clock,
    },
    /// Until the principal line is so many turns long, after `most` simulations in any case.
    Depth {
        /// Turns.
        turns: u32,
        /// Simulations.
        most: u32,
    },
    /// Until it is stopped, or the tree is as large as it may be.
    Endless,
    /// A later step of a turn whose first step was searched: nothing but a few simulations where the
    /// kept tree hardly knows the position.
    LaterStep,
}

/// What a search took.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Spent {
    /// Simulations.
    pub simulations: u32,
    /// Time by the clock that limits it, else by the clock on the wall.
    pub time: Duration,
}

/// Simulations of a search before anything is known of the speed, or before it is first asked how deep
/// it is; then twice as many each time.
const FIRST: u32 = 16;

/// Most simulations of one search, so that its tree stays within some gigabytes.
const MOST: u32 = 2_000_000;

/// Simulations that a later step of a turn should have behind it.
const LATER: u32 = 16;

/// A network on the thread that searches, with room for a few positions.
pub struct Judge {
    evaluator: Box<dyn Evaluator>,
    batch: Batch,
    /// Most positions of a tree that are judged together.
    leaves: usize,
    /// Simulations a second of the searches so far that time limited.
    speed: Option<f64>,
}

impl Judge {
    /// A judge for a game that takes up to `leaves` positions of its tree at a time.
    ///
    /// # Errors
    /// A network for something else.
    pub fn new<G: BoardGame>(
        game: &G,
        evaluator: Box<dyn Evaluator>,
        leaves: usize,
    ) -> Result<Judge, OtherShapes> {
        if evaluator.plane_shape() != game.plane_shape() || evaluator.policy_shape() != game.policy_shape() {
            return Err(OtherShapes);
        }
        let leaves = leaves.max(1);
        Ok(Judge { evaluator, batch: Batch::for_game(game, leaves), leaves, speed: None })
    }

    /// Searches the root of `search`, which must not have ended, without noise. `stop` is asked before
    /// every judgement but the first two, `watch` looks on. [`Search::choose`] knows the step afterwards, also of a search
    /// that was stopped.
    ///
    /// # Errors
    /// A network that fails.
    pub fn search<G: BoardGame>(
        &mut self,
        game: &G,
        search: &mut Search<G>,
        limit: ThinkingLimit,
        stop: &dyn Fn() -> bool,
        watch: &mut dyn FnMut(&Search<G>, Spent),
    ) -> Result<Spent, EvaluatorError> {
        match limit {
            ThinkingLimit::Simulations(simulations) => {
                let watch_begin = Stopwatch::start(Clock::Wall);
                self.plan(game, search, simulations, stop, &mut |search, simulations| {
                    watch(search, Spent { simulations, time: watch_begin.elapsed() });
                })
                .map(|simulations| Spent { simulations, time: watch_begin.elapsed() })
            }
            ThinkingLimit::LaterStep => {
                let share = search.config().later_steps.max(f32::EPSILON);
                let simulations = (LATER as f32 / share).ceil() as u32;
                self.search(game, search, ThinkingLimit::Simulations(simulations), stop, watch)
            }
            ThinkingLimit::Time { time, clock } => self.timed(game, search, time, clock, stop, watch),
            ThinkingLimit::Depth { turns, most } => {
                let deep = |search: &Search<G>| line_turns(game, search) >= turns;
                self.growing(game, search, most.min(MOST), &deep, stop, watch)
            }
            ThinkingLimit::Endless => self.growing(game, search, MOST, &|_| false, stop, watch),
        }
    }

    /// Searches with time: each round is as many simulations as fit into what is left, by the speed so
    /// far, so that most of the time goes into one round of sequential halving.
    fn timed<G: BoardGame>(
        &mut self,
        game: &G,
        search: &mut Search<G>,
        time: Duration,
        clock: Clock,
        stop: &dyn Fn() -> bool,
        watch: &mut dyn FnMut(&Search<G>, Spent),
    ) -> Result<Spent, EvaluatorError> {
        let begin = Stopwatch::start(clock);
        let over = || stop() || begin.elapsed() >= time;
        let mut done = 0;
        loop {
            let left = time.saturating_sub(begin.elapsed()).as_secs_f64();
            let fitting = self.speed.map_or(f64::from(FIRST), |speed| speed * left);
            let planned = (fitting as u32).clamp(1, MOST - done.min(MOST - 1));
            let before = done;
            done += self.plan(game, search, planned, &over, &mut |search, simulations| {
                watch(search, Spent { simulations: before + simulations, time: begin.elapsed() });
            })?;
            let spent = Spent { simulations: done, time: begin.elapsed() };
            if done > 0 {
                self.speed = Some(f64::from(done) / spent.time.as_secs_f64().max(1e-6));
            }
            // A search that did less than it was asked for has nothing more to find out.
            let finished = done - before < planned || done >= MOST;
            let next = 1.0 / self.speed.unwrap_or(f64::INFINITY).max(1e-9);
            if finished || over() || spent.time.as_secs_f64() + next > time.as_secs_f64() {
                return Ok(spent);
            }
        }
    }

    /// Searches in rounds, each twice as long as the one before, until `enough`.
    fn growing<G: BoardGame>(
        &mut self,
        game: &G,
        search: &mut Search<G>,
        most: u32,
        enough: &dyn Fn(&Search<G>) -> bool,
        stop: &dyn Fn() -> bool,
        watch: &mut dyn FnMut(&Search<G>, Spent),
    ) -> Result<Spent, EvaluatorError> {
        let begin = Stopwatch::start(Clock::Wall);
        let (mut done, mut planned) = (0, FIRST.min(most.max(1)));
        loop {
            let before = done;
            done += self.plan(game, search, planned, stop, &mut |search, simulations| {
                watch(search, Spent { simulations: before + simulations, time: begin.elapsed() });
            })?;
            let finished = done - before < planned || done >= most;
            if finished || stop() || enough(search) {
                return Ok(Spent { simulations: done, time: begin.elapsed() });
            }
            planned = done.min(most - done);
        }
    }

    /// One planned search; how many of its simulations were done.
    fn plan<G: BoardGame>(
        &mut self,
        game: &G,
        search: &mut Search<G>,
        simulations: u32,
        stop: &dyn Fn() -> bool,
        watch: &mut dyn FnMut(&Search<G>, u32),
    ) -> Result<u32, EvaluatorError> {
        search.plan(game, Effort { simulations, exploration: Exploration::None });
        let mut asked = 0;
        loop {
            // A root that has been judged and searched once has a step to choose.
            if asked >= 2 && stop() {
                break;
            }
            let batch = &mut self.batch;
            batch.clear();
            let leaves = search.gather_batch(game, self.leaves, |position, steps| {
                batch.push(game, position, steps);
            });
            if leaves == 0 {
                break;
            }
            self.evaluator.evaluate(batch)?;
            for row in 0..leaves {
                let (logits, judgement) = batch.answer(row);
                search.apply(logits, judgement.wdl, judgement.margin);
            }
            asked += leaves as u32;
            watch(search, asked);
        }
        Ok(search.report().simulations)
    }
}

/// Turns of the principal line.
fn line_turns<G: BoardGame>(game: &G, search: &Search<G>) -> u32 {
    let report = search.report();
    let best = report.steps.iter().max_by_key(|step| step.visits).map(|step| step.step);
    let mut here = *report.position;
    let mut turns = 0;
    for step in best.map(|best| search.line(best)).unwrap_or_default() {
        game.play(&mut here, step);
        turns += u32::from(!game.mid_turn(&here));
    }
    turns
}
