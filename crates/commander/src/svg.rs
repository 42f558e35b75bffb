//! The board as a picture.
//!
//! Every point is a tile coloured by its terrain. A piece is a disc with its letter, cargo are
//! smaller discs at the lower edge of its carrier's, heroes wear a gold ring and a star. The steps
//! of the last turn are arrows: full for what moved, dashed for captures from afar and drops. Air-defence zones
//! are a layer that shows when it is asked for.

use crate::bits::Bits;
use crate::piece::{Kind, Piece};
use crate::point::{FILES, OFFSETS, Point, RANKS, STRAIGHT};
use crate::position::Position;
use crate::stack::Stack;
use crate::step::{Step, StepKind};
use crate::terrain::{Terrain, terrain};
use game::{Arrow, Player, StepTrace};
use std::fmt::Write;

/// Side of a tile.
const TILE: f64 = 56.0;
/// Colour of the last turn.
const LAST_TURN: &str = "#e07b00";
/// Space for the coordinates.
const MARGIN: f64 = 28.0;
const WIDTH: f64 = TILE * FILES as f64 + 2.0 * MARGIN;
const HEIGHT: f64 = TILE * RANKS as f64 + 2.0 * MARGIN;

/// The board with the steps of the last turn drawn over it, and the air-defence zones of Red and Blue under the
/// pieces where they are given.
pub(crate) fn board_svg(position: &Position, steps: &[Step], zones: Option<[Bits; 2]>) -> String {
    document(position, steps, zones, 0.0, None)
}

/// The board with a description.
pub(crate) fn described_board_svg(position: &Position, description: &str) -> String {
    document(position, &[], None, 0.0, Some(description))
}

/// The lower half of the board, up to the river, with a description.
pub(crate) fn half_board_svg(position: &Position, description: &str) -> String {
    // A few units above the river, so that it is seen whole.
    document(position, &[], None, MARGIN + TILE * (RANKS / 2) as f64 - 6.0, Some(description))
}

/// The board from `top` down. The description is plain text without `&` and `<`.
fn document(
    position: &Position,
    steps: &[Step],
    zones: Option<[Bits; 2]>,
    top: f64,
    description: Option<&str>,
) -> String {
    let mut svg = String::new();
    let height = HEIGHT - top;
    let _ = writeln!(
        svg,
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 {top} {WIDTH} {height}\" \
         width=\"{WIDTH}\" height=\"{height}\" font-family=\"sans-serif\" text-anchor=\"middle\">"
    );
    if let Some(description) = description {
        let _ = writeln!(svg, "<desc>{description}</desc>");
    }
    let _ = writeln!(svg, "{}", Arrow::head(LAST_TURN));
    let _ = writeln!(svg, "<rect width=\"{WIDTH}\" height=\"{HEIGHT}\" fill=\"#fbfaf4\"/>");
    for point in points() {
        tile(&mut svg, point);
    }
    grid(&mut svg);
    coordinates(&mut svg);
    for (side, zone) in Player::BOTH.into_iter().zip(zones.into_iter().flatten()) {
        air_defence(&mut svg, side, zone);
    }
    for step in steps.iter().filter(|step| step.kind != StepKind::EndTurn) {
        let (x, y) = centre(step.origin);
        let _ = writeln!(
            svg,
            "<rect x=\"{}\" y=\"{}\" width=\"{TILE}\" height=\"{TILE}\" fill=\"#ffd24d\" fill-opacity=\"0.55\"/>",
            x - TILE / 2.0,
            y - TILE / 2.0
        );
    }
    for point in points() {
        let stack = position.board().at(point);
        if !stack.is_empty() {
            draw_stack(&mut svg, point, stack);
        }
    }
    for &step in steps.iter().filter(|step| step.kind != StepKind::EndTurn) {
        arrow(&mut svg, step);
    }
    svg.push_str("</svg>\n");
    svg
}

fn points() -> impl Iterator<Item = Point> {
    (0..RANKS).flat_map(|rank| (0..FILES).map(move |file| Point::at(file, rank)))
}

/// Where a point's middle is, rank 12 at the top.
fn centre(point: Point) -> (f64, f64) {
    let x = MARGIN + TILE * (point.file() as f64 + 0.5);
    let y = MARGIN + TILE * ((RANKS - 1 - point.rank()) as f64 + 0.5);
    (x, y)
}

