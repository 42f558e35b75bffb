//! A study's directory: `config.toml`, `games.jsonl`, `findings.json`, the page and the tables.

use deployments::learned::LearnConfig;
use deployments::{Config, Findings};
use evaluate::failure::Failure;
use game::Faults;
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::fs::{File, TryLockError};
use std::path::{Path, PathBuf};

/// Name of the resolved config.
pub const CONFIG: &str = "config.toml";
/// Name of the findings.
pub const FINDINGS: &str = "findings.json";
/// Name of the file that a running study holds locked.
const LOCK: &str = "lock";

/// A config that is stated before the work begins.
pub trait Stated: Serialize + DeserializeOwned + PartialEq {
    /// Checks that numbers are in their ranges.
    ///
    /// # Errors
    /// All faults, each with its key.
    fn check(&self) -> Result<(), Faults>;
}

impl Stated for Config {
    fn check(&self) -> Result<(), Faults> {
        Config::check(self)
    }
}

impl Stated for LearnConfig {
    fn check(&self) -> Result<(), Faults> {
        LearnConfig::check(self)
    }
}

/// A directory that this process alone writes to.
pub struct Directory {
    /// Where it is.
    pub path: PathBuf,
    _lock: File,
}

impl Directory {
    /// Takes the directory of a new study or, with `resume`, of one that has the same config.
    ///
    /// # Errors
    /// A directory that holds a study already, none or another one to go on with, and one in use.
    pub fn open<C: Stated>(path: &Path, config: &C, resume: bool) -> Result<Directory, Failure> {
        let known = path.join(CONFIG);
        let place = path.display();
        if !resume && known.exists() {
            return Err(Failure::input(format!("{place}: holds a study already; --resume goes on with it")));
        }
        if resume && !known.exists() {
            return Err(Failure::input(format!("{place}: there is no study to go on with")));
        }
        std::fs::create_dir_all(path).map_err(|error| Failure::input(format!("{place}: {error}")))?;
        // What is written here is to lie here.
        files::check_own(path).map_err(Failure::input)?;
        let lock =
            File::create(path.join(LOCK)).map_err(|error| Failure::input(format!("{place}: {error}")))?;
        match lock.try_lock() {
            Ok(()) => {}
            Err(TryLockError::WouldBlock) => {
                return Err(Failure::input(format!("{place}: another process is at work on this study")));
            }
            Err(TryLockError::Error(error)) => return Err(Failure::work(format!("{place}: {error}"))),
        }
        let text = toml::to_string(config).map_err(Failure::work)?;
        if resume {
            let earlier: C = read_config(&known)?;
            if earlier != *config {
                let changed = changed_keys(&earlier, config).join(", ");
                return Err(Failure::input(format!(
                    "{place}: was begun with another config ({changed}); a study's rules are stated before it starts: \
                     go on with its own, or begin another one"
                )));
            }
        } else {
            files::write(&known, text.as_bytes())
                .map_err(|error| Failure::work(format!("{}: {error}", known.display())))?;
        }
        Ok(Directory { path: path.to_owned(), _lock: lock })
    }

    /// Writes the findings.
    ///
    /// # Errors
    /// Any error of the file system.
    pub fn write_findings(&self, findings: &Findings) -> Result<(), Failure> {
        let path = self.path.join(FINDINGS);
        let text = findings.to_file().map_err(Failure::work)?;
        files::write(&path, &text).map_err(|error| Failure::work(format!("{}: {error}", path.display())))
    }
}

/// Reads a config; every key that is missing has its default.
///
/// # Errors
/// Files that cannot be read, unknown keys, numbers out of range.
pub fn read_config<C: Stated>(path: &Path) -> Result<C, Failure> {
    let fault = |why: String| Failure::input(format!("{}: {why}", path.display()));
    let text = files::read_text(path).map_err(|error| fault(error.to_string()))?;
    let config: C = toml::from_str(&text).map_err(|error| fault(toml_fault(&text, &error)))?;
    config.check().map_err(|faults| fault(faults.to_string()))?;
    Ok(config)
}

/// What is wrong with a TOML text, in one line.
pub(crate) fn toml_fault(text: &str, error: &toml::de::Error) -> String {
    let message = error.message().trim().replace('\n', " ");
    match error.span() {
        Some(span) => format!("line {}: {message}", text[..span.start].matches('\n').count() + 1),
        None => message,
    }
}

/// Reads the findings of a study.
///
/// # Errors
/// No findings, those of another version, and files that are damaged or faulty.
pub fn read_findings(directory: &Path) -> Result<Findings, Failure> {
    let path = directory.join(FINDINGS);
    let fault = |why: String| Failure::input(format!("{}: {why}", path.display()));
    let text =
        files::read(&path).map_err(|error| fault(format!("{error}; a study writes it when it ends")))?;
    Findings::from_file(&text).map_err(fault)
}

/// Keys whose values differ, in dotted form.
fn changed_keys(one: &impl Serialize, other: &impl Serialize) -> Vec<String> {
    fn walk(prefix: &str, one: &toml::Value, other: &toml::Value, found: &mut Vec<String>) {
        match (one, other) {
            (toml::Value::Table(one), toml::Value::Table(other)) => {
                let keys: std::collections::BTreeSet<&String> = one.keys().chain(other.keys()).collect();
                for key in keys {
                    let none = toml::Value::Boolean(false);
                    let place = if prefix.is_empty() { key.clone() } else { format!("{prefix}.{key}") };
                    walk(&place, one.get(key).unwrap_or(&none), other.get(key).unwrap_or(&none), found);
                }
            }
            _ if one != other => found.push(prefix.to_owned()),
            _ => {}
        }
    }
    let mut found = Vec::new();
    if let (Ok(one), Ok(other)) = (toml::Value::try_from(one), toml::Value::try_from(other)) {
        walk("", &one, &other, &mut found);
    }
    found
}
