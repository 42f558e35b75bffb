//! A run in a few numbers: what lists and comparisons say about it.

use crate::clock;
use crate::metrics::{LadderMetrics, Losses};
use crate::run_data::{RunData, RunStatus, Totals};
use serde::Serialize;
use std::path::PathBuf;

/// A run as it stands. Field names are those of `train list --json` and `train compare --json`.
#[derive(Clone, Debug, Serialize)]
pub struct RunSummary {
    /// Name of its directory.
    pub run: String,
    /// The directory.
    pub path: PathBuf,
    /// The game; `None` where the config does not say.
    pub game: Option<String>,
    /// What the run is doing.
    pub status: RunStatus,
    /// Complete cycles.
    pub cycles: u64,
    /// Minutes of work.
    pub minutes: f64,
    /// Training steps.
    pub training_steps: u64,
    /// Finished games of self-play.
    pub games: u64,
    /// Searched steps of these games.
    pub samples: u64,
    /// Of the last cycle.
    pub evaluations_per_second: f64,
    /// At the end of the last cycle.
    pub resident_mib: f64,
    /// Of the last cycle.
    pub draw_share: f64,
    /// Of the last cycle.
    pub median_turns: f64,
    /// Means over the last cycle that trained.
    pub losses: Option<Losses>,
    /// Cycle of the newest evaluation.
    pub evaluated_cycle: Option<u64>,
    /// Its results.
    pub ladder: Vec<LadderMetrics>,
    /// Number of alarms.
    pub alarms: usize,
    /// What could not be read.
    pub faults: Vec<String>,
}

impl RunSummary {
    /// The summary of a run.
    pub fn of(run: &RunData) -> RunSummary {
        let Totals { games, samples, alarms } = run.totals;
        let last = run.last_cycle();
        let evaluated = run.last_evaluation();
        let number = |value: fn(&crate::metrics::CycleMetrics) -> f64| last.map_or(0.0, value);
        RunSummary {
            run: run.name.clone(),
            path: run.directory.root().to_owned(),
            game: run.game().ok().map(|game| game.name),
            status: run.status.clone(),
            cycles: last.map_or(0, |cycle| cycle.cycle),
            minutes: number(|cycle| cycle.minutes),
            training_steps: last.map_or(0, |cycle| cycle.step),
            games,
            samples,
            evaluations_per_second: number(|cycle| cycle.play.evaluations_per_second),
            resident_mib: number(|cycle| cycle.resident_mib),
            draw_share: number(|cycle| cycle.play.games.draw_share),
            median_turns: number(|cycle| cycle.play.games.median_turns),
            losses: run.cycles.iter().rev().find_map(|cycle| Some(cycle.training.as_ref()?.losses.clone())),
            evaluated_cycle: evaluated.map(|cycle| cycle.cycle),
            ladder: evaluated.map(|cycle| cycle.ladder.clone()).unwrap_or_default(),
            alarms,
            faults: run.faults.clone(),
        }
    }

    /// Minutes in a reader's words.
    pub fn work(&self) -> String {
        clock::in_words(self.minutes * 60.0)
    }

    /// The newest results in a line.
    pub fn results(&self) -> String {
        let one = |result: &LadderMetrics| {
            format!("{}@{} {:.0} %", result.opponent, result.simulations, 100.0 * result.score)
        };
        self.ladder.iter().map(one).collect::<Vec<_>>().join(", ")
    }
}
