//! `train export`: games and networks for other programs.
//!
//! `rows.rs` is what a step of a game becomes, `jsonl.rs` and `parquet.rs` are how rows are written, and
//! `games.rs` reads the shards; `network.rs` exports a checkpoint. docs/exports.md describes the files.

mod games;
mod jsonl;
mod network;
mod parquet;
mod rows;

pub use games::{ExportedGames, export_games};
pub use network::export_network;
pub use rows::{Row, SCHEMA};

use crate::arguments::ExportArguments;
use crate::failure::{End, Failure};
use crate::progress::Progress;

/// Runs the command.
///
/// # Errors
/// A directory that is no run or checkpoint and a file name of another kind are input errors.
pub fn export(arguments: &ExportArguments, progress: &Progress) -> Result<End, Failure> {
    if let Some(path) = &arguments.games {
        let exported = export_games(&arguments.directory, path)?;
        for fault in &exported.faults {
            progress.say(&format!("warning: could not be read: {fault}"));
        }
        progress.say(&format!("{}: {} games, {} steps", path.display(), exported.games, exported.rows));
    }
    if let Some(path) = &arguments.net {
        let from = export_network(&arguments.directory, path)?;
        progress.say(&format!("{}: the network of {}", path.display(), from.display()));
    }
    Ok(End::Finished)
}
