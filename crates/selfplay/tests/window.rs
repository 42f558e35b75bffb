//! What the replay window teaches, checked by hand and in whole games.

#![allow(clippy::expect_used)] // helpers of tests, too, may fail only by a panic

mod pile;

use connect4::ConnectFour;
use game::random::{Purpose, stream};
use game::record::{GameRecord, SearchRecord, StepRecord};
use game::{BoardGame, NO_CELL, OfMover, Owner, StepCode, Wdl};
use pile::Pile;
use search::SearchConfig;
use selfplay::{
    AuxiliaryHead, GameStatistics, HashEvaluator, Proceed, SelfPlayConfig, Simulations, TargetConfig,
    TemperatureSchedule, TrainBatch, ValueTarget, Window, WindowSize, Worker, turns_left_target,
};
use std::collections::HashMap;
use std::sync::Arc;
use std::sync::atomic::AtomicU64;

const TAKE: StepCode = StepCode(0);
const MORE: StepCode = StepCode(1);
const STOP: StepCode = StepCode(2);

/// A step that was searched with this policy and this expected result for the side to move.
fn searched(code: StepCode, policy: &[(StepCode, f32)], wdl: [f32; 3], full: bool) -> StepRecord {
    let [win, draw, loss] = wdl;
    let wdl = OfMover(Wdl { win, draw, loss });
    StepRecord { code, search: Some(SearchRecord::new(policy, wdl, 8, full, 0.1)) }
}

/// Five stones. First takes two (a turn of two steps), Second one, First two, the second of which
/// ends the game within the turn: 4 to 1, First wins.
fn by_hand() -> GameRecord {
    GameRecord {
        id: 12,
        cycle: 1,
        start: "5 0 0 0 0 0".to_owned(),
        steps: vec![
            StepRecord { code: MORE, search: None },
            searched(TAKE, &[(TAKE, 1.0), (STOP, 3.0)], [0.5, 0.25, 0.25], true),
            searched(TAKE, &[(MORE, 1.0), (TAKE, 1.0)], [0.75, 0.0, 0.25], true),
            searched(MORE, &[(MORE, 1.0)], [0.25, 0.25, 0.5], false),
            searched(TAKE, &[(TAKE, 1.0)], [1.0, 0.0, 0.0], true),
        ],
        winner: "first".to_owned(),
        reason: "last".to_owned(),
        points: [4, 1],
    }
}

fn near(found: &[f32], expected: &[f32]) -> bool {
    found.len() == expected.len()
        && found.iter().zip(expected).all(|(found, expected)| (found - expected).abs() < 1e-4)
}

fn samples<G: BoardGame>(game: G, config: &TargetConfig, record: &GameRecord) -> TrainBatch {
    let mut window = Window::new(game, WindowSize::Fixed(1000));
    window.insert(record).expect("legal");
    let mut batch = TrainBatch::default();
    assert!(window.game_samples(config, record.id, &mut batch));
    batch
}

#[test]
fn samples_by_hand() {
    let config = TargetConfig { value: ValueTarget::Result, ..TargetConfig::default() };
    let batch = samples(Pile::new(5, 30), &config, &by_hand());
    assert_eq!(batch.ids, [1, 2, 3, 4].map(|step| (12 << 16) | step), "the random step is no sample");
    // Stones, within a turn, own stones, the enemy's, turns.
    let planes = [4, 1, 1, 0, 0, 3, 0, 0, 2, 1, 2, 0, 2, 1, 2, 1, 1, 3, 1, 2];
    assert_eq!(batch.planes, planes.map(|number| number as f32));
    assert_eq!(batch.step_ends, [2, 4, 6, 8]);
    assert_eq!(
        batch.cells,
        [0, 2, 0, 1, 0, 1, 0, 2].iter().flat_map(|&cell| [cell, NO_CELL]).collect::<Vec<_>>()
    );
    assert!(
        near(&batch.policy_target, &[0.25, 0.75, 0.5, 0.5, 0.0, 1.0, 1.0, 0.0]),
        "{:?}",
        batch.policy_target
    );
    assert_eq!(batch.policy_weight, [1.0, 1.0, 0.0, 1.0]);
    // First moves in samples 1, 3 and 4, in two of them within its turn; Second in sample 2.
    let (won, lost) = ([1.0, 0.0, 0.0], [0.0, 0.0, 1.0]);
    assert_eq!(batch.wdl_target, [won, lost, won, won]);
    let margin = 0.75f32.tanh();
    assert!(near(&batch.margin_target, &[margin, -margin, margin, margin]));
}

