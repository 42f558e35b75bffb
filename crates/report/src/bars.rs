//! Horizontal bars, one for each name.

use crate::html::{Html, escape};
use crate::number::Unit;
use crate::plot::{empty_figure, figure_of, width, written};
use std::fmt::Write;

/// Height of a bar with its gap.
const LINE: f64 = 26.0;
/// Where bars begin; names stand before.
const LEFT: f64 = 150.0;
/// Space for the number behind the longest bar.
const RIGHT: f64 = 64.0;
/// Letters of a name that have room.
const MOST_LETTERS: usize = 22;

/// Bars from 0 on.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Bars {
    /// Its heading.
    pub title: String,
    /// One sentence below the heading; empty for none.
    pub note: String,
    /// How the numbers are written.
    pub unit: Unit,
    /// Names and numbers, from the top. Negative numbers and those that are not finite count as 0.
    pub bars: Vec<(String, f64)>,
}

impl Bars {
    /// The chart.
    pub fn to_html(&self) -> Html {
        if self.bars.is_empty() {
            return empty_figure(&self.title, &self.note);
        }
        let size = |number: f64| if number.is_finite() { number.max(0.0) } else { 0.0 };
        let largest = self.bars.iter().map(|&(_, number)| size(number)).fold(0.0, f64::max);
        let most = width() - LEFT - RIGHT;
        let mut body = String::from("<g class=\"bars c1\">\n");
        for (index, (name, number)) in self.bars.iter().enumerate() {
            let y = LINE * index as f64;
            let long = if largest > 0.0 { most * size(*number) / largest } else { 0.0 };
            let short: String = name.chars().take(MOST_LETTERS).collect();
            let short = if short == *name { short } else { format!("{short}…") };
            let _ = writeln!(
                body,
                "<g><title>{}</title><text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text><rect x=\"{LEFT}\" \
                 y=\"{:.1}\" width=\"{long:.1}\" height=\"{:.1}\" rx=\"2\"/><text x=\"{:.1}\" y=\"{:.1}\">{}</text></g>",
                escape(name),
                LEFT - 8.0,
                y + 17.0,
                escape(&short),
                y + 4.0,
                LINE - 8.0,
                LEFT + long + 6.0,
                y + 17.0,
                written(self.unit, *number)
            );
        }
        body.push_str("</g>\n");
        figure_of(&self.title, &self.note, &[], LINE * self.bars.len() as f64 + 4.0, &body, "")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn bars_are_as_long_as_their_numbers() {
        let bars = [("play", 4.0), ("<train>", 1.0), ("lost", f64::NAN)];
        let chart = Bars {
            title: "seconds".to_owned(),
            bars: bars.map(|(name, number)| (name.to_owned(), number)).to_vec(),
            ..Bars::default()
        };
        let html = chart.to_html().to_string();
        assert!(html.contains("width=\"246.0\"") && html.contains("width=\"61.5\""), "{html}");
        assert!(html.contains("&lt;train&gt;") && !html.contains("<train>") && !html.contains("NaN"));
    }
}
