//! A short measurement of self-play and training under a config, for `train plan`.

use crate::config::TrainConfig;
use crate::evaluation::{GAMES_AT_ONCE, network_player, shared};
use crate::interrupt::Interrupt;
use crate::machine;
use crate::progress::{Phase, Progress};
use anyhow::{Context, Result};
use arena::games::AnyGame;
use arena::learning::{KeptGames, LearningSession, LearningSettings, PlayReport, PlayWatch};
use arena::matches::{Contestant, MatchPlan, Stop, Tally, Watch};
use game::random::{Purpose, stream};
use game::record::GameRecord;
use net::{Device, Identity, InferenceModel, Net, Plan, TrainBatch, Trainer, checkpoint};
use pairs::Pair;
use rand_chacha::rand_core::RngCore;
use selfplay::{EvaluationCache, SelfPlayConfig, ShardWriter, Simulations, UnfinishedGame, searched_steps};
use serde::Serialize;
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

/// What was measured, with the untrained network.
#[derive(Clone, Debug, Default, PartialEq, Serialize)]
pub struct Measured {
    /// How long it took.
    pub seconds: f64,
    /// Workers of self-play.
    pub workers: usize,
    /// How networks are run.
    pub inference: String,
    /// Positions judged by the network a second, over all workers.
    pub evaluations_per_second: f64,
    /// Searched steps a second, over all workers.
    pub positions_per_second: f64,
    /// Steps a second that the teacher chooses, over all workers; `None` without one.
    pub taught_positions_per_second: Option<f64>,
    /// Games that finished under the config's own settings.
    pub finished_games: u64,
    /// Steps of a game.
    pub steps_per_game: f64,
    /// Samples (searched steps) of a game.
    pub samples_per_game: f64,
    /// Bytes on the disk of a sample.
    pub game_bytes_per_sample: f64,
    /// Bytes in memory of a sample in the replay window.
    pub window_bytes_per_sample: f64,
    /// A training step.
    pub seconds_per_step: f64,
    /// Making the network ready for the workers.
    pub publish_seconds: f64,
    /// Writing a checkpoint.
    pub save_seconds: f64,
    /// Bytes of a checkpoint.
    pub checkpoint_bytes: f64,
    /// Most memory that the measurement took, MiB.
    pub peak_mib: f64,
    /// Of it the replay window of the measurement, MiB.
    pub window_mib: f64,
    /// What the play of a whole cycle writes to the evaluation caches beyond what the measurement wrote, MiB.
    pub missing_cache_mib: f64,
    /// What a reader should know of the numbers.
    pub notes: Vec<String>,
}

/// Bytes of a MiB.
pub(crate) const MIB: f64 = (1u64 << 20) as f64;

/// Games that say how long games are.
const SHORT_GAMES: u64 = 64;
/// From how many finished games on the config's own games say it.
const ENOUGH_GAMES: u64 = 100;

