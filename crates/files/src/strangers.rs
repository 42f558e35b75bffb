//! What has no place in a directory that a program writes: links and anything else but files and directories.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Directories within directories that are looked into; nothing of ours is as deep.
const MOST_DEPTH: usize = 16;

/// Something that a program must not write through or read from: a link may lead anywhere, a pipe never ends.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{}: is {what}; files and directories of its own have a place here, nothing else", path.display())]
pub struct Stranger {
    /// Where it lies.
    pub path: PathBuf,
    /// What it is, in words.
    pub what: &'static str,
}

/// The first stranger below a directory, in the order of names; `None` where there is none, or no directory.
/// The directory itself may be a link: whoever named it meant what it leads to.
///
/// # Errors
/// Any error of the file system.
pub fn stranger(directory: &Path) -> io::Result<Option<Stranger>> {
    match below(directory, 0) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        other => other,
    }
}

/// The same as an error, for callers that go no further.
///
/// # Errors
/// [`io::ErrorKind::InvalidInput`] with the [`Stranger`], and any error of the file system with the directory's name.
pub fn check_own(directory: &Path) -> io::Result<()> {
    let named = |error: io::Error| io::Error::new(error.kind(), format!("{}: {error}", directory.display()));
    match stranger(directory).map_err(named)? {
        Some(stranger) => Err(io::Error::new(io::ErrorKind::InvalidInput, stranger)),
        None => Ok(()),
    }
}

fn below(directory: &Path, depth: usize) -> io::Result<Option<Stranger>> {
    let mut entries = fs::read_dir(directory)?.collect::<io::Result<Vec<_>>>()?;
    entries.sort_by_key(fs::DirEntry::file_name);
    for entry in entries {
        let (path, kind) = (entry.path(), entry.file_type()?);
        let what = if kind.is_symlink() {
            "a link"
        } else if kind.is_dir() && depth < MOST_DEPTH {
            match below(&path, depth + 1)? {
                Some(found) => return Ok(Some(found)),
                None => continue,
            }
        } else if kind.is_dir() {
            "a directory too deep"
        } else if kind.is_file() {
            continue;
        } else {
            "neither a file nor a directory"
        };
        return Ok(Some(Stranger { path, what }));
    }
    Ok(None)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;

    #[test]
    fn links_and_pipes_are_found_at_any_depth() {
        let place = tempfile::tempdir().unwrap();
        let run = place.path().join("run");
        assert_eq!(stranger(&run).unwrap(), None);
        fs::create_dir_all(run.join("deep/er")).unwrap();
        fs::write(run.join("deep/file"), "x").unwrap();
        assert_eq!(stranger(&run).unwrap(), None);
        check_own(&run).unwrap();
        // The directory itself may be a link.
        symlink(&run, place.path().join("link")).unwrap();
        check_own(&place.path().join("link")).unwrap();
        // Dangling or not.
        for target in [place.path().join("nowhere"), run.join("deep/file")] {
            let link = run.join("deep/er/log.jsonl");
            symlink(target, &link).unwrap();
            let found = check_own(&run).unwrap_err();
            assert_eq!(found.kind(), io::ErrorKind::InvalidInput);
            assert!(found.to_string().contains("deep/er/log.jsonl: is a link"), "{found}");
            fs::remove_file(link).unwrap();
        }
        let _socket = UnixListener::bind(run.join("socket")).unwrap();
        assert_eq!(stranger(&run).unwrap().unwrap().what, "neither a file nor a directory");
    }
}
