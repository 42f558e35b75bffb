//! What is good against what.

use super::{percent, range};
use crate::findings::{Findings, SetUp};
use crate::named::read;
use commander::Commander;
use report::cross_table::CrossCell;
use report::intervals::IntervalLine;
use report::{Align, Axis, CrossTable, Html, Intervals, Picture, Section, Table, Unit};
use statistics::Interval;

/// Boards that are drawn.
const MOST_BOARDS: usize = 12;

/// The mixture: boards, shares and scores.
pub(super) fn mixture(game: &Commander, findings: &Findings) -> Section {
    let mut order: Vec<&SetUp> = findings.set_ups.iter().collect();
    order.sort_by(|one, other| other.share.total_cmp(&one.share).then(other.score.total_cmp(&one.score)));
    let lines = |number: &dyn Fn(&SetUp) -> f64, interval: &dyn Fn(&SetUp) -> Interval| {
        order
            .iter()
            .map(|one| IntervalLine {
                name: one.name.clone(),
                number: number(one),
                interval: Some((interval(one).low, interval(one).high)),
            })
            .collect()
    };
    let shares = Intervals {
        title: "What to mix".to_owned(),
        note:
            "Share of each set-up in the mixture that nothing in the matrix beats; of several such mixtures \
               the most even one."
                .to_owned(),
        axis: Axis { unit: Unit::Share, ..Axis::from_zero("share") },
        lines: lines(&|one| one.share, &|one| one.share_interval),
    };
    let scores = Intervals {
        title: "Against the mixture".to_owned(),
        note: "Score of each set-up against the mixture. None is above ½ by more than noise.".to_owned(),
        axis: Axis { unit: Unit::Share, ..Axis::new("score") },
        lines: lines(&|one| one.score, &|one| one.interval),
    };
    let mut section = Section::new("Mixture").chart(shares.to_html()).chart(scores.to_html());
    for one in order.iter().take(MOST_BOARDS) {
        let title = format!("{} · {}", one.name, percent(one.share));
        let about = if one.about.is_empty() { String::new() } else { format!("{}. ", one.about) };
        let note = format!("{about}{} against the mixture ({}).", percent(one.score), range(one.interval));
        section = section.chart(board(game, &title, &note, &one.set_up));
    }
    let mut table = Table::new("", &[("name", Align::Left), ("set-up", Align::Left)]);
    for one in &order {
        table.row(vec![one.name.clone(), one.set_up.clone()]);
    }
    section.whole(Html::folded("All set-ups in a line", table.to_html()))
}

/// A set-up's board.
pub(crate) fn board(game: &Commander, title: &str, note: &str, line: &str) -> Html {
    match read(game, line).ok().and_then(|mut found| found.pop()) {
        Some(one) => Picture {
            title: title.to_owned(),
            note: note.to_owned(),
            svg: game.deployment_svg(&one.deployment),
        }
        .to_html(),
        None => Html::paragraph(&format!("{title}: {line}. {note}")),
    }
}

/// Everybody against everybody.
pub(super) fn matrix(findings: &Findings) -> Section {
    let names: Vec<String> = findings.set_ups.iter().map(|one| one.name.clone()).collect();
    let mut cells = vec![vec![None; names.len()]; names.len()];
    let place = |name: &str| names.iter().position(|known| known == name);
    for cell in &findings.cells {
        let (Some(row), Some(column)) = (place(&cell.row), place(&cell.column)) else { continue };
        for (own, other, flip) in [(row, column, false), (column, row, true)] {
            let side = |score: f64| if flip { 1.0 - score } else { score };
            let pairs: u64 = cell.pentanomial.iter().sum();
            let detail = match (cell.score, cell.interval) {
                (Some(score), Some(Interval { low, high })) => {
                    let [low, high] = if flip { [1.0 - high, 1.0 - low] } else { [low, high] };
                    format!(
                        "{} against {}: {} ({}), {pairs} pairs, {} void games",
                        names[own],
                        names[other],
                        percent(side(score)),
                        range(Interval { low, high }),
                        cell.void_games
                    )
                }
                _ => format!("{} against {}: {pairs} pairs, no interval", names[own], names[other]),
            };
            let certainty = cell.interval.map_or(0.0, |interval| {
                let half = (interval.width() / 2.0).max(1e-3);
                (((cell.score.unwrap_or(0.5) - 0.5) / half).clamp(-1.0, 1.0)) * if flip { -1.0 } else { 1.0 }
            });
            cells[own][other] = Some(CrossCell {
                text: format!("{:.0}", 100.0 * side(cell.expected)),
                detail,
                certainty,
                seen: pairs > 0,
            });
        }
    }
    let table = CrossTable {
        title: "Matrix".to_owned(),
        note: "Expected score of the row against the column in percent, all pairs looked at together; shaded by how \
               sure it is that one of them is better, from the cell's own pairs. Point at a cell for those."
            .to_owned(),
        names,
        cells,
    };
    let interaction = format!(
        "Cells lie {:.1} % around what \"this set-up is simply better\" lets expect (standard deviation).",
        100.0 * findings.interaction
    );
    Section::new("Matrix").whole(table.to_html()).whole(Html::paragraph(&interaction))
}

/// What the oracle tried.
pub(super) fn replies(game: &Commander, findings: &Findings) -> Section {
    let lines = findings
        .oracle
        .iter()
        .enumerate()
        .map(|(round, found)| IntervalLine {
            name: format!("round {}{}", round + 1, if found.added { ", added" } else { "" }),
            number: found.gain,
            interval: Some((found.interval.low, found.interval.high)),
        })
        .collect();
    let chart = Intervals {
        title: "Best reply of each round".to_owned(),
        note: format!(
            "What the best reply that was found scores over ½ against the mixture of its round, in fresh games. It \
             bounds replies that were tried, not those that nobody thought of; the study asks for at most {}.",
            percent(findings.config.stop.epsilon)
        ),
        axis: Axis { unit: Unit::Share, ..Axis::new("gain") },
        lines,
    };
    let mut section = Section::new("Replies").chart(chart.to_html());
    if let Some(last) = findings.oracle.last() {
        let note = format!("{} replies were tried, {} pairs played by the best.", last.tried, last.pairs);
        section = section.chart(board(game, "The last round's best reply", &note, &last.set_up));
    }
    section
}

/// The rungs of the race, folded.
pub(super) fn race(findings: &Findings) -> Section {
    let mut section = Section::new("Race");
    for (number, rung) in findings.race.iter().enumerate() {
        let mut table = Table::new(
            "",
            &[
                ("name", Align::Left),
                ("score", Align::Right),
                ("95 % interval", Align::Right),
                ("pairs", Align::Right),
                ("void games", Align::Right),
                ("goes on", Align::Left),
            ],
        );
        for row in &rung.rows {
            table.row(vec![
                row.name.clone(),
                percent(row.score),
                range(row.interval),
                row.pairs.to_string(),
                row.void_games.to_string(),
                if row.kept { "yes" } else { "" }.to_owned(),
            ]);
        }
        let words = format!(
            "Rung {}: {} set-ups, {} simulations a turn",
            number + 1,
            rung.rows.len(),
            rung.simulations
        );
        section = section.whole(Html::folded(&words, table.to_html()));
    }
    section
}
