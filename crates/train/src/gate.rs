//! The gate before self-play: a newly trained network takes over when a sequential test says that it is stronger.

use crate::config::{Gate, SequentialGate};
use crate::evaluation::{GAMES_AT_ONCE, network_player, shared};
use crate::interrupt::Interrupt;
use crate::learning_loop::LearningLoop;
use crate::metrics::GateMetrics;
use crate::progress::{Phase, Progress};
use anyhow::{Context, Result};
use arena::matches::{MatchPlan, MatchSession, Stop, Tally, Watch};
use game::random::{Purpose, stream};
use net::{Net, Plan, checkpoint};
use pairs::Pair;
use rand_chacha::rand_core::RngCore;
use search::SearchConfig;
use statistics::sequential::{OrderedTest, Overshoot, Verdict};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Numbers of the random stream beside the cycle: the ladder's matches have streams of one number.
const STREAM: u64 = 1;

impl LearningLoop<'_> {
    /// The network that plays where there is a gate, with its cycle; `None` without one.
    pub(crate) fn playing(&mut self) -> Result<Option<(u64, Net)>> {
        if self.config.cycle.gate == Gate::Open {
            return Ok(None);
        }
        let cycle = match self.state.playing {
            Some(cycle) => cycle,
            // The run begins, or was without a gate until now.
            None => self.directory.checkpoint_cycles()?.last().copied().unwrap_or(0),
        };
        self.state.playing = Some(cycle);
        let path = self.directory.checkpoint(cycle);
        let (net, _) = checkpoint::load_net(&path, Some(&self.expected))
            .context("the network that plays behind the gate (cycle.gate) cannot be read")?;
        Ok(Some((cycle, net)))
    }

    /// Plays the match at the gate, if one is due; `None` when an interrupt stopped it.
    pub(crate) fn gate(&mut self, cycle: u64) -> Result<Option<Option<GateMetrics>>> {
        let Gate::SequentialTest(config) = self.config.cycle.gate.clone() else { return Ok(Some(None)) };
        if !cycle.is_multiple_of(config.every_cycles) {
            return Ok(Some(None));
        }
        let Some((playing, net)) = self.playing()? else { return Ok(Some(None)) };
        let played = GateMatch {
            game: self.game,
            config: &config,
            search: &self.config.search,
            plan: &self.plan,
            seed: self.config.seed,
            cycle,
            threads: self.threads,
        }
        .play(self.trainer.play_net(), (playing, &net), &self.interrupt, &self.progress)?;
        Ok(played.map(Some))
    }
}

/// What a match at the gate needs beside its settings.
pub struct GateMatch<'a> {
    /// The game.
    pub game: &'a dyn MatchSession,
    /// Settings.
    pub config: &'a SequentialGate,
    /// How both search.
    pub search: &'a SearchConfig,
    /// How networks are run.
    pub plan: &'a Plan,
    /// Seed of the run.
    pub seed: u64,
    /// Cycles trained so far; each has starts of its own.
    pub cycle: u64,
    /// Threads.
    pub threads: usize,
}

impl GateMatch<'_> {
    /// Plays until the test has its verdict or the pairs are used up; `None` when an interrupt asked to stop
    /// before. `playing` is the cycle of the network that plays.
    ///
    /// # Errors
    /// What a network says.
    pub fn play(
        &self,
        newest: &Net,
        (playing, net): (u64, &Net),
        interrupt: &Interrupt,
        progress: &Progress,
    ) -> Result<Option<GateMetrics>> {
        let player = |net| -> Result<_> {
            Ok(network_player(&shared(net, self.plan)?, self.search, self.config.simulations))
        };
        let contestants = [player(newest)?, player(net)?];
        let plan = MatchPlan {
            pairs: self.config.most_pairs.into(),
            opening_turns: self.config.opening_turns,
            seed: stream(self.seed, Purpose::Statistics, &[self.cycle, STREAM]).next_u64(),
            threads: self.threads,
            games_at_once: GAMES_AT_ONCE,
        };
        let watch = GateWatch {
            test: Mutex::new(OrderedTest::new(self.config.hypotheses(), Overshoot::Ignored)),
            bar: progress.phase(&format!("gate against cycle {playing}"), "pairs", plan.pairs),
            interrupt,
        };
        let pairs = self
            .game
            .play_match(&contestants, None, &plan, Vec::new(), &watch)
            .with_context(|| format!("match at the gate against cycle {playing}"))?;
        let ordered = watch.test();
        let test = ordered.test();
        if test.verdict() == Verdict::Undecided && interrupt.asked() {
            return Ok(None);
        }
        // Copies of games are no evidence.
        let tally = Tally::of(&pairs);
        let distinct = statistics::intervals_allowed(tally.counts.games(), tally.distinct_games()).is_ok();
        Ok(Some(GateMetrics {
            playing,
            passed: distinct && test.verdict() == Verdict::H1,
            verdict: test.verdict(),
            log_likelihood_ratio: test.log_likelihood_ratio(),
            pairs: test.pairs().pairs(),
            score: test.pairs().score().unwrap_or(0.5),
        }))
    }
}

/// Feeds the test, and stops the match at its verdict or on Ctrl-C.
struct GateWatch<'a> {
    test: Mutex<OrderedTest>,
    bar: Phase,
    interrupt: &'a Interrupt,
}

impl GateWatch<'_> {
    fn test(&self) -> MutexGuard<'_, OrderedTest> {
        self.test.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Watch for GateWatch<'_> {
    fn pair_finished(&self, pair: &Pair, tally: &Tally) {
        self.test().add(pair.pair, pair.half_points());
        self.bar.update(tally.pentanomial.pairs());
    }

    fn stop(&self) -> Stop {
        if self.interrupt.asked() {
            return Stop::Now;
        }
        match self.test().test().verdict() {
            Verdict::Undecided => Stop::GoOn,
            // Pairs under way say nothing that the test would count.
            Verdict::H0 | Verdict::H1 => Stop::Now,
        }
    }
}
