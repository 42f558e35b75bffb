//! Shards survive whatever happens to files.

#![allow(clippy::expect_used)] // helpers of tests, too, may fail only by a panic

use connect4::ConnectFour;
use game::record::{GameRecord, SearchRecord, StepRecord};
use game::{OfMover, StepCode, Wdl};
use selfplay::{
    Fate, GameStore, Identity, Retention, ShardError, ShardReader, ShardWriter, read_shard, searched_steps,
};
use std::fs;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

fn identity() -> Identity {
    Identity::of(&ConnectFour::new(), "test").expect("plain rules")
}

/// A record of the right form; shards do not ask whether it is a legal game.
fn record(id: u64) -> GameRecord {
    let steps = (0..5 + id % 7).map(|index| StepRecord {
        code: StepCode((index * 31 + id) as u32 % 7),
        search: (index > 0).then(|| {
            let policy: Vec<_> =
                (0..7).map(|step| (StepCode(step), 1.0 + (step as f32 * id as f32) % 5.0)).collect();
            SearchRecord::new(
                &policy,
                OfMover(Wdl { win: 0.6, draw: 0.1, loss: 0.3 }),
                16,
                index % 2 == 0,
                0.5,
            )
        }),
    });
    GameRecord {
        id,
        cycle: id / 10,
        start: "a start".to_owned(),
        steps: steps.collect(),
        winner: "first".to_owned(),
        reason: "four".to_owned(),
        points: [3, -(id as i32)],
    }
}

fn records(ids: std::ops::Range<u64>) -> Vec<GameRecord> {
    ids.map(record).collect()
}

/// A closed shard with one block a game, its bytes and where each block begins.
fn shard(directory: &Path, games: u64) -> (PathBuf, Vec<u8>, Vec<usize>) {
    let path = directory.join("games-000000.shard");
    let mut writer = ShardWriter::create(&path, &identity()).expect("a new file");
    let mut starts = Vec::new();
    for id in 0..games {
        starts.push(writer.bytes() as usize);
        writer.append(&[record(id)]).expect("room on the disk");
    }
    let bytes = fs::read(&path).expect("just written");
    assert_eq!(bytes.len() as u64, writer.bytes());
    (path, bytes, starts)
}

fn open_store(directory: &Path) -> (GameStore, Vec<selfplay::Recovered>) {
    GameStore::open(directory, identity(), 1 << 20).expect("a good directory")
}

#[test]
fn games_come_back_in_order_from_several_shards() {
    let directory = TempDir::new().expect("a directory");
    let (mut store, recovered) = GameStore::open(directory.path(), identity(), 1500).expect("empty");
    assert!(recovered.is_empty());
    for chunk in records(0..100).chunks(3) {
        store.append(chunk).expect("room on the disk");
    }
    assert!(store.shards().expect("a directory").len() > 3);
    let all = store.newest(u64::MAX).expect("good shards");
    let paths = store.shards().expect("a directory");
    assert_eq!(all.shard_of(0), Some(paths[0].as_path()));
    assert!(all.shard_of(99).is_some_and(|last| !paths[..3].iter().any(|path| path == last)));
    assert_eq!(all.shard_of(100), None);
    assert_eq!((all.games, all.faults.len()), (records(0..100), 0));
    let totals = store.totals().expect("good shards");
    assert_eq!(totals.games, 100);
    assert_eq!(totals.samples, records(0..100).iter().map(|game| searched_steps(game) as u64).sum::<u64>());
    let some = store.newest(50).expect("good shards").games;
    assert!(some.len() < 60 && some.last() == Some(&record(99)) && some.is_sorted_by_key(|game| game.id));
    let closed = store.close_shard().expect("room on the disk").expect("one was open");
    assert_eq!(closed.extension().and_then(|ending| ending.to_str()), Some("shard"));
    drop(store);
    let (store, recovered) = open_store(directory.path());
    assert!(recovered.is_empty(), "nothing was left open");
    assert_eq!(store.newest(u64::MAX).expect("good shards").games, records(0..100));
}

