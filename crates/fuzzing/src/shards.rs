//! Files of finished games as self-play leaves them, byte by byte.

use crate::place::with_file;
use connect4::ConnectFour;
use selfplay::{GameStore, Identity, ShardError, ShardReader, read_shard};

/// Bytes that a store may close a shard after; no input is as long.
const MOST_BYTES: u64 = 1 << 20;

/// Reads a shard. What cannot be read is named with its file; what can is the same by every way of reading, and
/// is kept when the file was left open by a process that ended.
pub(crate) fn run(data: &[u8]) {
    // Without rules that JSON can hold there is nothing to try.
    let Ok(identity) = Identity::of(&ConnectFour::new(), "") else { return };
    with_file("games-000000.shard", data, |place, path| {
        let read = read_shard(path, &identity);
        match &read {
            Ok((_, faults)) => {
                assert!(faults.iter().all(|fault| fault.path == path && !fault.message.is_empty()));
            }
            Err(ShardError::Io { source, .. }) => panic!("{source}"),
            Err(error) => assert!(error.to_string().contains("games-000000.shard"), "{error}"),
        }
        // Heads of blocks alone say as much, but for blocks whose games are damaged.
        if let Ok(mut reader) = ShardReader::open(path) {
            while let Ok(Some(head)) = reader.next_head() {
                assert!(head.is_err() || reader.offset() <= reader.length());
            }
        }
        let open = path.with_extension("open");
        assert!(std::fs::rename(path, &open).is_ok());
        match (GameStore::open(place, identity.clone(), MOST_BYTES), read) {
            (Ok((store, recovered)), Ok((games, _))) => {
                assert_eq!(recovered[0].games, games.len() as u64);
                assert_eq!(store.newest(u64::MAX).map(|loaded| loaded.games).ok(), Some(games));
            }
            (Ok(_), Err(error)) => panic!("the open shard is taken, and the closed one is refused: {error}"),
            (Err(_), _) => {}
        }
        for entry in std::fs::read_dir(place).into_iter().flatten().flatten() {
            let _ = std::fs::remove_file(entry.path());
        }
    });
}
