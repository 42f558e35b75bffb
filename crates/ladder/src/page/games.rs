//! How the games went: results by colour, reason, length and start.

use crate::breakdown::{Breakdown, Group};
use crate::text::percent;
use report::{Align, Axis, Bars, Columns, Html, Section, Table, Unit};

/// Groups that are drawn as bars.
const MOST_BARS: usize = 16;

/// All of it.
pub fn section(breakdown: &Breakdown) -> Section {
    if breakdown.all.games == 0 {
        return Section::new("Games");
    }
    let all = &breakdown.all;
    let share = |count: u64| count as f64 / all.games as f64;
    let colours = Bars {
        title: "Results by colour".to_owned(),
        note: format!("All {} games.", all.games),
        unit: Unit::Share,
        bars: vec![
            ("first player wins".to_owned(), share(all.first_wins)),
            ("draws".to_owned(), share(all.draws - all.truncated)),
            ("cut off".to_owned(), share(all.truncated)),
            ("second player wins".to_owned(), share(all.second_wins)),
        ],
    };
    let reasons =
        bars("How games end", "Share of all games.", &breakdown.by_reason, |group| share(group.games));
    let lengths = Columns::histogram("Lengths of games", Axis::new("turns"), "games", &breakdown.turns, 24);
    let draws = bars(
        "Draws by length",
        "Share of the games of that many turns.",
        &breakdown.by_length,
        Group::draw_share,
    );
    let openings = bars(
        "Score of the first player by opening",
        "The first turn; the most frequent ones.",
        &breakdown.by_opening,
        Group::first_score,
    );
    let mut section = Section::new("Games")
        .chart(colours.to_html())
        .chart(reasons)
        .chart(lengths.to_html())
        .chart(draws)
        .chart(openings);
    if !breakdown.by_start.is_empty() {
        let title = "Score of the first player by start";
        let note = "Start positions, with the set-ups of both sides; the most frequent ones.";
        section = section.chart(bars(title, note, &breakdown.by_start, Group::first_score));
    }
    section = section
        .whole(table("By reason of the end", "reason", &breakdown.by_reason))
        .whole(table("By length", "turns", &breakdown.by_length))
        .whole(folded("opening", "first turn", &breakdown.by_opening));
    if !breakdown.by_start.is_empty() {
        section = section.whole(folded("start", "start", &breakdown.by_start));
    }
    section
}

fn folded(title: &str, what: &str, groups: &[Group]) -> Html {
    Html::folded(&format!("By {title} ({})", groups.len()), table("", what, groups))
}

fn bars(title: &str, note: &str, groups: &[Group], value: impl Fn(&Group) -> f64) -> Html {
    let bars = groups.iter().take(MOST_BARS).map(|group| (group.name.clone(), value(group))).collect();
    Bars { title: title.to_owned(), note: note.to_owned(), unit: Unit::Share, bars }.to_html()
}

fn table(title: &str, what: &str, groups: &[Group]) -> Html {
    let numbers =
        ["games", "first wins", "draws", "second wins", "cut off", "first's score", "95 % interval"];
    let columns: Vec<(&str, Align)> =
        std::iter::once((what, Align::Left)).chain(numbers.map(|name| (name, Align::Right))).collect();
    let mut table = Table::new(title, &columns);
    for group in groups {
        let interval = group.first_score_interval();
        table.row(vec![
            group.name.clone(),
            group.games.to_string(),
            group.first_wins.to_string(),
            (group.draws - group.truncated).to_string(),
            group.second_wins.to_string(),
            group.truncated.to_string(),
            percent(group.first_score()),
            interval.map_or_else(String::new, |interval| {
                format!("{} to {}", percent(interval.low), percent(interval.high))
            }),
        ]);
    }
    table.to_html()
}
