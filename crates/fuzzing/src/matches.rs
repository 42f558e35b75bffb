//! Files of pairs of games, as they are and behind right checksums, and the ladder that is made of them.

use crate::place::with_file;
use ladder::{Breakdown, Costs, League, Rated, Standings, Times, page};
use pairs::line;
use serde_json::Value;

/// Reads a file of pairs and the ladder that has it alone. The first byte says whether every line that is a
/// JSON object gets its right checksum before. A ladder that is read has standings, costs and a page.
pub(crate) fn run(data: &[u8]) {
    let Some((&first, rest)) = data.split_first() else { return };
    let text = if first == b'0' { rest.to_vec() } else { sealed(rest) };
    with_file("pairs/one.jsonl", &text, |place, path| {
        if let Err(error) = pairs::read(path) {
            assert!(error.is_input() && error.to_string().contains("one.jsonl"), "{error}");
        }
        match League::read(place) {
            Ok(league) => show(&league),
            Err(error) => assert!(error.to_string().contains("one.jsonl"), "{error}"),
        }
    });
}

fn show(league: &League) {
    if league.matches.is_empty() {
        return;
    }
    // No rating is an answer too.
    let rated = Rated::of(league).ok().flatten();
    let standings = Standings::new(league, rated.as_ref());
    assert!(!standings.to_string().is_empty());
    let html = page::page("ladder", league, &standings, &Breakdown::of(league), "").to_html();
    assert!(html.ends_with("</html>\n") || html.contains("</html>"));
    let costs = Costs::new(league, &Times::default());
    assert!((0..league.players.len()).all(|player| costs.turn(player) >= 0.0));
}

/// The lines with right checksums where they are objects.
fn sealed(text: &[u8]) -> Vec<u8> {
    let mut sealed = Vec::new();
    for text in text.split_inclusive(|&byte| byte == b'\n') {
        let object = serde_json::from_slice::<Value>(text).ok().and_then(|mut value| {
            value.as_object_mut()?.remove("check");
            line::write(&value).ok()
        });
        match object {
            Some(line) => sealed.extend(line.into_bytes()),
            None => sealed.extend(text),
        }
    }
    sealed
}
