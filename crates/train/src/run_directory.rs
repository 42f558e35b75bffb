//! The run directory: what lies where, and how files in it are written.

use crate::manifest::{Manifest, RUN_SCHEMA, Start};
use files::{PARTIAL, Stranger};
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Paths of a run.
#[derive(Clone, Debug)]
pub struct RunDirectory {
    root: PathBuf,
}

/// Why a run directory cannot be opened.
#[derive(Debug, thiserror::Error)]
pub enum RunDirectoryError {
    /// A new run was asked for where there is something already.
    #[error(
        "{0}: exists already; add --resume to go on with the run in it, or choose another --run directory"
    )]
    Exists(PathBuf),
    /// A run was to go on where there is none.
    #[error("{0}: there is no run to resume (no config.toml); leave out --resume to begin one")]
    NoRun(PathBuf),
    /// The directory belongs to another version.
    #[error("{path}: has schema {found}, this program reads schema {RUN_SCHEMA}")]
    Schema {
        /// The manifest.
        path: PathBuf,
        /// Its schema.
        found: u64,
    },
    /// Something in it that no run has, and that writing would go through to somewhere else.
    #[error(transparent)]
    Stranger(#[from] Stranger),
    /// A file cannot be read or written.
    #[error("{path}: {source}")]
    Io {
        /// Which.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

impl RunDirectory {
    /// The run directory at a path, which need not exist.
    pub fn new(root: &Path) -> RunDirectory {
        RunDirectory { root: root.to_owned() }
    }

    /// Makes the directories of a new run.
    ///
    /// # Errors
    /// [`RunDirectoryError::Exists`] unless the path is free, or a directory that holds nothing but what a
    /// start that was cut off leaves before it has written its config.
    pub fn create(&self) -> Result<(), RunDirectoryError> {
        let occupied = match fs::read_dir(&self.root) {
            Ok(entries) => !entries.flatten().all(|entry| is_of_a_beginning(&entry.path())),
            Err(error) if error.kind() == io::ErrorKind::NotFound => false,
            Err(error) if error.kind() == io::ErrorKind::NotADirectory => true,
            Err(source) => return Err(self.io_error(&self.root, source)),
        };
        if occupied {
            return Err(RunDirectoryError::Exists(self.root.clone()));
        }
        self.check_own()?;
        for directory in [self.root.clone(), self.games(), self.checkpoints(), self.evaluations()] {
            fs::create_dir_all(&directory).map_err(|source| self.io_error(&directory, source))?;
        }
        Ok(())
    }

    /// Removes what a process that was killed has left half-written, and brings back what it was about to
    /// replace. Only for the process that holds the run's lock.
    ///
    /// # Errors
    /// Any error of the file system.
    pub fn clean(&self) -> Result<(), RunDirectoryError> {
        let unfinished = self.games().join(UNFINISHED);
        for directory in [self.root.clone(), self.games(), unfinished, self.checkpoints(), self.evaluations()]
        {
            let Ok(entries) = fs::read_dir(&directory) else { continue };
            for entry in entries.flatten() {
                let path = entry.path();
                let cleaned = match path.extension().and_then(|ending| ending.to_str()) {
                    Some(PARTIAL | REMOVED | "part") => remove(&path),
                    Some(REPLACED) if path.with_extension("").exists() => remove(&path),
                    Some(REPLACED) => fs::rename(&path, path.with_extension("")),
                    _ => Ok(()),
                };
                cleaned.map_err(|source| self.io_error(&path, source))?;
            }
        }
        Ok(())
    }

    /// Checks that there is a run to resume.
    ///
    /// # Errors
    /// [`RunDirectoryError::NoRun`] where there is none, [`RunDirectoryError::Schema`] where another
    /// version wrote it, [`RunDirectoryError::Stranger`] where it leads elsewhere.
    pub fn check_resumable(&self) -> Result<(), RunDirectoryError> {
        if !self.config().is_file() {
            return Err(RunDirectoryError::NoRun(self.root.clone()));
        }
        self.check_own()?;
        match self.read_manifest() {
            // A run that was killed while it began has none yet.
            Err(RunDirectoryError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => Ok(()),
            other => other.map(|_| ()),
        }
    }

    /// Refuses a directory with links in it: what is written, replaced and removed here is to lie here.
    fn check_own(&self) -> Result<(), RunDirectoryError> {
        match files::stranger(&self.root).map_err(|source| self.io_error(&self.root, source))? {
            Some(stranger) => Err(stranger.into()),
            None => Ok(()),
        }
    }

    /// Enters a start of the program into the manifest.
    ///
    /// # Errors
    /// Any error of the file system.
    pub fn add_start(&self, start: Start) -> Result<(), RunDirectoryError> {
        let mut manifest = match self.read_manifest() {
            Ok(manifest) => manifest,
            Err(RunDirectoryError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => {
                Manifest::default()
            }
            Err(error) => return Err(error),
        };
        manifest.schema = RUN_SCHEMA;
        manifest.starts.push(start);
        let path = self.manifest();
        let mut json =
            serde_json::to_vec_pretty(&manifest).map_err(|error| self.io_error(&path, error.into()))?;
        json.push(b'\n');
        files::write(&path, &json).map_err(|source| self.io_error(&path, source))
    }

    /// The newest start in the manifest; `None` where there is none.
    ///
    /// # Errors
    /// A manifest that cannot be read or understood.
    pub fn last_start(&self) -> Result<Option<Start>, RunDirectoryError> {
        match self.read_manifest() {
            Ok(manifest) => Ok(manifest.starts.into_iter().next_back()),
            Err(RunDirectoryError::Io { source, .. }) if source.kind() == io::ErrorKind::NotFound => Ok(None),
            Err(error) => Err(error),
        }
    }

    fn read_manifest(&self) -> Result<Manifest, RunDirectoryError> {
        let path = self.manifest();
        let bytes = files::read(&path).map_err(|source| self.io_error(&path, source))?;
        if let Ok(found) = files::schema(&bytes)
            && found != u64::from(RUN_SCHEMA)
        {
            return Err(RunDirectoryError::Schema { path, found });
        }
        serde_json::from_slice(&bytes).map_err(|error| self.io_error(&path, error.into()))
    }

    fn io_error(&self, path: &Path, source: io::Error) -> RunDirectoryError {
        RunDirectoryError::Io { path: path.to_owned(), source }
    }

    /// The directory itself.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The resolved config.
    pub fn config(&self) -> PathBuf {
        self.root.join("config.toml")
    }

    /// What produced the run.
    pub fn manifest(&self) -> PathBuf {
        self.root.join("manifest.json")
    }

    /// The structured log.
    pub fn log(&self) -> PathBuf {
        self.root.join("log.jsonl")
    }

    /// The metrics.
    pub fn metrics(&self) -> PathBuf {
        self.root.join("metrics.jsonl")
    }

    /// TensorBoard's event files.
    pub fn events(&self) -> PathBuf {
        self.root.join("tb")
    }

    /// Shards of finished games.
    pub fn games(&self) -> PathBuf {
        self.root.join("games")
    }

    /// Games under way at a checkpoint.
    pub fn unfinished(&self, name: &str) -> PathBuf {
        self.games().join(UNFINISHED).join(format!("{name}.json.zst"))
    }

    /// Minutes of work so far.
    pub fn clock(&self) -> PathBuf {
        self.root.join("clock.json")
    }

    /// All checkpoints.
    pub fn checkpoints(&self) -> PathBuf {
        self.root.join("checkpoints")
    }

    /// The checkpoint after a cycle.
    pub fn checkpoint(&self, cycle: u64) -> PathBuf {
        self.checkpoints().join(format!("{cycle:06}"))
    }

    /// The checkpoint of a run that was interrupted within a cycle.
    pub fn interrupted(&self) -> PathBuf {
        self.checkpoints().join("interrupted")
    }

    /// Results of evaluations.
    pub fn evaluations(&self) -> PathBuf {
        self.root.join("eval")
    }

    /// Cycles of the complete checkpoints, rising.
    ///
    /// # Errors
    /// Any error of the file system.
    pub fn checkpoint_cycles(&self) -> Result<Vec<u64>, RunDirectoryError> {
        let directory = self.checkpoints();
        let entries = match fs::read_dir(&directory) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(Vec::new()),
            Err(source) => return Err(self.io_error(&directory, source)),
        };
        let mut cycles = Vec::new();
        for entry in entries {
            let entry = entry.map_err(|source| self.io_error(&directory, source))?;
            let name = entry.file_name();
            let number = name.to_str().filter(|name| name.bytes().all(|byte| byte.is_ascii_digit()));
            cycles.extend(number.and_then(|name| name.parse::<u64>().ok()));
        }
        cycles.sort_unstable();
        Ok(cycles)
    }
}

/// Directory of saved games below the games' one.
const UNFINISHED: &str = "unfinished";
/// Ending of what is being removed.
const REMOVED: &str = "removed";
/// Ending of what is being replaced, until its successor is there.
const REPLACED: &str = "replaced";

/// Whether a start that was cut off before it had written its config may have left this.
fn is_of_a_beginning(path: &Path) -> bool {
    let holds_only = |start: &str| {
        fs::read_dir(path).is_ok_and(|entries| {
            entries
                .flatten()
                .all(|entry| entry.file_name().to_str().is_some_and(|name| name.starts_with(start)))
        })
    };
    match path.file_name().and_then(|name| name.to_str()) {
        Some(crate::lock::LOCK_FILE | "log.jsonl" | "config.toml.partial") => path.is_file(),
        // The first checkpoint is written before the config.
        Some("checkpoints") => holds_only("000000"),
        Some("games") => holds_only(UNFINISHED),
        Some("eval") => fs::read_dir(path).is_ok_and(|mut entries| entries.next().is_none()),
        _ => false,
    }
}

/// Removes a directory, or a file, at once from under its name, so that nobody ever finds half of it there.
///
/// # Errors
/// Any error of the file system.
pub fn remove(path: &Path) -> io::Result<()> {
    if !path.is_dir() {
        return fs::remove_file(path);
    }
    let aside = if path.extension().is_some() { path.to_owned() } else { path.with_extension(REMOVED) };
    if aside != path {
        if aside.exists() {
            fs::remove_dir_all(&aside)?;
        }
        fs::rename(path, &aside)?;
    }
    fs::remove_dir_all(&aside)
}

/// Puts something new under the name of a directory: what is there is put aside, `write` writes the new one,
/// and only then the old one is removed. After a kill in between [`RunDirectory::clean`] brings it back.
///
/// # Errors
/// Any error of the file system, and what `write` says; the old directory is there again then.
pub fn replace<E: From<io::Error>>(path: &Path, write: impl FnOnce() -> Result<(), E>) -> Result<(), E> {
    if !path.exists() {
        return write();
    }
    let aside = path.with_extension(REPLACED);
    if aside.exists() {
        fs::remove_dir_all(&aside)?;
    }
    fs::rename(path, &aside)?;
    match write() {
        Ok(()) => Ok(fs::remove_dir_all(&aside)?),
        Err(error) => {
            fs::rename(&aside, path)?;
            Err(error)
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_free_place_takes_a_new_run() {
        let place = tempfile::tempdir().unwrap();
        let run = RunDirectory::new(&place.path().join("deep/run"));
        assert!(matches!(run.check_resumable(), Err(RunDirectoryError::NoRun(_))));
        run.create().unwrap();
        assert!(run.games().is_dir());
        fs::write(run.config(), "").unwrap();
        assert!(matches!(run.create(), Err(RunDirectoryError::Exists(_))));
        let file = place.path().join("file");
        fs::write(&file, "x").unwrap();
        assert!(matches!(RunDirectory::new(&file).create(), Err(RunDirectoryError::Exists(_))));
        RunDirectory::new(place.path().join("empty").as_path()).create().unwrap();
    }

    #[test]
    fn checkpoints_are_listed_in_order_without_partial_ones() {
        let place = tempfile::tempdir().unwrap();
        let run = RunDirectory::new(place.path());
        assert!(run.checkpoint_cycles().unwrap().is_empty());
        for name in ["000012", "000002", "000003.partial", "interrupted"] {
            fs::create_dir_all(run.checkpoints().join(name)).unwrap();
        }
        assert_eq!(run.checkpoint_cycles().unwrap(), [2, 12]);
        assert!(run.checkpoint(12).is_dir());
    }

    #[test]
    fn what_a_killed_process_left_is_cleaned_away_or_brought_back() {
        let place = tempfile::tempdir().unwrap();
        let run = RunDirectory::new(place.path());
        for name in ["000001", "000002.partial", "000003.removed", "interrupted.replaced"] {
            fs::create_dir_all(run.checkpoints().join(name)).unwrap();
            fs::write(run.checkpoints().join(name).join("state.json"), name).unwrap();
        }
        fs::create_dir_all(run.games()).unwrap();
        fs::write(run.root().join("config.toml.partial"), "x").unwrap();
        fs::write(run.games().join("games-000001.part"), "x").unwrap();
        fs::write(run.games().join("games-000001.open"), "x").unwrap();
        run.clean().unwrap();
        let mut names: Vec<_> =
            fs::read_dir(run.checkpoints()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        names.sort();
        assert_eq!(names, ["000001", "interrupted"]);
        assert_eq!(fs::read_dir(run.games()).unwrap().count(), 1);
        assert!(!run.root().join("config.toml.partial").exists());
        // Killed after the new one was there: that one counts.
        fs::create_dir(run.checkpoints().join("interrupted.replaced")).unwrap();
        run.clean().unwrap();
        assert_eq!(fs::read(run.interrupted().join("state.json")).unwrap(), b"interrupted.replaced");
    }

    #[test]
    fn a_directory_that_cannot_be_replaced_stays() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("interrupted");
        let write = |text: &'static str| {
            let path = path.clone();
            move || {
                fs::create_dir(&path)?;
                fs::write(path.join("state"), text)
            }
        };
        replace(&path, write("one")).unwrap();
        replace(&path, write("two")).unwrap();
        assert_eq!(fs::read(path.join("state")).unwrap(), b"two");
        replace(&path, || Err(io::Error::other("no room"))).unwrap_err();
        assert_eq!(fs::read(path.join("state")).unwrap(), b"two");
        remove(&path).unwrap();
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 0);
    }

    #[test]
    fn files_are_replaced_whole() {
        let place = tempfile::tempdir().unwrap();
        let path = place.path().join("file");
        files::write(&path, b"one").unwrap();
        files::write(&path, b"two").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"two");
        assert_eq!(fs::read_dir(place.path()).unwrap().count(), 1);
    }
}
