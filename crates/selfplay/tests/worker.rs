//! Workers play Connect Four, and a game with turns of several steps.

#![allow(clippy::expect_used)] // helpers of tests, too, may fail only by a panic

mod pile;

use commander::{Commander, Rules};
use connect4::ConnectFour;
use game::record::{GameRecord, replay, replay_steps};
use game::starts::{StartConfig, StartSides};
use game::{BoardGame, Game};
use pile::Pile;
use search::{SearchConfig, TreeReuse};
use selfplay::{
    Batch, Ended, Evaluator, EvaluatorError, HashEvaluator, Proceed, RandomOpenings, Resignation,
    SelfPlayConfig, Simulations, StartDistribution, TemperatureSchedule, UnfinishedGame, UniformEvaluator,
    Worker, WorkerError,
};
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

fn connect_four() -> ConnectFour {
    let rules = ConnectFour::preset(ConnectFour::presets()[0]).expect("its own preset");
    ConnectFour::with_rules(rules).expect("its own rules")
}

fn small() -> SelfPlayConfig {
    SelfPlayConfig {
        games_per_worker: 12,
        batch_size: 8,
        simulations: Simulations::Mixed { full: 16, fast: 4, full_share: 0.5 },
        temperature: TemperatureSchedule { opening_turns: 8, opening: 1.0, later: 0.0 },
        resignation: Resignation::Never,
        starts: StartDistribution::Standard,
        random_openings: RandomOpenings { share: 0.5, most_turns: 4 },
        cache_megabytes: 1,
    }
}

fn worker(config: SelfPlayConfig, seed: u64) -> Worker<ConnectFour> {
    Worker::new(connect_four(), config, SearchConfig::default(), seed, Arc::new(AtomicU64::new(0)))
        .expect("good settings")
}

/// Plays until `games` more games are finished.
fn play<G: BoardGame>(worker: &mut Worker<G>, evaluator: &mut dyn Evaluator, games: u64) -> Vec<GameRecord> {
    let mut records = Vec::new();
    let wanted = worker.counters().games + games;
    let proceed =
        |counters: &selfplay::Counters| if counters.games < wanted { Proceed::Play } else { Proceed::Stop };
    let ended = worker.run(evaluator, proceed, |record| records.push(record)).expect("no faults");
    assert_eq!(ended, Ended::Stopped);
    assert!(records.len() as u64 >= games);
    records
}

#[test]
fn records_replay_and_carry_what_was_searched() {
    let game = connect_four();
    let mut worker = worker(small(), 1);
    worker.set_cycle(3);
    let records = play(&mut worker, &mut UniformEvaluator::for_game(&game), 60);
    let mut ids = HashSet::new();
    let (mut random, mut full, mut fast) = (0, 0, 0);
    for record in &records {
        assert!(ids.insert(record.id));
        assert_eq!(record.cycle, 3);
        replay(&game, record, |play, _, step| {
            let mut steps = Vec::new();
            game.legal_steps(&play.position, &mut steps);
            match &step.search {
                None => random += 1,
                Some(search) if search.full => {
                    full += 1;
                    assert_eq!(search.simulations, 16);
                }
                Some(search) if steps.len() > 1 => {
                    fast += 1;
                    assert_eq!(search.simulations, 4);
                }
                Some(_) => {}
            }
        })
        .expect("the rules confirm the record");
        let searched = record.steps.iter().position(|step| step.search.is_some()).expect("some search");
        assert!(searched <= 4, "openings have at most four turns");
        assert!(record.steps[searched..].iter().all(|step| step.search.is_some()));
    }
    assert!(random > 20 && full > 100 && fast > 100, "{random} random, {full} full, {fast} fast");
    let counters = worker.counters();
    assert_eq!(counters.games, records.len() as u64);
    assert!(counters.cache_hits > 0 && counters.shared > 0, "{counters:?}");
    assert!(counters.fill() > 0.9, "{counters:?}");
    assert!(counters.evaluator_time <= counters.total_time);
}

