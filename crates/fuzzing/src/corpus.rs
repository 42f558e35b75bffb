//! The committed inputs: `fuzz/corpus`, a folder for each target, a file for each input.

use std::io;
use std::path::{Path, PathBuf};

/// The folder of `fuzz/` in the checkout.
pub fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fuzz")
}

/// The inputs of a target, in the order of the files' names.
///
/// # Errors
/// The folder or a file in it cannot be read.
pub fn read(target: &str) -> io::Result<Vec<Vec<u8>>> {
    let mut paths = std::fs::read_dir(folder().join("corpus").join(target))?
        .map(|entry| entry.map(|entry| entry.path()))
        .collect::<io::Result<Vec<_>>>()?;
    paths.sort();
    paths.into_iter().map(std::fs::read).collect()
}
