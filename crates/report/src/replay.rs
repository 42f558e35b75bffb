//! A recorded game to step through.

use crate::html::{Html, data_address, data_block, escape};
use crate::plot::width;
use serde_json::json;
use std::collections::HashMap;
use std::fmt::Write;

/// Height of the curve of judgements below the board.
const CURVE: f64 = 70.0;

/// A position of a game.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Frame {
    /// The board as an SVG document.
    pub picture: String,
    /// The turn that led to it; empty at the start.
    pub turn: String,
    /// What there is to say about the position, a few lines.
    pub note: String,
    /// Expected result as the first player sees it, in [−1, 1].
    pub value: Option<f64>,
}

/// A game. The pictures are kept as lists of their parts, each part once, so that hundreds of boards
/// take little more than one.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Replay {
    /// Its heading.
    pub title: String,
    /// One line about the game and its end.
    pub note: String,
    /// The positions, the start first.
    pub frames: Vec<Frame>,
}

impl Replay {
    /// The game with its buttons.
    pub fn to_html(&self) -> Html {
        let Some(first) = self.frames.first() else { return Html::default() };
        let (parts, lists) = compressed(self.frames.iter().map(|frame| frame.picture.as_str()));
        let mut html = format!(
            "<div class=\"replay\" tabindex=\"0\" role=\"group\" aria-label=\"{title}\">\n\
             <div class=\"board\"><img alt=\"the board\" src=\"{}\"></div>\n\
             <div class=\"beside\">\n<h3>{title}</h3>\n<p class=\"about\">{}</p>\n",
            data_address(&first.picture),
            escape(&self.note),
            title = escape(&self.title),
        );
        html.push_str("<div class=\"buttons\">");
        for (go, sign, words) in [
            ("first", "|◀", "to the start (Home)"),
            ("back", "◀", "one turn back (←)"),
            ("play", "play", "play or pause (space)"),
            ("on", "▶", "one turn on (→)"),
            ("last", "▶|", "to the end (End)"),
        ] {
            let _ = write!(
                html,
                "<button type=\"button\" data-go=\"{go}\" title=\"{words}\" aria-label=\"{words}\">{sign}</button>"
            );
        }
        let last = self.frames.len() - 1;
        let _ = write!(
            html,
            "<input type=\"range\" min=\"0\" max=\"{last}\" value=\"0\" aria-label=\"turn\"><span class=\"turn\">0 / \
             {last}</span></div>\n{}<p class=\"now\" aria-live=\"polite\">{}</p>\n<ol class=\"turns\">\n",
            self.curve(),
            escape(&first.note).replace('\n', "<br>"),
        );
        for (index, frame) in self.frames.iter().enumerate().skip(1) {
            let _ = writeln!(
                html,
                "<li><button type=\"button\" data-turn=\"{index}\">{}</button></li>",
                escape(&frame.turn)
            );
        }
        let notes: Vec<&str> = self.frames.iter().map(|frame| frame.note.as_str()).collect();
        let _ = write!(
            html,
            "</ol>\n</div>\n{}</div>\n",
            data_block(&json!({"parts": parts, "frames": lists, "notes": notes}))
        );
        Html::trusted(html)
    }

    /// The expected result over the game; empty where nothing was judged.
    fn curve(&self) -> String {
        let last = self.frames.len().saturating_sub(1).max(1) as f64;
        let place = |index: usize, value: f64| {
            let x = width() * index as f64 / last;
            (x, CURVE / 2.0 * (1.0 - value.clamp(-1.0, 1.0)))
        };
        let points: Vec<(f64, f64)> = self
            .frames
            .iter()
            .enumerate()
            .filter_map(|(index, frame)| frame.value.map(|value| (index, value)))
            .filter(|(_, value)| value.is_finite())
            .map(|(index, value)| place(index, value))
            .collect();
        let (Some(first), Some(end)) = (points.first(), points.last()) else { return String::new() };
        let line: Vec<String> = points.iter().map(|(x, y)| format!("{x:.1},{y:.1}")).collect();
        let middle = CURVE / 2.0;
        format!(
            "<svg class=\"curve\" viewBox=\"0 0 {width} {CURVE}\" preserveAspectRatio=\"none\" role=\"img\" \
             aria-label=\"expected result for the first player over the game\">\n\
             <title>expected result for the first player: up is winning; click to go there</title>\n\
             <polygon points=\"{:.1},{middle} {line} {:.1},{middle}\"/>\n\
             <line class=\"zero\" x1=\"0\" x2=\"{width}\" y1=\"{middle}\" y2=\"{middle}\"/>\n\
             <polyline points=\"{line}\"/>\n<line class=\"here\" x1=\"0\" x2=\"0\" y1=\"0\" y2=\"{CURVE}\"/>\n</svg>\n",
            first.0,
            end.0,
            width = width(),
            line = line.join(" "),
        )
    }
}

