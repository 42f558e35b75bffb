//! Written games: a preset, a format, then what may or may not be games.

use crate::input::split;
use game::BoardGame;
use game::written::{Written, formats};

/// Longer texts only repeat what shorter ones can show.
const LONGEST: usize = 4000;

/// Reads a text in a format. Games that are read are written in every format of the game that can
/// express them, and read back from it with the same start and turns, and the same score if it keeps scores.
pub(crate) fn run<G: BoardGame>(data: &[u8]) {
    let Some((game, rest)) = split::<G>(data) else { return };
    let Some((&format, text)) = rest.split_first() else { return };
    let formats = formats::<G>();
    let format = formats[usize::from(format.wrapping_sub(b'0')) % formats.len()];
    let text = String::from_utf8_lossy(&text[..text.len().min(LONGEST)]);
    let games: Vec<Written<G>> = format
        .read(&game, &text)
        .into_iter()
        .filter_map(|read| match read {
            Ok(checked) => Some(checked.written),
            Err(fault) => {
                assert!(!fault.to_string().is_empty());
                None
            }
        })
        .collect();
    if games.is_empty() {
        return;
    }
    for format in formats {
        let Ok(written) = format.write(&game, &games) else { continue };
        let again = format.read(&game, &written);
        assert_eq!(again.len(), games.len(), "{}: another number of games in\n{written}", format.name());
        for (old, new) in games.iter().zip(again) {
            let new = match new {
                Ok(checked) => checked.written,
                Err(fault) => panic!("{}: {fault} in\n{written}", format.name()),
            };
            let turns = |game: &Written<G>| -> Vec<Vec<G::Step>> {
                game.turns.iter().map(|turn| turn.steps.clone()).collect()
            };
            let start = |written: &Written<G>| game.write_position(&written.start);
            assert_eq!(start(old), start(&new), "{}: another start in\n{written}", format.name());
            assert_eq!(turns(old), turns(&new), "{}: other turns in\n{written}", format.name());
            if format.keeps_scores() {
                assert_eq!(old.score, new.score, "{}: another score in\n{written}", format.name());
            }
        }
    }
}
