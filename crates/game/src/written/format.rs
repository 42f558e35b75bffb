//! What a format of written games is, and which ones a game has.

use super::{Checked, JsonLines, Parentheses, RecordFault, Score, Tagged, Written};
use crate::{Fault, Notation};

/// A way to write games of `G` down as text.
pub trait RecordFormat<G: Notation>: Send + Sync {
    /// Its name on the command line.
    fn name(&self) -> &'static str;

    /// What it is, in a line.
    fn about(&self) -> &'static str;

    /// Reads all games of a text, each by itself: a fault ends one game and not the others. A text
    /// without games gives none. Never panics, whatever the text.
    fn read(&self, game: &G, text: &str) -> Vec<Result<Checked<G>, RecordFault>>;

    /// Whether a score that is written is read back, also one that does not follow from the rules.
    fn keeps_scores(&self) -> bool {
        true
    }

    /// Writes games so that [`RecordFormat::read`] gives their starts and turns back, scores if the format
    /// [keeps](RecordFormat::keeps_scores) them, and tags and comments as far as it has a place for them. Ends
    /// with a line break unless there are no games.
    ///
    /// # Errors
    /// What the format cannot express, with the number of the game.
    fn write(&self, game: &G, written: &[Written<G>]) -> Result<String, RecordFault>;
}

/// A way to write a turn of `G` down as one word, without blanks.
pub trait TurnNotation<G: Notation>: Send + Sync {
    /// The steps of the legal turn with this text. Tolerant in spelling, never in what is legal; a
    /// text that may mean two legal turns is refused.
    ///
    /// # Errors
    /// Why it is no legal turn of this position.
    fn read_turn(&self, game: &G, position: &G::Position, text: &str) -> Result<Vec<G::Step>, Fault>;

    /// The text of a complete legal turn; no other legal turn of the position has it.
    fn turn_text(&self, game: &G, position: &G::Position, steps: &[G::Step]) -> String;

    /// Splits the marks of judgement off a word: `C2=5!?` is a turn and `!?`.
    fn split_judgement<'t>(&self, word: &'t str) -> (&'t str, &'t str) {
        let turn = word.trim_end_matches(['!', '?']);
        (turn, &word[turn.len()..])
    }

    /// The result that this value of the result tag stands for, beside [`Score::read`].
    fn read_score(&self, _value: &str) -> Option<Score> {
        None
    }
}

/// The machine form of turns: [`Notation::turn_text`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MachineNotation;

impl<G: Notation> TurnNotation<G> for MachineNotation {
    fn read_turn(&self, game: &G, position: &G::Position, text: &str) -> Result<Vec<G::Step>, Fault> {
        game.read_turn(position, text)
    }

    fn turn_text(&self, game: &G, position: &G::Position, steps: &[G::Step]) -> String {
        game.turn_text(position, steps)
    }
}

/// The format that every game has and that stands first in its list.
static TURNS: Tagged<MachineNotation> = Tagged {
    name: "turns",
    about: "tags and numbered turns in machine notation (the default)",
    game_tag: None,
    format_tag: "turns",
    parentheses: Parentheses::Text,
    notation: MachineNotation,
};

/// All formats of a game, `turns` first.
pub fn formats<G: Notation>() -> Vec<&'static dyn RecordFormat<G>> {
    let mut formats: Vec<&'static dyn RecordFormat<G>> = vec![&TURNS, &JsonLines];
    formats.extend_from_slice(G::formats());
    formats
}

/// The format with this name.
pub fn find<G: Notation>(name: &str) -> Option<&'static dyn RecordFormat<G>> {
    formats::<G>().into_iter().find(|format| format.name() == name)
}
