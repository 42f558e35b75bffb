//! `study score`, `duel`, `counter` and `what-if`: a question in a minute.

use crate::arguments::{CounterArguments, DuelArguments, PlayerArguments, ScoreArguments, WhatIfArguments};
use crate::pipeline::failure;
use crate::players::{Conditions, Players, never_trained_on_set_ups};
use crate::set_up;
use crate::show::print;
use commander::Deployment;
use commander::piece::Kind;
use commander::point::Point;
use deployments::change::Change;
use deployments::questions::Score;
use deployments::{Config, Descriptors, Questions, StudyError, TableError};
use evaluate::failure::{End, Failure};
use evaluate::interrupt::Interrupt;
use evaluate::say;
use serde::Serialize;

/// `study score`.
///
/// # Errors
/// Wrong input, and work that failed.
pub fn score(arguments: &ScoreArguments, interrupt: &Interrupt) -> Result<End, Failure> {
    let players = open(&arguments.player, interrupt)?;
    let own = set_up::find(&players.game, &arguments.set_up)?;
    let panel = set_up::panel(&players.game, arguments.against.as_deref())?;
    let mut questions = questions(&players, &arguments.player, 0);
    let found = questions.score(&own.deployment, &panel, arguments.player.pairs);
    answered(found, arguments.player.json, |found| {
        let mut text = format!("{}\n", found.set_up);
        text.push_str(&describe(&[found.descriptors]));
        text.push_str(&format!("\nagainst {} set-ups: {}\n", found.against.len(), words(&found.games)));
        if let Some(value) = found.value {
            text.push_str(&format!("the network expects {:.1} %\n", 100.0 * value));
        }
        for one in &found.against {
            let value =
                one.value.map_or_else(String::new, |value| format!("  network {:.1} %", 100.0 * value));
            text.push_str(&format!("  {:<20} {}{value}\n", one.opponent, words(&one.games)));
        }
        text
    })
}

/// `study duel`.
///
/// # Errors
/// Wrong input, and work that failed.
pub fn duel(arguments: &DuelArguments, interrupt: &Interrupt) -> Result<End, Failure> {
    let players = open(&arguments.player, interrupt)?;
    let [a, b] = [set_up::find(&players.game, &arguments.a)?, set_up::find(&players.game, &arguments.b)?];
    let mut questions = questions(&players, &arguments.player, 0);
    let found = questions.duel(&a.deployment, &b.deployment, arguments.player.pairs);
    answered(found, arguments.player.json, |found| format!("A against B: {}", words(found)))
}

/// `study counter`.
///
/// # Errors
/// Wrong input, and work that failed.
pub fn counter(arguments: &CounterArguments, interrupt: &Interrupt) -> Result<End, Failure> {
    let players = open(&arguments.player, interrupt)?;
    let own = set_up::find(&players.game, &arguments.set_up)?;
    let named = set_up::panel(&players.game, None)?;
    let mut questions = questions(&players, &arguments.player, arguments.candidates);
    let found = questions.counter(&own.deployment, &named);
    if let (Some(path), Ok(Some(found))) = (&arguments.svg, &found) {
        let reply: Deployment = set_up::find(&players.game, &found.set_up)?.deployment;
        files::write(path, players.game.deployment_svg(&reply).as_bytes())
            .map_err(|error| Failure::work(format!("--svg {}: {error}", path.display())))?;
    }
    answered(found, arguments.player.json, |found| match found {
        Some(found) => format!(
            "{}\nscores {:+.1} % over even against it ({:+.1} to {:+.1} %, {} pairs that had no part in choosing it), \
             the best of {} that played",
            found.set_up,
            100.0 * found.gain,
            100.0 * found.interval.low,
            100.0 * found.interval.high,
            found.pairs,
            found.tried
        ),
        None => "no reply could be tried".to_owned(),
    })
}

/// `study what-if`.
///
/// # Errors
/// Wrong input, and work that failed.
pub fn what_if(arguments: &WhatIfArguments, interrupt: &Interrupt) -> Result<End, Failure> {
    let players = open(&arguments.player, interrupt)?;
    let own = set_up::find(&players.game, &arguments.set_up)?;
    let panel = set_up::panel(&players.game, arguments.against.as_deref())?;
    let change = read_change(&own.deployment, &arguments.change)?;
    let mut questions = questions(&players, &arguments.player, 0);
    let found = questions.what_if(&own.deployment, change, &panel, arguments.player.pairs);
    if let Ok(None) = found {
        let message = format!("--move {}: the rules do not allow that set-up", arguments.change.join(" "));
        return Err(Failure::input(message));
    }
    answered(found, arguments.player.json, |found| {
        let Some(found) = found else { return String::new() };
        let mut text = format!("{}: {}\n{}\n", found.change, found.set_up, describe(&found.descriptors));
        if let Some([before, after]) = found.values {
            let difference = 100.0 * (after - before);
            text.push_str(&format!(
                "the network expects {:.1} % before, {:.1} % after: {difference:+.1} %\n",
                100.0 * before,
                100.0 * after
            ));
        }
        let [before, after] = &found.games;
        text.push_str(&format!("before: {}\nafter:  {}\n", words(before), words(after)));
        text.push_str(&format!(
            "difference {:+.1} % ({:+.1} to {:+.1} %)",
            100.0 * found.difference,
            100.0 * found.interval.low,
            100.0 * found.interval.high
        ));
        text
    })
}

