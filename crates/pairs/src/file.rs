//! The file of a match.

use crate::header::{FORMAT, MatchHeader, VERSION};
use crate::line;
use crate::pair::Pair;
use serde_json::Value;
use std::collections::HashMap;
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::{Path, PathBuf};

/// Everything that a file of pairs holds.
#[derive(Clone, Debug, PartialEq)]
pub struct MatchRecord {
    /// What is played.
    pub header: MatchHeader,
    /// The pairs, by their numbers.
    pub pairs: Vec<Pair>,
    /// A last line that was cut off and has been left out.
    pub torn: Option<TornLine>,
}

/// A last line that was cut off while it was written.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: line {line} was cut off and is dropped ({bytes} bytes)", .path.display())]
pub struct TornLine {
    /// The file.
    pub path: PathBuf,
    /// Its number, from 1.
    pub line: usize,
    /// How long it is.
    pub bytes: usize,
}

/// Why a file of pairs cannot be read or continued.
#[derive(Debug, thiserror::Error)]
pub enum PairFileError {
    /// The file system said no.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        error: io::Error,
    },
    /// It is no file of pairs, or of another version.
    #[error("{}: {what}", .path.display())]
    Format {
        /// The file.
        path: PathBuf,
        /// What was found and what would be right.
        what: String,
    },
    /// A line other than the last is wrong.
    #[error("{}: line {line}: {what}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong with it.
        what: String,
    },
    /// The file holds another match.
    #[error("{}: holds another match: {}", .path.display(), .differences.join("; "))]
    OtherMatch {
        /// The file.
        path: PathBuf,
        /// How it differs.
        differences: Vec<String>,
    },
    /// Another process writes it.
    #[error("{}: another process is playing this match", .path.display())]
    Busy {
        /// The file.
        path: PathBuf,
    },
}

impl PairFileError {
    /// Whether the file is not what was asked for, rather than the file system having failed.
    pub fn is_input(&self) -> bool {
        match self {
            PairFileError::Io { error, .. } => files::is_wrong_path(error),
            _ => true,
        }
    }
}

/// Reads a file of pairs.
///
/// # Errors
/// A file that cannot be read, is none of this format and version, or is damaged before its last line.
pub fn read(path: &Path) -> Result<MatchRecord, PairFileError> {
    let bytes = files::read(path).map_err(|error| io_error(path, error))?;
    match parse(path, &bytes)? {
        Some((record, _)) => Ok(record),
        None => {
            let what = "nothing in it, or a first line that was cut off".to_owned();
            Err(PairFileError::Format { path: path.to_owned(), what })
        }
    }
}

/// A match's file, open for its next pairs and locked against other processes.
#[derive(Debug)]
pub struct PairFile {
    file: File,
    path: PathBuf,
    /// The first line of a new file. It is written together with the first pair, so that a match that
    /// could not begin leaves no other match's header behind.
    header: Option<MatchHeader>,
}

impl PairFile {
    /// Opens the file of a match: a new one with this header, or an existing one of the same match,
    /// whose record is returned with it. A torn last line is cut away.
    ///
    /// # Errors
    /// A file of another match or format, a damaged one, one that another process writes, and errors of
    /// the file system.
    pub fn open(path: &Path, header: &MatchHeader) -> Result<(PairFile, MatchRecord), PairFileError> {
        let fault = |error| io_error(path, error);
        let mut options = OpenOptions::new();
        options.read(true).write(true).create(true).truncate(false);
        let mut file = files::open_with(path, &mut options).map_err(fault)?;
        match file.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => return Err(PairFileError::Busy { path: path.to_owned() }),
            Err(TryLockError::Error(error)) => return Err(fault(error)),
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes).map_err(fault)?;
        let (record, whole) = match parse(path, &bytes)? {
            Some((record, whole)) => {
                let differences = header.differences(&record.header);
                if !differences.is_empty() {
                    return Err(PairFileError::OtherMatch { path: path.to_owned(), differences });
                }
                (record, whole)
            }
            None => (MatchRecord { header: header.clone(), pairs: Vec::new(), torn: None }, 0),
        };
        file.set_len(whole as u64).map_err(fault)?;
        file.seek(SeekFrom::End(0)).map_err(fault)?;
        let header = (whole == 0).then(|| header.clone());
        Ok((PairFile { file, path: path.to_owned(), header }, record))
    }

    /// Adds a pair. It is in the file when this returns, and on the disk when the system writes it there:
    /// a killed process loses nothing, a power cut perhaps the last pairs.
    ///
    /// # Errors
    /// Errors of the file system.
    pub fn append(&mut self, pair: &Pair) -> Result<(), PairFileError> {
        let fault = |error| io_error(&self.path, error);
        let mut text = match &self.header {
            Some(header) => line::write(header).map_err(|error| fault(error.into()))?,
            None => String::new(),
        };
        text.push_str(&line::write(pair).map_err(|error| fault(error.into()))?);
        // One call: what is torn can only be the end.
        self.file.write_all(text.as_bytes()).map_err(fault)?;
        self.header = None;
        Ok(())
    }
}

