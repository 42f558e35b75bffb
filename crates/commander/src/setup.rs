//! What a person may write down as a position, and the way from there to a legal [`Position`].
//!
//! [`Setup`] holds anything that a FEN can say; [`Commander::position`] names everything that is
//! wrong with it under the rules, all at once. The set-up of one side is a
//! [`Deployment`](crate::Deployment).

use crate::commander::Commander;
use crate::piece::{Kind, Piece};
use crate::point::{FILES, POINTS, Point, RANKS};
use crate::position::Position;
use crate::rules::NavyAshore;
use crate::stack::Stack;
use crate::tables::may_stand;
use game::{Fault, Faults, Game, Notation, Player};

/// A piece as written: nothing about it need be legal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WrittenPiece {
    /// Whose.
    pub side: Player,
    /// What kind.
    pub kind: Kind,
    /// Whether a `+` stands before it.
    pub hero: bool,
}

/// A turn under way as written: `turn:from:steps`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenTurn {
    /// Where the acting stack stood.
    pub from: String,
    /// The steps so far, joined by `/`.
    pub steps: String,
}

/// Anything that a FEN can say.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Setup {
    /// The pieces of every point, in the order in which they were written.
    pub points: Vec<Vec<WrittenPiece>>,
    /// Side to move.
    pub mover: Player,
    /// Single turns since the last capture.
    pub quiet_turns: u16,
    /// Full-move number.
    pub number: u32,
    /// Points captured so far by Red and by Blue.
    pub captured: [u32; 2],
    /// The turn under way; all other fields are those before it.
    pub turn: Option<WrittenTurn>,
}

impl Default for Setup {
    fn default() -> Setup {
        Setup {
            points: vec![Vec::new(); POINTS],
            mover: Player::First,
            quiet_turns: 0,
            number: 1,
            captured: [0; 2],
            turn: None,
        }
    }
}

impl Setup {
    /// Reads a FEN. What cannot be read is named in the faults and left out of the set-up.
    pub fn read(text: &str) -> (Setup, Faults) {
        let mut setup = Setup::default();
        let mut faults = Faults::new();
        let mut fields = text.split_whitespace();
        match fields.next() {
            Some(board) => setup.read_board(board, &mut faults),
            None => faults.add("position", "is empty, expected a FEN"),
        }
        match fields.next() {
            Some("r") => setup.mover = Player::First,
            Some("b") => setup.mover = Player::Second,
            Some(other) => faults.add("side", format!("found `{other}`, expected r or b")),
            None => faults.add("side", "is missing, expected r or b after the board"),
        }
        for place in ["field 3", "field 4"] {
            match fields.next() {
                Some("-") | None => {}
                Some(other) => faults.add(place, format!("found `{other}`, expected -")),
            }
        }
        if let Some(field) = fields.next() {
            match field.parse() {
                Ok(turns) => setup.quiet_turns = turns,
                Err(_) => faults.add(
                    "field 5",
                    format!(
                        "found `{field}`, expected the number of turns since the last capture, 0 to 65535"
                    ),
                ),
            }
        }
        if let Some(field) = fields.next() {
            match field.parse::<u32>() {
                Ok(number @ 1..=1_000_000) => setup.number = number,
                _ => faults.add(
                    "field 6",
                    format!("found `{field}`, expected the number of the full move, 1 to 1000000"),
                ),
            }
        }
        let mut points_seen = false;
        for field in fields {
            if let Some(rest) = field.strip_prefix("turn:") {
                setup.read_turn(rest, &mut faults);
            } else if let Some(rest) = field.strip_prefix("points:") {
                if std::mem::replace(&mut points_seen, true) {
                    faults.add("points", "stands twice");
                }
                if setup.turn.is_some() {
                    faults.add("points", "stands after `turn:`, expected before it");
                }
                setup.read_points(rest, &mut faults);
            } else {
                faults.add(format!("`{field}`"), "unknown field, expected points:R,B or turn:from:steps");
            }
        }
        (setup, faults)
    }

    fn read_board(&mut self, text: &str, faults: &mut Faults) {
        let ranks: Vec<&str> = text.split('/').collect();
        if ranks.len() != RANKS {
            faults.add("board", format!("has {} ranks, expected {RANKS} separated by /", ranks.len()));
        }
        for (rank_text, rank) in ranks.into_iter().zip((0..RANKS).rev()) {
            self.read_rank(rank_text, rank, faults);
        }
    }

