//! Games of a run to step through: the newest ones.

use crate::run_data::RunData;
use arena::games::WithGame;
use game::BoardGame;
use game::record::GameRecord;
use report::{Replay, Section};
use selfplay::{Identity, ShardReader, shard_paths};
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

/// Games that are shown.
const MOST_GAMES: usize = 3;

/// What the newest shard with games holds.
#[derive(Debug, Default)]
pub struct SampleGames {
    /// For each way in which games end, the most frequent first, the newest game.
    pub replays: Vec<Replay>,
    /// Lengths of all its games in steps.
    pub lengths: Vec<f64>,
    /// What could not be read.
    pub faults: Vec<String>,
}

impl SampleGames {
    /// The games as a section of a page.
    pub fn section(&self) -> Section {
        let section = Section::new("Sample games");
        self.replays.iter().fold(section, |section, replay| section.whole(replay.to_html()))
    }
}

/// Reads the newest shard that has games.
pub fn read(run: &RunData) -> SampleGames {
    let mut samples = SampleGames::default();
    let shards = shard_paths(&run.directory.games()).unwrap_or_else(|error| {
        samples.faults.push(error.to_string());
        Vec::new()
    });
    let game = match run.game() {
        Ok(game) => game,
        Err(fault) => {
            samples.faults.push(fault);
            return samples;
        }
    };
    match game.with(Sampler { shards }) {
        Ok(found) => {
            samples.faults.extend(found.faults);
            SampleGames { faults: samples.faults, ..found }
        }
        Err(error) => {
            samples.faults.push(format!("config.toml: {error}"));
            samples
        }
    }
}

/// Reads shards once the type of the game is known.
struct Sampler {
    shards: Vec<PathBuf>,
}

impl WithGame for Sampler {
    type Output = SampleGames;

    fn with<G: BoardGame>(self, game: G) -> SampleGames {
        let mut samples = SampleGames::default();
        for path in self.shards.iter().rev() {
            match newest_by_reason(&game, path, &mut samples) {
                Ok(newest) => {
                    for record in newest {
                        match Replay::of_record(&game, &record) {
                            Ok(replay) => samples.replays.push(replay),
                            Err(fault) => samples.faults.push(format!("{}: {fault}", path.display())),
                        }
                    }
                }
                Err(error) => samples.faults.push(error),
            }
            if !samples.lengths.is_empty() {
                break;
            }
        }
        samples
    }
}

/// The newest game of each way to end, the most frequent ways first. One block of the shard is in memory
/// at a time.
fn newest_by_reason<G: BoardGame>(
    game: &G,
    path: &Path,
    samples: &mut SampleGames,
) -> Result<Vec<GameRecord>, String> {
    let identity = Identity::of(game, "").map_err(|error| error.to_string())?;
    let mut reader = ShardReader::open_for(path, &identity).map_err(|error| error.to_string())?;
    let mut newest: BTreeMap<String, (u64, GameRecord)> = BTreeMap::new();
    while let Some(block) = reader.next_block().map_err(|error| error.to_string())? {
        // A damaged block, or a game that is being written at this moment: training names those.
        for record in block.unwrap_or_default() {
            samples.lengths.push(record.steps.len() as f64);
            let count = newest.get(&record.reason).map_or(0, |(count, _)| *count);
            newest.insert(record.reason.clone(), (count + 1, record));
        }
    }
    let mut newest: Vec<(u64, GameRecord)> = newest.into_values().collect();
    newest.sort_by(|a, b| b.0.cmp(&a.0).then(b.1.id.cmp(&a.1.id)));
    Ok(newest.into_iter().take(MOST_GAMES).map(|(_, record)| record).collect())
}
