//! Matches end to end, with Connect Four.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use arena::matches::{
    Contestant, MatchError, MatchPlan, MatchReport, MatchSession, Names, NetworkPlayer, PairResult, Stop,
    Tally, Watch,
};
use arena::opponents::BuiltIn;
use connect4::ConnectFour;
use game::{Notation, Player};
use search::SearchConfig;
use selfplay::UniformEvaluator;
use std::sync::atomic::{AtomicU64, Ordering};

/// Stops after a number of pairs.
struct StopAfter {
    pairs: u64,
    stop: Stop,
    seen: AtomicU64,
}

impl StopAfter {
    fn never() -> StopAfter {
        StopAfter::pairs(u64::MAX, Stop::Now)
    }

    fn pairs(pairs: u64, stop: Stop) -> StopAfter {
        StopAfter { pairs, stop, seen: AtomicU64::new(0) }
    }
}

impl Watch for StopAfter {
    fn pair_finished(&self, tally: &Tally) {
        self.seen.store(tally.pentanomial.pairs(), Ordering::Relaxed);
    }

    fn stop(&self) -> Stop {
        if self.seen.load(Ordering::Relaxed) >= self.pairs { self.stop } else { Stop::GoOn }
    }
}

fn plan(pairs: u64, threads: usize) -> MatchPlan {
    MatchPlan { pairs, opening_turns: 4, seed: 3, threads, games_at_once: 8 }
}

fn uniform(simulations: u32) -> Contestant {
    Contestant::Network(NetworkPlayer {
        make_evaluator: Box::new(|| Ok(Box::new(UniformEvaluator::for_game(&ConnectFour::new())))),
        search: SearchConfig::default(),
        simulations,
    })
}

fn played(contestants: &[Contestant; 2], starts: Option<&str>, plan: &MatchPlan) -> Vec<PairResult> {
    ConnectFour::new().play_match(contestants, starts, plan, &StopAfter::never()).unwrap()
}

fn report(pairs: &[PairResult]) -> MatchReport {
    let names = Names { a: "one".to_owned(), b: "two".to_owned(), game: "connect4".to_owned() };
    MatchReport::new(&names, &Tally::of(pairs))
}

#[test]
fn a_pair_is_one_opening_with_colours_exchanged() {
    let contestants = [Contestant::BuiltIn(BuiltIn::Random), Contestant::BuiltIn(BuiltIn::Greedy)];
    let pairs = played(&contestants, None, &plan(6, 2));
    let mut openings = std::collections::BTreeSet::new();
    for (number, pair) in pairs.iter().enumerate() {
        assert_eq!(pair.pair, number as u64);
        let [first, second] = &pair.games;
        assert_eq!([first.a_plays, second.a_plays], Player::BOTH);
        assert_eq!((first.opening_turns, second.opening_turns), (4, 4));
        assert_eq!(first.turns[..4], second.turns[..4]);
        assert_eq!(first.start, second.start);
        assert_eq!(first.turns.len(), first.steps.len());
        openings.insert(first.turns[..4].to_vec());
    }
    assert!(openings.len() > 4, "{openings:?}");
}

#[test]
fn the_seed_alone_decides_a_match_without_networks() {
    let contestants = [
        Contestant::BuiltIn(BuiltIn::Rollouts { playouts: 20 }),
        Contestant::BuiltIn(BuiltIn::AlphaBeta { depth: 2 }),
    ];
    let one = played(&contestants, None, &plan(5, 1));
    assert_eq!(one, played(&contestants, None, &plan(5, 2)));
    assert_ne!(one, played(&contestants, None, &MatchPlan { seed: 4, ..plan(5, 1) }));
}

#[test]
fn networks_play_in_batches_and_repeat() {
    for simulations in [0, 8] {
        let contestants = [uniform(simulations), Contestant::BuiltIn(BuiltIn::Random)];
        let pairs = played(&contestants, None, &plan(10, 2));
        assert_eq!(pairs.len(), 10);
        // This evaluator's answers do not depend on the batch, so neither do the games.
        assert_eq!(pairs, played(&contestants, None, &MatchPlan { games_at_once: 2, ..plan(10, 1) }));
    }
    let contestants = [uniform(8), uniform(0)];
    assert_eq!(played(&contestants, None, &plan(4, 1)), played(&contestants, None, &plan(4, 2)));
}

#[test]
fn stronger_opponents_win() {
    let contestants =
        [Contestant::BuiltIn(BuiltIn::AlphaBeta { depth: 4 }), Contestant::BuiltIn(BuiltIn::Random)];
    let result = report(&played(&contestants, None, &plan(30, 2)));
    assert!(result.low.unwrap() > 0.8, "{result}");
    let contestants = [uniform(64), Contestant::BuiltIn(BuiltIn::Random)];
    let result = report(&played(&contestants, None, &plan(30, 2)));
    assert!(result.low.unwrap() > 0.6, "{result}");
}

