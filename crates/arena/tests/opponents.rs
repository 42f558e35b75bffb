//! What the built-in opponents must find.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use arena::opponents::{AlphaBeta, BuiltIn, Greedy, Opponent, WIN};
use connect4::ConnectFour;
use game::random::{Purpose, stream};
use game::{BoardGame, Game, Notation, Play, Player};
use rand::seq::IndexedRandom;
use rand_chacha::ChaCha8Rng;
use std::collections::BTreeSet;

fn random(number: u64) -> ChaCha8Rng {
    stream(7, Purpose::Playout, &[number])
}

fn play<G: BoardGame>(game: &G, fen: &str) -> Play<G> {
    Play::new(game, game.read_position(fen).unwrap())
}

/// The step that an opponent plays, as text.
fn chosen<G: BoardGame>(game: &G, opponent: BuiltIn, play: &Play<G>, number: u64) -> String {
    let step = opponent.for_game(game).choose(game, play, &mut random(number)).unwrap();
    game.step_text(&play.position, step)
}

/// A position some random steps from the start, in which the game goes on.
fn random_play<G: BoardGame>(game: &G, steps: usize, random: &mut ChaCha8Rng) -> Play<G> {
    let mut legal = Vec::new();
    loop {
        let mut play = Play::new(game, game.start());
        for _ in 0..steps {
            game.legal_steps(&play.position, &mut legal);
            let Some(&step) = legal.choose(random) else { break };
            play.step(game, step);
            if play.outcome(game).is_some() {
                break;
            }
        }
        if play.outcome(game).is_none() {
            return play;
        }
    }
}

/// The value by definition: all turns to the given depth, then 0; games without points only.
fn minimax<G: BoardGame>(game: &G, play: &Play<G>, depth: u32, distance: i32) -> i32 {
    if let Some(outcome) = play.outcome(game) {
        return match outcome.winner() {
            Some(winner) if winner == game.mover(&play.position) => WIN - distance,
            Some(_) => distance - WIN,
            None => 0,
        };
    }
    if depth == 0 {
        return 0;
    }
    let mut steps = Vec::new();
    game.legal_steps(&play.position, &mut steps);
    steps.into_iter().map(|step| step_value(game, play, step, depth, distance)).max().unwrap()
}

/// The value of a step of one step a turn for who plays it.
fn step_value<G: BoardGame>(game: &G, play: &Play<G>, step: G::Step, depth: u32, distance: i32) -> i32 {
    let mut next = play.clone();
    next.step(game, step);
    -minimax(game, &next, depth - 1, distance + 1)
}

const WINS_IN_ONE: [(&str, &str); 4] = [
    // In a row, in a column, on both diagonals.
    ("7/7/7/7/ooo4/xxx4 x", "d"),
    ("7/7/7/x6/xo5/xoo4 x", "a"),
    ("7/7/7/2xo3/1xxo3/xooxo2 x", "d"),
    ("7/7/7/3xo2/3xoo1/x1xoxxo o", "d"),
];

#[test]
fn looking_opponents_take_a_win_in_one() {
    let game = ConnectFour::new();
    for (fen, win) in WINS_IN_ONE {
        let play = play(&game, fen);
        for opponent in [
            BuiltIn::Greedy,
            BuiltIn::Rollouts { playouts: 200 },
            BuiltIn::AlphaBeta { depth: 1 },
            BuiltIn::AlphaBeta { depth: 3 },
        ] {
            for number in 0..3 {
                assert_eq!(chosen(&game, opponent, &play, number), win, "{opponent} at {fen}");
            }
        }
    }
}

#[test]
fn searching_opponents_stop_a_loss_in_two() {
    let game = ConnectFour::new();
    let play = play(&game, "7/7/7/7/oo5/xxx4 o");
    for opponent in [BuiltIn::AlphaBeta { depth: 2 }, BuiltIn::Rollouts { playouts: 800 }] {
        assert_eq!(chosen(&game, opponent, &play, 0), "d", "{opponent}");
    }
}

#[test]
fn alphabeta_agrees_with_plain_minimax() {
    let game = ConnectFour::new();
    let mut choices = random(0);
    let mut decided = 0;
    for number in 0..60 {
        let play = random_play(&game, 4 + number % 28, &mut choices);
        for depth in 1..=4 {
            let wanted = minimax(&game, &play, depth, 0);
            let found = AlphaBeta::new(&game, depth).search(&game, &play, &mut choices).unwrap();
            assert_eq!(found.value, wanted, "depth {depth} of {}", game.write_position(&play.position));
            assert_eq!(step_value(&game, &play, found.step, depth, 0), wanted);
            decided += usize::from(wanted != 0);
        }
    }
    assert!(decided > 40, "only {decided} searches found a result: the positions say too little");
}

