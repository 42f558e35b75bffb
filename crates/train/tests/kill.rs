//! `kill -9` at any moment: every resume works, finished games survive, and no checkpoint is ever half.
//!
//! `GARRISON_KILLS` says how often a run is killed; `scripts/kill-test` asks for forty.

// Helpers of tests may unwrap and print as tests do.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

mod support;

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{RngCore, SeedableRng};
use selfplay::ShardReader;
use std::collections::BTreeSet;
use std::fs;
use std::os::unix::process::ExitStatusExt;
use std::path::Path;
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};
use support::{Place, TINY, has_open_shard, training_under_way};

/// Where in a cycle a run is to be killed.
#[derive(Clone, Copy, Debug)]
enum Moment {
    /// Anywhere.
    Any,
    /// Games are being added to a shard.
    Play,
    /// Steps are being trained.
    Training,
    /// A checkpoint is being written.
    Checkpoint,
    /// The record of a cycle has just been written.
    Metrics,
}

const MOMENTS: [Moment; 5] =
    [Moment::Play, Moment::Training, Moment::Checkpoint, Moment::Metrics, Moment::Any];

impl Moment {
    /// Whether it has come, `lines` being the lines of the metrics when the process began.
    fn has_come(self, run: &Path, lines: usize) -> bool {
        match self {
            Moment::Any => true,
            Moment::Play => has_open_shard(run),
            Moment::Training => training_under_way(run, 0) && line_count(run) > lines,
            Moment::Checkpoint => fs::read_dir(run.join("checkpoints")).is_ok_and(|entries| {
                entries.flatten().any(|entry| entry.path().extension().is_some_and(|end| end == "partial"))
            }),
            Moment::Metrics => line_count(run) > lines + 1,
        }
    }
}

fn line_count(run: &Path) -> usize {
    fs::read_to_string(run.join("metrics.jsonl")).map_or(0, |text| text.lines().count())
}

/// Kills the process soon after the moment has come; `false` where it had ended by itself.
fn kill_at(child: &mut Child, moment: Moment, run: &Path, lines: usize, random: &mut ChaCha8Rng) -> bool {
    let begin = Instant::now();
    let delay = match moment {
        // From before the run has its directory to within the second cycle.
        Moment::Any => u64::from(random.next_u32() % 1_500),
        Moment::Play | Moment::Training => u64::from(random.next_u32() % 200),
        Moment::Checkpoint | Moment::Metrics => u64::from(random.next_u32() % 12),
    };
    while !moment.has_come(run, lines) {
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        // On a busy machine a short moment passes unseen: where the run gets on, any other will do.
        if begin.elapsed() > Duration::from_secs(30) && line_count(run) > lines {
            break;
        }
        assert!(begin.elapsed() < Duration::from_secs(120), "{moment:?} did not come");
        std::thread::sleep(Duration::from_micros(300));
    }
    std::thread::sleep(Duration::from_millis(delay));
    let _ = child.kill();
    child.wait().unwrap().signal() == Some(9)
}

/// Numbers of all games that can be read, closed or not.
fn finished_games(run: &Path) -> BTreeSet<u64> {
    let mut ids = BTreeSet::new();
    let Ok(entries) = fs::read_dir(run.join("games")) else { return ids };
    for entry in entries.flatten() {
        let path = entry.path();
        let closed = path.extension().is_some_and(|end| end == "shard");
        if !closed && path.extension().is_none_or(|end| end != "open") {
            continue;
        }
        let mut reader = match ShardReader::open(&path) {
            Ok(reader) => reader,
            // Killed before its head was written.
            Err(error) if !closed => {
                assert!(fs::metadata(&path).unwrap().len() < 1000, "{error}");
                continue;
            }
            Err(error) => panic!("{error}"),
        };
        while let Some(block) = reader.next_block().unwrap() {
            match block {
                Ok(games) => ids.extend(games.iter().map(|game| game.id)),
                Err(fault) => assert!(!closed, "a closed shard is whole: {fault}"),
            }
        }
    }
    ids
}

/// Every directory with the name of a checkpoint can be read whole, with its checksums.
fn assert_whole_checkpoints(run: &Path) {
    let Ok(entries) = fs::read_dir(run.join("checkpoints")) else { return };
    for entry in entries.flatten() {
        let name = entry.file_name().into_string().unwrap();
        if name.contains('.') {
            continue; // Beside, not yet or no longer a checkpoint.
        }
        let (net, state) = net::checkpoint::load_net(&entry.path(), None).unwrap();
        assert!(net.parameters() > 0);
        let optimizer = fs::read(entry.path().join("optimizer.safetensors")).unwrap();
        assert_eq!(blake3::hash(&optimizer).to_string(), state.optimizer_blake3, "{name}");
        if let Some(unfinished) = state.extra["unfinished"].as_str() {
            let directory = train::run_directory::RunDirectory::new(run);
            assert!(
                train::checkpoints::load_games(&directory, unfinished).unwrap().is_some(),
                "{unfinished}"
            );
        }
    }
}