#[test]
fn the_same_seed_plays_the_same_games_and_another_seed_others() {
    let game = connect_four();
    let mut evaluator = HashEvaluator::for_game(&game, 5);
    let first = play(&mut worker(small(), 7), &mut evaluator, 40);
    assert_eq!(first, play(&mut worker(small(), 7), &mut evaluator, 40));
    assert_ne!(first, play(&mut worker(small(), 8), &mut evaluator, 40));
}

/// Batches and cache decide only who is judged when, never what a game becomes.
#[test]
fn a_game_depends_on_its_number_alone() {
    let game = connect_four();
    let mut evaluator = HashEvaluator::for_game(&game, 5);
    let mut by_id = |config: SelfPlayConfig| {
        let mut records = play(&mut worker(config, 7), &mut evaluator, 60);
        records.retain(|record| record.id < 40);
        records.sort_by_key(|record| record.id);
        assert_eq!(records.len(), 40, "the first forty games are finished");
        records
    };
    let base = by_id(small());
    assert_eq!(base, by_id(SelfPlayConfig { cache_megabytes: 0, ..small() }));
    assert_eq!(base, by_id(SelfPlayConfig { batch_size: 1, games_per_worker: 5, ..small() }));
    assert_eq!(base, by_id(SelfPlayConfig { batch_size: 12, ..small() }));
}

#[test]
fn saved_games_go_on_as_they_would_have() {
    let saved = go_on_from_saved(connect_four(), small(), SearchConfig::default());
    assert!(saved.iter().any(|game| game.steps.len() > 8));
}

#[test]
fn games_saved_within_a_turn_go_on_as_they_would_have() {
    let game = Pile::new(30, 60);
    // Nothing is kept or known in advance, so that steps within a turn wait for answers as well.
    let config = SelfPlayConfig { games_per_worker: 40, cache_megabytes: 0, ..small() };
    let search = SearchConfig { later_steps: 1.0, reuse: TreeReuse::Off, ..SearchConfig::default() };
    let saved = go_on_from_saved(game.clone(), config, search);
    let within_a_turn = saved.iter().filter(|saved| {
        let end = replay_steps(&game, saved.id, &saved.start, &saved.steps, |_, _, _, _| {}).expect("legal");
        game.mid_turn(&end.position)
    });
    assert!(within_a_turn.count() > 1);
}

/// Saves the games of a worker and compares what a worker with the saved games plays with what the
/// first one goes on to play. Returns the saved games.
fn go_on_from_saved<G: BoardGame>(
    game: G,
    config: SelfPlayConfig,
    search: SearchConfig,
) -> Vec<UnfinishedGame> {
    let ids = Arc::new(AtomicU64::new(0));
    let mut before = HashEvaluator::for_game(&game, 1);
    let mut after = HashEvaluator::for_game(&game, 2);
    let mut whole =
        Worker::new(game.clone(), config.clone(), search.clone(), 7, ids.clone()).expect("good settings");
    play(&mut whole, &mut before, 20);
    whole.publish();
    let saved = whole.unfinished();
    assert_eq!(saved.len(), config.games_per_worker);
    let text = serde_json::to_string(&saved).expect("plain data");
    let next_id = ids.load(Ordering::Relaxed);
    let expected = play(&mut whole, &mut after, 40);

    let mut restored =
        Worker::new(game, config.clone(), search.clone(), 7, Arc::new(AtomicU64::new(next_id)))
            .expect("good settings");
    restored.restore(serde_json::from_str(&text).expect("just written")).expect("legal games");
    assert_eq!(restored.games_in_hand(), config.games_per_worker);
    assert_eq!(expected, play(&mut restored, &mut after, 40));
    saved
}

#[test]
fn a_saved_game_that_the_rules_do_not_confirm_is_refused_by_number_and_step() {
    let mut worker = worker(small(), 7);
    play(&mut worker, &mut UniformEvaluator::for_game(&connect_four()), 5);
    let mut saved = worker.unfinished();
    let place = saved.iter().position(|game| game.steps.len() > 2).expect("a longer game");
    saved[place].steps[1].code = game::StepCode(77);
    let id = saved[place].id;
    let fault = worker.restore(saved).expect_err("no such step");
    assert_eq!(fault.place, format!("game {id} step 2"));
    assert_eq!(worker.games_in_hand(), 12, "none was taken");
}

