//! Arrows on the pictures of boards.

use std::fmt;

/// An arrow in SVG, from one point to another. The picture needs [`Arrow::head`] of its colour once.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Arrow {
    /// Where it begins, `[x, y]`.
    pub from: [f64; 2],
    /// What it points to.
    pub to: [f64; 2],
    /// How far before that it ends, so that what stands there can be seen.
    pub short: f64,
    /// Its colour.
    pub colour: &'static str,
    /// Its width.
    pub width: f64,
    /// How opaque it is, from 0 to 1.
    pub opacity: f64,
    /// Whether the line is dashed.
    pub dashed: bool,
}

impl Arrow {
    /// The definition of the heads of all arrows of a picture, which have one colour.
    pub fn head(colour: &str) -> String {
        format!(
            "<defs><marker id=\"head\" viewBox=\"0 0 10 10\" refX=\"7\" refY=\"5\" markerWidth=\"4\" \
             markerHeight=\"4\" orient=\"auto\"><path d=\"M0 0L10 5L0 10z\" fill=\"{colour}\"/></marker></defs>"
        )
    }
}

impl fmt::Display for Arrow {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Arrow { from: [x1, y1], to: [x2, y2], short, colour, width, opacity, .. } = *self;
        let share = short / (x2 - x1).hypot(y2 - y1).max(1.0);
        let (x, y) = (x2 - (x2 - x1) * share, y2 - (y2 - y1) * share);
        let dash = if self.dashed { " stroke-dasharray=\"9 6\"" } else { "" };
        write!(
            formatter,
            "<line x1=\"{x1:.1}\" y1=\"{y1:.1}\" x2=\"{x:.1}\" y2=\"{y:.1}\" stroke=\"{colour}\" \
             stroke-width=\"{width}\" stroke-opacity=\"{opacity}\" marker-end=\"url(#head)\"{dash}/>"
        )
    }
}
