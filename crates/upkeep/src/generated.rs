//! Programs that make a committed file anew and compare it with what is there, or replace it.

use std::io::Write as _;
use std::path::Path;
use std::process::ExitCode;

/// What is to be done with what is made.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Compare it with what is there.
    Compare,
    /// Put it in its place.
    Rewrite,
}

impl Task {
    /// The task that a command line names: `--rewrite` or nothing.
    ///
    /// # Errors
    /// Anything else, in a line.
    pub fn of(arguments: impl IntoIterator<Item = String>) -> Result<Task, String> {
        let mut task = Task::Compare;
        for argument in arguments {
            match argument.as_str() {
                "--rewrite" => task = Task::Rewrite,
                other => return Err(format!("`{other}`: the only option is --rewrite")),
            }
        }
        Ok(task)
    }
}

/// The `main` of such a program: does what its command line asks for and says what came of it.
pub fn main(work: impl FnOnce(Task) -> Result<String, String>) -> ExitCode {
    match Task::of(std::env::args().skip(1)).and_then(work) {
        Ok(message) => {
            say(&message);
            ExitCode::SUCCESS
        }
        Err(message) => {
            say(&format!("error: {message}"));
            ExitCode::FAILURE
        }
    }
}

/// What the `kept` positions of a file are beside those that were `made`.
///
/// # Errors
/// The first difference, in a line.
pub fn compare<T: PartialEq>(kept: &[T], made: &[T]) -> Result<String, String> {
    match made.iter().zip(kept).position(|(new, old)| new != old) {
        None if made.len() == kept.len() => Ok(format!("all {} positions are the same", kept.len())),
        None => Err(format!("{} positions in the file, {} made", kept.len(), made.len())),
        Some(index) => Err(format!("position {} of the file is another one", index + 1)),
    }
}

/// Puts a file with so many positions in its place.
///
/// # Errors
/// Any error of the file system, with the path.
pub fn replace(path: &Path, contents: &[u8], positions: usize) -> Result<String, String> {
    files::write(path, contents).map_err(|error| format!("{}: {error}", path.display()))?;
    Ok(format!("{positions} positions written"))
}

/// Prints a line on standard error.
pub fn say(line: &str) {
    // Fails only when standard error is gone, and then there is nobody to tell.
    let _ = writeln!(std::io::stderr(), "{line}");
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn command_lines_name_a_task() {
        let task = |words: &[&str]| Task::of(words.iter().map(ToString::to_string));
        assert_eq!(task(&[]), Ok(Task::Compare));
        assert_eq!(task(&["--rewrite"]), Ok(Task::Rewrite));
        assert_eq!(task(&["--rewrite", "now"]), Err("`now`: the only option is --rewrite".to_owned()));
    }

    #[test]
    fn differences_are_named() {
        assert_eq!(compare(&[1, 2], &[1, 2]), Ok("all 2 positions are the same".to_owned()));
        assert_eq!(compare(&[1, 2], &[1, 3]), Err("position 2 of the file is another one".to_owned()));
        assert_eq!(compare(&[1], &[1, 3]), Err("1 positions in the file, 2 made".to_owned()));
    }
}
