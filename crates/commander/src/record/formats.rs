//! The formats of whole games in the classical record.

use super::{Classical, Letters};
use crate::commander::Commander;
use game::written::{Parentheses, RecordFormat, Tagged};

const fn tagged(
    name: &'static str,
    about: &'static str,
    format_tag: &'static str,
    letters: Letters,
) -> Tagged<Classical> {
    Tagged {
        name,
        about,
        game_tag: None,
        format_tag,
        parentheses: Parentheses::Text,
        notation: Classical(letters),
    }
}

static OWN: Tagged<Classical> =
    tagged("classical", "the classical record in our letters: T3,4_5,4", "classical", Letters::Own);
static ENGLISH: Tagged<Classical> = tagged(
    "classical-english",
    "the classical record in English letters: Af1,4@In5,4",
    "classical-english",
    Letters::English,
);
static VIETNAMESE: Tagged<Classical> = tagged(
    "classical-vietnamese",
    "the classical record in Vietnamese letters: K1,4@B5,4",
    "classical-vietnamese",
    Letters::Vietnamese,
);

/// The formats that Commander Chess has beside those of every game.
pub static FORMATS: [&dyn RecordFormat<Commander>; 3] = [&OWN, &ENGLISH, &VIETNAMESE];
