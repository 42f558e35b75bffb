//! The checkpoints of a run: which are written, read and kept.

use crate::config::Keep;
use crate::run_directory::{RunDirectory, remove, replace};
use crate::run_state::RunState;
use anyhow::{Context, Result, bail};
use files::sealed;
use net::checkpoint::{self, CheckpointError};
use net::{Device, Expected, Identity, Net, NetError, Trainer, TrainerConfig};
use selfplay::UnfinishedGame;
use serde::{Deserialize, Serialize};
use std::fs;
use std::io::{ErrorKind, Read};
use std::path::{Path, PathBuf};

/// Compression of saved games.
const COMPRESSION: i32 = 3;
/// Version of the files of saved games.
const GAMES_SCHEMA: u32 = 2;
/// Bytes that saved games unpack to at most.
const MOST_GAMES_BYTES: u64 = 1 << 30;

/// Games under way as they are saved, sealed and compressed.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct SavedGames<N, G> {
    /// [`GAMES_SCHEMA`].
    schema: u32,
    /// Name of the file, which a checkpoint gives.
    name: N,
    /// By worker.
    games: G,
}

/// Saves a run at the end of a cycle, or within one (`state.training`), and then removes what it
/// replaces.
///
/// # Errors
/// Any error of the file system, and weights that are not finite; the checkpoints that were there stay.
pub fn save(
    run: &RunDirectory,
    trainer: &Trainer,
    identity: &Identity,
    state: &mut RunState,
    games: &[Vec<UnfinishedGame>],
) -> Result<()> {
    if let Some(tensor) = trainer.net().first_not_finite()? {
        return Err(NetError::NonFiniteWeight { tensor }.into());
    }
    let name = match state.training {
        None => format!("{:06}", state.cycle),
        Some(_) => format!("{:06}-training", state.current_cycle()),
    };
    // The games first: without the checkpoint nobody reads them, and a checkpoint finds its games.
    save_games(run, &name, games)?;
    state.unfinished = Some(name);
    let directory = if state.training.is_some() { run.interrupted() } else { run.checkpoint(state.cycle) };
    let extra = serde_json::to_value(&*state)?;
    // There is one already after an earlier interruption, or when the run was set back behind it.
    replace(&directory, || {
        checkpoint::save(&directory, trainer, identity, &state.counters(), &extra)
            .map(|_| ())
            .map_err(anyhow::Error::from)
    })?;
    if state.training.is_none() && run.interrupted().exists() {
        remove(&run.interrupted()).with_context(|| run.interrupted().display().to_string())?;
    }
    remove_other_games(run, state)
}

/// The newest checkpoint of a run: one from within a cycle if it is newer than those between cycles.
///
/// # Errors
/// Where there is none at all.
pub fn newest(run: &RunDirectory) -> Result<PathBuf> {
    let complete = run.checkpoint_cycles()?.last().copied();
    if run.interrupted().is_dir() {
        let state = run_state(&run.interrupted(), checkpoint::read_state(&run.interrupted())?.extra)?;
        if complete.is_none_or(|cycle| cycle <= state.cycle) {
            return Ok(run.interrupted());
        }
    }
    match complete {
        Some(cycle) => Ok(run.checkpoint(cycle)),
        None => bail!("{}: the run has no checkpoint", run.root().display()),
    }
}

fn run_state(directory: &Path, extra: serde_json::Value) -> Result<RunState> {
    let place = || format!("{}: state.json: `extra` is not of a training run", directory.display());
    let state: RunState = serde_json::from_value(extra).with_context(place)?;
    let faults = state.faults();
    if !faults.is_empty() {
        bail!("{}: {}", place(), faults.join("; "));
    }
    Ok(state)
}

