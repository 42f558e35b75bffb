//! The engine against a plain second implementation (`reference/`), under every option.
//!
//! The suite compares a few hundred positions. `COMMANDER_DIFFERENTIAL=20000 cargo test --release -p commander
//! --test differential` compares that many, `COMMANDER_DIFFERENTIAL_SEED` chooses others.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::print_stdout)]

mod common;
mod reference;

use commander::deployment::Sampler;
use commander::rules::FreeStacks;
use commander::{Commander, Position as EnginePosition, Rules, Step as EngineStep};
use game::{Game as _, Line, Notation, Outcome, Play};
use rand::seq::IndexedRandom;
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use reference::arbitrary;
use reference::game::{Game, limits};
use reference::options::{CHOICES, Options};
use reference::position::{Ending, Position};
use std::collections::BTreeMap;
use std::rc::Rc;

/// One set of options, for both implementations.
struct Setting {
    name: String,
    engine: Commander,
    options: Rc<Options>,
}

impl Setting {
    fn new(preset: &str, changes: &[(&str, &str)]) -> Setting {
        let mut options = Options::preset(preset);
        let mut rules = serde_json::to_value(Rules::preset(preset).unwrap()).unwrap();
        for (key, value) in changes {
            options.set(key, value);
            rules[key] = json(key, value);
        }
        // The presets themselves are compared here: both lists of options must say the same.
        for (key, value) in options.pairs() {
            assert_eq!(rules[key], json(key, value), "preset {preset}, option {key}");
        }
        let rules: Rules = serde_json::from_value(rules).unwrap();
        let changed: Vec<String> = changes.iter().map(|(key, value)| format!("{key}={value}")).collect();
        Setting {
            name: format!("{preset} {}", changed.join(", ")),
            engine: Commander::with_rules(rules).unwrap(),
            options: Rc::new(options),
        }
    }
}

/// An option's value as the engine's rules write it.
fn json(key: &str, value: &str) -> serde_json::Value {
    match (key, value) {
        ("win_set", "commander") => serde_json::json!([]),
        ("win_set", words) => words.split(' ').collect(),
        (_, "true") => true.into(),
        (_, "false") => false.into(),
        _ => value.parse::<u32>().map_or_else(|_| value.into(), |number| number.into()),
    }
}

/// Every preset, every preset with one option changed, and some with several.
fn settings(combinations: usize, random: &mut ChaCha8Rng) -> Vec<Setting> {
    let mut settings = Vec::new();
    for preset in ["official", "core", "wiki"] {
        let plain = Options::preset(preset);
        settings.push(Setting::new(preset, &[]));
        for (key, values) in CHOICES {
            for value in values.iter().filter(|value| plain.get(key) != **value) {
                settings.push(Setting::new(preset, &[(key, value)]));
            }
        }
        for _ in 0..combinations {
            let likely = *[0.1, 0.3, 0.6].choose(random).unwrap();
            let mut changes: Vec<(&str, &str)> = Vec::new();
            for (key, values) in CHOICES {
                if random.random_bool(likely) {
                    changes.push((key, values.choose(random).unwrap()));
                }
            }
            settings.push(Setting::new(preset, &changes));
        }
    }
    settings
}

/// What was compared and what differed.
#[derive(Default)]
struct Report {
    positions: usize,
    turns: usize,
    differences: Vec<String>,
}

impl Report {
    /// Notes a difference between two lists of texts.
    fn lists(&mut self, what: &str, setting: &Setting, fen: &str, engine: &[String], reference: &[String]) {
        if engine == reference {
            return;
        }
        let only = |a: &[String], b: &[String]| -> Vec<String> {
            a.iter().filter(|text| !b.contains(text)).take(8).cloned().collect()
        };
        self.differences.push(format!(
            "{what} | {} | {fen}\n    engine only {:?}\n    reference only {:?}",
            setting.name,
            only(engine, reference),
            only(reference, engine)
        ));
    }

    fn finish(self) {
        for difference in self.differences.iter().take(60) {
            println!("{difference}");
        }
        println!("{} positions, {} turns compared", self.positions, self.turns);
        assert!(self.differences.is_empty(), "{} differences", self.differences.len());
    }
}

