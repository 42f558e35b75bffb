//! The loop: play, train, evaluate, save, go on. `learning_loop/play.rs` is its first part.

mod play;

use crate::alarm::Alarm;
use crate::alarm_watch::AlarmWatch;
use crate::checkpoints;
use crate::clock::{self, WorkClock};
use crate::config::{Gate, TrainConfig};
use crate::evaluation::{Evaluation, Rung};
use crate::failure::End;
use crate::interrupt::Interrupt;
use crate::log::{self, Log};
use crate::machine;
use crate::metrics::{CycleMetrics, GateMetrics, LadderMetrics, Metric, MetricsWriter, PlayMetrics};
use crate::progress::Progress;
use crate::report_page;
use crate::run_directory::RunDirectory;
use crate::run_state::{InterruptedTraining, RunState};
use crate::summary;
use crate::training::{self, TrainingPhase};
use anyhow::{Context, Result};
use arena::games::AnyGame;
use arena::learning::LearningSession;
use net::{Expected, Net, Plan, Trainer, checkpoint, runtime};
use selfplay::UnfinishedGame;
use serde_json::json;
use std::collections::BTreeMap;
use std::time::Instant;

/// Version of the files in `eval/`.
const EVALUATION_SCHEMA: u32 = 1;

/// A run at work.
pub struct LearningLoop<'a> {
    /// The config.
    pub config: TrainConfig,
    /// Where everything is kept.
    pub directory: RunDirectory,
    /// The game.
    pub game: &'a dyn AnyGame,
    /// What checkpoints of this run are for.
    pub expected: Expected,
    /// The network being trained.
    pub trainer: Trainer,
    /// Self-play and samples.
    pub session: Box<dyn LearningSession>,
    /// How networks are run.
    pub plan: Plan,
    /// Where the run stands.
    pub state: RunState,
    /// Whether a checkpoint of the state is on the disk.
    pub saved: bool,
    /// Threads for matches.
    pub threads: usize,
    /// The metrics.
    pub metrics: MetricsWriter,
    /// What rings the alarms.
    pub alarms: AlarmWatch,
    /// The log.
    pub log: Log,
    /// Whether the user wants to stop.
    pub interrupt: Interrupt,
    /// The terminal.
    pub progress: Progress,
    /// Minutes of work over all starts.
    pub clock: WorkClock,
    /// The cycle after which to save and stop, whatever the limits say.
    pub stop_after: Option<u64>,
    /// Seconds that the last checkpoint took, for the next record.
    pub save_seconds: f64,
}

