//! Looks at every cycle and rings the alarms.

use crate::alarm::{Alarm, AlarmName};
use crate::config::AlarmsConfig;
use crate::metrics::{CycleMetrics, LadderMetrics, Metric};
use std::collections::VecDeque;

/// Thresholds, and what is remembered of earlier cycles.
#[derive(Clone, Debug)]
pub struct AlarmWatch {
    config: AlarmsConfig,
    /// Median lengths of the newest judged cycles, at most `length_cycles`.
    lengths: VecDeque<f64>,
    /// The untrained network's results.
    first: Vec<LadderMetrics>,
    /// Results of the evaluation before.
    previous: Vec<LadderMetrics>,
}

impl AlarmWatch {
    /// A watch over a run that has these records so far.
    pub fn new(config: &AlarmsConfig, past: &[Metric]) -> AlarmWatch {
        let mut watch = AlarmWatch {
            config: config.clone(),
            lengths: VecDeque::new(),
            first: Vec::new(),
            previous: Vec::new(),
        };
        for metric in past {
            if let Metric::Cycle(metrics) = metric {
                watch.remember(metrics);
            }
        }
        watch
    }

    /// The alarms of a cycle; the next one is compared with it.
    pub fn cycle(&mut self, metrics: &CycleMetrics) -> Vec<Alarm> {
        let mut alarms = Vec::new();
        let cycle = metrics.cycle;
        let mut ring = |name, value, threshold, message| {
            alarms.push(Alarm::new(name, cycle, value, threshold, message));
        };
        if self.judges_play(metrics) {
            self.play(metrics, &mut ring);
        }
        self.inference(metrics, &mut ring);
        for result in &metrics.ladder {
            self.strength(result, cycle, &mut ring);
        }
        self.remember(metrics);
        alarms
    }

    /// Whether the games of a cycle say something about the network.
    fn judges_play(&self, metrics: &CycleMetrics) -> bool {
        metrics.play.teacher.is_none() && metrics.play.games.games >= self.config.least_games.max(1)
    }

    fn play(&self, metrics: &CycleMetrics, ring: &mut impl FnMut(AlarmName, f64, f64, String)) {
        let (config, games) = (&self.config, &metrics.play.games);
        if games.draw_share >= config.draw_share {
            let message = format!("{} of the games are draws", percent(games.draw_share));
            ring(AlarmName::DrawShare, games.draw_share, config.draw_share, message);
        }
        if games.truncated_share >= config.truncated_share {
            let message = format!("{} of the games are cut off", percent(games.truncated_share));
            ring(AlarmName::TruncatedShare, games.truncated_share, config.truncated_share, message);
        }
        let distinct = games.distinct_games as f64 / games.games as f64;
        if distinct < config.distinct_share {
            let message = format!("only {} of the games differ", percent(distinct));
            ring(AlarmName::RepeatedGames, distinct, config.distinct_share, message);
        }
        if games.full_share > 0.0 && games.policy_entropy < config.policy_entropy {
            let message =
                format!("the searches' policies have an entropy of {:.3} nats", games.policy_entropy);
            ring(AlarmName::PolicyEntropy, games.policy_entropy, config.policy_entropy, message);
        }
        let play = &metrics.play;
        let wrong = play.false_resignation_share();
        if play.played_on >= config.least_games.max(1) && wrong > config.false_resignation {
            let message = format!(
                "{} of the games that a side would have given up, and that were played on, were not lost",
                percent(wrong)
            );
            ring(AlarmName::FalseResignation, wrong, config.false_resignation, message);
        }
        if games.mean_absolute_value >= config.value_size {
            let message = format!("the mean size of the expected result is {:.3}", games.mean_absolute_value);
            ring(AlarmName::ValueSaturation, games.mean_absolute_value, config.value_size, message);
        }
        if self.lengths.len() == config.length_cycles {
            let usual = self.lengths.iter().sum::<f64>() / self.lengths.len() as f64;
            let factor = games.median_turns / usual;
            if usual > 0.0 && (factor >= config.length_factor || factor <= 1.0 / config.length_factor) {
                let message =
                    format!("the median game has {:.0} turns after {usual:.0} before", games.median_turns);
                ring(AlarmName::GameLength, factor, config.length_factor, message);
            }
        }
    }

