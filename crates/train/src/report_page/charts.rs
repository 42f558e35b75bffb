//! The curves of a run, and the same curves of several runs over one another.

use crate::alarm::Alarm;
use crate::metrics::{CycleMetrics, Losses, StepMetrics};
use crate::run_data::RunData;
use clap::ValueEnum;
use report::{Align, Axis, Columns, Html, Layer, LineChart, Mark, Section, Series, Stack, Table, Unit};
use std::collections::{BTreeMap, BTreeSet};

/// What curves run over.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Over {
    /// Cycles.
    #[default]
    Cycles,
    /// Training steps.
    Steps,
    /// Minutes of work.
    Minutes,
}

impl Over {
    fn axis(self) -> Axis {
        Axis::new(match self {
            Over::Cycles => "cycle",
            Over::Steps => "training step",
            Over::Minutes => "minutes of work",
        })
    }

    fn place(self, cycle: &CycleMetrics) -> f64 {
        match self {
            Over::Cycles => cycle.cycle as f64,
            Over::Steps => cycle.step as f64,
            Over::Minutes => cycle.minutes,
        }
    }
}

/// Points of the cycles in which games were finished.
fn played(run: &RunData, over: Over, value: impl Fn(&CycleMetrics) -> f64) -> Vec<(f64, f64)> {
    let cycles = run.cycles.iter().filter(|cycle| cycle.play.games.games > 0);
    cycles.map(|cycle| (over.place(cycle), value(cycle))).collect()
}

/// Points of all cycles.
fn all(run: &RunData, over: Over, value: impl Fn(&CycleMetrics) -> f64) -> Vec<(f64, f64)> {
    run.cycles.iter().map(|cycle| (over.place(cycle), value(cycle))).collect()
}

/// Points of the cycles that trained.
fn trained(run: &RunData, over: Over, value: impl Fn(&Losses) -> f64) -> Vec<(f64, f64)> {
    let cycles = run.cycles.iter();
    cycles.filter_map(|cycle| Some((over.place(cycle), value(&cycle.training.as_ref()?.losses)))).collect()
}

/// The opponents that a run was ever matched with, in the order of their first match.
fn opponents<'a>(runs: impl Iterator<Item = &'a RunData>) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for result in runs.flat_map(|run| &run.cycles).flat_map(|cycle| &cycle.ladder) {
        let name = opponent(&result.opponent, result.simulations);
        if !names.contains(&name) {
            names.push(name);
        }
    }
    names
}

fn opponent(name: &str, simulations: u32) -> String {
    format!("{name}, {simulations} simulations")
}

/// The results against one opponent, with their intervals.
fn results(run: &RunData, over: Over, name: &str, against: &str) -> Series {
    let mut series = Series::new(name, Vec::new());
    for cycle in &run.cycles {
        for result in &cycle.ladder {
            if opponent(&result.opponent, result.simulations) == against {
                let x = over.place(cycle);
                series.points.push((x, result.score));
                if let (Some(low), Some(high)) = (result.low, result.high) {
                    series.band.push((x, low, high));
                }
            }
        }
    }
    series
}

/// Where alarms rang.
fn alarm_marks(run: &RunData) -> Vec<Mark> {
    let mark =
        |alarm: &Alarm| Mark { x: alarm.cycle as f64, text: format!("{}: {}", alarm.name, alarm.message) };
    run.alarms.iter().map(mark).collect()
}

/// Results against fixed opponents over cycles, and the newest ones as a table.
pub fn strength(run: &RunData) -> Section {
    let mut section = Section::new("Strength");
    let names = opponents(std::iter::once(run));
    if names.is_empty() {
        return section;
    }
    let mut chart =
        LineChart::new("Score against fixed opponents", Over::Cycles.axis(), Axis::share("score"))
            .note("Win 1, draw ½; bands are 95 % intervals over pairs of games with colours swapped.");
    chart.marks = alarm_marks(run);
    for name in &names {
        chart.series.push(results(run, Over::Cycles, name, name));
    }
    section = section.chart(chart.to_html());
    if let Some(cycle) = run.last_evaluation() {
        section = section.whole(ladder_table(cycle));
    }
    section
}

/// The matches at the gate, where the run has one.
pub fn gate(run: &RunData) -> Option<Section> {
    let matches: Vec<_> = run.cycles.iter().filter_map(|cycle| Some((cycle, cycle.gate.as_ref()?))).collect();
    let scores = matches.iter().map(|(cycle, gate)| (cycle.cycle as f64, gate.score)).collect();
    let mut chart = LineChart::new("Score at the gate", Over::Cycles.axis(), Axis::share("score"))
        .note("The newest network against the one that plays; marks are where it took over.")
        .with(Series::new("score", scores));
    chart.marks = matches
        .iter()
        .filter(|(_, gate)| gate.passed)
        .map(|(cycle, gate)| Mark {
            x: cycle.cycle as f64,
            text: format!("cycle {} took over from {} after {} pairs", cycle.cycle, gate.playing, gate.pairs),
        })
        .collect();
    (!matches.is_empty()).then(|| Section::new("Gate").chart(chart.to_html()))
}