impl LearningLoop<'_> {
    /// Works until a limit is reached or an interrupt asks to stop.
    ///
    /// # Errors
    /// What went wrong; the last checkpoint is intact. A number that is not finite rings its alarm first.
    pub fn work(&mut self) -> Result<End> {
        let ended = self.work_on();
        if let Err(error) = &ended
            && let Some(alarm) = Alarm::of_error(self.state.current_cycle(), error)
        {
            // What stopped the run matters more than that its alarm cannot be written.
            let _ = self.ring(alarm);
        }
        ended
    }

    fn work_on(&mut self) -> Result<End> {
        if self.state.cycle == 0 && self.begin()? == End::Stopped {
            return self.stop();
        }
        while !self.is_over_after(self.state.cycle) {
            if self.stops_after(self.state.cycle) && self.state.training.is_none() {
                self.log.info(
                    log::STOPPED,
                    &format!("stopped after cycle {}; add --resume to go on", self.state.cycle),
                    json!({"cycle": self.state.cycle}),
                );
                return Ok(End::Finished);
            }
            if self.interrupt.asked() || self.cycle()? == End::Stopped {
                return self.stop();
            }
        }
        if self.interrupt.asked() {
            return self.stop();
        }
        self.save_if_needed()?;
        self.log.info(
            log::FINISHED,
            &format!(
                "finished: {} cycles, {} in all; raise the limits of [limits] and add --resume to go on",
                self.state.cycle,
                clock::in_words(self.clock.minutes() * 60.0)
            ),
            json!({"cycle": self.state.cycle, "minutes": self.clock.minutes()}),
        );
        Ok(End::Finished)
    }

    /// The untrained network: its place on the ladder.
    fn begin(&mut self) -> Result<End> {
        if self.config.evaluation.every_cycles > 0 && self.state.evaluated.is_none() {
            let begin = Instant::now();
            let Some(ladder) = self.evaluate(0)? else { return Ok(End::Stopped) };
            let seconds = BTreeMap::from([("evaluate".to_owned(), begin.elapsed().as_secs_f64())]);
            let work = InterruptedTraining { seconds, ..InterruptedTraining::default() };
            self.finish_metrics(work, ladder, None)?;
        }
        Ok(End::Finished)
    }

    fn cycle(&mut self) -> Result<End> {
        let mut work = match self.state.training.take() {
            Some(work) => work,
            None => match self.play()? {
                Some(work) => work,
                None => return Ok(End::Stopped),
            },
        };
        if work.done < work.planned {
            let begin = Instant::now();
            let phase = TrainingPhase {
                config: &self.config.training,
                seed: self.config.seed,
                cycle: self.state.current_cycle(),
            };
            training::train(
                phase,
                &mut self.trainer,
                self.session.as_mut(),
                &mut work,
                &mut self.metrics,
                &self.interrupt,
                &self.progress,
            )?;
            add_seconds(&mut work.seconds, "train", begin);
            if work.done < work.planned {
                return self.save_within(work);
            }
        }

        let cycle = self.state.current_cycle();
        let begin = Instant::now();
        let gate = match self.gate(cycle)? {
            Some(gate) => gate,
            None => return self.save_within(work),
        };
        if gate.is_some() {
            add_seconds(&mut work.seconds, "gate", begin);
        }
        let begin = Instant::now();
        let every = self.config.evaluation.every_cycles;
        let mut ladder = Vec::new();
        if every > 0 && (self.is_over_after(cycle) || cycle.is_multiple_of(every)) {
            match self.evaluate(cycle)? {
                Some(results) => ladder = results,
                None => return self.save_within(work),
            }
        }
        add_seconds(&mut work.seconds, "evaluate", begin);
        work.seconds.insert("save".to_owned(), self.save_seconds);

        self.state.cycle = cycle;
        self.state.positions += work.play.games.samples;
        self.state.games += work.play.games.games;
        self.saved = false;
        let takes_over = gate.as_ref().is_some_and(|gate| gate.passed);
        match self.config.cycle.gate {
            Gate::Open => self.state.playing = None,
            Gate::SequentialTest(_) if takes_over => self.state.playing = Some(cycle),
            Gate::SequentialTest(_) => {}
        }
        // Before the checkpoint: without it the cycle is done again, and its record is dropped.
        self.finish_metrics(work, ladder, gate)?;
        // The network that plays is read from its checkpoint.
        let due = takes_over || cycle.is_multiple_of(self.config.checkpoint.every_cycles);
        if due || self.is_over_after(cycle) || self.stops_after(cycle) || self.interrupt.asked() {
            let games = self.session.unfinished();
            self.save(&games)?;
            let needed = [self.state.evaluated, self.state.playing];
            checkpoints::prune(&self.directory, self.config.checkpoint.keep, &needed)?;
            self.retire()?;
        }
        runtime::give_back_free_memory();
        if self.interrupt.asked() { Ok(End::Stopped) } else { Ok(End::Finished) }
    }

    /// Saves a run whose cycle is played and not yet trained or evaluated.
    fn save_within(&mut self, work: InterruptedTraining) -> Result<End> {
        self.state.training = Some(work);
        let games = self.session.unfinished();
        self.save(&games)?;
        Ok(End::Stopped)
    }

    /// Removes games that are not wanted any more.
    fn retire(&mut self) -> Result<()> {
        let gone = self.session.retire(self.config.retention.games)?;
        if !gone.is_empty() {
            let text = format!(
                "{} shards with {} games that the replay window does not read were removed",
                gone.shards, gone.games
            );
            self.log.detail("retention", &text, json!({"retired": gone}));
        }
        Ok(())
    }

    /// Training steps for the new samples of a cycle.
    fn plan_training(&mut self, play: &PlayMetrics) -> u64 {
        let training = &self.config.training;
        let batch = training.batch as f64;
        self.state.owed_samples += play.games.samples as f64 * training.reuse;
        let window = self.session.window();
        let least = self.config.window.least_samples.max(training.batch as u64);
        if window.samples < least {
            self.log.info(
                "waiting",
                &format!("waiting: {} of {least} samples before training begins", window.samples),
                json!({"samples": window.samples, "wanted": least}),
            );
            return 0;
        }
        let steps = (self.state.owed_samples / batch).floor();
        self.state.owed_samples -= steps * batch;
        let steps = steps as u64;
        if training.most_steps > 0 { steps.min(training.most_steps) } else { steps }
    }

    /// Plays the ladder's matches after a cycle and writes their reports; `None` when an interrupt stopped
    /// them.
    fn evaluate(&mut self, at: u64) -> Result<Option<Vec<LadderMetrics>>> {
        let evaluation = Evaluation {
            game: self.game,
            name: &self.expected.identity.game,
            config: &self.config.evaluation,
            search: &self.config.search,
            plan: &self.plan,
            seed: self.config.seed,
            cycle: at,
            threads: self.threads,
        };
        let (directory, expected, evaluated) = (&self.directory, &self.expected, self.state.evaluated);
        let earlier = |rung: Rung| -> Result<Option<Net>> {
            let cycle = if rung == Rung::First { Some(0) } else { evaluated };
            let Some(cycle) = cycle.filter(|&cycle| cycle < at) else { return Ok(None) };
            let path = directory.checkpoint(cycle);
            // Taken away by a user or by earlier settings of what is kept.
            if !path.is_dir() {
                return Ok(None);
            }
            Ok(Some(checkpoint::load_net(&path, Some(expected))?.0))
        };
        let results = evaluation.run(self.trainer.play_net(), &earlier, &self.interrupt, &self.progress)?;
        if self.interrupt.asked() {
            return Ok(None);
        }
        let (metrics, reports): (Vec<_>, Vec<_>) = results.into_iter().unzip();
        let path = self.directory.evaluations().join(format!("{at:06}.json"));
        let simulations: Vec<u32> = metrics.iter().map(|result| result.simulations).collect();
        let contents =
            json!({"schema": EVALUATION_SCHEMA, "cycle": at, "simulations": simulations, "matches": reports});
        let mut json = serde_json::to_vec_pretty(&contents)?;
        json.push(b'\n');
        files::write(&path, &json).with_context(|| path.display().to_string())?;
        self.state.evaluated = Some(at);
        Ok(Some(metrics))
    }

    /// Writes the record of a cycle, and its line.
    fn finish_metrics(
        &mut self,
        work: InterruptedTraining,
        ladder: Vec<LadderMetrics>,
        gate: Option<GateMetrics>,
    ) -> Result<()> {
        let window = self.session.window();
        let metrics = CycleMetrics {
            time: clock::unix_time(),
            cycle: self.state.cycle,
            step: self.trainer.steps(),
            minutes: self.clock.minutes(),
            training: work.metrics(),
            play: work.play,
            window_samples: window.samples,
            window_games: window.games,
            ladder,
            gate,
            resident_mib: machine::resident_mib(),
            seconds: work.seconds,
        };
        self.log.info("cycle", &summary::line(&metrics), json!({"cycle": metrics.cycle}));
        let alarms = self.alarms.cycle(&metrics);
        self.metrics.write(&Metric::Cycle(Box::new(metrics))).context("metrics")?;
        alarms.into_iter().try_for_each(|alarm| self.ring(alarm))?;
        self.write_report();
        Ok(())
    }

    /// Writes an alarm to the log, the metrics and the terminal.
    fn ring(&mut self, alarm: Alarm) -> Result<()> {
        self.log.warning("alarm", &alarm.line(), json!({"alarm": alarm}));
        self.metrics.write(&Metric::Alarm(alarm)).context("metrics")
    }

    /// Writes the run's page. That it cannot be written is a warning and does not stop the run.
    fn write_report(&self) {
        if let Err(error) = report_page::write(self.directory.root(), None) {
            self.log.warning("report", &format!("no report: {error}"), json!({}));
        }
    }

    /// Saves the run as it stands.
    fn save(&mut self, games: &[Vec<UnfinishedGame>]) -> Result<()> {
        let begin = Instant::now();
        checkpoints::save(&self.directory, &self.trainer, &self.expected.identity, &mut self.state, games)
            .context("the run cannot be saved")?;
        let path = self.directory.clock();
        self.clock.save(&path).with_context(|| path.display().to_string())?;
        self.saved = true;
        self.save_seconds = begin.elapsed().as_secs_f64();
        Ok(())
    }

    /// Share of the limits that is used up after a cycle, 0 without limits.
    fn share_after(&self, cycle: u64) -> f64 {
        let (limits, work) = (&self.config.limits, self.clock.work());
        let used = [
            (cycle as f64, limits.cycles as f64),
            (work.minutes, limits.minutes),
            (work.processor_minutes, limits.processor_minutes),
        ];
        let shares = used.into_iter().filter(|&(_, limit)| limit > 0.0).map(|(used, limit)| used / limit);
        shares.fold(0.0, f64::max).min(1.0)
    }

    /// Whether the run is over after a cycle, this one complete.
    fn is_over_after(&self, cycle: u64) -> bool {
        self.state.training.is_none() && self.share_after(cycle) >= 1.0
    }

    fn stops_after(&self, cycle: u64) -> bool {
        self.stop_after.is_some_and(|last| cycle >= last)
    }

    /// Saves a cycle that was complete when it was not yet known that the run would end after it: Ctrl-C or a
    /// limit of time came just then.
    fn save_if_needed(&mut self) -> Result<()> {
        if !self.saved {
            let games = self.session.unfinished();
            self.save(&games)?;
        }
        Ok(())
    }

    /// Ends a run that was interrupted.
    fn stop(&mut self) -> Result<End> {
        self.save_if_needed()?;
        self.log.info(
            log::STOPPED,
            &format!(
                "stopped in cycle {}; the run is saved: add --resume to go on",
                self.state.current_cycle()
            ),
            json!({"cycle": self.state.cycle}),
        );
        Ok(End::Stopped)
    }
}

fn add_seconds(seconds: &mut BTreeMap<String, f64>, phase: &str, begin: Instant) {
    *seconds.entry(phase.to_owned()).or_default() += begin.elapsed().as_secs_f64();
}