#[test]
fn copies_of_a_game_give_no_interval() {
    let contestants = [uniform(0), uniform(0)];
    let result = report(&played(&contestants, None, &MatchPlan { opening_turns: 0, ..plan(20, 2) }));
    assert_eq!((result.games, result.distinct_games), (40, 2));
    assert_eq!((result.low, result.high), (None, None));
    assert_eq!(
        result.interval.as_deref(),
        Some(
            "only 2 of 40 games are distinct, fewer than 90 %: copies of a game are no evidence; ask for \
             more opening turns or more start positions"
        )
    );
    assert!(result.to_string().contains("no interval: only 2 of 40"), "{result}");
}

#[test]
fn a_match_can_be_stopped() {
    let contestants = [Contestant::BuiltIn(BuiltIn::Random), Contestant::BuiltIn(BuiltIn::Random)];
    let game = ConnectFour::new();
    let all = played(&contestants, None, &plan(50, 1));
    for stop in [Stop::FinishPairs, Stop::Now] {
        let pairs = game.play_match(&contestants, None, &plan(50, 1), &StopAfter::pairs(3, stop)).unwrap();
        assert_eq!(pairs, all[..3]);
    }
    let contestants = [uniform(2), uniform(2)];
    let pairs =
        game.play_match(&contestants, None, &plan(50, 1), &StopAfter::pairs(1, Stop::FinishPairs)).unwrap();
    assert_eq!(pairs.len(), 4, "eight games at once are four pairs");
}

#[test]
fn starts_are_used_in_turn() {
    let text = "# two starts\n7/7/7/7/7/7 x # the usual one\n\n7/7/7/7/7/3x3 o\n";
    let contestants = [Contestant::BuiltIn(BuiltIn::Random), Contestant::BuiltIn(BuiltIn::Random)];
    let pairs = played(&contestants, Some(text), &MatchPlan { opening_turns: 0, ..plan(4, 1) });
    let starts: Vec<&str> = pairs.iter().map(|pair| pair.games[0].start.as_str()).collect();
    let [usual, other] = ["7/7/7/7/7/7 x", "7/7/7/7/7/3x3 o"];
    assert_eq!(starts, [usual, other, usual, other]);
}

#[test]
fn faulty_starts_are_named_with_their_lines() {
    let game = ConnectFour::new();
    let contestants = [Contestant::BuiltIn(BuiltIn::Random), Contestant::BuiltIn(BuiltIn::Random)];
    let text = "7/7/7/7/7/7 x\nrubbish\n7/7/7/7/ooo4/xxxx3 o\n";
    let fault = game.play_match(&contestants, Some(text), &plan(1, 1), &StopAfter::never()).unwrap_err();
    assert!(fault.is_input());
    let MatchError::Starts(faults) = &fault else { panic!("{fault}") };
    assert_eq!(faults.iter().map(|fault| fault.line).collect::<Vec<_>>(), [2, 3]);
    assert_eq!(faults[0].message, game.read_position("rubbish").unwrap_err().to_string());
    assert_eq!(faults[1].message, "the game has ended here (four)");
    let fault = game.play_match(&contestants, Some("# none\n"), &plan(1, 1), &StopAfter::never());
    assert_eq!(fault.unwrap_err().to_string(), "start positions: line 1: no position in the whole file");
}

#[test]
fn openings_that_always_end_the_game_are_refused() {
    let contestants = [Contestant::BuiltIn(BuiltIn::Random), Contestant::BuiltIn(BuiltIn::Random)];
    let plan = MatchPlan { opening_turns: 42, ..plan(1, 1) };
    let fault = ConnectFour::new().play_match(&contestants, None, &plan, &StopAfter::never()).unwrap_err();
    assert!(fault.is_input());
    assert_eq!(
        fault.to_string(),
        "pair 0: each of 1000 random openings of 42 turns ended the game; ask for fewer opening turns"
    );
}

#[test]
fn reports_add_up() {
    let contestants = [Contestant::BuiltIn(BuiltIn::Greedy), Contestant::BuiltIn(BuiltIn::Random)];
    let pairs = played(&contestants, None, &plan(40, 2));
    let result = report(&pairs);
    assert_eq!((result.pairs, result.games), (40, 80));
    assert_eq!(result.wins + result.draws + result.losses, 80);
    assert_eq!(result.pentanomial.iter().sum::<u64>(), 40);
    let score = result.score.unwrap();
    let from_games = (result.wins as f64 + result.draws as f64 / 2.0) / 80.0;
    assert!((score - from_games).abs() < 1e-12);
    assert!(result.low.unwrap() < score && score < result.high.unwrap());
    let sum = |counts: &dyn Fn(&arena::matches::Counts) -> u64| {
        (
            result.by_reason.values().map(counts).sum::<u64>(),
            counts(&result.by_colour.first) + counts(&result.by_colour.second),
        )
    };
    assert_eq!(sum(&|counts| counts.wins), (result.wins, result.wins));
    assert_eq!(sum(&|counts| counts.losses), (result.losses, result.losses));
    let json = serde_json::to_value(&result).unwrap();
    for field in
        ["a", "b", "pairs", "games", "distinct_games", "wins", "draws", "losses", "score", "low", "high"]
    {
        assert!(!json[field].is_null(), "{field}");
    }
    assert!(json.get("interval").is_none());
}