fn io_error(path: &Path, error: io::Error) -> PairFileError {
    PairFileError::Io { path: path.to_owned(), error }
}

/// The record of a file and the length of its whole lines; `None` where not even the first is whole.
fn parse(path: &Path, bytes: &[u8]) -> Result<Option<(MatchRecord, usize)>, PairFileError> {
    // What follows the last line break was cut off, perhaps inside a letter.
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let text = std::str::from_utf8(&bytes[..whole]).map_err(|error| {
        let before = &bytes[..error.valid_up_to()];
        let line = 1 + before.iter().filter(|&&byte| byte == b'\n').count();
        PairFileError::Line {
            path: path.to_owned(),
            line,
            what: "damaged: it is no text in UTF-8".to_owned(),
        }
    })?;
    let mut lines = (1..).zip(text.lines());
    let Some((_, first)) = lines.next() else {
        return match is_begun(bytes) {
            true => Ok(None),
            false => Err(strange(path, "its first line is no JSON object".to_owned())),
        };
    };
    let header = read_header(path, first)?;
    let mut pairs: Vec<Pair> = Vec::new();
    let mut places = HashMap::new();
    let mut next = 2;
    for (number, text) in lines {
        let fault = |what| PairFileError::Line { path: path.to_owned(), line: number, what };
        let pair: Pair = line::read(text).map_err(|what| fault(format!("{what}; {AGAIN}")))?;
        if let Some(earlier) = places.insert(pair.pair, number) {
            return Err(fault(format!("pair {} again, it is in line {earlier} already", pair.pair)));
        }
        pairs.push(pair);
        next = number + 1;
    }
    pairs.sort_by_key(|pair| pair.pair);
    let bytes = bytes.len() - whole;
    let torn = (bytes > 0).then(|| TornLine { path: path.to_owned(), line: next, bytes });
    Ok(Some((MatchRecord { header, pairs, torn }, whole)))
}

/// Whether a file without a whole line may be one of pairs, stopped before the first of them.
pub fn is_begun(bytes: &[u8]) -> bool {
    !bytes.contains(&b'\n') && (bytes.is_empty() || bytes[0] == b'{')
}

/// What helps against a damaged pair.
const AGAIN: &str = "without this line its pair is played again";

/// Format and version first: other versions have other keys, and "unknown field" would not say so.
fn read_header(path: &Path, text: &str) -> Result<MatchHeader, PairFileError> {
    let value: Value = serde_json::from_str(text)
        .map_err(|error| strange(path, format!("its first line is no JSON object: {error}")))?;
    if value["format"] != FORMAT {
        return Err(strange(path, format!("its format is {}, not \"{FORMAT}\"", value["format"])));
    }
    if value["version"] != VERSION {
        return Err(strange(
            path,
            format!("version {} of the format: this program reads version {VERSION}", value["version"]),
        ));
    }
    line::read(text).map_err(|what| PairFileError::Line { path: path.to_owned(), line: 1, what })
}

fn strange(path: &Path, what: String) -> PairFileError {
    PairFileError::Format { path: path.to_owned(), what: format!("no file of pairs: {what}") }
}
