//! What a study has played and judged: JSON lines in its directory, appended as things happen.
//!
//! The first line says the version, and every line ends in its own checksum ([`pairs::line`]). A study is a
//! function of its config and of these lines. One that was killed runs again from its beginning
//! and finds here what it had played already; only what was in flight is played again.

use crate::table::{PairRequest, Seat};
use pairs::{Pair, line};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::{Mutex, PoisonError};

/// Name of the file in a study's directory.
pub const FILE: &str = "games.jsonl";

/// Version of the file. Version 1, which has neither a first line of its own nor checksums, is read and gone on
/// with too.
pub const SCHEMA: u32 = 2;

/// The first line.
#[derive(Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Head {
    /// [`HEAD`].
    kind: String,
    /// [`SCHEMA`].
    schema: u32,
}

const HEAD: &str = "record";

/// A line.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case", deny_unknown_fields)]
enum Line {
    /// A pair of games.
    Pair(Box<PlayedPair>),
    /// What the judge says of a set-up against a panel.
    Value {
        /// Against whom: a name for the panel.
        panel: String,
        /// The set-up.
        set_up: String,
        /// Its mean expected score.
        score: f64,
    },
}

/// A pair of games with what it was played for.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PlayedPair {
    /// Number of the player, see [`Seat`].
    pub player: usize,
    /// Simulations a turn.
    pub simulations: u32,
    /// The set-ups, each as its line.
    pub sides: [String; 2],
    /// The games.
    pub pair: Pair,
}

/// Why a record cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    /// The file system.
    #[error("{}: {error}", .path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        error: io::Error,
    },
    /// A line that is no line of a record.
    #[error("{}: line {line}: {message}", .path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// Line, from 1.
        line: usize,
        /// What is wrong.
        message: String,
    },
    /// A pair that belongs to another study.
    #[error(
        "{}: pair {number} was played between other set-ups or by another player: the record belongs to another \
         study", .path.display()
    )]
    Foreign {
        /// The file.
        path: PathBuf,
        /// Its number.
        number: u64,
    },
}

/// A study's record.
#[derive(Debug)]
pub struct Record {
    path: PathBuf,
    /// Version of the file.
    schema: u32,
    pairs: HashMap<u64, PlayedPair>,
    values: HashMap<(String, String), f64>,
    file: Mutex<Writer>,
}

#[derive(Debug)]
struct Writer {
    file: Option<File>,
    error: Option<io::Error>,
    new: Vec<PlayedPair>,
}

