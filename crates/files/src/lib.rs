//! Files that are there whole or not at all: they are written beside their place, flushed to the disk and
//! moved there. [`write()`] does it for contents in memory, [`PartialFile`] for a stream.
//!
//! [`read()`], [`read_text`] and [`open`] read files and refuse what only bears a file's name, such as a pipe.
//! [`sealed`] are JSON files that carry their own checksum, [`schema()`] says which version wrote one; [`stranger`]
//! finds what has no place in a directory of a program's own.

mod regular;
mod schema;
pub mod sealed;
mod strangers;

pub use regular::{open, open_with, read, read_text};
pub use schema::schema;
pub use strangers::{Stranger, check_own, stranger};

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Ending of the name of a file that is not whole yet.
pub const PARTIAL: &str = "partial";

/// Where a file lies until it is whole: beside its place.
///
/// # Errors
/// A path that names no file.
pub fn partial_path(place: &Path) -> io::Result<PathBuf> {
    let mut name = place.file_name().ok_or(io::ErrorKind::InvalidInput)?.to_os_string();
    name.push(".");
    name.push(PARTIAL);
    Ok(place.with_file_name(name))
}

/// Writes a file so that it is there with its whole new contents or as it was before.
///
/// # Errors
/// A path that names no file, and any error of the file system.
pub fn write(path: &Path, contents: &[u8]) -> io::Result<()> {
    let mut file = PartialFile::create(path)?;
    file.write_all(contents)?;
    file.finish()
}

/// Whether another path would do where this one does not: it is not there, not allowed, or something else
/// lies there. Anything else is the disk's fault.
pub fn is_wrong_path(error: &io::Error) -> bool {
    matches!(
        error.kind(),
        io::ErrorKind::NotFound
            | io::ErrorKind::PermissionDenied
            | io::ErrorKind::ReadOnlyFilesystem
            | io::ErrorKind::IsADirectory
            | io::ErrorKind::NotADirectory
            | io::ErrorKind::InvalidInput
            | io::ErrorKind::InvalidData
    )
}

/// The directory of a file.
fn parent(path: &Path) -> &Path {
    match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    }
}

/// A file under way. Dropped before [`PartialFile::finish`], it leaves nothing behind, and what stood in
/// its place stays.
pub struct PartialFile {
    file: BufWriter<File>,
    partial: PathBuf,
    place: PathBuf,
}

impl PartialFile {
    /// Begins a file that will lie at `place`. What a killed process left beside it is replaced, and a link
    /// there is not followed.
    ///
    /// # Errors
    /// A path that names no file, and any error of the file system.
    pub fn create(place: &Path) -> io::Result<PartialFile> {
        let partial = partial_path(place)?;
        match fs::remove_file(&partial) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => return Err(error),
            _ => {}
        }
        let file = BufWriter::new(File::create_new(&partial)?);
        Ok(PartialFile { file, partial, place: place.to_owned() })
    }

    /// Writes what is left to the disk and moves the file to its place.
    ///
    /// # Errors
    /// Any error of the file system.
    pub fn finish(mut self) -> io::Result<()> {
        self.file.flush()?;
        self.file.get_ref().sync_all()?;
        fs::rename(&self.partial, &self.place)?;
        // Its name is on the disk, too, before anything that relies on it.
        File::open(parent(&self.place))?.sync_all()
    }
}

impl Write for PartialFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.file.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        self.file.flush()
    }
}

impl Drop for PartialFile {
    fn drop(&mut self) {
        // After `finish` there is none; else an error of cleaning up matters less than what led here.
        let _ = fs::remove_file(&self.partial);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_that_name_no_file_are_refused() {
        assert_eq!(write(Path::new("/"), b"").unwrap_err().kind(), io::ErrorKind::InvalidInput);
    }

    #[test]
    fn a_link_beside_the_file_is_not_followed() {
        let directory = tempfile::tempdir().unwrap();
        let (other, place) = (directory.path().join("other"), directory.path().join("file"));
        fs::write(&other, "mine").unwrap();
        for link in ["file.partial", "file"] {
            std::os::unix::fs::symlink(&other, directory.path().join(link)).unwrap();
            write(&place, b"new").unwrap();
            assert_eq!(
                (fs::read(&place).unwrap(), fs::read(&other).unwrap()),
                (b"new".into(), b"mine".into())
            );
            assert!(!place.is_symlink());
            fs::remove_file(&place).unwrap();
        }
    }

    #[test]
    fn only_finished_files_are_there() {
        let directory = tempfile::tempdir().unwrap();
        let place = directory.path().join("file");
        let mut file = PartialFile::create(&place).unwrap();
        file.write_all(b"whole").unwrap();
        file.finish().unwrap();
        let mut file = PartialFile::create(&place).unwrap();
        file.write_all(b"half").unwrap();
        drop(file);
        assert_eq!(fs::read(&place).unwrap(), b"whole");
        assert_eq!(fs::read_dir(directory.path()).unwrap().count(), 1);
    }
}
