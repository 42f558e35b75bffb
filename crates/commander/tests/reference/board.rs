//! Board, pieces and stacks (sections 1, 2 and 6).

use super::options::Options;
use std::collections::BTreeMap;

/// A side.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Side {
    Red,
    Blue,
}

impl Side {
    pub fn other(self) -> Side {
        match self {
            Side::Red => Side::Blue,
            Side::Blue => Side::Red,
        }
    }

    pub fn name(self) -> &'static str {
        match self {
            Side::Red => "red",
            Side::Blue => "blue",
        }
    }
}

/// The kinds of pieces, in the order in which a stack is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    Navy,
    AirForce,
    Tank,
    Headquarters,
    Engineer,
    Artillery,
    AntiAir,
    Missile,
    Commander,
    Infantry,
    Militia,
}

pub const KINDS: [(Kind, char, u32); 11] = [
    (Kind::Navy, 'N', 80),
    (Kind::AirForce, 'F', 40),
    (Kind::Tank, 'T', 20),
    (Kind::Headquarters, 'H', 0),
    (Kind::Engineer, 'E', 10),
    (Kind::Artillery, 'A', 30),
    (Kind::AntiAir, 'G', 10),
    (Kind::Missile, 'S', 20),
    (Kind::Commander, 'C', 100),
    (Kind::Infantry, 'I', 10),
    (Kind::Militia, 'M', 10),
];

impl Kind {
    pub fn letter(self) -> char {
        KINDS.iter().find(|row| row.0 == self).unwrap().1
    }

    /// Artillery, anti-air and missile.
    pub fn heavy(self) -> bool {
        matches!(self, Kind::Artillery | Kind::AntiAir | Kind::Missile)
    }

    /// Neither navy nor air force.
    pub fn land(self) -> bool {
        !matches!(self, Kind::Navy | Kind::AirForce)
    }

    /// `h` of the stack table: commander, infantry, militia.
    fn small(self) -> bool {
        matches!(self, Kind::Commander | Kind::Infantry | Kind::Militia)
    }
}

/// What a piece has done in the turn that is under way; `Bystander` for all others.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Role {
    Bystander,
    /// Member of the stack whose turn it is, has not acted.
    Waiting,
    /// A navy that has fired its gun and may still act once.
    Shot,
    /// Has acted and stands on the start point.
    Spent,
    /// Has left for another point.
    Left,
    /// Was dropped by an air force.
    Dropped,
}

/// One piece.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Piece {
    pub kind: Kind,
    pub hero: bool,
    pub role: Role,
}

impl Piece {
    pub fn points(self) -> u32 {
        KINDS.iter().find(|row| row.0 == self.kind).unwrap().2 + if self.hero { 10 } else { 0 }
    }

    pub fn text(self) -> String {
        format!("{}{}", if self.hero { "+" } else { "" }, self.kind.letter())
    }
}

/// The written order: by letter, heroes before plain ones.
pub fn sort(pieces: &mut [Piece]) {
    pieces.sort_by_key(|piece| (piece.kind, !piece.hero, piece.role));
}

/// Pieces of one side on one point, carrier first.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Stack {
    pub side: Side,
    pub pieces: Vec<Piece>,
}

impl Stack {
    pub fn new(side: Side, mut pieces: Vec<Piece>) -> Stack {
        sort(&mut pieces);
        Stack { side, pieces }
    }

    pub fn carrier(&self) -> Piece {
        self.pieces[0]
    }

    pub fn has(&self, kind: Kind) -> bool {
        self.pieces.iter().any(|piece| piece.kind == kind)
    }

    pub fn points(&self) -> u32 {
        self.pieces.iter().map(|piece| piece.points()).sum()
    }
}

