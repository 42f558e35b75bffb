//! Every game that can be opened passes the examination, under all its presets.

// Statistics are printed for whoever runs the test with `--nocapture`.
#![allow(clippy::print_stdout)]

use arena::games::{WithGame, names, with_game};
use game::BoardGame;
use game::examination::{Examination, examine};

/// Games per preset; each game's own tests play more.
const GAMES: u32 = 4;

struct Examine;

impl WithGame for Examine {
    type Output = String;

    fn with<G: BoardGame>(self, _default: G) -> String {
        let mut complaints = String::new();
        for &preset in G::presets() {
            let game = G::preset(preset).map(G::with_rules);
            let Some(Ok(game)) = game else {
                complaints.push_str(&format!("{} {preset} does not open\n", G::NAME));
                continue;
            };
            let report = examine(&game, &Examination { games: GAMES, ..Examination::default() });
            println!("{} {preset}\n{}", G::NAME, report.statistics);
            if !report.passed() {
                complaints.push_str(&format!("{} {preset}\n{}", G::NAME, report.complaint()));
            }
        }
        complaints
    }
}

#[test]
fn all_games_pass_under_all_presets() {
    let complaints: String = names()
        .iter()
        .map(|name| with_game(name, None, &[], Examine).unwrap_or_else(|error| error.to_string()))
        .collect();
    assert!(complaints.is_empty(), "{complaints}");
}
