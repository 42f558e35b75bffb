//! Texts of positions: a preset, then what may or may not be a FEN.

use crate::input::split;
use game::BoardGame;
use game::examination::examine_choices;

/// Longer texts only repeat what shorter ones can show.
const LONGEST: usize = 1000;

/// Steps played from a position that was read.
const STEPS: [u16; 2] = [7, 40];

/// Reads a text. What is refused has faults; what is read is written so that it is read back, and goes
/// through the game's examination.
pub(crate) fn run<G: BoardGame>(data: &[u8]) {
    let Some((game, text)) = split::<G>(data) else { return };
    let text = String::from_utf8_lossy(&text[..text.len().min(LONGEST)]);
    let position = match game.read_position(&text) {
        Ok(position) => position,
        Err(faults) => {
            assert!(!faults.0.is_empty(), "`{text}` is refused without a fault");
            assert!(!faults.to_string().contains('\n'), "faults of `{text}` in several lines: {faults}");
            return;
        }
    };
    let written = game.write_position(&position);
    match game.read_position(&written) {
        Ok(again) => assert_eq!(game.write_position(&again), written, "`{text}`"),
        Err(faults) => panic!("`{text}` is read and written as `{written}`, which is refused: {faults}"),
    }
    let report = examine_choices(&*game, position, &STEPS, u32::MAX);
    assert!(report.passed(), "`{text}`: {}", report.complaint());
}
