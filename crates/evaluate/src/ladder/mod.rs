//! `evaluate ladder` rates any number of players together, and `evaluate report` draws the result.
//!
//! `request.rs` says what a command line comes to, `playing.rs` plays it and `progress.rs` looks on; what is
//! played next and what follows from it is crate [`ladder`]'s business.

mod playing;
mod progress;
mod request;

use crate::arguments::{LadderArguments, ReportArguments};
use crate::failure::{End, Failure};
use crate::interrupt::Interrupt;
use ::ladder::{Breakdown, League, Rated, Standings, tables};
use playing::Played;
use request::LadderRequest;
use std::io::Write;
use std::path::Path;

/// The standings in a ladder's directory.
const STANDINGS: &str = "ladder.json";

/// Runs `evaluate ladder`: plays the pairs that tell most until a limit is reached, and prints the
/// standings.
///
/// # Errors
/// [`Failure::Input`] for wrong input, [`Failure::Work`] when a match or the output failed, or an engine
/// had to be left out.
pub fn run(arguments: &LadderArguments, interrupt: &Interrupt) -> Result<End, Failure> {
    let mut request = LadderRequest::new(arguments)?;
    for remark in &request.remarks {
        crate::say(remark);
    }
    let directory = request.directory.clone();
    let Played { league, rated, end, lost } = playing::play(&mut request, arguments, interrupt)?;
    let standings = Standings::new(&league, rated.as_ref());
    save(&directory, &standings)?;
    let mut out = std::io::stdout().lock();
    let printed = match arguments.json {
        true => serde_json::to_writer(&mut out, &standings).map_err(Into::into).and_then(|()| writeln!(out)),
        false => write!(out, "{standings}"),
    };
    printed.and_then(|()| out.flush()).map_err(Failure::work)?;
    if lost.is_empty() { Ok(end) } else { Err(Failure::work(lost.join("; "))) }
}

/// Writes the standings beside the pairs.
fn save(directory: &Path, standings: &Standings) -> Result<(), Failure> {
    let path = directory.join(STANDINGS);
    let mut text = serde_json::to_vec_pretty(standings).map_err(Failure::work)?;
    text.push(b'\n');
    files::write(&path, &text).map_err(|error| Failure::path(&path, &error))
}

/// Runs `evaluate report`: the page and the tables of a ladder.
///
/// # Errors
/// [`Failure::Input`] for a directory that is no ladder, [`Failure::Work`] when a file cannot be written.
pub fn report(arguments: &ReportArguments) -> Result<End, Failure> {
    let directory = &arguments.directory;
    let league = League::read(directory)?;
    if league.matches.is_empty() {
        return Err(Failure::input(format!("{}: no pair has been played", directory.display())));
    }
    let rated = Rated::of(&league).map_err(Failure::work)?;
    let standings = Standings::new(&league, rated.as_ref());
    let title = directory.file_name().map_or_else(|| "ladder".into(), |name| name.to_string_lossy());
    let foot = format!("Garrison {}. This file is complete in itself.", env!("CARGO_PKG_VERSION"));
    let page = ::ladder::page::page(&title, &league, &standings, &Breakdown::of(&league), &foot);
    let path = arguments.out.clone().unwrap_or_else(|| directory.join(::ladder::page::FILE));
    files::write(&path, page.to_html().as_bytes()).map_err(|error| Failure::path(&path, &error))?;
    tables::write(directory, &league, &standings).map_err(|error| Failure::path(directory, &error))?;
    save(directory, &standings)?;
    crate::say(&path.display().to_string());
    Ok(End::Finished)
}