fn engine_ending(outcome: Option<Outcome>) -> String {
    outcome
        .map_or_else(String::new, |outcome| format!("{} {}", common::winner_word(&outcome), outcome.reason))
}

fn reference_ending(ending: Option<Ending>) -> String {
    ending.map_or_else(String::new, |ending| {
        let winner = if ending.reason == "truncated" { "none" } else { ending.winner_name() };
        format!("{winner} {}", ending.reason)
    })
}

/// All complete turns from a position at rest with what they lead to, or nothing if there are more than `limit`.
fn engine_turns(engine: &Commander, position: &EnginePosition, limit: usize) -> Option<Vec<String>> {
    fn go(
        engine: &Commander,
        start: &EnginePosition,
        here: &EnginePosition,
        line: &mut Vec<EngineStep>,
        found: &mut Vec<String>,
        limit: usize,
    ) {
        for step in common::steps(engine, here) {
            if found.len() > limit {
                return;
            }
            let mut next = *here;
            engine.play(&mut next, step);
            line.push(step);
            if engine.mid_turn(&next) {
                go(engine, start, &next, line, found, limit);
            } else {
                let text = engine.turn_text(start, line);
                let ending = engine_ending(engine.outcome(&next, &Line::new()));
                found.push(format!("{text} > {} {ending}", engine.write_position(&next)));
            }
            line.pop();
        }
    }
    let mut found = Vec::new();
    go(engine, position, position, &mut Vec::new(), &mut found, limit);
    found.sort();
    (found.len() <= limit).then_some(found)
}

/// Compares everything both say about a position at rest.
fn compare(
    setting: &Setting,
    position: &Position,
    limit: usize,
    random: &mut ChaCha8Rng,
    report: &mut Report,
) {
    let fen = position.text();
    let engine = &setting.engine;
    let read = match engine.read_position(&fen) {
        Ok(read) => read,
        Err(faults) => {
            report.differences.push(format!("read | {} | {fen}\n    {faults}", setting.name));
            return;
        }
    };
    assert_eq!(Position::parse(&fen, &setting.options).map(|read| read.text()), Ok(fen.clone()));
    report.positions += 1;
    report.lists("text", setting, &fen, &[engine.write_position(&read)], std::slice::from_ref(&fen));

    let judged = |check: bool, exposed: bool| [format!("check {check}, exposed {exposed}")];
    let mover = engine.mover(&read);
    report.lists(
        "check",
        setting,
        &fen,
        &judged(engine.in_danger(read.board(), mover), engine.exposed(read.board())),
        &judged(position.check(), reference::reach::exposed(&position.board, &setting.options)),
    );
    let (mut found, mut expected) = (common::step_texts(engine, &read), position.step_texts());
    if let Some(outcome) = engine.outcome(&read, &Line::new()) {
        // A position that is over before its first turn has no steps; the reference judges turns only.
        if !matches!(outcome.reason.0, "mate" | "stalemate") {
            (found, expected) = (Vec::new(), Vec::new());
        } else if !found.is_empty() || !expected.is_empty() {
            report.differences.push(format!("over | {} | {fen}\n    {outcome:?}", setting.name));
        }
    }
    let equal = found == expected;
    report.lists("steps", setting, &fen, &found, &expected);
    if !equal || found.is_empty() {
        return;
    }
    if let Some(found) = engine_turns(engine, &read, limit) {
        let mut expected: Vec<String> = position
            .turns()
            .into_iter()
            .map(|turn| {
                let ending = turn.ending.or_else(|| limits(&turn.after, false, 1));
                format!("{} > {} {}", turn.text, turn.after.text(), reference_ending(ending))
            })
            .collect();
        expected.sort();
        report.turns += expected.len();
        report.lists("turns", setting, &fen, &found, &expected);
    }
    compare_middle(setting, position, read, random, report);
}

