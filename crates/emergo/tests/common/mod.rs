//! What several tests share.

// Every test uses some of it.
#![allow(dead_code)]

use emergo::{BoardSize, Emergo, Position, Rules};
use game::options::rules_from;
use game::{Game, Notation, Turns};
use std::collections::BTreeSet;
use std::io::Read;

/// The game under its defaults.
pub fn standard() -> Emergo {
    Emergo::new(Rules::default()).unwrap()
}

/// The game under its defaults on the smaller board.
pub fn small() -> Emergo {
    Emergo::new(Rules { board: BoardSize::Seven, ..Rules::default() }).unwrap()
}

/// The game with options over the defaults, in the words of the rules page.
pub fn with(options: &[(&str, &str)]) -> Emergo {
    let options: Vec<_> =
        options.iter().map(|&(key, value)| (key.to_owned(), value.to_owned().into())).collect();
    Emergo::with_rules(rules_from::<Emergo>(None, &options).unwrap()).unwrap()
}

/// The position of a FEN.
pub fn read(game: &Emergo, fen: &str) -> Position {
    game.read_position(fen).unwrap_or_else(|faults| panic!("{fen}: {faults}"))
}

/// Every legal turn with the position after it, as `turn>FEN`.
pub fn turns(game: &Emergo, position: &Position) -> BTreeSet<String> {
    let mut texts = BTreeSet::new();
    let mut turns = Turns::new(game, position);
    while turns.advance(game) {
        let turn = game.turn_text(position, turns.steps());
        let text = format!("{turn}>{}", game.write_position(turns.position()));
        assert!(texts.insert(text), "{turn} stands for two turns");
    }
    texts
}

/// The lines of a case file.
pub fn cases(packed: &[u8]) -> Vec<String> {
    let mut text = String::new();
    flate2::read::GzDecoder::new(packed).read_to_string(&mut text).unwrap();
    text.lines().map(str::to_owned).collect()
}
