//! Writing files whole.

use std::ffi::OsString;
use std::io;
use std::path::Path;

/// Writes beside the file and renames, so that the file is never half there.
///
/// # Errors
/// Any error of the file system.
pub fn write_beside(path: &Path, text: &str) -> io::Result<()> {
    let name = path.file_name().ok_or_else(|| io::Error::from(io::ErrorKind::InvalidInput))?;
    let mut beside = OsString::from(".");
    beside.push(name);
    beside.push(format!(".{}", std::process::id()));
    let beside = path.with_file_name(beside);
    let written = std::fs::write(&beside, text).and_then(|()| std::fs::rename(&beside, path));
    if written.is_err() {
        // It may not even exist; the first error is the one to tell.
        let _ = std::fs::remove_file(&beside);
    }
    written
}
