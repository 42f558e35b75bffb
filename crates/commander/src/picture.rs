//! The board in characters.

use crate::point::{FILES, Point, RANKS};
use crate::position::Position;
use crate::terrain::{Terrain, terrain};
use std::fmt::Write;

/// Width of a point's column.
const WIDTH: usize = 6;

/// The board in characters, rank 12 at the top: Red in upper case, Blue in lower case, `~` sea and
/// navigable river, `:` coast, `=` fords, `-` other river banks, `.` land.
pub(crate) fn board_text(position: &Position) -> String {
    let mut text = String::new();
    let board = position.board();
    for rank in (0..RANKS).rev() {
        let _ = write!(text, "{:>2} ", rank + 1);
        for file in 0..FILES {
            let point = Point::at(file, rank);
            let stack = board.at(point);
            let cell = if stack.is_empty() { ground(terrain(point)).to_owned() } else { stack.to_string() };
            let _ = write!(text, " {cell:^WIDTH$}");
        }
        while text.ends_with(' ') {
            text.pop();
        }
        text.push('\n');
    }
    text.push_str("   ");
    for file in 0..FILES {
        let _ = write!(text, " {:^WIDTH$}", char::from(b'a' + file as u8));
    }
    while text.ends_with(' ') {
        text.pop();
    }
    text.push('\n');
    text
}

pub(crate) const fn ground(terrain: Terrain) -> &'static str {
    match terrain {
        Terrain::Sea | Terrain::NavigableRiver => "~",
        Terrain::Coast => ":",
        Terrain::Ford => "=",
        Terrain::Riverbank => "-",
        Terrain::Land => ".",
    }
}
