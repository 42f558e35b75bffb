//! Several leaves of one tree at once.

use crate::games::noughts::Noughts;
use crate::games::twigs::Twigs;
use crate::games::{Answer, begun, drive, noisy, quiet, seeded, uniform, wdl};
use game::{Game, OfMover, Player};
use search::{Effort, ForcedStep, GumbelConfig, Method, Search, SearchConfig, SolvedNodes};

const METHODS: [Method; 2] = [Method::Gumbel, Method::Puct];

fn config(method: Method) -> SearchConfig {
    SearchConfig { method, ..SearchConfig::default() }
}

/// Plans a search and answers its leaves in batches of at most `most`; how many each batch had.
fn drive_batches<G: Game>(
    search: &mut Search<G>,
    game: &G,
    effort: Effort,
    most: usize,
    judge: impl Fn(&G::Position, &[G::Step]) -> Answer,
) -> Vec<usize> {
    search.plan(game, effort);
    let mut batches = Vec::new();
    loop {
        let mut answers = Vec::new();
        let count = search.gather_batch(game, most, |position, steps| {
            let mut legal = Vec::new();
            game.legal_steps(position, &mut legal);
            assert_eq!(legal, steps);
            answers.push(judge(position, steps));
        });
        assert_eq!(count, answers.len());
        if count == 0 {
            return batches;
        }
        for (logits, value, margin) in answers {
            search.apply(&logits, OfMover(wdl(value)), OfMover(margin));
        }
        batches.push(count);
    }
}

#[test]
fn batches_of_one_grow_the_same_tree() {
    for seed in 0..40 {
        let game = Twigs::random(&mut seeded(seed), 4, 5);
        for method in METHODS {
            let judge = |position: &_, steps: &[_]| game.judge(position, steps);
            let mut one = begun(&game, game.start(), config(method), seed);
            let leaves = drive(&mut one, &game, noisy(60), judge);
            let mut batched = begun(&game, game.start(), config(method), seed);
            let batches = drive_batches(&mut batched, &game, noisy(60), 1, judge);
            assert_eq!(batches, vec![1; leaves as usize]);
            assert_eq!(one.tree_text(), batched.tree_text());
        }
    }
}

#[test]
fn every_simulation_is_counted_and_no_leaf_is_taken_twice() {
    let game = Noughts { marks: 1 };
    for method in METHODS {
        for most in [2, 3, 8, 64] {
            let mut search = begun(&game, game.start(), config(method), 1);
            let batches = drive_batches(&mut search, &game, noisy(300), most, uniform);
            assert!(batches.iter().all(|&count| count <= most), "{batches:?}");
            let report = search.report();
            assert_eq!(report.simulations, 300);
            // Virtual visits have become real ones, all of them.
            assert_eq!(report.steps.iter().map(|step| step.visits).sum::<u32>(), 300);
            // A leaf that was judged is a node of its own; so is an end, at its first visit.
            assert!(search.nodes() >= batches.iter().sum::<usize>());
            let mean = batches.iter().sum::<usize>() as f64 / batches.len() as f64;
            assert!(mean > 1.5, "{method:?}, at most {most}: {mean}");
        }
    }
}

#[test]
fn a_round_of_the_halving_is_one_batch() {
    let game = Noughts { marks: 1 };
    let mut search = begun(&game, game.start(), config(Method::Gumbel), 0);
    search.plan(&game, quiet(8));
    let count = |search: &mut Search<Noughts>| search.gather_batch(&game, 64, |_, _| {});
    let answer = |search: &mut Search<Noughts>, steps: usize, leaves: usize| {
        for _ in 0..leaves {
            search.apply(&vec![0.0; steps], OfMover(wdl(0.0)), OfMover(0.0));
        }
    };
    assert_eq!(count(&mut search), 1, "the root comes alone");
    answer(&mut search, 9, 1);
    // Eight steps in three phases, each at least once: eight leaves, and the budget is used up.
    assert_eq!(count(&mut search), 8);
    answer(&mut search, 8, 8);
    assert_eq!(count(&mut search), 0);

    // 24 simulations of 8 steps: rounds of 8, 4, 4, 2, 2, 2, 2, and a halving wants all answers before it.
    let gumbel = GumbelConfig { considered: 8, ..GumbelConfig::default() };
    let mut search = begun(&game, game.start(), SearchConfig { gumbel, ..config(Method::Gumbel) }, 0);
    let batches = drive_batches(&mut search, &game, quiet(24), 64, uniform);
    assert_eq!(batches, [1, 8, 8, 8], "root, then what each phase has");
}

#[test]
fn where_every_leaf_has_a_root_step_of_its_own_batches_change_nothing() {
    let game = Noughts { marks: 1 };
    let judge = |position: &_, steps: &[u8]| {
        let value = f32::from(steps.iter().sum::<u8>()) / 100.0 - 0.2;
        let _: &<Noughts as Game>::Position = position;
        (steps.iter().map(|&step| f32::from(step) / 10.0).collect(), value, 0.0)
    };
    let mut one = begun(&game, game.start(), config(Method::Gumbel), 3);
    drive(&mut one, &game, noisy(9), judge);
    let mut batched = begun(&game, game.start(), config(Method::Gumbel), 3);
    assert_eq!(drive_batches(&mut batched, &game, noisy(9), 16, judge), [1, 9]);
    let values = |search: &Search<Noughts>| {
        let report = search.report();
        report.steps.iter().map(|step| (step.visits, step.value, step.policy)).collect::<Vec<_>>()
    };
    assert_eq!(values(&one), values(&batched));
    assert_eq!(one.choose(0.0), batched.choose(0.0));
}

#[test]
fn a_forgotten_batch_leaves_no_trace() {
    let game = Noughts { marks: 1 };
    for method in METHODS {
        let begin = || {
            let mut search = begun(&game, game.start(), config(method), 5);
            drive_batches(&mut search, &game, quiet(40), 1, uniform);
            search
        };
        let (mut disturbed, mut straight) = (begin(), begin());
        disturbed.plan(&game, quiet(30));
        assert!(disturbed.gather_batch(&game, 8, |_, _| {}) > 1);
        // Planned anew, and played on, with leaves waiting.
        drive(&mut disturbed, &game, quiet(30), uniform);
        drive(&mut straight, &game, quiet(30), uniform);
        assert_eq!(disturbed.tree_text(), straight.tree_text());
        disturbed.plan(&game, quiet(30));
        assert!(disturbed.gather_batch(&game, 8, |_, _| {}) > 1);
        let step = straight.choose(0.0);
        disturbed.advance(&game, step);
        straight.advance(&game, step);
        assert_eq!(disturbed.tree_text(), straight.tree_text());
        drive(&mut disturbed, &game, quiet(30), uniform);
        drive(&mut straight, &game, quiet(30), uniform);
        assert_eq!(disturbed.tree_text(), straight.tree_text());
    }
}

#[test]
fn proofs_in_batches_agree_with_minimax() {
    let mut proven = 0;
    for seed in 0..300 {
        let game = Twigs::random(&mut seeded(seed), 4, 4);
        for method in METHODS {
            let config = SearchConfig {
                solved_nodes: SolvedNodes::On,
                forced_step: ForcedStep::Search,
                ..config(method)
            };
            let mut search = begun(&game, game.start(), config, seed);
            drive_batches(&mut search, &game, noisy(150), 8, |position, steps| game.judge(position, steps));
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
                assert_eq!(search.report().after.wdl.0.value(), (sign * game.minimax(0)) as f32);
            }
        }
    }
    assert!(proven > 300, "only {proven} roots were proven");
}