/// The game has three turns; after the first sample Second's search follows, after that First's.
#[test]
fn auxiliary_targets_by_hand() {
    let mut window =
        Window::new(Pile::new(5, 30), WindowSize::Fixed(1000)).with_auxiliary(&AuxiliaryHead::ALL);
    window.insert(&by_hand()).expect("legal");
    let mut batch = TrainBatch::default();
    assert!(window.game_samples(&TargetConfig::default(), 12, &mut batch));
    let targets = &batch.auxiliary;
    assert!(near(&targets.turns_left, &[3, 2, 1, 1].map(turns_left_target)), "{:?}", targets.turns_left);
    assert_eq!(targets.reply_ends, [2, 4, 4, 4], "nobody replies to the last turn");
    assert_eq!(targets.reply_cells, [0, NO_CELL, 1, NO_CELL, 0, NO_CELL, 1, NO_CELL]);
    assert!(near(&targets.reply, &[0.5, 0.5, 0.0, 1.0]), "{:?}", targets.reply);
    assert_eq!(targets.owners, [Owner::Nobody.index() as u8; 4]);
    window.draw(&TargetConfig::default(), 7, &mut stream(1, Purpose::Sampling, &[]), &mut batch);
    assert_eq!((batch.auxiliary.turns_left.len(), batch.auxiliary.reply_ends.len()), (7, 7));
}

/// Stones of the end and the cells of replies go through the symmetry of their row.
#[test]
fn auxiliary_targets_of_whole_games_go_with_their_rows() {
    let game = ConnectFour::new();
    let mut window = Window::new(game, WindowSize::Fixed(10_000)).with_auxiliary(&AuxiliaryHead::ALL);
    let records = play(&game, 12);
    for record in &records {
        window.insert(record).expect("legal");
    }
    let mut batch = TrainBatch::default();
    window.draw(&TargetConfig::default(), 200, &mut stream(1, Purpose::Sampling, &[]), &mut batch);
    for row in 0..batch.len() {
        let planes = &batch.planes[row * 126..(row + 1) * 126];
        let owners = &batch.auxiliary.owners[row * 42..(row + 1) * 42];
        for square in 0..42 {
            // A stone stays where it is until the end; the planes are own, enemy, ones.
            for (plane, owner) in [(0, Owner::Own), (1, Owner::Enemy)] {
                assert!(planes[square * 3 + plane] == 0.0 || owners[square] == owner.index() as u8);
            }
        }
        let ends = &batch.auxiliary.reply_ends;
        let steps = if row == 0 { 0 } else { ends[row - 1] as usize }..ends[row] as usize;
        let sum: f32 = batch.auxiliary.reply[steps.clone()].iter().sum();
        assert!(steps.is_empty() || (sum - 1.0).abs() < 1e-5);
        // Wherever the reply falls, the square is empty in the row's position.
        for &cell in &batch.auxiliary.reply_cells[steps] {
            let (own, enemy) = (planes[cell as usize * 3], planes[cell as usize * 3 + 1]);
            assert_eq!((own, enemy), (0.0, 0.0), "row {row}: {cell}");
        }
    }
}

#[test]
fn a_mixture_by_hand() {
    let config =
        TargetConfig { value: ValueTarget::Mixture { search_share: 0.5 }, ..TargetConfig::default() };
    let batch = samples(Pile::new(5, 30), &config, &by_hand());
    let expected = [[0.75, 0.125, 0.125], [0.375, 0.0, 0.625], [0.625, 0.125, 0.25], [1.0, 0.0, 0.0]];
    for (found, expected) in batch.wdl_target.iter().zip(&expected) {
        assert!(near(found, expected), "{found:?} instead of {expected:?}");
    }
}

