//! Budgets, forced steps, raw policy, temperature, noise, and calls out of the usual order.

use crate::games::noughts::Noughts;
use crate::games::twigs::Twigs;
use crate::games::{begun, drive, noisy, quiet, seeded, uniform};
use game::{Game, OfMover, Play, Player, Wdl};
use search::{FirstPlay, ForcedStep, Gathered, Method, PuctConfig, Search, SearchConfig, TreeReuse};

const METHODS: [Method; 2] = [Method::Gumbel, Method::Puct];

fn config(method: Method) -> SearchConfig {
    SearchConfig { method, ..SearchConfig::default() }
}

#[test]
fn no_simulations_means_the_raw_policy() {
    let game = Twigs::parse(
        "root second\n  a first logit 1\n    x first end draw\n  b first logit 2\n    y first end first\n  c first logit 2\n    z first end draw\n",
    );
    for method in METHODS {
        let mut search = begun(&game, game.start(), config(method), 0);
        for effort in [quiet(0), noisy(0)] {
            search.begin(&game, &Play::new(&game, game.start()), seeded(0));
            assert_eq!(drive(&mut search, &game, effort, |position, steps| game.judge(position, steps)), 1);
            assert_eq!(search.choose(0.0), game.step("b"), "the earlier of the two largest");
            let report = search.report();
            assert_eq!(report.simulations, 0);
            assert!(report.steps.iter().all(|step| step.policy == step.prior && step.visits == 0));
            assert!((report.steps[0].prior - 1.0 / (1.0 + 2.0 * 1f32.exp())).abs() < 1e-6);
        }
    }
}

#[test]
fn a_single_step_is_chosen_without_simulations() {
    let game =
        Twigs::parse("root first value 0.25\n  only second\n    a first end first\n    b first end second\n");
    for method in METHODS {
        let judged = |config| {
            let mut search = begun(&game, game.start(), config, 0);
            let leaves = drive(&mut search, &game, noisy(20), |position, steps| game.judge(position, steps));
            assert_eq!(search.choose(1.0), game.step("only"));
            let report = search.report();
            assert_eq!((report.steps.len(), report.steps[0].policy), (1, 1.0));
            (leaves, report.simulations, report.before.utility.0, report.after.utility.0)
        };
        assert_eq!(judged(config(method)), (1, 0, 0.25, 0.25));
        let search = SearchConfig { forced_step: ForcedStep::Search, ..config(method) };
        let (leaves, simulations, before, after) = judged(search);
        assert_eq!((leaves, simulations, before), (2, 20, 0.25));
        assert!(after < -0.3, "the second player wins by b: {after}");
    }
}

#[test]
fn a_finished_game_needs_no_search() {
    let game = Noughts { marks: 1 };
    for method in METHODS {
        let board = Noughts::board("xxxoo....", Player::Second);
        let mut search = begun(&game, board, config(method), 0);
        assert_eq!(drive(&mut search, &game, noisy(50), uniform), 0);
        let report = search.report();
        assert!(report.steps.is_empty());
        assert_eq!((report.simulations, report.after.wdl.0, report.before.wdl.0), (0, Wdl::LOSS, Wdl::LOSS));
        // Also when it is reached by a kept tree.
        let mut search = begun(&game, Noughts::board("xx.oo....", Player::First), config(method), 0);
        drive(&mut search, &game, quiet(50), uniform);
        search.advance(&game, 2);
        assert_eq!(drive(&mut search, &game, quiet(50), uniform), 0);
        assert_eq!(search.report().after.wdl.0, Wdl::LOSS);
    }
}