/// Where a step shows; the end of a turn shows nowhere.
pub(crate) fn step_trace(step: Step) -> Option<StepTrace> {
    if step.kind == StepKind::EndTurn {
        return None;
    }
    let place = |point| {
        let (x, y) = centre(point);
        [x as f32, y as f32]
    };
    Some(StepTrace { points: vec![place(step.origin), place(step.target)], cell: TILE as f32 })
}

fn tile(svg: &mut String, point: Point) {
    let colour = match terrain(point) {
        Terrain::Sea => "#8fc1e3",
        Terrain::Coast => "#bfdcd6",
        Terrain::NavigableRiver => "#a9d3ea",
        Terrain::Ford => "#e6cf94",
        Terrain::Riverbank => "#d3e2b4",
        Terrain::Land => "#edeccb",
    };
    let (x, y) = centre(point);
    let _ = writeln!(
        svg,
        "<rect x=\"{}\" y=\"{}\" width=\"{TILE}\" height=\"{TILE}\" fill=\"{colour}\"/>",
        x - TILE / 2.0,
        y - TILE / 2.0
    );
}

/// The lines between points, and the river.
fn grid(svg: &mut String) {
    let (left, top) = centre(Point::at(0, RANKS - 1));
    let (right, bottom) = centre(Point::at(FILES - 1, 0));
    svg.push_str("<g stroke=\"#55606a\" stroke-opacity=\"0.35\" stroke-width=\"1\">\n");
    for file in 0..FILES {
        let (x, _) = centre(Point::at(file, 0));
        let _ = writeln!(svg, "<line x1=\"{x}\" y1=\"{top}\" x2=\"{x}\" y2=\"{bottom}\"/>");
    }
    for rank in 0..RANKS {
        let (_, y) = centre(Point::at(0, rank));
        let _ = writeln!(svg, "<line x1=\"{left}\" y1=\"{y}\" x2=\"{right}\" y2=\"{y}\"/>");
    }
    svg.push_str("</g>\n");
    let river = MARGIN + TILE * (RANKS / 2) as f64;
    let from = MARGIN + TILE * 2.0;
    let _ = writeln!(
        svg,
        "<line x1=\"{from}\" y1=\"{river}\" x2=\"{}\" y2=\"{river}\" stroke=\"#5aa5d6\" stroke-width=\"5\"/>",
        WIDTH - MARGIN
    );
    for file in [5, 7] {
        let (x, _) = centre(Point::at(file, 0));
        let _ = writeln!(
            svg,
            "<rect x=\"{}\" y=\"{}\" width=\"16\" height=\"14\" fill=\"#b08d3e\"/>",
            x - 8.0,
            river - 7.0
        );
    }
}

fn coordinates(svg: &mut String) {
    svg.push_str("<g font-size=\"15\" fill=\"#444\">\n");
    for file in 0..FILES {
        let (x, _) = centre(Point::at(file, 0));
        let letter = char::from(b'a' + file as u8);
        for y in [MARGIN - 9.0, HEIGHT - MARGIN + 19.0] {
            let _ = writeln!(svg, "<text x=\"{x}\" y=\"{y}\">{letter}</text>");
        }
    }
    for rank in 0..RANKS {
        let (_, y) = centre(Point::at(0, rank));
        for x in [MARGIN / 2.0, WIDTH - MARGIN / 2.0] {
            let _ = writeln!(svg, "<text x=\"{x}\" y=\"{}\">{}</text>", y + 5.0, rank + 1);
        }
    }
    svg.push_str("</g>\n");
}

/// The air-defence zones of a side: their tiles tinted, with a border; Blue's is dashed, so that Red's shows where
/// both have the same.
fn air_defence(svg: &mut String, side: Player, zone: Bits) {
    let colour = colour_of(side);
    let dash = if side == Player::First { "" } else { " stroke-dasharray=\"9 5\"" };
    let half = TILE / 2.0;
    let _ = writeln!(svg, "<g fill=\"{colour}\" stroke=\"{colour}\" stroke-width=\"2.5\"{dash}>");
    for point in zone {
        let (x, y) = centre(point);
        let _ = writeln!(
            svg,
            "<rect x=\"{}\" y=\"{}\" width=\"{TILE}\" height=\"{TILE}\" fill-opacity=\"0.13\" stroke=\"none\"/>",
            x - half,
            y - half
        );
        // Up, down, right, left.
        for (files, ranks) in OFFSETS.into_iter().take(STRAIGHT) {
            if neighbour(point, files, ranks).is_some_and(|other| zone.contains(other)) {
                continue;
            }
            let (right, up) = (f64::from(files), f64::from(ranks));
            let (x, y) = (x + right * (half - 1.25), y - up * (half - 1.25));
            // Along the side of the tile.
            let (across, along) = (up.abs() * half, right.abs() * half);
            let _ = writeln!(
                svg,
                "<line x1=\"{}\" y1=\"{}\" x2=\"{}\" y2=\"{}\"/>",
                x - across,
                y - along,
                x + across,
                y + along
            );
        }
    }
    svg.push_str("</g>\n");
}