/// All different parts of some documents, and each document as a list of ranges of parts: `0-12,40,15-90`.
fn compressed<'a>(documents: impl Iterator<Item = &'a str>) -> (Vec<&'a str>, Vec<String>) {
    let mut parts = Vec::new();
    let mut numbers: HashMap<&str, usize> = HashMap::new();
    let mut lists = Vec::new();
    for document in documents {
        let mut ranges: Vec<(usize, usize)> = Vec::new();
        for part in split(document) {
            let number = *numbers.entry(part).or_insert_with(|| {
                parts.push(part);
                parts.len() - 1
            });
            match ranges.last_mut() {
                Some((_, end)) if *end + 1 == number => *end = number,
                _ => ranges.push((number, number)),
            }
        }
        let range = |&(start, end): &(usize, usize)| {
            if start == end { start.to_string() } else { format!("{start}-{end}") }
        };
        lists.push(ranges.iter().map(range).collect::<Vec<_>>().join(","));
    }
    (parts, lists)
}

/// Cuts a document before each element that follows another one directly.
fn split(document: &str) -> impl Iterator<Item = &str> {
    let mut start = 0;
    let mut after_element = false;
    let mut cuts: Vec<usize> = Vec::new();
    for (index, byte) in document.bytes().enumerate() {
        match byte {
            b'<' if after_element => cuts.push(index),
            b'>' => after_element = true,
            b'\n' | b' ' => {}
            _ => after_element = false,
        }
    }
    cuts.push(document.len());
    cuts.into_iter().filter_map(move |cut| {
        let part = &document[start..cut];
        start = cut;
        (!part.is_empty()).then_some(part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What the page's script makes of a list.
    fn expanded(parts: &[&str], list: &str) -> String {
        let mut document = String::new();
        for range in list.split(',').filter(|range| !range.is_empty()) {
            let (start, end) = range.split_once('-').unwrap_or((range, range));
            let numbers = start.parse::<usize>().unwrap()..=end.parse().unwrap();
            document.extend(parts[numbers].iter().copied());
        }
        document
    }

    #[test]
    fn documents_come_back_from_their_parts() {
        let documents = [
            "<svg>\n<a/><b/>\n<text>x < y</text><b/></svg>",
            "<svg>\n<b/>\n<a/><b/>\n</svg>\n",
            "",
            "no markup",
        ];
        let (parts, lists) = compressed(documents.into_iter());
        for (document, list) in documents.iter().zip(&lists) {
            assert_eq!(expanded(&parts, list), *document);
        }
        assert!(parts.contains(&"<a/>") && parts.contains(&"<text>x < y</text>"));
        assert_eq!(lists[2], "");
    }

    #[test]
    fn games_have_a_button_a_turn_and_a_curve() {
        let frame = |turn: &str, value| Frame {
            picture: "<svg><a/></svg>".to_owned(),
            turn: turn.to_owned(),
            note: "one\n<two>".to_owned(),
            value,
        };
        let replay = Replay {
            title: "game <1>".to_owned(),
            note: String::new(),
            frames: vec![frame("", Some(0.0)), frame("a", None), frame("b", Some(1.0))],
        };
        let html = replay.to_html().to_string();
        assert_eq!(html.matches("data-turn").count(), 2);
        assert!(html.contains("<polyline points=\"0.0,35.0 460.0,0.0\"/>"), "{html}");
        assert!(html.contains("one<br>&lt;two&gt;"));
        assert!(html.contains("src=\"data:image/svg+xml,%3Csvg%3E"));
        assert_eq!(Replay::default().to_html(), Html::default());
    }
}
