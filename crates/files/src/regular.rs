//! Reading what is a file and nothing else. A pipe that nobody writes to is waited for without end, and some
//! devices never end: neither is anything that a program should read because it bears a file's name.

use std::fs::{File, FileType, OpenOptions};
use std::io::{self, Read};
use std::os::unix::fs::{FileTypeExt, OpenOptionsExt};
use std::path::Path;

/// Opens a file for reading; a link leads to one.
///
/// # Errors
/// [`io::ErrorKind::InvalidInput`] for anything but a file or a directory, in words and without its name, as other
/// errors of the file system are; and any of these.
pub fn open(path: &Path) -> io::Result<File> {
    open_with(path, File::options().read(true))
}

/// Opens a file as the options say, which may make it.
///
/// # Errors
/// As [`open`].
pub fn open_with(path: &Path, options: &mut OpenOptions) -> io::Result<File> {
    // Looked at first, because opening a device may already do something; and not waited for, should another thing
    // take its place in between.
    match path.metadata() {
        Err(error) if error.kind() == io::ErrorKind::NotFound => {}
        found => check(found?.file_type())?,
    }
    let file = options.custom_flags(libc::O_NONBLOCK).open(path)?;
    check(file.metadata()?.file_type())?;
    Ok(file)
}

/// The contents of a file.
///
/// # Errors
/// As [`open`].
pub fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut file = open(path)?;
    let mut bytes = Vec::with_capacity(usize::try_from(file.metadata()?.len()).unwrap_or_default());
    file.read_to_end(&mut bytes)?;
    Ok(bytes)
}

/// The contents of a file of text.
///
/// # Errors
/// As [`open`], and [`io::ErrorKind::InvalidData`] for what is no UTF-8.
pub fn read_text(path: &Path) -> io::Result<String> {
    let mut text = String::new();
    open(path)?.read_to_string(&mut text)?;
    Ok(text)
}

fn check(kind: FileType) -> io::Result<()> {
    let what = if kind.is_file() {
        return Ok(());
    } else if kind.is_dir() {
        // What the system says of it.
        return Err(io::Error::from_raw_os_error(libc::EISDIR));
    } else if kind.is_fifo() {
        "a pipe"
    } else if kind.is_socket() {
        "a socket"
    } else {
        "a device"
    };
    Err(io::Error::new(io::ErrorKind::InvalidInput, format!("is {what}, expected a file")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::fs;
    use std::os::unix::fs::symlink;
    use std::os::unix::net::UnixListener;
    use std::path::PathBuf;
    use std::process::Command;

    fn pipe(path: PathBuf) -> PathBuf {
        assert!(Command::new("mkfifo").arg(&path).status().unwrap().success());
        path
    }

    #[test]
    fn files_are_read_and_nothing_else() {
        let directory = tempfile::tempdir().unwrap();
        let place = |name: &str| directory.path().join(name);
        fs::write(place("file"), "text").unwrap();
        symlink("file", place("link")).unwrap();
        for name in ["file", "link"] {
            assert_eq!(read(&place(name)).unwrap(), b"text");
            assert_eq!(read_text(&place(name)).unwrap(), "text");
        }
        assert_eq!(read(&place("none")).unwrap_err().kind(), io::ErrorKind::NotFound);
        fs::write(place("bytes"), b"\xff").unwrap();
        assert_eq!(read_text(&place("bytes")).unwrap_err().kind(), io::ErrorKind::InvalidData);

        // Nobody writes to the pipe, and the device never ends.
        let pipe = pipe(place("pipe"));
        symlink("pipe", place("link to a pipe")).unwrap();
        let _socket = UnixListener::bind(place("socket")).unwrap();
        for (path, what) in [
            (pipe, "is a pipe, expected a file"),
            (place("link to a pipe"), "is a pipe, expected a file"),
            (place("socket"), "is a socket, expected a file"),
            (PathBuf::from("/dev/zero"), "is a device, expected a file"),
        ] {
            for error in [read(&path).unwrap_err(), read_text(&path).unwrap_err(), open(&path).unwrap_err()] {
                assert_eq!(error.kind(), io::ErrorKind::InvalidInput);
                assert_eq!(error.to_string(), what);
            }
        }
        assert_eq!(read(directory.path()).unwrap_err().kind(), io::ErrorKind::IsADirectory);
    }

    #[test]
    fn a_file_may_be_made_and_a_pipe_is_not_written_to() {
        let directory = tempfile::tempdir().unwrap();
        let place = |name: &str| directory.path().join(name);
        let append = |path: &Path| open_with(path, File::options().create(true).append(true));
        append(&place("new")).unwrap();
        assert!(place("new").is_file());
        // Nobody reads from it: to open it would wait.
        assert_eq!(append(&pipe(place("pipe"))).unwrap_err().to_string(), "is a pipe, expected a file");
    }
}
