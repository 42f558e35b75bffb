//! Rows as JSON objects, one a line.

use super::games::Sink;
use super::rows::Row;
use files::PartialFile;
use std::io::{self, Write};
use std::path::Path;

/// Writes a `.jsonl` file.
pub struct JsonLines {
    file: PartialFile,
}

impl JsonLines {
    /// A file that will lie at `path`.
    ///
    /// # Errors
    /// Any error of the file system.
    pub fn create(path: &Path) -> io::Result<JsonLines> {
        Ok(JsonLines { file: PartialFile::create(path)? })
    }
}

impl Sink for JsonLines {
    fn write(&mut self, rows: Vec<Row>) -> io::Result<()> {
        for row in &rows {
            serde_json::to_writer(&mut self.file, row)?;
            self.file.write_all(b"\n")?;
        }
        Ok(())
    }

    fn finish(self: Box<Self>) -> io::Result<()> {
        self.file.finish()
    }
}
