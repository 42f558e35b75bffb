//! Anything a person may write down as a position, and what may be wrong with it.

use crate::board::Board;
use crate::danger::Danger;
use crate::piece::{Id, Kind, Piece};
use crate::position::Position;
use crate::square::{FILES, RANKS, SQUARES, Square};
use crate::tables::{ADVISOR_POINTS, ELEPHANT_POINTS};
use game::{Fault, Faults, Player};

/// Plies of the progress counter and numbers of moves that a position may have.
pub(crate) const MOST: u32 = 9_999;

/// A board as written: any pieces anywhere, a side to move, and the two numbers of a FEN.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The piece on each point, by [`Square::index`].
    pub pieces: [Option<Piece>; SQUARES],
    /// The side to move.
    pub mover: Player,
    /// Field 5: plies without progress.
    pub progress: u32,
    /// Field 6: number of the full move, from 1.
    pub number: u32,
}

impl Setup {
    /// A board without pieces, Red to move.
    pub const EMPTY: Setup = Setup { pieces: [None; SQUARES], mover: Player::First, progress: 0, number: 1 };

    /// Reads a FEN: ranks from 9 to 0; `w` or `r` for Red to move, `b` for Black; two fields without
    /// meaning here (`-`); plies without progress; number of the full move. `E` and `H` are read as
    /// `B` and `N`. All fields behind the side may be missing.
    ///
    /// # Errors
    /// All faults of the text, each with its place (`rank 9`, `side`, …).
    pub fn read(text: &str) -> Result<Setup, Faults> {
        let mut faults = Faults::new();
        let setup = Setup::read_what_is_right(text, &mut faults);
        faults.into_result(setup)
    }

    /// Reads a legal position (see [`Setup::read`] and [`Setup::position`]).
    ///
    /// # Errors
    /// All faults of the text, and where its ranks are whole those of the position too.
    pub fn read_position(text: &str) -> Result<Position, Faults> {
        let mut faults = Faults::new();
        let setup = Setup::read_what_is_right(text, &mut faults);
        let of_ranks = |fault: &Fault| fault.place.contains("rank");
        match setup.position() {
            Ok(position) => faults.into_result(position),
            Err(further) => {
                if !faults.0.iter().any(of_ranks) {
                    faults.0.extend(further.0);
                }
                Err(faults)
            }
        }
    }

    /// Reads as [`Setup::read`] and adds what is wrong to `faults`.
    fn read_what_is_right(text: &str, faults: &mut Faults) -> Setup {
        let mut setup = Setup::EMPTY;
        let mut fields = text.split_whitespace();
        match fields.next() {
            Some(ranks) => setup.read_ranks(ranks, faults),
            None => faults.add("ranks", "nothing there: write ten ranks and the side to move"),
        }
        match fields.next() {
            Some("w" | "r") => {}
            Some("b") => setup.mover = Player::Second,
            Some(other) => faults.add("side", format!("`{}`: write w or b", other.escape_default())),
            None => faults.add("side", "missing: write w or b after the ranks"),
        }
        for place in ["field 3", "field 4"] {
            if let Some(field) = fields.next()
                && field != "-"
            {
                faults.add(place, format!("`{}`: write -", field.escape_default()));
            }
        }
        if let Some(field) = fields.next() {
            setup.progress = number(field, 0, "progress", faults);
        }
        if let Some(field) = fields.next() {
            setup.number = number(field, 1, "move number", faults);
        }
        for extra in fields {
            faults.add("end", format!("`{}`: nothing may follow the move number", extra.escape_default()));
        }
        setup
    }

    /// Writes the FEN, all six fields.
    pub fn write(&self) -> String {
        let mut text = String::new();
        for rank in (0..RANKS).rev() {
            let mut empty = 0;
            for file in 0..FILES {
                match self.pieces[Square::new(file, rank).index()] {
                    Some(piece) => {
                        push_empty(&mut text, &mut empty);
                        text.push(piece.letter());
                    }
                    None => empty += 1,
                }
            }
            push_empty(&mut text, &mut empty);
            text.push(if rank == 0 { ' ' } else { '/' });
        }
        let side = match self.mover {
            Player::First => 'w',
            Player::Second => 'b',
        };
        text.push_str(&format!("{side} - - {} {}", self.progress, self.number));
        text
    }

    /// The legal position of this set-up: a game that begins here, without streaks.
    ///
    /// # Errors
    /// Everything that shows that it cannot arise in play: kings missing or too many, pieces on points
    /// that they never reach, more than 16 pieces of a side, a king that can be captured. More pieces of
    /// a kind than a game begins with are accepted: composed positions have them.
    pub fn position(&self) -> Result<Position, Faults> {
        let mut faults = Faults::new();
        let mut board = Board::empty(self.mover);
        for square in Square::all() {
            let Some(piece) = self.pieces[square.index()] else { continue };
            if let Some(right) = wrong_point(piece, square) {
                faults.add(square.to_string(), format!("{} cannot stand here: {right}", name(piece)));
            }
            if !board.put(piece, square) {
                let most = if piece.kind == Kind::King { "one king" } else { "16 pieces with the king" };
                faults.add(square.to_string(), format!("{}: one too many, a side has {most}", name(piece)));
            }
        }
        let mut kings = true;
        for side in Player::BOTH {
            if board.king(side) == Square::NONE {
                faults.add("kings", format!("{} is missing", name(Piece { side, kind: Kind::King })));
                kings = false;
            }
        }
        if faults.0.is_empty() && kings {
            let waiting = self.mover.opponent();
            let danger = Danger::of(&board, waiting);
            if danger.in_check() {
                let checkers: Vec<String> =
                    danger.checkers().seen_by(Player::First).map(|square| square.to_string()).collect();
                let king = name(Piece { side: waiting, kind: Kind::King });
                faults.add("side", format!("{king} can be captured from {}", checkers.join(" and ")));
            }
        }
        faults.into_result(Position::new(board, self.progress as u16, self.number))
    }