/// Walks into turns of several steps and compares texts and steps on the way.
fn compare_middle(
    setting: &Setting,
    position: &Position,
    start: EnginePosition,
    random: &mut ChaCha8Rng,
    report: &mut Report,
) {
    let engine = &setting.engine;
    for _ in 0..4 {
        let (mut here, mut plain) = (start, position.clone());
        loop {
            let parts: Vec<EngineStep> = common::steps(engine, &here)
                .into_iter()
                .filter(|step| {
                    let text = engine.step_text(&here, *step);
                    text != "." && (text.starts_with('(') || text.contains('_') || engine.mid_turn(&here))
                })
                .collect();
            let Some(step) = parts.choose(random) else { break };
            let text = engine.step_text(&here, *step);
            engine.play(&mut here, *step);
            let Some(next) = plain.step(&text) else { break };
            plain = next;
            let goes_on = engine.mid_turn(&here);
            let texts = plain.step_texts();
            let fen = plain.text();
            if goes_on == texts.is_empty() {
                report.differences.push(format!("goes on {goes_on} | {} | {fen}", setting.name));
            }
            if !goes_on || texts.is_empty() {
                break;
            }
            report.lists(
                "middle text",
                setting,
                &fen,
                &[engine.write_position(&here)],
                std::slice::from_ref(&fen),
            );
            report.lists("middle steps", setting, &fen, &common::step_texts(engine, &here), &texts);
            match engine.read_position(&fen) {
                Ok(read) if read == here => {}
                Ok(_) => report.differences.push(format!("middle read differs | {} | {fen}", setting.name)),
                Err(faults) => {
                    report.differences.push(format!("middle read | {} | {fen}\n    {faults}", setting.name))
                }
            }
        }
    }
}

/// A random game of both side by side; the endings, repetition and limits included, must be the same at every turn.
fn play_together(
    setting: &Setting,
    start: &Position,
    turns: usize,
    random: &mut ChaCha8Rng,
    report: &mut Report,
) -> String {
    let engine = &setting.engine;
    let Ok(read) = engine.read_position(&start.text()) else { return "not read".to_string() };
    let mut play = Play::new(engine, read);
    let mut game = Game::new(start.clone());
    let mut texts: Vec<String> = Vec::new();
    if play.outcome(engine).is_some() {
        return "over at the start".to_string();
    }
    for _ in 0..turns {
        let before = play.position;
        let mut line = Vec::new();
        loop {
            let steps = common::steps(engine, &play.position);
            // Going back where one came from makes repetitions.
            let back: Vec<EngineStep> = steps
                .iter()
                .copied()
                .filter(|step| {
                    let text = engine.step_text(&play.position, *step);
                    let last = texts
                        .len()
                        .checked_sub(2)
                        .map(|index| texts[index].split('-').rev().collect::<Vec<_>>());
                    last.is_some_and(|last| last.join("-") == text)
                })
                .collect();
            let step = match back.first() {
                Some(step) if random.random_bool(0.7) => *step,
                _ => *steps.choose(random).unwrap(),
            };
            line.push(step);
            play.step(engine, step);
            if !engine.mid_turn(&play.position) {
                break;
            }
        }
        let text = engine.turn_text(&before, &line);
        let fen = game.position.text();
        texts.push(text.clone());
        report.turns += 1;
        let expected = match game.play(&text) {
            Ok(ending) => ending,
            Err(fault) => {
                report.differences.push(format!("game | {} | {fen}\n    {fault}", setting.name));
                return "illegal".to_string();
            }
        };
        let outcome = play.outcome(engine);
        let ending = engine_ending(outcome);
        let over = outcome.is_some();
        let what = format!("game after {text}");
        let found = format!("{} {}", engine.write_position(&play.position), ending);
        let wanted = format!("{} {}", game.position.text(), reference_ending(expected));
        report.lists(&what, setting, &fen, std::slice::from_ref(&found), std::slice::from_ref(&wanted));
        if over || found != wanted {
            return ending;
        }
    }
    "not over".to_string()
}

/// How many positions to compare, and from which seed.
fn effort(usual: usize) -> (usize, u64) {
    let number = |name: &str| std::env::var(name).ok().map(|text| text.parse::<u64>().unwrap());
    (
        number("COMMANDER_DIFFERENTIAL").map_or(usual, |count| count as usize),
        number("COMMANDER_DIFFERENTIAL_SEED").unwrap_or(1),
    )
}

/// Whether the mover has more than so many stacks of three, which have thousands of turns.
fn large(position: &Position, limit: usize) -> bool {
    let large = |stack: &&reference::board::Stack| stack.side == position.side && stack.pieces.len() > 2;
    position.board.stacks.values().filter(large).count() > limit
}

/// Arbitrary positions compared by the suite: more than there are settings.
const USUAL: usize = 250;

