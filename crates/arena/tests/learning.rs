//! What a network gets to learn from: games of a teacher, kept and drawn like its own.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

use arena::learning::{KeptGames, LearningGame, LearningSettings, PlayEnd, PlayWatch, TaughtPolicy, Teacher};
use arena::opponents::{BuiltIn, Greedy};
use commander::{Commander, Rules};
use connect4::ConnectFour;
use game::record::{GameRecord, replay};
use game::{BoardGame, Encoding, OfFirst, Wdl};
use selfplay::{
    Identity, RandomOpenings, SelfPlayConfig, TargetConfig, TrainBatch, WindowSize, read_shard,
    searched_steps, shard_paths,
};
use std::cell::Cell;
use std::path::Path;

const RUN: &str = "taught";

fn settings(games: &Path, workers: usize) -> LearningSettings {
    LearningSettings {
        selfplay: SelfPlayConfig {
            random_openings: RandomOpenings { share: 0.5, most_turns: 4 },
            ..SelfPlayConfig::default()
        },
        search: search::SearchConfig::default(),
        window: WindowSize::Fixed(100_000),
        targets: TargetConfig::default(),
        auxiliary: Vec::new(),
        seed: 5,
        workers,
        games: games.to_owned(),
        run: RUN.to_owned(),
        cycle: 1,
        kept: KeptGames::All,
    }
}

fn greedy(random_turns: f32) -> Teacher {
    Teacher { player: BuiltIn::Greedy, random_turns, policy: TaughtPolicy::ChosenStep }
}

/// Stops when it has been asked so often.
struct StopAfter(Cell<u32>);

impl PlayWatch for StopAfter {
    fn progress(&mut self, _positions: u64, _games: u64) {}

    fn stop(&self) -> bool {
        self.0.set(self.0.get().saturating_sub(1));
        self.0.get() == 0
    }
}

fn never() -> StopAfter {
    StopAfter(Cell::new(u32::MAX))
}

/// Plays a cycle of at least so many samples; the games that are kept, in the order of their numbers.
fn taught<G: BoardGame>(
    game: &G,
    workers: usize,
    cycle: u64,
    teacher: Teacher,
    positions: u64,
) -> Vec<GameRecord> {
    let place = tempfile::tempdir().unwrap();
    let mut session = game.begin_learning(&settings(place.path(), workers)).unwrap();
    session.begin_cycle(cycle);
    let report = session.play_taught(teacher, positions, &mut never()).unwrap();
    assert_eq!(report.end, PlayEnd::Complete);
    let mut records = kept(game, place.path());
    let samples: usize = records.iter().map(searched_steps).sum();
    assert!(samples as u64 >= positions);
    assert_eq!((report.games.samples, session.window().samples), (samples as u64, samples as u64));
    assert_eq!(report.counters.games, records.len() as u64);
    assert_eq!(session.unfinished(), vec![Vec::new(); workers]);
    records.sort_by_key(|record| record.id);
    records
}

fn kept<G: BoardGame>(game: &G, games: &Path) -> Vec<GameRecord> {
    let identity = Identity::of(game, RUN).unwrap();
    let mut records = Vec::new();
    for path in shard_paths(games).unwrap() {
        let (read, faults) = read_shard(&path, &identity).unwrap();
        assert!(faults.is_empty(), "{faults:?}");
        records.extend(read);
    }
    records
}

fn connect_four() -> ConnectFour {
    ConnectFour::new()
}

/// What every taught game must be; `best` says whether a step is one of the teacher's. Returns taught and random
/// steps.
fn check<G: BoardGame>(game: &G, records: &[GameRecord], cycle: u64) -> (usize, usize) {
    let mut greedy = Greedy::new(game);
    let (mut taught, mut random) = (0, 0);
    for record in records {
        assert_eq!(record.cycle, cycle);
        let result = match record.winner.as_str() {
            "first" => Wdl::WIN,
            "second" => Wdl::LOSS,
            _ => Wdl::DRAW,
        };
        replay(game, record, |play, step, recorded| {
            let Some(search) = &recorded.search else {
                random += 1;
                return;
            };
            taught += 1;
            let mover = game.mover(&play.position);
            assert_eq!(search.wdl(), OfFirst(result).to_mover(mover), "the result, as the mover sees it");
            assert_eq!(search.policy, [(recorded.code, u16::MAX)]);
            assert_eq!((search.simulations, search.surprise), (0, 0));
            let mut legal = Vec::new();
            game.legal_steps(&play.position, &mut legal);
            assert_eq!(search.full, legal.len() > 1);
            assert!(greedy.best_steps(game, play).contains(&step), "game {}", record.id);
        })
        .unwrap();
    }
    (taught, random)
}

