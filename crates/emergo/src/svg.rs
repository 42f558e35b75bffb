//! The board as a picture.
//!
//! A column is a pile of discs, prisoners below and guards on top; the number of guards stands on the top
//! disc, that of the prisoners on a small disc in their colour beside the foot. The steps of the last
//! turn are arrows with a cross on every captured man's square; an entry is a ring. Men in hand lie
//! beside the board.

use crate::board::Board;
use crate::column::Column;
use crate::direction::Direction;
use crate::notation::{file_names, side_name};
use crate::position::Position;
use crate::square::{Square, squares};
use crate::step::Step;
use game::{Arrow, Player, StepTrace};
use std::fmt::Write;

/// Side of a square.
const TILE: f64 = 64.0;
/// Space for the coordinates.
const MARGIN: f64 = 28.0;
/// Width of the space for the hands.
const SIDE: f64 = 104.0;
/// Half axes of a disc.
const DISC: [f64; 2] = [21.0, 11.0];
/// Height of a disc, and of the highest pile from its lowest disc to its top one.
const HEIGHTS: [f64; 2] = [6.0, 30.0];
/// Colour of what the last turn did.
const TURN: &str = "#d9480f";

/// The board with the steps of the last turn drawn over it; in the middle of a capture at least its last
/// jump.
pub(crate) fn board_svg(board: &Board, position: &Position, steps: &[Step]) -> String {
    let last = position.capturer().map(|(square, direction)| {
        let from = direction.reverse().from(square, 2);
        Step::Jump { from, direction }
    });
    let steps = match &last {
        Some(last) if steps.is_empty() => std::slice::from_ref(last),
        Some(_) | None => steps,
    };
    let mut picture = Picture { svg: String::new(), width: board.width };
    picture.begin();
    picture.tiles(board, steps);
    picture.coordinates();
    // Below the piles, so that their numbers stay readable.
    for &step in steps {
        picture.step(step);
    }
    for square in squares(board.all) {
        if let Some((owner, column)) = position.column(square) {
            let (x, y) = picture.centre(square);
            picture.pile(x, y, owner, column);
        }
    }
    for side in Player::BOTH {
        picture.hand(position, side);
    }
    picture.svg.push_str("</svg>\n");
    picture.svg
}

/// Where a step shows: an entry on its square, others from square to square.
pub(crate) fn step_trace(board: &Board, step: Step) -> StepTrace {
    let picture = Picture { svg: String::new(), width: board.width };
    let place = |square| {
        let (x, y) = picture.centre(square);
        [x as f32, y as f32]
    };
    let target = place(step.target());
    let points = match step {
        Step::Enter { .. } => vec![target],
        Step::Move { from, .. } | Step::Jump { from, .. } => vec![place(from), target],
    };
    StepTrace { points, cell: TILE as f32 }
}

struct Picture {
    svg: String,
    /// Files, and ranks.
    width: usize,
}

impl Picture {
    /// Length of the board's side with its coordinates.
    fn length(&self) -> f64 {
        TILE * self.width as f64 + 2.0 * MARGIN
    }

    fn begin(&mut self) {
        let (width, height) = (self.length() + SIDE, self.length());
        // Writing to a string cannot fail, here and below.
        let _ = write!(
            self.svg,
            "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" width=\"{width}\" \
             height=\"{height}\" font-family=\"sans-serif\" text-anchor=\"middle\">\n\
             {}\n\
             <rect width=\"{width}\" height=\"{height}\" fill=\"#fbfaf4\"/>\n",
            Arrow::head(TURN)
        );
    }

    /// Where a square's middle is.
    fn centre(&self, square: Square) -> (f64, f64) {
        let x = MARGIN + TILE * (square.file() as f64 + 0.5);
        let y = MARGIN + TILE * ((self.width - 1 - square.rank()) as f64 + 0.5);
        (x, y)
    }

    fn tiles(&mut self, board: &Board, steps: &[Step]) {
        let side = TILE * self.width as f64;
        let _ = writeln!(
            self.svg,
            "<rect x=\"{MARGIN}\" y=\"{MARGIN}\" width=\"{side}\" height=\"{side}\" fill=\"#f3e9d2\" \
             stroke=\"#7d6440\" stroke-width=\"2\"/>"
        );
        let left = steps.iter().filter_map(|&step| match step {
            Step::Enter { .. } => None,
            Step::Move { from, .. } | Step::Jump { from, .. } => Some(from.bit()),
        });
        let mut marked = left.fold(0, |marked, bit| marked | bit);
        marked |= steps.last().map_or(0, |step| step.target().bit());
        for square in squares(board.all) {
            let colour = if marked & square.bit() != 0 { "#e9c46a" } else { "#c8a878" };
            let (x, y) = self.centre(square);
            let _ = writeln!(
                self.svg,
                "<rect x=\"{}\" y=\"{}\" width=\"{TILE}\" height=\"{TILE}\" fill=\"{colour}\"/>",
                x - TILE / 2.0,
                y - TILE / 2.0
            );
        }
    }

    fn coordinates(&mut self) {
        self.svg.push_str("<g font-size=\"15\" fill=\"#444\">\n");
        let length = self.length();
        for (file, letter) in file_names(self.width).enumerate() {
            let along = MARGIN + TILE * (file as f64 + 0.5);
            for y in [MARGIN - 9.0, length - MARGIN + 19.0] {
                let _ = writeln!(self.svg, "<text x=\"{along}\" y=\"{y}\">{letter}</text>");
            }
        }
        for rank in 0..self.width {
            let y = length - MARGIN - TILE * (rank as f64 + 0.5) + 5.0;
            for x in [MARGIN / 2.0, length - MARGIN / 2.0] {
                let _ = writeln!(self.svg, "<text x=\"{x}\" y=\"{y}\">{}</text>", rank + 1);
            }
        }
        self.svg.push_str("</g>\n");
    }

