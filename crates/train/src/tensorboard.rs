//! Scalars for TensorBoard: an event file under `tb/`.
//!
//! An event file is a sequence of records: length (8 bytes, little endian), masked CRC-32C of the length,
//! a serialised `Event` message, masked CRC-32C of the message (TensorFlow, `tensorflow/core/util/event.proto`
//! and `tensorflow/core/lib/io/record_writer.cc`).

use crate::file_error::at;
use prost::Message;
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// The fields of TensorFlow's `Event` that scalars need.
#[derive(Clone, PartialEq, Message)]
struct Event {
    #[prost(double, tag = "1")]
    wall_time: f64,
    #[prost(int64, tag = "2")]
    step: i64,
    #[prost(string, optional, tag = "3")]
    file_version: Option<String>,
    #[prost(message, optional, tag = "5")]
    summary: Option<Summary>,
}

/// Several values of one step.
#[derive(Clone, PartialEq, Message)]
struct Summary {
    #[prost(message, repeated, tag = "1")]
    value: Vec<SummaryValue>,
}

/// One scalar.
#[derive(Clone, PartialEq, Message)]
struct SummaryValue {
    #[prost(string, tag = "1")]
    tag: String,
    #[prost(float, tag = "2")]
    simple_value: f32,
}

/// Writes one event file.
pub struct EventFile {
    path: PathBuf,
    file: File,
}

impl EventFile {
    /// A new event file in `directory`. Each start of a run writes one of its own; TensorBoard shows
    /// them as one curve.
    ///
    /// # Errors
    /// Any error of the file system, with the file.
    pub fn create(directory: &Path) -> io::Result<EventFile> {
        std::fs::create_dir_all(directory).map_err(at(directory))?;
        let time = crate::clock::unix_time();
        let name = format!("events.out.tfevents.{:010}.garrison.{}", time as u64, std::process::id());
        let path = directory.join(name);
        let file = File::create(&path).map_err(at(&path))?;
        let mut file = EventFile { path, file };
        file.write(&Event {
            wall_time: time,
            step: 0,
            file_version: Some("brain.Event:2".to_owned()),
            summary: None,
        })?;
        Ok(file)
    }

    /// Writes scalars of one step.
    ///
    /// # Errors
    /// Any error of the file system, with the file.
    pub fn scalars(&mut self, step: u64, scalars: &[(String, f64)]) -> io::Result<()> {
        let value = scalars
            .iter()
            .map(|(tag, value)| SummaryValue { tag: tag.clone(), simple_value: *value as f32 })
            .collect();
        self.write(&Event {
            wall_time: crate::clock::unix_time(),
            step: i64::try_from(step).unwrap_or(i64::MAX),
            file_version: None,
            summary: Some(Summary { value }),
        })
    }

    fn write(&mut self, event: &Event) -> io::Result<()> {
        self.file.write_all(&record(&event.encode_to_vec())).map_err(at(&self.path))
    }
}

/// One record around a message.
fn record(message: &[u8]) -> Vec<u8> {
    let length = (message.len() as u64).to_le_bytes();
    let mut bytes = Vec::with_capacity(message.len() + 16);
    bytes.extend(length);
    bytes.extend(masked(&length).to_le_bytes());
    bytes.extend(message);
    bytes.extend(masked(message).to_le_bytes());
    bytes
}

/// TensorFlow's masked checksum: rotated and shifted, so that checksums of checksums stay good.
fn masked(bytes: &[u8]) -> u32 {
    crc32c::crc32c(bytes).rotate_right(15).wrapping_add(0xa282_ead8)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_hold_what_was_written() {
        let directory = tempfile::tempdir().unwrap();
        let mut file = EventFile::create(directory.path()).unwrap();
        file.scalars(12, &[("loss/total".to_owned(), 1.5)]).unwrap();
        let path = std::fs::read_dir(directory.path()).unwrap().next().unwrap().unwrap().path();
        let bytes = std::fs::read(path).unwrap();
        let mut events = Vec::new();
        let mut rest = bytes.as_slice();
        while !rest.is_empty() {
            let length = u64::from_le_bytes(rest[..8].try_into().unwrap()) as usize;
            assert_eq!(rest[8..12], masked(&rest[..8]).to_le_bytes());
            let message = &rest[12..12 + length];
            assert_eq!(rest[12 + length..16 + length], masked(message).to_le_bytes());
            events.push(Event::decode(message).unwrap());
            rest = &rest[16 + length..];
        }
        assert_eq!(events.len(), 2);
        assert_eq!(events[0].file_version.as_deref(), Some("brain.Event:2"));
        assert_eq!(events[1].step, 12);
        let value = &events[1].summary.as_ref().unwrap().value[0];
        assert_eq!((value.tag.as_str(), value.simple_value), ("loss/total", 1.5));
    }

    #[test]
    fn the_checksum_is_castagnolis() {
        // The check value of CRC-32C for "123456789" (RFC 3720, appendix B.4 uses the same polynomial).
        assert_eq!(crc32c::crc32c(b"123456789"), 0xe306_9283);
    }
}
