//! Games as people write them down: tags, a start, turns with comments, a result.
//!
//! A [`WrittenGame`] is what all formats have in common. A [`RecordFormat`] reads and writes it;
//! [`formats`] lists those of a game: `turns` and `json`, which every game has, and what the game adds
//! with [`Notation::formats`](crate::Notation::formats). Most formats are a container (`tagged.rs`: tags and numbered
//! turns; `list.rs`: bare turns) around a [`TurnNotation`], the way a game writes one turn.
//!
//! Reading never guesses a format. It plays every turn by the rules ([`Replay`]), so that what has
//! been read is legal, and says for every game of a text either what is in it or where and why it
//! cannot be read. Not to be mistaken for [`record`](crate::record), the games of training.

mod fault;
mod format;
mod grouping;
mod json;
mod lexer;
mod list;
mod replay;
mod score;
mod tagged;

pub use fault::{Place, RecordFault};
pub use format::{MachineNotation, RecordFormat, TurnNotation, find, formats};
pub use json::JsonLines;
pub use list::{MoveList, Spacing};
pub use replay::{Checked, Replay};
pub use score::Score;
pub use tagged::{Parentheses, Tagged};

use crate::Game;

/// A game as it is written down: positions are values of type `P`, steps of type `S`.
#[derive(Clone, Debug, PartialEq)]
pub struct WrittenGame<P, S> {
    /// Names and values in the order of the text. Start, result, game and format are no tags: they
    /// have places of their own.
    pub tags: Vec<Tag>,
    /// The position before the first turn, never in the middle of a turn.
    pub start: P,
    /// What is said before the first turn; empty where nothing.
    pub comment: String,
    /// The turns, from the start on, each a complete legal turn.
    pub turns: Vec<WrittenTurn<S>>,
    /// The result that is written down, which may come from outside the board (a side gives up).
    pub score: Score,
}

/// A [`WrittenGame`] of the game `G`.
pub type Written<G> = WrittenGame<<G as Game>::Position, <G as Game>::Step>;

/// A turn as it is written down.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct WrittenTurn<S> {
    /// Its steps.
    pub steps: Vec<S>,
    /// Marks of judgement in the order of the text: `!`, `?!`, `$3`, or a game's own.
    pub judgements: Vec<String>,
    /// What is said about it; empty where nothing.
    pub comment: String,
}

impl<S> WrittenTurn<S> {
    /// A turn about which nothing is said.
    pub const fn new(steps: Vec<S>) -> WrittenTurn<S> {
        WrittenTurn { steps, judgements: Vec::new(), comment: String::new() }
    }
}

/// One thing that is known of a game: the players, the place, the date.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Tag {
    /// Its name, one word.
    pub name: String,
    /// Its value, one line.
    pub value: String,
}

impl Tag {
    /// A tag.
    pub fn new(name: impl Into<String>, value: impl Into<String>) -> Tag {
        Tag { name: name.into(), value: value.into() }
    }
}
