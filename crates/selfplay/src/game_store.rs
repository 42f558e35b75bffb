//! The directory of a run's finished games.

use crate::retention::{Retention, Retired};
use crate::shard::{Identity, ShardError, ShardFault, ShardReader, ShardWriter, searched_steps};
use game::record::GameRecord;
use std::fmt;
use std::fs;
use std::path::{Path, PathBuf};

/// Ending of a shard that is complete.
const SHARD: &str = "shard";
/// Ending of a shard that games are still added to.
const OPEN: &str = "open";

/// Finished games on disk: closed shards `games-000012.shard` and at most one `games-000013.open`
/// that games are added to.
///
/// A game is with the operating system when [`GameStore::append`] returns, and safe from a power cut
/// once its shard is closed or [`GameStore::sync`] has returned. A shard is closed by writing it to
/// the disk and renaming it, so that a `.shard` is always whole. One process at a time may own a
/// store.
#[derive(Debug)]
pub struct GameStore {
    directory: PathBuf,
    identity: Identity,
    /// Bytes after which a shard is closed.
    most_bytes: u64,
    open: Option<ShardWriter>,
    next_number: u64,
    retired: Retired,
}

/// What [`GameStore::open`] made of a shard that an earlier process left open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Recovered {
    /// The open shard that was found.
    pub path: PathBuf,
    /// What became of it.
    pub fate: Fate,
    /// Games in it.
    pub games: u64,
    /// Length of the torn tail that was cut off.
    pub dropped_bytes: u64,
    /// Damaged blocks between whole ones; they are named again by whoever reads the shard.
    pub faults: Vec<ShardFault>,
}

/// What became of a shard that was left open.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Fate {
    /// It is a closed shard now, under this path.
    Closed(PathBuf),
    /// It held no whole game and is gone.
    Removed,
    /// Not even its head can be read; it was put aside under this path.
    PutAside(PathBuf),
}

impl fmt::Display for Recovered {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Recovered { path, games, dropped_bytes, .. } = self;
        write!(formatter, "{} was left open: {games} games kept", path.display())?;
        if let Fate::PutAside(aside) = &self.fate {
            write!(formatter, ", its head is damaged, put aside as {}", aside.display())?;
        } else if *dropped_bytes > 0 {
            write!(formatter, ", a torn tail of {dropped_bytes} bytes dropped")?;
        }
        for fault in &self.faults {
            write!(formatter, "; {fault}")?;
        }
        Ok(())
    }
}

/// Games read from a store.
#[derive(Clone, Debug, Default)]
pub struct Loaded {
    /// The games, oldest first.
    pub games: Vec<GameRecord>,
    /// Places that could not be read.
    pub faults: Vec<ShardFault>,
    /// The shards that the games come from in their order, each with the number of its games.
    shards: Vec<(PathBuf, usize)>,
}

impl Loaded {
    /// The shard of the game in this place of [`Loaded::games`].
    pub fn shard_of(&self, index: usize) -> Option<&Path> {
        let mut end = 0;
        let shard = self.shards.iter().find(|(_, games)| {
            end += games;
            index < end
        });
        shard.map(|(path, _)| path.as_path())
    }
}

/// How much a store holds, by the heads of its blocks.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Totals {
    /// Closed shards, and the open one.
    pub shards: u64,
    /// Games.
    pub games: u64,
    /// Searched steps of the games.
    pub samples: u64,
    /// Searched steps of games whose shards were removed ([`GameStore::retire`]).
    pub retired_samples: u64,
    /// Bytes on disk.
    pub bytes: u64,
    /// Places that could not be read.
    pub faults: Vec<ShardFault>,
}

impl GameStore {
    /// Opens the store in `directory`, which is created where missing. Shards that were left open
    /// lose their torn tail, are closed, and are reported.
    ///
    /// # Errors
    /// What the file system says; an open shard of another game or other rules, which is left alone.
    pub fn open(
        directory: &Path,
        identity: Identity,
        most_bytes: u64,
    ) -> Result<(GameStore, Vec<Recovered>), ShardError> {
        let io = |source| ShardError::Io { path: directory.to_owned(), source };
        fs::create_dir_all(directory).map_err(io)?;
        let retired = Retired::read(directory)?;
        let (closed, open) = list(directory)?;
        let numbers = closed.iter().chain(&open).map(|(number, _)| number + 1);
        let mut next_number = numbers.max().unwrap_or(0).max(retired.below);
        // Left by a process that was killed while it removed them.
        for (_, path) in closed.iter().filter(|(number, _)| *number < retired.below) {
            remove(path)?;
        }
        let mut recovered = Vec::new();
        for (number, path) in open {
            let mut target = shard_path(directory, number, SHARD);
            if target.exists() {
                target = shard_path(directory, next_number, SHARD);
                next_number += 1;
            }
            recovered.push(recover(&path, &target, &identity)?);
        }
        sync_directory(directory)?;
        Ok((
            GameStore {
                directory: directory.to_owned(),
                identity,
                most_bytes,
                open: None,
                next_number,
                retired,
            },
            recovered,
        ))
    }

