//! What the case tests share: compressed case files, turns, random play.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used, dead_code)]

use commander::{Commander, Position, Rules, Step};
use flate2::read::GzDecoder;
use game::{Game, Notation, Outcome, Player, Verdict};
use std::fs::File;
use std::io::{BufRead, BufReader};
use std::path::Path;

/// The game under a preset.
pub fn preset(name: &str) -> Commander {
    Commander::new(Rules::preset(name).unwrap())
}

/// The rows of a compressed case file.
pub fn rows(name: &str) -> Vec<serde_json::Value> {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data").join(format!("{name}.jsonl.gz"));
    BufReader::new(GzDecoder::new(File::open(path).unwrap()))
        .lines()
        .map(|line| serde_json::from_str(&line.unwrap()).unwrap())
        .collect()
}

/// The strings of a list in a row.
pub fn strings(value: &serde_json::Value) -> Vec<String> {
    value.as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned()).collect()
}

pub fn steps(game: &Commander, position: &Position) -> Vec<Step> {
    let mut steps = Vec::new();
    game.legal_steps(position, &mut steps);
    steps
}

/// The texts of all legal steps, sorted.
pub fn step_texts(game: &Commander, position: &Position) -> Vec<String> {
    let mut texts: Vec<String> =
        steps(game, position).into_iter().map(|step| game.step_text(position, step)).collect();
    texts.sort();
    texts
}

/// Every ordered complete turn with the position after it.
pub fn turns(game: &Commander, position: &Position) -> Vec<(Vec<Step>, Position)> {
    fn go(game: &Commander, here: &Position, line: &mut Vec<Step>, found: &mut Vec<(Vec<Step>, Position)>) {
        for step in steps(game, here) {
            let mut next = *here;
            game.play(&mut next, step);
            line.push(step);
            if game.mid_turn(&next) {
                go(game, &next, line, found);
            } else {
                found.push((line.clone(), next));
            }
            line.pop();
        }
    }
    let mut found = Vec::new();
    go(game, position, &mut Vec::new(), &mut found);
    found
}

/// The words of the case files for a winner.
pub fn winner_word(outcome: &Outcome) -> &'static str {
    match outcome.verdict {
        Verdict::Win(Player::First) => "red",
        Verdict::Win(Player::Second) => "blue",
        Verdict::Draw => "draw",
        Verdict::Truncated => "none",
    }
}

/// Every value of every option, as the words of the rules page.
pub const VALUES: &[(&str, &[&str])] = &[
    ("set_up", &["standard", "skirmish"]),
    ("first_player", &["red", "blue"]),
    ("missile_capture_jumps", &["false", "true"]),
    ("navy_move_block", &["enemy", "navies"]),
    ("torpedo_jumps", &["own", "all"]),
    ("navy_capture_across_land", &["stay", "replace"]),
    ("air_return", &["free", "only_if_unsafe"]),
    ("air_zones", &["share", "two_block"]),
    ("hero_zone_bonus", &["1", "0"]),
    ("carried_defends", &["false", "true"]),
    ("carried_commander_exempt", &["true", "false"]),
    ("hq_shield", &["on", "off"]),
    ("hq_artillery", &["breaches", "attacks"]),
    ("stack_caps", &["slots", "wiki", "official"]),
    ("board_at_sea", &["true", "false"]),
    ("split_bomb", &["allowed", "no_landing"]),
    ("engineer_carry", &["river", "anywhere"]),
    ("air_drop", &["on_empty", "off"]),
    ("navy_double", &["torpedo_gun", "move_gun", "off"]),
    ("hero_timing", &["turn", "step"]),
    ("hero_diagonals", &["full", "wiki"]),
    ("last_guard", &["with_hq", "without_hq", "off"]),
    ("hero_hq_range", &["2", "1", "0"]),
    ("win_set", &["marine,air,land", "marine", "air", "land", "marine,air", "", "commander"]),
    ("simultaneous", &["draw", "mover_wins"]),
    ("bare_commander_loses", &["alone", "troops", "off"]),
    ("stalemate", &["draw", "loss"]),
    ("no_capture_turns", &["100", "20"]),
    ("no_capture_result", &["points", "draw"]),
    ("max_turns", &["400", "60"]),
    ("adjudicate", &["points", "draw", "truncate"]),
    ("bonus", &["classic", "revised"]),
    ("navy_ashore", &["accept", "refuse"]),
    ("free_zone", &["half", "five_ranks"]),
    ("free_stacks", &["hq", "none", "any"]),
];