/// Measures for about `seconds`; `None` when an interrupt asks to stop.
///
/// # Errors
/// What the network, the games or the file system say.
pub fn measure(
    config: &TrainConfig,
    game: &dyn AnyGame,
    device: Device,
    seconds: f64,
    cores: usize,
    interrupt: &Interrupt,
    progress: &Progress,
) -> Result<Option<Measured>> {
    let begin = Instant::now();
    let place = tempfile::tempdir().context("a temporary directory")?;
    let facts = game.facts();
    let seed = stream(config.seed, Purpose::Weights, &[]).next_u64();
    let net = Net::new(&config.net, facts.planes, facts.policy, seed)?;
    let plan = config.plan(&net, device, game)?;
    let workers = config.workers(cores);
    let mut measured = Measured { workers, inference: plan.to_string(), ..Measured::default() };

    let published = Instant::now();
    let model = InferenceModel::new(&net, &plan)?;
    model.prepare(config.selfplay.batch_size)?;
    measured.publish_seconds = published.elapsed().as_secs_f64();

    // Small searches end games within seconds where the config's own would take minutes.
    let short = SelfPlayConfig {
        games_per_worker: 16,
        batch_size: 16,
        simulations: Simulations::Always(2),
        cache_megabytes: 0,
        ..config.selfplay.clone()
    };
    let directory = place.path().join("short");
    let mut short = game.begin_learning(&settings(config, short, &directory, 1))?;
    let watch = Deadline::new(progress, interrupt, "short games", seconds * 0.2, SHORT_GAMES);
    let report = play(short.as_mut(), &model, watch)?;
    measured.take_games(&report, &directory)?;
    let window = short.window();
    measured.window_bytes_per_sample = window.bytes as f64 / window.samples.max(1) as f64;
    if report.games.games < SHORT_GAMES / 2 {
        let note = format!(
            "only {} games ended: their length is a guess; give it more --seconds",
            report.games.games
        );
        measured.notes.push(note);
    }

    let directory = place.path().join("games");
    let mut session = game.begin_learning(&settings(config, config.selfplay.clone(), &directory, workers))?;
    let watch = Deadline::new(progress, interrupt, "self-play", seconds * 0.4, u64::MAX);
    let report = play(session.as_mut(), &model, watch)?;
    measured.evaluations_per_second = report.counters.evaluations as f64 / report.seconds.max(1e-9);
    measured.positions_per_second = report.counters.steps as f64 / report.seconds.max(1e-9);
    measured.finished_games = report.games.games;
    if report.games.games >= ENOUGH_GAMES {
        measured.take_games(&report, &directory)?;
    } else {
        measured
            .notes
            .push("the length of games is that of quick games with the untrained network".to_owned());
        let bytes = bytes_of_games_under_way(game, &session.unfinished(), place.path())?;
        measured.game_bytes_per_sample = bytes.unwrap_or(measured.game_bytes_per_sample);
    }
    if let Some(teacher) = config.teacher.of_run_with(0) {
        let directory = place.path().join("taught");
        let mut taught =
            game.begin_learning(&settings(config, config.selfplay.clone(), &directory, workers))?;
        let mut watch = Deadline::new(progress, interrupt, "the teacher", seconds * 0.2, u64::MAX);
        let report = taught.play_taught(teacher, u64::MAX, &mut watch)?;
        measured.taught_positions_per_second = Some(report.counters.steps as f64 / report.seconds.max(1e-9));
    }
    let room = workers * EvaluationCache::new(config.selfplay.cache_bytes()).unused_bytes();
    measured.missing_cache_mib =
        missing_cache(config, report.counters.steps, room as f64, session.unused_cache_bytes() as f64) / MIB;
    measured.window_mib = (session.window().bytes + window.bytes) as f64 / MIB;

    // As in a run, self-play keeps its trees and caches while the network is trained, evaluated and saved.
    let identity = Identity { game: facts.name.to_owned(), rules: facts.rules };
    let trainer = measured.train(config, &net, device, short.as_mut(), seconds * 0.2, cores)?;
    let watch = Deadline::new(progress, interrupt, "evaluation", seconds * 0.1, u64::MAX);
    evaluate(config, game, &net, &plan, cores, &watch)?;
    let directory = place.path().join("checkpoint");
    let saved = Instant::now();
    checkpoint::save(&directory, &trainer, &identity, &BTreeMap::new(), &serde_json::Value::Null)?;
    measured.save_seconds = saved.elapsed().as_secs_f64();
    measured.checkpoint_bytes = bytes_in(&directory)?;

    drop(session);
    measured.peak_mib = machine::peak_mib();
    measured.seconds = begin.elapsed().as_secs_f64();
    Ok(if interrupt.asked() { None } else { Some(measured) })
}

