//! One alarm: what should worry the reader of a run, and what to try.

use crate::clock;
use arena::learning::LearningError;
use net::NetError;
use net::checkpoint::CheckpointError;
use selfplay::{EvaluatorError, TrainBatch};
use serde::{Deserialize, Serialize};
use std::fmt;

/// What an alarm is about. The word in files and on the terminal is the name in kebab case.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum AlarmName {
    /// Nearly all games are drawn.
    DrawShare,
    /// Many games are cut off at their longest length.
    TruncatedShare,
    /// Games are suddenly much longer or shorter.
    GameLength,
    /// Games repeat one another.
    RepeatedGames,
    /// Searches hardly spread their visits.
    PolicyEntropy,
    /// Sides would give up games that they do not lose.
    FalseResignation,
    /// Nearly every position is judged as decided.
    ValueSaturation,
    /// The network as it plays answers otherwise than the same network run exactly.
    InferenceDrift,
    /// Training in bf16 computes otherwise than in 32-bit numbers.
    TrainingDrift,
    /// The network loses against the untrained one, or does worse than it against others.
    WeakerThanFirst,
    /// The same against the network of the evaluation before.
    WeakerThanPrevious,
    /// A number is not finite: the run stops.
    NonFinite,
}

impl AlarmName {
    /// All alarms.
    pub const ALL: [AlarmName; 12] = [
        AlarmName::DrawShare,
        AlarmName::TruncatedShare,
        AlarmName::GameLength,
        AlarmName::RepeatedGames,
        AlarmName::PolicyEntropy,
        AlarmName::FalseResignation,
        AlarmName::ValueSaturation,
        AlarmName::InferenceDrift,
        AlarmName::TrainingDrift,
        AlarmName::WeakerThanFirst,
        AlarmName::WeakerThanPrevious,
        AlarmName::NonFinite,
    ];

    /// The word for it.
    pub const fn word(self) -> &'static str {
        match self {
            AlarmName::DrawShare => "draw-share",
            AlarmName::TruncatedShare => "truncated-share",
            AlarmName::GameLength => "game-length",
            AlarmName::RepeatedGames => "repeated-games",
            AlarmName::PolicyEntropy => "policy-entropy",
            AlarmName::FalseResignation => "false-resignation",
            AlarmName::ValueSaturation => "value-saturation",
            AlarmName::InferenceDrift => "inference-drift",
            AlarmName::TrainingDrift => "training-drift",
            AlarmName::WeakerThanFirst => "weaker-than-first",
            AlarmName::WeakerThanPrevious => "weaker-than-previous",
            AlarmName::NonFinite => "non-finite",
        }
    }

    /// What to try, in the words of the config.
    pub const fn what_to_try(self) -> &'static str {
        match self {
            AlarmName::DrawShare => {
                "raise search.margin_weight, so that winning ground counts, or selfplay.random_openings"
            }
            AlarmName::TruncatedShare => {
                "raise search.margin_weight, or choose rules with a shorter draw clock (game.options)"
            }
            AlarmName::GameLength => {
                "look at a game of the cycle; a lower training.learning_rate.peak or training.reuse makes play \
                 change more slowly"
            }
            AlarmName::RepeatedGames => {
                "raise selfplay.random_openings.share or selfplay.temperature, or give more selfplay.starts"
            }
            AlarmName::PolicyEntropy => {
                "raise selfplay.temperature.opening and selfplay.random_openings.share, or lower training.reuse \
                 and search.gumbel.value_scale"
            }
            AlarmName::FalseResignation => {
                "lower selfplay.resignation.below.value, raise its turns, or set selfplay.resignation = \"never\""
            }
            AlarmName::ValueSaturation => {
                "lower training.reuse or training.loss.value, raise window.size, or mix search results into the \
                 targets (training.targets.value)"
            }
            AlarmName::InferenceDrift => {
                "set inference.precision = \"fp32\"; where it is that already, look at train doctor and report it"
            }
            AlarmName::TrainingDrift => {
                "set training.precision = \"fp32\", or lower training.learning_rate.peak if the weights have grown large"
            }
            AlarmName::WeakerThanFirst => {
                "lower training.learning_rate.peak or training.reuse, raise selfplay.simulations or window.size, and \
                 check the rules (game.options)"
            }
            AlarmName::WeakerThanPrevious => {
                "wait for one more evaluation; if it goes on, lower training.learning_rate.peak or training.reuse, \
                 or go back: delete the newest checkpoints and add --resume"
            }
            AlarmName::NonFinite => {
                "the last checkpoint is intact: add --resume with a lower training.learning_rate.peak, a \
                 training.clip_norm of 1 or training.precision = \"fp32\""
            }
        }
    }
}

impl fmt::Display for AlarmName {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str(self.word())
    }
}

/// An alarm as it stands in `metrics.jsonl` (a line of kind `alarm`) and, with event `alarm`, in
/// `log.jsonl`.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Alarm {
    /// Seconds since 1970.
    pub time: f64,
    /// What it is about.
    pub name: AlarmName,
    /// The cycle, from 1.
    pub cycle: u64,
    /// The number that was found; `None` where it is not finite.
    pub value: Option<f64>,
    /// The threshold that it is at or beyond; `None` where there is none.
    pub threshold: Option<f64>,
    /// What was found, in a line for people.
    pub message: String,
    /// What to try ([`AlarmName::what_to_try`]).
    pub what_to_try: String,
    /// Where a number is not finite, the sample or position it belongs to, as far as that is known.
    pub sample: Option<SampleId>,
}

