//! Replays of real games.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

use commander::Commander;
use connect4::ConnectFour;
use game::random::{Purpose, stream};
use game::record::{GameRecord, SearchRecord, StepRecord};
use game::{BoardGame, Game, OfMover, Play, StepCode, Wdl};
use rand::Rng;
use report::{Page, Replay, Section};

/// A game of random steps, each with a search that likes the step and one more.
fn random_game<G: BoardGame>(game: &G, seed: u64) -> (GameRecord, usize) {
    let mut random = stream(seed, Purpose::Playout, &[]);
    let mut play = Play::new(game, game.start());
    let (mut steps, mut legal, mut turns) = (Vec::new(), Vec::new(), 0);
    let outcome = loop {
        if let Some(outcome) = play.outcome(game) {
            break outcome;
        }
        game.legal_steps(&play.position, &mut legal);
        let step = legal[random.random_range(0..legal.len())];
        let code = game.step_code(&play.position, step);
        let other = game.step_code(&play.position, legal[0]);
        let policy: Vec<(StepCode, f32)> =
            if code == other { vec![(code, 1.0)] } else { vec![(code, 0.75), (other, 0.25)] };
        let wdl = OfMover(Wdl { win: 0.5, draw: 0.25, loss: 0.25 });
        let search = (steps.len() > 2).then(|| SearchRecord::new(&policy, wdl, 16, true, 0.1));
        steps.push(StepRecord { code, search });
        play.step(game, step);
        turns += usize::from(!game.mid_turn(&play.position));
    };
    let record = GameRecord {
        id: seed,
        cycle: 3,
        start: game.write_position(&game.start()),
        steps,
        winner: outcome.winner_word().to_owned(),
        reason: outcome.reason.0.to_owned(),
        points: game.points(&play.position),
    };
    (record, turns + usize::from(game.mid_turn(&play.position)))
}

#[test]
fn every_turn_has_a_frame_and_its_text() {
    let game = ConnectFour::new();
    let (record, turns) = random_game(&game, 5);
    let replay = Replay::of_record(&game, &record).unwrap();
    assert_eq!(replay.frames.len(), turns + 1);
    assert_eq!(replay.frames[0].turn, "");
    assert!(replay.frames[0].note.contains("random opening step"), "{}", replay.frames[0].note);
    assert_eq!(replay.frames[0].value, None);
    let third = &replay.frames[3];
    assert_eq!(
        third.value,
        Some(-f64::from(record.steps[3].search.as_ref().unwrap().value())),
        "the second moves"
    );
    assert!(third.note.contains("it expects a win 50 %, a draw 25 %, a loss 25 %"), "{}", third.note);
    assert!(third.note.contains("played"), "{}", third.note);
    let last = replay.frames.last().unwrap();
    assert!(last.note.starts_with(&format!("end: {} ({})", record.winner, record.reason)), "{}", last.note);
    assert!(replay.note.contains("cycle 3"));
}

#[test]
fn long_games_of_commander_chess_stay_small() {
    let game = Commander::with_rules(Commander::preset("official").unwrap()).unwrap();
    let (record, turns) = random_game(&game, 2);
    assert!(turns > 60, "{turns} turns: choose another seed");
    let replay = Replay::of_record(&game, &record).unwrap();
    assert_eq!(replay.frames.len(), turns + 1);
    let plain: usize = replay.frames.iter().map(|frame| frame.picture.len()).sum();
    let html = replay.to_html().as_str().len();
    assert!(html * 5 < plain, "{html} bytes for {plain} bytes of pictures");
    let page = Page { sections: vec![Section::new("Game").whole(replay.to_html())], ..Page::default() };
    assert!(page.to_html().len() < 1 << 20);
}

#[test]
fn a_record_that_the_rules_do_not_confirm_is_refused() {
    let game = ConnectFour::new();
    let (mut record, _) = random_game(&game, 5);
    record.steps[4].code = StepCode(99);
    let fault = Replay::of_record(&game, &record).unwrap_err();
    assert!(fault.to_string().contains("step 5"), "{fault}");
}