impl Measured {
    /// Length and size of finished games.
    fn take_games(&mut self, report: &PlayReport, directory: &Path) -> Result<()> {
        let games = &report.games;
        if games.games == 0 {
            // What little is known: the steps of games under way.
            let per_game = report.counters.steps as f64 / 16.0;
            (self.steps_per_game, self.samples_per_game) = (per_game.max(1.0), per_game.max(1.0));
            return Ok(());
        }
        self.steps_per_game = games.mean_steps;
        self.samples_per_game = games.samples as f64 / games.games as f64;
        self.game_bytes_per_sample = bytes_in(directory)? / games.samples.max(1) as f64;
        Ok(())
    }

    /// Times training steps on samples of the short games.
    fn train(
        &mut self,
        config: &TrainConfig,
        net: &Net,
        device: Device,
        samples: &mut dyn LearningSession,
        seconds: f64,
        cores: usize,
    ) -> Result<Trainer> {
        let mut trainer = Trainer::new(net, &config.training.trainer(config.threads(cores)), device)?;
        if samples.window().samples == 0 {
            self.notes.push("no game ended, so training was not measured".to_owned());
            return Ok(trainer);
        }
        let mut batch = TrainBatch::default();
        let (mut steps, mut begin) = (0u64, Instant::now());
        // The first step also allocates and compiles.
        while steps < 2 || begin.elapsed().as_secs_f64() < seconds {
            let mut random = stream(config.seed, Purpose::Sampling, &[steps]);
            samples.sample(config.training.batch, &mut random, &mut batch)?;
            trainer.step(&batch, 1e-4)?;
            if steps == 0 {
                begin = Instant::now();
            }
            steps += 1;
        }
        self.seconds_per_step = begin.elapsed().as_secs_f64() / (steps - 1) as f64;
        Ok(trainer)
    }
}

/// A session that only measures: its games go into `games`, a place of their own.
pub(crate) fn settings(
    config: &TrainConfig,
    selfplay: SelfPlayConfig,
    games: &Path,
    workers: usize,
) -> LearningSettings {
    LearningSettings {
        selfplay,
        search: config.search.clone(),
        window: config.window.size,
        targets: config.training.targets,
        auxiliary: config.net.auxiliary.clone(),
        seed: config.seed,
        workers,
        games: games.to_owned(),
        run: "measurement".to_owned(),
        cycle: 1,
        kept: KeptGames::All,
    }
}

fn play(
    session: &mut dyn LearningSession,
    model: &InferenceModel,
    mut watch: Deadline,
) -> Result<PlayReport> {
    let evaluators = model.evaluators(session.workers());
    session.begin_cycle(1);
    Ok(session.play(evaluators, u64::MAX, &mut watch)?)
}

/// Bytes that the caches of `room` bytes will take beyond what was written to them in so many searched steps. They are
/// emptied whenever a network is published, so that a cycle's play is all that ever fills them.
fn missing_cache(config: &TrainConfig, steps: u64, room: f64, unused: f64) -> f64 {
    let written = (room - unused).max(0.0);
    let cycles = config.cycle.positions as f64 / steps.max(1) as f64;
    (written * (cycles - 1.0)).clamp(0.0, unused)
}

/// Plays the config's longest match of an evaluation until the watch stops it: for the memory that it takes.
fn evaluate(
    config: &TrainConfig,
    game: &dyn AnyGame,
    net: &Net,
    plan: &Plan,
    cores: usize,
    watch: &Deadline,
) -> Result<()> {
    let ladder = &config.evaluation.ladder;
    let Some(rung) = ladder.iter().max_by_key(|rung| u64::from(rung.pairs) * u64::from(rung.simulations))
    else {
        return Ok(());
    };
    if config.evaluation.every_cycles == 0 {
        return Ok(());
    }
    let player = |net| -> Result<Contestant> {
        Ok(network_player(&shared(net, plan)?, &config.search, rung.simulations))
    };
    // Whoever it meets: an earlier network is a network more.
    let contestants = [player(net)?, player(net)?];
    let plan = MatchPlan {
        pairs: u64::from(rung.pairs),
        opening_turns: config.evaluation.opening_turns,
        seed: config.seed,
        threads: config.threads(cores),
        games_at_once: GAMES_AT_ONCE,
    };
    game.play_match(&contestants, None, &plan, Vec::new(), watch)?;
    Ok(())
}