#[test]
fn later_steps_of_a_turn_are_topped_up() {
    let game = Noughts { marks: 2 };
    for method in METHODS {
        for reuse in [TreeReuse::Off, TreeReuse::Turn, TreeReuse::Game] {
            let mut search = begun(&game, game.start(), SearchConfig { reuse, ..config(method) }, 0);
            for turn_step in [0, 1, 0, 1] {
                let kept: u32 = {
                    let nodes = search.nodes();
                    search.plan(&game, noisy(101));
                    assert_eq!(nodes == 0, search.report().steps.is_empty());
                    search.report().steps.iter().map(|step| step.visits).sum()
                };
                drive(&mut search, &game, noisy(101), uniform);
                let report = search.report();
                // A quarter of 101, rounded up.
                let wanted = if turn_step == 0 { 101 } else { 26u32.saturating_sub(kept) };
                assert_eq!(report.simulations, wanted, "{method:?} {reuse:?} step {turn_step}, {kept} kept");
                assert_eq!(report.steps.iter().map(|step| step.visits).sum::<u32>(), kept + wanted);
                assert_eq!(
                    kept > 0,
                    match reuse {
                        TreeReuse::Off => false,
                        TreeReuse::Turn => turn_step > 0,
                        TreeReuse::Game => search.play().line.len() > 1 || turn_step > 0,
                    }
                );
                let step = search.choose(0.0);
                search.advance(&game, step);
            }
        }
    }
}

#[test]
fn a_step_that_was_not_searched_leaves_the_budget_whole() {
    let game = Noughts { marks: 2 };
    let mut search = begun(&game, game.start(), SearchConfig::default(), 0);
    search.advance(&game, 4);
    assert!(game.mid_turn(&search.play().position));
    drive(&mut search, &game, quiet(40), uniform);
    assert_eq!(search.report().simulations, 40);
}

#[test]
fn temperature_draws_from_the_policy() {
    let game = Twigs::bushy(12, 4);
    for method in METHODS {
        let mut search = begun(&game, game.start(), config(method), 0);
        drive(&mut search, &game, quiet(40), |position, steps| game.judge(position, steps));
        let policy: Vec<f32> = search.report().steps.iter().map(|step| step.policy).collect();
        for (temperature, exponent) in [(1.0, 1.0), (2.0, 0.5), (0.5, 2.0)] {
            let weights: Vec<f32> = policy.iter().map(|weight| weight.powf(exponent)).collect();
            let total: f32 = weights.iter().sum();
            let mut counts = vec![0.0; policy.len()];
            for _ in 0..20_000 {
                let chosen = search.choose(temperature).to;
                let index = game.twigs[0].steps.iter().position(|&to| to == chosen).unwrap();
                counts[index] += 1.0 / 20_000.0;
            }
            for (count, weight) in counts.iter().zip(weights) {
                assert!((count - weight / total).abs() < 0.015, "{method:?} {counts:?} {policy:?}");
            }
        }
        // A tiny temperature is the largest weight, without overflow.
        let best = (0..policy.len()).max_by(|&a, &b| policy[a].total_cmp(&policy[b])).unwrap();
        assert_eq!(search.choose(1e-6).to, game.twigs[0].steps[best]);
    }
}

#[test]
fn root_noise_moves_puct_and_leaves_the_priors_alone() {
    let game = Twigs::bushy(30, 4);
    let run = |effort, seed| {
        let mut search = begun(&game, game.start(), config(Method::Puct), seed);
        drive(&mut search, &game, effort, |position, steps| game.judge(position, steps));
        let steps = search.report().steps;
        let visits: Vec<u32> = steps.iter().map(|step| step.visits).collect();
        let priors: Vec<f32> = steps.iter().map(|step| step.prior).collect();
        (visits, priors)
    };
    let (quiet_visits, priors) = run(quiet(40), 0);
    assert_eq!(run(quiet(40), 1).0, quiet_visits);
    let mut different = 0;
    for seed in 0..20 {
        let (visits, noisy_priors) = run(noisy(40), seed);
        assert_eq!(noisy_priors, priors);
        assert_eq!(visits.iter().sum::<u32>(), 40);
        different += usize::from(visits != quiet_visits);
    }
    assert!(different > 10, "{different}");
}

