//! What there is to know of an engine: its program, its protocol, its options.

use crate::protocol::Protocol;
use crate::ranks::Ranks;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// An engine as a list of engines describes it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct EngineSettings {
    /// The program: a path, or a name that is looked for in the directories of `PATH`.
    pub command: PathBuf,
    /// Its arguments.
    #[serde(default)]
    pub arguments: Vec<String>,
    /// How it is talked to.
    #[serde(default)]
    pub protocol: Protocol,
    /// Where it counts ranks from.
    #[serde(default)]
    pub ranks: Ranks,
    /// How it is told the time for a turn; by default as its protocol says.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub time_command: Option<TimeCommand>,
    /// Options that are set before the first game.
    #[serde(default)]
    pub options: BTreeMap<String, OptionValue>,
    /// Milliseconds that it has to get ready.
    #[serde(default = "default_startup")]
    pub startup_ms: u64,
    /// Milliseconds that a turn may take longer than its time before it counts as too late.
    #[serde(default = "default_grace")]
    pub grace_ms: u64,
    /// Milliseconds that a turn may take where nodes limit it.
    #[serde(default = "default_patience")]
    pub patience_ms: u64,
}

/// An engine may have to read a network from the disk first, on a machine that does other things too.
fn default_startup() -> u64 {
    60_000
}

fn default_grace() -> u64 {
    2_000
}

fn default_patience() -> u64 {
    60_000
}

/// How an engine is told the time for a turn.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TimeCommand {
    /// `go movetime T`, as in UCI.
    Movetime,
    /// `go time T movestogo 1`, as in UCCI.
    Clock,
}

/// The value of an option, as it stands in a list of engines.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(untagged)]
pub enum OptionValue {
    /// `true` or `false`.
    Switch(bool),
    /// A whole number.
    Number(i64),
    /// Anything else.
    Text(String),
}

impl fmt::Display for OptionValue {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            OptionValue::Switch(value) => value.fmt(formatter),
            OptionValue::Number(value) => value.fmt(formatter),
            OptionValue::Text(value) => formatter.write_str(value),
        }
    }
}

/// Why a text says nothing usable about an engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SettingsError {
    /// A list is no TOML, or has keys or values that engines do not have.
    #[error("{0}")]
    List(String),
    /// The settings behind a `?` are wrong.
    #[error("engine `{text}`: {what}")]
    Query {
        /// The whole text.
        text: String,
        /// What is wrong.
        what: String,
    },
    /// There is no such program.
    #[error("engine `{name}`: there is no program {}{}", .command.display(), if *.searched { " in PATH" } else { "" })]
    Missing {
        /// The engine.
        name: String,
        /// The program.
        command: PathBuf,
        /// Whether it was looked for in `PATH`.
        searched: bool,
    },
}

/// Reads a list of engines: a TOML table for each name. Relative paths of programs with a `/` in them
/// are taken from `directory`.
///
/// # Errors
/// What is wrong with the text.
pub fn read_list(text: &str, directory: &Path) -> Result<BTreeMap<String, EngineSettings>, SettingsError> {
    let mut list: BTreeMap<String, EngineSettings> = toml::from_str(text)
        .map_err(|error| SettingsError::List(error.to_string().trim().replace('\n', " ")))?;
    for engine in list.values_mut() {
        if engine.command.components().count() > 1 {
            engine.command = directory.join(&engine.command);
        }
    }
    Ok(list)
}

impl EngineSettings {
    /// An engine of its program alone.
    pub fn new(command: impl Into<PathBuf>, protocol: Protocol) -> EngineSettings {
        EngineSettings {
            command: command.into(),
            arguments: Vec::new(),
            protocol,
            ranks: Ranks::default(),
            time_command: None,
            options: BTreeMap::new(),
            startup_ms: default_startup(),
            grace_ms: default_grace(),
            patience_ms: default_patience(),
        }
    }

