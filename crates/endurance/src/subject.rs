//! What is tormented.

use crate::place::{Ended, Place};
use std::path::{Path, PathBuf};
use std::process::Command;

/// The programs.
#[derive(Clone, Debug)]
pub struct Programs {
    /// `train`.
    pub train: PathBuf,
    /// `evaluate`.
    pub evaluate: PathBuf,
    /// `study`.
    pub study: PathBuf,
}

impl Programs {
    /// The programs in a directory, `target/release` for instance.
    pub fn in_directory(directory: &Path) -> Programs {
        let program = |name: &str| directory.join(name);
        Programs { train: program("train"), evaluate: program("evaluate"), study: program("study") }
    }
}

/// Work that a program does in a directory, that can be stopped in any way and gone on with.
pub trait Subject {
    /// A word for it.
    fn name(&self) -> &'static str;

    /// Puts what the work needs beside its directory: configs.
    ///
    /// # Errors
    /// What the file system says.
    fn prepare(&self, _place: &Place) -> std::io::Result<()> {
        Ok(())
    }

    /// The command that begins the work, or goes on with it where there is some already.
    fn command(&self, programs: &Programs, place: &Place) -> Command;

    /// What a site belongs to, in a reader's words.
    fn group(&self) -> fn(&str) -> &'static str;

    /// Looks at what a stopped program left. `before` is what this found the last time.
    ///
    /// # Errors
    /// What is wrong with it, in words.
    fn check(&self, place: &Place, before: &Kept) -> Result<Kept, String>;

    /// What is there at the end, for comparison with a run that nobody disturbed: equal texts for equal work.
    ///
    /// # Errors
    /// What cannot be read, in words.
    fn result(&self, programs: &Programs, place: &Place, ended: &Ended) -> Result<String, String>;
}

/// What must never be lost again once it was there: games by their numbers, lines of pairs.
pub type Kept = std::collections::BTreeSet<String>;

/// Whatever is in `before` and not in `now`, as an error.
///
/// # Errors
/// What was lost.
pub fn nothing_lost(before: &Kept, now: Kept) -> Result<Kept, String> {
    let lost: Vec<&String> = before.difference(&now).take(3).collect();
    if lost.is_empty() { Ok(now) } else { Err(format!("lost: {lost:?}")) }
}

/// Checks that every line of a file is whole JSON; the last one may be cut off.
///
/// # Errors
/// The first line that is not.
pub fn whole_lines(path: &Path) -> Result<Vec<String>, String> {
    let bytes = std::fs::read(path).unwrap_or_default();
    let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
    let text = String::from_utf8_lossy(&bytes[..whole]).into_owned();
    for (number, line) in (1..).zip(text.lines()) {
        if let Err(error) = serde_json::from_str::<serde_json::Value>(line) {
            return Err(format!("{}: line {number}: {error}", path.display()));
        }
    }
    Ok(text.lines().map(str::to_owned).collect())
}
