//! Lines of JSON that carry their own checksum.
//!
//! The last key of every line is `check`: the CRC-32C of the line before it, in eight hexadecimal
//! digits. Any reader of JSON lines can leave it alone.

use serde::Serialize;
use serde::de::DeserializeOwned;

const KEY: &str = ",\"check\":\"";
const END: &str = "\"}";

/// A value as a line, its line break included. `value` must be written as a JSON object that is not
/// empty.
///
/// # Errors
/// A value that JSON cannot hold.
pub fn write(value: &impl Serialize) -> serde_json::Result<String> {
    let mut line = serde_json::to_string(value)?;
    line.pop();
    let check = crc32c::crc32c(line.as_bytes());
    line.push_str(&format!("{KEY}{check:08x}{END}\n"));
    Ok(line)
}

/// The value of a line without its line break.
///
/// # Errors
/// What is wrong with the line, in words.
pub fn read<T: DeserializeOwned>(line: &str) -> Result<T, String> {
    serde_json::from_str(body(line)?.as_str()).map_err(|error| error.to_string())
}

/// The line without its checksum.
///
/// # Errors
/// A checksum that is missing or wrong, in words.
pub fn body(line: &str) -> Result<String, String> {
    let found = line.strip_suffix(END).and_then(|line| line.rsplit_once(KEY));
    let Some((body, check)) = found else { return Err("no checksum at its end".to_owned()) };
    let right = format!("{:08x}", crc32c::crc32c(body.as_bytes()));
    if check != right {
        return Err(format!("damaged: its checksum is {right}, and {check} is written"));
    }
    Ok(format!("{body}}}"))
}
