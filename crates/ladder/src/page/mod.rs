//! The page of a ladder: one HTML file that opens without a network.
//!
//! `strength.rs` draws who is how strong, `games.rs` how the games went.

mod games;
mod strength;

use crate::breakdown::Breakdown;
use crate::league::League;
use crate::standings::Standings;
use crate::text::{elo, percent};
use report::number::whole;
use report::table::tiles;
use report::{Html, Level, Notice, Page, Section};

/// Name of the page in a ladder's directory.
pub const FILE: &str = "report.html";

/// The page. `foot` says what wrote it and when.
pub fn page(title: &str, league: &League, standings: &Standings, breakdown: &Breakdown, foot: &str) -> Page {
    let mut overview_section = Section::new("Overview").whole(overview(standings, breakdown));
    let notices = notices(league, standings);
    if !notices.as_str().is_empty() {
        overview_section = overview_section.whole(notices);
    }
    Page {
        title: title.to_owned(),
        subtitle: subtitle(league, standings),
        foot: foot.to_owned(),
        sections: vec![
            overview_section,
            strength::ladder(standings),
            strength::training(standings),
            strength::cross_table(standings),
            strength::circles(standings),
            games::section(breakdown),
        ],
    }
}

fn subtitle(league: &League, standings: &Standings) -> String {
    let mut parts = vec![standings.game.clone(), format!("{} players", league.players.len())];
    if let Some(one) = league.matches.first() {
        parts.push(format!("{} random opening turns", one.header.opening_turns));
    }
    parts.push(format!("{} stands at 0", standings.anchor));
    parts.join(" · ")
}

/// The numbers that matter most.
fn overview(standings: &Standings, breakdown: &Breakdown) -> Html {
    let mut list = Vec::new();
    let mut add = |name: &str, number: String, remark: String| list.push((name.to_owned(), number, remark));
    if let Some(best) = standings.players.first() {
        let sure = best.better_than_next.map_or_else(String::new, |sure| {
            format!(", better than the next with {}", crate::text::certainty(sure))
        });
        add("best", format!("{} Elo", elo(best.elo)), format!("{}{sure}", best.label()));
    }
    add("pairs", whole(standings.pairs as i64), format!("{} games", whole(standings.games as i64)));
    let distinct = standings.distinct_games as f64 / standings.games.max(1) as f64;
    add("distinct games", percent(distinct), "intervals need 90 %".to_owned());
    if let Some(advantage) = standings.first_advantage {
        let interval = advantage.interval;
        let remark = format!("{} to {} Elo", elo(interval.low), elo(interval.high));
        add("first move", format!("{} Elo", elo(advantage.elo)), remark);
    }
    add("draws", percent(breakdown.all.draw_share()), format!("{} cut off", breakdown.all.truncated));
    if let Some(widest) = standings.widest() {
        add("widest interval", format!("± {widest:.0} Elo"), "of a rating".to_owned());
    }
    tiles(&list)
}

/// What the reader should know before believing the rest.
fn notices(league: &League, standings: &Standings) -> Html {
    let mut html = Html::default();
    for player in &standings.players {
        if let Some(why) = &player.interval {
            let title = format!("No interval for {}", player.name);
            html = html.and(Notice::new(Level::Warning, title, why.as_str()).to_html());
        }
    }
    for name in &standings.unrated {
        let title = format!("{name} is not rated");
        html = html.and(Notice::new(Level::Remark, title, "It has not met the others yet.").to_html());
    }
    for remark in &league.remarks {
        html = html.and(Notice::new(Level::Warning, "Left out", remark.as_str()).to_html());
    }
    html
}
