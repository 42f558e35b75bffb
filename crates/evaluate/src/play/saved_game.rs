//! Games of a person in files.
//!
//! A file has two lines of JSON: the game, and the BLAKE3 checksum of the first line.

use arena::duel::DuelRecord;
use game::Player;
use serde::{Deserialize, Serialize};
use std::path::Path;

/// Version of the format.
pub const VERSION: u32 = 1;
const FORMAT: &str = "garrison game";

/// A game as it is kept.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SavedGame {
    format: String,
    version: u32,
    /// Name of the game.
    pub game: String,
    /// Its rules with all options.
    pub rules: serde_json::Value,
    /// The side of the person.
    pub side: Player,
    /// The opponent as it was written, for people.
    pub opponent: String,
    /// The steps.
    pub record: DuelRecord,
}

#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Tail {
    blake3: String,
}

impl SavedGame {
    /// A game to be kept.
    pub fn new(
        game: &str,
        rules: serde_json::Value,
        side: Player,
        opponent: &str,
        record: DuelRecord,
    ) -> SavedGame {
        SavedGame {
            format: FORMAT.to_owned(),
            version: VERSION,
            game: game.to_owned(),
            rules,
            side,
            opponent: opponent.to_owned(),
            record,
        }
    }

    /// Writes the file; it appears when it is complete.
    ///
    /// # Errors
    /// Why it cannot be written, with its name.
    pub fn write(&self, path: &Path) -> Result<(), String> {
        let fault = |error: &dyn std::fmt::Display| format!("{}: cannot be written: {error}", path.display());
        let line = serde_json::to_string(self).map_err(|error| fault(&error))?;
        let tail = Tail { blake3: blake3::hash(line.as_bytes()).to_string() };
        let tail = serde_json::to_string(&tail).map_err(|error| fault(&error))?;
        files::write(path, format!("{line}\n{tail}\n").as_bytes()).map_err(|error| fault(&error))
    }

    /// Reads a file.
    ///
    /// # Errors
    /// What is wrong with it, with its name.
    pub fn read(path: &Path) -> Result<SavedGame, String> {
        let fault = |why: String| format!("{}: {why}", path.display());
        let text = files::read_text(path).map_err(|error| fault(error.to_string()))?;
        let mut lines = text.lines();
        let line = lines.next().unwrap_or_default();
        // The version first: another one has other keys, and "unknown field" would not say so.
        let value: serde_json::Value =
            serde_json::from_str(line).map_err(|error| fault(format!("line 1 is no saved game: {error}")))?;
        if value["format"] != FORMAT {
            return Err(fault(format!("no saved game: its format is {}, not \"{FORMAT}\"", value["format"])));
        }
        if value["version"] != VERSION {
            return Err(fault(format!("version {}: this program reads version {VERSION}", value["version"])));
        }
        let saved: SavedGame =
            serde_json::from_value(value).map_err(|error| fault(format!("line 1: {error}")))?;
        let tail: Tail = serde_json::from_str(lines.next().unwrap_or_default())
            .map_err(|error| fault(format!("line 2 is no checksum: {error}")))?;
        let found = blake3::hash(line.as_bytes()).to_string();
        if found != tail.blake3 {
            return Err(fault(format!(
                "damaged: the checksum of line 1 is {found}, line 2 says {}",
                tail.blake3
            )));
        }
        Ok(saved)
    }
}
