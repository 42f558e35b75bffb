//! The engine against a plain second implementation (`reference/`), on both boards, under every option.
//!
//! The suite compares a few thousand positions. `scripts/emergo_differential` compares 100 000:
//! `EMERGO_DIFFERENTIAL` is their number, `EMERGO_DIFFERENTIAL_SEED` chooses others.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod common;
mod reference;

use common::{read, turns, with};
use emergo::Emergo;
use game::{Game, Notation, Outcome, Play, Turns};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use reference::{Options, Position, arbitrary};
use std::collections::{BTreeMap, BTreeSet};

/// One set of options, for both implementations.
struct Setting {
    name: String,
    engine: Emergo,
    options: Options,
}

impl Setting {
    fn new(pairs: &[(&str, &str)]) -> Setting {
        let words: Vec<String> = pairs.iter().map(|(key, value)| format!("{key}={value}")).collect();
        Setting { name: words.join(" "), engine: with(pairs), options: Options::new(pairs) }
    }
}

/// The defaults, each option changed alone on each board, and all combinations of several.
fn settings() -> Vec<Setting> {
    let mut settings = Vec::new();
    for number in 0..1 << Options::CHOICES.len() {
        let pairs: Vec<(&str, &str)> = Options::CHOICES
            .iter()
            .enumerate()
            .map(|(place, &(key, values))| (key, values[number >> place & 1]))
            .collect();
        settings.push(Setting::new(&pairs));
    }
    settings
}

fn words(outcome: Option<Outcome>) -> Option<(&'static str, &'static str)> {
    outcome.map(|outcome| (outcome.winner_word(), outcome.reason.0))
}

/// What was compared.
#[derive(Default)]
struct Tally {
    positions: usize,
    turns: usize,
    captures: BTreeMap<usize, usize>,
    reasons: BTreeMap<&'static str, usize>,
    entries: usize,
    unfinished: usize,
}

/// Compares everything about one position.
fn compare(setting: &Setting, position: &Position, tally: &mut Tally) {
    let Setting { name, engine, options } = setting;
    let fen = position.fen();
    let here = read(engine, &fen);
    assert_eq!(engine.write_position(&here), fen, "{name}");
    let alone = position.ending(options, 1);
    assert_eq!(words(engine.outcome(&here, &game::Line::new())), alone, "{name} {fen}");
    let over = alone.is_some();
    let list = if over { Vec::new() } else { position.turns(options) };
    let expected: BTreeSet<String> =
        list.iter().map(|turn| format!("{}>{}", turn.text, turn.after.fen())).collect();
    assert_eq!(expected.len(), list.len(), "{name} {fen}");
    assert_eq!(turns(engine, &here), expected, "{name} {fen}");
    assert_eq!(engine.count_turns(&here), Some(list.len() as u64), "{name} {fen}");
    let mut steps = Vec::new();
    let count = engine.count_steps(&here, &mut steps);
    engine.legal_steps(&here, &mut steps);
    let found: BTreeSet<String> = steps.iter().map(|&step| engine.step_text(&here, step)).collect();
    let expected: BTreeSet<String> = list.iter().map(|turn| turn.first_step.clone()).collect();
    assert_eq!(found, expected, "{name} {fen}");
    assert_eq!(count, steps.len(), "{name} {fen}");
    let mut walk = Turns::new(engine, &here);
    while walk.advance(engine) {
        let text = engine.turn_text(&here, walk.steps());
        let turn = list.iter().find(|turn| turn.text == text).unwrap();
        let ending = turn.after.ending(options, 1);
        let found = words(engine.outcome(walk.position(), &game::Line::new()));
        assert_eq!(found, ending, "{name} {fen} {text}");
    }
    tally.positions += 1;
    tally.turns += list.len();
    tally.unfinished += usize::from(position.unfinished.is_some());
    tally.entries += usize::from(list.iter().any(|turn| turn.text.starts_with('@')));
    if let Some(turn) = list.iter().find(|turn| turn.text.contains('x')) {
        *tally.captures.entry(turn.text.matches('x').count()).or_default() += 1;
    }
    if let Some((_, reason)) = alone {
        *tally.reasons.entry(reason).or_default() += 1;
    }
}

