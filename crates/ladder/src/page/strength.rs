//! Who is how strong: ratings, rating over training, everybody against everybody, circles.

use crate::standings::{CoupleStanding, Standing, Standings};
use crate::text::{certainty, elo, percent};
use report::{
    Align, Axis, Bars, CrossCell, CrossTable, Html, IntervalLine, Intervals, LineChart, Section, Series,
    Table, Unit,
};
use std::collections::BTreeMap;

/// Players up to whom everybody is shown against everybody.
const MOST_IN_CROSS_TABLE: usize = 60;

/// The ratings with their intervals, Nash averaging beside them.
pub fn ladder(standings: &Standings) -> Section {
    let mut section = Section::new("Ladder");
    if standings.players.is_empty() {
        return section;
    }
    let ratings = Intervals {
        title: "Ratings".to_owned(),
        note: format!("Elo above {}, maximum likelihood; bars are 95 % intervals.", standings.anchor),
        axis: Axis::new("Elo"),
        lines: standings
            .players
            .iter()
            .map(|player| IntervalLine {
                name: player.label(),
                number: player.elo,
                interval: player.low.zip(player.high).filter(|_| player.name != standings.anchor),
            })
            .collect(),
    };
    let shares: Vec<(String, f64)> = standings
        .players
        .iter()
        .filter_map(|player| Some((player.label(), player.nash_share?)))
        .filter(|(_, share)| *share >= 0.005)
        .collect();
    let nash = Bars {
        title: "The mixture that nobody beats".to_owned(),
        note: "Nash averaging: the maximum entropy equilibrium. One player alone where there are no circles."
            .to_owned(),
        unit: Unit::Share,
        bars: shares,
    };
    let against = Intervals {
        title: "Against that mixture".to_owned(),
        note:
            "Elo; 0 for whoever is in it. Copies of a player change nothing here, as they do in an average."
                .to_owned(),
        axis: Axis::new("Elo"),
        lines: standings
            .players
            .iter()
            .filter_map(|player| {
                Some(IntervalLine {
                    name: player.label(),
                    number: player.nash_elo?,
                    interval: player.nash_elo_interval.map(|interval| (interval.low, interval.high)),
                })
            })
            .collect(),
    };
    section = section.chart(ratings.to_html()).chart(nash.to_html()).chart(against.to_html());
    section.whole(table(standings))
}

fn table(standings: &Standings) -> Html {
    let numbers = [
        "Elo",
        "95 % interval",
        "above next",
        "Nash share",
        "Nash Elo",
        "pairs",
        "wins",
        "draws",
        "losses",
        "score",
        "as first",
        "as second",
    ];
    let columns: Vec<(&str, Align)> = [("", Align::Right), ("player", Align::Left)]
        .into_iter()
        .chain(numbers.map(|name| (name, Align::Right)))
        .collect();
    let mut table = Table::new("Standings", &columns);
    for (index, player) in standings.players.iter().enumerate() {
        let interval = match player.low.zip(player.high) {
            _ if player.name == standings.anchor => "0 by choice".to_owned(),
            Some((low, high)) => format!("{} to {}", elo(low), elo(high)),
            None => "none: copies".to_owned(),
        };
        table.row(vec![
            (index + 1).to_string(),
            player.name.clone(),
            elo(player.elo),
            interval,
            player.better_than_next.map_or_else(String::new, certainty),
            player.nash_share.map_or_else(String::new, |share| format!("{:.0} %", 100.0 * share)),
            player.nash_elo.map_or_else(String::new, elo),
            player.pairs.to_string(),
            player.wins.to_string(),
            player.draws.to_string(),
            player.losses.to_string(),
            percent(player.score),
            percent(player.score_as_first),
            percent(player.score_as_second),
        ]);
    }
    table.to_html()
}

