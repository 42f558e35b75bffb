//! Evaluating agents: matches with honest error bars, and looks into what a checkpoint knows.
//!
//! `arguments.rs` is the command line, `checkpoint.rs` turns a run directory into a player. What matches,
//! sequential tests and ladders have in common is checked in `conditions.rs`, with `players.rs` and
//! `engines.rs` for who plays. Of a match `request.rs` says what a command line comes to when it is right;
//! `progress.rs` looks on and keeps the pairs, `output.rs` says what came out;
//! [`arena::matches`] plays it. The other commands are a file each, or a folder:
//! `sprt.rs` (a sequential test), `ladder/` (many players together, and their report),
//! `solved.rs` (solved positions of Connect Four), `canaries.rs` (positions that any trained network must
//! judge sanely) and `explain.rs` (one position), whose searches are run by [`arena::inspection`],
//! `play/` (a person against an opponent), whose games are [`arena::duel`]s, and `engine_command.rs` (a
//! checkpoint behind an engine protocol), whose searches are run by [`arena::thinking`].

pub mod agent;
pub mod arguments;
pub mod canaries;
pub mod checkpoint;
pub mod conditions;
pub mod engine_command;
pub mod engines;
pub mod explain;
pub mod failure;
pub mod interrupt;
pub mod ladder;
pub mod output;
pub mod play;
pub mod players;
pub mod progress;
pub mod request;
pub mod rules;
pub mod solved;
pub mod sprt;

use arena::matches::{MatchReport, Tally};
use arguments::MatchArguments;
use failure::{End, Failure};
use interrupt::Interrupt;
use output::Leftovers;
use progress::MatchProgress;
use request::MatchRequest;
use std::collections::BTreeMap;
use std::io::Write;

/// Plays the match of a command line, or what is missing of it, and prints its result: JSON or a table on
/// standard output, everything else on standard error.
///
/// # Errors
/// [`Failure::Input`] when something that the user wrote is wrong, [`Failure::Work`] when the match or
/// its output failed.
pub fn play_match(arguments: &MatchArguments, interrupt: &Interrupt) -> Result<End, Failure> {
    let MatchRequest { conditions, names, contestants, remarks, plan, format, record } =
        MatchRequest::new(arguments)?;
    for remark in &remarks {
        say(remark);
    }
    let (file, earlier) = record.map_or((None, Vec::new()), |(file, record)| (Some(file), record.pairs));
    let known = earlier.len();
    let progress = MatchProgress::new(plan.pairs, known as u64, file, interrupt);
    let starts = conditions.starts.as_deref();
    let pairs = conditions.game.play_match(&contestants, starts, &plan, earlier, &progress)?;
    let seconds = progress.finish().map_err(|error| Failure::work(format!("--save {error}")))?;
    let report = MatchReport::new(&names, &Tally::of(&pairs));
    let mut forfeits = BTreeMap::new();
    for why in pairs.iter().flat_map(|pair| &pair.games).filter_map(|game| game.forfeit.as_ref()) {
        *forfeits.entry(why.clone()).or_default() += 1;
    }
    let games = 2 * (pairs.len() - known) as u64;
    let leftovers = Leftovers { seconds, games, mean_batch: progress.mean_batches(), forfeits };
    let end = if report.pairs < plan.pairs { End::Stopped } else { End::Finished };
    output::print(&report, &conditions.facts, &plan, &leftovers, format).map_err(Failure::work)?;
    Ok(end)
}

/// Prints a line on standard error.
pub fn say(line: &str) {
    // Fails only when standard error is gone, and then there is nobody to tell.
    let _ = writeln!(std::io::stderr(), "{line}");
}