/// Plays a random game in both, comparing ends with repetition, and every so often a whole position.
fn play(setting: &Setting, start: Position, random: &mut ChaCha8Rng, every: usize, tally: &mut Tally) {
    let Setting { name, engine, options } = setting;
    let mut here = start;
    let mut play = Play::new(engine, read(engine, &here.fen()));
    let mut seen: BTreeMap<String, usize> = BTreeMap::new();
    for turn in 0.. {
        let times = seen.entry(here.key()).or_default();
        *times += 1;
        let ending = here.ending(options, *times);
        assert_eq!(words(play.outcome(engine)), ending, "{name} {}", here.fen());
        if let Some((_, reason)) = ending {
            *tally.reasons.entry(reason).or_default() += 1;
            return;
        }
        if turn % every == 0 {
            compare(setting, &here, tally);
        }
        let list = here.turns(options);
        let chosen = list.choose(random).unwrap();
        for step in engine.read_turn(&play.position, &chosen.text).unwrap() {
            play.step(engine, step);
        }
        assert_eq!(engine.write_position(&play.position), chosen.after.fen(), "{name}");
        here = chosen.after.clone();
    }
}

fn number(variable: &str, default: usize) -> usize {
    std::env::var(variable).map_or(default, |text| text.parse().unwrap())
}

#[test]
fn the_plain_implementation_agrees() {
    let wanted = number("EMERGO_DIFFERENTIAL", 4000);
    let mut random = ChaCha8Rng::seed_from_u64(number("EMERGO_DIFFERENTIAL_SEED", 1) as u64);
    let settings = settings();
    let mut tally = Tally::default();
    let mut round = 0;
    while tally.positions < wanted {
        let setting = &settings[round % settings.len()];
        for _ in 0..12 {
            compare(setting, &arbitrary::position(&setting.options, &mut random), &mut tally);
        }
        // From the start, and from a few columns, which repeat themselves sooner.
        let start = match round % 2 {
            0 => Position::start(&setting.options),
            _ => loop {
                let mut position = arbitrary::position(&setting.options, &mut random);
                position.ply = random.random_range(0..40);
                if position.unfinished.is_none() {
                    break position;
                }
            },
        };
        play(setting, start, &mut random, 16, &mut tally);
        round += 1;
    }
    println!(
        "{} positions, {} turns, {} of them entries, {} in mid-capture; captures by length {:?}; ends {:?}",
        tally.positions, tally.turns, tally.entries, tally.unfinished, tally.captures, tally.reasons
    );
    // What is never met is not compared.
    assert!(tally.entries * 10 > tally.positions, "entries");
    assert!(tally.unfinished * 50 > tally.positions, "unfinished captures");
    assert!(tally.captures.keys().any(|&length| length >= 5), "long captures");
    for reason in ["no_men", "blocked", "repetition", "max_turns", "truncated"] {
        assert!(tally.reasons.contains_key(reason), "{reason}");
    }
}

/// Every option shows in what is compared. Repetition needs a game: the games above meet it.
#[test]
fn every_option_changes_something() {
    // White has a man in hand, and every empty square would feed it.
    const NO_ENTRY: &str = "a@1a@1A@1a@/7/A@5A@/1A@1a@1A@1/A@5A@/7/a@1a@1a@1a@ w 20 1,0";
    let mut random = ChaCha8Rng::seed_from_u64(2);
    for (base, key, value) in [
        (&[][..], "majority", "off"),
        (&[], "blocked", "loss"),
        (&[("board", "7x7")], "no_entry", "loss"),
        (&[], "max_turns", "40"),
        (&[("max_turns", "40")], "max_turns_result", "truncate"),
    ] {
        let plain = Setting::new(base);
        let other = Setting::new(&[base, &[(key, value)]].concat());
        let positions = match key {
            "no_entry" => vec![Position::read(NO_ENTRY)],
            _ => (0..3000).map(|_| arbitrary::position(&plain.options, &mut random)).collect(),
        };
        let under = |setting: &Setting, position: &Position| {
            let here = read(&setting.engine, &position.fen());
            let ending = words(setting.engine.outcome(&here, &game::Line::new()));
            (ending, turns(&setting.engine, &here))
        };
        let mut changed = 0;
        for position in &positions {
            if under(&plain, position) != under(&other, position) {
                compare(&plain, position, &mut Tally::default());
                compare(&other, position, &mut Tally::default());
                changed += 1;
            }
        }
        assert!(changed > 0, "{key}={value} changes nothing");
    }
}

/// The plain implementation alone gives the numbers of the rules page.
#[test]
fn the_plain_implementation_counts_as_the_rules_page_says() {
    for line in include_str!("perft.txt").lines().filter(|line| !line.starts_with('#')) {
        let fields: Vec<&str> = line.split(';').map(str::trim).collect();
        let options = Options::new(&[("board", fields[0])]);
        let position = Position::read(fields[1]);
        for (depth, expected) in (1..).zip(&fields[2..]) {
            let expected: u64 = expected.parse().unwrap();
            if expected < 2_000 {
                assert_eq!(position.perft(&options, depth), expected, "{line} depth {depth}");
            }
        }
    }
}
