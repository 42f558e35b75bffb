//! Things as points on a plane.

use crate::html::{Html, escape};
use crate::labels::{self, Place, Point, Rectangle};
use crate::plot::{empty_figure, figure_of, width};
use crate::scale::{Axis, Ends, Scale};
use std::fmt::Write;

/// Height of the plane.
const HEIGHT: f64 = 320.0;
/// Space around it: left and below for numbers.
const LEFT: f64 = 52.0;
const BOTTOM: f64 = 40.0;
const EDGE: f64 = 14.0;
/// Radius of the smallest and of the largest point.
const RADIUS: (f64, f64) = (3.5, 16.0);
/// Colours that points can have.
const COLOURS: usize = 8;

/// A point.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Dot {
    /// What it is; shown beside it where it is large and there is room, else under the pointer.
    pub name: String,
    /// Its place.
    pub place: (f64, f64),
    /// Its area, from 0 to 1.
    pub size: f64,
    /// Its group, which decides the colour.
    pub group: usize,
}

/// A chart of points.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Scatter {
    /// Its heading.
    pub title: String,
    /// One sentence below the heading; empty for none.
    pub note: String,
    /// The horizontal and the vertical axis.
    pub axes: [Axis; 2],
    /// The points.
    pub dots: Vec<Dot>,
    /// A line, `vertical = .0 + .1 · horizontal`.
    pub line: Option<(f64, f64)>,
}

impl Scatter {
    /// The chart.
    pub fn to_html(&self) -> Html {
        if self.dots.is_empty() {
            return empty_figure(&self.title, &self.note);
        }
        let [across, up] = &self.axes;
        let horizontal = Scale::new(across.range, self.dots.iter().map(|dot| dot.place.0), Ends::Rounded, 6);
        let vertical = Scale::new(up.range, self.dots.iter().map(|dot| dot.place.1), Ends::Rounded, 5);
        let share = |scale: &Scale, number: f64| (number - scale.low) / (scale.high - scale.low);
        let x = |number: f64| LEFT + share(&horizontal, number) * (width() - LEFT - EDGE);
        let y = |number: f64| HEIGHT - BOTTOM - share(&vertical, number) * (HEIGHT - BOTTOM - EDGE);
        let mut body = String::from("<g class=\"axes\">\n");
        // Writing to a string cannot fail.
        for &tick in &horizontal.ticks {
            let _ = writeln!(
                body,
                "<line x1=\"{0:.1}\" y1=\"{EDGE}\" x2=\"{0:.1}\" y2=\"{1:.1}\"/><text x=\"{0:.1}\" y=\"{2:.1}\" text-anchor=\"middle\">{3}</text>",
                x(tick),
                HEIGHT - BOTTOM,
                HEIGHT - BOTTOM + 15.0,
                across.unit.write(tick)
            );
        }
        for &tick in &vertical.ticks {
            let _ = writeln!(
                body,
                "<line x1=\"{LEFT}\" y1=\"{0:.1}\" x2=\"{1:.1}\" y2=\"{0:.1}\"/><text x=\"{2:.1}\" y=\"{3:.1}\" text-anchor=\"end\">{4}</text>",
                y(tick),
                width() - EDGE,
                LEFT - 6.0,
                y(tick) + 4.0,
                up.unit.write(tick)
            );
        }
        let _ = writeln!(
            body,
            "<text x=\"{:.1}\" y=\"{:.1}\" text-anchor=\"end\">{}</text><text x=\"4\" y=\"10\">{}</text>\n</g>",
            width() - EDGE,
            HEIGHT - 6.0,
            escape(&across.label),
            escape(&up.label)
        );
        if let Some((start, slope)) = self.line {
            let [from, to] = [horizontal.low, horizontal.high];
            let clamp = |number: f64| number.clamp(vertical.low, vertical.high);
            let _ = writeln!(
                body,
                "<line class=\"trend\" x1=\"{:.1}\" y1=\"{:.1}\" x2=\"{:.1}\" y2=\"{:.1}\" stroke=\"currentColor\" stroke-dasharray=\"4 4\"/>",
                x(from),
                y(clamp(start + slope * from)),
                x(to),
                y(clamp(start + slope * to))
            );
        }
        let mut dots: Vec<&Dot> = self.dots.iter().collect();
        dots.sort_by(|one, other| other.size.total_cmp(&one.size));
        let points: Vec<Point<'_>> = dots
            .iter()
            .map(|dot| Point {
                name: &dot.name,
                center: (x(dot.place.0), y(dot.place.1)),
                radius: RADIUS.0 + (RADIUS.1 - RADIUS.0) * dot.size.clamp(0.0, 1.0).sqrt(),
                named: dot.size > 0.02,
            })
            .collect();
        let area = Rectangle { left: LEFT, top: 0.0, right: width(), bottom: HEIGHT - BOTTOM };
        let places = labels::place(&points, area);
        for ((dot, point), place) in dots.iter().zip(&points).zip(places) {
            let ((left, top), radius) = (point.center, point.radius);
            let name = escape(&dot.name);
            let _ = write!(
                body,
                "<g class=\"c{}\"><title>{name}</title><circle cx=\"{left:.1}\" cy=\"{top:.1}\" r=\"{radius:.1}\" fill=\"currentColor\" fill-opacity=\"0.7\"/></g>",
                dot.group % COLOURS + 1
            );
            if let Some(Place { x, y, anchor }) = place {
                let _ = write!(
                    body,
                    "<text class=\"name\" x=\"{x:.1}\" y=\"{y:.1}\" text-anchor=\"{anchor}\">{name}</text>"
                );
            }
            body.push('\n');
        }
        figure_of(&self.title, &self.note, &[], HEIGHT, &body, "")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn points_lie_inside_and_names_are_escaped() {
        let dot = |x: f64, size: f64| Dot { name: "<a>".to_owned(), place: (x, 2.0 * x), size, group: 9 };
        let chart = Scatter {
            title: "map".to_owned(),
            axes: [Axis::new("across"), Axis::new("up")],
            dots: vec![dot(0.0, 0.0), dot(10.0, 1.0)],
            line: Some((0.0, 2.0)),
            ..Scatter::default()
        };
        let html = chart.to_html().to_string();
        assert_eq!(html.matches("<circle").count(), 2);
        assert_eq!(html.matches("class=\"c2\"").count(), 2);
        assert_eq!(html.matches("&lt;a&gt;</text>").count(), 1);
        assert_eq!(html.matches("<text class=\"name\"").count(), 1, "whose colour is the theme's");
        assert!(!html.contains("NaN") && !html.contains("<a>"));
        assert!(Scatter::default().to_html().as_str().contains("figure"));
    }
}
