//! Moves: what a piece reaches, which moves are legal, and how many there are.

use crate::board::Board;
use crate::danger::Danger;
use crate::piece::{Id, Kind};
use crate::square::{FILES, SQUARES, Square, Squares};
use crate::step::Step;
use crate::tables::{
    ADVISOR, ALONG_FILE, ALONG_RANK, ELEPHANT, FILE_A, HORSE, KING, PAWN, UPRIGHT, beside, diagonally_beside,
};
use game::Player;

impl Board {
    /// Where a piece can go by its movement, captures included; its king's safety is not looked at.
    /// Nowhere when it was captured.
    #[inline(always)]
    pub fn targets(&self, id: Id) -> Squares {
        let square = self.square(id);
        if square == Square::NONE {
            return Squares::EMPTY;
        }
        let side = id.side();
        let own = self.occupied(side);
        match id.kind() {
            Kind::King => KING[square.index()].without(own),
            Kind::Advisor => ADVISOR[square.index()].without(own),
            Kind::Elephant => self.elephant(square).without(own),
            Kind::Horse => self.horse(square).without(own),
            Kind::Rook => on_lines(square, self.rook_lines(side, square)),
            Kind::Cannon => on_lines(square, self.cannon_lines(side, square)),
            Kind::Pawn => PAWN[side.index()][square.index()].without(own),
        }
    }

    /// The enemy pieces' points that a piece can take by its movement.
    #[inline]
    pub fn takes(&self, id: Id) -> Squares {
        self.targets(id).and(self.occupied(id.side().opponent()))
    }

    /// Points that an elephant reaches.
    #[inline(always)]
    fn elephant(&self, square: Square) -> Squares {
        ELEPHANT[square.index()][diagonally_beside(square, self.all())]
    }

    /// Points that a horse reaches.
    #[inline(always)]
    fn horse(&self, square: Square) -> Squares {
        let [rank, file] = self.lines(square);
        HORSE[square.index()][beside(square, rank, file)]
    }

    /// Targets of a rook on the rank and on the file of its point.
    #[inline(always)]
    fn rook_lines(&self, side: Player, square: Square) -> [u16; 2] {
        let [rank, file] = self.lines(square);
        let [own_rank, own_file] = self.own_lines(side, square);
        [
            ALONG_RANK[square.file()][rank as usize] & !own_rank,
            ALONG_FILE[square.rank()][file as usize] & !own_file,
        ]
    }

    /// Targets of a cannon on the rank and on the file of its point.
    #[inline(always)]
    fn cannon_lines(&self, side: Player, square: Square) -> [u16; 2] {
        let [rank, file] = self.lines(square);
        let [own_rank, own_file] = self.own_lines(side, square);
        [
            cannon_line(&ALONG_RANK[square.file()], rank, own_rank),
            cannon_line(&ALONG_FILE[square.rank()], file, own_file),
        ]
    }

    // Inlined always, here and below, so that perft can have them compiled for its instructions.

    /// Calls `visit` with every legal move of the side to move, in the order of points as it sees
    /// them, and ends when `visit` says `true`; says whether it did.
    #[inline(always)]
    pub fn any_step(&self, mut visit: impl FnMut(Step) -> bool) -> bool {
        let side = self.mover();
        let danger = Danger::of(self, side);
        for from in self.occupied(side).seen_by(side) {
            let Some(id) = self.at(from) else { continue };
            let targets = self.targets(id);
            // Of one piece all moves are sure or all are doubtful.
            let (sure, doubtful) = danger.split(id, from, targets);
            if sure.seen_by(side).any(|to| visit(Step { from, to })) {
                return true;
            }
            for to in doubtful.seen_by(side) {
                let step = Step { from, to };
                if self.is_safe(side, step) && visit(step) {
                    return true;
                }
            }
        }
        false
    }

    /// Whether the side to move has a legal move.
    #[inline]
    pub fn has_step(&self) -> bool {
        self.any_step(|_| true)
    }

