//! Sequences of steps: a preset, then two bytes a step, its number among the legal ones.

use crate::input::split;
use game::BoardGame;
use game::examination::examine_choices;

/// Steps played at most.
const LONGEST: usize = 120;

/// Every how many positions all steps and turns are looked at, not only the next one.
const THOROUGH_EVERY: u32 = 50;

/// Plays the steps from the start under the game's examination: keys, texts and codes there and back,
/// records, encodings, symmetries.
pub(crate) fn run<G: BoardGame>(data: &[u8]) {
    let Some((game, bytes)) = split::<G>(data) else { return };
    let choices: Vec<u16> =
        bytes.chunks_exact(2).take(LONGEST).map(|pair| u16::from_be_bytes([pair[0], pair[1]])).collect();
    let report = examine_choices(&*game, game.start(), &choices, THOROUGH_EVERY);
    assert!(report.passed(), "{}", report.complaint());
}
