//! The checkpoints of a run: which are written, read and kept.

use crate::config::Keep;
use crate::run_directory::{RunDirectory, remove, replace};
use crate::run_state::RunState;
use anyhow::{Context, Result, bail};
use net::checkpoint::{self, CheckpointError};
use net::{Device, Expected, Identity, Net, NetError, Trainer, TrainerConfig};
use selfplay::UnfinishedGame;
use std::fs;
use std::io::ErrorKind;
use std::path::{Path, PathBuf};

/// Compression of saved games.
const COMPRESSION: i32 = 3;

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
    let packed = zstd::bulk::compress(&serde_json::to_vec(games)?, COMPRESSION)?;
    files::write(&path, &packed).with_context(|| path.display().to_string())
}

/// Reads games under way; `None` where the file is gone.
///
/// # Errors
/// A file that cannot be read or understood.
pub fn load_games(run: &RunDirectory, name: &str) -> Result<Option<Vec<Vec<UnfinishedGame>>>> {
    let path = run.unfinished(name);
    let place = || path.display().to_string();
    let packed = match fs::read(&path) {
        Ok(packed) => packed,
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(error).with_context(place),
    };
    let plain = zstd::stream::decode_all(packed.as_slice()).with_context(place)?;
    serde_json::from_slice(&plain).with_context(place).map(Some)
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
