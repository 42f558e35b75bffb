//! Moves: what a piece reaches, which moves are legal, and how many there are.

use crate::board::Board;
use crate::danger::Danger;
use crate::piece::{Id, Kind};
use crate::square::{FILES, Square, Squares};
use crate::step::Step;
use crate::tables::{
    ADVISOR, ALONG_FILE, ALONG_RANK, ELEPHANT, HORSE, KING, PAWN, UPRIGHT, beside, diagonally_beside,
};
use game::Player;

impl Board {
    /// Where a piece can go by its movement, captures included; its king's safety is not looked at.
    #[inline]
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
            Kind::Elephant => ELEPHANT[square.index()][diagonally_beside(square, self.all())].without(own),
            Kind::Horse => {
                let [rank, file] = self.lines(square);
                HORSE[square.index()][beside(square, rank, file)].without(own)
            }
            Kind::Rook => {
                let [rank, file] = self.rook_lines(side, square);
                on_lines(square, rank, file)
            }
            Kind::Cannon => {
                let [rank, file] = self.cannon_lines(side, square);
                on_lines(square, rank, file)
            }
            Kind::Pawn => PAWN[side.index()][square.index()].without(own),
        }
    }

    /// The enemy pieces' points that a piece can take by its movement.
    #[inline]
    pub fn takes(&self, id: Id) -> Squares {
        self.targets(id).and(self.occupied(id.side().opponent()))
    }

    /// Targets of a rook on the rank and on the file of its point.
    #[inline]
    fn rook_lines(&self, side: Player, square: Square) -> [u16; 2] {
        let [rank, file] = self.lines(square);
        let [own_rank, own_file] = self.own_lines(side, square);
        [
            ALONG_RANK[square.file()][rank as usize] & !own_rank,
            ALONG_FILE[square.rank()][file as usize] & !own_file,
        ]
    }

    /// Targets of a cannon on the rank and on the file of its point.
    #[inline]
    fn cannon_lines(&self, side: Player, square: Square) -> [u16; 2] {
        let [rank, file] = self.lines(square);
        let [own_rank, own_file] = self.own_lines(side, square);
        [
            cannon_line(&ALONG_RANK[square.file()], rank, own_rank),
            cannon_line(&ALONG_FILE[square.rank()], file, own_file),
        ]
    }

    /// Calls `visit` with every legal move of the side to move, in the order of points as it sees
    /// them, and ends when `visit` says `true`; says whether it did.
    #[inline]
    pub fn any_step(&self, mut visit: impl FnMut(Step) -> bool) -> bool {
        let side = self.mover();
        let danger = Danger::of(self, side);
        for from in self.occupied(side).seen_by(side) {
            let Some(id) = self.at(from) else { continue };
            let targets = self.targets(id);
            let (sure, doubtful) = danger.split(id, from, targets);
            for to in sure.or(doubtful).seen_by(side) {
                let step = Step { from, to };
                if (sure.contains(to) || self.is_safe(side, step)) && visit(step) {
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
        if danger.in_check() {
            let mut count = 0;
            for id in Id::of_side(side) {
                let from = self.square(id);
                if from != Square::NONE {
                    count += self.count_doubtful(&danger, id, from);
                }
            }
            return count;
        }
        let mut count = 0;
        let open = danger.open();
        let own = self.occupied(side);
        let free = open.without(own);
        let all = self.all();
        for id in Id::of_kind(side, Kind::Pawn) {
            count += PAWN[side.index()][self.square(id).index()].and(free).len();
        }
        for id in Id::of_kind(side, Kind::Advisor) {
            count += ADVISOR[self.square(id).index()].and(free).len();
        }
        for id in Id::of_kind(side, Kind::Elephant) {
            let square = self.square(id);
            if square != Square::NONE {
                count += ELEPHANT[square.index()][diagonally_beside(square, all)].and(free).len();
            }
        }
        for id in Id::of_kind(side, Kind::Horse) {
            let square = self.square(id);
            if square != Square::NONE {
                let [rank, file] = self.lines(square);
                count += HORSE[square.index()][beside(square, rank, file)].and(free).len();
            }
        }
        let closed = open != Squares::ALL;
        for id in Id::of_kind(side, Kind::Rook) {
            let square = self.square(id);
            if square != Square::NONE {
                count += count_lines(square, self.rook_lines(side, square), open, closed);
            }
        }
        for id in Id::of_kind(side, Kind::Cannon) {
            let square = self.square(id);
            if square != Square::NONE {
                count += count_lines(square, self.cannon_lines(side, square), open, closed);
            }
        }
        let king = Id::king(side);
        count += self.count_doubtful(&danger, king, self.square(king));
        for from in danger.guards().seen_by(Player::First) {
            if let Some(id) = self.at(from) {
                count -= self.targets(id).and(open).len();
                count += self.count_doubtful(&danger, id, from);
            }
        }
        count
    }

    /// Legal moves of one piece, each tested where it must be.
    #[inline]
    fn count_doubtful(&self, danger: &Danger, id: Id, from: Square) -> u32 {
        let side = id.side();
        let (sure, doubtful) = danger.split(id, from, self.targets(id));
        let tested = doubtful.seen_by(Player::First);
        sure.len() + tested.filter(|&to| self.is_safe(side, Step { from, to })).count() as u32
    }
}

/// The points on the lines of a point.
#[inline]
fn on_lines(square: Square, rank: u16, file: u16) -> Squares {
    Squares((rank as u128) << (square.rank() * FILES) | UPRIGHT[file as usize] << square.file())
}

/// Number of points on the lines of a point, only the open ones where not all are.
#[inline(always)]
fn count_lines(square: Square, [rank, file]: [u16; 2], open: Squares, closed: bool) -> u32 {
    if closed {
        on_lines(square, rank, file).and(open).len()
    } else {
        (u32::from(rank) | u32::from(file) << 16).count_ones()
    }
}

/// Targets of a cannon on one line, `along` being what a rook reaches from its place by occupied
/// places.
#[inline]
fn cannon_line<const SETS: usize>(along: &[u16; SETS], occupied: u16, own: u16) -> u16 {
    let reached = along[occupied as usize];
    let screens = reached & occupied;
    // Without the screens one sees as far as the piece behind each.
    let beyond = along[(occupied ^ screens) as usize] & occupied & !screens;
    reached & !occupied | beyond & !own
}