fn ladder_table(cycle: &CycleMetrics) -> Html {
    let numbers = ["wins", "draws", "losses", "score", "95 % interval"];
    let columns: Vec<(&str, Align)> =
        std::iter::once(("opponent", Align::Left)).chain(numbers.map(|name| (name, Align::Right))).collect();
    let mut table = Table::new(&format!("Newest results, cycle {}", cycle.cycle), &columns);
    let percent = |share: f64| format!("{:.1} %", 100.0 * share);
    for result in &cycle.ladder {
        let interval = match (result.low, result.high) {
            (Some(low), Some(high)) => format!("{} to {}", percent(low), percent(high)),
            _ => format!("{} of {} games differ", result.distinct_games, result.games),
        };
        table.row(vec![
            opponent(&result.opponent, result.simulations),
            result.wins.to_string(),
            (result.draws + result.truncated).to_string(),
            result.losses.to_string(),
            percent(result.score),
            interval,
        ]);
    }
    table.to_html()
}

/// Losses, entropies and the learning rate over training steps.
pub fn learning(run: &RunData) -> Section {
    let x = || Axis::new("training step");
    let points = |value: fn(&StepMetrics) -> f64| -> Vec<(f64, f64)> {
        run.steps.iter().map(|step| (step.step as f64, value(step))).collect()
    };
    let policy = LineChart::new("Policy loss", x(), Axis::new("nats"))
        .note("Cross-entropy over legal steps; it cannot fall below the entropy of its targets.")
        .with(Series::new("policy loss", points(|step| step.losses.policy)))
        .with(Series::new("entropy of the targets", points(|step| step.losses.target_entropy)).dashed())
        .with(Series::new("entropy of the network", points(|step| step.losses.policy_entropy)));
    let value = LineChart::new("Value and margin loss", x(), Axis::from_zero("loss"))
        .note("Value: cross-entropy of win, draw and loss, in nats. Margin: Huber loss.")
        .with(Series::new("value", points(|step| step.losses.value)))
        .with(Series::new("margin", points(|step| step.losses.margin)));
    let heads: BTreeSet<&String> = run.steps.iter().flat_map(|step| step.losses.auxiliary.keys()).collect();
    let auxiliary = heads.iter().fold(
        LineChart::new("Auxiliary losses", x(), Axis::from_zero("loss"))
            .note("What is learned on the side: turns left, the reply, who owns the squares at the end."),
        |chart, &head| {
            let loss = |step: &StepMetrics| step.losses.auxiliary.get(head).copied().unwrap_or_default();
            let points = run.steps.iter().map(|step| (step.step as f64, loss(step))).collect();
            chart.with(Series::new(head, points))
        },
    );
    let total = LineChart::new("Total loss", x(), Axis::new("loss"))
        .note("The weighted sum that is minimised.")
        .with(Series::new("total", points(|step| step.losses.total)));
    let agreement = LineChart::new("Agreement", x(), Axis::share("share"))
        .note("Samples whose likeliest step is the target's.")
        .with(Series::new("agreement", points(|step| step.losses.top1_agreement)));
    let rate = LineChart::new("Learning rate", x(), Axis::from_zero("rate"))
        .with(Series::new("rate", points(|step| step.learning_rate)));
    let gradient = LineChart::new("Gradient", x(), Axis::from_zero("norm"))
        .note("Euclidean norm before clipping.")
        .with(Series::new("norm", points(|step| step.losses.gradient_norm)));
    [policy, value, total, agreement, rate, gradient]
        .into_iter()
        .chain((!heads.is_empty()).then_some(auxiliary))
        .fold(Section::new("Learning"), |section, chart| section.chart(chart.to_html()))
}