fn open<'a>(arguments: &PlayerArguments, interrupt: &'a Interrupt) -> Result<Players<'a>, Failure> {
    let conditions = Conditions {
        players: vec![arguments.agent.clone()],
        rules: &arguments.rules,
        machine: &arguments.machine,
        opening_turns: arguments.opening_turns,
        seed: arguments.seed,
    };
    let players = Players::open(conditions, interrupt)?;
    players.remarks.iter().for_each(|remark| say(remark));
    if let Some(warning) = never_trained_on_set_ups(&arguments.agent) {
        say(&format!("warning: {warning}"));
    }
    Ok(players)
}

fn questions<'a>(players: &'a Players<'_>, arguments: &PlayerArguments, candidates: u32) -> Questions<'a> {
    let mut config = Config { seed: arguments.seed, ..Config::default() };
    config.matrix.simulations = arguments.sims;
    config.oracle.candidates = candidates;
    config.oracle.confirm = arguments.pairs.min(u64::from(u32::MAX)) as u32;
    Questions::new(&players.game, config, players, players.judge(), &|_| {})
}

/// Prints an answer, or says that there is none.
fn answered<T: Serialize>(
    found: Result<T, StudyError>,
    json: bool,
    text: impl FnOnce(&T) -> String,
) -> Result<End, Failure> {
    match found {
        Ok(found) if json => print(&serde_json::to_string(&found).map_err(Failure::work)?)?,
        Ok(found) => print(text(&found).trim_end())?,
        Err(StudyError::Table(TableError::Stopped)) => return Ok(End::Stopped),
        Err(error) => return Err(failure(error)),
    }
    Ok(End::Finished)
}

/// A score in words.
fn words(score: &Score) -> String {
    let pairs: u64 = score.pentanomial.iter().sum();
    let void =
        if score.void_games > 0 { format!(", {} void games", score.void_games) } else { String::new() };
    let interval = match (score.interval, &score.no_interval) {
        (Some(interval), _) => format!("{:.1} to {:.1} %", 100.0 * interval.low, 100.0 * interval.high),
        (None, Some(why)) => format!("no interval: {why}"),
        (None, None) => "no interval".to_owned(),
    };
    format!("{:.1} % ({interval}, {pairs} pairs{void})", 100.0 * score.score.unwrap_or(0.5))
}

/// Descriptors in a line each, before and after.
fn describe(all: &[Descriptors]) -> String {
    let mut text = String::new();
    for (index, name) in Descriptors::NAMES.iter().enumerate() {
        let numbers: Vec<String> = all.iter().map(|one| format!("{:.2}", one.numbers()[index])).collect();
        text.push_str(&format!("  {:<20} {}\n", name.replace('_', " "), numbers.join(" -> ")));
    }
    text
}

/// The change that three words mean.
fn read_change(set_up: &Deployment, words: &[String]) -> Result<Change, Failure> {
    let fault = |why: String| Failure::input(format!("--move {}: {why}", words.join(" ")));
    let [piece, from, to] = words else { return Err(fault("expected PIECE FROM TO".to_owned())) };
    let mut letters = piece.chars();
    let kind = match (letters.next(), letters.next()) {
        (Some(letter), None) => Kind::from_letter(letter),
        _ => None,
    };
    let kind = kind
        .ok_or_else(|| fault(format!("`{piece}` names no piece, expected one of N F T H E A G S C I M")))?;
    let point = |text: &str| {
        Point::read(text).ok_or_else(|| fault(format!("`{text}` is no point, expected one such as c4")))
    };
    let (from, to) = (point(from)?, point(to)?);
    if !set_up.at(from).contains(kind) {
        return Err(fault(format!("no {} stands on {from}", kind.name())));
    }
    // A commander may go to a headquarters; on any other piece the two change places.
    let joins =
        set_up.at(to).pieces().all(|other| kind == Kind::Commander && other.kind() == Kind::Headquarters);
    match set_up.at(to).pieces().next() {
        Some(other) if !joins => Ok(Change::Swap { one: (kind, from), other: (other.kind(), to) }),
        _ => Ok(Change::Move { kind, from, to }),
    }
}
