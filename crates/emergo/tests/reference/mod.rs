//! A plain second implementation of Emergo, written from the rules alone, to compare the engine with.
//!
//! Nothing in it is clever: the board is a table of towers, a tower is the list of its men from the
//! bottom up, a capture takes the last man of one list to the front of another, and every turn works on
//! a copy of the whole position. It shares no code with the engine.

// The comparison and the bench each use some of it.
#![allow(dead_code)]

pub mod arbitrary;
pub mod fen;

/// `true` for White.
pub type White = bool;
/// File and rank, from 1.
pub type Square = (i32, i32);

/// The options, in the words of the rules page.
#[derive(Clone, Debug)]
pub struct Options {
    pub width: i32,
    pub majority: bool,
    pub blocked_loses: bool,
    pub no_entry_loses: bool,
    pub repetition_draws: bool,
    pub max_turns: usize,
    pub truncate: bool,
}

impl Options {
    /// Every key with its values, the default first.
    pub const CHOICES: [(&str, &[&str]); 7] = [
        ("board", &["9x9", "7x7"]),
        ("majority", &["on", "off"]),
        ("blocked", &["draw", "loss"]),
        ("no_entry", &["draw", "loss"]),
        ("repetition", &["draw", "off"]),
        ("max_turns", &["1000", "40"]),
        ("max_turns_result", &["draw", "truncate"]),
    ];

    pub fn new(pairs: &[(&str, &str)]) -> Options {
        let value = |key: &str| {
            let default = Options::CHOICES.iter().find(|choice| choice.0 == key).unwrap().1[0];
            pairs.iter().find(|pair| pair.0 == key).map_or(default, |pair| pair.1)
        };
        Options {
            width: value("board")[..1].parse().unwrap(),
            majority: value("majority") == "on",
            blocked_loses: value("blocked") == "loss",
            no_entry_loses: value("no_entry") == "loss",
            repetition_draws: value("repetition") == "draw",
            max_turns: value("max_turns").parse().unwrap(),
            truncate: value("max_turns_result") == "truncate",
        }
    }

    /// Men of each side.
    pub fn men(&self) -> usize {
        if self.width == 9 { 12 } else { 8 }
    }
}

/// A position; `board[rank - 1][file - 1]` is the tower there, empty where nothing stands.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Position {
    pub board: Vec<Vec<Vec<White>>>,
    pub side: White,
    pub ply: usize,
    /// Men in hand of White and of Black.
    pub hands: [usize; 2],
    /// Square and last direction of a capture that is not finished.
    pub unfinished: Option<(Square, (i32, i32))>,
}

/// A complete turn: the squares it names, and what comes of it.
#[derive(Clone, Debug)]
pub struct Turn {
    pub text: String,
    /// Text of its first step alone.
    pub first_step: String,
    pub after: Position,
}

const DIRECTIONS: [(i32, i32); 4] = [(1, 1), (-1, 1), (1, -1), (-1, -1)];

pub fn name(square: Square) -> String {
    format!("{}{}", char::from(b'a' + square.0 as u8 - 1), square.1)
}

fn plus(square: Square, direction: (i32, i32), distance: i32) -> Square {
    (square.0 + distance * direction.0, square.1 + distance * direction.1)
}

fn hand_index(side: White) -> usize {
    if side { 0 } else { 1 }
}

impl Position {
    pub fn start(options: &Options) -> Position {
        let width = options.width as usize;
        Position {
            board: vec![vec![Vec::new(); width]; width],
            side: true,
            ply: 0,
            hands: [options.men(); 2],
            unfinished: None,
        }
    }

    fn width(&self) -> i32 {
        self.board.len() as i32
    }

    pub fn in_use(&self, (file, rank): Square) -> bool {
        let inside = |number: i32| number >= 1 && number <= self.width();
        inside(file) && inside(rank) && (file + rank) % 2 == 0
    }

    pub fn squares(&self) -> Vec<Square> {
        let all = (1..=self.width()).flat_map(|rank| (1..=self.width()).map(move |file| (file, rank)));
        all.filter(|&square| self.in_use(square)).collect()
    }

    pub fn tower(&self, square: Square) -> &Vec<White> {
        &self.board[square.1 as usize - 1][square.0 as usize - 1]
    }

    pub fn tower_mut(&mut self, square: Square) -> &mut Vec<White> {
        &mut self.board[square.1 as usize - 1][square.0 as usize - 1]
    }

    fn empty(&self, square: Square) -> bool {
        self.in_use(square) && self.tower(square).is_empty()
    }

    /// Whether a column of `side` stands there: its top man says so.
    fn owned(&self, square: Square, side: White) -> bool {
        self.in_use(square) && self.tower(square).last() == Some(&side)
    }

    /// Whether a column of `side` on `from` could jump in a direction.
    fn can_jump(&self, from: Square, direction: (i32, i32), side: White) -> bool {
        self.owned(from, side)
            && self.owned(plus(from, direction, 1), !side)
            && self.empty(plus(from, direction, 2))
    }

    pub fn has_capture(&self, side: White) -> bool {
        let can = |square| DIRECTIONS.iter().any(|&direction| self.can_jump(square, direction, side));
        self.squares().into_iter().any(can)
    }