/// Reads everything that going on needs.
///
/// # Errors
/// A checkpoint that is damaged, for something else, or of another cycle than its directory says.
pub fn load(
    directory: &Path,
    config: &TrainerConfig,
    device: Device,
    expected: &Expected,
) -> Result<(Trainer, RunState)> {
    let (trainer, state) = checkpoint::load_trainer(directory, config, device, Some(expected))?;
    let run_state = run_state(directory, state.extra)?;
    let number =
        directory.file_name().and_then(|name| name.to_str()).and_then(|name| name.parse::<u64>().ok());
    if let Some(number) = number.filter(|&number| number != run_state.cycle) {
        let (place, found) = (directory.display(), run_state.cycle);
        bail!(
            "{place}: holds the run after cycle {found}, not {number}: another checkpoint was put in its place"
        );
    }
    Ok((trainer, run_state))
}

/// The weights of a checkpoint alone. A run directory stands for its newest checkpoint.
///
/// # Errors
/// As [`load`].
pub fn load_weights(path: &Path, expected: &Expected) -> Result<Net, CheckpointError> {
    let run = RunDirectory::new(path);
    let directory = if run.checkpoints().is_dir() {
        newest(&run).unwrap_or_else(|_| path.to_owned())
    } else {
        path.to_owned()
    };
    checkpoint::load_net(&directory, Some(expected)).map(|(net, _)| net)
}

/// Removes checkpoints that are not to be kept. The first and the last one always stay, and those of the cycles
/// in `also`.
///
/// # Errors
/// Any error of the file system.
pub fn prune(run: &RunDirectory, keep: Keep, also: &[Option<u64>]) -> Result<()> {
    let Keep::Recent { count, milestone } = keep else { return Ok(()) };
    let cycles = run.checkpoint_cycles()?;
    let recent = cycles.len().saturating_sub(count.max(1));
    for &cycle in &cycles[..recent] {
        let stays =
            cycle == 0 || (milestone > 0 && cycle.is_multiple_of(milestone)) || also.contains(&Some(cycle));
        if !stays {
            let directory = run.checkpoint(cycle);
            remove(&directory).with_context(|| directory.display().to_string())?;
        }
    }
    Ok(())
}

/// Writes games under way.
///
/// # Errors
/// Any error of the file system.
pub fn save_games(run: &RunDirectory, name: &str, games: &[Vec<UnfinishedGame>]) -> Result<()> {
    let path = run.unfinished(name);
    make_parent(&path)?;
    let saved = SavedGames { schema: GAMES_SCHEMA, name, games };
    let packed = zstd::bulk::compress(&sealed::write(&saved)?, COMPRESSION)?;
    files::write(&path, &packed).with_context(|| path.display().to_string())
}

/// Reads games under way; `None` where the file is gone.
///
/// # Errors
/// A file that cannot be read or understood.
pub fn load_games(run: &RunDirectory, name: &str) -> Result<Option<Vec<Vec<UnfinishedGame>>>> {
    let path = run.unfinished(name);
    let place = || path.display().to_string();
    let packed = match files::read(&path) {
        Ok(packed) => packed,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(place),
    };
    let plain = unpack(&packed, MOST_GAMES_BYTES).with_context(place)?;
    // Version 1 was the list alone, without a checksum.
    if plain.first() == Some(&b'[') {
        return serde_json::from_slice(&plain).with_context(place).map(Some);
    }
    // Whatever it is, an object has a checksum.
    let text = sealed::open_version(&plain, 1, GAMES_SCHEMA.into()).with_context(place)?;
    let saved: SavedGames<String, Vec<Vec<UnfinishedGame>>> =
        serde_json::from_slice(&text).with_context(place)?;
    if saved.name != name {
        bail!("{}: holds the games of {}, another file was put in its place", place(), saved.name);
    }
    Ok(Some(saved.games))
}

/// Unpacks at most so many bytes: a few packed ones may stand for any number.
fn unpack(packed: &[u8], most: u64) -> Result<Vec<u8>> {
    let mut plain = Vec::new();
    zstd::stream::Decoder::new(packed)?.take(most + 1).read_to_end(&mut plain)?;
    if plain.len() as u64 > most {
        bail!("unpacks to more than {most} bytes");
    }
    Ok(plain)
}