    fn read_rank(&mut self, text: &str, rank: usize, faults: &mut Faults) {
        let place = |file: usize| {
            if file < FILES { Point::at(file, rank).to_string() } else { format!("rank {}", rank + 1) }
        };
        let mut file = 0;
        let mut rest = text;
        while let Some(first) = rest.chars().next() {
            if first.is_ascii_digit() {
                let digits = rest.bytes().take_while(u8::is_ascii_digit).count();
                match rest[..digits].parse::<usize>() {
                    Ok(empty @ 1..=FILES) => file += empty,
                    _ => faults.add(
                        place(file),
                        format!("found `{}`, expected 1 to {FILES} empty points", &rest[..digits]),
                    ),
                }
                rest = &rest[digits..];
                continue;
            }
            let mut pieces = Vec::new();
            if let Some(inside) = rest.strip_prefix('(') {
                let length = inside.find(')').unwrap_or_else(|| {
                    faults.add(place(file), format!("`{rest}` opens a stack and does not close it with )"));
                    inside.len()
                });
                let mut members = &inside[..length];
                while !members.is_empty() {
                    members = read_piece(members, &place(file), &mut pieces, faults);
                }
                if pieces.len() < 2 {
                    faults.add(place(file), "a stack in parentheses has two or three pieces");
                }
                rest = inside.get(length + 1..).unwrap_or("");
            } else {
                rest = read_piece(rest, &place(file), &mut pieces, faults);
                if pieces.is_empty() {
                    continue;
                }
            }
            if file < FILES {
                self.points[Point::at(file, rank).index()] = pieces;
            }
            file += 1;
        }
        if file != FILES {
            faults.add(
                format!("rank {}", rank + 1),
                format!("`{text}` describes {file} points, expected {FILES}"),
            );
        }
    }

    fn read_points(&mut self, text: &str, faults: &mut Faults) {
        let numbers: Vec<Option<u32>> = text
            .split(',')
            .map(|number| number.parse().ok().filter(|&points: &u32| points <= 1_000_000))
            .collect();
        match numbers[..] {
            [Some(red), Some(blue)] => self.captured = [red, blue],
            _ => faults.add("points", format!("found `{text}`, expected two numbers: points:R,B")),
        }
    }

    fn read_turn(&mut self, text: &str, faults: &mut Faults) {
        if self.turn.is_some() {
            faults.add("turn", "stands twice");
        }
        match text.split_once(':') {
            Some((from, steps)) if !steps.is_empty() => {
                self.turn = Some(WrittenTurn { from: from.to_owned(), steps: steps.to_owned() });
            }
            _ => faults.add("turn", format!("found `{text}`, expected turn:from:steps")),
        }
    }
}

/// Reads one piece with its `+`; gives back the rest of the text.
fn read_piece<'t>(
    text: &'t str,
    place: &str,
    pieces: &mut Vec<WrittenPiece>,
    faults: &mut Faults,
) -> &'t str {
    let (hero, rest) = match text.strip_prefix('+') {
        Some(rest) => (true, rest),
        None => (false, text),
    };
    let Some(letter) = rest.chars().next() else {
        faults.add(place, "`+` stands before no piece");
        return "";
    };
    match Kind::from_letter(letter) {
        Some(kind) if letter.is_ascii_alphabetic() => {
            let side = if letter.is_ascii_uppercase() { Player::First } else { Player::Second };
            pieces.push(WrittenPiece { side, kind, hero });
        }
        _ => faults.add(
            place,
            format!("found `{letter}`, expected one of C I T M E A G S F N H in upper or lower case"),
        ),
    }
    &rest[letter.len_utf8()..]
}

