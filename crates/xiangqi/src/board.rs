//! The board: which piece stands where, and whose turn it is.

use crate::keys::{BLACK_TO_MOVE, piece_key};
use crate::piece::{Id, Kind, Piece, SLOTS};
use crate::square::{FILES, RANKS, SQUARES, Square, Squares};
use crate::step::Step;
use game::Player;

/// Pieces by point and by identity, occupied points by side, rank and file, and the side to move.
/// All that legal moves depend on; the judge's state is in the [`Position`](crate::Position).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Board {
    /// Occupied points by side.
    occupied: [Squares; 2],
    /// Points of both sides' pieces by kind.
    kinds: [Squares; 7],
    /// Occupied files of each rank, by side.
    ranks: [[u16; RANKS]; 2],
    /// Occupied ranks of each file, by side.
    files: [[u16; FILES]; 2],
    /// Where each piece stands.
    squares: [Square; 2 * SLOTS],
    /// Which piece stands on each point.
    pieces: [Id; SQUARES],
    mover: Player,
    /// Keys of the pieces as Red and as Black sees them.
    keys: [u64; 2],
}

impl Board {
    /// A board without pieces.
    pub(crate) const fn empty(mover: Player) -> Board {
        Board {
            occupied: [Squares::EMPTY; 2],
            kinds: [Squares::EMPTY; 7],
            ranks: [[0; RANKS]; 2],
            files: [[0; FILES]; 2],
            squares: [Square::NONE; 2 * SLOTS],
            pieces: [Id::NONE; SQUARES],
            mover,
            keys: [0; 2],
        }
    }

    /// The side to move.
    #[inline]
    pub const fn mover(&self) -> Player {
        self.mover
    }

    /// The piece on a point.
    #[inline]
    pub fn at(&self, square: Square) -> Option<Id> {
        let id = self.pieces[square.index()];
        (id != Id::NONE).then_some(id)
    }

    /// Where a piece stands; [`Square::NONE`] when it was captured.
    #[inline]
    pub const fn square(&self, id: Id) -> Square {
        self.squares[id.index()]
    }

    /// The point of a side's king.
    #[inline]
    pub const fn king(&self, side: Player) -> Square {
        self.square(Id::king(side))
    }

    /// The piece with this number of a side, if it stands on the board.
    pub fn holder(&self, side: Player, slot: usize) -> Option<Id> {
        let square = self.squares[side.index() * SLOTS + slot];
        if square == Square::NONE { None } else { self.at(square) }
    }

    /// A side's pieces on the board, by number.
    pub fn pieces(&self, side: Player) -> impl Iterator<Item = Id> {
        (0..SLOTS).filter_map(move |slot| self.holder(side, slot))
    }

    /// Points of both sides' pieces of a kind.
    #[inline]
    pub const fn kind(&self, kind: Kind) -> Squares {
        self.kinds[kind as usize]
    }

    /// Points of a side's pieces of a kind.
    #[inline]
    pub const fn of_kind(&self, side: Player, kind: Kind) -> Squares {
        self.kind(kind).and(self.occupied(side))
    }

    /// Points of a side's pieces.
    #[inline]
    pub const fn occupied(&self, side: Player) -> Squares {
        self.occupied[side.index()]
    }

    /// Points of all pieces.
    #[inline]
    pub const fn all(&self) -> Squares {
        self.occupied[0].or(self.occupied[1])
    }

    /// Occupied files of a point's rank and ranks of its file, by either side.
    #[inline]
    pub(crate) const fn lines(&self, square: Square) -> [u16; 2] {
        let (file, rank) = (square.file(), square.rank());
        [self.ranks[0][rank] | self.ranks[1][rank], self.files[0][file] | self.files[1][file]]
    }

    /// Files and ranks that a side occupies on the lines of a point.
    #[inline]
    pub(crate) const fn own_lines(&self, side: Player, square: Square) -> [u16; 2] {
        [self.ranks[side.index()][square.rank()], self.files[side.index()][square.file()]]
    }

    /// Key of the pieces and the side to move, for repetition.
    #[inline]
    pub const fn key(&self) -> u64 {
        match self.mover {
            Player::First => self.keys[0],
            Player::Second => self.keys[0] ^ BLACK_TO_MOVE,
        }
    }

    /// Key of the pieces as the side to move sees them: the same with colours exchanged.
    #[inline]
    pub const fn key_seen(&self) -> u64 {
        self.keys[self.mover.index()]
    }

    /// Puts a piece on an empty point under the next free number of its side; `false` when there is
    /// none.
    pub(crate) fn put(&mut self, piece: Piece, square: Square) -> bool {
        let king = piece.kind == Kind::King;
        let slots = if king { 0..1 } else { 1..SLOTS };
        let side = piece.side.index() * SLOTS;
        let free = slots.into_iter().find(|&slot| self.squares[side + slot] == Square::NONE);
        if let Some(slot) = free {
            self.set(Id::new(piece, slot), square);
        }
        free.is_some()
    }

    /// Moves a piece, capturing what stands on its target, and passes the turn.
    #[inline(always)]
    pub(crate) fn play(&mut self, step: Step) {
        self.carry_out(step);
        self.mover = self.mover.opponent();
    }

    /// Moves a piece, capturing what stands on its target; whose turn it is does not change.
    #[inline(always)]
    pub(crate) fn carry_out(&mut self, step: Step) {
        let Step { from, to } = step;
        let id = self.pieces[from.index()];
        debug_assert!(id != Id::NONE, "{step}: nothing stands there");
        let captured = self.pieces[to.index()];
        if captured != Id::NONE {
            self.squares[captured.index()] = Square::NONE;
            self.toggle(captured, to);
        }
        self.squares[id.index()] = to;
        self.pieces[from.index()] = Id::NONE;
        self.pieces[to.index()] = id;
        self.toggle(id, from);
        self.toggle(id, to);
    }

    /// The board mirrored left to right; pieces keep their identities.
    pub fn mirrored(&self) -> Board {
        let mut board = Board::empty(self.mover);
        for square in Square::all() {
            if let Some(id) = self.at(square) {
                board.set(id, square.mirrored());
            }
        }
        board
    }

    /// The board with colours exchanged and turned by half a turn, the other side to move; pieces keep
    /// their numbers.
    pub fn flipped(&self) -> Board {
        let mut board = Board::empty(self.mover.opponent());
        for square in Square::all() {
            if let Some(id) = self.at(square) {
                board.set(id.flipped(), square.seen_by(Player::Second));
            }
        }
        board
    }

    fn set(&mut self, id: Id, square: Square) {
        self.squares[id.index()] = square;
        self.pieces[square.index()] = id;
        self.toggle(id, square);
    }

    /// Enters a piece on a point in the sets and keys, or takes it out.
    #[inline(always)]
    fn toggle(&mut self, id: Id, square: Square) {
        let (file, rank) = (square.file(), square.rank());
        let (side, kind) = (id.side(), id.kind());
        self.occupied[side.index()].0 ^= 1 << square.index();
        self.kinds[kind as usize].0 ^= 1 << square.index();
        self.ranks[side.index()][rank] ^= 1 << file;
        self.files[side.index()][file] ^= 1 << rank;
        for viewer in Player::BOTH {
            self.keys[viewer.index()] ^= piece_key(viewer, side, kind, square);
        }
    }
}
