//! Text, page with boards, and an opening file.

use super::{Node, Openings};
use crate::show::print;
use arena::games::AnyGame;
use arena::rules_session::View;
use evaluate::failure::Failure;
use report::lines::Series;
use report::{Align, Axis, Html, LineChart, Page, Picture, Section, Table};
use std::path::Path;

/// Boards that are drawn.
const MOST_BOARDS: usize = 12;

/// Prints the tree, and writes `openings.json`, `openings.html` and `openings.txt` (positions for `--starts`) to a
/// directory.
///
/// # Errors
/// Any error of the file system.
pub(super) fn write(directory: &Path, game: &dyn AnyGame, openings: &Openings) -> Result<(), Failure> {
    let fault = |error: std::io::Error| Failure::work(format!("{}: {error}", directory.display()));
    std::fs::create_dir_all(directory).map_err(fault)?;
    let json = serde_json::to_string_pretty(openings).map_err(Failure::work)?;
    files::write(&directory.join("openings.json"), json.as_bytes()).map_err(fault)?;
    files::write(&directory.join("openings.txt"), starts(openings).as_bytes()).map_err(fault)?;
    let html = page(game, openings)?.to_html();
    files::write(&directory.join("openings.html"), html.as_bytes()).map_err(fault)?;
    print(text(openings).trim_end())
}

/// The steps that lead to a position, the start first.
fn path(nodes: &[Node], node: usize) -> Vec<&str> {
    let mut steps = Vec::new();
    let mut place = Some(node);
    while let Some(here) = place {
        steps.push(nodes[here].step.as_str());
        place = nodes[here].parent;
    }
    steps.reverse();
    steps
}

/// Positions at which the tree ends, one a line, the most frequent first.
fn starts(openings: &Openings) -> String {
    let nodes = &openings.nodes;
    let mut ends = super::tree::ends(nodes);
    ends.sort_by(|&one, &other| nodes[other].share.total_cmp(&nodes[one].share));
    let mut text =
        format!("# Openings of {}: positions for evaluate match --starts\n", openings.config.checkpoints[0]);
    for node in ends {
        let steps = path(nodes, node).join(" ");
        text.push_str(&format!("{} # {:.4} {steps}\n", nodes[node].fen, nodes[node].share));
    }
    text
}

/// What is known of a position, in words.
fn words(node: &Node) -> String {
    let mut parts = vec![format!("{:5.1} %", 100.0 * node.share)];
    if let Some(way) = node.ways.first().filter(|way| way.steps.len() > 1) {
        parts.push(format!("{} steps alike", way.steps.len()));
    }
    if node.ways.len() > 1 {
        parts.push(format!("{} ways", node.ways.len()));
    }
    if let Some(view) = node.views.first() {
        parts.push(format!("value {:.0} %", 100.0 * view.value));
    }
    if let Some((score, interval)) = node.score {
        parts.push(format!(
            "score {:.0} % ({:.0} to {:.0}, {} games)",
            100.0 * score,
            100.0 * interval.low,
            100.0 * interval.high,
            node.games
        ));
    }
    if node.views.len() > 1 && node.disagreement > 0.05 {
        parts.push(format!("disagreement {:.2} bits", node.disagreement));
    }
    parts.extend(node.ended.map(|reason| format!("ends: {reason}")));
    parts.join(", ")
}

fn text(openings: &Openings) -> String {
    let mut text = String::from(
        "shares, values and scores of the first player\nmirror images are one position; one that several ways lead to \
         stands below the likeliest\n",
    );
    let nodes = &openings.nodes;
    // Children in the order of their shares, below their parent.
    let mut open: Vec<usize> = children(nodes, None);
    open.reverse();
    while let Some(node) = open.pop() {
        let indent = "  ".repeat(nodes[node].depth as usize);
        text.push_str(&format!("{indent}{}  {}\n", nodes[node].step, words(&nodes[node])));
        let mut next = children(nodes, Some(node));
        next.reverse();
        open.extend(next);
    }
    for (name, entropy) in openings.config.checkpoints.iter().zip(&openings.entropy) {
        text.push_str(&format!("{name}: {entropy:.2} bits of entropy a step\n"));
    }
    text
}

fn children(nodes: &[Node], parent: Option<usize>) -> Vec<usize> {
    let mut found: Vec<usize> = (0..nodes.len()).filter(|&node| nodes[node].parent == parent).collect();
    found.sort_by(|&one, &other| nodes[other].share.total_cmp(&nodes[one].share));
    found
}

fn page(game: &dyn AnyGame, openings: &Openings) -> Result<Page, Failure> {
    let nodes = &openings.nodes;
    let mut ends = super::tree::ends(nodes);
    ends.sort_by(|&one, &other| nodes[other].share.total_cmp(&nodes[one].share));
    let mut boards = Section::new("Where openings lead");
    for &node in ends.iter().take(MOST_BOARDS) {
        let svg = game.show(Some(&nodes[node].fen), &View::default()).map_err(Failure::work)?.svg;
        let picture = Picture { title: path(nodes, node).join(" "), note: words(&nodes[node]), svg };
        boards = boards.chart(picture.to_html());
    }
    let mut disagreements: Vec<&Node> = nodes.iter().filter(|node| node.views.len() > 1).collect();
    disagreements
        .sort_by(|one, other| (other.share * other.disagreement).total_cmp(&(one.share * one.disagreement)));
    let mut table = Table::new(
        "Where checkpoints disagree",
        &[
            ("position", Align::Left),
            ("share", Align::Right),
            ("bits", Align::Right),
            ("they play", Align::Left),
        ],
    );
    for node in disagreements.into_iter().take(20) {
        let plays: Vec<&str> = node.views.iter().map(|view| view.plays.as_str()).collect();
        table.row(vec![
            node.fen.clone(),
            format!("{:.1} %", 100.0 * node.share),
            format!("{:.2}", node.disagreement),
            plays.join(", "),
        ]);
    }
    let entropy = LineChart::new(
        "Entropy of the policy",
        Axis::new("checkpoint in the order of the config"),
        Axis::from_zero("bits"),
    )
    .note("Over the positions of the tree, by share: how many openings a checkpoint hesitates between.")
    .with(Series::new(
        "entropy",
        openings.entropy.iter().enumerate().map(|(index, &entropy)| (index as f64 + 1.0, entropy)).collect(),
    ));
    Ok(Page {
        title: format!("Openings of {}", openings.config.game),
        subtitle: format!(
            "{} · {} positions · {} simulations",
            openings.config.checkpoints.join(", "),
            nodes.len(),
            openings.config.simulations
        ),
        foot: concat!("Written by study ", env!("CARGO_PKG_VERSION"), " of Garrison.").to_owned(),
        sections: vec![
            Section::new("Tree").whole(Html::preformatted(&text(openings))),
            boards,
            Section::new("Disagreement").whole(table.to_html()),
            Section::new("Entropy").chart(entropy.to_html()),
        ],
    })
}
