//! `train digest`: BLAKE3 of what a run has made, for telling whether two runs are the same.

use crate::arguments::DigestArguments;
use crate::failure::Failure;
use crate::run_directory::RunDirectory;
use anyhow::{Context, Result};
use selfplay::ShardReader;
use serde::Serialize;
use std::fs;
use std::path::Path;

/// Checksums of a run at the end of a cycle, hexadecimal. Runs with equal ones have made the same games and
/// the same network, and go on in the same way.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Digest {
    /// The cycle.
    pub cycle: u64,
    /// Games finished up to it that are in the shards.
    pub game_count: u64,
    /// Those games, one after the other in the order in which they ended.
    pub games: String,
    /// Games under way at its end, as they were saved; `None` where none were.
    pub unfinished: Option<String>,
    /// The checkpoint's `weights.safetensors`.
    pub weights: String,
    /// Its `optimizer.safetensors`.
    pub optimizer: String,
    /// Its `state.json`.
    pub state: String,
}

impl Digest {
    /// The checksums of a run after `cycle`, or at its newest complete checkpoint.
    ///
    /// # Errors
    /// A checkpoint or a shard that cannot be read.
    pub fn of(run: &RunDirectory, cycle: Option<u64>) -> Result<Digest> {
        let cycles = run.checkpoint_cycles()?;
        let cycle = match cycle {
            Some(cycle) => cycle,
            None => *cycles.last().with_context(|| {
                format!("{}: there is no run with a complete checkpoint", run.root().display())
            })?,
        };
        let checkpoint = run.checkpoint(cycle);
        let file = |name: &str| hash_file(&checkpoint.join(name));
        let (game_count, games) = games(&run.games(), cycle)?;
        let unfinished = run.unfinished(&format!("{cycle:06}"));
        Ok(Digest {
            cycle,
            game_count,
            games,
            unfinished: if unfinished.exists() { Some(hash_file(&unfinished)?) } else { None },
            weights: file("weights.safetensors")?,
            optimizer: file("optimizer.safetensors")?,
            state: file("state.json")?,
        })
    }

    /// Names of the parts that differ.
    pub fn differences(&self, other: &Digest) -> Vec<&'static str> {
        let parts = [
            ("cycle", self.cycle == other.cycle),
            ("games", (self.game_count, &self.games) == (other.game_count, &other.games)),
            ("unfinished", self.unfinished == other.unfinished),
            ("weights", self.weights == other.weights),
            ("optimizer", self.optimizer == other.optimizer),
            ("state", self.state == other.state),
        ];
        parts.into_iter().filter(|(_, same)| !same).map(|(name, _)| name).collect()
    }

    /// One line a part.
    pub fn lines(&self) -> String {
        let unfinished = self.unfinished.as_deref().unwrap_or("none");
        format!(
            "cycle       {}\ngames       {} ({} games)\nunfinished  {unfinished}\nweights     {}\noptimizer   \
             {}\nstate       {}\n",
            self.cycle, self.games, self.game_count, self.weights, self.optimizer, self.state
        )
    }
}

/// Runs the command; the answer is for standard output.
///
/// # Errors
/// [`Failure::Input`] where there is no such run or checkpoint.
pub fn digest(arguments: &DigestArguments) -> Result<String, Failure> {
    let digest = Digest::of(&RunDirectory::new(&arguments.run), arguments.cycle).map_err(Failure::Input)?;
    if arguments.json {
        let text = serde_json::to_string_pretty(&digest).context("digest")?;
        return Ok(text + "\n");
    }
    Ok(digest.lines())
}

fn hash_file(path: &Path) -> Result<String> {
    let bytes = files::read(path).with_context(|| path.display().to_string())?;
    Ok(blake3::hash(&bytes).to_string())
}

/// Number and checksum of the games in the closed shards that ended by a cycle. How they are cut into shards
/// and blocks does not matter, nor does the name of the run.
fn games(directory: &Path, cycle: u64) -> Result<(u64, String)> {
    let mut paths = Vec::new();
    let entries = fs::read_dir(directory).with_context(|| directory.display().to_string())?;
    for entry in entries {
        let path = entry.with_context(|| directory.display().to_string())?.path();
        if path.extension().is_some_and(|ending| ending == "shard") {
            paths.push(path);
        }
    }
    // Numbers have six digits; more of them sort behind by their length.
    paths.sort_by_key(|path| (path.as_os_str().len(), path.clone()));
    let mut hasher = blake3::Hasher::new();
    let mut count = 0;
    for path in paths {
        let mut reader = ShardReader::open(&path)?;
        while let Some(block) = reader.next_block()? {
            for game in block?.iter().filter(|game| game.cycle <= cycle) {
                hasher.update(&serde_json::to_vec(game)?);
                count += 1;
            }
        }
    }
    Ok((count, hasher.finalize().to_string()))
}
