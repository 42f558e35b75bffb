//! Set-ups as people write them on a command line.

use commander::Commander;
use deployments::named::{Named, named, read};
use evaluate::failure::Failure;
use std::path::Path;

/// The set-up that a text means: the name of a hand-made one, a file with one, or its line.
///
/// # Errors
/// [`Failure::Input`] with everything that is wrong.
pub fn find(game: &Commander, text: &str) -> Result<Named, Failure> {
    if let Some(known) = named(game).into_iter().find(|one| one.name == text) {
        return Ok(known);
    }
    let path = Path::new(text);
    let (place, contents) = match path.is_file() {
        true => (format!("{text}: "), file(path)?),
        false => (String::new(), text.to_owned()),
    };
    let found = read(game, &contents).map_err(|faults| {
        // A single word was hardly meant as the line of a set-up.
        let names: Vec<String> = named(game).into_iter().map(|one| one.name).collect();
        match place.is_empty() && !text.trim().contains(char::is_whitespace) {
            true => Failure::input(format!(
                "`{text}` is no file, no line of a set-up such as `N b2 c4, F e2 i2, …`, and none of the hand-made \
                 set-ups: {}",
                names.join(", ")
            )),
            false => Failure::input(format!("{place}{faults}")),
        }
    })?;
    let number = found.len();
    match <[Named; 1]>::try_from(found) {
        Ok([one]) => Ok(one),
        Err(_) => Err(Failure::input(format!("{place}found {number} set-ups, expected one"))),
    }
}

/// The set-ups of a file; the hand-made ones where none is named.
///
/// # Errors
/// [`Failure::Input`] with everything that is wrong.
pub fn panel(game: &Commander, path: Option<&Path>) -> Result<Vec<Named>, Failure> {
    match path {
        None => Ok(named(game)),
        Some(path) => {
            read(game, &file(path)?).map_err(|faults| Failure::input(format!("{}: {faults}", path.display())))
        }
    }
}

fn file(path: &Path) -> Result<String, Failure> {
    files::read_text(path).map_err(|error| Failure::input(format!("{}: {error}", path.display())))
}
