//! The page of a training: one HTML file that opens without a network.

use super::findings::LearnedFindings;
use crate::page::strength::board;
use crate::page::why::places;
use crate::page::{percent, range};
use commander::Commander;
use report::number::whole;
use report::table::tiles;
use report::{Align, Axis, Html, Level, LineChart, Notice, Page, Section, Series, Table, Unit};

/// Set-ups that are drawn as boards.
const MOST_BOARDS: usize = 9;
/// Set-ups that are listed.
const MOST_LINES: usize = 100;

/// The page. `foot` says what wrote it.
pub fn page(title: &str, game: &Commander, findings: &LearnedFindings, foot: &str) -> Page {
    Page {
        title: title.to_owned(),
        subtitle: format!(
            "a deployment policy after {} updates · {} judges and plays",
            whole(findings.updates as i64),
            findings.config.agent.player
        ),
        foot: foot.to_owned(),
        sections: vec![
            overview(findings),
            learning(findings),
            reply(game, findings),
            pieces(findings),
            set_ups(game, findings),
        ],
    }
}

fn overview(findings: &LearnedFindings) -> Section {
    let mut list = Vec::new();
    let mut add = |name: &str, number: String, remark: String| list.push((name.to_owned(), number, remark));
    if let Some(found) = &findings.exploitability {
        add(
            "a reply gains in games",
            format!("≤ {}", percent(found.bound)),
            format!("{:.0} % confidence, {} replies", 100.0 * found.confidence, found.tried),
        );
    }
    if let Some(last) = findings.estimates.last() {
        add("a reply gains by value", percent(last.gain), range(last.interval));
    }
    if let Some(last) = findings.curve.last() {
        add("entropy", format!("{:.1} nats", last.entropy), "of whole set-ups".to_owned());
        add("divergence", format!("{:.1} nats", last.divergence), "from the sampler".to_owned());
        add("void pairs", percent(last.void_share), "of those drawn in the last update".to_owned());
    }
    let mut section = Section::new("Overview").whole(tiles(&list));
    for warning in &findings.warnings {
        section = section.whole(Notice::new(Level::Warning, "Read this first", warning.as_str()).to_html());
    }
    let words = "The policy places its pieces one by one and sees its own half alone. Its exploitability is what the \
                 best reply that was found scores over ½ against set-ups of the policy that had no part in finding it: \
                 a lower bound of what the best reply of all gains, and the bound above speaks of the replies tried.";
    section.whole(Html::paragraph(words))
}

/// How it went.
fn learning(findings: &LearnedFindings) -> Section {
    let update = || Axis::from_zero("update");
    let share = |label: &str| Axis { unit: Unit::Share, ..Axis::new(label) };
    let line = |name: &str, value: &dyn Fn(&super::findings::Point) -> Option<f64>| {
        let points = findings.curve.iter();
        Series::new(name, points.filter_map(|point| Some((point.update as f64, value(point)?))).collect())
    };
    let mut section = Section::new("Learning");
    if !findings.estimates.is_empty() {
        let gains = findings.estimates.iter().map(|one| (one.update as f64, one.gain)).collect();
        let band = findings.estimates.iter();
        let band = band.map(|one| (one.update as f64, one.interval.low, one.interval.high)).collect();
        let bounds = findings.estimates.iter().map(|one| (one.update as f64, one.bound)).collect();
        let chart = LineChart::new("What a reply gains", update(), share("score over ½"))
            .note("By the network's values: the best of the replies looked at, against fresh set-ups of the policy.")
            .with(Series::new("best reply", gains).with_band(band))
            .with(Series::new("bound", bounds).dashed());
        section = section.chart(chart.to_html());
    }
    let chart = LineChart::new("Scores", update(), share("score"))
        .note("Of the policy against past ones and against the sampler that it is kept near.")
        .with(line("past policies", &|point| point.past))
        .with(line("sampler", &|point| point.sampler));
    let mixed = LineChart::new("How mixed it is", update(), Axis::from_zero("nats"))
        .note("Entropy of whole set-ups, and divergence from the sampler.")
        .with(line("entropy", &|point| Some(point.entropy)))
        .with(line("divergence", &|point| Some(point.divergence)));
    let void = LineChart::new("Void pairs", update(), Axis { unit: Unit::Share, ..Axis::from_zero("share") })
        .note("Share of the pairs drawn: both sides place again.")
        .with(line("void", &|point| Some(point.void_share)));
    section.chart(chart.to_html()).chart(mixed.to_html()).chart(void.to_html())
}

/// What beats it.
fn reply(game: &Commander, findings: &LearnedFindings) -> Section {
    let mut section = Section::new("The best reply");
    if let Some(found) = &findings.exploitability {
        let note = format!(
            "{} over ½ in {} pairs of games that had no part in finding it ({}); {} replies played against {} set-ups \
             of the policy.",
            percent(found.gain),
            found.pairs,
            range(found.interval),
            found.tried,
            found.mixture
        );
        section = section.chart(board(game, "By games", &note, &found.set_up));
    }
    if let Some(last) = findings.estimates.last() {
        let note = format!("{} over ½ by values ({}).", percent(last.gain), range(last.interval));
        section = section.chart(board(game, "By values", &note, &last.set_up));
    }
    if findings.exploitability.is_none() && findings.estimates.is_empty() {
        section = section.whole(Html::paragraph("No reply has been tried."));
    }
    section
}

/// Where it puts each piece.
fn pieces(findings: &LearnedFindings) -> Section {
    findings.heat.iter().fold(Section::new("Pieces"), |section, map| section.chart(places(map)))
}

fn set_ups(game: &Commander, findings: &LearnedFindings) -> Section {
    let mut section = Section::new("Set-ups");
    for (number, one) in findings.proposals.iter().take(MOST_BOARDS).enumerate() {
        let note = format!("Probability e^{:.1}; {} of the draws.", one.log_probability, percent(one.share));
        section = section.chart(board(game, &format!("policy-{}", number + 1), &note, &one.set_up));
    }
    let columns = [("share", Align::Right), ("ln probability", Align::Right), ("set-up", Align::Left)];
    let mut table = Table::new("", &columns);
    for one in findings.proposals.iter().take(MOST_LINES) {
        table.row(vec![percent(one.share), format!("{:.1}", one.log_probability), one.set_up.clone()]);
    }
    section.whole(Html::folded("Set-ups in a line", table.to_html()))
}