#[test]
fn an_open_shard_cut_anywhere_keeps_its_whole_games() {
    let directory = TempDir::new().expect("a directory");
    let (path, bytes, starts) = shard(directory.path(), 2);
    fs::remove_file(path).expect("it is there");
    let open = directory.path().join("games-000000.open");
    for length in 0..=bytes.len() {
        fs::write(&open, &bytes[..length]).expect("room on the disk");
        let (mut store, recovered) = open_store(directory.path());
        let whole = starts[1..].iter().chain([&bytes.len()]).filter(|&&end| end <= length).count() as u64;
        assert_eq!(recovered.len(), 1);
        assert_eq!(recovered[0].games, whole, "cut at {length}");
        if whole > 0 {
            let end = starts.get(whole as usize).copied().unwrap_or(bytes.len());
            assert_eq!(recovered[0].dropped_bytes, (length - end) as u64);
        } else {
            assert_eq!(
                recovered[0].dropped_bytes,
                length as u64 - if length >= starts[0] { starts[0] as u64 } else { 0 }
            );
        }
        assert!(recovered[0].faults.is_empty());
        store.append(&[record(9)]).expect("room on the disk");
        let loaded = store.newest(u64::MAX).expect("good shards");
        assert!(loaded.faults.is_empty());
        assert_eq!(loaded.games, [records(0..whole), vec![record(9)]].concat());
        drop(store);
        assert!(!open.exists() || whole == 0, "the old shard was closed");
        for entry in fs::read_dir(directory.path()).expect("a directory") {
            fs::remove_file(entry.expect("an entry").path()).expect("it is there");
        }
    }
}

#[test]
fn a_tail_that_never_came_to_the_disk_is_cut() {
    let directory = TempDir::new().expect("a directory");
    let (path, bytes, starts) = shard(directory.path(), 4);
    fs::remove_file(path).expect("it is there");
    let open = directory.path().join("games-000000.open");
    for from in [0, 5, starts[0], starts[1] + 3, starts[3], starts[3] + 40, bytes.len()] {
        let mut zeroed = bytes.clone();
        zeroed[from..].fill(0);
        zeroed.extend_from_slice(&[0; 100]);
        fs::write(&open, &zeroed).expect("room on the disk");
        let (store, recovered) = open_store(directory.path());
        let whole = starts[1..].iter().chain([&bytes.len()]).filter(|&&end| end <= from).count() as u64;
        assert_eq!(recovered[0].games, whole, "zero from {from}");
        assert_eq!(store.newest(u64::MAX).expect("good shards").games, records(0..whole));
        assert_eq!(matches!(recovered[0].fate, Fate::PutAside(_)), from < starts[0]);
        for entry in fs::read_dir(directory.path()).expect("a directory") {
            fs::remove_file(entry.expect("an entry").path()).expect("it is there");
        }
    }
}

/// Pages of a file may come to the disk in any order: a block in the middle may be missing.
#[test]
fn whole_games_after_a_missing_one_are_kept() {
    let directory = TempDir::new().expect("a directory");
    let (path, mut bytes, starts) = shard(directory.path(), 4);
    fs::remove_file(path).expect("it is there");
    bytes[starts[1] + 30..starts[2] - 3].fill(0);
    bytes.truncate(bytes.len() - 7);
    fs::write(directory.path().join("games-000000.open"), &bytes).expect("room on the disk");
    let (store, recovered) = open_store(directory.path());
    assert_eq!(recovered[0].games, 2);
    assert_eq!(recovered[0].faults.len(), 1);
    assert_eq!(recovered[0].faults[0].offset, starts[1] as u64);
    let loaded = store.newest(u64::MAX).expect("good shards");
    assert_eq!(loaded.games, [record(0), record(2)]);
    assert_eq!(
        loaded.faults,
        recovered[0]
            .faults
            .iter()
            .cloned()
            .map(|mut fault| {
                fault.path = directory.path().join("games-000000.shard");
                fault
            })
            .collect::<Vec<_>>()
    );
}

/// The order of events in closing: everything written, renamed, next one opened. Cut between any two.
#[test]
fn no_moment_of_closing_loses_a_game() {
    let directory = TempDir::new().expect("a directory");
    let written = |directory: &Path| {
        let (mut store, _) = open_store(directory);
        store.append(&records(0..3)).expect("room on the disk");
        store
    };
    drop(written(directory.path()));
    let (store, recovered) = open_store(directory.path());
    assert_eq!(recovered[0].games, 3);
    assert_eq!(recovered[0].dropped_bytes, 0);
    let closed = store.shards().expect("a directory");
    assert_eq!(recovered[0].fate, Fate::Closed(closed[0].clone()));
    drop(store);
    // A copy of an open shard beside its closed self, as a backup may bring back.
    fs::copy(&closed[0], closed[0].with_extension("open")).expect("room on the disk");
    let (store, recovered) = open_store(directory.path());
    assert_eq!(recovered[0].fate, Fate::Closed(directory.path().join("games-000001.shard")));
    assert_eq!(store.newest(u64::MAX).expect("good shards").games.len(), 6, "nothing is overwritten");
}

