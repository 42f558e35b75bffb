//! `study deploy` teaches a deployment policy, `study propose` draws set-ups from one.
//!
//! `network.rs` makes networks policies, `journal.rs` is what is written down on the way, `findings.rs` what is
//! said in the end. What is learned and how is crate `deployments`.

pub mod findings;
pub mod journal;
pub mod network;
pub mod propose;

use crate::arguments::DeployArguments;
use crate::directory::{Directory, read_config};
use crate::pipeline::failure;
use crate::players::{Conditions, Players, never_trained_on_set_ups};
use arena::matches::Stop;
use deployments::learned::{LearnConfig, Point, Policy, PolicyError, PoolState, Training, estimate};
use deployments::{StudyError, TableError};
use evaluate::arguments::RulesArguments;
use evaluate::failure::{End, Failure};
use evaluate::interrupt::Interrupt;
use evaluate::say;
use journal::{Journal, Lengths};
use network::{NetworkLearner, NetworkPolicy};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};

/// Time between two lines about how it goes.
const BETWEEN_LINES: Duration = Duration::from_secs(10);

/// What a checkpoint keeps beside the network.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Kept {
    /// Updates behind the policy.
    updates: u64,
    /// The past policies, each in a checkpoint of its own.
    pool: PoolState,
    /// How far the journal was.
    lengths: Lengths,
}

/// A training in its directory.
struct Run<'a> {
    path: &'a Path,
    config: &'a LearnConfig,
    players: &'a Players<'a>,
    interrupt: &'a Interrupt,
    training: Training<'a>,
    learner: NetworkLearner,
    journal: Journal,
}

/// Runs `study deploy`: teaches, writes findings and page, and prints a summary.
///
/// # Errors
/// Wrong input, and work that failed.
pub fn run(arguments: &DeployArguments, interrupt: &Interrupt) -> Result<End, Failure> {
    let config: LearnConfig = read_config(&arguments.config)?;
    let rules = RulesArguments {
        preset: config.agent.preset.clone(),
        options: config.agent.options.clone(),
        allow_other_rules: false,
    };
    let conditions = Conditions {
        players: vec![config.agent.player.clone()],
        rules: &rules,
        machine: &arguments.machine,
        opening_turns: config.agent.opening_turns,
        seed: config.seed,
    };
    let players = Players::open(conditions, interrupt)?;
    let place = arguments.config.display();
    let training = Training::new(&players.game, &config, &players, players.judge(), &say)
        .map_err(|faults| Failure::input(format!("{place}: {faults}")))?;
    let directory = Directory::open(&arguments.run, &config, arguments.resume)?;
    players.remarks.iter().for_each(|remark| say(remark));
    let warnings: Vec<String> = never_trained_on_set_ups(&config.agent.player).into_iter().collect();
    warnings.iter().for_each(|warning| say(&format!("warning: {warning}")));
    let mut run = Run::open(&directory.path, &config, &players, interrupt, training)?;
    let end = run.learn();
    let end = end.and_then(|()| {
        findings::write(&run.training, &run.learner, &run.journal, &players, &directory.path, warnings)
    });
    match end {
        Ok(()) => Ok(End::Finished),
        Err(Halt::Stopped) => {
            run.keep()?;
            let updates = run.training.updates();
            let place = arguments.run.display();
            say(&format!("stopped after {updates} updates; study deploy … --run {place} --resume goes on"));
            Ok(End::Stopped)
        }
        Err(Halt::Failed(failure)) => Err(failure),
    }
}

/// Why a training does not go on.
pub(crate) enum Halt {
    /// The user asked for it.
    Stopped,
    /// Something went wrong.
    Failed(Failure),
}

impl From<Failure> for Halt {
    fn from(failure: Failure) -> Halt {
        Halt::Failed(failure)
    }
}

impl From<StudyError> for Halt {
    fn from(error: StudyError) -> Halt {
        match error {
            StudyError::Table(TableError::Stopped) => Halt::Stopped,
            error => Halt::Failed(failure(error)),
        }
    }
}

impl From<PolicyError> for Halt {
    fn from(error: PolicyError) -> Halt {
        Halt::Failed(Failure::work(error))
    }
}

