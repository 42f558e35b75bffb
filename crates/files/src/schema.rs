//! The version of a JSON file, read before anything else of it: another version has other keys, and "unknown field"
//! would not say so.

use serde::Deserialize;

/// What a JSON object has under `schema`, whatever else is in it.
///
/// # Errors
/// What is no JSON object, or has no whole number there.
pub fn schema(text: &[u8]) -> serde_json::Result<u64> {
    #[derive(Deserialize)]
    struct Version {
        schema: u64,
    }
    serde_json::from_slice(text).map(|version: Version| version.schema)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_version_is_read_whatever_else_there_is() {
        assert_eq!(schema(b"{\"other\": [1], \"schema\": 7, \"later\": {}}").unwrap(), 7);
        for (text, words) in [
            ("", "EOF"),
            ("{}", "missing field `schema`"),
            ("{\"schema\": -1}", "expected u64"),
            ("{\"schema\": \"2\"}", "expected u64"),
            ("{\"schema\": 1, \"schema\": 2}", "duplicate field `schema`"),
            ("{\"schema\": 1} more", "trailing characters"),
        ] {
            let error = schema(text.as_bytes()).unwrap_err().to_string();
            assert!(error.contains(words), "{text}: {error}");
        }
    }
}
