//! The numbers of a run: what `metrics.jsonl` holds, one JSON object a line.

use crate::alarm::Alarm;
use crate::file_error::at;
use crate::tensorboard::EventFile;
use selfplay::{Difference, GameSummary};
use serde::{Deserialize, Serialize};
use statistics::sequential::Verdict;
use std::collections::BTreeMap;
use std::fs::{File, OpenOptions};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// One line of `metrics.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "kind")]
pub enum Metric {
    /// Means over an interval of training steps.
    Step(StepMetrics),
    /// A whole cycle.
    Cycle(Box<CycleMetrics>),
    /// Something that should worry the reader; it follows the record of its cycle, if that has one.
    Alarm(Alarm),
}

/// Losses in nats, means over an interval of training steps.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Losses {
    /// Weighted sum of the losses.
    pub total: f64,
    /// Cross-entropy of the policy over legal steps.
    pub policy: f64,
    /// Cross-entropy of win, draw and loss.
    pub value: f64,
    /// Huber loss of the points margin.
    pub margin: f64,
    /// Entropy of the network's policy.
    pub policy_entropy: f64,
    /// Entropy of the policy targets: the least that `policy` can be.
    pub target_entropy: f64,
    /// Share of samples in which the network's likeliest step is the target's.
    pub top1_agreement: f64,
    /// Euclidean norm of the gradient before clipping.
    pub gradient_norm: f64,
    /// Losses of the auxiliary heads that the network has (`net.auxiliary`), by name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub auxiliary: BTreeMap<String, f64>,
}

/// An interval of training steps.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct StepMetrics {
    /// Seconds since 1970.
    pub time: f64,
    /// The cycle, from 1.
    pub cycle: u64,
    /// Training steps so far, the last of the interval included.
    pub step: u64,
    /// Learning rate of the last step.
    pub learning_rate: f64,
    /// Means over the interval.
    pub losses: Losses,
    /// Samples trained a second.
    pub positions_per_second: f64,
}

/// A cycle: play, train, evaluate.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct CycleMetrics {
    /// Seconds since 1970, at its end.
    pub time: f64,
    /// The cycle, from 1.
    pub cycle: u64,
    /// Training steps so far.
    pub step: u64,
    /// Minutes of work so far, over all starts of the run.
    pub minutes: f64,
    /// What self-play did.
    pub play: PlayMetrics,
    /// What training did; `None` while the window was too small.
    pub training: Option<TrainingMetrics>,
    /// Samples in the replay window.
    pub window_samples: u64,
    /// Games in the replay window.
    pub window_games: u64,
    /// Results against the fixed ladder; empty in cycles without evaluation.
    pub ladder: Vec<LadderMetrics>,
    /// The match at the gate, in cycles that have one.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub gate: Option<GateMetrics>,
    /// Resident memory of the process, MiB.
    pub resident_mib: f64,
    /// Seconds of each phase: `play`, `train`, `publish`, `gate`, `evaluate`, and `save` of the checkpoint before.
    pub seconds: BTreeMap<String, f64>,
}

/// Self-play of a cycle: games that finished in it.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct PlayMetrics {
    /// What the games were like; its keys stand beside these.
    #[serde(flatten)]
    pub games: GameSummary,
    /// Positions judged by the network a second, over all workers.
    pub evaluations_per_second: f64,
    /// Games finished a second.
    pub games_per_second: f64,
    /// Searched steps a second.
    pub positions_per_second: f64,
    /// Share of the workers' time spent outside the network.
    pub outside_network_share: f64,
    /// Share of judgements answered by the cache.
    pub cache_hit_share: f64,
    /// Mean rows of a batch by its capacity.
    pub batch_fill: f64,
    /// Games that a side gave up.
    #[serde(default)]
    pub resigned: u64,
    /// Games played to their end although a side would have given up.
    #[serde(default)]
    pub played_on: u64,
    /// Games among them that this side did not lose.
    #[serde(default)]
    pub false_resignations: u64,
    /// Start positions drawn for new games.
    #[serde(default)]
    pub starts: u64,
    /// Starts that were thrown away before them because the rules declare them void.
    #[serde(default)]
    pub void_starts: u64,
    /// Share of void starts among all that were drawn.
    #[serde(default)]
    pub void_start_share: f64,
    /// Starts for which the uniform source stood in after too many void ones in a row.
    #[serde(default)]
    pub fallback_starts: u64,
    /// How far the network as it played was from the same network run exactly, on positions that are the same
    /// in every cycle; `None` in records of older programs.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub inference_difference: Option<Difference>,
    /// The built-in opponent that played the games; `None` where the network did.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub teacher: Option<String>,
}

impl PlayMetrics {
    /// Share of the games that a side would have given up, and that were played on, which it did not lose.
    pub fn false_resignation_share(&self) -> f64 {
        self.false_resignations as f64 / self.played_on.max(1) as f64
    }
}

