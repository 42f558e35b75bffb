//! Games behind an engine protocol, without a network.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use arena::games::{WithGame, names, with_game};
use arena::thinking::{ThinkerPlan, ThinkingSession};
use connect4::ConnectFour;
use engine::{Best, Info, Limits, Score, Thinker};
use game::random::{Purpose, stream};
use game::turns::Turns;
use game::{BoardGame, Play};
use rand::Rng;
use search::SearchConfig;
use selfplay::HashEvaluator;
use std::cell::Cell;
use std::time::Duration;

fn thinker<G: BoardGame>(game: &G, simulations: u32) -> Box<dyn Thinker> {
    game.thinker(ThinkerPlan {
        name: "test".to_owned(),
        evaluator: Box::new(HashEvaluator::for_game(game, 7)),
        search: SearchConfig::default(),
        simulations,
        leaves: 4,
    })
    .unwrap()
}

/// What it plays and what it tells.
fn asked(thinker: &mut dyn Thinker, limits: &Limits) -> (Best, Vec<Info>) {
    let mut told = Vec::new();
    let best = thinker.think(limits, &|| false, &mut |info| told.push(info)).unwrap();
    (best, told)
}

fn nodes(nodes: u64) -> Limits {
    Limits { nodes: Some(nodes), ..Limits::default() }
}

fn words(text: &str) -> Vec<String> {
    text.split_whitespace().map(str::to_owned).collect()
}

/// Every turn of every game is one word, and what a thinker plays is a legal turn.
#[test]
fn every_game_is_played_in_words() {
    struct Whole;
    impl WithGame for Whole {
        type Output = ();
        fn with<G: BoardGame>(self, game: G) {
            let mut thinker = thinker(&game, 4);
            let mut random = stream(3, Purpose::Statistics, &[]);
            let mut play = Play::new(&game, game.start());
            let (mut turns, mut walk) = (Vec::new(), Turns::new(&game, &play.position));
            for number in 0..60 {
                if play.outcome(&game).is_some() {
                    break;
                }
                let text = if number % 3 == 2 {
                    thinker.set_position(None, &turns).unwrap();
                    let (best, told) = asked(thinker.as_mut(), &Limits::default());
                    assert!(told.last().is_some_and(|info| info.nodes.is_some() && info.score.is_some()));
                    best.turn
                } else {
                    walk.start(&game, &play.position);
                    let mut all = Vec::new();
                    while walk.advance(&game) && all.len() < 200 {
                        all.push(game.turn_text(&play.position, walk.steps()));
                    }
                    all.swap_remove(random.random_range(0..all.len()))
                };
                assert_eq!(words(&text), std::slice::from_ref(&text), "a turn is one word");
                for step in game.read_turn(&play.position, &text).unwrap() {
                    play.step(&game, step);
                }
                turns.push(text);
            }
            assert!(turns.len() > 6, "{} turns", turns.len());
        }
    }
    for name in names() {
        with_game(name, None, &[], Whole).unwrap();
    }
}

#[test]
fn wrong_positions_are_named() {
    let mut thinker = thinker(&ConnectFour::new(), 4);
    let fault = thinker.set_position(Some("7/7 x"), &[]).unwrap_err();
    assert!(fault.starts_with("position `7/7 x`: "), "{fault}");
    assert_eq!(
        thinker.think(&nodes(1), &|| false, &mut |_| {}).unwrap_err(),
        "there is no position to think about"
    );
    let fault = thinker.set_position(None, &words("d h")).unwrap_err();
    assert_eq!(fault, "turn 2 `h`: no step: write a file from a to g");
    let fault = thinker.set_position(None, &words("a b a b a b a b")).unwrap_err();
    assert_eq!(fault, "turn 8 `b`: the game has ended before it (four)");
    thinker.set_position(None, &words("a b a b a b a")).unwrap();
    assert_eq!(thinker.think(&nodes(1), &|| false, &mut |_| {}).unwrap_err(), "the game has ended (four)");
}