    /// Reads `PROGRAM[?key=value&…]`, the keys being those of a list, `option.NAME` and, once for each,
    /// `argument`.
    ///
    /// # Errors
    /// Keys and values that engines do not have.
    pub fn parse(text: &str) -> Result<EngineSettings, SettingsError> {
        let (command, query) = text.split_once('?').unwrap_or((text, ""));
        let fault = |what: String| SettingsError::Query { text: text.to_owned(), what };
        let mut table = toml::Table::new();
        let (mut options, mut arguments) = (toml::Table::new(), Vec::new());
        table.insert("command".to_owned(), command.into());
        for part in query.split('&').filter(|part| !part.is_empty()) {
            let (key, value) =
                part.split_once('=').ok_or_else(|| fault(format!("`{part}`: write it as key=value")))?;
            let number = value.parse::<i64>().map_or_else(|_| value.into(), toml::Value::Integer);
            match key.split_once('.') {
                Some(("option", name)) => drop(options.insert(name.to_owned(), number)),
                None if key == "argument" => arguments.push(toml::Value::from(value)),
                _ => drop(table.insert(key.to_owned(), number)),
            }
        }
        table.insert("options".to_owned(), options.into());
        table.insert("arguments".to_owned(), arguments.into());
        table.try_into().map_err(|error: toml::de::Error| fault(error.message().to_owned()))
    }

    /// Finds the program of the engine called `name`.
    ///
    /// # Errors
    /// When there is none.
    pub fn locate(&self, name: &str) -> Result<PathBuf, SettingsError> {
        let searched = self.command.components().count() == 1;
        let found = if searched {
            let path = std::env::var_os("PATH").unwrap_or_default();
            std::env::split_paths(&path)
                .map(|directory| directory.join(&self.command))
                .find(|path| path.is_file())
        } else {
            self.command.is_file().then(|| self.command.clone())
        };
        found.ok_or_else(|| SettingsError::Missing {
            name: name.to_owned(),
            command: self.command.clone(),
            searched,
        })
    }

    /// How it is told the time for a turn.
    pub fn time_command(&self) -> TimeCommand {
        self.time_command.unwrap_or(match self.protocol {
            Protocol::Uci => TimeCommand::Movetime,
            Protocol::Ucci => TimeCommand::Clock,
        })
    }

    /// Time that it has to get ready.
    pub fn startup(&self) -> Duration {
        Duration::from_millis(self.startup_ms)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read() {
        let text = "[fairy]\ncommand = \"bin/fairy\"\nprotocol = \"ucci\"\n[fairy.options]\nThreads = 1\n\
                    [plain]\ncommand = \"plain\"\nranks = \"from-one\"\n";
        let list = read_list(text, Path::new("/there")).unwrap();
        assert_eq!(list["fairy"].command, Path::new("/there/bin/fairy"));
        assert_eq!(list["fairy"].time_command(), TimeCommand::Clock);
        assert_eq!(list["fairy"].options["Threads"].to_string(), "1");
        assert_eq!(list["plain"].command, Path::new("plain"));
        assert_eq!(list["plain"].ranks, Ranks::FromOne);
        assert_eq!(list["plain"].time_command(), TimeCommand::Movetime);
    }

    #[test]
    fn texts_are_read() {
        let read = EngineSettings::parse(
            "./fairy?protocol=ucci&option.Use_NNUE=false&option.Hash=16&argument=-a&argument=b&grace_ms=9",
        )
        .unwrap();
        assert_eq!((read.protocol, read.grace_ms), (Protocol::Ucci, 9));
        assert_eq!(read.arguments, ["-a", "b"]);
        assert_eq!(read.options["Hash"], OptionValue::Number(16));
        assert_eq!(read.options["Use_NNUE"].to_string(), "false");
        assert_eq!(EngineSettings::parse("fairy").unwrap(), EngineSettings::new("fairy", Protocol::Uci));
    }

    #[test]
    fn faults_are_named() {
        for (text, message) in [
            ("fairy?protocol=xboard", "unknown variant `xboard`, expected `uci` or `ucci`"),
            ("fairy?protocol", "engine `fairy?protocol`: `protocol`: write it as key=value"),
            ("fairy?colour=red", "unknown field `colour`"),
        ] {
            let found = EngineSettings::parse(text).unwrap_err().to_string();
            assert!(found.contains(message) && found.starts_with("engine `fairy?"), "{found}");
        }
        let missing =
            |text: &str| EngineSettings::parse(text).unwrap().locate("fairy").unwrap_err().to_string();
        assert_eq!(missing("no/such"), "engine `fairy`: there is no program no/such");
        assert_eq!(missing("no-such-program"), "engine `fairy`: there is no program no-such-program in PATH");
        assert!(EngineSettings::parse("sh").unwrap().locate("sh").is_ok());
        let found = read_list("[a]\ncommand = 3\n", Path::new(".")).unwrap_err().to_string();
        assert!(found.contains("line 2") && !found.contains('\n'), "{found}");
    }
}