#[test]
fn without_forced_playouts_the_policy_of_puct_is_the_share_of_visits() {
    let game = Noughts { marks: 1 };
    let mut singles = 0;
    for seed in 0..20 {
        let mut search = begun(&game, game.start(), config(Method::Puct), seed);
        drive(&mut search, &game, noisy(12), uniform);
        let report = search.report();
        let all: u32 = report.steps.iter().map(|step| step.visits).sum();
        for step in &report.steps {
            singles += usize::from(step.visits == 1);
            assert!((step.policy - step.visits as f32 / all as f32).abs() < 1e-6, "{step:?} of {all}");
        }
    }
    assert!(singles > 0, "no step was visited once");
}

#[test]
fn first_play_urgency_decides_when_new_steps_are_tried() {
    // Ten steps, the first one judged well: the gloomier the first play, the longer it is stayed with.
    let mut text = String::from("root first value 0.5\n");
    for step in 0..10 {
        let value = if step == 0 { -0.9 } else { 0.9 };
        text +=
            &format!("  s{step} second value {value} logit {}\n    e{step} first value {}\n", -step, -value);
        text += &format!("      f{step} first end draw\n");
    }
    let game = Twigs::parse(&text);
    let tried = |first_play| {
        let puct = PuctConfig { first_play, ..PuctConfig::default() };
        let mut search = begun(&game, game.start(), SearchConfig { puct, ..config(Method::Puct) }, 0);
        drive(&mut search, &game, quiet(2), |position, steps| game.judge(position, steps));
        search.report().steps.iter().filter(|step| step.visits > 0).count()
    };
    // After one visit: q(s0) = 0.9 + 1.25·√2·0.632/2, s1: first play + 1.25·√2·0.2325.
    assert_eq!(tried(FirstPlay::Loss), 1);
    assert_eq!(tried(FirstPlay::Draw), 1);
    assert_eq!(tried(FirstPlay::Parent), 1);
    let even = Twigs::parse(
        "root first value 0.5\n  a second value 0.5\n    c first end draw\n  b second value 0.5\n    d first end draw\n",
    );
    let second = |first_play| {
        let puct = PuctConfig { first_play, ..PuctConfig::default() };
        let mut search = begun(&even, 0, SearchConfig { puct, ..config(Method::Puct) }, 0);
        drive(&mut search, &even, quiet(2), |position, steps| even.judge(position, steps));
        search.report().steps[1].visits
    };
    // After one visit of a: q = −0.5, exploration 1.25·√2·½ = 0.884 for b and half of it for a.
    // a: −0.058; b: −1 + 0.884 = −0.116 (loss), 0 + 0.884 (draw), 0 − 0.2·√½ + 0.884 (parent: mean 0).
    assert_eq!(second(FirstPlay::Loss), 0);
    assert_eq!(second(FirstPlay::Draw), 1);
    assert_eq!(second(FirstPlay::Parent), 1);
}