    /// Adds finished games.
    ///
    /// # Errors
    /// What the file system says.
    pub fn append(&mut self, games: &[GameRecord]) -> Result<(), ShardError> {
        if games.is_empty() {
            return Ok(());
        }
        let writer = match &mut self.open {
            Some(writer) => writer,
            None => {
                let path = shard_path(&self.directory, self.next_number, OPEN);
                self.next_number += 1;
                self.open.insert(ShardWriter::create(&path, &self.identity)?)
            }
        };
        writer.append(games)?;
        if writer.bytes() >= self.most_bytes { self.close_shard().map(|_| ()) } else { Ok(()) }
    }

    /// Waits until all games are on the disk.
    ///
    /// # Errors
    /// What the file system says.
    pub fn sync(&self) -> Result<(), ShardError> {
        self.open.as_ref().map_or(Ok(()), ShardWriter::sync)
    }

    /// Closes the open shard, if there is one, and returns the path it has now: at the end of a
    /// cycle, before the checkpoint that counts its games, and at the end of a run.
    ///
    /// # Errors
    /// What the file system says.
    pub fn close_shard(&mut self) -> Result<Option<PathBuf>, ShardError> {
        let Some(writer) = self.open.take() else { return Ok(None) };
        writer.sync()?;
        let target = writer.path().with_extension(SHARD);
        rename(writer.path(), &target)?;
        sync_directory(&self.directory)?;
        Ok(Some(target))
    }

    /// Whose games these are.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Paths of the closed shards, oldest first.
    ///
    /// # Errors
    /// What the file system says.
    pub fn shards(&self) -> Result<Vec<PathBuf>, ShardError> {
        Ok(list(&self.directory)?.0.into_iter().map(|(_, path)| path).collect())
    }

    /// Counts what the store holds without reading the games.
    ///
    /// # Errors
    /// What the file system says; a shard of another game, other rules or another format.
    pub fn totals(&self) -> Result<Totals, ShardError> {
        let mut totals = Totals { retired_samples: self.retired.samples, ..Totals::default() };
        for path in self.paths()? {
            totals.shards += 1;
            let mut reader = match open_or_fault(&path, &self.identity)? {
                Ok(reader) => reader,
                Err(fault) => {
                    totals.bytes += fault.skipped;
                    totals.faults.push(fault);
                    continue;
                }
            };
            totals.bytes += reader.length();
            while let Some(head) = reader.next_head()? {
                match head {
                    Ok(head) => {
                        totals.games += u64::from(head.games);
                        totals.samples += u64::from(head.samples);
                    }
                    Err(fault) => totals.faults.push(fault),
                }
            }
        }
        Ok(totals)
    }

    /// Reads the newest games that have at least `samples` searched steps together, whole shards at
    /// a time, or all games where there are fewer.
    ///
    /// # Errors
    /// What the file system says; a shard of another game, other rules or another format.
    pub fn newest(&self, samples: u64) -> Result<Loaded, ShardError> {
        let mut newest_first = Vec::new();
        let (mut faults, mut shards) = (Vec::new(), Vec::new());
        let mut found = 0;
        for path in self.paths()?.iter().rev() {
            if found >= samples {
                break;
            }
            let (games, shard_faults) = read_shard(path, &self.identity)?;
            found += games.iter().map(|game| searched_steps(game) as u64).sum::<u64>();
            shards.push((path.clone(), games.len()));
            newest_first.push(games);
            faults.extend(shard_faults);
        }
        shards.reverse();
        Ok(Loaded { games: newest_first.into_iter().rev().flatten().collect(), faults, shards })
    }