/// Bytes a sample of games under way, packed as finished ones are; `None` before anything was searched.
fn bytes_of_games_under_way(
    game: &dyn AnyGame,
    unfinished: &[Vec<UnfinishedGame>],
    place: &Path,
) -> Result<Option<f64>> {
    let facts = game.facts();
    let identity = selfplay::Identity {
        game: facts.name.to_owned(),
        rules_version: facts.rules_version,
        rules: facts.rules,
        run: "plan".to_owned(),
    };
    let mut writer = ShardWriter::create(&place.join("sizes"), &identity)?;
    let before = writer.bytes();
    let mut samples = 0;
    for UnfinishedGame { id, start, steps } in unfinished.iter().flatten() {
        let (start, steps) = (start.clone(), steps.clone());
        let (winner, reason) = ("none".to_owned(), "under way".to_owned());
        let record = GameRecord { id: *id, cycle: 1, start, steps, winner, reason, points: [0, 0] };
        samples += searched_steps(&record);
        writer.append(&[record])?;
    }
    Ok((samples > 0).then(|| (writer.bytes() - before) as f64 / samples as f64))
}

fn bytes_in(directory: &Path) -> Result<f64> {
    let mut sum = 0;
    for entry in fs::read_dir(directory).with_context(|| directory.display().to_string())? {
        sum += entry?.metadata()?.len();
    }
    Ok(sum as f64)
}

/// Stops self-play or a match after a time, or after so many games.
struct Deadline {
    bar: Phase,
    begin: Instant,
    time: Duration,
    games: u64,
    most_games: u64,
    interrupt: Interrupt,
}

impl Deadline {
    fn new(
        progress: &Progress,
        interrupt: &Interrupt,
        name: &str,
        seconds: f64,
        most_games: u64,
    ) -> Deadline {
        Deadline {
            bar: progress.phase(&format!("measure {name}"), "s", seconds.ceil() as u64),
            begin: Instant::now(),
            time: Duration::from_secs_f64(seconds),
            games: 0,
            most_games,
            interrupt: interrupt.clone(),
        }
    }
}

impl Deadline {
    fn is_over(&self) -> bool {
        self.interrupt.asked() || self.games >= self.most_games || self.begin.elapsed() >= self.time
    }
}

impl PlayWatch for Deadline {
    fn progress(&mut self, _positions: u64, games: u64) {
        self.games = games;
        self.bar.update(self.begin.elapsed().as_secs());
    }

    fn stop(&self) -> bool {
        self.is_over()
    }
}

impl Watch for Deadline {
    fn pair_finished(&self, _: &Pair, _: &Tally) {
        self.bar.update(self.begin.elapsed().as_secs());
    }

    fn stop(&self) -> Stop {
        if self.is_over() { Stop::Now } else { Stop::GoOn }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn caches_fill_as_far_as_a_cycle_goes() {
        let mut config = TrainConfig::default();
        config.cycle.positions = 3_000;
        let near = |found: f64, right: f64| assert!((found - right).abs() < 1e-9, "{found} {right}");
        // 100 bytes in 1 000 steps: a cycle writes 300 of the 500.
        near(missing_cache(&config, 1_000, 500.0, 400.0), 200.0);
        // Room ends it, and a measurement that was longer than a cycle.
        near(missing_cache(&config, 1_000, 250.0, 150.0), 150.0);
        near(missing_cache(&config, 6_000, 500.0, 400.0), 0.0);
        near(missing_cache(&config, 0, 500.0, 500.0), 0.0);
    }
}