    /// A column around a point.
    fn pile(&mut self, x: f64, y: f64, owner: Player, column: Column) {
        let (guards, prisoners) = (column.guards(), column.prisoners());
        let men = f64::from(guards + prisoners);
        let [height, highest] = HEIGHTS;
        let rise = height.min(highest / (men - 1.0).max(1.0));
        let foot = y + rise * (men - 1.0) / 2.0 + height / 2.0;
        for man in 0..guards + prisoners {
            let side = if man < prisoners { owner.opponent() } else { owner };
            self.disc(x, foot - rise * f64::from(man), rise, side);
        }
        let top = foot - rise * (men - 1.0);
        let [_, ink, _] = colours(owner);
        let _ = writeln!(
            self.svg,
            "<text x=\"{x}\" y=\"{:.1}\" font-size=\"17\" font-weight=\"bold\" fill=\"{ink}\">{guards}</text>",
            top - rise + 6.0
        );
        if prisoners > 0 {
            let [fill, ink, edge] = colours(owner.opponent());
            let (x, y) = (x + 21.0, y + 21.0);
            let _ = writeln!(
                self.svg,
                "<circle cx=\"{x}\" cy=\"{y}\" r=\"9.5\" fill=\"{fill}\" stroke=\"{edge}\" stroke-width=\"1.2\"/>\
                 <text x=\"{x}\" y=\"{:.1}\" font-size=\"13\" font-weight=\"bold\" fill=\"{ink}\">{prisoners}</text>",
                y + 4.6
            );
        }
    }

    /// A disc whose lower face is at a point.
    fn disc(&mut self, x: f64, y: f64, height: f64, side: Player) {
        let [fill, _, edge] = colours(side);
        let [across, along] = DISC;
        let (left, right, top) = (x - across, x + across, y - height);
        let _ = writeln!(
            self.svg,
            "<path d=\"M{left:.1} {top:.1}V{y:.1}A{across} {along} 0 0 0 {right:.1} {y:.1}V{top:.1}z\" fill=\"{fill}\" \
             stroke=\"{edge}\"/><ellipse cx=\"{x:.1}\" cy=\"{top:.1}\" rx=\"{across}\" ry=\"{along}\" fill=\"{fill}\" \
             stroke=\"{edge}\"/>"
        );
    }

    /// What a step did.
    fn step(&mut self, step: Step) {
        let (x2, y2) = self.centre(step.target());
        let (from, jump) = match step {
            Step::Enter { .. } => {
                let _ = writeln!(
                    self.svg,
                    "<circle cx=\"{x2}\" cy=\"{y2}\" r=\"29\" fill=\"none\" stroke=\"{TURN}\" stroke-width=\"4\" \
                     stroke-opacity=\"0.85\"/>"
                );
                return;
            }
            Step::Move { from, .. } => (from, None),
            Step::Jump { from, direction } => (from, Some(direction)),
        };
        let (x1, y1) = self.centre(from);
        let arrow = Arrow {
            from: [x1, y1],
            to: [x2, y2],
            // The pile there must not hide the head.
            short: 34.0,
            colour: TURN,
            width: 5.0,
            opacity: 0.85,
            dashed: false,
        };
        let _ = writeln!(self.svg, "{arrow}");
        if let Some(direction) = jump {
            let (x, y) = self.centre(direction.from(from, 1));
            // In a corner of the square where neither the arrow goes nor the prisoners' number stands.
            let corner = match direction {
                Direction::NorthEast | Direction::SouthWest => -29.0,
                Direction::NorthWest | Direction::SouthEast => 16.0,
            };
            let _ = writeln!(
                self.svg,
                "<path d=\"M{:.1} {:.1}l13 13m0 -13l-13 13\" stroke=\"{TURN}\" stroke-width=\"4\"/>",
                x - 29.0,
                y + corner
            );
        }
    }

    /// The men in hand of a side: White's below, Black's above; the side to move is underlined.
    fn hand(&mut self, position: &Position, side: Player) {
        let x = self.length() + SIDE / 2.0 - MARGIN / 4.0;
        let y = match side {
            Player::First => self.length() - MARGIN - 58.0,
            Player::Second => MARGIN + 58.0,
        };
        let men = position.hand(side);
        if men > 0 {
            self.pile(x, y, side, Column::new(men, 0));
        }
        let name = side_name(side);
        let _ = writeln!(
            self.svg,
            "<text x=\"{x}\" y=\"{}\" font-size=\"15\" font-weight=\"bold\" fill=\"#333\">{name}</text>\
             <text x=\"{x}\" y=\"{}\" font-size=\"13\" fill=\"#555\">{men} in hand</text>",
            y - 44.0,
            y + 50.0
        );
        if position.mover == side {
            let _ = writeln!(
                self.svg,
                "<text x=\"{x}\" y=\"{}\" font-size=\"13\" font-weight=\"bold\" fill=\"{TURN}\">to move</text>",
                y + 68.0
            );
        }
    }
}

/// Colours of a side's discs, of what is written on them, and of their edges.
const fn colours(side: Player) -> [&'static str; 3] {
    match side {
        Player::First => ["#fffdf5", "#1b1b1b", "#5b5347"],
        Player::Second => ["#2e2b28", "#ffffff", "#93897b"],
    }
}
