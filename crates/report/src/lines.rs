//! Lines over a common axis, with bands for what is uncertain.

use crate::html::{Html, escape};
use crate::plot::{Plot, Readout, colour, empty_figure, figure};
use crate::scale::{Axis, Ends, Scale};
use std::fmt::Write;

/// From this many points on a line is thinned: groups of neighbours become their mean.
const MOST_POINTS: usize = 400;
/// Up to this many points each gets a dot.
const MOST_DOTS: usize = 40;

/// How a line is drawn.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Stroke {
    /// As a full line.
    #[default]
    Full,
    /// Dashed: for bounds and references.
    Dashed,
}

/// One line of a chart.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Series {
    /// Its name in the legend.
    pub name: String,
    /// `(x, y)`, x rising. A point that is not finite interrupts the line.
    pub points: Vec<(f64, f64)>,
    /// `(x, low, high)`: an interval around the line; may be empty or have fewer points.
    pub band: Vec<(f64, f64, f64)>,
    /// How it is drawn.
    pub stroke: Stroke,
}

impl Series {
    /// A full line without a band.
    pub fn new(name: &str, points: Vec<(f64, f64)>) -> Series {
        Series { name: name.to_owned(), points, ..Series::default() }
    }

    /// The same line, dashed.
    pub fn dashed(mut self) -> Series {
        self.stroke = Stroke::Dashed;
        self
    }

    /// The same line with a band.
    pub fn with_band(mut self, band: Vec<(f64, f64, f64)>) -> Series {
        self.band = band;
        self
    }
}

/// Something that happened at a place of the horizontal axis.
#[derive(Clone, Debug, PartialEq)]
pub struct Mark {
    /// Where.
    pub x: f64,
    /// What.
    pub text: String,
}

/// A chart of lines.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LineChart {
    /// Its heading.
    pub title: String,
    /// One sentence below the heading; empty for none.
    pub note: String,
    /// The horizontal axis. It reaches exactly as far as the points.
    pub x: Axis,
    /// The vertical axis.
    pub y: Axis,
    /// The lines.
    pub series: Vec<Series>,
    /// Vertical marks.
    pub marks: Vec<Mark>,
}

impl LineChart {
    /// A chart over these axes.
    pub fn new(title: &str, x: Axis, y: Axis) -> LineChart {
        LineChart { title: title.to_owned(), x, y, ..LineChart::default() }
    }

    /// The same with a remark.
    pub fn note(mut self, note: &str) -> LineChart {
        self.note = note.to_owned();
        self
    }

    /// The same with one more line.
    pub fn with(mut self, series: Series) -> LineChart {
        self.series.push(series);
        self
    }

    /// The chart.
    pub fn to_html(&self) -> Html {
        let series: Vec<Series> = self.series.iter().map(thinned).collect();
        let is_point = |&(x, y): &(f64, f64)| x.is_finite() && y.is_finite();
        let points = || series.iter().flat_map(|series| series.points.iter().copied().filter(is_point));
        let bands = || series.iter().flat_map(|series| series.band.iter().copied());
        if points().next().is_none() {
            return empty_figure(&self.title, &self.note);
        }
        let heights = points().map(|(_, y)| y).chain(bands().flat_map(|(_, low, high)| [low, high]));
        let plot = Plot {
            x_axis: &self.x,
            y_axis: &self.y,
            x: Scale::new(self.x.range, points().map(|(x, _)| x), Ends::Exact, 6),
            y: Scale::new(self.y.range, heights, Ends::Rounded, 4),
        };
        let mut body = plot.axes();
        for (index, series) in series.iter().enumerate() {
            draw_band(&mut body, &plot, &series.band, &colour(index));
        }
        for mark in self.marks.iter().filter(|mark| (plot.x.low..=plot.x.high).contains(&mark.x)) {
            let x = plot.x(mark.x);
            let _ = writeln!(
                body,
                "<line class=\"mark\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{:.1}\" y2=\"{:.1}\"><title>{}</title></line>",
                plot.y(plot.y.low),
                plot.y(plot.y.high),
                escape(&mark.text)
            );
        }
        for (index, series) in series.iter().enumerate() {
            draw_line(&mut body, &plot, series, &colour(index));
        }
        let legend: Vec<(&str, String)> = series
            .iter()
            .enumerate()
            .map(|(index, series)| {
                let dashed = if series.stroke == Stroke::Dashed { " dashed" } else { "" };
                (series.name.as_str(), format!("{}{dashed}", colour(index)))
            })
            .collect();
        let readouts: Vec<Vec<(f64, f64)>> =
            series.iter().map(|series| series.points.iter().copied().filter(is_point).collect()).collect();
        let readouts: Vec<Readout<'_>> = series
            .iter()
            .zip(&readouts)
            .map(|(series, points)| Readout { name: &series.name, points })
            .collect();
        let legend = if legend.len() > 1 { legend } else { Vec::new() };
        figure(&self.title, &self.note, &legend, &body, &plot.readout(&readouts))
    }
}