impl<'a> Run<'a> {
    /// Begins, or goes on from the newest checkpoint.
    fn open(
        path: &'a Path,
        config: &'a LearnConfig,
        players: &'a Players<'a>,
        interrupt: &'a Interrupt,
        training: Training<'a>,
    ) -> Result<Run<'a>, Failure> {
        let (device, threads, rules) = (players.device(), players.threads(), players.rules());
        let Some(newest) = network::checkpoints(path)?.into_iter().next_back() else {
            let learner = NetworkLearner::new(config, device, threads)?;
            let journal = Journal::open(path, &Lengths::default())?;
            return Ok(Run { path, config, players, interrupt, training, learner, journal });
        };
        let place = network::path(path, newest);
        let (learner, state) = NetworkLearner::open(&place, config, &rules, device, threads)?;
        let kept: Kept = serde_json::from_value(state.extra)
            .map_err(|error| Failure::input(format!("{}: {error}", place.display())))?;
        let (kept_size, most) = (kept.pool.members.len(), config.opponents.pool as usize);
        if kept.updates != newest || kept_size > most {
            return Err(Failure::input(format!(
                "{}: holds the policy after {} updates with {kept_size} past ones, expected {newest} with at most \
                 {most}: another checkpoint was put in its place",
                place.display(),
                kept.updates
            )));
        }
        let past = |updates: u64| {
            let (place, threads) = (network::path(path, updates), learner.trainer.threads());
            let (policy, _) = NetworkPolicy::open(&place, &rules, device, threads)?;
            Ok::<Box<dyn Policy>, Failure>(Box::new(policy))
        };
        let training = training.resume(kept.updates, &kept.pool, past)?;
        let journal = Journal::open(path, &kept.lengths)?;
        say(&format!("goes on after {} updates", kept.updates));
        Ok(Run { path, config, players, interrupt, training, learner, journal })
    }

    /// Learns until the config's updates are done.
    fn learn(&mut self) -> Result<(), Halt> {
        let (begun, first) = (Instant::now(), self.training.updates());
        let mut told = Instant::now();
        loop {
            let updates = self.training.updates();
            let is_over = updates >= self.config.updates;
            // A checkpoint that is there was made after its policy had been offered.
            if !network::path(self.path, updates).exists() {
                let is_time = self.training.is_time_for_a_snapshot();
                if is_time {
                    self.training.offer(&self.learner)?;
                }
                if is_time || is_over {
                    self.keep()?;
                }
            }
            self.estimate_when_due()?;
            if is_over {
                return Ok(());
            }
            if self.interrupt.stop() != Stop::GoOn {
                return Err(Halt::Stopped);
            }
            let update = self.training.step(&mut self.learner)?;
            if told.elapsed() >= BETWEEN_LINES || updates == first {
                told = Instant::now();
                let pace = begun.elapsed().as_secs_f64() / (updates + 1 - first) as f64;
                say(&line(&update.point, self.config.updates, pace));
            }
            self.journal.update(update)?;
        }
    }

    fn estimate_when_due(&mut self) -> Result<(), Halt> {
        let (updates, every) = (self.training.updates(), self.config.estimate.every);
        let Some(judge) = self.players.judge() else { return Ok(()) };
        let is_due = every > 0 && (updates.is_multiple_of(every) || updates >= self.config.updates);
        if !is_due || self.journal.estimates().iter().any(|one| one.update == updates) {
            return Ok(());
        }
        if let Some(found) = estimate(&self.training, &self.learner, judge, updates)? {
            say(&format!(
                "update {updates}: a reply gains {:+.1} % by value ({:+.1} to {:+.1} %)",
                100.0 * found.gain,
                100.0 * found.interval.low,
                100.0 * found.interval.high
            ));
            self.journal.estimate(found)?;
        }
        Ok(())
    }

    /// Writes a checkpoint, unless there is one, and removes those that nobody needs any more.
    fn keep(&self) -> Result<(), Failure> {
        let updates = self.training.updates();
        let place = network::path(self.path, updates);
        if place.exists() {
            return Ok(());
        }
        let pool = self.training.pool().state();
        let kept = Kept { updates, lengths: self.journal.sync()?, pool };
        let extra = serde_json::to_value(&kept).map_err(Failure::work)?;
        let counters = BTreeMap::from([("updates".to_owned(), updates)]);
        let identity = network::identity(&self.players.rules());
        net::checkpoint::save(&place, &self.learner.trainer, &identity, &counters, &extra)
            .map_err(Failure::work)?;
        for other in network::checkpoints(self.path)? {
            if other != updates && !kept.pool.members.contains(&other) {
                let place = network::path(self.path, other);
                std::fs::remove_dir_all(&place).map_err(|error| Failure::path(&place, &error))?;
            }
        }
        Ok(())
    }
}

/// How it goes, in a line.
fn line(point: &Point, updates: u64, pace: f64) -> String {
    let score = |name: &str, score: Option<f64>| {
        score.map_or_else(String::new, |score| format!(", {:.1} % against {name}", 100.0 * score))
    };
    format!(
        "update {} of {updates}{}{}; entropy {:.1}, divergence {:.1} nats; {:.0} % void; {pace:.2} s an update",
        point.update + 1,
        score("past policies", point.past),
        score("the sampler", point.sampler),
        point.entropy,
        point.divergence,
        100.0 * point.void_share,
    )
}