#[test]
fn a_teacher_teaches_its_steps_and_the_results() {
    let game = connect_four();
    for workers in [1, 3] {
        let records = taught(&game, workers, 4, greedy(0.2), 3_000);
        let (taught, random) = check(&game, &records, 4);
        // A fifth of the turns, and those of random openings.
        let share = random as f64 / (taught + random) as f64;
        assert!((0.2..0.4).contains(&share), "{share}");
        assert!(records.iter().enumerate().all(|(index, record)| record.id == index as u64));
    }
}

#[test]
fn turns_of_several_steps_are_taught_too() {
    let game = Commander::new(Rules::preset("skirmish").unwrap());
    let records = taught(&game, 2, 1, greedy(0.1), 1_500);
    assert!(records.iter().any(|record| record.winner == "second"), "results of both sides");
    check(&game, &records, 1);
}

#[test]
fn steps_that_are_as_good_are_taught_as_much() {
    let game = connect_four();
    let teacher = Teacher { policy: TaughtPolicy::EqualSteps, ..greedy(0.2) };
    let records = taught(&game, 2, 1, teacher, 1_000);
    let alone = taught(&game, 2, 1, greedy(0.2), 1_000);
    let mut greedy = Greedy::new(&game);
    let mut several = 0;
    for (record, alone) in records.iter().zip(&alone) {
        let codes = |record: &GameRecord| record.steps.iter().map(|step| step.code).collect::<Vec<_>>();
        assert_eq!(codes(record), codes(alone), "the games do not change");
        replay(&game, record, |play, _, recorded| {
            let Some(search) = &recorded.search else { return };
            let best = greedy.best_steps(&game, play);
            let mut codes: Vec<_> = best.iter().map(|&step| game.step_code(&play.position, step)).collect();
            let mut learned: Vec<_> = search.policy.iter().map(|&(code, _)| code).collect();
            codes.sort_unstable();
            learned.sort_unstable();
            assert_eq!(learned, codes);
            assert!(search.policy.iter().all(|&(_, weight)| weight == search.policy[0].1), "all as much");
            several += usize::from(codes.len() > 1);
        })
        .unwrap();
    }
    assert!(several > 500, "{several} positions with a choice between equal steps");
}

#[test]
fn the_same_games_come_again_however_many_play() {
    let game = connect_four();
    let policy = TaughtPolicy::EqualSteps;
    let teacher = Teacher { player: BuiltIn::AlphaBeta { depth: 2 }, random_turns: 0.1, policy };
    let alone = taught(&game, 1, 1, teacher, 1_000);
    assert_eq!(alone, taught(&game, 1, 1, teacher, 1_000));
    let together = taught(&game, 3, 1, teacher, 1_000);
    let both = alone.len().min(together.len());
    assert!(both > 20);
    assert_eq!(alone[..both], together[..both]);
}

#[test]
fn what_is_stopped_goes_on_with_other_games() {
    let game = connect_four();
    let place = tempfile::tempdir().unwrap();
    let begin = || game.begin_learning(&settings(place.path(), 2)).unwrap();
    let mut session = begin();
    let mut watch = StopAfter(Cell::new(2));
    let report = session.play_taught(greedy(0.1), u64::MAX, &mut watch).unwrap();
    assert_eq!(report.end, PlayEnd::Stopped);
    let before = kept(&game, place.path()).len() as u64;
    assert_eq!(report.games.games, before);
    drop(session);

    let mut session = begin();
    let wanted = session.window().samples + 500;
    let report = session.play_taught(greedy(0.1), wanted, &mut never()).unwrap();
    assert!(report.games.samples >= wanted, "those of before count for the cycle");
    let records = kept(&game, place.path());
    let mut numbers: Vec<u64> = records.iter().map(|record| record.id).collect();
    numbers.sort_unstable();
    numbers.dedup();
    assert_eq!(numbers.len(), records.len(), "no game twice");
    let mut batch = TrainBatch::default();
    session
        .sample(64, &mut game::random::stream(1, game::random::Purpose::Sampling, &[]), &mut batch)
        .unwrap();
    assert_eq!(batch.len(), 64);
}
