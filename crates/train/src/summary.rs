//! A cycle in one line.

use crate::clock;
use crate::metrics::{CycleMetrics, LadderMetrics};

/// A line for people.
pub fn line(metrics: &CycleMetrics) -> String {
    let mut parts = vec![format!("cycle {}", metrics.cycle)];
    let play = &metrics.play;
    let games = &play.games;
    if games.games > 0 {
        parts.push(format!(
            "{} games ({} {} {} first/second/draw, {} cut), {} positions, {:.0} turns, {:.1} captures",
            games.games,
            percent(games.first_win_share),
            percent(games.second_win_share),
            percent(games.draw_share),
            percent(games.truncated_share),
            games.samples,
            games.median_turns,
            games.captures_per_game,
        ));
        if play.resigned + play.played_on > 0 {
            parts.push(format!(
                "{} games given up, wrongly in {} of {} played on",
                play.resigned, play.false_resignations, play.played_on
            ));
        }
        if play.void_starts > 0 {
            let all = play.starts + play.void_starts;
            parts.push(format!(
                "{} of {all} starts void, {} stood in for",
                play.void_starts, play.fallback_starts
            ));
        }
        parts.push(match &play.teacher {
            Some(teacher) => format!("played by {teacher}, {:.0} positions/s", play.positions_per_second),
            None => format!(
                "{:.0} evaluations/s, {} outside the network, {} from the cache",
                play.evaluations_per_second,
                percent(play.outside_network_share),
                percent(play.cache_hit_share),
            ),
        });
    }
    if let Some(training) = &metrics.training {
        let losses = &training.losses;
        parts.push(format!(
            "{} steps at {:.0}/s, loss {:.3} (policy {:.3}, value {:.3}, margin {:.3}), agreement {}, rate {:.1e}",
            training.steps,
            training.positions_per_second,
            losses.total,
            losses.policy,
            losses.value,
            losses.margin,
            percent(losses.top1_agreement),
            training.learning_rate,
        ));
    }
    if let Some(gate) = &metrics.gate {
        parts.push(format!(
            "gate: {} of {} pairs against cycle {}, {}",
            percent(gate.score),
            gate.pairs,
            gate.playing,
            if gate.passed { "takes over" } else { "held back" },
        ));
    }
    for result in &metrics.ladder {
        parts.push(against(result));
    }
    let seconds = |phase: &str| metrics.seconds.get(phase).copied().unwrap_or_default();
    parts.push(format!(
        "{} (play {}, train {}, evaluate {}), {:.0} MiB, {} in all",
        clock::in_words(metrics.seconds.values().sum()),
        clock::in_words(seconds("play")),
        clock::in_words(seconds("train")),
        clock::in_words(seconds("evaluate")),
        metrics.resident_mib,
        clock::in_words(metrics.minutes * 60.0),
    ));
    parts.join(" | ")
}

fn against(result: &LadderMetrics) -> String {
    let interval = match (result.low, result.high) {
        (Some(low), Some(high)) => format!(" [{}, {}]", percent(low), percent(high)),
        _ => String::new(),
    };
    format!("vs {}@{} {}{interval}", result.opponent, result.simulations, percent(result.score))
}

fn percent(share: f64) -> String {
    format!("{:.0} %", share * 100.0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::metrics::{GateMetrics, PlayMetrics};
    use selfplay::GameSummary;
    use statistics::sequential::Verdict;

    fn metrics(games: GameSummary) -> CycleMetrics {
        let play = PlayMetrics { games, ..PlayMetrics::default() };
        CycleMetrics {
            time: 0.0,
            cycle: 3,
            step: 10,
            minutes: 2.0,
            play,
            training: None,
            window_samples: 0,
            window_games: 0,
            ladder: vec![LadderMetrics {
                opponent: "greedy".to_owned(),
                simulations: 16,
                games: 20,
                distinct_games: 20,
                wins: 15,
                draws: 0,
                losses: 5,
                truncated: 0,
                score: 0.75,
                low: Some(0.5),
                high: Some(0.9),
            }],
            gate: Some(GateMetrics {
                playing: 1,
                passed: false,
                verdict: Verdict::H0,
                log_likelihood_ratio: -2.3,
                pairs: 20,
                score: 0.45,
            }),
            resident_mib: 100.0,
            seconds: [("play".to_owned(), 61.0)].into(),
        }
    }

    #[test]
    fn a_cycle_fits_on_a_line() {
        let line = line(&metrics(GameSummary { games: 4, first_win_share: 0.75, ..GameSummary::default() }));
        assert!(line.starts_with("cycle 3 | 4 games (75 % 0 % 0 % first/second/draw"), "{line}");
        assert!(line.contains("vs greedy@16 75 % [50 %, 90 %]"), "{line}");
        assert!(line.contains("gate: 45 % of 20 pairs against cycle 1, held back"), "{line}");
        assert!(line.contains("play 1m01s"), "{line}");
    }
}