    /// Compares the network as it played and trained with the same network run exactly.
    fn inference(&self, metrics: &CycleMetrics, ring: &mut impl FnMut(AlarmName, f64, f64, String)) {
        let trained = metrics.training.as_ref().and_then(|training| training.precision_difference);
        for (name, where_, found) in [
            (AlarmName::InferenceDrift, "in play", metrics.play.inference_difference),
            (AlarmName::TrainingDrift, "in training", trained),
        ] {
            let Some(found) = found else { continue };
            for (what, mean, largest, threshold) in [
                ("policies", found.policy, found.largest_policy, self.config.policy_difference),
                ("expected results", found.value, found.largest_value, self.config.value_difference),
            ] {
                // A distance that is no number is no small one.
                if mean >= threshold || mean.is_nan() {
                    let message = format!(
                        "the {what} {where_} are {mean:.4} from those of the exact network on average, \
                         {largest:.4} at most"
                    );
                    ring(name, mean, threshold, message);
                }
            }
        }
    }

    /// Compares a result with those of the untrained network and of the evaluation before.
    fn strength(
        &self,
        result: &LadderMetrics,
        cycle: u64,
        ring: &mut impl FnMut(AlarmName, f64, f64, String),
    ) {
        // Without an interval a score says nothing.
        let Some(high) = result.high.filter(|_| cycle > 0) else { return };
        let own = |opponent: &str| result.opponent == opponent;
        for (name, opponent, threshold, earlier) in [
            (AlarmName::WeakerThanFirst, "first", self.config.score_against_first, &self.first),
            (AlarmName::WeakerThanPrevious, "previous", self.config.score_against_previous, &self.previous),
        ] {
            if own(opponent) && high < threshold {
                let message = format!(
                    "the score against `{opponent}` at {} simulations is {}, at most {}",
                    result.simulations,
                    percent(result.score),
                    percent(high)
                );
                ring(name, high, threshold, message);
            }
            // The opponents that change with the run are no measure over time; a threshold of 0 turns the
            // alarm off.
            if own("first") || own("previous") || threshold == 0.0 {
                continue;
            }
            let same = |other: &&LadderMetrics| {
                other.opponent == result.opponent && other.simulations == result.simulations
            };
            if let Some(before) = earlier.iter().find(same)
                && let Some(low) = before.low.filter(|&low| high < low)
            {
                let message = format!(
                    "the score against {} at {} simulations fell from {} to {}, at most {}",
                    result.opponent,
                    result.simulations,
                    percent(before.score),
                    percent(result.score),
                    percent(high)
                );
                ring(name, high, low, message);
            }
        }
    }

    fn remember(&mut self, metrics: &CycleMetrics) {
        if self.judges_play(metrics) {
            self.lengths.push_back(metrics.play.games.median_turns);
            if self.lengths.len() > self.config.length_cycles {
                self.lengths.pop_front();
            }
        }
        if metrics.cycle == 0 {
            self.first.clone_from(&metrics.ladder);
        }
        if !metrics.ladder.is_empty() {
            self.previous.clone_from(&metrics.ladder);
        }
    }
}

fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::{Losses, PlayMetrics, TrainingMetrics};
    use selfplay::{Difference, GameSummary};

    /// A cycle that rings nothing.
    fn healthy(cycle: u64) -> CycleMetrics {
        let games = GameSummary {
            games: 100,
            draw_share: 0.2,
            truncated_share: 0.0,
            median_turns: 40.0,
            full_share: 1.0,
            policy_entropy: 1.2,
            mean_absolute_value: 0.5,
            distinct_games: 100,
            ..GameSummary::default()
        };
        CycleMetrics {
            time: 0.0,
            cycle,
            step: 10,
            minutes: 2.0,
            play: PlayMetrics { games, ..PlayMetrics::default() },
            training: None,
            window_samples: 0,
            window_games: 0,
            ladder: Vec::new(),
            gate: None,
            resident_mib: 100.0,
            seconds: [].into(),
        }
    }

    fn result(opponent: &str, low: f64, score: f64, high: f64) -> LadderMetrics {
        LadderMetrics {
            opponent: opponent.to_owned(),
            simulations: 16,
            games: 40,
            distinct_games: 40,
            wins: 0,
            draws: 0,
            losses: 0,
            truncated: 0,
            score,
            low: Some(low),
            high: Some(high),
        }
    }

    /// Three healthy cycles, then this one.
    fn rings(spoil: impl Fn(&mut CycleMetrics)) -> Vec<AlarmName> {
        let mut watch = AlarmWatch::new(&AlarmsConfig::default(), &[]);
        for cycle in 1..=3 {
            assert_eq!(watch.cycle(&healthy(cycle)), []);
        }
        let mut metrics = healthy(4);
        spoil(&mut metrics);
        let alarms = watch.cycle(&metrics);
        for alarm in &alarms {
            assert_eq!(alarm.cycle, 4);
            assert!(alarm.line().contains(alarm.name.word()) && alarm.line().contains("try: "));
        }
        alarms.into_iter().map(|alarm| alarm.name).collect()
    }

    #[test]
    fn every_alarm_of_play_rings_at_its_threshold_and_not_before() {
        type Set = fn(&mut GameSummary, f64);
        let table: [(AlarmName, Set, f64, f64); 7] = [
            (AlarmName::DrawShare, |games, value| games.draw_share = value, 0.79, 0.8),
            (AlarmName::TruncatedShare, |games, value| games.truncated_share = value, 0.49, 0.5),
            (AlarmName::GameLength, |games, value| games.median_turns = value, 99.0, 100.0),
            (AlarmName::GameLength, |games, value| games.median_turns = value, 17.0, 16.0),
            (AlarmName::RepeatedGames, |games, value| games.distinct_games = value as u64, 90.0, 89.0),
            (AlarmName::PolicyEntropy, |games, value| games.policy_entropy = value, 0.1, 0.09),
            (AlarmName::ValueSaturation, |games, value| games.mean_absolute_value = value, 0.94, 0.95),
        ];
        for (name, set, quiet, loud) in table {
            assert_eq!(rings(|metrics| set(&mut metrics.play.games, quiet)), [], "{name} at {quiet}");
            assert_eq!(rings(|metrics| set(&mut metrics.play.games, loud)), [name], "at {loud}");
            // A handful of games says nothing.
            let few = rings(|metrics| {
                set(&mut metrics.play.games, loud);
                metrics.play.games.games = 19;
            });
            assert_eq!(few, [], "{name} with few games");
        }
    }

    #[test]
    fn games_of_a_teacher_say_nothing_about_the_network() {
        let found = rings(|metrics| {
            metrics.play.games.policy_entropy = 0.0;
            metrics.play.games.mean_absolute_value = 1.0;
            metrics.play.teacher = Some("alphabeta:2".to_owned());
        });
        assert_eq!(found, []);
    }

    #[test]
    fn giving_up_games_that_are_not_lost_rings() {
        for (played_on, wrong, right) in
            [(20, 1, vec![]), (20, 2, vec![AlarmName::FalseResignation]), (19, 19, vec![])]
        {
            let found = rings(|metrics| {
                metrics.play.played_on = played_on;
                metrics.play.false_resignations = wrong;
            });
            assert_eq!(found, right, "{wrong} of {played_on}");
        }
    }

    #[test]
    fn a_network_that_plays_otherwise_than_it_is_rings() {
        use AlarmName::InferenceDrift;
        for (policy, value, right) in [
            (0.049, 0.049, vec![]),
            (0.05, 0.0, vec![InferenceDrift]),
            (0.0, 0.05, vec![InferenceDrift]),
            (f64::NAN, 0.2, vec![InferenceDrift, InferenceDrift]),
        ] {
            let found = rings(|metrics| {
                // Also where hardly a game was finished.
                metrics.play.games.games = 1;
                let difference = Difference { policy, value, largest_policy: 1.0, largest_value: 1.0 };
                metrics.play.inference_difference = Some(difference);
            });
            assert_eq!(found, right, "{policy} {value}");
        }
        let found = rings(|metrics| {
            metrics.training = Some(TrainingMetrics {
                steps: 1,
                learning_rate: 0.1,
                losses: Losses::default(),
                positions_per_second: 1.0,
                precision_difference: Some(Difference { value: 0.06, ..Difference::default() }),
            });
        });
        assert_eq!(found, [AlarmName::TrainingDrift]);
    }

    #[test]
    fn losses_against_earlier_networks_ring() {
        use AlarmName::{WeakerThanFirst, WeakerThanPrevious};
        for (opponent, high, right) in [
            ("first", 0.5, vec![]),
            ("first", 0.49, vec![WeakerThanFirst]),
            ("previous", 0.5, vec![]),
            ("previous", 0.49, vec![WeakerThanPrevious]),
            ("random", 0.1, vec![]),
        ] {
            let found = rings(|metrics| metrics.ladder = vec![result(opponent, 0.05, 0.09, high)]);
            assert_eq!(found, right, "{opponent} {high}");
        }
        let unsure = rings(|metrics| {
            metrics.ladder = vec![LadderMetrics { low: None, high: None, ..result("first", 0.0, 0.0, 0.0) }]
        });
        assert_eq!(unsure, [], "no interval, no alarm");
    }

    #[test]
    fn falling_scores_against_others_ring() {
        use AlarmName::{WeakerThanFirst, WeakerThanPrevious};
        let with = |cycle, score: f64| CycleMetrics {
            ladder: vec![
                result("greedy", score - 0.1, score, score + 0.1),
                // Beating the first network less clearly than before is no loss of strength.
                result("first", 0.6, 0.7, 0.8),
            ],
            ..healthy(cycle)
        };
        let mut watch = AlarmWatch::new(&AlarmsConfig::default(), &[]);
        let mut names = |metrics: &CycleMetrics| -> Vec<AlarmName> {
            watch.cycle(metrics).into_iter().map(|alarm| alarm.name).collect()
        };
        assert_eq!(names(&with(0, 0.3)), []);
        assert_eq!(names(&with(5, 0.7)), []);
        assert_eq!(names(&healthy(6)), []);
        assert_eq!(names(&with(10, 0.55)), [], "the intervals overlap");
        assert_eq!(names(&with(15, 0.3)), [WeakerThanPrevious]);
        assert_eq!(names(&with(20, 0.05)), [WeakerThanFirst, WeakerThanPrevious]);
    }

    #[test]
    fn thresholds_out_of_reach_turn_alarms_off() {
        let config = AlarmsConfig {
            draw_share: 2.0,
            policy_entropy: 0.0,
            score_against_first: 0.0,
            score_against_previous: 0.0,
            ..AlarmsConfig::default()
        };
        let mut watch = AlarmWatch::new(&config, &[]);
        let before = CycleMetrics { ladder: vec![result("greedy", 0.8, 0.9, 1.0)], ..healthy(0) };
        assert_eq!(watch.cycle(&before), []);
        let mut metrics = healthy(1);
        metrics.play.games.draw_share = 1.0;
        metrics.play.games.policy_entropy = 0.0;
        metrics.ladder = vec![result("greedy", 0.0, 0.0, 0.1), result("first", 0.0, 0.0, 0.1)];
        assert_eq!(watch.cycle(&metrics), []);
    }

    #[test]
    fn a_watch_over_a_resumed_run_remembers() {
        let mut loud = healthy(4);
        loud.play.games.median_turns = 100.0;
        loud.ladder = vec![result("greedy", 0.0, 0.0, 0.1)];
        let past: Vec<Metric> = (0..4)
            .map(|cycle| {
                let ladder = vec![result("greedy", 0.8, 0.9, 1.0)];
                Metric::Cycle(Box::new(CycleMetrics { ladder, ..healthy(cycle) }))
            })
            .collect();
        assert_eq!(AlarmWatch::new(&AlarmsConfig::default(), &past).cycle(&loud).len(), 3);
        assert_eq!(AlarmWatch::new(&AlarmsConfig::default(), &[]).cycle(&loud).len(), 0);
    }
}
