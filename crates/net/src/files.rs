//! Files and directories that are complete or absent.

use std::fs::{self, File};
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes a directory of files so that it is either there with all of them or not there at all: they are
/// written into a directory beside it, flushed to the disk, and the directory is renamed.
///
/// # Errors
/// Any error of the file system; also when `directory` exists already. Nothing is left behind but, after
/// a crash, a directory whose name ends in `.partial`, which the next write removes.
pub fn write_directory(directory: &Path, files: &[(&str, &[u8])]) -> io::Result<()> {
    if directory.exists() {
        return Err(io::Error::new(io::ErrorKind::AlreadyExists, "the directory exists already"));
    }
    let parent = parent(directory);
    fs::create_dir_all(parent)?;
    let partial = beside(directory);
    if partial.exists() {
        fs::remove_dir_all(&partial)?;
    }
    fs::create_dir(&partial)?;
    let written = files.iter().try_for_each(|(name, bytes)| {
        let mut file = File::create(partial.join(name))?;
        file.write_all(bytes)?;
        file.sync_all()
    });
    let renamed = written.and_then(|()| {
        File::open(&partial)?.sync_all()?;
        fs::rename(&partial, directory)?;
        File::open(parent)?.sync_all()
    });
    if renamed.is_err() {
        // The first error matters more than one of cleaning up.
        let _ = fs::remove_dir_all(&partial);
    }
    renamed
}

fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_os_string();
    name.push(".partial");
    path.with_file_name(name)
}
