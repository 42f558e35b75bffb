//! Which finished games stay on the disk, and what is remembered of those that do not.

use crate::shard::ShardError;
use serde::{Deserialize, Serialize};
use std::io;
use std::path::Path;

/// Which shards of a run stay. Shards that the replay window reads always do.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields, rename_all = "kebab-case")]
pub enum Retention {
    /// All of them.
    #[default]
    All,
    /// Those that the replay window reads.
    Window,
    /// Those, and all with games of this many newest cycles.
    Cycles(u64),
}

/// Sums over shards that were removed since the run began; kept beside the shards, so that a run knows how
/// many samples it ever made.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Retired {
    /// Version of this file's form.
    pub schema: u32,
    /// Shards with numbers below this one are removed, or are to be: a process that was killed in between
    /// leaves some for the next start.
    pub below: u64,
    /// Shards.
    pub shards: u64,
    /// Their games.
    pub games: u64,
    /// Searched steps of the games.
    pub samples: u64,
    /// Their bytes.
    pub bytes: u64,
}

const SCHEMA: u32 = 1;
const FILE: &str = "retired.json";

impl Default for Retired {
    /// Nothing was removed.
    fn default() -> Retired {
        Retired { schema: SCHEMA, below: 0, shards: 0, games: 0, samples: 0, bytes: 0 }
    }
}

impl Retired {
    /// Whether nothing was removed.
    pub fn is_empty(&self) -> bool {
        self.shards == 0
    }

    /// What a store says about removed shards; the default where it says nothing.
    ///
    /// # Errors
    /// What the file system says, or a file of another form.
    pub(crate) fn read(directory: &Path) -> Result<Retired, ShardError> {
        let path = directory.join(FILE);
        let bytes = match files::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Retired::default()),
            Err(source) => return Err(ShardError::Io { path, source }),
        };
        if let Ok(found) = files::schema(&bytes)
            && found != u64::from(SCHEMA)
        {
            let message = format!("it has schema {found}, this program reads schema {SCHEMA}");
            return Err(ShardError::Head { path, message });
        }
        match serde_json::from_slice::<Retired>(&bytes) {
            Ok(retired) => Ok(retired),
            Err(error) => Err(ShardError::Head { path, message: format!("it cannot be read: {error}") }),
        }
    }

    /// Writes it beside and renames it: it is there whole or as it was before.
    ///
    /// # Errors
    /// What the file system says.
    pub(crate) fn write(&self, directory: &Path) -> Result<(), ShardError> {
        let path = directory.join(FILE);
        let written = serde_json::to_vec(self).map_err(io::Error::from).and_then(|mut text| {
            text.push(b'\n');
            files::write(&path, &text)
        });
        written.map_err(|source| ShardError::Io { path, source })
    }

    /// The sums with later ones added.
    pub(crate) fn with(&self, later: &Retired) -> Retired {
        Retired {
            schema: SCHEMA,
            below: self.below.max(later.below),
            shards: self.shards + later.shards,
            games: self.games + later.games,
            samples: self.samples + later.samples,
            bytes: self.bytes + later.bytes,
        }
    }
}