    fn read_ranks(&mut self, text: &str, faults: &mut Faults) {
        let ranks: Vec<&str> = text.split('/').collect();
        if ranks.len() != RANKS {
            faults.add("ranks", format!("{} ranks: there must be {RANKS}", ranks.len()));
        }
        for (index, letters) in ranks.iter().enumerate() {
            let place = match index < RANKS {
                true => format!("rank {}", RANKS - 1 - index),
                false => format!("extra rank {}", index + 1),
            };
            let mut width = 0;
            for letter in letters.chars() {
                if let Some(empty) = letter.to_digit(10).filter(|&empty| empty > 0) {
                    width += empty as usize;
                    continue;
                }
                let piece = Piece::from_letter(letter);
                if piece.is_none() {
                    let letter = letter.escape_default();
                    faults.add(&place, format!("`{letter}`: write a piece (KABNRCP) or a digit from 1 to 9"));
                }
                if width < FILES && index < RANKS {
                    self.pieces[Square::new(width, RANKS - 1 - index).index()] = piece;
                }
                width += 1;
            }
            if width != FILES {
                let letters = letters.escape_default();
                faults.add(&place, format!("`{letters}` has {width} points: there must be {FILES}"));
            }
        }
    }
}

impl From<&Position> for Setup {
    fn from(position: &Position) -> Setup {
        let board = position.board();
        let mut setup = Setup {
            mover: board.mover(),
            progress: u32::from(position.progress()),
            number: position.number(),
            ..Setup::EMPTY
        };
        for square in Square::all() {
            setup.pieces[square.index()] = board.at(square).map(Id::piece);
        }
        setup
    }
}

/// Where such a piece may stand, if it may not stand here.
fn wrong_point(piece: Piece, square: Square) -> Option<&'static str> {
    let side = piece.side.index();
    match piece.kind {
        Kind::King => (!square.in_palace_of(piece.side)).then_some("its points are those of its palace"),
        Kind::Advisor => (!ADVISOR_POINTS[side].contains(square))
            .then_some("its points are the middle and the corners of its palace"),
        Kind::Elephant => {
            (!ELEPHANT_POINTS[side].contains(square)).then_some("its points are seven on its own side")
        }
        Kind::Pawn => (square.seen_by(piece.side).rank() < 3)
            .then_some("it starts on its fourth rank and never goes back"),
        Kind::Horse | Kind::Rook | Kind::Cannon => None,
    }
}

fn name(piece: Piece) -> String {
    let side = match piece.side {
        Player::First => "red",
        Player::Second => "black",
    };
    format!("the {side} {}", piece.kind.word())
}

fn number(text: &str, least: u32, place: &str, faults: &mut Faults) -> u32 {
    match text.parse() {
        Ok(number) if (least..=MOST).contains(&number) => number,
        _ => {
            let text = text.escape_default();
            faults.add(place, format!("`{text}`: write a whole number from {least} to {MOST}"));
            least
        }
    }
}

fn push_empty(text: &mut String, empty: &mut usize) {
    if *empty > 0 {
        text.push_str(&empty.to_string());
        *empty = 0;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

    fn faults(text: &str) -> Vec<String> {
        let Err(Faults(faults)) = Setup::read_position(text) else { panic!("{text} was read") };
        faults.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn the_start_is_read_and_written() {
        let read = Setup::read_position(START).unwrap();
        assert_eq!(read, Position::start());
        assert_eq!(Setup::from(&read).write(), START);
        let other = "rhbakabhr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RHEAKAEHR r";
        assert_eq!(Setup::read_position(other).unwrap(), read);
    }

    #[test]
    fn every_fault_is_named_at_once() {
        assert_eq!(
            faults("rnbakabnr/9/1c5c1/p1p1p1p1p/9/x8/P1P1P1P1P/1C5C1/91/RNBAKABNR z - q -1 0 w"),
            [
                "rank 4: `x`: write a piece (KABNRCP) or a digit from 1 to 9",
                "rank 1: `91` has 10 points: there must be 9",
                "side: `z`: write w or b",
                "field 4: `q`: write -",
                "progress: `-1`: write a whole number from 0 to 9999",
                "move number: `0`: write a whole number from 1 to 9999",
                "end: `w`: nothing may follow the move number",
            ]
        );
        assert_eq!(
            faults("3kk4/9/9/9/B8/9/9/p8/3A5/P8 x"),
            [
                "side: `x`: write w or b",
                "a0: the red pawn cannot stand here: it starts on its fourth rank and never goes back",
                "d1: the red advisor cannot stand here: its points are the middle and the corners of its palace",
                "a5: the red elephant cannot stand here: its points are seven on its own side",
                "e9: the black king: one too many, a side has one king",
                "kings: the red king is missing",
            ]
        );
        assert_eq!(
            faults(""),
            [
                "ranks: nothing there: write ten ranks and the side to move",
                "side: missing: write w or b after the ranks"
            ]
        );
        assert_eq!(faults("4k4/9/9/9/9/9/9/9/9/4K4 w"), ["side: the black king can be captured from e0"]);
        assert_eq!(
            faults("4k4/9/9/9/RRRRRRRRR/RRRRRRRRR/9/9/9/3K5 w")[..2],
            [
                "g5: the red rook: one too many, a side has 16 pieces with the king",
                "h5: the red rook: one too many, a side has 16 pieces with the king"
            ]
        );
    }
}