#[test]
fn a_truncated_game_by_hand() {
    let mut record = by_hand();
    // Two turns are the limit: after Second's step nobody has won. Second's own search, the last
    // one, expected [0.75, 0, 0.25] for Second.
    record.steps.truncate(3);
    record.winner = "none".to_owned();
    record.reason = "length".to_owned();
    record.points = [2, 1];
    let batch = samples(Pile::new(5, 2), &TargetConfig::default(), &record);
    assert!(near(&batch.wdl_target[0], &[0.25, 0.0, 0.75]), "{:?}", batch.wdl_target[0]);
    assert!(near(&batch.wdl_target[1], &[0.75, 0.0, 0.25]), "{:?}", batch.wdl_target[1]);
    assert!(near(&batch.margin_target, &[0.25f32.tanh(), -(0.25f32.tanh())]));
}

#[test]
fn what_the_rules_do_not_confirm_stays_out() {
    type Change = fn(&mut GameRecord);
    let changes: [(Change, &str, &str); 9] = [
        (|record| record.start = "x".to_owned(), "game 12 start", "six numbers"),
        (|record| record.steps[2].code = STOP, "game 12 step 3", "no legal step"),
        (|record| record.steps.push(record.steps[4].clone()), "game 12 step 6", "ended"),
        (|record| drop(record.steps.pop()), "game 12 result", "unfinished"),
        (|record| record.winner = "second".to_owned(), "game 12 result", "second"),
        (|record| record.reason = "length".to_owned(), "game 12 result", "length"),
        (|record| record.points = [1, 4], "game 12 points", "[4, 1]"),
        (
            |record| record.steps[3].search.as_mut().expect("searched").policy = vec![(STOP, 9)],
            "game 12 step 4",
            "policy",
        ),
        (
            |record| record.steps[3].search.as_mut().expect("searched").policy.clear(),
            "game 12 step 4",
            "no weight",
        ),
    ];
    for (change, place, word) in changes {
        let mut record = by_hand();
        change(&mut record);
        let mut window = Window::new(Pile::new(5, 30), WindowSize::Fixed(1000));
        let fault = window.insert(&record).expect_err(word);
        assert_eq!(fault.place, place);
        assert!(fault.message.contains(word), "{fault}");
        assert!(window.is_empty() && window.entered() == 0);
        assert!(GameStatistics::new().add(&Pile::new(5, 30), &record).is_err());
    }
}

#[test]
fn statistics_count_turns_and_captures() {
    let mut statistics = GameStatistics::new();
    statistics.add(&Pile::new(5, 30), &by_hand()).expect("legal");
    let summary = statistics.summary();
    assert_eq!((summary.mean_turns, summary.mean_steps, summary.captures_per_game), (3.0, 5.0, 5.0));
    assert_eq!((summary.samples, summary.full_share, summary.mean_margin), (4, 0.75, 3.0));
    assert_eq!(summary.reasons["last"], 1);
}

/// The window keeps the newest games that together hold at least its size.
#[test]
fn old_games_leave_first() {
    let mut window = Window::new(Pile::new(5, 30), WindowSize::Fixed(10));
    for id in 0..6 {
        assert_eq!(window.insert(&GameRecord { id, ..by_hand() }).expect("legal"), 4);
    }
    assert_eq!((window.len(), window.games(), window.entered()), (12, 3, 24));
    assert_eq!(window.span(), Some((3, 5)));
    let one = {
        let mut window = Window::new(Pile::new(5, 30), WindowSize::Fixed(1));
        window.insert(&by_hand()).expect("legal");
        window.bytes()
    };
    assert_eq!(window.bytes(), 3 * one);
    assert!(!window.game_samples(&TargetConfig::default(), 2, &mut TrainBatch::default()));
    let mut batch = TrainBatch::default();
    window.draw(&TargetConfig::default(), 3000, &mut stream(1, Purpose::Sampling, &[]), &mut batch);
    let mut counts = HashMap::new();
    for id in batch.ids {
        *counts.entry(id).or_insert(0u32) += 1;
    }
    assert_eq!(counts.len(), 12, "every sample is drawn, no other");
    assert!(counts.values().all(|&count| (180..320).contains(&count)), "{counts:?}");
}