    /// Drops the games of all cycles after `cycle`, because the run goes back to the end of that one
    /// and will play them again; returns their number. The open shard is closed first.
    ///
    /// # Errors
    /// What the file system says; a shard of another game, other rules or another format.
    pub fn drop_after(&mut self, cycle: u64) -> Result<u64, ShardError> {
        self.close_shard()?;
        let mut dropped = 0;
        for path in self.shards()?.iter().rev() {
            let (mut games, _) = read_shard(path, &self.identity)?;
            let before = games.len();
            games.retain(|game| game.cycle <= cycle);
            if games.len() == before && before > 0 {
                // Games are in the order in which they ended, so all earlier ones stay too.
                break;
            }
            if before == 0 {
                continue;
            }
            dropped += (before - games.len()) as u64;
            if games.is_empty() {
                remove(path)?;
                continue;
            }
            let beside = path.with_extension("part");
            if beside.exists() {
                remove(&beside)?;
            }
            let mut writer = ShardWriter::create(&beside, &self.identity)?;
            for game in &games {
                writer.append(std::slice::from_ref(game))?;
            }
            writer.sync()?;
            rename(&beside, path)?;
        }
        sync_directory(&self.directory)?;
        Ok(dropped)
    }

    /// Removes the oldest closed shards that `retention` lets go: never one that [`GameStore::newest`] reads
    /// for this many samples, and, with [`Retention::Cycles`], none with a game of the newest cycles up to
    /// `cycle`. Returns what was removed now. A process that is killed within it leaves every shard whole or
    /// removed, and the next [`GameStore::open`] removes the rest.
    ///
    /// # Errors
    /// What the file system says; a shard of another game, other rules or another format.
    pub fn retire(&mut self, retention: Retention, samples: u64, cycle: u64) -> Result<Retired, ShardError> {
        let mut now = Retired { below: self.retired.below, ..Retired::default() };
        let newest_cycles = match retention {
            Retention::All => return Ok(now),
            Retention::Window => None,
            Retention::Cycles(count) => Some(count),
        };
        let mut read = 0;
        let mut unread = Vec::new();
        for (number, path) in list(&self.directory)?.0.into_iter().rev() {
            let counted = self.count(&path)?;
            if read < samples {
                read += counted.samples;
            } else {
                unread.push((number, path, counted));
            }
        }
        let mut gone = Vec::new();
        for (number, path, counted) in unread.into_iter().rev() {
            if let Some(count) = newest_cycles {
                let (games, _) = read_shard(&path, &self.identity)?;
                if games.iter().any(|game| game.cycle.saturating_add(count) > cycle) {
                    break;
                }
            }
            now.below = number + 1;
            now.shards += 1;
            now.games += counted.games;
            now.samples += counted.samples;
            now.bytes += counted.bytes;
            gone.push(path);
        }
        if gone.is_empty() {
            return Ok(now);
        }
        // The sums first: a shard that is gone must have been counted.
        self.retired = self.retired.with(&now);
        self.retired.write(&self.directory)?;
        sync_directory(&self.directory)?;
        for path in &gone {
            remove(path)?;
        }
        sync_directory(&self.directory)?;
        Ok(now)
    }

    /// What was removed since the run began.
    pub fn retired(&self) -> &Retired {
        &self.retired
    }

    /// Counts a closed shard by the heads of its blocks; what cannot be read counts for nothing.
    fn count(&self, path: &Path) -> Result<Totals, ShardError> {
        let mut totals = Totals { shards: 1, ..Totals::default() };
        let Ok(mut reader) = open_or_fault(path, &self.identity)? else { return Ok(totals) };
        totals.bytes = reader.length();
        while let Some(head) = reader.next_head()? {
            if let Ok(head) = head {
                totals.games += u64::from(head.games);
                totals.samples += u64::from(head.samples);
            }
        }
        Ok(totals)
    }

    /// All shards, the open one last.
    fn paths(&self) -> Result<Vec<PathBuf>, ShardError> {
        let mut paths = self.shards()?;
        paths.extend(self.open.as_ref().map(|writer| writer.path().to_owned()));
        Ok(paths)
    }
}

/// Paths of all shards in a store's directory, oldest first, one that games are still added to last. Reading
/// them is safe while another process writes; it may find the last game of an open one incomplete.
///
/// # Errors
/// What the file system says.
pub fn shard_paths(directory: &Path) -> Result<Vec<PathBuf>, ShardError> {
    let (closed, open) = list(directory)?;
    Ok(closed.into_iter().chain(open).map(|(_, path)| path).collect())
}