/// What self-play's games are like. `lengths` are those of the newest games, in steps.
pub fn self_play(run: &RunData, lengths: &[f64]) -> Section {
    let x = || Over::Cycles.axis();
    let line = |value: fn(&CycleMetrics) -> f64| played(run, Over::Cycles, value);
    let cycles: Vec<&CycleMetrics> = run.cycles.iter().filter(|cycle| cycle.play.games.games > 0).collect();
    let layer = |name: &str, value: fn(&CycleMetrics) -> f64| Layer {
        name: name.to_owned(),
        values: cycles.iter().map(|cycle| value(cycle)).collect(),
    };
    let results = Columns::new(
        "Results",
        x(),
        Stack::Shares,
        "share of games",
        cycles.iter().map(|cycle| cycle.cycle as f64).collect(),
        vec![
            layer("first wins", |cycle| cycle.play.games.first_win_share),
            layer("second wins", |cycle| cycle.play.games.second_win_share),
            layer("draws", |cycle| cycle.play.games.draw_share),
            layer("cut off", |cycle| cycle.play.games.truncated_share),
        ],
    );
    let reasons: Vec<(f64, BTreeMap<String, f64>)> = cycles
        .iter()
        .map(|cycle| {
            let counts = cycle.play.games.reasons.iter();
            (cycle.cycle as f64, counts.map(|(reason, &count)| (reason.clone(), count as f64)).collect())
        })
        .collect();
    let reasons = Columns::of_counts("How games end", x(), Stack::Shares, "share of games", &reasons);
    let length = LineChart::new("Game length", x(), Axis::from_zero("turns"))
        .with(Series::new("median", line(|cycle| cycle.play.games.median_turns)))
        .with(Series::new("mean", line(|cycle| cycle.play.games.mean_turns)).dashed());
    let histogram =
        Columns::histogram("Lengths of the newest games", Axis::new("steps"), "games", lengths, 20);
    let captures = LineChart::new("Captures a game", x(), Axis::from_zero("captures"))
        .with(Series::new("captures", line(|cycle| cycle.play.games.captures_per_game)));
    let margin = LineChart::new("Points margin at the end", x(), Axis::from_zero("points"))
        .note("Mean size, and the mean as the first player sees it.")
        .with(Series::new("size", line(|cycle| cycle.play.games.mean_absolute_margin)))
        .with(Series::new("of the first player", line(|cycle| cycle.play.games.mean_margin)));
    let entropy = LineChart::new("Search policies", x(), Axis::from_zero("nats"))
        .note(
            "Means over full searches. Entropy falls as play becomes sure of itself; near 0 it has collapsed. \
             Surprise is how far a search's policy is from the network's: what it still has to teach.",
        )
        .with(Series::new("entropy", line(|cycle| cycle.play.games.policy_entropy)))
        .with(Series::new("surprise", line(|cycle| cycle.play.games.policy_surprise)).dashed());
    let values = LineChart::new("Size of expected results", x(), Axis::share("mean |value|"))
        .note("Near 0 the network knows nothing, near 100 % it takes every position for decided.")
        .with(Series::new("mean |value|", line(|cycle| cycle.play.games.mean_absolute_value)));
    let share = |part: u64, whole: u64| part as f64 / whole.max(1) as f64;
    let distinct =
        played(run, Over::Cycles, |cycle| share(cycle.play.games.distinct_games, cycle.play.games.games));
    let openings =
        played(run, Over::Cycles, |cycle| share(cycle.play.games.distinct_openings, cycle.play.games.games));
    let variety = LineChart::new("Variety", x(), Axis::share("share of games"))
        .note("Games that differ from all others of their cycle, as a whole and in their first eight steps.")
        .with(Series::new("games", distinct))
        .with(Series::new("openings", openings));
    let void = LineChart::new("Void starts", x(), Axis::share("share of drawn starts"))
        .note("Starts that the rules declare void; they are drawn again.")
        .with(Series::new("void", line(|cycle| cycle.play.void_start_share)));
    let resignation = LineChart::new("Giving up", x(), Axis::share("share of games"))
        .note("Games given up, and those that would have been and were not lost, of all that were played on.")
        .with(Series::new(
            "given up",
            line(|cycle| cycle.play.resigned as f64 / cycle.play.games.games.max(1) as f64),
        ))
        .with(Series::new("wrongly", line(|cycle| cycle.play.false_resignation_share())).dashed());
    let window = LineChart::new("Replay window", x(), Axis::from_zero("samples"))
        .with(Series::new("samples", all(run, Over::Cycles, |cycle| cycle.window_samples as f64)));
    let mut section = Section::new("Self-play");
    for columns in [results, reasons] {
        section = section.chart(columns.to_html());
    }
    section = section.chart(length.to_html()).chart(histogram.to_html());
    for chart in [captures, margin, entropy, values, variety, window] {
        section = section.chart(chart.to_html());
    }
    // Most runs start from positions that are never void, and play every game to its end.
    let gives_up = |cycle: &&CycleMetrics| cycle.play.resigned + cycle.play.played_on > 0;
    for (chart, has_something) in [
        (void, cycles.iter().any(|cycle| cycle.play.void_starts > 0)),
        (resignation, cycles.iter().any(gives_up)),
    ] {
        if has_something {
            section = section.chart(chart.to_html());
        }
    }
    section
}