#[test]
fn a_flipped_bit_costs_its_block_and_is_named() {
    let directory = TempDir::new().expect("a directory");
    let (path, bytes, starts) = shard(directory.path(), 3);
    for offset in 0..bytes.len() {
        let mut damaged = bytes.clone();
        damaged[offset] ^= 1 << (offset % 8);
        fs::write(&path, &damaged).expect("room on the disk");
        let read = read_shard(&path, &identity());
        let Some(block) = starts.iter().rposition(|&start| start <= offset) else {
            match read {
                Ok((games, faults)) => {
                    assert!(games.is_empty() && faults.len() == 1 && faults[0].offset == 0, "byte {offset}");
                }
                Err(error) => assert!(matches!(error, ShardError::Version { .. }), "byte {offset}: {error}"),
            }
            continue;
        };
        let (games, faults) = read.expect("its head is good");
        assert_eq!(faults.len(), 1, "byte {offset}");
        assert_eq!(faults[0].offset, starts[block] as u64, "byte {offset}");
        assert_eq!(faults[0].path, path);
        let in_head = offset < starts[block] + 24;
        let lost = if in_head { block..3 } else { block..block + 1 };
        let expected: Vec<_> =
            records(0..3).into_iter().filter(|game| !lost.contains(&(game.id as usize))).collect();
        assert_eq!(games, expected, "byte {offset}");
    }
}

#[test]
fn lengths_beyond_reason_are_not_believed() {
    let directory = TempDir::new().expect("a directory");
    let (path, bytes, starts) = shard(directory.path(), 1);
    for place in [4, 8] {
        let mut huge = bytes.clone();
        let head = starts[0];
        huge[head + place..head + place + 4].copy_from_slice(&u32::MAX.to_le_bytes());
        let check = blake3::hash(&huge[head..head + 20]);
        huge[head + 20..head + 24].copy_from_slice(&check.as_bytes()[..4]);
        fs::write(&path, &huge).expect("room on the disk");
        let (games, faults) = read_shard(&path, &identity()).expect("its head is good");
        assert!(games.is_empty());
        assert!(faults[0].message.contains("claims more"), "{}", faults[0]);
    }
    let mut huge = bytes;
    huge[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
    fs::write(&path, &huge).expect("room on the disk");
    let error = ShardReader::open(&path).expect_err("its head is wrong");
    assert!(error.to_string().contains("claims to be"), "{error}");
}

#[test]
fn what_is_no_shard_of_ours_is_refused_by_name() {
    let directory = TempDir::new().expect("a directory");
    let path = directory.path().join("games-000000.shard");
    for (content, word) in
        [(&b""[..], "ends within its head"), (b"PAR1 something else entirely", "not a shard")]
    {
        fs::write(&path, content).expect("room on the disk");
        let error = ShardReader::open(&path).expect_err("no shard");
        assert!(matches!(error, ShardError::Head { .. }) && error.to_string().contains(word), "{error}");
    }
    fs::remove_file(&path).expect("it is there");
    let other = |change: fn(&mut Identity)| {
        let mut identity = identity();
        change(&mut identity);
        identity
    };
    for (theirs, word) in [
        (other(|identity| identity.game = "emergo".to_owned()), "emergo"),
        (other(|identity| identity.rules_version += 1), "version"),
        (other(|identity| identity.rules = serde_json::json!({"rows": 9})), "rows"),
    ] {
        ShardWriter::create(&path, &theirs)
            .expect("a new file")
            .append(&[record(1)])
            .expect("room on the disk");
        let error = read_shard(&path, &identity()).expect_err("foreign");
        assert!(matches!(error, ShardError::Foreign { .. }) && error.to_string().contains(word), "{error}");
        let open = path.with_extension("open");
        fs::rename(&path, &open).expect("it is there");
        GameStore::open(directory.path(), identity(), 1 << 20).expect_err("foreign");
        assert!(open.exists(), "a foreign shard is left alone");
        fs::remove_file(&open).expect("it is there");
    }
    ShardWriter::create(&path, &other(|identity| identity.run = "another".to_owned())).expect("a new file");
    assert_eq!(read_shard(&path, &identity()).expect("only the run differs"), (vec![], vec![]));
    ShardWriter::create(&path, &identity()).expect_err("an existing file is not overwritten");
}

#[test]
fn the_schema_version_is_asked_for() {
    let directory = TempDir::new().expect("a directory");
    let (path, mut bytes, _) = shard(directory.path(), 1);
    bytes[8] = 77;
    fs::write(&path, &bytes).expect("room on the disk");
    let error = read_shard(&path, &identity()).expect_err("another format");
    assert!(matches!(error, ShardError::Version { found: 77, .. }), "{error}");
}

#[test]
fn games_after_a_cycle_can_be_dropped() {
    let directory = TempDir::new().expect("a directory");
    let (mut store, _) = GameStore::open(directory.path(), identity(), 1500).expect("empty");
    for game in records(0..60) {
        store.append(&[game]).expect("room on the disk");
    }
    assert_eq!(store.drop_after(2).expect("good shards"), 30);
    assert_eq!(store.newest(u64::MAX).expect("good shards").games, records(0..30));
    assert_eq!(store.drop_after(2).expect("good shards"), 0);
    store.append(&[record(77)]).expect("room on the disk");
    assert_eq!(store.newest(1).expect("good shards").games, [record(77)]);
    assert_eq!(store.drop_after(2).expect("good shards"), 1);
}

/// A store with cycles 0 to 9 of ten games each, one shard a cycle.
fn ten_cycles(directory: &Path) -> GameStore {
    let (mut store, _) = open_store(directory);
    for cycle in 0..10 {
        store.append(&records(cycle * 10..cycle * 10 + 10)).expect("room on the disk");
        store.close_shard().expect("room on the disk");
    }
    store
}

fn numbers(directory: &Path) -> Vec<String> {
    let mut names: Vec<String> = fs::read_dir(directory)
        .expect("a directory")
        .map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned())
        .filter(|name| name.ends_with(".shard"))
        .collect();
    names.sort();
    names
}

