//! One file of finished games, made so that nothing worse than its tail can be lost.
//!
//! A shard is a head followed by blocks. All numbers are little-endian.
//!
//! | part | bytes |
//! |---|---|
//! | head | [`MAGIC`] (8), schema version (4), length of the identity (4), identity as JSON, BLAKE3 of all that (32) |
//! | block | head of 24 bytes, compressed games, BLAKE3 of both (32) |
//! | block head | `GAME` (4), compressed length (4), plain length (4), games (4), searched steps (4), first 4 bytes of the BLAKE3 of these 20 |
//!
//! The games of a block are [`GameRecord`]s in postcard form, one after the other, compressed with
//! zstd. The block head has a checksum of its own so that a damaged block can be skipped.

use game::Game;
use game::record::GameRecord;
use serde::{Deserialize, Serialize};
use std::fs::File;
use std::io::{self, BufReader, Read, Seek, Write};
use std::path::{Path, PathBuf};

/// First bytes of a shard. The first is no ASCII character and the last a line break, so that a
/// transfer as text is noticed.
pub const MAGIC: [u8; 8] = *b"\x89GSHARD\n";
/// Version of the format; readers refuse others.
pub const SCHEMA: u32 = 2;

const BLOCK_MARK: [u8; 4] = *b"GAME";
const BLOCK_HEAD: usize = 24;
const CHECKSUM: usize = 32;
/// Longest identity that a reader believes.
const MOST_IDENTITY: u32 = 1 << 20;
/// Longest block that a reader believes and a writer writes, compressed or plain.
const MOST_BLOCK: u32 = 1 << 26;
const COMPRESSION: i32 = 3;

/// Whose games a shard holds; the games of other rules are refused.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Identity {
    /// [`Game::NAME`].
    pub game: String,
    /// [`Game::RULES_VERSION`].
    pub rules_version: u32,
    /// The rules in force.
    pub rules: serde_json::Value,
    /// Name of the run, for messages; games of another run are not refused.
    pub run: String,
}

impl Identity {
    /// The identity of a run of this game.
    ///
    /// # Errors
    /// Rules that cannot be written as JSON.
    pub fn of<G: Game>(game: &G, run: &str) -> Result<Identity, serde_json::Error> {
        Ok(Identity {
            game: G::NAME.to_owned(),
            rules_version: G::RULES_VERSION,
            rules: serde_json::to_value(game.rules())?,
            run: run.to_owned(),
        })
    }

    /// What differs from `other` in a way that makes its games useless here; `None` when nothing
    /// does.
    fn difference(&self, other: &Identity) -> Option<String> {
        if self.game != other.game {
            return Some(format!("it holds games of {}, not of {}", other.game, self.game));
        }
        if self.rules_version != other.rules_version {
            return Some(format!(
                "its {} rules have version {}, these have version {}",
                self.game, other.rules_version, self.rules_version
            ));
        }
        if self.rules != other.rules {
            return Some(format!("its rules are {}, these are {}", other.rules, self.rules));
        }
        None
    }
}

/// Why a shard could not be written or read at all.
#[derive(Debug, thiserror::Error)]
pub enum ShardError {
    /// The file system refused.
    #[error("{}: {source}", path.display())]
    Io {
        /// The file.
        path: PathBuf,
        /// What it said.
        source: io::Error,
    },
    /// Not a shard, or one whose head is damaged.
    #[error("{}: {message}", path.display())]
    Head {
        /// The file.
        path: PathBuf,
        /// What was found.
        message: String,
    },
    /// A shard of another version of the format.
    #[error("{}: its format has version {found}; this program reads version {SCHEMA}", path.display())]
    Version {
        /// The file.
        path: PathBuf,
        /// Its version.
        found: u32,
    },
    /// Games of another game or of other rules.
    #[error("{}: {difference}", path.display())]
    Foreign {
        /// The file.
        path: PathBuf,
        /// What differs.
        difference: String,
    },
    /// A game that cannot be written.
    #[error("{}: game {id} cannot be written: {message}", path.display())]
    Record {
        /// The file.
        path: PathBuf,
        /// The game.
        id: u64,
        /// Why.
        message: String,
    },
}

