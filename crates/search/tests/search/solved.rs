//! Proven results against minimax.

use crate::games::twigs::Twigs;
use crate::games::{begun, drive, noisy, quiet, seeded};
use game::{Game, Player};
use search::{ForcedStep, Method, SearchConfig, SolvedNodes};

fn config(method: Method) -> SearchConfig {
    SearchConfig {
        method,
        solved_nodes: SolvedNodes::On,
        forced_step: ForcedStep::Search,
        ..SearchConfig::default()
    }
}

#[test]
fn proofs_agree_with_minimax() {
    let mut proven = 0;
    for seed in 0..300 {
        let game = Twigs::random(&mut seeded(seed), 4, 4);
        for method in [Method::Gumbel, Method::Puct] {
            let mut search = begun(&game, game.start(), config(method), seed);
            drive(&mut search, &game, noisy(150), |position, steps| game.judge(position, steps));
            let text = search.tree_text();
            for line in text.lines() {
                let name = line.split_whitespace().next().unwrap();
                let position = game.twigs.iter().position(|twig| twig.name == name).unwrap();
                let best = game.minimax(position as u32);
                for (ending, result) in [(" first wins", 1), (" draw", 0), (" second wins", -1)] {
                    assert!(!line.ends_with(ending) || best == result, "seed {seed}: {line}, {best}");
                }
            }
            let root = text.lines().next().unwrap();
            if root.ends_with(" first wins") || root.ends_with(" draw") || root.ends_with(" second wins") {
                proven += 1;
                let sign = if game.mover(&0) == Player::First { 1 } else { -1 };
                let report = search.report();
                assert_eq!(report.after.wdl.0.value(), (sign * game.minimax(0)) as f32);
                // With a proof the step chosen keeps the result, at any temperature.
                for temperature in [0.0, 1.0] {
                    let chosen = search.choose(temperature).to;
                    if game.minimax(0) == sign {
                        assert_eq!(game.minimax(chosen), sign, "seed {seed} {method:?}\n{text}");
                    }
                }
            }
        }
    }
    assert!(proven > 300, "only {proven} roots were proven");
}

#[test]
fn a_proven_root_ends_its_search() {
    let game = Twigs::parse(
        "root first\n  win second end first\n  wait second\n    on first value 0.5\n      x first end draw\n",
    );
    for method in [Method::Gumbel, Method::Puct] {
        let mut search = begun(&game, game.start(), config(method), 0);
        drive(&mut search, &game, quiet(1000), |position, steps| game.judge(position, steps));
        let report = search.report();
        assert!(report.simulations < 10, "{}", report.simulations);
        assert_eq!(report.after.wdl.0, game::Wdl::WIN);
        assert!(report.steps[0].policy > 0.99, "{report:?}");
        assert_eq!(search.choose(0.0), game.step("win"));
    }
}

#[test]
fn without_the_option_nothing_is_proven() {
    let game = Twigs::random(&mut seeded(4), 4, 4);
    let config = SearchConfig { solved_nodes: SolvedNodes::Off, ..config(Method::Puct) };
    let mut search = begun(&game, game.start(), config, 0);
    drive(&mut search, &game, quiet(500), |position, steps| game.judge(position, steps));
    assert_eq!(search.report().simulations, 500);
    let text = search.tree_text();
    assert!(!text.contains("wins") && !text.contains(" draw"));
}
