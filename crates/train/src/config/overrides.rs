//! `--set key.path=value`.

use crate::config_check::{self, ConfigFault};
use toml::{Table, Value};

/// Puts `key.path=value` over a table. The value is TOML; what is no TOML is taken as text.
pub(super) fn set(table: &mut Table, text: &str) -> Result<(), ConfigFault> {
    let fault = |message: &str| ConfigFault::new(format!("--set {text}"), message);
    let Some((path, value)) = text.split_once('=') else {
        return Err(fault("write it as key.path=value"));
    };
    let path: Vec<String> = path.split('.').map(|part| part.trim().to_owned()).collect();
    if path.iter().any(String::is_empty) {
        return Err(fault("write it as key.path=value"));
    }
    let value = value.trim();
    let parsed = format!("value = {value}").parse::<Table>().ok().and_then(|mut table| table.remove("value"));
    let value = parsed.unwrap_or_else(|| Value::String(value.to_owned()));
    if config_check::insert(table, &path, value) {
        Ok(())
    } else {
        Err(fault("a part of the path is a value and no section"))
    }
}