/// Training of a cycle.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct TrainingMetrics {
    /// Steps.
    pub steps: u64,
    /// Learning rate of the last step.
    pub learning_rate: f64,
    /// Means over the steps.
    pub losses: Losses,
    /// Samples trained a second.
    pub positions_per_second: f64,
    /// How far the passes in bf16 were from the same passes in 32-bit numbers, on the cycle's first batch; `None`
    /// where training is in 32-bit numbers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub precision_difference: Option<Difference>,
}

/// A match against one opponent of the fixed ladder, from the trained agent's side.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct LadderMetrics {
    /// The opponent.
    pub opponent: String,
    /// Simulations a turn of the agent, and of the opponent if it is a checkpoint.
    pub simulations: u32,
    /// Games.
    pub games: u64,
    /// Games that differ.
    pub distinct_games: u64,
    /// Wins.
    pub wins: u64,
    /// Draws.
    pub draws: u64,
    /// Losses.
    pub losses: u64,
    /// Games cut off without a result; half a point each.
    pub truncated: u64,
    /// Score from 0 to 1.
    pub score: f64,
    /// Lower end of the 95 % interval; `None` where too few games are distinct.
    pub low: Option<f64>,
    /// Upper end.
    pub high: Option<f64>,
}

/// The match between a newly trained network and the one that plays, from the new one's side.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct GateMetrics {
    /// Cycle of the network that played until now.
    pub playing: u64,
    /// Whether the new network takes over.
    pub passed: bool,
    /// What the test said.
    pub verdict: Verdict,
    /// Logarithm of how much more likely the pairs are under H1 than under H0.
    pub log_likelihood_ratio: f64,
    /// Pairs that the test counted.
    pub pairs: u64,
    /// Their score from 0 to 1. A test that stops when the result is clear makes it too large or too small.
    pub score: f64,
}

/// Writes metrics: `metrics.jsonl` and TensorBoard's event file.
pub struct MetricsWriter {
    path: PathBuf,
    file: File,
    events: EventFile,
}

impl MetricsWriter {
    /// Opens the metrics of a run. Records from after `cycle` and `step`, where the run goes on, are
    /// dropped: they will be written again. What is no record is dropped too.
    ///
    /// # Errors
    /// Any error of the file system, with the file.
    pub fn open(path: &Path, events: &Path, cycle: u64, step: u64) -> io::Result<(MetricsWriter, Dropped)> {
        let dropped = drop_later(path, cycle, step).map_err(at(path))?;
        let file = OpenOptions::new().create(true).append(true).open(path).map_err(at(path))?;
        Ok((MetricsWriter { path: path.to_owned(), file, events: EventFile::create(events)? }, dropped))
    }

    /// Writes one record.
    ///
    /// # Errors
    /// Any error of the file system, with the file.
    pub fn write(&mut self, metric: &Metric) -> io::Result<()> {
        let mut line = serde_json::to_string(metric)?;
        line.push('\n');
        self.file.write_all(line.as_bytes()).map_err(at(&self.path))?;
        let (step, scalars) = scalars(metric);
        if scalars.is_empty() { Ok(()) } else { self.events.scalars(step, &scalars) }
    }
}

/// What [`MetricsWriter::open`] left out.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Dropped {
    /// Records of work that is done again, and a last line that was cut off.
    pub later: usize,
    /// Numbers of lines in the middle that are no records, from 1: the file was damaged.
    pub damaged: Vec<usize>,
}

/// Removes records from after a cycle and a step, and what is no record.
fn drop_later(path: &Path, cycle: u64, step: u64) -> io::Result<Dropped> {
    let bytes = match files::read(path) {
        Ok(bytes) => bytes,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Dropped::default()),
        Err(error) => return Err(error),
    };
    let mut dropped = Dropped::default();
    let mut whole = Vec::with_capacity(bytes.len());
    for (index, line) in bytes.split_inclusive(|&byte| byte == b'\n').enumerate() {
        let keep = match serde_json::from_slice::<Metric>(line) {
            Ok(Metric::Step(metrics)) => metrics.step <= step,
            Ok(Metric::Cycle(metrics)) => metrics.cycle <= cycle,
            Ok(Metric::Alarm(alarm)) => alarm.cycle <= cycle,
            Err(_) if line.ends_with(b"\n") => {
                dropped.damaged.push(index + 1);
                continue;
            }
            Err(_) => false,
        };
        if keep {
            whole.extend_from_slice(line.strip_suffix(b"\n").unwrap_or(line));
            whole.push(b'\n');
        } else {
            dropped.later += 1;
        }
    }
    if whole != bytes {
        files::write(path, &whole)?;
    }
    Ok(dropped)
}

/// Reads all records of a run, for reports and tests.
///
/// # Errors
/// An error of the file system, or a line that is no record, with its number.
pub fn read(path: &Path) -> io::Result<Vec<Metric>> {
    let text = files::read_text(path).map_err(at(path))?;
    let line = |(number, line): (usize, &str)| {
        serde_json::from_str(line).map_err(|error| {
            let place: PathBuf = path.to_owned();
            io::Error::new(
                io::ErrorKind::InvalidData,
                format!("{}: line {}: {error}", place.display(), number + 1),
            )
        })
    };
    text.lines().enumerate().map(line).collect()
}