fn assert_whole_lines(path: &Path) {
    for line in fs::read_to_string(path).unwrap().lines() {
        serde_json::from_str::<serde_json::Value>(line).unwrap();
    }
}

/// Kills and resumes a run over and over, and lets it end at last.
fn kill_over_and_over(kills: usize, arguments: &[&str], games_stay: bool) -> (Place, usize) {
    let place = Place::new(TINY);
    let run = place.path("run");
    let mut random = ChaCha8Rng::seed_from_u64(kills as u64);
    let mut known = BTreeSet::new();
    let mut killed = 0;
    for attempt in 0..kills {
        let moment = MOMENTS[attempt % MOMENTS.len()];
        let resume = run.join("config.toml").exists();
        let more: &[&str] = if resume { &["--resume"] } else { &[] };
        let endless = ["--run", "run", "--cycles", "1000000"];
        let lines = line_count(&run);
        let mut child =
            place.command(&[&endless, arguments, more].concat()).stderr(Stdio::piped()).spawn().unwrap();
        let was_killed = kill_at(&mut child, moment, &run, lines, &mut random);
        let mut text = String::new();
        std::io::Read::read_to_string(&mut child.stderr.take().unwrap(), &mut text).unwrap();
        assert!(was_killed, "kill {attempt} ({moment:?}): the run ended by itself: {text}");
        assert!(!text.contains("error: "), "kill {attempt} ({moment:?}): {text}");
        killed += 1;
        assert_whole_checkpoints(&run);
        let found = finished_games(&run);
        if games_stay {
            let lost: Vec<_> = known.difference(&found).collect();
            assert!(lost.is_empty(), "kill {attempt} ({moment:?}) lost the games {lost:?}: {text}");
        }
        known = found;
        println!("kill {attempt} at {moment:?}: {} games, {} records", known.len(), line_count(&run));
    }
    (place, killed)
}

fn kills() -> usize {
    std::env::var("GARRISON_KILLS").map_or(5, |text| text.parse().unwrap())
}

#[test]
fn a_run_of_two_workers_survives_kills() {
    let arguments = ["--set", "cycle.workers=2", "--set", "evaluation.every_cycles=3"];
    let (place, _) = kill_over_and_over(kills().div_ceil(2), &arguments, true);
    let run = place.path("run");
    let before = finished_games(&run);
    let last = support::checkpoints(&run).into_iter().filter_map(|name| name.parse::<u64>().ok()).max();
    let cycles = (last.unwrap_or(0) + 2).to_string();
    let end = [&["--run", "run", "--resume", "--cycles", &cycles], &arguments[..]].concat();
    let text = place.done(&end);
    assert!(text.contains("ended without giving the run back"), "{text}");
    assert!(finished_games(&run).is_superset(&before));
    // One record a cycle, none missing, none twice.
    let expected: Vec<u64> = (0..=last.unwrap_or(0) + 2).collect();
    assert_eq!(support::cycles(&run), expected);
    assert_whole_lines(&run.join("log.jsonl"));
    for name in fs::read_dir(run.join("checkpoints")).unwrap().flatten() {
        assert!(!name.file_name().into_string().unwrap().contains('.'), "{name:?} is left over");
    }
}

#[test]
fn a_deterministic_run_that_was_killed_ends_like_one_that_was_not() {
    let arguments = [
        "--set",
        "deterministic=true",
        "--set",
        "inference.precision=fp32",
        "--set",
        "training.precision=fp32",
        "--set",
        "evaluation.every_cycles=3",
    ];
    let (place, _) = kill_over_and_over(kills() / 2, &arguments, false);
    let run = place.path("run");
    let last = support::checkpoints(&run).into_iter().filter_map(|name| name.parse::<u64>().ok()).max();
    let cycles = (last.unwrap_or(0) + 1).to_string();
    let end = |run: &'static str, more: &[&'static str]| -> Vec<String> {
        let all =
            [&["--run", run, "--cycles", "1000000", "--stop-after", &cycles], &arguments[..], more].concat();
        all.into_iter().map(str::to_owned).collect()
    };
    for arguments in [end("run", &["--resume"]), end("whole", &[])] {
        place.done(&arguments.iter().map(String::as_str).collect::<Vec<_>>());
    }
    let whole = support::digest(&place.path("whole"));
    assert_eq!(whole.differences(&support::digest(&run)), [""; 0]);
    assert_eq!(support::cycles(&run), support::cycles(&place.path("whole")));
}
