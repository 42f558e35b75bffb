//! One process per run directory.

use serde::{Deserialize, Serialize};
use std::fs::{File, OpenOptions, TryLockError};
use std::io::{self, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// More than the file ever holds.
const MOST_BYTES: u64 = 4096;

/// Name of the lock file in a run directory.
pub const LOCK_FILE: &str = "lock";

/// Who holds, or last held, a run directory.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Holder {
    /// Process id.
    pub pid: u32,
    /// When that process took the directory, seconds since 1970.
    pub started: u64,
}

/// The right to write into a run directory, held until dropped or until the process ends, however it
/// ends: the operating system's lock goes with the process, so a killed one never blocks the next.
#[derive(Debug)]
pub struct RunLock {
    file: File,
}

/// Why a run directory cannot be taken.
#[derive(Debug, thiserror::Error)]
pub enum LockError {
    /// Another process has it.
    #[error(
        "{path}: the run is in use by {holder}; stop that process first, or choose another --run directory"
    )]
    InUse {
        /// The run directory.
        path: PathBuf,
        /// Who has it, in words.
        holder: String,
    },
    /// The lock file cannot be opened or written.
    #[error("{path}: {source}")]
    Io {
        /// The lock file.
        path: PathBuf,
        /// Why.
        source: io::Error,
    },
}

/// Whether a process has a run directory.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Occupied {
    /// It does.
    Yes,
    /// None does, or it cannot be seen.
    No,
}

/// Looks whether a process has a run directory, without taking it or writing anything.
pub fn occupied(directory: &Path) -> Occupied {
    let locked = files::open(&directory.join(LOCK_FILE)).map(|file| file.try_lock_shared());
    match locked {
        Ok(Err(TryLockError::WouldBlock)) => Occupied::Yes,
        _ => Occupied::No,
    }
}

impl RunLock {
    /// Takes the run directory. The second part names the process that held it before and ended
    /// without giving it back (a kill, a crash).
    ///
    /// # Errors
    /// [`LockError::InUse`] names the process that has it.
    pub fn take(directory: &Path) -> Result<(RunLock, Option<Holder>), LockError> {
        let path = directory.join(LOCK_FILE);
        let io_error = |source| LockError::Io { path: path.clone(), source };
        let mut file = OpenOptions::new()
            .read(true)
            .write(true)
            .create(true)
            .truncate(false)
            .open(&path)
            .map_err(io_error)?;
        let locked = file.try_lock();
        // Who held it is a remark: what cannot be understood of it keeps nobody from the run.
        let mut text = Vec::new();
        Read::by_ref(&mut file).take(MOST_BYTES).read_to_end(&mut text).map_err(io_error)?;
        let before = serde_json::from_slice::<Holder>(&text).ok();
        match locked {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                let holder =
                    before.map_or("another process".to_owned(), |holder| format!("process {}", holder.pid));
                return Err(LockError::InUse { path: directory.to_owned(), holder });
            }
            Err(TryLockError::Error(source)) => return Err(io_error(source)),
        }
        let holder = Holder { pid: std::process::id(), started: crate::clock::unix_seconds() };
        let text = serde_json::to_string(&holder).map_err(|error| io_error(error.into()))?;
        file.set_len(0).map_err(io_error)?;
        file.rewind().map_err(io_error)?;
        file.write_all(text.as_bytes()).map_err(io_error)?;
        Ok((RunLock { file }, before))
    }
}

impl Drop for RunLock {
    fn drop(&mut self) {
        // An empty file says that the run was given back in order. Nothing hangs on it: the lock itself
        // goes with the file handle.
        let _ = self.file.set_len(0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_second_taker_is_refused_by_name_until_the_first_lets_go() {
        let directory = tempfile::tempdir().unwrap();
        let (lock, before) = RunLock::take(directory.path()).unwrap();
        assert_eq!(before, None);
        assert_eq!(occupied(directory.path()), Occupied::Yes);
        let refused = RunLock::take(directory.path()).unwrap_err();
        assert!(refused.to_string().contains(&std::process::id().to_string()), "{refused}");
        drop(lock);
        assert_eq!(occupied(directory.path()), Occupied::No);
        let (_lock, before) = RunLock::take(directory.path()).unwrap();
        assert_eq!(before, None, "it was given back in order");
    }

    #[test]
    fn a_stale_lock_is_taken_over_and_named() {
        let directory = tempfile::tempdir().unwrap();
        std::fs::write(directory.path().join(LOCK_FILE), r#"{"pid":4000000,"started":1}"#).unwrap();
        let (lock, before) = RunLock::take(directory.path()).unwrap();
        assert_eq!(before, Some(Holder { pid: 4_000_000, started: 1 }));
        drop(lock);
        for damaged in [&b"\xff\xfe{"[..], b"{\"pid\":-1}", &[b'['; 100_000]] {
            std::fs::write(directory.path().join(LOCK_FILE), damaged).unwrap();
            assert_eq!(RunLock::take(directory.path()).unwrap().1, None);
        }
    }
}
