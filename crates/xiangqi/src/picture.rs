//! The board in characters.

use crate::piece::Id;
use crate::position::Position;
use crate::square::{FILES, RANKS, Square};

/// Ranks from 9 with their numbers, the river between ranks 5 and 4, then the files. Red's pieces are
/// upper case; `.` is an empty point, `+` one of a palace.
pub(crate) fn board_text(position: &Position) -> String {
    let mut text = String::new();
    for rank in (0..RANKS).rev() {
        text.push_str(&rank.to_string());
        for file in 0..FILES {
            let square = Square::new(file, rank);
            let palace = game::Player::BOTH.into_iter().any(|side| square.in_palace_of(side));
            let empty = if palace { '+' } else { '.' };
            text.push(' ');
            text.push(position.board().at(square).map(Id::piece).map_or(empty, |piece| piece.letter()));
        }
        text.push('\n');
        if rank == RANKS / 2 {
            text.push_str("  ~ ~ ~ ~ ~ ~ ~ ~ ~\n");
        }
    }
    text.push_str("  a b c d e f g h i\n");
    text
}
