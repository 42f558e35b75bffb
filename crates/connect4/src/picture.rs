//! Connect Four boards in characters and as SVG.

use crate::{
    board::{COLUMNS, Position, ROWS, Step, fours, point},
    notation::letter,
    setup::file_name,
};
use game::{Player, StepTrace};
use std::fmt::Write as _;

/// Side of a point in the picture.
const CELL: usize = 60;
/// Width of the border, where the coordinates stand.
const BORDER: usize = 24;

/// Rows from the top with their numbers, then the files.
pub(crate) fn text(position: &Position) -> String {
    let mut text = String::new();
    for height in (0..ROWS).rev() {
        text.push_str(&(height + 1).to_string());
        for file in 0..COLUMNS {
            text.push(' ');
            text.push(position.stone(file, height).map_or('.', letter));
        }
        text.push('\n');
    }
    text.push(' ');
    for file in 0..COLUMNS {
        text.push(' ');
        text.push(file_name(file));
    }
    text.push('\n');
    text
}

/// Where a step shows.
pub(crate) fn step_trace(position: &Position, step: Step) -> StepTrace {
    let middle = |cells: usize| (BORDER + cells * CELL + CELL / 2) as f32;
    let row = (ROWS - 1).saturating_sub(position.height(step.file()));
    StepTrace { points: vec![[middle(step.file()), middle(row)]], cell: CELL as f32 }
}

/// The board with the last stone marked and a won line circled.
pub(crate) fn svg(position: &Position, last_turn: Option<(&Position, &[Step])>) -> String {
    let (width, height) = (COLUMNS * CELL + 2 * BORDER, ROWS * CELL + 2 * BORDER);
    let last = last_turn
        .and_then(|(before, steps)| steps.last().map(|step| point(step.file(), before.height(step.file()))));
    let won = fours(position.enemy());
    let mut svg = String::new();
    // Writing to a string cannot fail.
    let _ = write!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{width}\" height=\"{height}\" \
         viewBox=\"0 0 {width} {height}\" font-family=\"sans-serif\" font-size=\"14\" text-anchor=\"middle\">\n\
         <rect width=\"{width}\" height=\"{height}\" fill=\"#f4f1ea\"/>\n\
         <rect x=\"{BORDER}\" y=\"{BORDER}\" width=\"{}\" height=\"{}\" rx=\"8\" fill=\"#2c5aa0\"/>\n",
        COLUMNS * CELL,
        ROWS * CELL,
    );
    for file in 0..COLUMNS {
        let x = BORDER + file * CELL + CELL / 2;
        let _ = writeln!(svg, "<text x=\"{x}\" y=\"{}\">{}</text>", height - 8, file_name(file));
        for row in 0..ROWS {
            let up = ROWS - 1 - row;
            let y = BORDER + row * CELL + CELL / 2;
            let fill = match position.stone(file, up) {
                Some(Player::First) => "#d33a2c",
                Some(Player::Second) => "#f2c230",
                None => "#f4f1ea",
            };
            let _ = writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"24\" fill=\"{fill}\"/>");
            if won & point(file, up) != 0 {
                let _ = writeln!(
                    svg,
                    "<circle cx=\"{x}\" cy=\"{y}\" r=\"19\" fill=\"none\" stroke=\"#111\" stroke-width=\"4\"/>"
                );
            }
            if last == Some(point(file, up)) {
                let _ = writeln!(svg, "<circle cx=\"{x}\" cy=\"{y}\" r=\"6\" fill=\"#111\"/>");
            }
        }
    }
    for row in 0..ROWS {
        let y = BORDER + row * CELL + CELL / 2 + 5;
        let _ = writeln!(svg, "<text x=\"{}\" y=\"{y}\">{}</text>", BORDER / 2, ROWS - row);
    }
    svg.push_str("</svg>\n");
    svg
}