impl Commander {
    /// The position of a set-up under these rules, or all its faults.
    pub fn position(&self, setup: &Setup) -> Result<Position, Faults> {
        let mut faults = Faults::new();
        let mut position = Position::empty(setup.mover);
        position.points = setup.captured;
        position.quiet_turns = setup.quiet_turns;
        position.number = setup.number;
        let mut ashore = Faults::new();
        let mut commanders: [Vec<Point>; 2] = [Vec::new(), Vec::new()];
        for (index, written) in setup.points.iter().enumerate().take(POINTS) {
            let point = Point::from_index(index);
            for piece in written.iter().filter(|piece| piece.kind == Kind::Commander) {
                commanders[piece.side.index()].push(point);
            }
            if let Some(stack) = self.stack_of(written, point, &mut faults, &mut ashore) {
                position.board.set::<true>(point, stack);
            }
        }
        for (side, points) in Player::BOTH.into_iter().zip(commanders) {
            if points.len() > 1 {
                let name = if side == Player::First { "Red" } else { "Blue" };
                let list: Vec<String> = points.iter().map(Point::to_string).collect();
                faults.add(
                    list.join(" and "),
                    format!("{name} has {} commanders, expected at most one", points.len()),
                );
            }
        }
        if !faults.0.is_empty() || self.rules.navy_ashore == NavyAshore::Refuse {
            faults.0.append(&mut ashore.0);
        }
        if faults.0.is_empty()
            && let Some(turn) = &setup.turn
            && let Err(fault) = self.replay_turn(&mut position, turn)
        {
            faults.0.push(fault);
        }
        faults.into_result(position)
    }

    /// The stack of a point, if it is legal there; a navy on dry land only goes to `ashore`.
    fn stack_of(
        &self,
        written: &[WrittenPiece],
        point: Point,
        faults: &mut Faults,
        ashore: &mut Faults,
    ) -> Option<Stack> {
        let first = written.first()?;
        let before = faults.0.len();
        for piece in written {
            if piece.kind == Kind::Commander && piece.hero {
                faults.add(point.to_string(), "`+C`: a commander is never a hero, write C");
            }
        }
        if written.iter().any(|piece| piece.side != first.side) {
            faults.add(point.to_string(), "pieces of both sides in one stack");
        }
        if written.iter().filter(|piece| piece.kind == Kind::Commander).count() > 1 {
            // How many commanders there are is told of the whole board; no board holds two in one stack.
            return None;
        }
        let text: String = written.iter().map(|piece| piece.kind.letter()).collect();
        let mut stack = Some(Stack::EMPTY);
        for piece in written {
            let new = Piece::new(piece.kind, piece.hero && piece.kind != Kind::Commander);
            stack = match stack {
                Some(stack) if stack.is_empty() => Some(Stack::single(first.side, new)),
                Some(stack) => stack.with(new),
                None => None,
            };
        }
        let stack = match stack {
            Some(stack) if self.tables.legal_stack(stack) => stack,
            Some(_) => {
                faults.add(point.to_string(), format!("({text}) is no legal stack under these stack_caps"));
                return None;
            }
            None => {
                faults.add(point.to_string(), format!("({text}) has more than three pieces"));
                return None;
            }
        };
        let carrier = stack.carrier().kind();
        if !may_stand(carrier, point) {
            let (list, ground) = if carrier == Kind::Navy {
                (ashore, "files a to c or d6, e6, d7, e7")
            } else {
                (&mut *faults, "files c to k")
            };
            list.add(
                point.to_string(),
                format!(
                    "a stack led by the piece {} ({}) cannot stand there, expected {ground}",
                    carrier.letter(),
                    carrier.name()
                ),
            );
        }
        (faults.0.len() == before).then_some(stack)
    }

    /// Plays the written steps of an unfinished turn.
    fn replay_turn(&self, position: &mut Position, turn: &WrittenTurn) -> Result<(), Fault> {
        let Some(from) = Point::read(&turn.from) else {
            return Err(Fault::new("turn", format!("found `{}`, expected a point", turn.from)));
        };
        for text in turn.steps.split('/') {
            let step =
                self.read_step(position, text).map_err(|fault| Fault::new("turn", fault.to_string()))?;
            if step.origin != from {
                return Err(Fault::new("turn", format!("{text} does not start from {from}")));
            }
            self.play(position, step);
            if !position.turn.under_way() && !text.is_empty() {
                break;
            }
        }
        if position.turn.under_way() && position.steps_of_turn().len() == turn.steps.split('/').count() {
            Ok(())
        } else {
            let message = format!("`{}` completes the turn, write the position after it", turn.steps);
            Err(Fault::new("turn", message))
        }
    }
}
