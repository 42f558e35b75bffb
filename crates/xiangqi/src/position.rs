//! A position: the board and the counters of the game.

use crate::board::Board;
use crate::piece::{Id, Kind, Piece};
use crate::square::Square;
use game::Player;

/// A legal position of Xiangqi.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Position {
    pub(crate) board: Board,
    /// Plies without a capture or a forward step of a pawn across the river.
    pub(crate) progress: u16,
    /// Full-move number, rises after Black.
    pub(crate) number: u32,
}

/// The back rank at the start.
const BACK: [Kind; 9] = [
    Kind::Rook,
    Kind::Horse,
    Kind::Elephant,
    Kind::Advisor,
    Kind::King,
    Kind::Advisor,
    Kind::Elephant,
    Kind::Horse,
    Kind::Rook,
];

impl Position {
    /// A game that begins with this board.
    pub(crate) const fn new(board: Board, progress: u16, number: u32) -> Position {
        Position { board, progress, number }
    }

    /// The standard start.
    pub fn start() -> Position {
        let mut board = Board::empty(Player::First);
        let pieces = (0..9).zip(BACK).map(|(file, kind)| (file, 0, kind));
        let cannons = [1, 7].map(|file| (file, 2, Kind::Cannon));
        let pawns = [0, 2, 4, 6, 8].map(|file| (file, 3, Kind::Pawn));
        for (file, rank, kind) in pieces.chain(cannons).chain(pawns) {
            for side in Player::BOTH {
                // Both sides' files are counted from Red's left, as in a FEN.
                let rank = if side == Player::First { rank } else { 9 - rank };
                board.put(Piece { side, kind }, Square::new(file, rank));
            }
        }
        Position::new(board, 0, 1)
    }

    /// The board.
    #[inline]
    pub const fn board(&self) -> &Board {
        &self.board
    }

    /// The side to move.
    #[inline]
    pub const fn mover(&self) -> Player {
        self.board.mover()
    }

    /// The piece on a point.
    pub fn piece(&self, square: Square) -> Option<Piece> {
        self.board.at(square).map(Id::piece)
    }

    /// Plies without a capture or a forward step of a pawn across the river.
    pub const fn progress(&self) -> u16 {
        self.progress
    }

    /// The full-move number.
    pub const fn number(&self) -> u32 {
        self.number
    }
}