#[test]
fn options_are_checked() {
    let mut thinker = thinker(&ConnectFour::new(), 4);
    thinker.set_position(None, &[]).unwrap();
    assert_eq!(
        thinker.set_option("MultiPV", "0").unwrap_err(),
        "option MultiPV: `0` should be a whole number from 1 to 64"
    );
    assert_eq!(
        thinker.set_option("Simulations", "many").unwrap_err(),
        "option Simulations: `many` should be a whole number from 0 to 1000000"
    );
    assert_eq!(thinker.set_option("Hash", "1").unwrap_err(), "option Hash is not known");
    for (name, value) in [("Simulations", "40"), ("MultiPV", "3"), ("UCI_ShowWDL", "false")] {
        thinker.set_option(name, value).unwrap();
    }
    let (best, told) = asked(thinker.as_mut(), &Limits::default());
    let last = &told[told.len() - 3..];
    assert_eq!(last.iter().map(|info| info.line_number).collect::<Vec<_>>(), [Some(1), Some(2), Some(3)]);
    assert!(last.iter().all(|info| info.nodes == Some(40) && info.wdl.is_none()), "{last:?}");
    assert!(matches!(last[0].score, Some(Score::Centipawns(_))));
    assert_eq!(last[0].line[0], best.turn);
    assert_eq!(last[0].line.get(1), best.reply.as_ref());
}

#[test]
fn limits_are_kept() {
    let mut thinker = thinker(&ConnectFour::new(), 10);
    let mut found = |limits: &Limits| {
        thinker.set_position(None, &words("d d")).unwrap();
        asked(thinker.as_mut(), limits).1.pop().unwrap()
    };
    assert_eq!(found(&nodes(33)).nodes, Some(33));
    assert_eq!(found(&Limits::default()).nodes, Some(10));
    let deep = found(&Limits { depth: Some(3), ..Limits::default() });
    assert!(deep.depth >= Some(3) || deep.nodes >= Some(30), "{deep:?}");
    let timed = found(&Limits { turn_time: Some(Duration::from_millis(30)), ..Limits::default() });
    assert!(timed.milliseconds.unwrap() < 30_000 && timed.nodes.unwrap() > 16, "{timed:?}");
    let both =
        Limits { turn_time: Some(Duration::from_millis(1)), nodes: Some(1_000_000), ..Limits::default() };
    assert!(found(&both).nodes.unwrap() < 1_000_000);
    // An endless search ends when it is told to.
    let asks = Cell::new(0);
    let stop = || {
        asks.set(asks.get() + 1);
        asks.get() > 500
    };
    thinker.set_position(None, &[]).unwrap();
    let endless = Limits { infinite: true, ..Limits::default() };
    thinker.think(&endless, &stop, &mut |_| {}).unwrap();
    assert!(asks.get() >= 500);
}

/// Going on from the position that was searched keeps the tree; anything else begins anew and finds the
/// same as a new thinker.
#[test]
fn the_tree_is_kept_along_the_game_only() {
    let game = ConnectFour::new();
    let fresh = |turns: &str| {
        let mut new = thinker(&game, 50);
        new.set_position(None, &words(turns)).unwrap();
        asked(new.as_mut(), &nodes(50)).1.pop().unwrap()
    };
    let timeless = |mut info: Info| {
        (info.milliseconds, info.nodes_per_second) = (None, None);
        info
    };
    let mut thinker = thinker(&game, 50);
    thinker.set_position(None, &words("d")).unwrap();
    let (best, _) = asked(thinker.as_mut(), &nodes(50));
    let reply = best.reply.unwrap();
    thinker.set_position(None, &words(&format!("d {} {reply}", best.turn))).unwrap();
    let kept = asked(thinker.as_mut(), &nodes(50)).1.pop().unwrap();
    assert_ne!(timeless(kept), timeless(fresh(&format!("d {} {reply}", best.turn))));
    for turns in ["d", "a b", "d d d"] {
        thinker.set_position(None, &words(turns)).unwrap();
        let again = asked(thinker.as_mut(), &nodes(50)).1.pop().unwrap();
        assert_eq!(timeless(again), timeless(fresh(turns)), "{turns}");
        // Asked twice about one position.
        let again = asked(thinker.as_mut(), &nodes(50)).1.pop().unwrap();
        assert_eq!(timeless(again), timeless(fresh(turns)), "{turns}");
        thinker.new_game();
    }
}