/// Speed, time and memory.
pub fn speed(run: &RunData) -> Section {
    let x = || Over::Cycles.axis();
    let line = |value: fn(&CycleMetrics) -> f64| played(run, Over::Cycles, value);
    let evaluations = LineChart::new("Evaluations a second", x(), Axis::from_zero("evaluations/s"))
        .note("Positions judged by the network in self-play, all workers together.")
        .with(Series::new("evaluations", line(|cycle| cycle.play.evaluations_per_second)));
    let seconds: Vec<(f64, BTreeMap<String, f64>)> =
        run.cycles.iter().map(|cycle| (cycle.cycle as f64, cycle.seconds.clone())).collect();
    let seconds = Columns::of_counts("Where the time goes", x(), Stack::Amounts, "seconds", &seconds)
        .note("Seconds of each phase of a cycle.");
    let shares = LineChart::new("Self-play efficiency", x(), Axis::share("share"))
        .with(Series::new("time outside the network", line(|cycle| cycle.play.outside_network_share)))
        .with(Series::new("answers from the cache", line(|cycle| cycle.play.cache_hit_share)))
        .with(Series::new("filling of batches", line(|cycle| cycle.play.batch_fill)));
    let games = LineChart::new("Games a second", x(), Axis::from_zero("games/s"))
        .with(Series::new("games", line(|cycle| cycle.play.games_per_second)));
    let training = trained_speed(run);
    let memory = LineChart::new("Memory", x(), Axis::from_zero("MiB"))
        .note("Resident memory of the process at the end of each cycle.")
        .with(Series::new("memory", all(run, Over::Cycles, |cycle| cycle.resident_mib)));
    let mut section = Section::new("Speed and memory").chart(evaluations.to_html()).chart(seconds.to_html());
    for chart in [shares, games, training, memory] {
        section = section.chart(chart.to_html());
    }
    section
}

fn trained_speed(run: &RunData) -> LineChart {
    let points = run.cycles.iter().filter_map(|cycle| {
        let training = cycle.training.as_ref()?;
        Some((cycle.cycle as f64, training.positions_per_second))
    });
    LineChart::new("Samples trained a second", Over::Cycles.axis(), Axis::from_zero("samples/s"))
        .with(Series::new("samples", points.collect()))
}

/// The curves that matter in a comparison, one line a run.
pub fn overlay(runs: &[(String, RunData)], over: Over) -> Vec<Section> {
    let mut strength = Section::new("Strength");
    for name in opponents(runs.iter().map(|(_, run)| run)) {
        let mut chart = LineChart::new(&format!("Score against {name}"), over.axis(), Axis::share("score"));
        chart.series = runs.iter().map(|(label, run)| results(run, over, label, &name)).collect();
        strength = strength.chart(chart.to_html());
    }
    let chart = |title: &str, y: Axis, points: &dyn Fn(&RunData) -> Vec<(f64, f64)>| {
        let mut chart = LineChart::new(title, over.axis(), y);
        chart.series = runs.iter().map(|(label, run)| Series::new(label, points(run))).collect();
        chart.to_html()
    };
    let loss = |title: &str, value: fn(&Losses) -> f64| {
        chart(title, Axis::new("nats"), &|run| trained(run, over, value))
    };
    let play = |title: &str, y: Axis, value: fn(&CycleMetrics) -> f64| {
        chart(title, y, &|run| played(run, over, value))
    };
    let learning = Section::new("Learning")
        .chart(loss("Policy loss", |losses| losses.policy))
        .chart(loss("Policy loss above the entropy of its targets", |losses| {
            losses.policy - losses.target_entropy
        }))
        .chart(loss("Value loss", |losses| losses.value))
        .chart(loss("Entropy of the network's policy", |losses| losses.policy_entropy));
    let share = |label: &str| Axis { unit: Unit::Share, ..Axis::from_zero(label) };
    let self_play = Section::new("Self-play")
        .chart(play("Median game length", Axis::from_zero("turns"), |cycle| cycle.play.games.median_turns))
        .chart(play("Draws", share("share of games"), |cycle| cycle.play.games.draw_share))
        .chart(play("Captures a game", Axis::from_zero("captures"), |cycle| {
            cycle.play.games.captures_per_game
        }))
        .chart(play("Entropy of search policies", Axis::from_zero("nats"), |cycle| {
            cycle.play.games.policy_entropy
        }))
        .chart(play("Size of expected results", share("mean |value|"), |cycle| {
            cycle.play.games.mean_absolute_value
        }));
    let speed = Section::new("Speed and memory")
        .chart(play("Evaluations a second", Axis::from_zero("evaluations/s"), |cycle| {
            cycle.play.evaluations_per_second
        }))
        .chart(chart("Memory", Axis::from_zero("MiB"), &|run| all(run, over, |cycle| cycle.resident_mib)));
    vec![strength, learning, self_play, speed]
}
