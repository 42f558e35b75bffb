//! The classical record (rules, section 10): `(NTAf)N8,2@^T10,4/N8,2@N10,0/T8,2_8,4/Af8,2>C11,5`.
//!
//! Points are `row,column` from 0. A turn names the piece, or the whole stack in parentheses, the
//! point where it stands, a sign and the point it acts upon; of a stack that splits the whole stack is
//! named first and its members act one after another. Signs: `_` moves or joins, `@` captures, `@^`
//! captures and stays, `><` and `@"` are a crash, one for one against a defender and otherwise burnt,
//! `@!` is a breach and `~` a drop. Marks follow from the position: `Af8,2>C11,5` is a piece that gives
//! check, `^` a game won, `!!` one that is lost; `+` stands before the letter of a hero. Behind them
//! stand marks of judgement: `+ ++ - -- = ? $`.
//!
//! `letters.rs` has the three sets of letters, `writing.rs` makes texts, `parts.rs` takes them apart and
//! `reading.rs` finds the legal turn that is meant; `formats.rs` is the list of formats.

mod formats;
mod letters;
mod parts;
mod reading;
mod writing;

pub use formats::FORMATS;
pub use letters::Letters;

use crate::commander::Commander;
use crate::position::Position;
use crate::step::Step;
use game::Fault;
use game::written::TurnNotation;

/// The classical record in one set of letters.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Classical(pub Letters);

impl TurnNotation<Commander> for Classical {
    fn read_turn(&self, game: &Commander, position: &Position, text: &str) -> Result<Vec<Step>, Fault> {
        reading::read_turn(game, self.0, position, text).map_err(|message| Fault::new(text, message))
    }

    fn turn_text(&self, game: &Commander, position: &Position, steps: &[Step]) -> String {
        writing::turn_text(game, self.0, position, steps)
    }

    /// Marks of judgement are what follows the last point and its marks.
    fn split_judgement<'t>(&self, word: &'t str) -> (&'t str, &'t str) {
        let turn = word.trim_end_matches(['+', '-', '=', '?', '$', '!']);
        let marks = &word[turn.len()..];
        let lost = if marks.starts_with("!!") { 2 } else { 0 };
        word.split_at(turn.len() + lost)
    }
}