fn samples(games: &[GameRecord]) -> u64 {
    games.iter().map(|game| searched_steps(game) as u64).sum()
}

#[test]
fn only_what_the_window_does_not_read_is_retired() {
    let directory = TempDir::new().expect("a directory");
    let mut store = ten_cycles(directory.path());
    let made = samples(&records(0..100));
    // All of the last two cycles and one sample of the third last.
    let window = samples(&records(80..100)) + 1;
    assert!(store.retire(Retention::All, window, 9).expect("good").is_empty());
    assert!(store.retire(Retention::Cycles(10), window, 9).expect("good").is_empty());
    let gone = store.retire(Retention::Cycles(6), window, 9).expect("good");
    assert_eq!((gone.shards, gone.games, gone.samples), (4, 40, samples(&records(0..40))));
    assert_eq!(numbers(directory.path()).len(), 6);
    // The window needs more than the cycles say.
    let gone = store.retire(Retention::Cycles(1), window, 9).expect("good");
    assert_eq!((gone.shards, numbers(directory.path()).len()), (3, 3));
    assert!(store.retire(Retention::Window, window, 9).expect("good").is_empty());
    assert_eq!(store.newest(window).expect("good shards").games, records(70..100));
    let totals = store.totals().expect("good shards");
    assert_eq!((totals.games, totals.samples + totals.retired_samples), (30, made));
    // The sums and the numbers go on in the next process.
    drop(store);
    let (mut store, _) = open_store(directory.path());
    let totals = store.totals().expect("good shards");
    assert_eq!(totals.samples + totals.retired_samples, made);
    store.append(&records(100..101)).expect("room on the disk");
    store.close_shard().expect("room on the disk");
    assert_eq!(numbers(directory.path()).last().map(String::as_str), Some("games-000010.shard"));
    // Even where no shard is left at all.
    assert_eq!(store.retire(Retention::Window, 0, 99).expect("good").shards, 4);
    drop(store);
    let (mut store, _) = open_store(directory.path());
    store.append(&records(101..102)).expect("room on the disk");
    store.close_shard().expect("room on the disk");
    assert_eq!(numbers(directory.path()), ["games-000011.shard"]);
}

#[test]
fn a_kill_while_shards_are_retired_neither_loses_nor_counts_twice() {
    let directory = TempDir::new().expect("a directory");
    let made = samples(&records(0..100));
    let mut store = ten_cycles(directory.path());
    let saved: Vec<_> = numbers(directory.path())
        .into_iter()
        .map(|name| (name.clone(), fs::read(directory.path().join(name)).expect("readable")))
        .collect();
    store.retire(Retention::Window, samples(&records(50..100)), 9).expect("good");
    drop(store);
    // As if the process had been killed before any shard, or all but one, were removed.
    for left in [0..5, 4..5] {
        for (name, bytes) in &saved[left] {
            fs::write(directory.path().join(name), bytes).expect("room on the disk");
        }
        let (store, _) = open_store(directory.path());
        let totals = store.totals().expect("good shards");
        assert_eq!((totals.games, totals.samples + totals.retired_samples), (50, made));
        assert_eq!(numbers(directory.path()).len(), 5);
    }
    // A sum that was not finished counts for nothing; one of another form is refused by name.
    fs::write(directory.path().join("retired.json.partial"), "{").expect("room on the disk");
    assert_eq!(open_store(directory.path()).0.retired().shards, 5);
    fs::write(directory.path().join("retired.json"), "{}").expect("room on the disk");
    let refused = GameStore::open(directory.path(), identity(), 1 << 20).expect_err("no sums");
    assert!(refused.to_string().contains("retired.json"), "{refused}");
}