    /// All ways to go on jumping with the column on `from` until it cannot go on: the squares after
    /// `from`, and the board after them.
    fn chains(&self, from: Square, last: Option<(i32, i32)>) -> Vec<(Vec<Square>, Position)> {
        let mut chains = Vec::new();
        for direction in DIRECTIONS {
            let turns_back = last == Some((-direction.0, -direction.1));
            if turns_back || !self.can_jump(from, direction, self.side) {
                continue;
            }
            let mut after = self.clone();
            let target = plus(from, direction, 2);
            let mut jumper = std::mem::take(after.tower_mut(from));
            let captured = after.tower_mut(plus(from, direction, 1)).pop().unwrap();
            jumper.insert(0, captured);
            *after.tower_mut(target) = jumper;
            let further = after.chains(target, Some(direction));
            if further.is_empty() {
                chains.push((vec![target], after));
            } else {
                chains.extend(further.into_iter().map(|(mut squares, end)| {
                    squares.insert(0, target);
                    (squares, end)
                }));
            }
        }
        chains
    }

    fn finished(mut self) -> Position {
        self.side = !self.side;
        self.ply += 1;
        self.unfinished = None;
        self
    }

    /// Every legal turn, longest games and repetition left aside; in the middle of a capture what is
    /// left of it.
    pub fn turns(&self, options: &Options) -> Vec<Turn> {
        let captures = self.captures(options);
        if !captures.is_empty() {
            return captures;
        }
        if self.hands[hand_index(self.side)] > 0 { self.entries(options) } else { self.quiet_steps() }
    }

    fn captures(&self, options: &Options) -> Vec<Turn> {
        let mut found: Vec<(Vec<Square>, Position)> = Vec::new();
        let starts = match self.unfinished {
            Some((square, direction)) => vec![(square, Some(direction))],
            None => self.squares().into_iter().map(|square| (square, None)).collect(),
        };
        for (from, last) in starts {
            for (mut squares, after) in self.chains(from, last) {
                squares.insert(0, from);
                found.push((squares, after));
            }
        }
        if options.majority {
            let most = found.iter().map(|(squares, _)| squares.len()).max().unwrap_or(0);
            found.retain(|(squares, _)| squares.len() == most);
        }
        let text =
            |squares: &[Square]| squares.iter().map(|&square| name(square)).collect::<Vec<_>>().join("x");
        found
            .into_iter()
            .map(|(squares, after)| Turn {
                text: text(&squares),
                first_step: text(&squares[..2]),
                after: after.finished(),
            })
            .collect()
    }

    fn entries(&self, options: &Options) -> Vec<Turn> {
        let own = hand_index(self.side);
        let first_of_white = self.side && self.hands[0] == options.men();
        let middle = (options.width + 1) / 2;
        let already = self.has_capture(!self.side);
        let shadow = self.hands[1 - own] == 0;
        let men = if shadow { self.hands[own] } else { 1 };
        let mut turns = Vec::new();
        for square in self.squares() {
            if !self.empty(square) || (first_of_white && square == (middle, middle)) {
                continue;
            }
            let mut after = self.clone();
            *after.tower_mut(square) = vec![self.side; men];
            after.hands[own] -= men;
            let fed = DIRECTIONS
                .iter()
                .any(|&direction| after.can_jump(plus(square, direction, -1), direction, !self.side));
            if fed && !already {
                continue;
            }
            let text = format!("@{}", name(square));
            turns.push(Turn { first_step: text.clone(), text, after: after.finished() });
        }
        turns
    }

    fn quiet_steps(&self) -> Vec<Turn> {
        let mut turns = Vec::new();
        for from in self.squares() {
            for direction in DIRECTIONS {
                let target = plus(from, direction, 1);
                if self.owned(from, self.side) && self.empty(target) {
                    let mut after = self.clone();
                    let column = std::mem::take(after.tower_mut(from));
                    *after.tower_mut(target) = column;
                    let text = format!("{}-{}", name(from), name(target));
                    turns.push(Turn { first_step: text.clone(), text, after: after.finished() });
                }
            }
        }
        turns
    }

    /// Winner and reason of a game that ends here, `seen` times this board, side and hands having
    /// occurred, this time included.
    pub fn ending(&self, options: &Options, seen: usize) -> Option<(&'static str, &'static str)> {
        if self.unfinished.is_some() {
            return None;
        }
        let loss = if self.side { "second" } else { "first" };
        let hand = self.hands[hand_index(self.side)];
        let columns = self.squares().into_iter().filter(|&square| self.owned(square, self.side)).count();
        if hand == 0 && columns == 0 {
            return Some((loss, "no_men"));
        }
        if self.turns(options).is_empty() {
            return Some(match hand {
                0 => (if options.blocked_loses { loss } else { "draw" }, "blocked"),
                _ => (if options.no_entry_loses { loss } else { "draw" }, "no_entry"),
            });
        }
        if seen >= 3 && options.repetition_draws {
            return Some(("draw", "repetition"));
        }
        match self.ply >= options.max_turns {
            true if options.truncate => Some(("none", "truncated")),
            true => Some(("draw", "max_turns")),
            false => None,
        }
    }

    /// Number of sequences of so many turns.
    pub fn perft(&self, options: &Options, depth: u32) -> u64 {
        if depth == 0 {
            return 1;
        }
        self.turns(options).iter().map(|turn| turn.after.perft(options, depth - 1)).sum()
    }
}
