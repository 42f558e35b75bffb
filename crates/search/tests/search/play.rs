//! Play on real little games: wins are found, signs are right, repetition is seen.

use crate::games::noughts::Noughts;
use crate::games::ring::{Ring, Token, Way};
use crate::games::{begun, drive, quiet, seeded, uniform};
use game::{Game, Play, Player};
use search::{Method, Search, SearchConfig, SolvedNodes, TreeRepetition};

const METHODS: [Method; 2] = [Method::Gumbel, Method::Puct];

fn config(method: Method) -> SearchConfig {
    SearchConfig { method, ..SearchConfig::default() }
}

/// The same board with the sides exchanged.
fn exchanged(squares: &str) -> String {
    squares
        .chars()
        .map(|mark| {
            if mark == 'x' {
                'o'
            } else if mark == 'o' {
                'x'
            } else {
                mark
            }
        })
        .collect()
}

fn assert_plays(game: &Noughts, squares: &str, good: &[u8], simulations: u32) {
    for method in METHODS {
        for (squares, mover) in [(squares.to_owned(), Player::First), (exchanged(squares), Player::Second)] {
            let mut search = begun(game, Noughts::board(&squares, mover), config(method), 0);
            drive(&mut search, game, quiet(simulations), uniform);
            let chosen = search.choose(0.0);
            assert!(good.contains(&chosen), "{squares} {mover:?} {method:?}: {chosen}");
        }
    }
}

#[test]
fn wins_in_one_are_found() {
    let game = Noughts { marks: 1 };
    assert_plays(&game, "xx.oo....", &[2], 64);
    assert_plays(&game, "o.x.x..o.", &[6], 64);
}

#[test]
fn losses_in_one_are_stopped() {
    let game = Noughts { marks: 1 };
    assert_plays(&game, "x...oo...", &[3], 200);
}

#[test]
fn wins_in_three_are_found() {
    let game = Noughts { marks: 1 };
    assert_plays(&game, "x.o.o...x", &[6], 400);
    assert_plays(&game, "xo..x...o", &[3, 6], 400);
}

#[test]
fn a_turn_of_two_steps_wins_by_both() {
    // Two marks a turn: only 1 and 2 together win, and the first mark wins nothing by itself.
    let game = Noughts { marks: 2 };
    assert_plays(&game, "x..oo.o..", &[1, 2], 400);
    for method in METHODS {
        for (squares, mover) in [("x..oo.o..", Player::First), ("o..xx.x..", Player::Second)] {
            let mut search = begun(&game, Noughts::board(squares, mover), config(method), 0);
            drive(&mut search, &game, quiet(400), uniform);
            let report = search.report();
            let value = |step| {
                let found = report.steps.iter().find(|report| report.step == step).unwrap();
                found.value.unwrap().0
            };
            // Still this side's turn after the first mark: a good step is good for it, not for the
            // opponent; with any other the opponent, who has two in a row, wins.
            assert!(value(1) > 0.5 || value(2) > 0.5, "{method:?} {mover:?} {report:?}");
            assert!(report.after.utility.0 > 0.4, "{method:?} {mover:?} {report:?}");
            let first = search.choose(0.0);
            search.advance(&game, first);
            assert!(game.mid_turn(&search.play().position));
            drive(&mut search, &game, quiet(400), uniform);
            let second = search.choose(0.0);
            search.advance(&game, second);
            assert_eq!(search.play().outcome(&game).unwrap().winner(), Some(mover), "{method:?}");
        }
    }
}

#[test]
fn best_play_from_the_start_is_a_draw() {
    let game = Noughts { marks: 1 };
    for method in METHODS {
        let mut search = begun(&game, game.start(), config(method), 0);
        while search.play().outcome(&game).is_none() {
            drive(&mut search, &game, quiet(3000), uniform);
            let step = search.choose(0.0);
            search.advance(&game, step);
        }
        assert_eq!(search.play().outcome(&game).unwrap().winner(), None, "{method:?}");
    }
}

