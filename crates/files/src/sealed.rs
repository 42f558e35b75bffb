//! JSON objects that carry their own checksum: the last key, `check`, is the BLAKE3 of all bytes before it,
//! hexadecimal. Any reader of JSON may leave it alone.

use crate::schema;
use serde::Serialize;

const KEY: &str = ",\n  \"check\": \"";
const END: &str = "\"\n}";

/// Why a sealed text is not taken.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum SealError {
    /// It does not end in a checksum.
    #[error("no checksum at its end: it was cut off, or something else wrote it")]
    Missing,
    /// It was changed after it was written.
    #[error("damaged: its checksum is {found}, and {written} is written")]
    Damaged {
        /// The checksum of what is there.
        found: String,
        /// The one that is written.
        written: String,
    },
}

/// A value as a sealed text with a line break at its end. `value` must be written as a JSON object that is
/// not empty.
///
/// # Errors
/// A value that JSON cannot hold.
pub fn write(value: &impl Serialize) -> serde_json::Result<Vec<u8>> {
    let mut text = serde_json::to_string_pretty(value)?;
    text.truncate(text.strip_suffix("\n}").map_or(text.len(), str::len));
    let check = blake3::hash(text.as_bytes()).to_hex();
    text.push_str(&format!("{KEY}{check}{END}\n"));
    Ok(text.into_bytes())
}

/// The JSON object of a sealed text without its checksum.
///
/// # Errors
/// A text that is not as it was written.
pub fn open(text: &[u8]) -> Result<Vec<u8>, SealError> {
    let text = text.strip_suffix(b"\n").unwrap_or(text);
    let inner = text.strip_suffix(END.as_bytes()).ok_or(SealError::Missing)?;
    let place = inner.len().checked_sub(KEY.len() + blake3::OUT_LEN * 2).ok_or(SealError::Missing)?;
    let (body, tail) = inner.split_at(place);
    let written = tail.strip_prefix(KEY.as_bytes()).ok_or(SealError::Missing)?;
    let found = blake3::hash(body).to_hex();
    if written != found.as_bytes() {
        let written = String::from_utf8_lossy(written).into_owned();
        return Err(SealError::Damaged { found: found.to_string(), written });
    }
    Ok([body, b"\n}".as_slice()].concat())
}

/// Why a text with a version is not taken.
#[derive(Debug, thiserror::Error)]
pub enum VersionError {
    /// It is no JSON object with a version.
    #[error("{0}")]
    Json(#[from] serde_json::Error),
    /// Another version wrote it.
    #[error("has schema {found}, this program reads schemas 1 to {newest}")]
    Other {
        /// Its version.
        found: u64,
        /// The newest one that is read.
        newest: u64,
    },
    /// It was changed.
    #[error(transparent)]
    Seal(#[from] SealError),
    /// It has a checksum that its version does not have.
    #[error("damaged: schema {0} has no checksum, and this one has")]
    Unexpected(u64),
}

/// The JSON object of a text whose key `schema` is its version, sealed since version `sealed` and not before.
///
/// # Errors
/// The version first: another one has other keys, and a reader's "unknown field" would not say so.
pub fn open_version(text: &[u8], sealed: u64, newest: u64) -> Result<Vec<u8>, VersionError> {
    let found = schema(text)?;
    match open(text) {
        _ if !(1..=newest).contains(&found) => Err(VersionError::Other { found, newest }),
        Err(SealError::Missing) if found < sealed => Ok(text.to_vec()),
        _ if found < sealed => Err(VersionError::Unexpected(found)),
        opened => Ok(opened?),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::{Value, json};

    #[test]
    fn what_is_sealed_comes_back_and_is_json_for_everybody() {
        for value in [
            json!({"a": 1, "b": {"c": [1.5, {}]}}),
            json!({"z": {}}),
            json!({"text": "}\n\"check\": \"x\"\n}"}),
        ] {
            let text = write(&value).unwrap();
            assert_eq!(serde_json::from_slice::<Value>(&open(&text).unwrap()).unwrap(), value);
            let mut seen: Value = serde_json::from_slice(&text).unwrap();
            assert!(seen.as_object_mut().unwrap().remove("check").is_some());
            assert_eq!(seen, value);
        }
    }

    #[test]
    fn the_version_comes_first_and_older_ones_have_no_seal() {
        let version = |schema: u32| write(&json!({"schema": schema, "key": 1})).unwrap();
        let plain: Value = serde_json::from_slice(&open_version(&version(2), 2, 2).unwrap()).unwrap();
        assert_eq!(plain, json!({"schema": 2, "key": 1}));
        assert_eq!(open_version(b"{\"schema\": 1}", 2, 2).unwrap(), b"{\"schema\": 1}");
        let mut damaged = version(2);
        let one = damaged.iter().position(|&byte| byte == b'1').unwrap();
        damaged[one] = b'3';
        for (text, words) in [
            (version(9), "has schema 9, this program reads schemas 1 to 2"),
            (b"{\"schema\": 0}".to_vec(), "has schema 0"),
            (b"{\"schema\": 2}".to_vec(), "no checksum at its end"),
            (version(1), "damaged: schema 1 has no checksum"),
            (damaged, "damaged: its checksum is"),
            (b"{}".to_vec(), "missing field `schema`"),
            (Vec::new(), "EOF"),
        ] {
            let error = open_version(&text, 2, 2).unwrap_err().to_string();
            assert!(error.contains(words), "{error}");
        }
    }

    #[test]
    fn every_flipped_bit_and_every_cut_is_seen() {
        let text = write(&json!({"schema": 2, "steps": 1200, "nested": {"name": "x"}})).unwrap();
        for place in 0..text.len() - 1 {
            for bit in 0..8 {
                let mut damaged = text.clone();
                damaged[place] ^= 1 << bit;
                open(&damaged).unwrap_err();
            }
            open(&text[..place]).unwrap_err();
        }
        // The line break at the end says nothing.
        open(&text[..text.len() - 1]).unwrap();
    }
}