#[test]
fn calls_out_of_order_do_no_harm() {
    let game = Noughts { marks: 1 };
    let draw = OfMover(Wdl::DRAW);
    let mut search: Search<Noughts> = Search::new(SearchConfig::default());
    search.plan(&game, quiet(10));
    assert_eq!(search.gather(&game), Gathered::Finished, "no game has begun");
    search.begin(&game, &Play::new(&game, game.start()), seeded(0));
    assert_eq!(search.gather(&game), Gathered::Finished, "nothing is planned");
    search.apply(&[0.0; 9], draw, OfMover(0.0));
    assert_eq!(search.nodes(), 0, "nothing was asked");

    search.plan(&game, quiet(10));
    for nodes in 0..4 {
        assert_eq!(search.gather(&game), Gathered::Leaf);
        let (position, steps) = search.leaf();
        let (position, count) = (*position, steps.len());
        assert_eq!(search.gather(&game), Gathered::Leaf, "said again until answered");
        assert_eq!(*search.leaf().0, position);
        assert_eq!(search.nodes(), nodes);
        search.apply(&vec![0.0; count], draw, OfMover(0.0));
        search.apply(&vec![0.0; count], draw, OfMover(0.0));
        assert_eq!(search.nodes(), nodes + 1, "the second answer is nobody's");
    }
    // A forgotten leaf leaves no trace, whether planned anew, advanced over or begun anew.
    assert_eq!(search.gather(&game), Gathered::Leaf);
    drive(&mut search, &game, quiet(10), uniform);
    assert_eq!(search.nodes(), 4 + 10);
    search.plan(&game, quiet(10));
    assert_eq!(search.gather(&game), Gathered::Leaf);
    search.advance(&game, 0);
    assert_eq!(search.gather(&game), Gathered::Finished);
    search.plan(&game, quiet(10));
    assert_eq!(search.gather(&game), Gathered::Leaf);
    search.begin(&game, &Play::new(&game, game.start()), seeded(0));
    assert_eq!((search.nodes(), search.gather(&game)), (0, Gathered::Finished));
}

/// Evaluators promise finite numbers. Debug builds check it; in release the tree stays whole.
#[test]
#[cfg(not(debug_assertions))]
fn numbers_that_are_not_finite_do_not_spread() {
    let game = Noughts { marks: 1 };
    for method in METHODS {
        for bad in [f32::NAN, f32::INFINITY, f32::NEG_INFINITY] {
            let mut search = begun(&game, game.start(), config(method), 0);
            drive(&mut search, &game, noisy(60), |_, steps| (vec![bad; steps.len()], bad, bad));
            let report = search.report();
            assert!(report.after.utility.0.is_finite());
            assert!(
                report
                    .steps
                    .iter()
                    .all(|step| (step.prior - 1.0 / 9.0).abs() < 1e-6 && step.policy.is_finite())
            );
            assert_eq!(report.steps.iter().map(|step| step.visits).sum::<u32>(), 60);
        }
    }
}

#[test]
fn all_faults_of_a_config_are_named_at_once() {
    let bad = SearchConfig {
        margin_weight: -1.0,
        later_steps: 0.0,
        puct: PuctConfig { noise_share: 2.0, exploration: f32::NAN, ..PuctConfig::default() },
        ..SearchConfig::default()
    };
    let faults = bad.check().unwrap_err().to_string();
    for key in ["margin_weight", "later_steps", "puct.noise_share", "puct.exploration"] {
        assert!(faults.contains(key), "{faults}");
    }
    assert!(SearchConfig::default().check().is_ok());
}

#[test]
fn configs_are_written_in_words_and_refuse_unknown_keys() {
    let read = |text: &str| serde_json::from_str::<SearchConfig>(text);
    assert_eq!(read("{}").unwrap(), SearchConfig::default());
    let text = r#"{"method": "puct", "reuse": "turn", "solved_nodes": "on", "forced_step": "search",
        "puct": {"first_play": "draw", "noise_share": 0.5}, "gumbel": {"value_range": "siblings"}}"#;
    let config = read(text).unwrap();
    assert_eq!((config.method, config.reuse), (Method::Puct, TreeReuse::Turn));
    assert_eq!((config.puct.first_play, config.puct.noise_share), (FirstPlay::Draw, 0.5));
    assert_eq!(config.puct.exploration, PuctConfig::default().exploration);
    assert_eq!(read(&serde_json::to_string(&config).unwrap()).unwrap(), config);
    for (text, key) in [
        (r#"{"simulations": 5}"#, "simulations"),
        (r#"{"gumbel": {"m": 5}}"#, "m"),
        (r#"{"method": "alphabeta"}"#, "alphabeta"),
    ] {
        assert!(read(text).unwrap_err().to_string().contains(key));
    }
}
