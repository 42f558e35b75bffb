//! The fixed ladder: short matches of the net that is being trained.

use crate::config::{EvaluationConfig, LadderConfig};
use crate::interrupt::Interrupt;
use crate::metrics::LadderMetrics;
use crate::progress::{Phase, Progress};
use anyhow::{Context, Result};
use arena::matches::{
    Contestant, MakeEvaluator, MatchPlan, MatchReport, MatchSession, Names, NetworkPlayer, Stop, Tally, Watch,
};
use arena::opponents::BuiltIn;
use game::random::{Purpose, stream};
use net::{InferenceModel, Net, Plan};
use pairs::Pair;
use rand_chacha::rand_core::RngCore;
use search::SearchConfig;
use selfplay::Evaluator;
use std::sync::{Arc, Mutex, PoisonError};

/// Games that a thread plays side by side; more than a short match has pairs is no use.
pub const GAMES_AT_ONCE: usize = 32;

/// Somebody on the ladder.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rung {
    /// An opponent that needs no network.
    BuiltIn(BuiltIn),
    /// The untrained network of the run.
    First,
    /// The network of the evaluation before.
    Previous,
}

impl Rung {
    /// Reads the name of an opponent.
    ///
    /// # Errors
    /// What is right instead.
    pub fn parse(text: &str) -> Result<Rung, String> {
        match text {
            "first" => Ok(Rung::First),
            "previous" => Ok(Rung::Previous),
            _ => BuiltIn::parse(text)
                .map(Rung::BuiltIn)
                .map_err(|error| format!("{error}; the ladder also takes first and previous")),
        }
    }
}

/// What an evaluation needs beside its settings.
pub struct Evaluation<'a> {
    /// The game.
    pub game: &'a dyn MatchSession,
    /// Its name.
    pub name: &'a str,
    /// Settings.
    pub config: &'a EvaluationConfig,
    /// How both sides search.
    pub search: &'a SearchConfig,
    /// How networks are run.
    pub plan: &'a Plan,
    /// Seed of the run.
    pub seed: u64,
    /// Cycles trained so far.
    pub cycle: u64,
    /// Threads.
    pub threads: usize,
}

impl Evaluation<'_> {
    /// Plays all matches; fewer when an interrupt asks to stop. `earlier` gives the networks of earlier
    /// cycles, `None` where there is none yet.
    ///
    /// # Errors
    /// What a network says.
    pub fn run(
        &self,
        current: &Net,
        earlier: &dyn Fn(Rung) -> Result<Option<Net>>,
        interrupt: &Interrupt,
        progress: &Progress,
    ) -> Result<Vec<(LadderMetrics, MatchReport)>> {
        let model = shared(current, self.plan)?;
        let mut results = Vec::new();
        for (index, rung) in self.config.ladder.iter().enumerate() {
            if interrupt.asked() {
                break;
            }
            // The names were checked with the config.
            let parsed = Rung::parse(&rung.opponent).map_err(anyhow::Error::msg)?;
            let opponent = match parsed {
                Rung::BuiltIn(opponent) => Contestant::BuiltIn(opponent),
                Rung::First | Rung::Previous => match earlier(parsed)? {
                    Some(net) => network_player(&shared(&net, self.plan)?, self.search, rung.simulations),
                    None => continue,
                },
            };
            let contestants = [network_player(&model, self.search, rung.simulations), opponent];
            let report = self
                .play(index as u64, rung, &contestants, interrupt, progress)
                .with_context(|| format!("evaluation against {}", rung.opponent))?;
            if report.games > 0 {
                results.push((metrics(rung, &report), report));
            }
        }
        Ok(results)
    }

    fn play(
        &self,
        index: u64,
        rung: &LadderConfig,
        contestants: &[Contestant; 2],
        interrupt: &Interrupt,
        progress: &Progress,
    ) -> Result<MatchReport> {
        let plan = MatchPlan {
            pairs: u64::from(rung.pairs),
            opening_turns: self.config.opening_turns,
            // The same starts in every evaluation, so that results compare.
            seed: stream(self.seed, Purpose::Statistics, &[index]).next_u64(),
            threads: self.threads,
            games_at_once: GAMES_AT_ONCE,
        };
        let watch = Watcher {
            bar: progress.phase(&format!("evaluate {}", rung.opponent), "pairs", plan.pairs),
            interrupt,
        };
        let pairs = self.game.play_match(contestants, None, &plan, Vec::new(), &watch)?;
        let names = Names {
            a: format!("cycle {}", self.cycle),
            b: rung.opponent.clone(),
            game: self.name.to_owned(),
        };
        Ok(MatchReport::new(&names, &Tally::of(&pairs)))
    }
}

fn metrics(rung: &LadderConfig, report: &MatchReport) -> LadderMetrics {
    LadderMetrics {
        opponent: rung.opponent.clone(),
        simulations: rung.simulations,
        games: report.games,
        distinct_games: report.distinct_games,
        wins: report.wins,
        draws: report.draws,
        losses: report.losses,
        truncated: report.truncated,
        score: report.score.unwrap_or_default(),
        low: report.low,
        high: report.high,
    }
}

/// A network made ready once, for the threads of a match to take their evaluators from.
pub type SharedModel = Arc<Mutex<InferenceModel>>;

/// Makes a network ready.
///
/// # Errors
/// What the network says.
pub fn shared(net: &Net, plan: &Plan) -> Result<SharedModel> {
    Ok(Arc::new(Mutex::new(InferenceModel::new(net, plan)?)))
}

/// A network that plays a match.
pub fn network_player(model: &SharedModel, search: &SearchConfig, simulations: u32) -> Contestant {
    let model = Arc::clone(model);
    let make: Box<MakeEvaluator> = Box::new(move || {
        // A poisoned lock means that another thread panicked while it made an evaluator, which changes
        // nothing.
        let model = model.lock().unwrap_or_else(PoisonError::into_inner);
        Ok(Box::new(model.evaluator()) as Box<dyn Evaluator>)
    });
    Contestant::Network(NetworkPlayer { make_evaluator: make, search: search.clone(), simulations })
}

/// Shows progress and stops on Ctrl-C.
struct Watcher<'a> {
    bar: Phase,
    interrupt: &'a Interrupt,
}

impl Watch for Watcher<'_> {
    fn pair_finished(&self, _pair: &Pair, tally: &Tally) {
        self.bar.update(tally.pentanomial.pairs());
    }

    fn stop(&self) -> Stop {
        if self.interrupt.asked() { Stop::Now } else { Stop::GoOn }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rungs_are_read() {
        assert_eq!(Rung::parse("first"), Ok(Rung::First));
        assert_eq!(Rung::parse("greedy"), Ok(Rung::BuiltIn(BuiltIn::Greedy)));
        assert!(Rung::parse("gredy").unwrap_err().contains("previous"));
        assert!(Rung::parse(".").unwrap_err().contains("directory"));
    }
}
