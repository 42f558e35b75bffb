//! A file for inputs that are read from files, the same one for every input of a thread.

use std::path::{Path, PathBuf};

thread_local! {
    static DIRECTORY: Option<tempfile::TempDir> = tempfile::tempdir().ok();
}

/// Does something with a directory that holds one file with these contents, and the file's path.
pub(crate) fn with_file(name: &str, contents: &[u8], work: impl FnOnce(&Path, &Path)) {
    let directory = DIRECTORY.with(|place| place.as_ref().map(|place| place.path().to_owned()));
    let written = directory.and_then(|place| {
        let path: PathBuf = place.join(name);
        std::fs::create_dir_all(path.parent()?).ok()?;
        std::fs::write(&path, contents).ok()?;
        Some((place, path))
    });
    match written {
        Some((place, path)) => work(&place, &path),
        None => panic!("the directory of temporary files cannot be written"),
    }
}
