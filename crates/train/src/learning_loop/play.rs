//! The first part of a cycle: games.

use super::{LearningLoop, add_seconds};
use crate::checkpoints;
use crate::interrupt::Interrupt;
use crate::metrics::PlayMetrics;
use crate::progress::Phase;
use crate::run_state::InterruptedTraining;
use anyhow::Result;
use arena::learning::{LearningError, PlayEnd, PlayReport, PlayWatch, Teacher};
use net::{InferenceModel, Net};
use selfplay::{Difference, UnfinishedGame};
use std::collections::BTreeMap;
use std::time::Instant;

/// Positions on which the network as it plays is compared with the exact one in every cycle.
const PROBE_ROWS: usize = 64;

impl LearningLoop<'_> {
    /// Lets the network play, or its teacher; `None` when an interrupt stopped them, with the run saved. What comes
    /// next is planned.
    pub(super) fn play(&mut self) -> Result<Option<InterruptedTraining>> {
        let cycle = self.state.current_cycle();
        let mut seconds = BTreeMap::new();
        let teacher = self.config.teacher.of_run_with(self.state.positions);
        let begin = Instant::now();
        let player = match teacher {
            Some(teacher) => Player::Teacher(teacher),
            None => self.publish(cycle)?,
        };
        self.session.begin_cycle(cycle);
        // With one worker an interrupted cycle is played again from its beginning, and comes out the same.
        let repeatable = self.session.workers() == 1;
        let at_begin = if repeatable && !self.saved { self.session.unfinished() } else { Vec::new() };
        add_seconds(&mut seconds, "publish", begin);

        let begin = Instant::now();
        let wanted = self.config.cycle.positions;
        let title = if teacher.is_some() { "teacher" } else { "play" };
        let mut watch = Watcher {
            bar: self.progress.phase(&format!("cycle {cycle} {title}"), "positions", wanted),
            interrupt: self.interrupt.clone(),
        };
        let (report, inference_difference) = match player {
            Player::Network(model, difference) => {
                let evaluators = model.evaluators(self.session.workers());
                (self.session.play(evaluators, wanted, &mut watch)?, Some(difference))
            }
            Player::Teacher(teacher) => (self.session.play_taught(teacher, wanted, &mut watch)?, None),
        };
        drop(watch);
        add_seconds(&mut seconds, "play", begin);
        if report.end == PlayEnd::Stopped {
            self.save_interrupted_play(repeatable, &at_begin)?;
            return Ok(None);
        }
        let play = PlayMetrics {
            inference_difference,
            teacher: teacher.map(|_| self.config.teacher.player.clone()),
            ..play_metrics(&report, self.session.workers())
        };
        let share = self.share_after(self.state.cycle);
        let planned = self.plan_training(&play);
        Ok(Some(InterruptedTraining { play, seconds, planned, share, ..InterruptedTraining::default() }))
    }

    /// Makes the network that plays ready for the workers.
    fn publish(&mut self, cycle: u64) -> Result<Player> {
        let held = self.playing()?;
        self.calibrate(cycle)?;
        let net = held.as_ref().map_or(self.trainer.play_net(), |(_, net)| net);
        let model = InferenceModel::new(net, &self.plan)?;
        model.prepare(self.config.selfplay.batch_size)?;
        let difference = self.difference(net, &model)?;
        Ok(Player::Network(model, difference))
    }

    /// Saves the run within its games.
    fn save_interrupted_play(&mut self, repeatable: bool, at_begin: &[Vec<UnfinishedGame>]) -> Result<()> {
        if repeatable {
            return if self.saved { Ok(()) } else { self.save(at_begin) };
        }
        let games = self.session.unfinished();
        match self.state.unfinished.clone().filter(|_| self.saved) {
            Some(name) => Ok(checkpoints::save_games(&self.directory, &name, &games)?),
            None => self.save(&games),
        }
    }

    /// How far a network as it is about to play is from the same network run exactly.
    fn difference(&self, net: &Net, model: &InferenceModel) -> Result<Difference> {
        let exact = InferenceModel::exact(net)?;
        let mut probe = self.game.random_batch(PROBE_ROWS, self.config.seed);
        Difference::between(&mut model.evaluator(), &mut exact.evaluator(), &mut probe)
            .map_err(|error| LearningError::from(error).into())
    }
}

/// Who plays the games of a cycle.
enum Player {
    /// The network, as it is run, and how far that is from exact.
    Network(InferenceModel, Difference),
    Teacher(Teacher),
}

/// The numbers of self-play.
fn play_metrics(report: &PlayReport, workers: usize) -> PlayMetrics {
    let counters = &report.counters;
    let per_second = |count: u64| count as f64 / report.seconds.max(1e-9);
    PlayMetrics {
        games: report.games.clone(),
        evaluations_per_second: counters.evaluations_per_second() * workers as f64,
        games_per_second: per_second(counters.games),
        positions_per_second: per_second(counters.steps),
        outside_network_share: counters.outside_share(),
        cache_hit_share: counters.hit_share(),
        batch_fill: counters.fill(),
        resigned: counters.resigned,
        played_on: counters.played_on,
        false_resignations: counters.false_resignations,
        starts: counters.starts,
        void_starts: counters.void_starts,
        void_start_share: counters.void_share(),
        fallback_starts: counters.fallback_starts,
        ..PlayMetrics::default()
    }
}

/// Shows the progress of self-play and stops it on Ctrl-C.
struct Watcher {
    bar: Phase,
    interrupt: Interrupt,
}

impl PlayWatch for Watcher {
    fn progress(&mut self, positions: u64, _games: u64) {
        self.bar.update(positions);
    }

    fn stop(&self) -> bool {
        self.interrupt.asked()
    }
}