/// A place in a shard that could not be read. Nothing else of the shard is lost, unless the fault
/// is that it ends early.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{} at byte {offset}: {message}", path.display())]
pub struct ShardFault {
    /// The file.
    pub path: PathBuf,
    /// Offset of the block.
    pub offset: u64,
    /// Length of what was skipped.
    pub skipped: u64,
    /// What was found.
    pub message: String,
}

/// Writes one shard under a name of its own; the caller renames it once it is complete.
#[derive(Debug)]
pub struct ShardWriter {
    path: PathBuf,
    file: File,
    bytes: u64,
    games: u64,
}

impl ShardWriter {
    /// A new shard at `path`, which must not exist.
    ///
    /// # Errors
    /// What the file system says, also that the file exists.
    pub fn create(path: &Path, identity: &Identity) -> Result<ShardWriter, ShardError> {
        let io = |source| ShardError::Io { path: path.to_owned(), source };
        let text = serde_json::to_vec(identity).map_err(|error| io(error.into()))?;
        let mut head = Vec::with_capacity(text.len() + 64);
        head.extend_from_slice(&MAGIC);
        head.extend_from_slice(&SCHEMA.to_le_bytes());
        head.extend_from_slice(&(text.len() as u32).to_le_bytes());
        head.extend_from_slice(&text);
        let checksum = blake3::hash(&head);
        head.extend_from_slice(checksum.as_bytes());
        let mut file = File::options().write(true).create_new(true).open(path).map_err(io)?;
        file.write_all(&head).map_err(io)?;
        Ok(ShardWriter { path: path.to_owned(), file, bytes: head.len() as u64, games: 0 })
    }

    /// Adds games as one block, in one write. They are with the operating system when it returns,
    /// and on the disk after [`ShardWriter::sync`].
    ///
    /// # Errors
    /// What the file system says, or a game too large for a block. The file ends after its last whole block
    /// then, also on a full disk.
    pub fn append(&mut self, games: &[GameRecord]) -> Result<(), ShardError> {
        let Some(first) = games.first() else { return Ok(()) };
        let block = write_block(games).map_err(|message| ShardError::Record {
            path: self.path.clone(),
            id: first.id,
            message,
        })?;
        if let Err(source) = self.file.write_all(&block) {
            // Cutting a file off needs no room. Should even that fail, readers drop the torn tail.
            let _ = self.file.set_len(self.bytes);
            let _ = self.file.seek(io::SeekFrom::Start(self.bytes));
            return Err(ShardError::Io { path: self.path.clone(), source });
        }
        self.bytes += block.len() as u64;
        self.games += games.len() as u64;
        Ok(())
    }

    /// Waits until everything is on the disk.
    ///
    /// # Errors
    /// What the file system says.
    pub fn sync(&self) -> Result<(), ShardError> {
        self.file.sync_all().map_err(|source| ShardError::Io { path: self.path.clone(), source })
    }

    /// The file.
    pub fn path(&self) -> &Path {
        &self.path
    }

    /// Length of the file.
    pub fn bytes(&self) -> u64 {
        self.bytes
    }

    /// Games written to it.
    pub fn games(&self) -> u64 {
        self.games
    }
}

/// Number of steps that were searched, which is the number of training samples of a game.
pub fn searched_steps(game: &GameRecord) -> usize {
    game.steps.iter().filter(|step| step.search.is_some()).count()
}

fn write_block(games: &[GameRecord]) -> Result<Vec<u8>, String> {
    let mut plain = Vec::new();
    for game in games {
        plain = postcard::to_extend(game, plain).map_err(|error| error.to_string())?;
    }
    let packed = zstd::bulk::compress(&plain, COMPRESSION).map_err(|error| error.to_string())?;
    if plain.len().max(packed.len()) > MOST_BLOCK as usize {
        return Err(format!("{} bytes are more than a block holds ({MOST_BLOCK})", plain.len()));
    }
    let samples: usize = games.iter().map(searched_steps).sum();
    let mut block = Vec::with_capacity(BLOCK_HEAD + packed.len() + CHECKSUM);
    block.extend_from_slice(&BLOCK_MARK);
    for number in [packed.len(), plain.len(), games.len(), samples] {
        block.extend_from_slice(&(number as u32).to_le_bytes());
    }
    let check = blake3::hash(&block);
    block.extend_from_slice(&check.as_bytes()[..4]);
    block.extend_from_slice(&packed);
    let checksum = blake3::hash(&block);
    block.extend_from_slice(checksum.as_bytes());
    Ok(block)
}

