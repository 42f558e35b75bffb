//! Rule options from the command line and from configs: a preset, then single keys over it.

use crate::Game;
use serde::Serialize;
use toml::{Table, Value};

/// Why rules could not be made from a preset and options; every fault in one message.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum OptionError {
    /// No preset of that name.
    #[error("unknown preset `{found}` for {game}: use one of {known}")]
    UnknownPreset {
        /// The game.
        game: &'static str,
        /// The name that was asked for.
        found: String,
        /// The presets that exist.
        known: String,
    },
    /// One or more options are unknown or have wrong values.
    #[error("{}", .0.join("; "))]
    Faults(Vec<String>),
}

/// Options as `(key, value)`, in the order in which they were given.
pub type Options = [(String, Value)];

/// The rules of a preset (`None`: the default one) with options over it, each `(key, value)` in the
/// words of the rules page. All faults are named at once.
pub fn rules_from<G: Game>(preset: Option<&str>, options: &Options) -> Result<G::Rules, OptionError> {
    let name = preset.unwrap_or(G::presets()[0]);
    let base = G::preset(name).ok_or_else(|| OptionError::UnknownPreset {
        game: G::NAME,
        found: name.to_owned(),
        known: G::presets().join(", "),
    })?;
    let mut table = as_table(&base).map_err(|error| OptionError::Faults(vec![error]))?;
    let mut faults = Vec::new();
    for (key, value) in options {
        match with_option::<G>(&table, key, value) {
            Ok(changed) => table = changed,
            Err(fault) => faults.push(fault),
        }
    }
    if !faults.is_empty() {
        return Err(OptionError::Faults(faults));
    }
    Value::Table(table).try_into().map_err(|error| OptionError::Faults(vec![error.to_string()]))
}

/// Splits `key=value` texts of the command line. A value's kind (number, boolean, list, word) is
/// decided by what is tried first in [`rules_from`].
pub fn parse_pairs(texts: &[String]) -> Result<Vec<(String, Value)>, OptionError> {
    let mut pairs = Vec::new();
    let mut faults = Vec::new();
    for text in texts {
        match text.split_once('=') {
            Some((key, value)) if !key.trim().is_empty() => {
                pairs.push((key.trim().to_owned(), Value::String(value.trim().to_owned())));
            }
            _ => faults.push(format!("option `{text}`: write it as key=value")),
        }
    }
    if faults.is_empty() { Ok(pairs) } else { Err(OptionError::Faults(faults)) }
}

/// The rules as a table of options, for manifests and messages.
pub fn as_table<R: Serialize>(rules: &R) -> Result<Table, String> {
    match Value::try_from(rules) {
        Ok(Value::Table(table)) => Ok(table),
        Ok(_) => Err("rules are not a table of options".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}

/// The table with one option changed, if the game accepts it.
fn with_option<G: Game>(table: &Table, key: &str, value: &Value) -> Result<Table, String> {
    if !table.contains_key(key) {
        let known: Vec<&str> = table.keys().map(String::as_str).collect();
        return Err(match known.is_empty() {
            true => format!("unknown option `{key}`: {} has no options", G::NAME),
            false => format!("unknown option `{key}` for {}: known are {}", G::NAME, known.join(", ")),
        });
    }
    let mut messages = Vec::new();
    for reading in readings(value) {
        let mut changed = table.clone();
        changed.insert(key.to_owned(), reading);
        match Value::Table(changed.clone()).try_into::<G::Rules>() {
            Ok(_) => return Ok(changed),
            Err(error) => messages.push(error.message().to_owned()),
        }
    }
    // A reading of the right kind has something to say about the value itself.
    let about_value = messages.iter().position(|message| !message.starts_with("invalid type"));
    let message = messages.swap_remove(about_value.unwrap_or(0));
    Err(format!("option `{key}`: {message}"))
}

/// The ways a value may be meant: from the command line everything is text, `100` may be a number.
fn readings(value: &Value) -> Vec<Value> {
    let mut readings = vec![value.clone()];
    if let Value::String(text) = value {
        if let Ok(number) = text.parse::<i64>() {
            readings.push(Value::Integer(number));
        }
        if let Ok(boolean) = text.parse::<bool>() {
            readings.push(Value::Boolean(boolean));
        }
        let words = text.split(',').map(str::trim).filter(|word| !word.is_empty());
        readings.push(Value::Array(words.map(|word| Value::String(word.to_owned())).collect()));
    }
    readings
}