/// Every position good for the first player.
fn rosy(position: &Token, steps: &[Way]) -> (Vec<f32>, f32, f32) {
    let value = if position.1 == Player::First { 0.9 } else { -0.9 };
    (vec![0.0; steps.len()], value, 0.0)
}

#[test]
fn repetition_inside_the_tree_ends_the_game_there_alone() {
    let game = Ring { size: 7, occurrences: 2 };
    for method in METHODS {
        let mut search = begun(&game, game.start(), config(method), 0);
        drive(&mut search, &game, quiet(30), rosy);
        // Left then Right is back at the start: the second occurrence, a draw. Left, Left is not,
        // though both stand at the same depth.
        let text = search.tree_text();
        let mut path: Vec<&str> = Vec::new();
        let (mut back, mut on) = (0, 0);
        for line in text.lines().skip(1) {
            let depth = (line.len() - line.trim_start().len()) / 2;
            path.truncate(depth - 1);
            path.push(line.split_whitespace().next().unwrap());
            if depth == 2 {
                let ended = line.ends_with(" end");
                assert_eq!(ended, path[0] != path[1], "{path:?}\n{text}");
                *if ended { &mut back } else { &mut on } += 1;
            }
        }
        assert!(back > 0 && on > 0, "{text}");
    }
}

#[test]
fn repetition_of_positions_before_the_root_counts() {
    let game = Ring { size: 7, occurrences: 2 };
    let mut play = Play::new(&game, game.start());
    for way in [Way::Right, Way::Right] {
        play.step(&game, way);
    }
    // Square 2, first to move: Left, Left is the start again, and Left alone is square 1 with the
    // second player to move, which has been there.
    assert_eq!(play.position, Token(2, Player::First));
    for method in METHODS {
        let mut search: Search<Ring> = Search::new(config(method));
        search.begin(&game, &play, seeded(0));
        drive(&mut search, &game, quiet(20), rosy);
        let report = search.report();
        assert_eq!(report.steps[0].value.unwrap().0, 0.0);
        assert!(report.steps[1].value.unwrap().0 > 0.0);
        // The same holds after an advance: the line goes on.
        search.advance(&game, Way::Right);
        drive(&mut search, &game, quiet(20), rosy);
        assert_eq!(search.report().steps[0].value.unwrap().0, 0.0);
        assert_eq!(search.play().line.len(), 4);
    }
}

#[test]
fn a_twofold_repetition_is_a_draw_in_the_tree_and_not_in_the_game() {
    let (twofold, threefold) = (Ring { size: 7, occurrences: 2 }, Ring { size: 7, occurrences: 3 });
    for method in METHODS {
        let by_rules = config(method);
        let as_draw = SearchConfig {
            repetition: TreeRepetition::TwofoldDraw,
            solved_nodes: SolvedNodes::On,
            ..by_rules.clone()
        };
        let mut expected = begun(&twofold, twofold.start(), by_rules, 0);
        let mut search = begun(&threefold, threefold.start(), as_draw, 0);
        drive(&mut expected, &twofold, quiet(40), rosy);
        drive(&mut search, &threefold, quiet(40), rosy);
        // The same tree as if the rules said so, and nothing in it is proven.
        assert_eq!(search.tree_text(), expected.tree_text());
        // The game goes on from a repeated position, whose node was an end in the tree.
        search.advance(&threefold, Way::Left);
        drive(&mut search, &threefold, quiet(40), rosy);
        assert!(search.tree_text().contains("Right") && search.tree_text().contains(" end"));
        search.advance(&threefold, Way::Right);
        assert_eq!(search.play().outcome(&threefold), None);
        assert!(drive(&mut search, &threefold, quiet(40), rosy) > 0);
        assert_eq!(search.report().steps.len(), 2);
    }
}