/// Ratings of the checkpoints of each run over its cycles.
pub fn training(standings: &Standings) -> Section {
    let mut runs: BTreeMap<(&str, &str), Vec<&Standing>> = BTreeMap::new();
    for player in &standings.players {
        if let Some(run) = &player.run {
            runs.entry((run, &player.budget)).or_default().push(player);
        }
    }
    runs.retain(|_, players| players.len() > 1);
    if runs.is_empty() {
        return Section::new("Training");
    }
    let mut chart = LineChart::new("Rating over training", Axis::new("cycle"), Axis::new("Elo")).note(
        &format!("Elo above {}, one line a run and budget; bands are 95 % intervals.", standings.anchor),
    );
    for ((run, budget), mut players) in runs {
        players.sort_by_key(|player| player.cycle);
        let at = |player: &Standing| player.cycle.unwrap_or(0) as f64;
        let points = players.iter().map(|player| (at(player), player.elo)).collect();
        let band =
            players.iter().filter_map(|player| Some((at(player), player.low?, player.high?))).collect();
        chart = chart.with(Series::new(&format!("{run}, {budget}"), points).with_band(band));
    }
    Section::new("Training").chart(chart.to_html())
}

/// Everybody against everybody.
pub fn cross_table(standings: &Standings) -> Section {
    let shown = standings.players.len().min(MOST_IN_CROSS_TABLE);
    if shown == 0 {
        return Section::new("Cross table");
    }
    let cells = standings.couples[..shown]
        .iter()
        .zip(&standings.players)
        .map(|(row, player)| {
            row[..shown]
                .iter()
                .zip(&standings.players)
                .map(|(couple, opponent)| couple.map(|couple| cell(&couple, &player.name, &opponent.name)))
                .collect()
        })
        .collect();
    let left_out = match standings.players.len() - shown {
        0 => String::new(),
        more => format!(" The {more} weakest players are left out; couples.csv has them."),
    };
    let table = CrossTable {
        title: "Everybody against everybody".to_owned(),
        note: format!(
            "Scores of the row against the column in percent. The stronger the shade, the surer who is better: \
             blue the row, orange the column. In italics what the ratings expect of players who have not \
             met.{left_out}"
        ),
        names: standings.players[..shown].iter().map(Standing::label).collect(),
        cells,
    };
    Section::new("Cross table").whole(table.to_html())
}

fn cell(couple: &CoupleStanding, player: &str, opponent: &str) -> CrossCell {
    let expected = format!("the ratings expect {}", percent(couple.expected));
    let (text, detail) = match (couple.score, couple.interval) {
        (Some(score), Some(interval)) => (
            format!("{:.0}", 100.0 * score),
            format!(
                "{player} against {opponent}: {} ({} to {}) in {} pairs; better with {}; {expected}",
                percent(score),
                percent(interval.low),
                percent(interval.high),
                couple.pairs,
                certainty(couple.superiority)
            ),
        ),
        _ => (
            format!("{:.0}", 100.0 * couple.expected),
            format!("{player} against {opponent}: not played; {expected}"),
        ),
    };
    CrossCell { text, detail, certainty: 2.0 * couple.superiority - 1.0, seen: couple.score.is_some() }
}

/// What no rating can say.
pub fn circles(standings: &Standings) -> Section {
    if standings.players.len() < 3 {
        return Section::new("Circles");
    }
    let mut text = format!(
        "Of what the results say about who beats whom, {} cannot be put into any rating; chance alone would \
         bring about {}.",
        percent(standings.cyclic_share),
        percent(standings.cyclic_share_by_chance)
    );
    if standings.cycles.is_empty() {
        text.push_str(" No three players beat each other in a circle.");
        return Section::new("Circles").whole(Html::paragraph(&text));
    }
    let columns = [
        ("beats the second", Align::Left),
        ("beats the third", Align::Left),
        ("beats the first", Align::Left),
        ("scores", Align::Right),
        ("sure", Align::Right),
    ];
    let mut table = Table::new("Three in a circle", &columns);
    for cycle in &standings.cycles {
        let [a, b, c] = cycle.players.clone();
        let scores = cycle.scores.map(percent).join(", ");
        table.row(vec![a, b, c, scores, certainty(cycle.certainty)]);
    }
    Section::new("Circles").whole(Html::paragraph(&text)).whole(table.to_html())
}
