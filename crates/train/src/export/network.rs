//! The network of a checkpoint as a TorchScript module.

use crate::checkpoints;
use crate::failure::Failure;
use crate::run_directory::RunDirectory;
use anyhow::Context;
use net::NetError;
use net::checkpoint::{self, CheckpointError};
use serde_json::json;
use std::fs;
use std::path::{Path, PathBuf};

/// Exports the network that plays of a checkpoint, or of the newest one of a run, and returns the
/// checkpoint's directory. The module is loaded again and its answers compared before it takes its place.
///
/// # Errors
/// No checkpoint, or a file that cannot be written; then `path` stays as it was.
pub fn export_network(directory: &Path, path: &Path) -> Result<PathBuf, Failure> {
    let run = RunDirectory::new(directory);
    let from = if run.checkpoints().is_dir() {
        checkpoints::newest(&run).map_err(Failure::Input)?
    } else {
        directory.to_owned()
    };
    let (net, state) = checkpoint::load_net(&from, None).map_err(|error| match error {
        CheckpointError::Net(NetError::Torch(_)) => Failure::Work(error.into()),
        other => Failure::input(other),
    })?;
    let about = json!({
        "schema": net::export::SCHEMA,
        "game": state.identity.game,
        "rules": state.identity.rules,
        "planes": state.planes,
        "policy": state.policy,
        "net": state.net,
        "counters": state.counters,
        "weights_blake3": state.weights_blake3,
    });
    let partial = files::partial_path(path).with_context(|| path.display().to_string())?;
    // Said here in one line, where LibTorch adds a stack trace.
    fs::File::create(&partial).with_context(|| path.display().to_string())?;
    let written = net::export::write(&net, &partial, &about.to_string())
        .map_err(anyhow::Error::from)
        .and_then(|()| fs::rename(&partial, path).map_err(anyhow::Error::from));
    if written.is_err() {
        // The first error matters more than one of cleaning up.
        let _ = fs::remove_file(&partial);
    }
    written.with_context(|| path.display().to_string())?;
    Ok(from)
}