    /// Whether a move is legal for the side to move.
    pub fn is_legal(&self, step: Step) -> bool {
        let side = self.mover();
        self.at(step.from).is_some_and(|id| {
            id.side() == side && self.targets(id).contains(step.to) && self.is_safe(side, step)
        })
    }

    /// Number of legal moves of the side to move.
    #[inline(always)]
    pub(crate) fn count_steps(&self) -> u32 {
        let side = self.mover();
        let danger = Danger::of(self, side);
        let own = self.occupied(side);
        if danger.in_check() {
            let pieces = own.seen_by(Player::First).filter_map(|from| self.at(from));
            return pieces.map(|id| self.count_tested(&danger, id)).sum();
        }
        let open = danger.open();
        let free = open.without(own);
        let of_kind = |kind| self.kind(kind).and(own).seen_by(Player::First);
        let mut count = count_pawns(side, self.of_kind(side, Kind::Pawn), free);
        for square in of_kind(Kind::Advisor) {
            count += ADVISOR[square.index()].and(free).len();
        }
        for square in of_kind(Kind::Elephant) {
            count += self.elephant(square).and(free).len();
        }
        for square in of_kind(Kind::Horse) {
            count += self.horse(square).and(free).len();
        }
        let closed = open != Squares::ALL;
        for square in of_kind(Kind::Rook) {
            count += count_lines(square, self.rook_lines(side, square), open, closed);
        }
        for square in of_kind(Kind::Cannon) {
            count += count_lines(square, self.cannon_lines(side, square), open, closed);
        }
        count += self.count_tested(&danger, Id::king(side));
        for id in danger.guards().seen_by(Player::First).filter_map(|from| self.at(from)) {
            count -= self.targets(id).and(open).len();
            count += self.count_tested(&danger, id);
        }
        count
    }

    /// Legal moves of one piece, each tested where it must be.
    #[inline(always)]
    fn count_tested(&self, danger: &Danger, id: Id) -> u32 {
        let (side, from) = (id.side(), self.square(id));
        let (sure, doubtful) = danger.split(id, from, self.targets(id));
        let tested = doubtful.seen_by(Player::First);
        sure.len() + tested.filter(|&to| self.is_safe(side, Step { from, to })).count() as u32
    }
}

/// Moves of pawns to free points.
#[inline(always)]
fn count_pawns(side: Player, pawns: Squares, free: Squares) -> u32 {
    let (forward, across) = match side {
        Player::First => (pawns.0 << FILES, pawns.0 >> (SQUARES / 2) << (SQUARES / 2)),
        Player::Second => (pawns.0 >> FILES, pawns.0 & ((1 << (SQUARES / 2)) - 1)),
    };
    let (left, right) = ((across & !FILE_A) >> 1, (across & !(FILE_A << (FILES - 1))) << 1);
    Squares(forward & free.0).len() + Squares(left & free.0).len() + Squares(right & free.0).len()
}

/// The points on the lines of a point.
#[inline(always)]
fn on_lines(square: Square, [rank, file]: [u16; 2]) -> Squares {
    Squares((rank as u128) << (square.rank() * FILES) | UPRIGHT[file as usize] << square.file())
}

/// Number of points on the lines of a point, only the open ones where not all are.
#[inline(always)]
fn count_lines(square: Square, lines: [u16; 2], open: Squares, closed: bool) -> u32 {
    if closed {
        on_lines(square, lines).and(open).len()
    } else {
        (u32::from(lines[0]) | u32::from(lines[1]) << 16).count_ones()
    }
}

/// Targets of a cannon on one line, `along` being what a rook reaches from its place by occupied
/// places.
#[inline(always)]
fn cannon_line<const SETS: usize>(along: &[u16; SETS], occupied: u16, own: u16) -> u16 {
    let reached = along[occupied as usize];
    let screens = reached & occupied;
    // Without the screens one sees as far as the piece behind each.
    let beyond = along[(occupied ^ screens) as usize] & occupied & !screens;
    reached & !occupied | beyond & !own
}