#[test]
fn arbitrary_positions() {
    let (count, seed) = effort(USUAL);
    let mut random = ChaCha8Rng::seed_from_u64(seed);
    let settings = settings(20 + count / 200, &mut random);
    let limit = if count > USUAL { 1500 } else { 150 };
    let mut report = Report::default();
    let mut settings = settings.iter().cycle();
    while report.positions < count {
        let setting = settings.next().unwrap();
        let position = arbitrary::position(&setting.options, &mut random);
        // The usual run has no time for many of these.
        if count == USUAL && large(&position, 1) {
            continue;
        }
        compare(setting, &position, limit, &mut random, &mut report);
    }
    report.finish();
}

/// The comparison is worth something only if each value of each option changes some turn of some position compared.
#[test]
fn every_option_shows_in_arbitrary_positions() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    let official = Setting::new("official", &[]);
    let mut unseen: Vec<Setting> = Vec::new();
    for (key, values) in CHOICES {
        // No arbitrary position has a navy on land, and one turn is not enough to reach a limit of turns.
        if matches!(*key, "navy_ashore" | "max_turns" | "adjudicate") {
            continue;
        }
        for value in &values[1..] {
            unseen.push(Setting::new("official", &[(key, value)]));
        }
    }
    let answers = |setting: &Setting, fen: &str| -> Option<(Vec<String>, Option<Vec<String>>)> {
        let read = setting.engine.read_position(fen).ok()?;
        Some((common::step_texts(&setting.engine, &read), engine_turns(&setting.engine, &read, 100)))
    };
    for _ in 0..5_000 {
        let position = arbitrary::position(&official.options, &mut random);
        if large(&position, 0) {
            continue;
        }
        let fen = position.text();
        let plain = answers(&official, &fen);
        unseen.retain(|setting| answers(setting, &fen).is_none_or(|found| Some(found) == plain));
        if unseen.is_empty() {
            return;
        }
    }
    let names: Vec<&str> = unseen.iter().map(|setting| setting.name.as_str()).collect();
    panic!("never seen: {names:?}");
}

#[test]
fn positions_from_games() {
    let (count, seed) = effort(60);
    let mut random = ChaCha8Rng::seed_from_u64(seed + 1000);
    let settings = settings(10, &mut random);
    let mut report = Report::default();
    let mut index = 0;
    while index < count {
        let setting = settings.choose(&mut random).unwrap();
        let engine = &setting.engine;
        let mut here = engine.start();
        while index < count && engine.outcome(&here, &Line::new()).is_none() {
            if !engine.mid_turn(&here) && random.random_bool(0.03) {
                let position = Position::parse(&engine.write_position(&here), &setting.options).unwrap();
                compare(setting, &position, 300, &mut random, &mut report);
                index += 1;
            }
            let steps = common::steps(engine, &here);
            engine.play(&mut here, *steps.choose(&mut random).unwrap());
        }
    }
    report.finish();
}

/// Pairs of free set-ups with stacks and commanders in headquarters, void ones included, and games from them.
#[test]
fn free_set_ups() {
    let (count, seed) = effort(24);
    let mut random = ChaCha8Rng::seed_from_u64(seed + 3000);
    let settings = settings(4, &mut random);
    let mut report = Report::default();
    for game in 0..count {
        let setting = settings.choose(&mut random).unwrap();
        let rules = Rules {
            free_stacks: *[FreeStacks::Hq, FreeStacks::Any].choose(&mut random).unwrap(),
            ..setting.engine.rules().clone()
        };
        let sampler = Sampler::uniform(&Commander::new(rules)).unwrap();
        let sides = [sampler.draw(&mut random), sampler.draw(&mut random)];
        let position = setting.engine.deployed([&sides[0], &sides[1]]);
        let plain = Position::parse(&setting.engine.write_position(&position), &setting.options).unwrap();
        if count > 24 || !large(&plain, 0) {
            compare(setting, &plain, 300, &mut random, &mut report);
        }
        if game % 4 == 0 {
            play_together(setting, &plain, 20, &mut random, &mut report);
        }
    }
    assert!(report.positions >= count / 3);
    report.finish();
}

