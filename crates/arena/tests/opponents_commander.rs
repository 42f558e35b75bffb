//! The built-in opponents on a game with points and turns of several steps.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use arena::opponents::{AlphaBeta, BuiltIn, Greedy, QUIESCENCE_TURNS, WIN};
use commander::{Commander, Rules};
use game::options::{parse_pairs, rules_from};
use game::random::{Purpose, stream};
use game::{Game, Notation, Play, Player};
use std::collections::BTreeSet;

fn official() -> Commander {
    Commander::new(Rules::default())
}

fn play(game: &Commander, fen: &str) -> Play<Commander> {
    let position = game.read_position(fen).unwrap_or_else(|faults| panic!("{fen}: {faults}"));
    Play::new(game, position)
}

fn greedy_steps(fen: &str) -> Vec<String> {
    let game = official();
    let play = play(&game, fen);
    let mut greedy = Greedy::new(&game);
    greedy.best_steps(&game, &play).iter().map(|&step| game.step_text(&play.position, step)).collect()
}

fn chosen(opponent: BuiltIn, fen: &str) -> String {
    let game = official();
    let play = play(&game, fen);
    let mut random = stream(2, Purpose::Playout, &[]);
    let step = opponent.for_game(&game).choose(&game, &play, &mut random).unwrap();
    game.step_text(&play.position, step)
}

#[test]
fn greedy_wins_first_then_counts_points() {
    // The tank takes Blue's last air force (40 points) and wins; the navy would bring 80.
    assert_eq!(greedy_steps("n5c4/11/11/n10/9f1/N10/9T1/11/11/11/11/4C6 r - - 0 1"), ["j6xj8"]);
    // With another air force behind it the navy is worth more.
    assert_eq!(greedy_steps("n5c3f/11/11/n10/9f1/N10/9T1/11/11/11/11/4C6 r - - 0 1"), ["a7xa9"]);
    // Two infantry, one for each tank: a tie.
    assert_eq!(greedy_steps("6c4/11/11/11/4i4i1/11/4T4T1/11/11/11/11/7C3 r - - 0 1"), ["e6xe8", "j6xj8"]);
}

#[test]
fn greedy_counts_what_it_loses_in_the_step() {
    // The air force (40) can crash into the anti-air (10), or the tank take an infantry (10).
    let fen = "6c4/11/11/11/4i4g1/11/4T4F1/11/11/11/11/7C3 r - - 0 1";
    assert_eq!(greedy_steps(fen), ["e6xe8"]);
    // Against a navy (80) it pays, though it is Red's last air force and loses the game.
    assert_eq!(greedy_steps("6c4/11/11/2n8/4m6/11/2F1T6/11/11/11/n10/7C3 r - - 0 1"), ["c6@c9"]);
}

#[test]
fn alphabeta_sees_the_answer_that_greedy_does_not() {
    // The infantry e8 (10) is guarded by the artillery e11: taking it costs the tank (20).
    let fen = "6c4/4a6/11/11/4i6/11/4T6/11/11/11/11/7C3 r - - 0 1";
    assert_eq!(chosen(BuiltIn::Greedy, fen), "e6xe8");
    for depth in 1..=2 {
        assert_ne!(chosen(BuiltIn::AlphaBeta { depth }, fen), "e6xe8", "depth {depth}");
    }
    // Without the guard everybody takes it.
    let fen = "6c4/11/11/11/4i6/11/4T6/11/11/11/11/7C3 r - - 0 1";
    for opponent in [BuiltIn::Greedy, BuiltIn::AlphaBeta { depth: 1 }, BuiltIn::AlphaBeta { depth: 2 }] {
        assert_eq!(chosen(opponent, fen), "e6xe8", "{opponent}");
    }
}

#[test]
fn everybody_takes_the_commander() {
    // The tank stands two points from Blue's commander, and a navy is to be had too.
    let fen = "n5c4/11/n5T4/11/N10/11/11/11/11/11/11/4C6 r - - 0 1";
    for opponent in [
        BuiltIn::Greedy,
        BuiltIn::AlphaBeta { depth: 1 },
        BuiltIn::AlphaBeta { depth: 2 },
        BuiltIn::Rollouts { playouts: 400 },
    ] {
        assert_eq!(chosen(opponent, fen), "g10xg12", "{opponent}");
    }
}