/// All games of a shard, and the places that could not be read: the whole file when its head is
/// damaged.
///
/// # Errors
/// What the file system says; a shard of another game, other rules or another format.
pub fn read_shard(
    path: &Path,
    identity: &Identity,
) -> Result<(Vec<GameRecord>, Vec<ShardFault>), ShardError> {
    let mut games = Vec::new();
    let mut faults = Vec::new();
    let mut reader = match open_or_fault(path, identity)? {
        Ok(reader) => reader,
        Err(fault) => return Ok((games, vec![fault])),
    };
    while let Some(block) = reader.next_block()? {
        match block {
            Ok(block) => games.extend(block),
            Err(fault) => faults.push(fault),
        }
    }
    Ok((games, faults))
}

/// Opens a shard; one with a damaged head is a fault of its whole length.
fn open_or_fault(path: &Path, identity: &Identity) -> Result<Result<ShardReader, ShardFault>, ShardError> {
    match ShardReader::open_for(path, identity) {
        Ok(reader) => Ok(Ok(reader)),
        Err(ShardError::Head { path, message }) => {
            let skipped =
                fs::metadata(&path).map_err(|source| ShardError::Io { path: path.clone(), source })?.len();
            Ok(Err(ShardFault { path, offset: 0, skipped, message }))
        }
        Err(error) => Err(error),
    }
}

/// Cuts the torn tail off an open shard and closes it.
fn recover(path: &Path, target: &Path, identity: &Identity) -> Result<Recovered, ShardError> {
    let io = |source| ShardError::Io { path: path.to_owned(), source };
    let length = fs::metadata(path).map_err(io)?.len();
    let mut recovered = Recovered {
        path: path.to_owned(),
        fate: Fate::Removed,
        games: 0,
        dropped_bytes: length,
        faults: Vec::new(),
    };
    if length == 0 {
        fs::remove_file(path).map_err(io)?;
        return Ok(recovered);
    }
    let mut reader = match ShardReader::open_for(path, identity) {
        Ok(reader) => reader,
        // A power cut may leave a head that never came to the disk.
        Err(ShardError::Head { .. }) => {
            let aside = target.with_extension("damaged");
            rename(path, &aside)?;
            recovered.fate = Fate::PutAside(aside);
            return Ok(recovered);
        }
        Err(error) => return Err(error),
    };
    let mut whole_until = reader.offset();
    while let Some(block) = reader.next_block()? {
        match block {
            Ok(games) => {
                recovered.games += games.len() as u64;
                whole_until = reader.offset();
            }
            Err(fault) => recovered.faults.push(fault),
        }
    }
    drop(reader);
    recovered.faults.retain(|fault| fault.offset < whole_until);
    recovered.dropped_bytes = length - whole_until;
    if recovered.games == 0 {
        fs::remove_file(path).map_err(io)?;
        return Ok(recovered);
    }
    let file = fs::File::options().write(true).open(path).map_err(io)?;
    file.set_len(whole_until).and_then(|()| file.sync_all()).map_err(io)?;
    rename(path, target)?;
    recovered.fate = Fate::Closed(target.to_owned());
    Ok(recovered)
}

type Numbered = Vec<(u64, PathBuf)>;

/// Closed and open shards of a directory, each in the order of their numbers; other files are not
/// looked at.
fn list(directory: &Path) -> Result<(Numbered, Numbered), ShardError> {
    let io = |source| ShardError::Io { path: directory.to_owned(), source };
    let (mut closed, mut open) = (Vec::new(), Vec::new());
    for entry in fs::read_dir(directory).map_err(io)? {
        let path = entry.map_err(io)?.path();
        let Some(name) = path.file_name().and_then(|name| name.to_str()) else { continue };
        let Some((stem, ending)) = name.split_once('.') else { continue };
        let Some(number) = stem.strip_prefix("games-").and_then(|digits| digits.parse().ok()) else {
            continue;
        };
        match ending {
            SHARD => closed.push((number, path)),
            OPEN => open.push((number, path)),
            _ => {}
        }
    }
    closed.sort_unstable();
    open.sort_unstable();
    Ok((closed, open))
}

fn shard_path(directory: &Path, number: u64, ending: &str) -> PathBuf {
    directory.join(format!("games-{number:06}.{ending}"))
}

fn remove(path: &Path) -> Result<(), ShardError> {
    fs::remove_file(path).map_err(|source| ShardError::Io { path: path.to_owned(), source })
}

fn rename(from: &Path, to: &Path) -> Result<(), ShardError> {
    fs::rename(from, to).map_err(|source| ShardError::Io { path: from.to_owned(), source })
}

/// Waits until the names in a directory are on the disk.
fn sync_directory(directory: &Path) -> Result<(), ShardError> {
    fs::File::open(directory)
        .and_then(|handle| handle.sync_all())
        .map_err(|source| ShardError::Io { path: directory.to_owned(), source })
}
