//! Position texts (section 2).

use super::board::{Board, KINDS, Kind, Piece, Point, Role, Side, Stack, legal_stack, sort};
use super::options::Options;
use super::position::Position;
use std::rc::Rc;

impl Position {
    /// Reads a position text; an error says what is wrong with it.
    pub fn parse(text: &str, options: &Rc<Options>) -> Result<Position, String> {
        let fields: Vec<&str> = text.split(' ').collect();
        if fields.len() < 6 || fields[2] != "-" || fields[3] != "-" {
            return Err(format!("fields of `{text}`"));
        }
        let side = match fields[1] {
            "r" => Side::Red,
            "b" => Side::Blue,
            other => return Err(format!("side {other}")),
        };
        let number = |text: &str| text.parse::<u32>().map_err(|error| format!("{text}: {error}"));
        let mut position = Position {
            options: options.clone(),
            board: parse_board(fields[0], options)?,
            side,
            quiet: number(fields[4])?,
            number: number(fields[5])?,
            points: [0, 0],
            turn: None,
        };
        let mut rest = &fields[6..];
        if let Some(points) = rest.first().and_then(|field| field.strip_prefix("points:")) {
            let (red, blue) = points.split_once(',').ok_or("points")?;
            position.points = [number(red)?, number(blue)?];
            rest = &rest[1..];
        }
        if let Some(turn) = rest.first().and_then(|field| field.strip_prefix("turn:")) {
            let (from, steps) = turn.split_once(':').ok_or("turn")?;
            let from = Point::parse(from).ok_or("turn from")?;
            for step in steps.split('/') {
                position = position.step(step).ok_or_else(|| format!("illegal step {step}"))?;
                if position.turn.as_ref().unwrap().origin != from {
                    return Err(format!("step {step} is not from {}", from.text()));
                }
            }
            if position.steps().is_empty() {
                return Err("the turn is complete".to_string());
            }
            rest = &rest[1..];
        }
        if rest.is_empty() { Ok(position) } else { Err(format!("unknown field {}", rest[0])) }
    }

    /// The position in the middle of the turn after a legal step, by its text.
    pub fn step(&self, text: &str) -> Option<Position> {
        let (begun, step) = self.candidates().into_iter().find(|(_, step)| step.text() == text)?;
        let next = begun.apply(&step);
        next.completes().then_some(next)
    }

    /// Plays a complete turn by its text; nothing if it is illegal or not complete.
    pub fn play(&self, text: &str) -> Option<(Position, Option<super::position::Ending>)> {
        let mut position = self.clone();
        for step in text.split('/') {
            position = position.step(step)?;
        }
        position.may_end().then(|| position.finish())
    }

    /// The position text; in the middle of a turn, that before it with the turn so far.
    pub fn text(&self) -> String {
        if let Some(turn) = &self.turn {
            return format!("{} turn:{}:{}", turn.before.text(), turn.origin.text(), self.turn_text());
        }
        let side = if self.side == Side::Red { 'r' } else { 'b' };
        let mut text = format!("{} {side} - - {} {}", board_text(&self.board), self.quiet, self.number);
        if self.points != [0, 0] {
            text += &format!(" points:{},{}", self.points[0], self.points[1]);
        }
        text
    }
}

/// The board field.
pub fn board_text(board: &Board) -> String {
    let mut ranks = Vec::new();
    for rank in (1..=12).rev() {
        let mut text = String::new();
        let mut run = 0;
        for file in 1..=11 {
            let Some(stack) = board.at(Point { rank, file }) else {
                run += 1;
                continue;
            };
            if run > 0 {
                text += &run.to_string();
                run = 0;
            }
            let mut pieces: String = stack.pieces.iter().map(|piece| piece.text()).collect();
            if stack.side == Side::Blue {
                pieces = pieces.to_lowercase();
            }
            text += &if stack.pieces.len() > 1 { format!("({pieces})") } else { pieces };
        }
        if run > 0 {
            text += &run.to_string();
        }
        ranks.push(text);
    }
    ranks.join("/")
}

fn parse_board(text: &str, options: &Options) -> Result<Board, String> {
    let mut board = Board::default();
    let ranks: Vec<&str> = text.split('/').collect();
    if ranks.len() != 12 {
        return Err(format!("{} ranks", ranks.len()));
    }
    for (row, rank_text) in ranks.iter().enumerate() {
        let rank = 12 - row as i32;
        let mut file = 1;
        let mut rest = *rank_text;
        while let Some(first) = rest.chars().next() {
            let digits = rest.find(|letter: char| !letter.is_ascii_digit()).unwrap_or(rest.len());
            if digits > 0 {
                file += rest[..digits].parse::<i32>().map_err(|error| error.to_string())?;
                rest = &rest[digits..];
                continue;
            }
            let (inside, after) = if first == '(' {
                let close = rest.find(')').ok_or("no closing parenthesis")?;
                (&rest[1..close], &rest[close + 1..])
            } else {
                let end = if first == '+' { 2 } else { 1 };
                (rest.get(..end).ok_or("a lone +")?, &rest[end..])
            };
            rest = after;
            let point = Point { rank, file };
            if !point.on_board() {
                return Err(format!("rank {rank} is too long"));
            }
            let stack = parse_stack(inside)?;
            if !legal_stack(&stack.pieces, options) {
                return Err(format!("{inside} is no legal stack"));
            }
            // The rules refuse a navy that stands on land; one of the cases has two.
            let ashore = stack.carrier().kind == Kind::Navy && options.is("navy_ashore", "accept");
            if !point.bears(stack.carrier().kind) && !ashore {
                return Err(format!("{inside} cannot stand on {}", point.text()));
            }
            board.stacks.insert(point, stack);
            file += 1;
        }
        if file != 12 {
            return Err(format!("rank {rank} has {} files", file - 1));
        }
    }
    Ok(board)
}

fn parse_stack(text: &str) -> Result<Stack, String> {
    let mut pieces = Vec::new();
    let mut sides = Vec::new();
    let mut hero = false;
    for letter in text.chars() {
        if letter == '+' && !hero {
            hero = true;
            continue;
        }
        let upper = letter.to_ascii_uppercase();
        let (kind, ..) =
            *KINDS.iter().find(|row| row.1 == upper).ok_or_else(|| format!("no piece {letter}"))?;
        if hero && kind == Kind::Commander {
            return Err("a commander is never a hero".to_string());
        }
        sides.push(if letter.is_ascii_uppercase() { Side::Red } else { Side::Blue });
        pieces.push(Piece { kind, hero, role: Role::Bystander });
        hero = false;
    }
    if hero || pieces.is_empty() || sides.iter().any(|side| *side != sides[0]) {
        return Err(format!("stack {text}"));
    }
    sort(&mut pieces);
    Ok(Stack { side: sides[0], pieces })
}