impl Record {
    /// Opens the record of a directory, empty where there is none. A last line that was cut off is dropped.
    ///
    /// # Errors
    /// Files that cannot be read or written, and faulty lines.
    pub fn open(directory: &Path) -> Result<Record, RecordError> {
        let path = directory.join(FILE);
        let io = |error| RecordError::Io { path: path.clone(), error };
        let mut record = Record::read(directory)?;
        let whole = match files::read(&path) {
            Ok(bytes) => bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1) as u64,
            Err(error) if error.kind() == io::ErrorKind::NotFound => 0,
            Err(error) => return Err(io(error)),
        };
        let mut file = File::options().create(true).append(true).open(&path).map_err(io)?;
        file.set_len(whole).map_err(io)?;
        if whole == 0 {
            let head = line::write(&Head { kind: HEAD.to_owned(), schema: SCHEMA });
            let head = head.map_err(|error| io(error.into()))?;
            file.write_all(head.as_bytes()).map_err(io)?;
        }
        record.file = Mutex::new(Writer { file: Some(file), error: None, new: Vec::new() });
        Ok(record)
    }

    /// A record in memory only.
    pub fn in_memory() -> Record {
        let file = Mutex::new(Writer { file: None, error: None, new: Vec::new() });
        Record { path: PathBuf::new(), schema: SCHEMA, pairs: HashMap::new(), values: HashMap::new(), file }
    }

    /// The same to look at only.
    ///
    /// # Errors
    /// Files that cannot be read, and faulty lines.
    pub fn read(directory: &Path) -> Result<Record, RecordError> {
        let path = directory.join(FILE);
        let bytes = match files::read(&path) {
            Ok(bytes) => bytes,
            Err(error) if error.kind() == io::ErrorKind::NotFound => Vec::new(),
            Err(error) => return Err(RecordError::Io { path, error }),
        };
        let mut record = Record { path, ..Record::in_memory() };
        // What follows the last line break was cut off, perhaps inside a letter.
        let whole = bytes.iter().rposition(|&byte| byte == b'\n').map_or(0, |end| end + 1);
        for (number, line) in (1..).zip(bytes[..whole].split_inclusive(|&byte| byte == b'\n')) {
            record.take(number, line).map_err(|message| RecordError::Line {
                path: record.path.clone(),
                line: number,
                message,
            })?;
        }
        Ok(record)
    }

    /// Takes a line with its line break.
    fn take(&mut self, number: usize, line: &[u8]) -> Result<(), String> {
        let text = std::str::from_utf8(line).map_err(|_| "damaged: it is no text in UTF-8".to_owned())?;
        let text = text.strip_suffix('\n').unwrap_or(text);
        if number == 1 {
            let first: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
            if first["kind"] == HEAD {
                if first["schema"] != SCHEMA {
                    let found = &first["schema"];
                    return Err(format!("has schema {found}, this program reads schemas 1 to {SCHEMA}"));
                }
                return line::read::<Head>(text).map(|_| ());
            }
            self.schema = 1;
        }
        let line: Line = match self.schema {
            1 => serde_json::from_str(text).map_err(|error| error.to_string()),
            _ => line::read(text),
        }?;
        match line {
            Line::Pair(played) => {
                self.pairs.insert(played.pair.pair, *played);
            }
            Line::Value { score, .. } if !(-0.001..=1.001).contains(&score) => {
                return Err(format!("a score of {score}, which is not between 0 and 1"));
            }
            Line::Value { panel, set_up, score } => {
                self.values.insert((panel, set_up), score);
            }
        }
        Ok(())
    }

    /// The pair of a number, if it has been played.
    ///
    /// # Errors
    /// [`RecordError::Foreign`].
    pub fn pair(&self, seat: Seat, request: &PairRequest) -> Result<Option<&Pair>, RecordError> {
        let Some(played) = self.pairs.get(&request.number) else { return Ok(None) };
        let sides = request.sides.each_ref().map(ToString::to_string);
        if played.sides == sides && (played.player, played.simulations) == (seat.player, seat.simulations) {
            Ok(Some(&played.pair))
        } else {
            Err(RecordError::Foreign { path: self.path.clone(), number: request.number })
        }
    }

    /// What the judge said of a set-up against a panel.
    pub fn value(&self, panel: &str, set_up: &str) -> Option<f64> {
        self.values.get(&(panel.to_owned(), set_up.to_owned())).copied()
    }

    /// Keeps a pair; false where it could not be written, see [`Record::flush`].
    pub fn keep_pair(&self, seat: Seat, request: &PairRequest, pair: &Pair) -> bool {
        let played = PlayedPair {
            player: seat.player,
            simulations: seat.simulations,
            sides: request.sides.each_ref().map(ToString::to_string),
            pair: pair.clone(),
        };
        let kept = self.append(&Line::Pair(Box::new(played.clone())));
        self.writer().new.push(played);
        kept
    }

    /// Keeps values of set-ups against a panel; false where they could not be written.
    pub fn keep_values(&mut self, panel: &str, values: &[(String, f64)]) -> bool {
        values.iter().all(|(set_up, score)| {
            self.values.insert((panel.to_owned(), set_up.clone()), *score);
            self.append(&Line::Value { panel: panel.to_owned(), set_up: set_up.clone(), score: *score })
        })
    }

    /// Takes up what was kept since the last call, and brings it to the disk.
    ///
    /// # Errors
    /// A line that could not be written.
    pub fn flush(&mut self) -> Result<(), RecordError> {
        let path = self.path.clone();
        let mut writer = self.writer();
        let new = std::mem::take(&mut writer.new);
        let error =
            writer.error.take().or_else(|| writer.file.as_ref().and_then(|file| file.sync_data().err()));
        drop(writer);
        self.pairs.extend(new.into_iter().map(|played| (played.pair.pair, played)));
        error.map_or(Ok(()), |error| Err(RecordError::Io { path, error }))
    }

    /// All pairs in the order of their numbers.
    pub fn pairs(&self) -> Vec<&PlayedPair> {
        let mut all: Vec<&PlayedPair> = self.pairs.values().collect();
        all.sort_by_key(|played| played.pair.pair);
        all
    }

    /// Games that were played, those that differ from all others, and those that were void.
    pub fn games(&self) -> [u64; 3] {
        let mut prints = HashSet::new();
        let (mut games, mut void) = (0, 0);
        for game in self.pairs.values().flat_map(|played| &played.pair.games) {
            if game.is_void() {
                void += 1;
            } else {
                games += 1;
                // Colours do not matter where one player plays both.
                prints.insert((game.start.clone(), game.steps.clone()));
            }
        }
        [games, prints.len() as u64, void]
    }

    /// Games that were played between two set-ups in the order of the pairs' sides, and how many of them are
    /// distinct.
    pub fn games_by_set_ups(&self) -> HashMap<[String; 2], (u64, u64)> {
        let mut prints: HashMap<&[String; 2], (u64, HashSet<[u8; 32]>)> = HashMap::new();
        for played in self.pairs.values().filter(|played| played.player == 0) {
            let (games, prints) = prints.entry(&played.sides).or_default();
            for game in played.pair.games.iter().filter(|game| !game.is_void()) {
                *games += 1;
                prints.insert(game.fingerprint());
            }
        }
        prints
            .into_iter()
            .map(|(sides, (games, prints))| (sides.clone(), (games, prints.len() as u64)))
            .collect()
    }

    fn append(&self, line: &Line) -> bool {
        let mut writer = self.writer();
        // Texts, numbers and lists can be written as JSON.
        let text = match self.schema {
            1 => serde_json::to_string(line).map(|text| text + "\n"),
            _ => line::write(line),
        };
        let text = text.unwrap_or_default();
        // In one call, so that a kill leaves whole lines and at most one torn at the end.
        let written = writer.file.as_mut().map_or(Ok(()), |file| file.write_all(text.as_bytes()));
        if let Err(error) = written {
            writer.error.get_or_insert(error);
            // Another thread's line behind half of this one would be a damaged one in the middle.
            writer.file = None;
        }
        writer.error.is_none()
    }

    fn writer(&self) -> std::sync::MutexGuard<'_, Writer> {
        self.file.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use commander::Deployment;
    use pairs::PlayedGame;

    /// A disk that is full for one line and not for the next, as where something else frees room.
    #[test]
    fn nothing_is_written_behind_a_line_that_was_cut_off() {
        let directory = tempfile::tempdir().unwrap();
        let mut record = Record::open(directory.path()).unwrap();
        record.writer().file = Some(File::open(directory.path().join(FILE)).unwrap());
        assert!(!record.keep_values("first", &[("standard".to_owned(), 0.25)]), "it cannot be written to");
        assert!(record.writer().file.is_none());
        assert!(!record.keep_values("first", &[("other".to_owned(), 0.5)]));
        assert!(matches!(record.flush(), Err(RecordError::Io { .. })));
    }

    #[test]
    fn a_record_is_gone_on_with() {
        let directory = tempfile::tempdir().unwrap();
        let request = PairRequest { number: 3, sides: [Deployment::standard(), Deployment::standard()] };
        let seat = Seat { player: 0, simulations: 8 };
        let pair = Pair { pair: 3, games: [PlayedGame::void(0), PlayedGame::void(1)] };
        let mut record = Record::open(directory.path()).unwrap();
        assert!(record.keep_pair(seat, &request, &pair));
        assert!(record.keep_values("first", &[("standard".to_owned(), 0.25)]));
        record.flush().unwrap();
        assert_eq!(record.pair(seat, &request).unwrap(), Some(&pair));
        drop(record);
        let path = directory.path().join(FILE);
        let whole = std::fs::read_to_string(&path).unwrap();
        std::fs::write(&path, format!("{whole}{{\"kind\":\"pa")).unwrap();
        let record = Record::open(directory.path()).unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), whole);
        assert_eq!(record.pair(seat, &request).unwrap(), Some(&pair));
        assert_eq!(record.value("first", "standard"), Some(0.25));
        assert_eq!(record.games(), [0, 0, 2]);
        let other = Seat { player: 1, ..seat };
        assert!(matches!(record.pair(other, &request), Err(RecordError::Foreign { number: 3, .. })));
        std::fs::write(&path, "nonsense\n").unwrap();
        assert!(matches!(Record::open(directory.path()), Err(RecordError::Line { line: 1, .. })));
        // Every line but the last must be as it was written.
        for (from, to, place, words) in [
            ("0.25", "0.26", 3, "damaged: its checksum is"),
            ("\"schema\":2", "\"schema\":3", 1, "has schema 3, this program reads schemas 1 to 2"),
            ("\"kind\":\"record\"", "\"kind\":\"recorD\"", 1, "unknown variant"),
        ] {
            std::fs::write(&path, whole.replacen(from, to, 1)).unwrap();
            let Err(RecordError::Line { line, message, .. }) = Record::open(directory.path()) else {
                panic!()
            };
            assert!(line == place && message.contains(words), "{line}: {message}");
        }
    }

    #[test]
    fn a_record_of_the_first_version_is_gone_on_with_as_it_is() {
        let directory = tempfile::tempdir().unwrap();
        let path = directory.path().join(FILE);
        let value = "{\"kind\":\"value\",\"panel\":\"first\",\"set_up\":\"standard\",\"score\":0.25}\n";
        std::fs::write(&path, value).unwrap();
        let mut record = Record::open(directory.path()).unwrap();
        assert_eq!(record.value("first", "standard"), Some(0.25));
        assert!(record.keep_values("second", &[("standard".to_owned(), 0.5)]));
        drop(record);
        assert!(!std::fs::read_to_string(&path).unwrap().contains("check"));
        assert_eq!(Record::read(directory.path()).unwrap().value("second", "standard"), Some(0.5));
        std::fs::write(&path, value.replace("0.25", "1.25")).unwrap();
        assert!(matches!(Record::read(directory.path()), Err(RecordError::Line { line: 1, .. })));
    }
}
