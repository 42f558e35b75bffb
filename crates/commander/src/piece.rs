//! Kinds of pieces, and a piece with or without the mark of a hero.

/// A kind of piece, in the order in which members of a stack are written (rules, section 2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
#[repr(u8)]
pub enum Kind {
    /// `N`
    Navy = 1,
    /// `F`
    AirForce = 2,
    /// `T`
    Tank = 3,
    /// `H`
    Headquarters = 4,
    /// `E`
    Engineer = 5,
    /// `A`
    Artillery = 6,
    /// `G`
    AntiAir = 7,
    /// `S`
    Missile = 8,
    /// `C`
    Commander = 9,
    /// `I`
    Infantry = 10,
    /// `M`
    Militia = 11,
}

impl Kind {
    /// All kinds in order.
    pub const ALL: [Kind; 11] = [
        Kind::Navy,
        Kind::AirForce,
        Kind::Tank,
        Kind::Headquarters,
        Kind::Engineer,
        Kind::Artillery,
        Kind::AntiAir,
        Kind::Missile,
        Kind::Commander,
        Kind::Infantry,
        Kind::Militia,
    ];

    /// From 1 to 11.
    #[inline]
    pub const fn index(self) -> usize {
        self as usize
    }

    /// The upper-case letter.
    pub const fn letter(self) -> char {
        b"NFTHEAGSCIM"[self as usize - 1] as char
    }

    /// The kind with this letter, upper or lower case.
    pub fn from_letter(letter: char) -> Option<Kind> {
        Kind::ALL.into_iter().find(|kind| kind.letter() == letter.to_ascii_uppercase())
    }

    /// The English name.
    pub const fn name(self) -> &'static str {
        match self {
            Kind::Navy => "navy",
            Kind::AirForce => "air force",
            Kind::Tank => "tank",
            Kind::Headquarters => "headquarters",
            Kind::Engineer => "engineer",
            Kind::Artillery => "artillery",
            Kind::AntiAir => "anti-air",
            Kind::Missile => "missile",
            Kind::Commander => "commander",
            Kind::Infantry => "infantry",
            Kind::Militia => "militia",
        }
    }

    /// Points for capturing a plain piece (rules, section 2).
    pub const fn points(self) -> u16 {
        match self {
            Kind::Infantry | Kind::Engineer | Kind::AntiAir | Kind::Militia => 10,
            Kind::Tank | Kind::Missile => 20,
            Kind::Artillery => 30,
            Kind::AirForce => 40,
            Kind::Navy => 80,
            Kind::Commander => 100,
            Kind::Headquarters => 0,
        }
    }

    /// Artillery, anti-air and missile: what crosses the river only at the fords.
    #[inline]
    pub const fn is_heavy(self) -> bool {
        matches!(self, Kind::Artillery | Kind::AntiAir | Kind::Missile)
    }

    /// What defends against air forces: anti-air, missile and navy.
    #[inline]
    pub const fn is_defender(self) -> bool {
        matches!(self, Kind::AntiAir | Kind::Missile | Kind::Navy)
    }

    /// Commander, infantry and militia: what the stacking rules call a person.
    #[inline]
    pub const fn is_person(self) -> bool {
        matches!(self, Kind::Commander | Kind::Infantry | Kind::Militia)
    }
}

/// A kind of piece, hero or plain, as 5 bits: `kind · 2 + plain`. Ascending codes are the order
/// inside a stack.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Piece(u8);

/// Length of tables indexed by piece code; codes stay below 24.
pub const PIECE_CODES: usize = 32;

/// Kinds by half of the code; padded, so that no index is out of bounds.
const KIND_OF: [Kind; 16] = {
    let mut table = [Kind::Navy; 16];
    let mut index = 0;
    while index < Kind::ALL.len() {
        table[Kind::ALL[index] as usize] = Kind::ALL[index];
        index += 1;
    }
    table
};

impl Piece {
    /// A piece.
    #[inline]
    pub const fn new(kind: Kind, hero: bool) -> Piece {
        Piece((kind as u8) << 1 | !hero as u8)
    }

    /// The piece with this code, which must come from [`Piece::code`].
    #[inline]
    pub(crate) const fn from_code(code: u8) -> Piece {
        debug_assert!(code >= 2 && code < 24);
        Piece(code)
    }

    /// The code, from 2 to 23.
    #[inline]
    pub const fn code(self) -> u8 {
        self.0
    }

    /// The code as an index of tables of [`PIECE_CODES`] entries.
    #[inline]
    pub const fn index(self) -> usize {
        (self.0 & 31) as usize
    }

    /// The kind.
    #[inline]
    pub const fn kind(self) -> Kind {
        KIND_OF[(self.0 >> 1 & 15) as usize]
    }

    /// Whether it is a hero.
    #[inline]
    pub const fn is_hero(self) -> bool {
        self.0 & 1 == 0
    }

    /// The same piece as a hero.
    #[inline]
    pub const fn promoted(self) -> Piece {
        Piece(self.0 & !1)
    }

    /// The same piece as a plain one.
    #[inline]
    pub(crate) const fn demoted(self) -> Piece {
        Piece(self.0 | 1)
    }

    /// Points for capturing it: a hero counts 10 more.
    #[inline]
    pub const fn points(self) -> u16 {
        self.kind().points() + if self.is_hero() { 10 } else { 0 }
    }
}
