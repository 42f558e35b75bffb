//! The board in characters.

use crate::board::Board;
use crate::notation::{file_names, side_name};
use crate::position::Position;
use crate::square::Square;
use game::Player;
use std::fmt::Write;

/// Width of a square: room for a mark and twelve guards over twelve prisoners.
const WIDTH: usize = 7;

/// The board in characters, the highest rank at the top. A column is the colour and number of its
/// guards, then those of its prisoners: `W3b5` is three white guards over five black prisoners, `B2` two
/// black guards alone. `.` is an empty square. In the middle of a capture `*` marks the capturing
/// column and `<` the square over which it came. Men in hand stand below.
pub(crate) fn board_text(board: &Board, position: &Position) -> String {
    let mut text = String::new();
    let came_over = position.capturer().map(|(square, last)| last.reverse().from(square, 1));
    for rank in (0..board.width).rev() {
        let _ = write!(text, "{} ", rank + 1);
        for file in 0..board.width {
            let mut cell = String::new();
            if let Some(square) = Square::at(file, rank) {
                if position.capturer().is_some_and(|(capturer, _)| capturer == square) {
                    cell.push('*');
                }
                push_column(&mut cell, position, square);
                if came_over == Some(square) {
                    cell.push('<');
                }
            }
            let _ = write!(text, " {cell:^WIDTH$}");
        }
        end_line(&mut text);
    }
    text.push_str("  ");
    for letter in file_names(board.width) {
        let _ = write!(text, " {letter:^WIDTH$}");
    }
    end_line(&mut text);
    let [white, black] = Player::BOTH.map(|side| position.hand(side));
    if white > 0 || black > 0 {
        let _ = writeln!(text, "in hand: White {white}, Black {black}");
    }
    let _ = writeln!(text, "{} to move", side_name(position.mover));
    text
}

fn push_column(cell: &mut String, position: &Position, square: Square) {
    let Some((owner, column)) = position.column(square) else {
        cell.push('.');
        return;
    };
    let (above, below) = match owner {
        Player::First => ('W', 'b'),
        Player::Second => ('B', 'w'),
    };
    let _ = write!(cell, "{above}{}", column.guards());
    if column.prisoners() > 0 {
        let _ = write!(cell, "{below}{}", column.prisoners());
    }
}

fn end_line(text: &mut String) {
    text.truncate(text.trim_end_matches(' ').len());
    text.push('\n');
}