#[test]
fn no_equal_step_is_missed() {
    let game = ConnectFour::new();
    let mut choices = random(3);
    let (mut equal, mut legal) = (Vec::new(), Vec::new());
    let (mut several, mut fewer) = (0, 0);
    for number in 0..40 {
        let play = random_play(&game, 4 + number % 28, &mut choices);
        game.legal_steps(&play.position, &mut legal);
        for depth in 1..=4 {
            let mut opponent = AlphaBeta::new(&game, depth);
            let chosen = opponent.choose(&game, &play, &mut choices).unwrap();
            opponent.equal_steps(chosen, &mut equal);
            assert!(equal.contains(&chosen));
            let values: Vec<i32> =
                legal.iter().map(|&step| step_value(&game, &play, step, depth, 0)).collect();
            let best = values.iter().max().unwrap();
            // A search ends as soon as it has found a win, so that it knows nothing of steps that win later.
            for (step, _) in legal.iter().zip(&values).filter(|&(_, value)| value == best) {
                assert!(equal.contains(step), "depth {depth} of {}", game.write_position(&play.position));
            }
            if depth == 1 {
                assert_eq!(equal.len(), values.iter().filter(|&value| value == best).count());
            }
            several += usize::from(equal.len() > 1);
            fewer += usize::from(equal.len() < legal.len());
        }
    }
    assert!(several > 50 && fewer > 30, "{several} with equal steps, {fewer} with worse ones");
}

#[test]
fn ties_are_broken_by_the_stream() {
    let game = ConnectFour::new();
    let play = Play::new(&game, game.start());
    for opponent in [BuiltIn::Random, BuiltIn::Greedy, BuiltIn::AlphaBeta { depth: 2 }] {
        let steps: BTreeSet<String> = (0..60).map(|number| chosen(&game, opponent, &play, number)).collect();
        assert_eq!(steps.len(), 7, "{opponent}");
    }
    assert_eq!(Greedy::new(&game).best_steps(&game, &play).len(), 7);
}

#[test]
fn choices_depend_on_position_and_stream_alone() {
    let game = ConnectFour::new();
    let mut choices = random(1);
    let plays: Vec<_> = (0..8).map(|number| random_play(&game, 5 + number, &mut choices)).collect();
    for opponent in [
        BuiltIn::Random,
        BuiltIn::Greedy,
        BuiltIn::Rollouts { playouts: 50 },
        BuiltIn::AlphaBeta { depth: 4 },
    ] {
        let mut used = opponent.for_game(&game);
        for play in plays.iter().chain(plays.iter().rev()) {
            let fresh = opponent.for_game(&game).choose(&game, play, &mut random(2));
            assert_eq!(used.choose(&game, play, &mut random(2)), fresh, "{opponent}");
        }
    }
}

#[test]
fn random_steps_are_uniform() {
    let game = ConnectFour::new();
    let play = Play::new(&game, game.start());
    let mut opponent = BuiltIn::Random.for_game(&game);
    let mut choices = random(3);
    let mut counts = std::collections::BTreeMap::new();
    for _ in 0..7_000 {
        let step = opponent.choose(&game, &play, &mut choices).unwrap();
        *counts.entry(game.step_text(&play.position, step)).or_insert(0) += 1;
    }
    // Five standard deviations of a binomial count with mean 1000.
    assert!(counts.len() == 7 && counts.values().all(|count| (853..=1147).contains(count)), "{counts:?}");
}

#[test]
fn nobody_chooses_where_nothing_is_legal() {
    let game = ConnectFour::new();
    let won = play(&game, "7/7/7/7/ooo4/xxxx3 o");
    assert_eq!(won.outcome(&game).unwrap().winner(), Some(Player::First));
    for opponent in
        [BuiltIn::Random, BuiltIn::Greedy, BuiltIn::Rollouts { playouts: 5 }, BuiltIn::AlphaBeta { depth: 2 }]
    {
        assert_eq!(opponent.for_game(&game).choose(&game, &won, &mut random(0)), None, "{opponent}");
    }
}