#[test]
fn whole_games() {
    let (count, seed) = effort(300);
    let mut random = ChaCha8Rng::seed_from_u64(seed + 2000);
    let settings = settings(10, &mut random);
    let mut report = Report::default();
    let mut endings = BTreeMap::new();
    for game in 0..count {
        let setting = settings.choose(&mut random).unwrap();
        let start = if game % 20 > 0 {
            arbitrary::position(&setting.options, &mut random)
        } else {
            Position::parse(reference::START, &setting.options).unwrap()
        };
        let ending = play_together(setting, &start, 60, &mut random, &mut report);
        *endings.entry(ending).or_insert(0) += 1;
    }
    println!("{endings:?}");
    assert!(endings.keys().any(|ending| ending.ends_with("repetition")), "repetition is compared too");
    report.finish();
}

/// The reference itself against the cases: a mistake in it would make the comparison worthless.
#[test]
fn the_reference_agrees_with_the_cases() {
    let options = Rc::new(Options::preset("official"));
    for name in ["official", "midturn"] {
        for row in common::rows(name) {
            let fen = row["fen"].as_str().unwrap();
            let position = Position::parse(fen, &options).unwrap();
            let mut steps = common::strings(&row["steps"]);
            steps.sort();
            assert_eq!(position.step_texts(), steps, "{fen}");
            if name == "official" {
                assert_eq!(position.check(), row["check"].as_bool().unwrap(), "{fen}");
            }
            let word = |row: &serde_json::Value, key: &str| row[key].as_str().unwrap_or_default().to_string();
            let wanted = row["turns"].as_array().unwrap();
            if wanted.len() > 120 {
                continue;
            }
            let wanted: BTreeMap<String, [String; 3]> = wanted
                .iter()
                .map(|turn| {
                    (word(turn, "turn"), [word(turn, "fen"), word(turn, "winner"), word(turn, "reason")])
                })
                .collect();
            let found: BTreeMap<String, [String; 3]> = position
                .turns()
                .into_iter()
                .map(|turn| {
                    let ending = turn.ending.or_else(|| limits(&turn.after, false, 0));
                    let (winner, reason) = ending.map_or_else(Default::default, |ending| {
                        (ending.winner_name().to_string(), ending.reason)
                    });
                    (turn.text, [turn.after.text(), winner, reason])
                })
                .collect();
            assert_eq!(found, wanted, "{fen}");
        }
    }
    for row in common::rows("games") {
        let mut game = Game::new(Position::parse(row["start"].as_str().unwrap(), &options).unwrap());
        let mut ending = None;
        for turn in common::strings(&row["turns"]) {
            assert_eq!(ending, None);
            ending = game.play(&turn).unwrap();
        }
        let ending = ending.unwrap();
        assert_eq!(
            (ending.winner_name(), ending.reason.as_str()),
            (row["winner"].as_str().unwrap(), row["reason"].as_str().unwrap())
        );
        assert_eq!(game.position.text(), row["fen"].as_str().unwrap());
    }
}

/// The numbers of the rules page, section 11, from the reference.
#[test]
fn the_reference_meets_the_numbers() {
    for (preset, nodes) in [("core", 13_460), ("official", 13_459)] {
        let start = Position::parse(reference::START, &Rc::new(Options::preset(preset))).unwrap();
        let turns = start.turns();
        assert_eq!(turns.len(), 116);
        assert_eq!(turns.iter().map(|turn| turn.after.steps().len()).sum::<usize>(), nodes, "{preset}");
    }
    let core = Rc::new(Options::preset("core"));
    for (board, turns, boards) in [
        ("6c4/11/11/11/11/11/11/11/4(TI)6/11/11/7C3", 97, 61),
        ("6c4/11/11/11/11/11/11/11/4(EA)6/11/11/7C3", 177, 107),
        ("6c4/11/11/11/11/11/11/11/2(NF)8/11/11/7C3", 531, 284),
        ("5c5/11/11/11/11/11/11/11/11/11/11/6(HC)4", 14, 14),
    ] {
        let position = Position::parse(&format!("{board} r - - 0 1"), &core).unwrap();
        let found = position.turns();
        let distinct: std::collections::BTreeSet<String> =
            found.iter().map(|turn| reference::fen::board_text(&turn.after.board)).collect();
        assert_eq!((found.len(), distinct.len()), (turns, boards), "{board}");
    }
}