/// What stands in the head of a block.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockHead {
    packed: u32,
    plain: u32,
    /// Games of the block.
    pub games: u32,
    /// Searched steps of its games.
    pub samples: u32,
}

impl BlockHead {
    fn read(bytes: &[u8; BLOCK_HEAD]) -> Result<BlockHead, String> {
        let number = |index: usize| {
            let mut four = [0; 4];
            four.copy_from_slice(&bytes[4 * index..4 * index + 4]);
            u32::from_le_bytes(four)
        };
        if bytes[..4] != BLOCK_MARK {
            return Err("no block begins here".to_owned());
        }
        if blake3::hash(&bytes[..20]).as_bytes()[..4] != bytes[20..] {
            return Err("the head of the block is damaged".to_owned());
        }
        let head = BlockHead { packed: number(1), plain: number(2), games: number(3), samples: number(4) };
        if head.packed.max(head.plain) > MOST_BLOCK {
            return Err(format!("the block claims more than {MOST_BLOCK} bytes"));
        }
        Ok(head)
    }

    /// Length of the whole block.
    fn length(&self) -> u64 {
        (BLOCK_HEAD + CHECKSUM) as u64 + u64::from(self.packed)
    }
}

/// Reads one shard, block by block.
#[derive(Debug)]
pub struct ShardReader {
    path: PathBuf,
    file: BufReader<File>,
    /// Where the next block begins.
    offset: u64,
    length: u64,
    identity: Identity,
}

impl ShardReader {
    /// Opens a shard and reads its head. No length in the file is believed before it is checked.
    ///
    /// # Errors
    /// [`ShardError::Head`] for anything that is not a whole head, [`ShardError::Version`], or what
    /// the file system says.
    pub fn open(path: &Path) -> Result<ShardReader, ShardError> {
        let io = |source| ShardError::Io { path: path.to_owned(), source };
        let wrong = |message: String| ShardError::Head { path: path.to_owned(), message };
        let file = files::open(path).map_err(io)?;
        let length = file.metadata().map_err(io)?.len();
        let mut file = BufReader::new(file);
        let mut head = vec![0; MAGIC.len() + 8];
        let short = || wrong(format!("it ends within its head, after {length} bytes"));
        if length < head.len() as u64 {
            return Err(short());
        }
        file.read_exact(&mut head).map_err(io)?;
        let number = |start: usize| {
            let mut four = [0; 4];
            four.copy_from_slice(&head[start..start + 4]);
            u32::from_le_bytes(four)
        };
        if head[..MAGIC.len()] != MAGIC {
            return Err(wrong("it is not a shard of games".to_owned()));
        }
        let (schema, identity_length) = (number(MAGIC.len()), number(MAGIC.len() + 4));
        if schema != SCHEMA {
            return Err(ShardError::Version { path: path.to_owned(), found: schema });
        }
        if identity_length > MOST_IDENTITY {
            return Err(wrong(format!("its head claims to be {identity_length} bytes long")));
        }
        let start = head.len();
        let end = start + identity_length as usize;
        if length < (end + CHECKSUM) as u64 {
            return Err(short());
        }
        head.resize(end, 0);
        file.read_exact(&mut head[start..]).map_err(io)?;
        let mut checksum = [0; CHECKSUM];
        file.read_exact(&mut checksum).map_err(io)?;
        if blake3::hash(&head) != checksum {
            return Err(wrong("its head is damaged".to_owned()));
        }
        let identity = serde_json::from_slice(&head[start..])
            .map_err(|error| wrong(format!("its head cannot be understood: {error}")))?;
        Ok(ShardReader { path: path.to_owned(), file, offset: (end + CHECKSUM) as u64, length, identity })
    }

    /// Opens a shard whose games must be of this identity's game and rules.
    ///
    /// # Errors
    /// As [`ShardReader::open`], and [`ShardError::Foreign`].
    pub fn open_for(path: &Path, identity: &Identity) -> Result<ShardReader, ShardError> {
        let reader = ShardReader::open(path)?;
        match identity.difference(&reader.identity) {
            Some(difference) => Err(ShardError::Foreign { path: path.to_owned(), difference }),
            None => Ok(reader),
        }
    }