/// Removes saved games that no checkpoint needs any more. Those of earlier checkpoints stay as long as these,
/// so that a run can be set back to one of them.
fn remove_other_games(run: &RunDirectory, state: &RunState) -> Result<()> {
    let mut wanted: Vec<PathBuf> =
        run.checkpoint_cycles()?.into_iter().map(|cycle| run.unfinished(&format!("{cycle:06}"))).collect();
    wanted.extend(state.unfinished.as_deref().map(|name| run.unfinished(name)));
    // Any name: what counts is the directory.
    let any = run.unfinished("");
    let directory = make_parent(&any)?;
    for entry in fs::read_dir(directory).with_context(|| directory.display().to_string())? {
        let path = entry.with_context(|| directory.display().to_string())?.path();
        if !wanted.contains(&path) {
            fs::remove_file(&path).with_context(|| path.display().to_string())?;
        }
    }
    Ok(())
}

/// The directory of a file, made where it is missing.
fn make_parent(path: &Path) -> Result<&Path> {
    let directory = path.parent().unwrap_or(path);
    fs::create_dir_all(directory).with_context(|| directory.display().to_string())?;
    Ok(directory)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn games() -> Vec<Vec<UnfinishedGame>> {
        let game = |id| UnfinishedGame { id, start: "a start".to_owned(), steps: Vec::new() };
        vec![vec![game(1), game(3)], vec![game(2)]]
    }

    #[test]
    fn saved_games_come_back_also_those_of_the_first_version() {
        let place = tempfile::tempdir().unwrap();
        let run = RunDirectory::new(place.path());
        assert_eq!(load_games(&run, "000001").unwrap(), None);
        save_games(&run, "000001", &games()).unwrap();
        assert_eq!(load_games(&run, "000001").unwrap(), Some(games()));
        let list = zstd::bulk::compress(&serde_json::to_vec(&games()).unwrap(), COMPRESSION).unwrap();
        fs::write(run.unfinished("000001"), list).unwrap();
        assert_eq!(load_games(&run, "000001").unwrap(), Some(games()));
    }

    #[test]
    fn saved_games_that_were_swapped_damaged_or_blown_up_are_refused_by_name() {
        let place = tempfile::tempdir().unwrap();
        let run = RunDirectory::new(place.path());
        save_games(&run, "000001", &games()).unwrap();
        let whole = fs::read(run.unfinished("000001")).unwrap();
        let refused = |contents: &[u8]| {
            fs::write(run.unfinished("000002"), contents).unwrap();
            let error = format!("{:#}", load_games(&run, "000002").unwrap_err());
            assert!(error.contains("unfinished/000002.json.zst"), "{error}");
            error
        };
        assert!(refused(&whole).contains("holds the games of 000001"));
        let plain = |text: &str| zstd::bulk::compress(text.as_bytes(), COMPRESSION).unwrap();
        assert!(
            refused(&plain("{\"schema\": 7}")).contains("has schema 7, this program reads schemas 1 to 2")
        );
        assert!(refused(&plain("{\"schema\": 2}")).contains("no checksum at its end"));
        // A kilobyte that unpacks to ten megabytes.
        let bomb = zstd::bulk::compress(&vec![0; 10 << 20], COMPRESSION).unwrap();
        assert!(bomb.len() < 2_000);
        assert_eq!(unpack(&bomb, 10 << 20).unwrap().len(), 10 << 20);
        let error = unpack(&bomb, (10 << 20) - 1).unwrap_err().to_string();
        assert_eq!(error, "unpacks to more than 10485759 bytes");
        for length in [0, 1, whole.len() / 2, whole.len() - 1] {
            refused(&whole[..length]);
        }
    }
}
