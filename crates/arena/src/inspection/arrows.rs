//! A policy drawn over the picture of a board.

use game::StepTrace;
use std::fmt::Write;

/// Shares below this are left out: they would only hide the board.
const LEAST_SHARE: f32 = 0.01;

/// A step and its share of the policy.
#[derive(Clone, Debug, PartialEq)]
pub struct Arrow {
    /// Where the step shows.
    pub trace: StepTrace,
    /// Its share, 0 to 1.
    pub share: f32,
}

/// The picture with an arrow for each step: the thicker and the more solid, the larger its share, which
/// is written beside its head in percent. A step on one point is a ring. Small shares are left out.
pub fn draw_arrows(picture: &str, mut arrows: Vec<Arrow>) -> String {
    arrows.retain(|arrow| arrow.share >= LEAST_SHARE && !arrow.trace.points.is_empty());
    // Large shares are drawn last, over the others.
    arrows.sort_by(|left, right| left.share.total_cmp(&right.share));
    let mut drawn = String::from(
        "<g class=\"policy\" fill=\"none\" stroke=\"#7a1fa2\" stroke-linejoin=\"round\" \
         font-family=\"sans-serif\" text-anchor=\"middle\">\n",
    );
    for arrow in &arrows {
        one(&mut drawn, arrow);
    }
    for arrow in &arrows {
        label(&mut drawn, arrow);
    }
    drawn.push_str("</g>\n");
    match picture.rfind("</svg>") {
        Some(end) => format!("{}{drawn}{}", &picture[..end], &picture[end..]),
        None => picture.to_owned(),
    }
}

fn one(drawn: &mut String, arrow: &Arrow) {
    let Arrow { trace: StepTrace { points, cell }, share } = arrow;
    let width = cell * (0.05 + 0.15 * share);
    let opacity = 0.35 + 0.6 * share;
    // Writing to a string cannot fail, here and below.
    let _ = match points[..] {
        [[x, y]] => writeln!(
            drawn,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{:.1}\" stroke-width=\"{width:.1}\" \
             stroke-opacity=\"{opacity:.2}\"/>",
            0.36 * cell
        ),
        [.., from, to] => {
            let head = 2.2 * width + 0.06 * cell;
            let (base, left, right) = head_points(from, to, head);
            let mut line = String::new();
            for [x, y] in &points[..points.len() - 1] {
                let _ = write!(line, "{x:.1},{y:.1} ");
            }
            let _ = write!(line, "{:.1},{:.1}", base[0], base[1]);
            writeln!(
                drawn,
                "<polyline points=\"{line}\" stroke-width=\"{width:.1}\" stroke-opacity=\"{opacity:.2}\"/>\
                 <polygon points=\"{:.1},{:.1} {:.1},{:.1} {:.1},{:.1}\" fill=\"#7a1fa2\" \
                 fill-opacity=\"{opacity:.2}\" stroke=\"none\"/>",
                to[0], to[1], left[0], left[1], right[0], right[1]
            )
        }
        [] => Ok(()),
    };
}

/// The middle of an arrow head's back, and its two corners.
fn head_points(from: [f32; 2], to: [f32; 2], head: f32) -> ([f32; 2], [f32; 2], [f32; 2]) {
    let (across, down) = (to[0] - from[0], to[1] - from[1]);
    let length = across.hypot(down).max(1e-3);
    let (across, down) = (across / length, down / length);
    let base = [to[0] - head * across, to[1] - head * down];
    let half = 0.55 * head;
    let left = [base[0] - half * down, base[1] + half * across];
    let right = [base[0] + half * down, base[1] - half * across];
    (base, left, right)
}

fn label(drawn: &mut String, arrow: &Arrow) {
    let Some(&[x, y]) = arrow.trace.points.last() else { return };
    let size = 0.24 * arrow.trace.cell;
    let _ = writeln!(
        drawn,
        "<text x=\"{x:.1}\" y=\"{:.1}\" font-size=\"{size:.1}\" font-weight=\"bold\" fill=\"#fff\" \
         stroke=\"#3b0a52\" stroke-width=\"{:.1}\" paint-order=\"stroke\">{:.0} %</text>",
        y + 0.08 * arrow.trace.cell,
        0.22 * size,
        100.0 * arrow.share
    );
}

#[cfg(test)]
mod tests {
    use super::*;

    fn arrow(points: &[[f32; 2]], share: f32) -> Arrow {
        Arrow { trace: StepTrace { points: points.to_vec(), cell: 50.0 }, share }
    }

    #[test]
    fn arrows_stand_inside_the_picture_and_small_ones_are_left_out() {
        let drawn = draw_arrows(
            "<svg>\n<rect/>\n</svg>\n",
            vec![
                arrow(&[[0.0, 0.0], [100.0, 0.0]], 0.6),
                arrow(&[[25.0, 75.0]], 0.395),
                arrow(&[[0.0, 0.0], [0.0, 100.0]], 0.005),
            ],
        );
        assert!(
            drawn.starts_with("<svg>\n<rect/>\n<g class=\"policy\"") && drawn.ends_with("</g>\n</svg>\n")
        );
        assert_eq!(drawn.matches("<polyline").count(), 1);
        assert_eq!(drawn.matches("<circle").count(), 1);
        assert!(drawn.contains(">60 %</text>") && drawn.contains(">40 %</text>"), "{drawn}");
        // The larger share is drawn later, and its head ends at the target.
        assert!(drawn.find("<circle") < drawn.find("<polyline"));
        assert!(drawn.contains("points=\"100.0,0.0 "), "{drawn}");
    }
}
