//! A fixed set of middle-game positions on which speed is measured.
//!
//! `data/middle-games.txt` has them, a line each: preset, tabulator, FEN. They come from seeded games
//! (`examples/middle_games.rs`) and have stacks; some have heroes, in others a stack is being split.

use crate::commander::Commander;
use crate::position::Position;
use game::Notation;

const TEXT: &str = include_str!("../data/middle-games.txt");

/// The presets under which they were reached: a skirmish has no commander to make heroes.
pub const PRESETS: [&str; 3] = ["official", "core", "wiki"];

/// The positions with the preset under which each was reached.
pub fn lines() -> impl Iterator<Item = (&'static str, &'static str)> {
    TEXT.lines().filter_map(|line| line.split_once('\t'))
}

/// The positions that are legal under these rules: all of the rules' own preset, and most of the
/// others'.
pub fn positions(game: &Commander) -> Vec<Position> {
    lines().filter_map(|(_, fen)| game.read_position(fen).ok()).collect()
}
