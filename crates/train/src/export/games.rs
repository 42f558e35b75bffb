//! The games of a run, step by step, as a table.

use super::jsonl::JsonLines;
use super::parquet::ParquetFile;
use super::rows::{Row, rows_of};
use crate::failure::Failure;
use crate::run_data::RunData;
use anyhow::Context;
use arena::games::WithGame;
use game::BoardGame;
use selfplay::{Identity, ShardError, ShardReader, shard_paths};
use serde_json::json;
use std::io;
use std::path::{Path, PathBuf};

/// Takes the rows of one game after the other.
pub(super) trait Sink {
    /// Writes the rows of a game.
    fn write(&mut self, rows: Vec<Row>) -> io::Result<()>;

    /// Puts the file into its place.
    fn finish(self: Box<Self>) -> io::Result<()>;
}

/// The kinds of files.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Format {
    JsonLines,
    Parquet,
}

impl Format {
    fn of(path: &Path) -> Result<Format, Failure> {
        match path.extension().and_then(|ending| ending.to_str()) {
            Some("jsonl") => Ok(Format::JsonLines),
            Some("parquet") => Ok(Format::Parquet),
            _ => Err(Failure::input(format!(
                "--games {}: the name must end in .jsonl or .parquet, which says what is written",
                path.display()
            ))),
        }
    }
}

/// What was exported.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ExportedGames {
    /// Games.
    pub games: u64,
    /// Rows: steps of the games.
    pub rows: u64,
    /// Places of shards that could not be read.
    pub faults: Vec<String>,
}

/// Writes all games of the run in `directory` to `path`, oldest first, one in memory at a time (Parquet:
/// some ten thousand steps).
///
/// # Errors
/// No run, no games, games of other rules, or a file that cannot be written; then `path` stays as it was.
pub fn export_games(directory: &Path, path: &Path) -> Result<ExportedGames, Failure> {
    let format = Format::of(path)?;
    let run = RunData::read(directory).map_err(Failure::input)?;
    let game = run.game().map_err(|fault| Failure::input(format!("{}: {fault}", directory.display())))?;
    let shards = shard_paths(&run.directory.games()).map_err(Failure::input)?;
    if shards.is_empty() {
        return Err(Failure::input(format!("{}: there are no games yet", run.directory.games().display())));
    }
    let exporter = Exporter { shards, path: path.to_owned(), format, run: run.name };
    game.with(exporter).map_err(Failure::input)?
}

/// Exports once the type of the game is known.
struct Exporter {
    shards: Vec<PathBuf>,
    path: PathBuf,
    format: Format,
    run: String,
}

impl WithGame for Exporter {
    type Output = Result<ExportedGames, Failure>;

    fn with<G: BoardGame>(self, game: G) -> Result<ExportedGames, Failure> {
        let identity = Identity::of(&game, &self.run).context("the rules cannot be written")?;
        let place = || self.path.display().to_string();
        let about = json!({
            "run": self.run,
            "game": identity.game,
            "rules_version": identity.rules_version,
            "rules": identity.rules,
        });
        let mut sink: Box<dyn Sink> = match self.format {
            Format::JsonLines => Box::new(JsonLines::create(&self.path).with_context(place)?),
            Format::Parquet => Box::new(ParquetFile::create(&self.path, &about).with_context(place)?),
        };
        let mut exported = ExportedGames::default();
        for shard in &self.shards {
            let mut reader = match ShardReader::open_for(shard, &identity) {
                Ok(reader) => reader,
                Err(error @ ShardError::Head { .. }) => {
                    exported.faults.push(error.to_string());
                    continue;
                }
                Err(error) => return Err(Failure::input(error)),
            };
            while let Some(block) = reader.next_block().map_err(|error| Failure::Work(error.into()))? {
                let records = match block {
                    Ok(records) => records,
                    Err(fault) => {
                        exported.faults.push(fault.to_string());
                        continue;
                    }
                };
                for record in &records {
                    match rows_of(&game, record) {
                        Ok(rows) => {
                            exported.games += 1;
                            exported.rows += rows.len() as u64;
                            sink.write(rows).with_context(place)?;
                        }
                        Err(fault) => exported.faults.push(format!("{}: {fault}", shard.display())),
                    }
                }
            }
        }
        sink.finish().with_context(place)?;
        Ok(exported)
    }
}