#[test]
fn finishing_begins_no_games_and_ends() {
    let game = connect_four();
    let mut evaluator = UniformEvaluator::for_game(&game);
    let mut worker = worker(small(), 7);
    let played = play(&mut worker, &mut evaluator, 5);
    let mut in_hand: Vec<u64> = worker.unfinished().iter().map(|game| game.id).collect();
    let mut finished = Vec::new();
    let ended = worker
        .run(&mut evaluator, |_| Proceed::FinishGames, |record| finished.push(record.id))
        .expect("no faults");
    assert_eq!(ended, Ended::NoGamesLeft);
    assert_eq!(worker.games_in_hand(), 0);
    finished.sort_unstable();
    in_hand.sort_unstable();
    assert_eq!(finished, in_hand);
    let next = play(&mut worker, &mut evaluator, 1);
    assert!(next.iter().all(|record| record.id >= (played.len() + in_hand.len()) as u64));
    assert_eq!(worker.games_in_hand(), 12, "the worker fills up again");
}

/// Fails once, then answers.
struct Stumbling(HashEvaluator, u32);

impl Evaluator for Stumbling {
    fn plane_shape(&self) -> game::PlaneShape {
        self.0.plane_shape()
    }
    fn policy_shape(&self) -> game::PolicyShape {
        self.0.policy_shape()
    }
    fn evaluate(&mut self, batch: &mut Batch) -> Result<(), EvaluatorError> {
        self.1 += 1;
        if self.1 == 30 { Err(EvaluatorError::NotFinite { row: 3 }) } else { self.0.evaluate(batch) }
    }
}

#[test]
fn a_failing_evaluator_harms_no_game() {
    let game = connect_four();
    let mut worker = worker(small(), 7);
    let mut evaluator = Stumbling(HashEvaluator::for_game(&game, 3), 0);
    let mut before = 0;
    let failed = worker.run(&mut evaluator, |_| Proceed::Play, |_| before += 1);
    // The row is named as the step of a game in hand that was about to be played.
    let Err(EvaluatorError::NotFiniteAt { game: id, step }) = failed else { panic!("{failed:?}") };
    let unfinished = worker.unfinished();
    let asked = unfinished.iter().find(|saved| saved.id == id).expect("a game in hand");
    assert_eq!(step, asked.steps.len() as u64 + 1);
    assert_eq!(worker.games_in_hand(), 12);
    for record in play(&mut worker, &mut evaluator, 30) {
        replay(&game, &record, |_, _, _| {}).expect("the rules confirm the record");
    }
}

#[test]
fn wrong_settings_are_named() {
    let make = |config, search| {
        Worker::new(connect_four(), config, search, 0, Arc::new(AtomicU64::new(0)))
            .err()
            .expect("wrong settings")
    };
    let error = make(SelfPlayConfig { batch_size: 0, ..small() }, SearchConfig::default());
    assert!(matches!(error, WorkerError::Config(_)), "{error}");
    let error = make(small(), SearchConfig { margin_weight: -1.0, ..SearchConfig::default() });
    assert!(error.to_string().contains("margin_weight"), "{error}");
    let starts = StartDistribution::Positions(vec!["nonsense".to_owned(), "more".to_owned()]);
    let error = make(SelfPlayConfig { starts, ..small() }, SearchConfig::default()).to_string();
    assert!(error.contains("position 1") && error.contains("position 2"), "{error}");
}

#[test]
fn games_start_from_the_positions_of_the_list() {
    let game = connect_four();
    let mut position = game.start();
    let mut steps = Vec::new();
    game.legal_steps(&position, &mut steps);
    game.play(&mut position, steps[3]);
    let text = game::Notation::write_position(&game, &position);
    let config = SelfPlayConfig {
        starts: StartDistribution::Positions(vec![
            text.clone(),
            game::Notation::write_position(&game, &game.start()),
        ]),
        ..small()
    };
    let records = play(&mut worker(config, 2), &mut UniformEvaluator::for_game(&game), 40);
    let from_list = records.iter().filter(|record| record.start == text).count();
    assert!(from_list > 5 && from_list < records.len() - 5, "{from_list} of {}", records.len());
}