fn draw_band(body: &mut String, plot: &Plot<'_>, band: &[(f64, f64, f64)], class: &str) {
    let finite: Vec<_> = band.iter().filter(|(x, low, high)| (x + low + high).is_finite()).copied().collect();
    if let [(x, low, high)] = finite[..] {
        // One interval alone has no area.
        let x = plot.x(x);
        let _ = writeln!(
            body,
            "<line class=\"interval {class}\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{:.1}\" y2=\"{:.1}\"/>",
            plot.y(low),
            plot.y(high)
        );
        return;
    }
    if finite.is_empty() {
        return;
    }
    let upper = finite.iter().map(|&(x, _, high)| (x, high));
    let lower = finite.iter().rev().map(|&(x, low, _)| (x, low));
    let corners: Vec<String> =
        upper.chain(lower).map(|(x, y)| format!("{:.1},{:.1}", plot.x(x), plot.y(y))).collect();
    let _ = writeln!(body, "<polygon class=\"band {class}\" points=\"{}\"/>", corners.join(" "));
}

fn draw_line(body: &mut String, plot: &Plot<'_>, series: &Series, class: &str) {
    let dashed = if series.stroke == Stroke::Dashed { " dashed" } else { "" };
    let mut path = String::new();
    let mut pen_down = false;
    for &(x, y) in &series.points {
        if x.is_finite() && y.is_finite() {
            let _ = write!(path, "{}{:.1} {:.1}", if pen_down { "L" } else { "M" }, plot.x(x), plot.y(y));
            pen_down = true;
        } else {
            pen_down = false;
        }
    }
    let _ = writeln!(body, "<path class=\"line {class}{dashed}\" d=\"{path}\"/>");
    let dots = series.points.iter().filter(|(x, y)| x.is_finite() && y.is_finite());
    if series.points.len() <= MOST_DOTS && series.stroke == Stroke::Full {
        for &(x, y) in dots {
            let _ = writeln!(
                body,
                "<circle class=\"dot {class}\" cx=\"{:.1}\" cy=\"{:.1}\" r=\"2.5\"/>",
                plot.x(x),
                plot.y(y)
            );
        }
    }
}

/// A series of at most [`MOST_POINTS`] points: means of neighbours.
fn thinned(series: &Series) -> Series {
    let group = |count: usize| count.div_ceil(MOST_POINTS).max(1);
    let mean = |values: &mut dyn Iterator<Item = f64>| {
        let (sum, count) = values.fold((0.0, 0usize), |(sum, count), value| (sum + value, count + 1));
        sum / count as f64
    };
    Series {
        points: series
            .points
            .chunks(group(series.points.len()))
            .map(|points| (mean(&mut points.iter().map(|p| p.0)), mean(&mut points.iter().map(|p| p.1))))
            .collect(),
        band: series
            .band
            .chunks(group(series.band.len()))
            .map(|band| {
                let x = mean(&mut band.iter().map(|interval| interval.0));
                let low = mean(&mut band.iter().map(|interval| interval.1));
                (x, low, mean(&mut band.iter().map(|interval| interval.2)))
            })
            .collect(),
        ..series.clone()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn chart(points: Vec<(f64, f64)>) -> String {
        let chart = LineChart::new("a < b", Axis::new("cycle"), Axis::share("score"));
        chart.with(Series::new("one", points)).to_html().to_string()
    }

    #[test]
    fn points_are_drawn_and_gaps_interrupt() {
        let html = chart(vec![(0.0, 0.0), (1.0, 0.5), (2.0, f64::NAN), (3.0, 1.0)]);
        assert!(html.contains("<h3>a &lt; b</h3>"));
        assert!(html.contains("d=\"M50.0 212.0L182.7 110.0M448.0 8.0\""), "{html}");
        assert_eq!(html.matches("<circle").count(), 3);
        assert!(!html.contains("NaN"));
    }

    #[test]
    fn long_series_are_thinned_and_keep_their_mean() {
        let points: Vec<(f64, f64)> = (0..10_001).map(|x| (f64::from(x), f64::from(x % 2))).collect();
        let thin = thinned(&Series::new("long", points));
        assert!(thin.points.len() <= MOST_POINTS && thin.points.len() > MOST_POINTS / 2);
        assert!(thin.points.iter().take(300).all(|&(_, y)| (y - 0.5).abs() < 0.03));
        assert!(chart((0..5000).map(|x| (f64::from(x), 0.5)).collect()).len() < 20_000);
    }

    #[test]
    fn without_points_it_says_so() {
        assert!(chart(Vec::new()).contains("nothing yet"));
        assert!(chart(vec![(f64::NAN, 1.0)]).contains("nothing yet"));
    }

    #[test]
    fn bands_surround_their_line() {
        let series = Series::new("x", vec![(0.0, 0.5), (1.0, 0.5)]);
        let chart = LineChart::new("t", Axis::new("x"), Axis::share("y"))
            .with(series.clone().with_band(vec![(0.0, 0.25, 0.75), (1.0, 0.0, 1.0)]));
        let html = chart.to_html().to_string();
        assert!(html.contains("points=\"50.0,59.0 448.0,8.0 448.0,212.0 50.0,161.0\""), "{html}");
        let one = LineChart::new("t", Axis::new("x"), Axis::share("y"))
            .with(series.with_band(vec![(0.0, 0.25, 0.75)]));
        assert!(one.to_html().as_str().contains("class=\"interval c1\""));
    }
}