fn neighbour(point: Point, files: i32, ranks: i32) -> Option<Point> {
    let file = usize::try_from(point.file() as i32 + files).ok().filter(|&file| file < FILES)?;
    let rank = usize::try_from(point.rank() as i32 + ranks).ok().filter(|&rank| rank < RANKS)?;
    Some(Point::at(file, rank))
}

const fn colour_of(side: Player) -> &'static str {
    match side {
        Player::First => "#c62f2f",
        Player::Second => "#2553a4",
    }
}

fn draw_stack(svg: &mut String, point: Point, stack: Stack) {
    let (x, y) = centre(point);
    let alone = stack.len() == 1;
    let (carrier_y, radius) = if alone { (y, 20.0) } else { (y - 6.0, 18.0) };
    disc(svg, x, carrier_y, radius, stack.carrier(), stack.side());
    let cargo: Vec<Piece> = stack.pieces().skip(1).collect();
    for (index, &piece) in cargo.iter().enumerate() {
        let shift = if cargo.len() == 1 { 12.0 } else { 26.0 * index as f64 - 13.0 };
        disc(svg, x + shift, y + 15.0, 11.0, piece, stack.side());
    }
}

/// A piece: a disc in its side's colour with its letter.
fn disc(svg: &mut String, x: f64, y: f64, radius: f64, piece: Piece, side: Player) {
    let fill = colour_of(side);
    let (ring, width) = if piece.is_hero() { ("#ffc400", 3.0) } else { ("#ffffff", 1.5) };
    let size = radius * 1.2;
    let _ = writeln!(
        svg,
        "<circle cx=\"{x}\" cy=\"{y}\" r=\"{radius}\" fill=\"{fill}\" stroke=\"{ring}\" stroke-width=\"{width}\"/>\
         <text x=\"{x}\" y=\"{}\" font-size=\"{size}\" font-weight=\"bold\" fill=\"#fff\">{}</text>",
        y + size * 0.36,
        piece.kind().letter()
    );
    if piece.kind() == Kind::Commander {
        let _ = writeln!(
            svg,
            "<circle cx=\"{x}\" cy=\"{y}\" r=\"{}\" fill=\"none\" stroke=\"#fff\" stroke-width=\"1\"/>",
            radius - 3.5
        );
    }
    if piece.is_hero() {
        star(svg, x - radius * 0.75, y - radius * 0.75, radius * 0.4);
    }
}

/// A five-pointed star.
fn star(svg: &mut String, x: f64, y: f64, radius: f64) {
    let corners: Vec<String> = (0..10)
        .map(|corner| {
            let length = if corner % 2 == 0 { radius } else { radius * 0.42 };
            let angle = std::f64::consts::PI * (f64::from(corner) / 5.0 - 0.5);
            format!("{:.2},{:.2}", x + length * angle.cos(), y + length * angle.sin())
        })
        .collect();
    let _ = writeln!(
        svg,
        "<polygon points=\"{}\" fill=\"#ffc400\" stroke=\"#7a5b00\" stroke-width=\"0.7\"/>",
        corners.join(" ")
    );
}

/// An arrow along a step; captures from afar and drops are dashed, a crash ends in a cross.
fn arrow(svg: &mut String, step: Step) {
    let ((x1, y1), (x2, y2)) = (centre(step.origin), centre(step.target));
    let arrow = Arrow {
        from: [x1, y1],
        to: [x2, y2],
        // The piece there must stay readable.
        short: 14.0,
        colour: LAST_TURN,
        width: 5.0,
        opacity: 0.85,
        dashed: matches!(
            step.kind,
            StepKind::StayCapture | StepKind::Breach | StepKind::Drop | StepKind::Crash
        ),
    };
    let _ = writeln!(svg, "{arrow}");
    if matches!(step.kind, StepKind::Crash | StepKind::StayCapture | StepKind::Breach) {
        let _ = writeln!(
            svg,
            "<path d=\"M{:.1} {:.1}l18 18m0 -18l-18 18\" stroke=\"{LAST_TURN}\" stroke-width=\"4\"/>",
            x2 - 9.0,
            y2 - 9.0
        );
    }
}
