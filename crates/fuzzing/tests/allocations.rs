//! No reader takes memory by a number that it read without a bound.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

use fuzzing::{Campaign, Target, corpus, target};
use selfplay::{ShardReader, read_shard};
use upkeep::allocations::{self, Counting};

#[global_allocator]
static COUNTING: Counting = Counting;

/// Targets that read what self-play, matches and studies write, each with the most that it may take at once. A
/// shard says how long a block unpacks, and is believed up to 64 MiB.
const MOST: [(&str, usize); 5] = [
    ("connect4_games", 16 << 20),
    ("game_shards", 80 << 20),
    ("match_pairs", 16 << 20),
    ("study_findings", 16 << 20),
    ("study_records", 16 << 20),
];

/// Mutations of each.
const MUTATIONS: usize = 100;

#[test]
fn inputs_of_any_kind_take_little_memory() {
    for (name, most) in MOST {
        let target: Target = target::find(name).unwrap();
        let inputs = corpus::read(name).unwrap();
        let mut campaign = Campaign::new(target, &inputs, 2);
        for mutation in 0..MUTATIONS {
            let mut tried = Ok(());
            let found = allocations::largest(|| tried = campaign.try_mutation());
            tried.unwrap();
            assert!(found > 0 && found <= most, "{name}: {found} bytes at once in mutation {mutation}");
        }
    }
}

/// Every length that a shard states, made as large as it can be with its checksums right where it has any.
#[test]
fn lengths_of_a_shard_are_bounded() {
    let bytes = corpus::read("game_shards").unwrap().into_iter().max_by_key(Vec::len).unwrap();
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("games-000000.shard");
    std::fs::write(&path, &bytes).unwrap();
    let reader = ShardReader::open(&path).unwrap();
    let (identity, head) = (reader.identity().clone(), reader.offset() as usize);
    for (place, checked) in [(12, false), (head + 4, true), (head + 8, true), (head + 12, true)] {
        for number in [u32::MAX, 1 << 31, (1 << 26) + 1, 1 << 26, 1 << 20] {
            let mut huge = bytes.clone();
            huge[place..place + 4].copy_from_slice(&number.to_le_bytes());
            if checked {
                let check = blake3::hash(&huge[head..head + 20]);
                huge[head + 20..head + 24].copy_from_slice(&check.as_bytes()[..4]);
            }
            std::fs::write(&path, &huge).unwrap();
            let found = allocations::largest(|| read_shard(&path, &identity).map(|(games, _)| games.len()));
            assert!(found <= 80 << 20, "{found} bytes at once for {number} at byte {place}");
        }
    }
}
