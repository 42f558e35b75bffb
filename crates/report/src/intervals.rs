//! Numbers with their intervals, one a line: who stands where, and how surely.

use crate::html::{Html, escape};
use crate::plot::{empty_figure, figure_of, width};
use crate::scale::{Axis, Ends, Scale};
use std::fmt::Write;

/// Height of a line.
const LINE: f64 = 22.0;
/// Where numbers begin; names stand before.
const LEFT: f64 = 170.0;
/// Space on the right.
const RIGHT: f64 = 14.0;
/// Space for the axis below.
const BOTTOM: f64 = 36.0;
/// Letters of a name that have room.
const MOST_LETTERS: usize = 24;

/// A number with its interval.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct IntervalLine {
    /// What it is a number of.
    pub name: String,
    /// The number.
    pub number: f64,
    /// Its interval; `None` where there is none.
    pub interval: Option<(f64, f64)>,
}

/// A chart of numbers with intervals.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Intervals {
    /// Its heading.
    pub title: String,
    /// One sentence below the heading; empty for none.
    pub note: String,
    /// The horizontal axis.
    pub axis: Axis,
    /// The lines, from the top.
    pub lines: Vec<IntervalLine>,
}

impl Intervals {
    /// The chart.
    pub fn to_html(&self) -> Html {
        let lines: Vec<&IntervalLine> = self.lines.iter().filter(|line| line.number.is_finite()).collect();
        if lines.is_empty() {
            return empty_figure(&self.title, &self.note);
        }
        let numbers = lines.iter().flat_map(|line| {
            let (low, high) = line.interval.unwrap_or((line.number, line.number));
            [low, line.number, high]
        });
        let scale = Scale::new(self.axis.range, numbers, Ends::Rounded, 5);
        let field = width() - LEFT - RIGHT;
        let x = |number: f64| LEFT + scale.place(number).clamp(0.0, 1.0) * field;
        let floor = LINE * lines.len() as f64 + 4.0;
        let mut body = String::from("<g class=\"axes\">\n");
        for &tick in &scale.ticks {
            let x = x(tick);
            // Writing to a string cannot fail.
            let _ = writeln!(
                body,
                "<line x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"0\" y2=\"{floor}\"/><text x=\"{x:.1}\" y=\"{}\" \
                 text-anchor=\"middle\">{}</text>",
                floor + 15.0,
                self.axis.unit.write_tick(tick, scale.step)
            );
        }
        let _ = writeln!(
            body,
            "<text class=\"label\" x=\"{}\" y=\"{}\" text-anchor=\"end\">{}</text>\n</g>\n<g class=\"bars c1\">",
            width() - RIGHT,
            floor + 31.0,
            escape(&self.axis.label)
        );
        for (index, line) in lines.iter().enumerate() {
            let y = LINE * (index as f64 + 0.5) + 2.0;
            let letters: Vec<char> = line.name.chars().collect();
            // The end of a name tells checkpoints apart.
            let short: String = match letters.len() > MOST_LETTERS {
                true => std::iter::once('…')
                    .chain(letters[letters.len() + 1 - MOST_LETTERS..].iter().copied())
                    .collect(),
                false => line.name.clone(),
            };
            let unit = self.axis.unit;
            let about = line.interval.map_or_else(String::new, |(low, high)| {
                format!(" ({} to {})", unit.write(low), unit.write(high))
            });
            let _ = write!(
                body,
                "<g><title>{}</title><text x=\"{}\" y=\"{:.1}\" text-anchor=\"end\">{}</text>",
                escape(&format!("{}: {}{about}", line.name, unit.write(line.number))),
                LEFT - 8.0,
                y + 4.0,
                escape(&short)
            );
            if let Some((low, high)) = line.interval {
                let _ = write!(
                    body,
                    "<line class=\"interval\" x1=\"{:.1}\" x2=\"{:.1}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/>",
                    x(low),
                    x(high)
                );
            }
            let _ = writeln!(
                body,
                "<circle class=\"dot\" cx=\"{:.1}\" cy=\"{y:.1}\" r=\"3.5\"/></g>",
                x(line.number)
            );
        }
        body.push_str("</g>\n");
        figure_of(&self.title, &self.note, &[], floor + BOTTOM, &body, "")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn intervals_lie_around_their_numbers() {
        let line =
            |name: &str, number: f64, interval| IntervalLine { name: name.to_owned(), number, interval };
        let chart = Intervals {
            title: "ratings".to_owned(),
            axis: Axis::new("Elo"),
            lines: vec![
                line("<a>", 100.0, Some((50.0, 150.0))),
                line("b", 0.0, None),
                line("none", f64::NAN, None),
            ],
            ..Intervals::default()
        };
        let html = chart.to_html().to_string();
        assert_eq!((html.matches("<circle").count(), html.matches("class=\"interval\"").count()), (2, 1));
        // 0 to 150 over 276 units from 170 on.
        assert!(html.contains("x1=\"262.0\" x2=\"446.0\"") && html.contains("cx=\"354.0\""), "{html}");
        assert!(html.contains("&lt;a&gt;: 100 (50 to 150)") && !html.contains("NaN"));
        assert!(Intervals::default().to_html().as_str().contains("nothing yet"));
    }
}
