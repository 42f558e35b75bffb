//! Games that a side gives up: their records, what is counted, and that saved ones go on the same.

#![allow(clippy::expect_used)] // helpers of tests, too, may fail only by a panic

mod pile;

use game::Game;
use game::record::{GameRecord, RESIGNATION, replay};
use pile::Pile;
use search::SearchConfig;
use selfplay::{
    Counters, HashEvaluator, Proceed, Resignation, SelfPlayConfig, Simulations, TemperatureSchedule, Window,
    WindowSize, Worker,
};

const VALUE: f32 = 0.0;
const TURNS: u32 = 2;

fn game() -> Pile {
    Pile::new(9, 30)
}

fn worker(resignation: Resignation) -> Worker<Pile> {
    let config = SelfPlayConfig {
        games_per_worker: 8,
        batch_size: 8,
        simulations: Simulations::Always(4),
        temperature: TemperatureSchedule { opening_turns: 0, opening: 1.0, later: 1.0 },
        resignation,
        ..SelfPlayConfig::default()
    };
    Worker::new(game(), config, SearchConfig::default(), 3, std::sync::Arc::default()).expect("good settings")
}

/// Games of a worker whose evaluator means nothing, until so many steps were played in all.
fn play(worker: &mut Worker<Pile>, steps: u64) -> Vec<GameRecord> {
    let mut records = Vec::new();
    let proceed = |counters: &Counters| if counters.steps < steps { Proceed::Play } else { Proceed::Stop };
    worker
        .run(&mut HashEvaluator::for_game(&game(), 2), proceed, |record| records.push(record))
        .expect("no faults");
    records
}

/// Who gives up a recorded game first by the definition: hopeless in the first search of so many turns of its
/// own in a row. The search in which a game was given up is not recorded.
fn first_to_give_up(record: &GameRecord) -> Option<&'static str> {
    let game = game();
    let mut rows = [0, 0];
    let mut found = None;
    replay(&game, record, |play, _, step| {
        if let Some(search) = step.search.as_ref().filter(|_| !game.mid_turn(&play.position)) {
            let mover = game.mover(&play.position);
            let row: &mut u32 = &mut rows[mover.index()];
            *row = if search.value() < VALUE { *row + 1 } else { 0 };
            if *row >= TURNS && found.is_none() {
                found = Some(mover.word());
            }
        }
    })
    .expect("the rules confirm the record");
    found
}

#[test]
fn games_are_given_up_or_played_on_and_counted() {
    let mut worker = worker(Resignation::Below { value: VALUE, turns: TURNS, played_on: 0.5 });
    let records = play(&mut worker, 12_000);
    let counters = *worker.counters();
    let (mut resigned, mut played_on, mut wrong) = (0, 0, 0);
    for record in &records {
        match first_to_give_up(record) {
            // The turn in which it happened is not in the record.
            None if record.reason == RESIGNATION => resigned += 1,
            None => {}
            Some(loser) => {
                assert_ne!(record.reason, RESIGNATION, "it would have been given up earlier");
                if record.winner != "none" {
                    played_on += 1;
                    wrong += u64::from(record.winner == loser || record.winner == "draw");
                }
            }
        }
    }
    assert!(resigned > 50 && played_on > 50 && wrong > 5, "{resigned} {played_on} {wrong}");
    assert_eq!(
        (counters.resigned, counters.played_on, counters.false_resignations),
        (resigned, played_on, wrong)
    );
}

#[test]
fn a_game_that_was_given_up_teaches_its_result() {
    let records = play(&mut worker(Resignation::Below { value: VALUE, turns: 1, played_on: 0.0 }), 500);
    let after_a_while =
        |record: &&GameRecord| record.reason == RESIGNATION && selfplay::searched_steps(record) > 1;
    let record = records.iter().find(after_a_while).expect("some game is given up after a while");
    let mut window = Window::new(game(), WindowSize::Fixed(100));
    window.insert(record).expect("confirmed");
    let mut batch = selfplay::TrainBatch::default();
    window.game_samples(&selfplay::TargetConfig::default(), record.id, &mut batch);
    let mut rows = 0;
    replay(&game(), record, |play, _, step| {
        if step.search.is_some() {
            let won = game().mover(&play.position).word() == record.winner;
            assert_eq!(batch.wdl_target[rows], if won { [1.0, 0.0, 0.0] } else { [0.0, 0.0, 1.0] });
            rows += 1;
        }
    })
    .expect("confirmed");
    assert!(rows > 0);
}

#[test]
fn only_the_side_to_move_gives_up_and_only_between_turns() {
    let records = play(&mut worker(Resignation::Below { value: VALUE, turns: 1, played_on: 0.0 }), 500);
    let record = records.iter().find(|record| record.reason == RESIGNATION).expect("some");
    let swapped = if record.winner == "first" { "second" } else { "first" };
    let wrong = GameRecord { winner: swapped.to_owned(), ..record.clone() };
    assert!(replay(&game(), &wrong, |_, _, _| {}).is_err());
    // A record that stops within a turn.
    let whole = records.iter().find(|record| {
        let mut within = false;
        replay(&game(), record, |play, _, _| within |= game().mid_turn(&play.position)).is_ok() && within
    });
    let mut cut = whole.expect("turns have several steps").clone();
    let mut length = 0;
    let mut index = 0;
    replay(&game(), &cut.clone(), |play, _, _| {
        if game().mid_turn(&play.position) {
            length = index;
        }
        index += 1;
    })
    .expect("confirmed");
    cut.steps.truncate(length);
    cut.reason = RESIGNATION.to_owned();
    for winner in ["first", "second"] {
        cut.winner = winner.to_owned();
        assert!(replay(&game(), &cut, |_, _, _| {}).is_err());
    }
}

/// A worker restored from saved games gives up the same games.
#[test]
fn saved_games_remember_how_hopeless_they_were() {
    let rule = Resignation::Below { value: VALUE, turns: TURNS, played_on: 0.3 };
    let mut whole = worker(rule);
    play(&mut whole, 400);
    whole.publish();
    let mut restored = worker(rule);
    restored.restore(whole.unfinished()).expect("confirmed");
    let in_hand: Vec<u64> = whole.unfinished().iter().map(|game| game.id).collect();
    // As many games as have one of those in hand among them.
    let going_on = |worker: &mut Worker<Pile>| {
        let before = worker.counters().games;
        let proceed = |counters: &Counters| {
            if counters.games < before + 8 { Proceed::Play } else { Proceed::FinishGames }
        };
        let mut records = Vec::new();
        worker
            .run(&mut HashEvaluator::for_game(&game(), 2), proceed, |record| records.push(record))
            .expect("no faults");
        records.retain(|record| in_hand.contains(&record.id));
        records
    };
    let (one, other) = (going_on(&mut whole), going_on(&mut restored));
    assert_eq!(one.len(), 8);
    assert!(one.iter().any(|record| record.reason == RESIGNATION));
    assert_eq!(one, other);
}
