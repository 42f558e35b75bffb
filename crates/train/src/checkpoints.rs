//! The checkpoints of a run: which are written, read and kept.

use crate::config::Keep;
use crate::run_directory::{RunDirectory, write_file};
use crate::run_state::RunState;
use anyhow::{Context, Result, bail};
use net::checkpoint::{self, CheckpointError};
use net::{Device, Expected, Identity, Net, Trainer, TrainerConfig};
use selfplay::UnfinishedGame;
use std::fs;
use std::path::{Path, PathBuf};

/// Compression of saved games.
const COMPRESSION: i32 = 3;
/// Directory of saved games below the games' one.
const UNFINISHED: &str = "unfinished";

/// Saves a run at the end of a cycle, or within one (`state.training`), and then removes what it
/// replaces.
///
/// # Errors
/// Any error of the file system; the checkpoints that were there stay.
pub fn save(
    run: &RunDirectory,
    trainer: &Trainer,
    identity: &Identity,
    state: &mut RunState,
    games: &[Vec<UnfinishedGame>],
) -> Result<()> {
    let name = match state.training {
        None => format!("{:06}", state.cycle),
        Some(_) => format!("{:06}-training", state.current_cycle()),
    };
    // The games first: without the checkpoint nobody reads them, and a checkpoint finds its games.
    save_games(run, &name, games)?;
    state.unfinished = Some(name);
    let directory = if state.training.is_some() { run.interrupted() } else { run.checkpoint(state.cycle) };
    if directory.exists() {
        // Left from an earlier start that was set back behind it, or an earlier interruption.
        fs::remove_dir_all(&directory).with_context(|| directory.display().to_string())?;
    }
    let extra = serde_json::to_value(&*state)?;
    checkpoint::save(&directory, trainer, identity, &state.counters(), &extra)?;
    if state.training.is_none() && run.interrupted().exists() {
        fs::remove_dir_all(run.interrupted()).with_context(|| run.interrupted().display().to_string())?;
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
    serde_json::from_value(extra)
        .with_context(|| format!("{}: state.json: `extra` is not of a training run", directory.display()))
}

/// Reads everything that going on needs.
///
/// # Errors
/// A checkpoint that is damaged or for something else.
pub fn load(
    directory: &Path,
    config: &TrainerConfig,
    device: Device,
    expected: &Expected,
) -> Result<(Trainer, RunState)> {
    let (trainer, state) = checkpoint::load_trainer(directory, config, device, Some(expected))?;
    let run_state = run_state(directory, state.extra)?;
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

/// Removes checkpoints that are not to be kept. The first and the last one always stay.
///
/// # Errors
/// Any error of the file system.
pub fn prune(run: &RunDirectory, keep: Keep, also: Option<u64>) -> Result<()> {
    let Keep::Recent { count, milestone } = keep else { return Ok(()) };
    let cycles = run.checkpoint_cycles()?;
    let recent = cycles.len().saturating_sub(count.max(1));
    for &cycle in &cycles[..recent] {
        let stays = cycle == 0 || (milestone > 0 && cycle.is_multiple_of(milestone)) || also == Some(cycle);
        if !stays {
            let directory = run.checkpoint(cycle);
            fs::remove_dir_all(&directory).with_context(|| directory.display().to_string())?;
        }
    }
    Ok(())
}

/// Writes games under way.
///
/// # Errors
/// Any error of the file system.
pub fn save_games(run: &RunDirectory, name: &str, games: &[Vec<UnfinishedGame>]) -> Result<()> {
    let path = games_path(run, name);
    let directory = run.games().join(UNFINISHED);
    fs::create_dir_all(&directory).with_context(|| directory.display().to_string())?;
    let packed = zstd::bulk::compress(&serde_json::to_vec(games)?, COMPRESSION)?;
    write_file(&path, &packed).with_context(|| path.display().to_string())
}

/// Reads games under way.
///
/// # Errors
/// A file that cannot be read or understood.
pub fn load_games(run: &RunDirectory, name: &str) -> Result<Vec<Vec<UnfinishedGame>>> {
    let path = games_path(run, name);
    let place = || path.display().to_string();
    let packed = fs::read(&path).with_context(place)?;
    let plain = zstd::stream::decode_all(packed.as_slice()).with_context(place)?;
    serde_json::from_slice(&plain).with_context(place)
}

fn games_path(run: &RunDirectory, name: &str) -> PathBuf {
    run.games().join(UNFINISHED).join(format!("{name}.json.zst"))
}

/// Removes the saved games of earlier checkpoints. Going on from one of those begins its games anew.
fn remove_other_games(run: &RunDirectory, state: &RunState) -> Result<()> {
    let directory = run.games().join(UNFINISHED);
    let wanted = state.unfinished.as_deref().map(|name| games_path(run, name));
    for entry in fs::read_dir(&directory).with_context(|| directory.display().to_string())? {
        let path = entry?.path();
        if wanted.as_deref() != Some(path.as_path()) {
            fs::remove_file(&path).with_context(|| path.display().to_string())?;
        }
    }
    Ok(())
}