    /// Whose games these are.
    pub fn identity(&self) -> &Identity {
        &self.identity
    }

    /// Where the next block begins; after the last one, where the readable part of the file ends.
    pub fn offset(&self) -> u64 {
        self.offset
    }

    /// Length of the file.
    pub fn length(&self) -> u64 {
        self.length
    }

    /// The games of the next block; `None` at the end. A damaged block is named and skipped; where
    /// not even its length can be trusted, the rest of the file is.
    ///
    /// # Errors
    /// What the file system says.
    pub fn next_block(&mut self) -> Result<Option<Result<Vec<GameRecord>, ShardFault>>, ShardError> {
        let offset = self.offset;
        let Some(head) = self.next_head()? else { return Ok(None) };
        let head = match head {
            Ok(head) => head,
            Err(fault) => return Ok(Some(Err(fault))),
        };
        let mut rest = vec![0; head.packed as usize + CHECKSUM];
        self.read_at(offset + BLOCK_HEAD as u64, &mut rest)?;
        let mut hasher = blake3::Hasher::new();
        let mut block_head = [0; BLOCK_HEAD];
        self.read_at(offset, &mut block_head)?;
        let (packed, checksum) = rest.split_at(head.packed as usize);
        hasher.update(&block_head).update(packed);
        let games = if hasher.finalize().as_bytes() == checksum {
            read_games(packed, &head)
        } else {
            Err("the block is damaged: its checksum is wrong".to_owned())
        };
        Ok(Some(games.map_err(|message| ShardFault {
            path: self.path.clone(),
            offset,
            skipped: head.length(),
            message,
        })))
    }

    /// The head of the next block, skipping its games: for counting. `None` at the end.
    ///
    /// # Errors
    /// What the file system says.
    pub fn next_head(&mut self) -> Result<Option<Result<BlockHead, ShardFault>>, ShardError> {
        let offset = self.offset;
        let left = self.length - offset;
        if left == 0 {
            return Ok(None);
        }
        let head = if left < BLOCK_HEAD as u64 {
            Err("the file ends within the head of a block".to_owned())
        } else {
            let mut bytes = [0; BLOCK_HEAD];
            self.read_at(offset, &mut bytes)?;
            BlockHead::read(&bytes).and_then(|head| {
                if head.length() <= left {
                    Ok(head)
                } else {
                    Err(format!("the file ends {} bytes before the end of a block", head.length() - left))
                }
            })
        };
        self.offset = head.as_ref().map_or(self.length, |head| offset + head.length());
        Ok(Some(head.map_err(|message| ShardFault {
            path: self.path.clone(),
            offset,
            skipped: left,
            message,
        })))
    }

    fn read_at(&mut self, offset: u64, bytes: &mut [u8]) -> Result<(), ShardError> {
        let io = |source| ShardError::Io { path: self.path.clone(), source };
        let here = self.file.stream_position().map_err(io)?;
        if here != offset {
            // Relative, because it keeps the buffer where it can.
            self.file.seek_relative(offset as i64 - here as i64).map_err(io)?;
        }
        self.file.read_exact(bytes).map_err(io)
    }
}

fn read_games(packed: &[u8], head: &BlockHead) -> Result<Vec<GameRecord>, String> {
    let plain = zstd::bulk::decompress(packed, head.plain as usize)
        .map_err(|error| format!("it cannot be unpacked: {error}"))?;
    if plain.len() != head.plain as usize {
        return Err(format!("it unpacks to {} bytes instead of {}", plain.len(), head.plain));
    }
    let mut games = Vec::new();
    let mut rest = &plain[..];
    while !rest.is_empty() {
        let (game, after) = postcard::take_from_bytes(rest).map_err(|error| {
            format!("game {} of the block cannot be understood: {error}", games.len() + 1)
        })?;
        games.push(game);
        rest = after;
    }
    if games.len() != head.games as usize {
        return Err(format!("it holds {} games instead of {}", games.len(), head.games));
    }
    Ok(games)
}