/// Three full samples of surprises 0.1, 0.1 and 0.4 nats, mean 0.2, and a fast one: with a share of a half they
/// are drawn as 0.75, 0.75, 1.5 and 1.
#[test]
fn surprise_draws_by_its_share() {
    let mut record = by_hand();
    for (step, surprise) in [(1, 100), (2, 100), (3, 9000), (4, 400)] {
        record.steps[step].search.as_mut().expect("searched").surprise = surprise;
    }
    let mut window = Window::new(Pile::new(5, 30), WindowSize::Fixed(10));
    window.insert(&record).expect("legal");
    let config = TargetConfig { surprise_share: 0.5, ..TargetConfig::default() };
    let mut batch = TrainBatch::default();
    window.draw(&config, 8000, &mut stream(1, Purpose::Sampling, &[]), &mut batch);
    let mut counts = [0; 5];
    for &id in &batch.ids {
        counts[TrainBatch::game_and_step(id).1] += 1;
    }
    // A standard deviation is 44 at most.
    for (step, expected) in [(1, 1500), (2, 1500), (3, 2000), (4, 3000)] {
        let found: i32 = counts[step];
        assert!((found - expected).abs() < 180, "step {step}: {found} of 8000 instead of about {expected}");
    }
}

/// A window that is filled again from the newest games goes on as if it had never gone.
#[test]
fn a_window_resumes() {
    let size = WindowSize::Growing { minimum: 20, maximum: 500, exponent: 0.75, slope: 0.4 };
    let records: Vec<_> = (0..200).map(|id| GameRecord { id, ..by_hand() }).collect();
    for cut in [1, 4, 9, 100] {
        let mut whole = Window::new(Pile::new(5, 30), size);
        for record in &records[..cut] {
            whole.insert(record).expect("legal");
        }
        let mut resumed = Window::new(Pile::new(5, 30), size);
        // A few more games than the window holds, as whole shards give them.
        let newest = &records[cut.saturating_sub(whole.games() + 3)..cut];
        resumed.resume(whole.entered(), newest);
        for record in newest {
            resumed.insert(record).expect("legal");
        }
        for record in &records[cut..] {
            whole.insert(record).expect("legal");
            resumed.insert(record).expect("legal");
            assert_eq!((whole.entered(), whole.len()), (resumed.entered(), resumed.len()));
            assert_eq!(whole.span(), resumed.span());
        }
        let (mut one, mut other) = (TrainBatch::default(), TrainBatch::default());
        whole.draw(&TargetConfig::default(), 50, &mut stream(1, Purpose::Sampling, &[3]), &mut one);
        resumed.draw(&TargetConfig::default(), 50, &mut stream(1, Purpose::Sampling, &[3]), &mut other);
        assert_eq!(one, other);
    }
}

fn play<G: BoardGame>(game: &G, games: u64) -> Vec<GameRecord> {
    // Weak and free play, so that games end in every way.
    let config = SelfPlayConfig {
        games_per_worker: 8,
        batch_size: 8,
        simulations: Simulations::Always(3),
        temperature: TemperatureSchedule { opening_turns: 0, opening: 1.0, later: 1.0 },
        ..SelfPlayConfig::default()
    };
    let mut worker =
        Worker::new(game.clone(), config, SearchConfig::default(), 3, Arc::new(AtomicU64::new(0)))
            .expect("good");
    let mut records = Vec::new();
    let proceed =
        |counters: &selfplay::Counters| if counters.games < games { Proceed::Play } else { Proceed::Stop };
    worker
        .run(&mut HashEvaluator::for_game(game, 2), proceed, |record| records.push(record))
        .expect("no faults");
    records
}

