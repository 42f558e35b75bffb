//! What good set-ups have in common, and whom that rests on.

use super::{percent, range};
use crate::explain::HeatMap;
use crate::findings::Findings;
use commander::point::FILES;
use report::cross_table::CrossCell;
use report::intervals::IntervalLine;
use report::scatter::Dot;
use report::{Align, Axis, Grid, Html, Intervals, Level, Notice, Scatter, Section, Table, Unit};
use statistics::regression::Regression;

/// Where the pieces stand, and what that goes with.
pub(super) fn pieces(findings: &Findings) -> Section {
    let mut section = Section::new("Pieces");
    for map in &findings.heat {
        section = section.chart(places(map));
        let effect = |rank: usize, file: usize| {
            map.effect[rank][file].map(|found| CrossCell {
                text: format!("{:+.0}", 100.0 * found.effect),
                detail: format!(
                    "{:+.1} % ({:+.1} to {:+.1} %), {} set-ups",
                    100.0 * found.effect,
                    100.0 * found.interval.low,
                    100.0 * found.interval.high,
                    found.set_ups
                ),
                certainty: found.effect / (found.interval.width() / 2.0).max(1e-9),
                seen: !found.interval.contains(0.0),
            })
        };
        let note = "Score of set-ups with it there over that of all that played, in percent, drawn to 0 where few \
                    have it there; soft where the interval holds 0. Point at a cell for the interval.";
        section = section.chart(grid(map, &format!("{}: goes with", map.name), note, effect));
    }
    section
}

/// Where the pieces of a kind stand in a mixture.
pub(crate) fn places(map: &HeatMap) -> Html {
    let most = map.share.iter().flatten().copied().fold(0.0, f64::max).max(f64::MIN_POSITIVE);
    let share = |rank: usize, file: usize| {
        let share = map.share[rank][file];
        (share >= 0.005).then(|| CrossCell {
            text: format!("{:.0}", 100.0 * share),
            detail: format!("{} of the mixture", percent(share)),
            certainty: (share / most).sqrt(),
            seen: true,
        })
    };
    let note = "Pieces of the kind on each point in the mixture, in percent of a piece.";
    grid(map, &format!("{}: where", map.name), note, share)
}

fn grid(map: &HeatMap, title: &str, note: &str, cell: impl Fn(usize, usize) -> Option<CrossCell>) -> Html {
    let files = (0..FILES).map(|file| char::from(b'a' + file as u8).to_string()).collect();
    let rows = (0..map.share.len())
        .rev()
        .map(|rank| ((rank + 1).to_string(), (0..FILES).map(|file| cell(rank, file)).collect()))
        .collect();
    Grid { title: title.to_owned(), note: note.to_owned(), columns: files, rows }.to_html()
}

/// Which descriptors tell good set-ups from others.
pub(super) fn features(findings: &Findings) -> Section {
    let names = &findings.regressions.features;
    let chart = |title: &str, found: &Regression| {
        let lines = names
            .iter()
            .zip(&found.effects)
            .map(|(name, effect)| IntervalLine {
                name: name.replace('_', " "),
                number: effect.effect,
                interval: Some((effect.interval.low, effect.interval.high)),
            })
            .collect();
        Intervals {
            title: title.to_owned(),
            note: format!(
                "What one standard deviation more goes with, all descriptors together, each effect drawn to 0. They \
                 predict {} of the variance of scores of set-ups that were left out.",
                percent(found.predicted.max(0.0))
            ),
            axis: Axis { unit: Unit::Share, ..Axis::new("score") },
            lines,
        }
        .to_html()
    };
    let mut section = Section::new("Descriptors");
    match &findings.regressions.games {
        Some(found) => section = section.chart(chart("What games say", found)),
        None => {
            section = section.whole(Html::paragraph("Too few set-ups have played for a regression."));
        }
    }
    if let Some(found) = &findings.regressions.values {
        section = section.chart(chart("What the network's values say", found));
    }
    section
}

/// Which set-ups are alike.
pub(super) fn similarity(findings: &Findings) -> Section {
    let dots = findings
        .set_ups
        .iter()
        .map(|one| Dot {
            name: one.name.clone(),
            place: one.place,
            size: one.share.max(0.021),
            group: one.group,
        })
        .collect();
    let map = Scatter {
        title: "Similarity".to_owned(),
        note: "Set-ups that few steps of pieces lead to each other lie close together; area is the share of the \
               mixture, colour the group."
            .to_owned(),
        axes: [Axis::new("steps"), Axis::new("steps")],
        dots,
        line: None,
    };
    Section::new("Similarity").whole(map.to_html())
}

/// What the network thinks against what games say.
pub(super) fn values(findings: &Findings) -> Section {
    let Some(found) = &findings.calibration else { return Section::new("Values") };
    let dots = found
        .points
        .iter()
        .map(|point| Dot {
            name: format!(
                "{}: {} expected, {} played",
                point.name,
                percent(point.predicted),
                percent(point.played)
            ),
            place: (point.predicted, point.played),
            size: 0.0,
            group: 0,
        })
        .collect();
    let chart = Scatter {
        title: "What the network thinks, and what games say".to_owned(),
        note: format!(
            "Set-ups of all values against the panel, at {} simulations. Played = {:.2} + {:.2} · expected; correlation \
             {:.2} ({:.2} to {:.2}).",
            found.simulations,
            found.intercept,
            found.slope,
            found.correlation,
            found.interval.low,
            found.interval.high
        ),
        axes: [
            Axis { unit: Unit::Share, ..Axis::new("expected score") },
            Axis { unit: Unit::Share, ..Axis::new("played score") },
        ],
        dots,
        line: Some((found.intercept, found.slope)),
    };
    let mut section = Section::new("Values").chart(chart.to_html());
    if found.interval.low <= 0.0 {
        let text = "The interval of the correlation holds 0: values say little about games here, and screening by \
                    them hardly more than chance.";
        section = section.whole(Notice::new(Level::Warning, "Values are not confirmed", text).to_html());
    }
    section
}

/// Whether other players rank set-ups alike.
pub(super) fn controls(findings: &Findings) -> Section {
    if findings.controls.is_empty() {
        return Section::new("Control");
    }
    let mut table = Table::new(
        "Ranking by others",
        &[
            ("player", Align::Left),
            ("pairs a set-up", Align::Right),
            ("Kendall's tau", Align::Right),
            ("95 % interval", Align::Right),
        ],
    );
    for control in &findings.controls {
        let (tau, interval) = match control.agreement {
            Some(found) => (
                format!("{:.2}", found.tau),
                format!("{:.2} to {:.2}", found.interval.low, found.interval.high),
            ),
            None => ("–".to_owned(), String::new()),
        };
        table.row(vec![control.player.clone(), control.pairs.to_string(), tau, interval]);
    }
    let first = findings.set_ups.iter().max_by(|one, other| one.mean_score.total_cmp(&other.mean_score));
    let words = first.map_or_else(String::new, |one| {
        format!(
            "Mean scores of the matrix's set-ups against each other, ranked by the study's player ({} first, with {}, \
             {} against the mixture) and by others: 1 is the same order, 0 none, −1 the reversed one.",
            one.name,
            percent(one.mean_score),
            range(one.interval)
        )
    });
    Section::new("Control").whole(table.to_html()).whole(Html::paragraph(&words))
}
