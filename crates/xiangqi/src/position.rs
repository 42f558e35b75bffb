//! A position: the board, the counters of the game, and what the judge remembers.

use crate::board::Board;
use crate::piece::{Id, Kind, Piece, SLOTS};
use crate::square::Square;
use crate::streaks::{Attackers, Class, Pieces, Streaks};
use game::{Outcome, Player, Verdict};

/// A legal position of Xiangqi. Knows neither rules nor history: what the judge must remember is
/// here, occurrences of earlier positions are on a line beside it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Position {
    pub(crate) board: Board,
    /// Full-move number, rises after Black.
    pub(crate) number: u32,
    /// Plies without a capture or a forward step of a pawn across the river.
    pub(crate) progress: u16,
    /// Idle plies that were no replies to a check or chase.
    pub(crate) effective: u16,
    /// Plies since the game's start position.
    pub(crate) total: u16,
    /// Streaks by side; none under `judge = cycle3`.
    pub(crate) streaks: [Streaks; 2],
    /// What the last ply was.
    pub(crate) last: Class,
    /// The pieces that the last ply chased.
    pub(crate) chased: Pieces,
    /// The pairs of the last ply; kept only where `effective_answer` asks for them.
    pub(crate) pairs: Attackers,
    /// The last ply made all earlier positions unreachable.
    pub(crate) irreversible: bool,
    /// The verdict over the streaks after the last ply.
    pub(crate) ruling: Option<Outcome>,
    /// The draw by material or a counter after the last ply.
    pub(crate) drawn: Option<Outcome>,
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
        Position {
            board,
            number,
            progress,
            effective: 0,
            total: 0,
            streaks: [Streaks::NONE; 2],
            last: Class::Idle,
            chased: Pieces::NONE,
            pairs: [Pieces::NONE; SLOTS],
            irreversible: false,
            ruling: None,
            drawn: None,
        }
    }

    /// The standard start.
    pub fn start() -> Position {
        let mut board = Board::empty(Player::First);
        // In the order of points, by which identities are numbered. Both sides' files are counted from
        // Red's left, as in a FEN.
        for square in Square::all() {
            let side = if square.on_side_of(Player::First) { Player::First } else { Player::Second };
            let kind = match (square.seen_by(side).rank(), square.file()) {
                (0, file) => BACK[file],
                (2, 1 | 7) => Kind::Cannon,
                (3, 0 | 2 | 4 | 6 | 8) => Kind::Pawn,
                _ => continue,
            };
            board.put(Piece { side, kind }, square);
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

    /// Idle plies that were no replies to a check or chase.
    pub const fn effective(&self) -> u16 {
        self.effective
    }

    /// Plies since the game's start position.
    pub const fn total(&self) -> u16 {
        self.total
    }

    /// The full-move number.
    pub const fn number(&self) -> u32 {
        self.number
    }

    /// The streaks of a side.
    pub const fn streaks(&self, side: Player) -> &Streaks {
        &self.streaks[side.index()]
    }

    /// What the last ply was; idle at the start.
    pub const fn last(&self) -> Class {
        self.last
    }

    /// The situation mirrored left to right; pieces keep their identities.
    pub fn mirrored(&self) -> Position {
        Position { board: self.board.mirrored(), ..*self }
    }

    /// The same situation with colours exchanged and the board turned by half a turn.
    pub fn flipped(&self) -> Position {
        let [first, second] = self.streaks;
        let flip = |outcome: Outcome| Outcome {
            verdict: match outcome.verdict {
                Verdict::Win(player) => Verdict::Win(player.opponent()),
                other => other,
            },
            ..outcome
        };
        Position {
            board: self.board.flipped(),
            streaks: [second, first],
            ruling: self.ruling.map(flip),
            ..*self
        }
    }
}
