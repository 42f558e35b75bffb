//! The page of a study: one HTML file with boards that opens without a network.
//!
//! `strength.rs` draws what is good against what, `why.rs` what good set-ups have in common.

pub(crate) mod strength;
pub(crate) mod why;

use crate::findings::Findings;
use commander::Commander;
use report::number::whole;
use report::table::tiles;
use report::{Html, Level, Notice, Page, Section};
use statistics::Interval;

/// Name of the page in a study's directory.
pub const FILE: &str = "report.html";

/// The page. `foot` says what wrote it and when.
pub fn page(title: &str, game: &Commander, findings: &Findings, foot: &str) -> Page {
    let mut overview_section = Section::new("Overview").whole(overview(findings));
    let notices = notices(findings);
    if !notices.as_str().is_empty() {
        overview_section = overview_section.whole(notices);
    }
    Page {
        title: title.to_owned(),
        subtitle: format!(
            "{} · {} set-ups looked at, {} in the matrix · {} random opening turns",
            findings.config.agent.player,
            whole(findings.candidates as i64),
            findings.set_ups.len(),
            findings.config.agent.opening_turns
        ),
        foot: foot.to_owned(),
        sections: vec![
            overview_section.whole(Html::paragraph(&summary(findings))),
            strength::mixture(game, findings),
            strength::matrix(findings),
            strength::replies(game, findings),
            why::pieces(findings),
            why::features(findings),
            why::similarity(findings),
            why::values(findings),
            why::controls(findings),
            strength::race(findings),
        ],
    }
}

/// The numbers that matter most.
fn overview(findings: &Findings) -> Html {
    let mut list = Vec::new();
    let mut add = |name: &str, number: String, remark: String| list.push((name.to_owned(), number, remark));
    let mixed = findings.set_ups.iter().filter(|one| one.share >= 0.01).count();
    add("mixture", format!("{mixed} set-ups"), "with a share of 1 % or more".to_owned());
    add(
        "a reply in the matrix gains",
        format!("≤ {:.1} %", 100.0 * findings.answer.exploitability_bound),
        format!("{:.0} % confidence", 100.0 * findings.config.stop.confidence),
    );
    if let Some(last) = findings.oracle.last() {
        add(
            "best reply found gains",
            format!("{:+.1} %", 100.0 * last.gain),
            format!("{:+.1} to {:+.1} %", 100.0 * last.interval.low, 100.0 * last.interval.high),
        );
    }
    if let Some((score, interval)) = findings.first_player {
        add("first player scores", percent(score), range(interval));
    }
    let games = findings.games;
    add("games", whole(games.played as i64), format!("{} distinct, {} void", games.distinct, games.void));
    tiles(&list)
}

fn summary(findings: &Findings) -> String {
    let settled =
        if findings.settled { "It is settled as far as its config asks" } else { "It is not settled" };
    format!(
        "{settled}: {}. Scores are of a game, over pairs of games in which the sides are exchanged; ½ is even. \
         A mixture that nothing beats scores ½ against the best reply. Void games count ½: both sides redeploy, and \
         a game begun afresh is worth ½ to either.",
        findings.stopped
    )
}

/// What the reader should know before believing the rest.
fn notices(findings: &Findings) -> Html {
    let mut html = Html::default();
    for warning in &findings.warnings {
        html = html.and(Notice::new(Level::Warning, "Read this first", warning.as_str()).to_html());
    }
    html
}

pub(crate) fn percent(share: f64) -> String {
    format!("{:.1} %", 100.0 * share)
}

pub(crate) fn range(interval: Interval) -> String {
    format!("{:.1} to {:.1} %", 100.0 * interval.low, 100.0 * interval.high)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_in_percent() {
        assert_eq!(percent(0.1234), "12.3 %");
        assert_eq!(range(Interval { low: 0.0, high: 0.5 }), "0.0 to 50.0 %");
    }
}