/// What alpha-beta computes, by definition: no pruning, no table, no order.
fn plain(game: &Commander, play: &Play<Commander>, depth: u32, captures: u32, distance: i32) -> i32 {
    let mover = game.mover(&play.position);
    if let Some(outcome) = play.outcome(game) {
        return match outcome.winner() {
            Some(winner) if winner == mover => WIN - distance,
            Some(_) => distance - WIN,
            None => 0,
        };
    }
    let margin = |player: Player| {
        let points = game.points(&play.position);
        points[player.index()] - points[player.opponent().index()]
    };
    let mut best = if depth == 0 { margin(mover) } else { i32::MIN };
    if depth == 0 && captures == 0 {
        return best;
    }
    let mut steps = Vec::new();
    game.legal_steps(&play.position, &mut steps);
    for step in steps {
        if depth == 0 && !game.is_capture(&play.position, step) {
            continue;
        }
        let mut next = play.clone();
        next.step(game, step);
        let value = if game.mid_turn(&next.position) {
            plain(game, &next, depth, captures, distance)
        } else if depth > 0 {
            plain(game, &next, depth - 1, captures, distance + 1)
        } else {
            plain(game, &next, 0, captures - 1, distance + 1)
        };
        best = best.max(if game.mover(&next.position) == mover { value } else { -value });
    }
    best
}

#[test]
fn alphabeta_agrees_with_plain_search_over_turns_of_several_steps() {
    // Without win set games go on, and points decide; with it the last piece of a kind does.
    let mut values = BTreeSet::new();
    for win_set in ["commander", "marine,air,land"] {
        let options = parse_pairs(&[format!("win_set={win_set}")]).unwrap();
        let game = Commander::new(rules_from::<Commander>(None, &options).unwrap());
        compare(&game, &mut values);
    }
    assert!(values.len() > 6, "the positions say too little: {values:?}");
}

fn compare(game: &Commander, values: &mut BTreeSet<i32>) {
    let mut random = stream(5, Purpose::Playout, &[]);
    for (fen, depth) in [
        // A stack that can split, with something to take.
        ("6c4/11/11/11/5i5/4i6/11/4(TI)6/11/11/11/7C3 r - - 0 1", 2),
        ("6c4/11/11/4t6/5f5/11/4i6/4(TI)6/11/11/11/7C3 r - - 0 1", 1),
        ("6c4/11/11/3a7/2n8/11/11/2(NFT)8/4I6/11/11/7C3 r - - 0 1", 1),
        ("6c4/11/4g6/11/2n1i6/11/4(EA)6/2(NT)8/11/11/11/7C3 b - - 0 1", 1),
        // Few pieces, two turns.
        ("6c4/6t4/11/11/4m6/4T6/11/11/11/11/11/7C3 b - - 0 1", 2),
        ("6c4/11/11/2n8/11/11/2N2F5/11/11/11/11/7C3 r - - 0 1", 2),
        // Pieces that hang, are guarded, and can be exchanged.
        ("6c4/4a6/11/11/4i1t4/11/4T1S4/5A5/11/11/11/7C3 r - - 0 1", 2),
        ("n5c4/11/2f8/11/4m1g4/6F4/2N1T6/11/2G8/4A6/11/7C3 b - - 0 1", 1),
        ("2n3c4/11/2f8/4s6/4m1g4/6F4/2N1T6/11/2G8/4A6/6I4/7C3 r - - 0 1", 1),
        ("6c4/11/11/3s2t4/3T2g4/11/6A4/4E6/11/11/11/7C3 b - - 0 1", 2),
        // In the middle of a turn.
        ("6c4/11/11/4t6/5f5/11/4i6/4(TI)6/11/11/11/7C3 r - - 0 1 turn:e5:(T)e5xe6", 2),
    ] {
        let play = play(game, fen);
        for depth in 1..=depth {
            let found = AlphaBeta::new(game, depth).search(game, &play, &mut random).unwrap();
            let wanted = plain(game, &play, depth, QUIESCENCE_TURNS, 0);
            assert_eq!(found.value, wanted, "depth {depth} of {fen}");
            values.insert(wanted);
        }
    }
}
