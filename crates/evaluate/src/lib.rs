//! Matches between checkpoints, built-in opponents and each other, with honest error bars.
//!
//! `arguments.rs` is the command line, `request.rs` what it comes to when it is right, `checkpoint.rs`
//! turns a run directory into a player, `output.rs` says what came out and `saved.rs` keeps the games.
//! The match itself is played by [`arena::matches`].

pub mod arguments;
pub mod checkpoint;
pub mod failure;
pub mod interrupt;
pub mod output;
pub mod progress;
pub mod request;
pub mod saved;

use arena::matches::{MatchError, MatchReport, Tally};
use arguments::MatchArguments;
use failure::{End, Failure};
use interrupt::Interrupt;
use progress::MatchProgress;
use request::MatchRequest;
use std::io::Write;

/// Plays the match of a command line and prints its result: JSON or a table on standard output,
/// everything else on standard error.
///
/// # Errors
/// [`Failure::Input`] when something that the user wrote is wrong, [`Failure::Work`] when the match or
/// its output failed.
pub fn play_match(arguments: &MatchArguments, interrupt: &Interrupt) -> Result<End, Failure> {
    let MatchRequest { game, facts, names, contestants, remarks, starts, plan, format, save } =
        MatchRequest::new(arguments)?;
    for remark in &remarks {
        say(remark);
    }
    let progress = MatchProgress::new(plan.pairs, interrupt);
    let pairs = game.play_match(&contestants, starts.as_deref(), &plan, &progress).map_err(|error| {
        match error.is_input() {
            true => Failure::input(describe(&error, arguments)),
            false => Failure::work(error),
        }
    })?;
    let seconds = progress.finish();
    let report = MatchReport::new(&names, &Tally::of(&pairs));
    if let Some(path) = &save {
        saved::write(path, &names, &facts, &plan, &pairs)
            .map_err(|error| Failure::work(format!("{}: {error}", path.display())))?;
    }
    let end = if report.pairs < plan.pairs { End::Stopped } else { End::Finished };
    output::print(&report, &facts, &plan, seconds, format).map_err(Failure::work)?;
    Ok(end)
}

/// Start positions are named with their file.
fn describe(error: &MatchError, arguments: &MatchArguments) -> String {
    match (error, &arguments.starts) {
        (MatchError::Starts(_), Some(path)) => format!("{}: {error}", path.display()),
        _ => error.to_string(),
    }
}

/// Prints a line on standard error.
pub fn say(line: &str) {
    // Fails only when standard error is gone, and then there is nobody to tell.
    let _ = writeln!(std::io::stderr(), "{line}");
}