/// Games with turns of several steps go through everything.
#[test]
fn whole_games_of_several_steps_a_turn() {
    let game = Pile::new(6, 5);
    let records = play(&game, 60);
    let mut window = Window::new(game.clone(), WindowSize::Fixed(10_000));
    let mut statistics = GameStatistics::new();
    for record in &records {
        window.insert(record).expect("legal");
        statistics.add(&game, record).expect("legal");
    }
    let summary = statistics.summary();
    assert!(summary.mean_steps > summary.mean_turns);
    let shares = [summary.truncated_share, summary.first_win_share, summary.second_win_share];
    assert!(shares.iter().all(|&share| share > 0.05), "{summary:?}");
    assert_eq!(summary.samples, window.len());
    for record in &records {
        let mut batch = TrainBatch::default();
        assert!(window.game_samples(&TargetConfig::default(), record.id, &mut batch));
        for row in 0..batch.len() {
            let sum: f32 = batch.policy_target[batch.step_range(row)].iter().sum();
            assert!((sum - 1.0).abs() < 1e-5);
            // The mover's own stones minus the enemy's grow towards the margin that it is taught.
            let own_turn_parity = batch.planes[row * 5 + 4] as u32 % 2;
            let margin = (record.points[0] - record.points[1]) as f32 / 4.0;
            let seen = if own_turn_parity == 0 { margin } else { -margin };
            assert!((batch.margin_target[row] - seen.tanh()).abs() < 1e-6);
            if record.winner != "none" {
                let won = (record.winner == "first") == (own_turn_parity == 0);
                assert_eq!(batch.wdl_target[row], if won { [1.0, 0.0, 0.0] } else { [0.0, 0.0, 1.0] });
            }
        }
    }
}

/// Every drawn row is the sample itself or its mirror image, planes and policy alike; both occur.
#[test]
fn symmetries_move_planes_and_cells_together() {
    let game = ConnectFour::new();
    let records = play(&game, 12);
    let mut window = Window::new(game, WindowSize::Fixed(10_000));
    let mut originals = HashMap::new();
    for record in &records {
        window.insert(record).expect("legal");
        let mut batch = TrainBatch::default();
        window.game_samples(&TargetConfig::default(), record.id, &mut batch);
        for row in 0..batch.len() {
            originals.insert(batch.ids[row], row_of(&batch, row, false));
        }
    }
    let mut batch = TrainBatch::default();
    window.draw(&TargetConfig::default(), 400, &mut stream(1, Purpose::Sampling, &[]), &mut batch);
    let (mut same, mut mirrored) = (0, 0);
    for row in 0..batch.len() {
        let original = &originals[&batch.ids[row]];
        let is_same = row_of(&batch, row, false) == *original;
        let is_mirrored = row_of(&batch, row, true) == *original;
        assert!(is_same || is_mirrored);
        same += u32::from(is_same && !is_mirrored);
        mirrored += u32::from(is_mirrored && !is_same);
    }
    assert!(same > 130 && mirrored > 130, "{same} as they were, {mirrored} mirrored");
}

/// Planes and (cell, target) pairs of a row, mirrored left to right if asked.
fn row_of(batch: &TrainBatch, row: usize, mirror: bool) -> (Vec<f32>, Vec<(u32, u32)>) {
    let column = |square: usize| if mirror { square / 7 * 7 + 6 - square % 7 } else { square };
    let planes = &batch.planes[row * 126..(row + 1) * 126];
    let planes =
        (0..42).flat_map(|square| planes[column(square) * 3..column(square) * 3 + 3].to_vec()).collect();
    let range = batch.step_range(row);
    let mut policy: Vec<_> = batch.cells[range.clone()]
        .iter()
        .zip(&batch.policy_target[range])
        .map(|(&cell, target)| (column(cell as usize) as u32, target.to_bits()))
        .collect();
    policy.sort_unstable();
    (planes, policy)
}