/// Whether the pieces make a legal stack, or are a single piece (section 6).
pub fn legal_stack(pieces: &[Piece], options: &Options) -> bool {
    if pieces.is_empty() || pieces.len() > 3 {
        return false;
    }
    if pieces.len() == 1 {
        return true;
    }
    let mut pieces = pieces.to_vec();
    sort(&mut pieces);
    // Cargo as a word of sorted letters, h standing for commander, infantry and militia.
    let cargo: String =
        pieces[1..].iter().map(|piece| if piece.kind.small() { 'h' } else { piece.kind.letter() }).collect();
    let caps = options.get("stack_caps");
    let allowed: &[&str] = match (pieces[0].kind, caps) {
        (Kind::Navy, "slots") => &["F", "T", "h", "FT", "Fh"],
        (Kind::Navy, "official") => &["F", "T", "h", "FF", "TT", "FT", "Fh"],
        (Kind::Navy, "wiki") => &["F", "T", "h", "FF", "FT", "Fh", "TT", "Th", "hh"],
        (Kind::AirForce, "slots") => &["T", "h", "Th"],
        (Kind::AirForce, "official") => &["T", "h"],
        (Kind::AirForce, "wiki") => &["h", "hh", "T", "Th"],
        (Kind::Tank, "slots" | "official") => &["h"],
        (Kind::Tank, "wiki") => &["h", "hh"],
        (Kind::Engineer, _) => &["A", "G", "S"],
        (Kind::Headquarters, _) => return pieces.len() == 2 && pieces[1].kind == Kind::Commander,
        _ => &[],
    };
    allowed.contains(&cargo.as_str())
}

/// A point; file 1 is `a`, rank 1 is Red's first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Point {
    pub rank: i32,
    pub file: i32,
}

impl Point {
    pub fn text(self) -> String {
        format!("{}{}", (b'a' + (self.file - 1) as u8) as char, self.rank)
    }

    pub fn parse(text: &str) -> Option<Point> {
        let file = text.bytes().next()? as i32 - 'a' as i32 + 1;
        let digits = text.get(1..)?;
        let rank: i32 = digits.parse().ok()?;
        let point = Point { rank, file };
        (point.on_board() && digits == rank.to_string()).then_some(point)
    }

    pub fn on_board(self) -> bool {
        (1..=11).contains(&self.file) && (1..=12).contains(&self.rank)
    }

    /// Files a and b.
    pub fn sea(self) -> bool {
        self.file <= 2
    }

    /// Where a navy may stand.
    pub fn navigable(self) -> bool {
        self.file <= 3 || ((self.file == 4 || self.file == 5) && (self.rank == 6 || self.rank == 7))
    }

    pub fn upper_bank(self) -> bool {
        self.rank >= 7
    }

    pub fn toward(self, direction: (i32, i32)) -> Point {
        Point { file: self.file + direction.0, rank: self.rank + direction.1 }
    }

    /// Whether a piece of this kind may stand here on its own.
    pub fn bears(self, kind: Kind) -> bool {
        if kind == Kind::Navy { self.navigable() } else { !self.sea() }
    }
}

/// All points in order, a1 first.
pub fn points() -> Vec<Point> {
    (1..=12).flat_map(|rank| (1..=11).map(move |file| Point { rank, file })).collect()
}

/// The eight directions (file, rank), the four straight ones first.
pub const DIRECTIONS: [(i32, i32); 8] =
    [(0, 1), (0, -1), (1, 0), (-1, 0), (1, 1), (1, -1), (-1, 1), (-1, -1)];

/// What stands where.
#[derive(Clone, Debug, PartialEq, Eq, Default)]
pub struct Board {
    pub stacks: BTreeMap<Point, Stack>,
}

impl Board {
    pub fn at(&self, point: Point) -> Option<&Stack> {
        self.stacks.get(&point)
    }

    pub fn empty(&self, point: Point) -> bool {
        !self.stacks.contains_key(&point)
    }

    /// Where the commander of a side stands.
    pub fn commander(&self, side: Side) -> Option<Point> {
        self.stacks
            .iter()
            .find(|(_, stack)| stack.side == side && stack.has(Kind::Commander))
            .map(|(point, _)| *point)
    }

    pub fn count(&self, side: Side, wanted: impl Fn(Kind) -> bool) -> usize {
        self.stacks
            .values()
            .filter(|stack| stack.side == side)
            .flat_map(|stack| &stack.pieces)
            .filter(|piece| wanted(piece.kind))
            .count()
    }

    /// Takes all pieces of `group` off a point.
    pub fn take(&mut self, point: Point, group: &[Piece]) {
        let stack = self.stacks.get_mut(&point).unwrap();
        for piece in group {
            let index = stack.pieces.iter().position(|present| present == piece).unwrap();
            stack.pieces.remove(index);
        }
        if stack.pieces.is_empty() {
            self.stacks.remove(&point);
        }
    }

    /// Adds pieces to a point that is empty or holds the same side.
    pub fn put(&mut self, point: Point, side: Side, group: Vec<Piece>) {
        let mut pieces = group;
        if let Some(present) = self.stacks.remove(&point) {
            assert_eq!(present.side, side);
            pieces.extend(present.pieces);
        }
        self.stacks.insert(point, Stack::new(side, pieces));
    }
}
