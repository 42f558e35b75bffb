//! Errors of the file system with their file: the system says what happened and not to what.

use std::io;
use std::path::Path;

/// Puts the path in front of an error.
pub fn at(path: &Path) -> impl Fn(io::Error) -> io::Error {
    let place = path.display().to_string();
    move |error| io::Error::new(error.kind(), format!("{place}: {error}"))
}
