//! The board as a picture.
//!
//! Points are crossings of lines; the river parts them, diagonals mark the palaces. A piece is a disc
//! with its character, drawn from strokes, so that no font is needed for it. The last move is an arrow.

use crate::glyphs::strokes;
use crate::piece::Piece;
use crate::position::Position;
use crate::square::{FILES, RANKS, Square};
use crate::step::Step;
use game::{Arrow, Player, StepTrace};
use std::fmt::Write as _;

/// Distance between two lines.
const CELL: f64 = 60.0;
/// From the edge of the picture to the outer lines; coordinates stand there.
const MARGIN: f64 = 62.0;
const WIDTH: f64 = CELL * (FILES - 1) as f64 + 2.0 * MARGIN;
const HEIGHT: f64 = CELL * (RANKS - 1) as f64 + 2.0 * MARGIN;
/// Colour of the last move.
const LAST_MOVE: &str = "#2f6db3";
/// Radius of a piece.
const RADIUS: f64 = 26.0;
/// Size of a hundredth of a character.
const GLYPH: f64 = 0.29;
const RED: &str = "#b3261e";
const BLACK: &str = "#1d1d1b";
const LINES: &str = "#6b4a2b";

/// The board; `last` is the move that led to it.
pub(crate) fn board_svg(position: &Position, last: Option<Step>) -> String {
    let mut svg = String::new();
    // Writing to a string cannot fail, here and below.
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {WIDTH} {HEIGHT}\" \
         width=\"{WIDTH}\" height=\"{HEIGHT}\" font-family=\"sans-serif\" text-anchor=\"middle\">\n\
         {}\n\
         <rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#f3dfb6\"/>",
        Arrow::head(LAST_MOVE)
    );
    lines(&mut svg);
    coordinates(&mut svg);
    for square in Square::all() {
        if let Some(piece) = position.piece(square) {
            disc(&mut svg, piece, square);
        }
    }
    if let Some(step) = last {
        arrow(&mut svg, step);
    }
    svg.push_str("</svg>\n");
    svg
}

/// Where a move shows: from point to point.
pub(crate) fn step_trace(step: Step) -> StepTrace {
    let place = |square| {
        let (x, y) = centre(square);
        [x as f32, y as f32]
    };
    StepTrace { points: vec![place(step.from), place(step.to)], cell: CELL as f32 }
}

/// Where a point is, rank 9 at the top.
fn centre(square: Square) -> (f64, f64) {
    let x = MARGIN + CELL * square.file() as f64;
    let y = MARGIN + CELL * (RANKS - 1 - square.rank()) as f64;
    (x, y)
}

fn line(svg: &mut String, from: (usize, usize), to: (usize, usize)) {
    let (x1, y1) = centre(Square::new(from.0, from.1));
    let (x2, y2) = centre(Square::new(to.0, to.1));
    let _ = writeln!(svg, "<line x1=\"{x1}\" y1=\"{y1}\" x2=\"{x2}\" y2=\"{y2}\"/>");
}

fn lines(svg: &mut String) {
    let (left, top) = centre(Square::new(0, 5));
    let width = CELL * (FILES - 1) as f64;
    let _ = writeln!(
        svg,
        "<rect x=\"{left}\" y=\"{top}\" width=\"{width}\" height=\"{CELL}\" fill=\"#bcdbe6\" fill-opacity=\"0.7\"/>"
    );
    let _ = writeln!(svg, "<g stroke=\"{LINES}\" stroke-width=\"1.5\" stroke-linecap=\"round\">");
    for rank in 0..RANKS {
        line(svg, (0, rank), (FILES - 1, rank));
    }
    for file in 0..FILES {
        if file == 0 || file == FILES - 1 {
            line(svg, (file, 0), (file, RANKS - 1));
        } else {
            line(svg, (file, 0), (file, 4));
            line(svg, (file, 5), (file, 9));
        }
    }
    for rank in [0, 7] {
        line(svg, (3, rank), (5, rank + 2));
        line(svg, (5, rank), (3, rank + 2));
    }
    for (file, rank) in [1, 7].into_iter().flat_map(|file| [(file, 2), (file, 7)]) {
        corners(svg, Square::new(file, rank));
    }
    for (file, rank) in [0, 2, 4, 6, 8].into_iter().flat_map(|file| [(file, 3), (file, 6)]) {
        corners(svg, Square::new(file, rank));
    }
    svg.push_str("</g>\n");
}

