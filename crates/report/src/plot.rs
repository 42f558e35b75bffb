//! What all charts share: figure, legend, axes.

use crate::html::{Html, data_block, escape};
use crate::number::Unit;
use crate::scale::{Axis, Scale};
use serde_json::{Value, json};
use std::fmt::Write;

/// Size of a chart's picture, which grows and shrinks with the page.
const WIDTH: f64 = 460.0;
const HEIGHT: f64 = 250.0;
const LEFT: f64 = 50.0;
const RIGHT: f64 = 12.0;
const TOP: f64 = 8.0;
const BOTTOM: f64 = 38.0;

/// Number of colours; what comes after them is grey.
const COLOURS: usize = 8;

/// A chart's field between two axes.
pub(crate) struct Plot<'a> {
    pub x_axis: &'a Axis,
    pub y_axis: &'a Axis,
    pub x: Scale,
    pub y: Scale,
}

impl Plot<'_> {
    /// Where a value lies on the picture, from the left.
    pub fn x(&self, value: f64) -> f64 {
        LEFT + self.x.place(value) * (WIDTH - LEFT - RIGHT)
    }

    /// Where a value lies on the picture, from the top; what is off the axis lies on its end.
    pub fn y(&self, value: f64) -> f64 {
        TOP + (1.0 - self.y.place(value).clamp(0.0, 1.0)) * (HEIGHT - TOP - BOTTOM)
    }

    /// The axes, to be drawn below everything else.
    pub fn axes(&self) -> String {
        let mut svg = String::from("<g class=\"axes\">\n");
        let (left, right) = (LEFT, WIDTH - RIGHT);
        let floor = HEIGHT - BOTTOM;
        // Writing to a string cannot fail, here and in all charts.
        for &tick in &self.y.ticks {
            let y = self.y(tick);
            let _ = writeln!(
                svg,
                "<line x1=\"{left}\" x2=\"{right}\" y1=\"{y:.1}\" y2=\"{y:.1}\"/><text x=\"{:.1}\" y=\"{:.1}\" \
                 text-anchor=\"end\">{}</text>",
                left - 6.0,
                y + 4.0,
                self.y_axis.unit.write_tick(tick, self.y.step)
            );
        }
        for &tick in &self.x.ticks {
            let x = self.x(tick);
            let _ = writeln!(
                svg,
                "<line class=\"tick\" x1=\"{x:.1}\" x2=\"{x:.1}\" y1=\"{floor}\" y2=\"{}\"/><text x=\"{x:.1}\" \
                 y=\"{}\" text-anchor=\"middle\">{}</text>",
                floor + 4.0,
                floor + 17.0,
                self.x_axis.unit.write_tick(tick, self.x.step)
            );
        }
        let _ = writeln!(
            svg,
            "<text class=\"label\" x=\"{right}\" y=\"{}\" text-anchor=\"end\">{}</text>",
            HEIGHT - 5.0,
            escape(&self.x_axis.label)
        );
        svg.push_str("</g>\n");
        svg
    }

    /// What the page's script needs to name the values under the pointer.
    pub fn readout(&self, series: &[Readout<'_>]) -> String {
        let series: Vec<Value> = series
            .iter()
            .map(|series| {
                let points: Vec<Value> =
                    series.points.iter().map(|&(x, y)| json!([rounded(x), rounded(y)])).collect();
                json!({"name": series.name, "points": points})
            })
            .collect();
        data_block(&json!({
            "field": [LEFT, WIDTH - RIGHT, TOP, HEIGHT - BOTTOM],
            "ends": [self.x.low, self.x.high],
            "label": self.x_axis.label,
            "unit": self.y_axis.unit.name(),
            "xunit": self.x_axis.unit.name(),
            "series": series,
        }))
    }
}

/// A series as the reader may ask for it.
pub(crate) struct Readout<'a> {
    pub name: &'a str,
    pub points: &'a [(f64, f64)],
}

/// Five figures are more than anybody reads off a chart.
fn rounded(number: f64) -> Value {
    format!("{number:.4e}").parse::<f64>().map_or(Value::Null, |number| json!(number))
}

/// Class of the colour of the layer or series at an index.
pub(crate) fn colour(index: usize) -> String {
    if index < COLOURS { format!("c{}", index + 1) } else { "c0".to_owned() }
}

/// Title, remark, legend and picture of a chart of the usual size.
pub(crate) fn figure(title: &str, note: &str, names: &[(&str, String)], body: &str, readout: &str) -> Html {
    figure_of(title, note, names, HEIGHT, body, readout)
}

/// The same with a height of its own.
pub(crate) fn figure_of(
    title: &str,
    note: &str,
    names: &[(&str, String)],
    height: f64,
    body: &str,
    readout: &str,
) -> Html {
    let mut html = format!("<figure class=\"chart\">\n<figcaption><h3>{}</h3>", escape(title));
    if !note.is_empty() {
        let _ = write!(html, "<p>{}</p>", escape(note));
    }
    html.push_str("</figcaption>\n");
    if !names.is_empty() {
        html.push_str("<ul class=\"legend\">");
        for (name, class) in names {
            let _ = write!(html, "<li><i class=\"{class}\"></i>{}</li>", escape(name));
        }
        html.push_str("</ul>\n");
    }
    let _ = write!(
        html,
        "<svg viewBox=\"0 0 {WIDTH} {height}\" role=\"img\" aria-label=\"{}\">\n{body}</svg>\n{readout}</figure>\n",
        escape(title)
    );
    Html::trusted(html)
}

/// A chart without data.
pub(crate) fn empty_figure(title: &str, note: &str) -> Html {
    let body = format!(
        "<text class=\"nothing\" x=\"{}\" y=\"{}\" text-anchor=\"middle\">nothing yet</text>\n",
        WIDTH / 2.0,
        HEIGHT / 2.0
    );
    figure(title, note, &[], &body, "")
}

/// The width of all charts' pictures.
pub(crate) const fn width() -> f64 {
    WIDTH
}

/// A number in the unit of an axis.
pub(crate) fn written(unit: Unit, number: f64) -> String {
    escape(&unit.write(number))
}
