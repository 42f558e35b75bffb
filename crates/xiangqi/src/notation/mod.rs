//! Moves and games as Xiangqi writes them down (rules, section Notation).
//!
//! Coordinates (`coordinates.rs`: UCCI, UCI with ranks 1 to 10, ICCS, DhtmlXQ) name the two points of
//! a move. The older forms (`wxf.rs`, `chinese.rs`) name the piece, where it stands among its like,
//! and how far it goes; both are spellings of a [`FileMove`] (`file_move.rs`). `resolve.rs` finds the
//! one legal move that a text means or says why there is none. `formats.rs` is the list of formats
//! for whole games, `dhtmlxq.rs` the container of tags that web pages use.
//!
//! Reading is tolerant where real files differ, in letters, width and punctuation, and strict about
//! what is legal: a text that may mean two legal moves is refused.

mod chinese;
mod coordinates;
mod dhtmlxq;
mod file_move;
mod formats;
mod resolve;
mod wxf;

pub use chinese::Chinese;
pub use coordinates::Coordinates;
pub use dhtmlxq::{DhtmlXq, Layout};
pub use file_move::{Direction, FileMove, Order, Which};
pub use formats::FORMATS;
pub use wxf::Wxf;

use crate::{Position, Step};

/// The spelling of a move: text for a move of a position, and back. The judge is not asked.
pub trait Spelling {
    /// The text of a legal move; no other legal move of the position has it.
    fn write(&self, position: &Position, step: Step) -> String;

    /// The legal move with this text.
    ///
    /// # Errors
    /// Why there is none.
    fn read(&self, position: &Position, text: &str) -> Result<Step, String>;
}

/// A character in its plain width: `Ｃ`, `２`, `＝` are read as `C`, `2`, `=`, all kinds of dashes as
/// `-`, all kinds of dots as `.`.
fn plain(letter: char) -> char {
    match letter {
        '‐' | '‑' | '‒' | '–' | '—' | '−' => '-',
        '·' | '•' | '。' => '.',
        // The full-width forms stand in the order of ASCII.
        '\u{ff01}'..='\u{ff5e}' => char::from_u32(letter as u32 - 0xff01 + 0x21).unwrap_or(letter),
        _ => letter,
    }
}