/// The small corners around the points of cannons and pawns.
fn corners(svg: &mut String, square: Square) {
    let (x, y) = centre(square);
    for (across, up) in [(-1.0, -1.0), (-1.0, 1.0), (1.0, -1.0), (1.0, 1.0)] {
        if (across < 0.0 && square.file() == 0) || (across > 0.0 && square.file() == FILES - 1) {
            continue;
        }
        let (near, far) = (4.0, 12.0);
        let _ = writeln!(
            svg,
            "<path d=\"M{} {}V{}H{}\" fill=\"none\"/>",
            x + across * near,
            y + up * far,
            y + up * near,
            x + across * far
        );
    }
}

fn coordinates(svg: &mut String) {
    let _ = writeln!(svg, "<g font-size=\"15\" fill=\"{LINES}\">");
    for file in 0..FILES {
        let (x, _) = centre(Square::new(file, 0));
        let letter = char::from(b'a' + file as u8);
        for y in [18.0, HEIGHT - 8.0] {
            let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\">{letter}</text>");
        }
    }
    for rank in 0..RANKS {
        let (_, y) = centre(Square::new(0, rank));
        for x in [14.0, WIDTH - 14.0] {
            let _ = writeln!(svg, "<text x=\"{x}\" y=\"{}\">{rank}</text>", y + 5.0);
        }
    }
    svg.push_str("</g>\n");
}

fn disc(svg: &mut String, piece: Piece, square: Square) {
    let (x, y) = centre(square);
    let ink = match piece.side {
        Player::First => RED,
        Player::Second => BLACK,
    };
    let _ = writeln!(
        svg,
        "<circle cx=\"{x}\" cy=\"{y}\" r=\"{RADIUS}\" fill=\"#fdf3dc\" stroke=\"{ink}\" stroke-width=\"2\"/>\n\
         <circle cx=\"{x}\" cy=\"{y}\" r=\"{}\" fill=\"none\" stroke=\"{ink}\"/>",
        RADIUS - 3.0,
    );
    let mut path = String::new();
    let (left, right) = strokes(piece);
    for stroke in left.iter().chain(right) {
        for (index, &(across, down)) in stroke.iter().enumerate() {
            let command = if index == 0 { 'M' } else { 'L' };
            let (across, down) = (f64::from(across) - 50.0, f64::from(down) - 50.0);
            let _ = write!(path, "{command}{:.1} {:.1}", x + across * GLYPH, y + down * GLYPH);
        }
    }
    let _ = writeln!(
        svg,
        "<path d=\"{path}\" fill=\"none\" stroke=\"{ink}\" stroke-width=\"2.4\" stroke-linecap=\"round\" \
         stroke-linejoin=\"round\"/>"
    );
}

fn arrow(svg: &mut String, step: Step) {
    let ((x1, y1), (x2, y2)) = (centre(step.from), centre(step.to));
    let arrow = Arrow {
        from: [x1, y1],
        to: [x2, y2],
        // The head ends at the edge of the piece that moved, so that its character stays free.
        short: RADIUS,
        colour: LAST_MOVE,
        width: 6.0,
        opacity: 0.65,
        dashed: false,
    };
    let _ = writeln!(
        svg,
        "<circle cx=\"{x1}\" cy=\"{y1}\" r=\"9\" fill=\"{LAST_MOVE}\" fill-opacity=\"0.35\"/>\n{arrow}"
    );
}
