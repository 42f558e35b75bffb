//! A file that is written beside its place and moved there when it is whole.

use std::fs::{self, File};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

/// Ending of the name of a file that is not whole yet.
pub const PARTIAL: &str = "partial";

/// Where a file lies until it is whole: beside its place.
pub fn partial_path(place: &Path) -> PathBuf {
    let mut name = place.file_name().unwrap_or_default().to_os_string();
    name.push(".");
    name.push(PARTIAL);
    place.with_file_name(name)
}

/// A file under way. Dropped before [`PartialFile::finish`], it leaves nothing behind, and what stood in
/// its place stays.
pub struct PartialFile {
    file: BufWriter<File>,
    partial: PathBuf,
    place: PathBuf,
}

impl PartialFile {
    /// Begins a file that will lie at `place`.
    ///
    /// # Errors
    /// Any error of the file system.
    pub fn create(place: &Path) -> io::Result<PartialFile> {
        let partial = partial_path(place);
        let file = BufWriter::new(File::create(&partial)?);
        Ok(PartialFile { file, partial, place: place.to_owned() })
    }

    /// Writes what is left to the disk and moves the file to its place.
    ///
    /// # Errors
    /// Any error of the file system.
    pub fn finish(mut self) -> io::Result<()> {
        self.file.flush()?;
        self.file.get_ref().sync_all()?;
        fs::rename(&self.partial, &self.place)
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