/// What TensorBoard shows of a record: the training step and named numbers.
fn scalars(metric: &Metric) -> (u64, Vec<(String, f64)>) {
    let mut list = Vec::new();
    let mut add = |tag: &str, value: f64| list.push((tag.to_owned(), value));
    let step = match metric {
        Metric::Step(metrics) => {
            let losses = &metrics.losses;
            add("loss/total", losses.total);
            add("loss/policy", losses.policy);
            add("loss/value", losses.value);
            add("loss/margin", losses.margin);
            for (head, loss) in &losses.auxiliary {
                add(&format!("loss/{head}"), *loss);
            }
            add("training/policy_entropy", losses.policy_entropy);
            add("training/target_entropy", losses.target_entropy);
            add("training/top1_agreement", losses.top1_agreement);
            add("training/gradient_norm", losses.gradient_norm);
            add("training/learning_rate", metrics.learning_rate);
            add("speed/training_positions", metrics.positions_per_second);
            metrics.step
        }
        Metric::Cycle(metrics) => {
            let play = &metrics.play;
            let games = &play.games;
            add("play/first_win_share", games.first_win_share);
            add("play/second_win_share", games.second_win_share);
            add("play/draw_share", games.draw_share);
            add("play/truncated_share", games.truncated_share);
            add("play/mean_turns", games.mean_turns);
            add("play/captures_per_game", games.captures_per_game);
            add("play/policy_entropy", games.policy_entropy);
            add("play/policy_surprise", games.policy_surprise);
            add("play/mean_absolute_value", games.mean_absolute_value);
            add("play/distinct_share", games.distinct_games as f64 / games.games.max(1) as f64);
            add("speed/evaluations", play.evaluations_per_second);
            add("speed/games", play.games_per_second);
            add("speed/outside_network_share", play.outside_network_share);
            add("speed/cache_hit_share", play.cache_hit_share);
            add("speed/batch_fill", play.batch_fill);
            add("play/void_start_share", play.void_start_share);
            if play.played_on > 0 {
                add("play/false_resignation_share", play.false_resignation_share());
            }
            if let Some(found) = play.inference_difference {
                add("play/policy_difference", found.policy);
                add("play/value_difference", found.value);
            }
            add("run/cycle", metrics.cycle as f64);
            add("run/window_samples", metrics.window_samples as f64);
            add("run/resident_mib", metrics.resident_mib);
            for result in &metrics.ladder {
                add(&format!("ladder/{}", result.opponent), result.score);
            }
            if let Some(gate) = &metrics.gate {
                add("gate/score", gate.score);
                add("gate/passed", f64::from(u8::from(gate.passed)));
            }
            metrics.step
        }
        Metric::Alarm(_) => 0,
    };
    (step, list)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(step: u64) -> Metric {
        Metric::Step(StepMetrics {
            time: 1.5,
            cycle: 1,
            step,
            learning_rate: 0.1,
            losses: Losses::default(),
            positions_per_second: 10.0,
        })
    }

    #[test]
    fn records_come_back_and_later_ones_are_dropped_on_resume() {
        let directory = tempfile::tempdir().unwrap();
        let (path, events) = (directory.path().join("metrics.jsonl"), directory.path().join("tb"));
        let (mut writer, dropped) = MetricsWriter::open(&path, &events, 0, 0).unwrap();
        assert_eq!(dropped, Dropped::default());
        for number in [10, 20, 30] {
            writer.write(&step(number)).unwrap();
        }
        drop(writer);
        assert_eq!(read(&path).unwrap(), [step(10), step(20), step(30)]);
        // A kill in the middle of a line.
        let mut text = std::fs::read_to_string(&path).unwrap();
        text.push_str("{\"kind\":\"step\",\"ti");
        std::fs::write(&path, text).unwrap();
        let (mut writer, dropped) = MetricsWriter::open(&path, &events, 1, 20).unwrap();
        assert_eq!(dropped, Dropped { later: 2, damaged: vec![] });
        writer.write(&step(25)).unwrap();
        assert_eq!(read(&path).unwrap(), [step(10), step(20), step(25)]);
        // A line in the middle that is no text any more is named; the others stay.
        let mut bytes = std::fs::read(&path).unwrap();
        let second = bytes.iter().position(|&byte| byte == b'\n').unwrap() + 1;
        bytes[second + 5] = 0xff;
        std::fs::write(&path, bytes).unwrap();
        let (_, dropped) = MetricsWriter::open(&path, &events, 1, 30).unwrap();
        assert_eq!(dropped, Dropped { later: 0, damaged: vec![2] });
        assert_eq!(read(&path).unwrap(), [step(10), step(25)]);
    }
}
