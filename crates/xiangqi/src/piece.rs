//! Pieces, and the identities by which the judge follows them.

use game::Player;

/// A kind of piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Kind {
    /// 帥 將, one point straight inside the palace.
    King,
    /// 仕 士, one point diagonally inside the palace.
    Advisor,
    /// 相 象, two points diagonally on its own side of the river, the midpoint empty.
    Elephant,
    /// 傌 馬, one point straight, then one diagonally outward, the first point empty.
    Horse,
    /// 俥 車, any distance straight.
    Rook,
    /// 炮 砲, moves as a rook and captures over exactly one piece.
    Cannon,
    /// 兵 卒, one point forward, across the river also sideways.
    Pawn,
}

impl Kind {
    /// All kinds.
    pub const ALL: [Kind; 7] =
        [Kind::King, Kind::Advisor, Kind::Elephant, Kind::Horse, Kind::Rook, Kind::Cannon, Kind::Pawn];

    /// The usual letter of Red's piece: `K A B N R C P`.
    pub const fn letter(self) -> char {
        match self {
            Kind::King => 'K',
            Kind::Advisor => 'A',
            Kind::Elephant => 'B',
            Kind::Horse => 'N',
            Kind::Rook => 'R',
            Kind::Cannon => 'C',
            Kind::Pawn => 'P',
        }
    }

    /// The kind of a letter, upper or lower case; `E` stands for `B` and `H` for `N` too.
    pub const fn from_letter(letter: char) -> Option<Kind> {
        Some(match letter.to_ascii_uppercase() {
            'K' => Kind::King,
            'A' => Kind::Advisor,
            'B' | 'E' => Kind::Elephant,
            'N' | 'H' => Kind::Horse,
            'R' => Kind::Rook,
            'C' => Kind::Cannon,
            'P' => Kind::Pawn,
            _ => return None,
        })
    }

    /// The English word.
    pub const fn word(self) -> &'static str {
        match self {
            Kind::King => "king",
            Kind::Advisor => "advisor",
            Kind::Elephant => "elephant",
            Kind::Horse => "horse",
            Kind::Rook => "rook",
            Kind::Cannon => "cannon",
            Kind::Pawn => "pawn",
        }
    }

    /// Points for its capture: the usual values (rook 9, cannon 4½, horse 4, advisor and elephant 2,
    /// pawn 1) in tenths. A pawn across the river counts no more, so that points change by captures only.
    pub const fn points(self) -> i32 {
        match self {
            Kind::King => 0,
            Kind::Advisor | Kind::Elephant => 20,
            Kind::Horse => 40,
            Kind::Rook => 90,
            Kind::Cannon => 45,
            Kind::Pawn => 10,
        }
    }

    /// How many of them a side has at the start.
    pub const fn number(self) -> usize {
        match self {
            Kind::King => 1,
            Kind::Pawn => 5,
            Kind::Advisor | Kind::Elephant | Kind::Horse | Kind::Rook | Kind::Cannon => 2,
        }
    }
}

/// A piece as it stands in a written position.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    /// Whose it is.
    pub side: Player,
    /// Its kind.
    pub kind: Kind,
}

impl Piece {
    /// The letter in a FEN: upper case for Red.
    pub const fn letter(self) -> char {
        match self.side {
            Player::First => self.kind.letter(),
            Player::Second => self.kind.letter().to_ascii_lowercase(),
        }
    }

    /// The piece of a letter in a FEN.
    pub const fn from_letter(letter: char) -> Option<Piece> {
        let side = if letter.is_ascii_uppercase() { Player::First } else { Player::Second };
        match Kind::from_letter(letter) {
            Some(kind) => Some(Piece { side, kind }),
            None => None,
        }
    }
}

/// Most pieces of a side.
pub const SLOTS: usize = 16;

/// The identity of a piece: its side, its kind and its number among the pieces of its side. It keeps it
/// through the game, so that streaks can follow it. The king has number 0, the others are numbered by
/// their points in the position that the game began with.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Id(u8);

impl Id {
    /// No piece.
    pub(crate) const NONE: Id = Id(u8::MAX);

    /// A piece of a kind with this number (0 to 15) among those of its side.
    #[inline]
    pub(crate) const fn new(piece: Piece, slot: usize) -> Id {
        debug_assert!(slot < SLOTS);
        Id((piece.kind as usize * 2 * SLOTS + piece.side.index() * SLOTS + slot) as u8)
    }

    /// A side's king.
    #[inline]
    pub const fn king(side: Player) -> Id {
        Id::new(Piece { side, kind: Kind::King }, 0)
    }

    /// Its number among all 32.
    #[inline]
    pub const fn index(self) -> usize {
        self.0 as usize % (2 * SLOTS)
    }

    /// Its number among the 16 of its side.
    #[inline]
    pub const fn slot(self) -> usize {
        self.0 as usize % SLOTS
    }

    /// Whose it is.
    #[inline]
    pub const fn side(self) -> Player {
        if self.index() < SLOTS { Player::First } else { Player::Second }
    }

    /// Its kind.
    #[inline]
    pub const fn kind(self) -> Kind {
        Kind::ALL[self.0 as usize / (2 * SLOTS)]
    }

    /// The piece without its identity.
    #[inline]
    pub const fn piece(self) -> Piece {
        Piece { side: self.side(), kind: self.kind() }
    }

    /// The piece of the other side with the same kind and number.
    pub(crate) const fn flipped(self) -> Id {
        Id(self.0 ^ SLOTS as u8)
    }
}
