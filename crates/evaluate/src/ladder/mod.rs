//! `evaluate ladder` rates any number of players together, and `evaluate report` draws the result.
//!
//! `request.rs` says what a command line comes to, `progress.rs` looks on; what is played next and what
//! follows from it is crate [`ladder`]'s business.

mod progress;
mod request;

use crate::arguments::{LadderArguments, ReportArguments};
use crate::failure::{End, Failure};
use crate::interrupt::Interrupt;
use ::ladder::league::PAIRS;
use ::ladder::{Breakdown, League, LeagueError, Next, Rated, Schedule, Standings, pairs_path, tables};
use arena::matches::{MatchPlan, Stop};
use pairs::PairFile;
use progress::LadderProgress;
use request::LadderRequest;
use statistics::rating::Couple;
use std::io::Write;
use std::path::Path;
use std::time::{Duration, Instant};

/// The standings in a ladder's directory.
const STANDINGS: &str = "ladder.json";

/// Runs `evaluate ladder`: plays the pairs that tell most until a limit is reached, and prints the
/// standings.
///
/// # Errors
/// [`Failure::Input`] for wrong input, [`Failure::Work`] when a match or the output failed.
pub fn run(arguments: &LadderArguments, interrupt: &Interrupt) -> Result<End, Failure> {
    let mut request = LadderRequest::new(arguments)?;
    for remark in &request.remarks {
        crate::say(remark);
    }
    std::fs::create_dir_all(arguments.directory().join(PAIRS))
        .map_err(|error| Failure::input(format!("{}: {error}", arguments.directory().display())))?;
    let (league, rated, end) = play(&mut request, arguments, interrupt)?;
    let standings = Standings::new(&league, rated.as_ref());
    save(&arguments.directory(), &standings)?;
    let mut out = std::io::stdout().lock();
    let printed = match arguments.json {
        true => serde_json::to_writer(&mut out, &standings).map_err(Into::into).and_then(|()| writeln!(out)),
        false => write!(out, "{standings}"),
    };
    printed.and_then(|()| out.flush()).map_err(Failure::work)?;
    Ok(end)
}

/// Plays until a limit is reached or nothing is left.
fn play(
    request: &mut LadderRequest<'_>,
    arguments: &LadderArguments,
    interrupt: &Interrupt,
) -> Result<(League, Option<Rated>, End), Failure> {
    let mut league = std::mem::take(&mut request.league);
    let schedule = Schedule {
        playable: (0..league.players.len()).map(|player| player < request.players.len()).collect(),
        block: arguments.block,
        most_pairs: request.most_pairs,
    };
    let budget = arguments.pairs.unwrap_or(request.default_pairs());
    let time = arguments.minutes.map(|minutes| Duration::from_secs_f64(60.0 * minutes));
    let begin = Instant::now();
    let progress = LadderProgress::new(budget, interrupt);
    let mut played = 0;
    loop {
        let rated = Rated::of(&league).map_err(Failure::work)?;
        progress.standing(&league, rated.as_ref());
        let narrow = |width: f64| {
            let all = rated.as_ref().filter(|rated| rated.players.len() == league.players.len());
            all.is_some_and(|rated| rated.widest() <= width)
        };
        let enough = played >= budget
            || time.is_some_and(|time| begin.elapsed() >= time)
            || arguments.width.is_some_and(narrow);
        let next = schedule.next(&league, rated.as_ref()).filter(|_| !enough);
        let stopped = interrupt.stop() != Stop::GoOn;
        let Some(next) = next.filter(|_| !stopped) else {
            progress.finish();
            let end = if stopped && !enough { End::Stopped } else { End::Finished };
            return Ok((league, rated, end));
        };
        let next = Next { pairs: next.pairs.min(budget - played), ..next };
        played += play_block(request, &mut league, next, arguments, &progress)?;
    }
}

/// Plays some pairs of two players and enters them; how many there were.
fn play_block(
    request: &mut LadderRequest<'_>,
    league: &mut League,
    next: Next,
    arguments: &LadderArguments,
    progress: &LadderProgress<'_>,
) -> Result<u64, Failure> {
    // Two players have one file, whoever was named first when it was begun.
    let theirs = |players: [usize; 2]| Couple::new(players[0], players[1]) == next.couple;
    let known = league.matches.iter().position(|one| theirs(one.players));
    let players = known.map_or([next.couple.a, next.couple.b], |known| league.matches[known].players);
    let header = request.header(players.map(|player| &league.players[player]));
    let path = match known {
        Some(known) => league.matches[known].path.clone(),
        None => pairs_path(&arguments.directory(), header.players.each_ref()),
    };
    let open = |error: pairs::PairFileError| match error.is_input() {
        true => Failure::input(error),
        false => Failure::work(error),
    };
    let (file, record) = PairFile::open(&path, &header).map_err(open)?;
    let known_pairs = record.pairs.len() as u64;
    let plan = MatchPlan { pairs: known_pairs + next.pairs, ..request.plan.clone() };
    let contestants = request.contestants(players)?;
    let names = players.map(|player| league.players[player].name.as_str());
    progress.begin(names, file, known_pairs);
    let pairs = request
        .game
        .play_match(&contestants, request.starts.as_deref(), &plan, record.pairs, progress)
        .map_err(|error| match error.is_input() {
            true => Failure::input(error),
            false => Failure::work(error),
        })?;
    progress.end().map_err(open)?;
    let new = pairs.len() as u64 - known_pairs;
    match known {
        Some(known) => league.matches[known].pairs = pairs,
        None => league.add(path, header, pairs).map_err(Failure::work)?,
    }
    Ok(new)
}

/// Writes the standings beside the pairs.
fn save(directory: &Path, standings: &Standings) -> Result<(), Failure> {
    let path = directory.join(STANDINGS);
    let mut text = serde_json::to_vec_pretty(standings).map_err(Failure::work)?;
    text.push(b'\n');
    files::write(&path, &text).map_err(|error| Failure::work(format!("{}: {error}", path.display())))
}

/// Runs `evaluate report`: the page and the tables of a ladder.
///
/// # Errors
/// [`Failure::Input`] for a directory that is no ladder, [`Failure::Work`] when a file cannot be written.
pub fn report(arguments: &ReportArguments) -> Result<End, Failure> {
    let directory = &arguments.directory;
    let league = League::read(directory).map_err(league_failure)?;
    if league.matches.is_empty() {
        return Err(Failure::input(format!("{}: no pair has been played", directory.display())));
    }
    let rated = Rated::of(&league).map_err(Failure::work)?;
    let standings = Standings::new(&league, rated.as_ref());
    let title = directory.file_name().map_or_else(|| "ladder".into(), |name| name.to_string_lossy());
    let foot = format!("Garrison {}. This file is complete in itself.", env!("CARGO_PKG_VERSION"));
    let page = ::ladder::page::page(&title, &league, &standings, &Breakdown::of(&league), &foot);
    let path = arguments.out.clone().unwrap_or_else(|| directory.join(::ladder::page::FILE));
    files::write(&path, page.to_html().as_bytes())
        .map_err(|error| Failure::work(format!("{}: {error}", path.display())))?;
    tables::write(directory, &league, &standings)
        .map_err(|error| Failure::work(format!("{}: {error}", directory.display())))?;
    save(directory, &standings)?;
    crate::say(&path.display().to_string());
    Ok(End::Finished)
}

fn league_failure(error: LeagueError) -> Failure {
    match &error {
        LeagueError::Pairs(fault) if !fault.is_input() => Failure::work(error),
        _ => Failure::input(error),
    }
}
