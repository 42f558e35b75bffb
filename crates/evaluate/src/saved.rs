//! The games of a match in a file, one JSON value a line.
//!
//! The first line says what was played, then follows a line for each game, and the last line holds the
//! number of games and the BLAKE3 checksum of all lines before it.

use arena::games::GameFacts;
use arena::matches::{MatchGame, MatchPlan, Names, PairResult};
use game::Player;
use serde::Serialize;
use std::io;
use std::path::Path;

/// Version of the format.
pub const VERSION: u32 = 1;

#[derive(Serialize)]
struct Head<'a> {
    format: &'static str,
    version: u32,
    a: &'a str,
    b: &'a str,
    game: &'a str,
    rules: &'a serde_json::Value,
    rules_version: u32,
    seed: u64,
    opening_steps: u32,
}

#[derive(Serialize)]
struct Line<'a> {
    pair: u64,
    a_plays: Player,
    start: &'a str,
    opening_turns: usize,
    turns: &'a [String],
    winner: &'static str,
    reason: &'static str,
    points: [i32; 2],
}

#[derive(Serialize)]
struct Tail {
    games: usize,
    blake3: String,
}

/// Writes the games of a match. The file appears when it is complete.
///
/// # Errors
/// Any error of the file system.
pub fn write(
    path: &Path,
    names: &Names,
    facts: &GameFacts,
    plan: &MatchPlan,
    pairs: &[PairResult],
) -> io::Result<()> {
    let mut text = Vec::new();
    let Names { a, b, game } = names;
    let GameFacts { rules, rules_version, .. } = facts;
    let (seed, opening_steps) = (plan.seed, plan.opening_turns);
    let rules_version = *rules_version;
    add(
        &mut text,
        &Head {
            format: "garrison match games",
            version: VERSION,
            a,
            b,
            game,
            rules,
            rules_version,
            seed,
            opening_steps,
        },
    )?;
    for (pair, game) in pairs.iter().flat_map(|pair| pair.games.iter().map(|game| (pair.pair, game))) {
        let MatchGame { a_plays, start, opening_turns, turns, outcome, points, .. } = game;
        let (winner, reason) = (outcome.winner_word(), outcome.reason.0);
        let (a_plays, opening_turns, points) = (*a_plays, *opening_turns, *points);
        add(&mut text, &Line { pair, a_plays, start, opening_turns, turns, winner, reason, points })?;
    }
    let tail = Tail { games: 2 * pairs.len(), blake3: blake3::hash(&text).to_string() };
    add(&mut text, &tail)?;
    files::write(path, &text)
}

fn add(text: &mut Vec<u8>, line: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *text, line)?;
    text.push(b'\n');
    Ok(())
}
