//! The engines that a command knows: those of a list, and programs by their paths.

use engine::{EngineSettings, read_list};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// The list that is read where none is named, if it is there.
const DEFAULT_LIST: &str = "engines.toml";

/// A list of engines; empty where there is none.
#[derive(Debug, Default)]
pub struct Engines {
    list: BTreeMap<String, EngineSettings>,
    path: Option<PathBuf>,
}

impl Engines {
    /// Reads a list, or else `engines.toml` in the working directory if there is one.
    ///
    /// # Errors
    /// A file that cannot be read or is no list of engines, in a line.
    pub fn read(path: Option<&Path>) -> Result<Engines, String> {
        let default = Path::new(DEFAULT_LIST);
        let Some(path) = path.or_else(|| default.is_file().then_some(default)) else {
            return Ok(Engines::default());
        };
        let fault = |error: &dyn std::fmt::Display| format!("--engines {}: {error}", path.display());
        let text = files::read_text(path).map_err(|error| fault(&error))?;
        let directory = path.parent().unwrap_or(Path::new(""));
        let list = read_list(&text, directory).map_err(|error| fault(&error))?;
        Ok(Engines { list, path: Some(path.to_owned()) })
    }

    /// The settings of an engine, its program found, and the BLAKE3 of the program.
    ///
    /// # Errors
    /// An engine that is neither in the list nor a program, in a line.
    pub fn find(&self, name: &str) -> Result<(EngineSettings, String), String> {
        let mut settings = match self.list.get(name) {
            Some(settings) => settings.clone(),
            None => EngineSettings::parse(name).map_err(|fault| fault.to_string())?,
        };
        let command =
            settings.locate(name).map_err(|fault| match (&self.path, self.list.contains_key(name)) {
                (Some(path), false) => {
                    let known: Vec<&str> = self.list.keys().map(String::as_str).collect();
                    format!("{fault}; {} lists {}", path.display(), known.join(", "))
                }
                _ => fault.to_string(),
            })?;
        let program = files::read(&command)
            .map_err(|error| format!("engine `{name}`: {} cannot be read: {error}", command.display()))?;
        settings.command = command;
        Ok((settings, blake3::hash(&program).to_string()))
    }
}