/// A position of a game of the run.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct SampleId {
    /// Number of the game ([`game::record::GameRecord::id`]).
    pub game: u64,
    /// The step that was to be played, from 1.
    pub step: u64,
}

impl SampleId {
    /// From the id of a sample in a batch.
    fn of_batch(id: u64) -> SampleId {
        let (game, step) = TrainBatch::game_and_step(id);
        SampleId { game, step: step as u64 + 1 }
    }
}

impl Alarm {
    /// An alarm of this moment.
    pub fn new(name: AlarmName, cycle: u64, value: f64, threshold: f64, message: String) -> Alarm {
        Alarm {
            time: clock::unix_time(),
            name,
            cycle,
            value: Some(value).filter(|value| value.is_finite()),
            threshold: Some(threshold),
            message,
            what_to_try: name.what_to_try().to_owned(),
            sample: None,
        }
    }

    /// The alarm of an error that stops the run because a number is not finite; `None` for other errors.
    pub fn of_error(cycle: u64, error: &anyhow::Error) -> Option<Alarm> {
        let sample = error.chain().find_map(|cause| {
            if let Some(error) = cause.downcast_ref::<NetError>() {
                return non_finite(error);
            }
            if let Some(CheckpointError::Net(error)) = cause.downcast_ref::<CheckpointError>() {
                return non_finite(error);
            }
            match cause.downcast_ref::<LearningError>() {
                Some(LearningError::Evaluator(EvaluatorError::NotFiniteAt { game, step })) => {
                    Some(Some(SampleId { game: *game, step: *step }))
                }
                Some(LearningError::Evaluator(EvaluatorError::NotFinite { .. })) => Some(None),
                _ => None,
            }
        })?;
        let mut message = format!("{error:#}");
        if let Some(SampleId { game, step }) = sample
            && !message.contains(&format!("game {game}, step {step}"))
        {
            message.push_str(&format!(" (game {game}, step {step})"));
        }
        Some(Alarm {
            time: clock::unix_time(),
            name: AlarmName::NonFinite,
            cycle,
            value: None,
            threshold: None,
            message,
            what_to_try: AlarmName::NonFinite.what_to_try().to_owned(),
            sample,
        })
    }

    /// A line for people.
    pub fn line(&self) -> String {
        format!("alarm {} in cycle {}: {}; try: {}", self.name, self.cycle, self.message, self.what_to_try)
    }
}

/// For errors about numbers that are not finite: the sample, where one is known.
fn non_finite(error: &NetError) -> Option<Option<SampleId>> {
    match error {
        NetError::NonFiniteSample { id, .. }
        | NetError::NonFiniteGradient { id, .. }
        | NetError::NonFiniteUpdate { id, .. } => Some(Some(SampleId::of_batch(*id))),
        NetError::NonFiniteWeight { .. } => Some(None),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_in_files_are_the_words_and_every_alarm_is_documented() {
        let page = include_str!("../../../docs/alarms.md");
        for name in AlarmName::ALL {
            assert_eq!(serde_json::to_string(&name).unwrap(), format!("\"{}\"", name.word()));
            assert!(page.contains(&format!("`{}`", name.word())), "{name} is not in docs/alarms.md");
            for key in name.what_to_try().split([' ', ',', ';']).filter(|word| word.contains('.')) {
                let section = key.trim_start_matches('(').split('.').next().unwrap_or_default();
                let known = ["search", "selfplay", "training", "window", "game", "inference"];
                assert!(known.contains(&section), "{key}");
            }
        }
    }

    #[test]
    fn only_errors_about_numbers_ring() {
        let net = NetError::NonFiniteSample { id: TrainBatch::sample_id(12, 4), row: 3, what: "value loss" };
        let alarm = Alarm::of_error(2, &anyhow::Error::new(net).context("training step 7")).unwrap();
        assert_eq!(alarm.name, AlarmName::NonFinite);
        assert_eq!(alarm.sample, Some(SampleId { game: 12, step: 5 }));
        assert!(alarm.message.starts_with("training step 7: ") && alarm.message.contains("game 12, step 5"));
        let play = LearningError::Evaluator(EvaluatorError::NotFiniteAt { game: 3, step: 9 });
        let alarm = Alarm::of_error(2, &anyhow::Error::new(play)).unwrap();
        assert_eq!(alarm.sample, Some(SampleId { game: 3, step: 9 }));
        let weight = NetError::NonFiniteWeight { tensor: "stem.weight".to_owned() };
        assert_eq!(Alarm::of_error(2, &anyhow::Error::new(weight)).unwrap().sample, None);
        assert_eq!(Alarm::of_error(2, &anyhow::anyhow!("no space left")), None);
        assert_eq!(Alarm::of_error(2, &anyhow::Error::new(NetError::Config(vec![]))), None);
    }
}