fn commander() -> Commander {
    Commander::with_rules(Rules { max_turns: 30, ..Rules::official() }).expect("good rules")
}

/// Plays Commander Chess from named starts; the records, and what was counted.
fn from_named_starts(sources: Vec<StartConfig>, games: u64) -> (Vec<GameRecord>, selfplay::Counters) {
    let config = SelfPlayConfig {
        simulations: Simulations::Always(2),
        starts: StartDistribution::Mixture(sources),
        ..small()
    };
    let mut worker =
        Worker::new(commander(), config, SearchConfig::default(), 5, Arc::default()).expect("good settings");
    let records = play(&mut worker, &mut UniformEvaluator::for_game(&commander()), games);
    (records, *worker.counters())
}

#[test]
fn games_from_a_mixture_of_starts_replay_and_repeat() {
    let sources = || {
        let one = StartConfig { sides: StartSides::One, weight: 2.0, ..StartConfig::named("free-prior") };
        vec![StartConfig::named("free-uniform"), one, StartConfig::named("standard")]
    };
    let (records, counters) = from_named_starts(sources(), 24);
    let game = commander();
    let standard = game::Notation::write_position(&game, &game.start());
    let (red, blue) = (&standard[standard.len() / 2..], &standard[..standard.len() / 3]);
    let (mut whole, mut half, mut neither) = (0, 0, 0);
    for record in &records {
        replay(&game, record, |_, _, _| {}).expect("the rules confirm the record");
        match (record.start.ends_with(red), record.start.starts_with(blue)) {
            (true, true) => whole += 1,
            (false, false) => neither += 1,
            _ => half += 1,
        }
    }
    assert!(whole > 0 && half > 0 && neither > 0, "{whole} {half} {neither}");
    assert!(counters.starts >= records.len() as u64 && counters.fallback_starts == 0);
    assert_eq!(from_named_starts(sources(), 24).0, records);
}

#[test]
fn void_starts_are_counted_and_another_source_stands_in() {
    let file = tempfile::NamedTempFile::new().expect("a file");
    // The commanders face each other on k6 and k7.
    let line = "N b2 c4, F e2 i2, T f4 h4, H f2 h2, E d5 j5, A d3 j3, G e4 i4, S g3, C k6, I c5 j6, M g5";
    std::fs::write(file.path(), line).expect("room for a line");
    let source = StartConfig { file: Some(file.path().to_owned()), ..StartConfig::named("set-ups") };
    let (records, counters) = from_named_starts(vec![source.clone()], 3);
    assert_eq!(counters.fallback_starts, counters.starts);
    assert!(counters.void_starts >= 16 * counters.starts && counters.void_share() > 0.9);
    assert!(records.iter().all(|record| replay(&commander(), record, |_, _, _| {}).is_ok()));
    std::fs::write(file.path(), line.replace("C k6", "C a1")).expect("room for a line");
    let starts = StartDistribution::Mixture(vec![StartConfig::named("standard"), source]);
    let error = starts.sampler(&commander()).expect_err("a commander at sea").to_string();
    assert!(
        error.starts_with("starts, source 2, file ") && error.contains("line 1, a1: the piece C"),
        "{error}"
    );
}

/// A game so small that soon every position is in the cache and no batch ever fills.
#[test]
fn a_worker_that_needs_no_evaluations_still_asks_how_to_proceed() {
    let game = Pile::new(3, 4);
    let config = SelfPlayConfig { simulations: Simulations::Always(8), ..small() };
    let mut worker =
        Worker::new(game.clone(), config, SearchConfig::default(), 1, Arc::default()).expect("good settings");
    let mut evaluator = HashEvaluator::for_game(&game, 1);
    let records = play(&mut worker, &mut evaluator, 2000);
    let evaluations = worker.counters().evaluations;
    assert!(evaluations < 100, "{evaluations}");
    assert!(records.len() < 2100);
}
