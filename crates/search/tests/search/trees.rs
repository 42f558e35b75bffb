//! Whole trees, compared with the plain reference on random games.

use crate::games::twigs::Twigs;
use crate::games::{begun, drive, noisy, quiet, seeded};
use crate::reference;
use game::Game;
use search::{GumbelConfig, Method, PuctConfig, Search, SearchConfig};

/// Lines of the tree: name, visits, mean.
fn lines(search: &Search<Twigs>) -> Vec<(String, u32, f64)> {
    let text = search.tree_text();
    let line = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let after = |word| words[words.iter().position(|&found| found == word).unwrap() + 1];
        (words[0].to_owned(), after("visits").parse().unwrap(), after("value").parse().unwrap())
    };
    text.lines().map(line).collect()
}

fn assert_same(game: &Twigs, search: &Search<Twigs>, reference: &reference::Node, what: &str) {
    let mut expected = Vec::new();
    reference.lines(game, 0, &mut expected);
    let found = lines(search);
    assert_eq!(found.len(), expected.len(), "{what}");
    for (found, expected) in found.iter().zip(&expected) {
        assert_eq!((&found.0, found.1), (&expected.0, expected.1), "{what}");
        assert!((found.2 - expected.2).abs() < 2e-5, "{what}: {found:?} {expected:?}");
    }
}

#[test]
fn puct_grows_the_tree_of_the_reference() {
    for seed in 0..200 {
        let game = Twigs::random(&mut seeded(seed), 5, 5);
        let puct = PuctConfig { exploration_base: 50.0, ..PuctConfig::default() };
        let config = SearchConfig { method: Method::Puct, puct, ..SearchConfig::default() };
        let simulations = 1 + (seed as u32 * 7) % 90;
        let mut search = begun(&game, game.start(), config, 0);
        drive(&mut search, &game, quiet(simulations), |position, steps| game.judge(position, steps));
        let expected = if game.twigs[0].steps.len() == 1 { 0 } else { simulations };
        assert_eq!(search.report().simulations, expected);
        assert_same(&game, &search, &reference::puct(&game, &puct, expected), &format!("seed {seed}"));
    }
}

#[test]
fn gumbel_grows_the_tree_of_the_reference_and_chooses_its_step() {
    for seed in 0..400 {
        let game = Twigs::random(&mut seeded(seed), 5, 6);
        let considered = 1 + (seed as u32 % 7);
        let value_scale = [0.1, 1.0][seed as usize % 2];
        let gumbel = GumbelConfig { considered, value_scale, ..GumbelConfig::default() };
        let config = SearchConfig { gumbel, ..SearchConfig::default() };
        let simulations = 1 + (seed as u32 * 7) % 90;
        let single = game.twigs[0].steps.len() == 1;
        let expected = if single { 0 } else { simulations };
        let mut search = begun(&game, game.start(), config, seed);
        let with_noise = seed % 3 != 0;
        let effort = if with_noise { noisy(simulations) } else { quiet(simulations) };
        drive(&mut search, &game, effort, |position, steps| game.judge(position, steps));
        let mut random = seeded(seed);
        let (root, choice) =
            reference::gumbel(&game, &gumbel, expected, Some(&mut random).filter(|_| with_noise));
        assert_same(&game, &search, &root, &format!("seed {seed}"));
        assert_eq!(search.choose(0.0).to, game.twigs[0].steps[choice], "seed {seed}");
        let report = search.report();
        assert_eq!(report.steps.iter().map(|step| step.visits).sum::<u32>(), expected);
        assert_eq!(report.simulations, expected);
        for (step, weight) in report.steps.iter().zip(root.improved(&gumbel)) {
            assert!((f64::from(step.policy) - weight).abs() < 2e-3, "seed {seed}: {step:?} {weight}");
        }
    }
}

#[test]
fn same_seed_same_tree_bit_for_bit() {
    let game = Twigs::bushy(10, 6);
    for method in [Method::Gumbel, Method::Puct] {
        let run = |seed| {
            let config = SearchConfig { method, ..SearchConfig::default() };
            let mut search = begun(&game, game.start(), config, seed);
            drive(&mut search, &game, noisy(60), |position, steps| game.judge(position, steps));
            let steps = search.report().steps;
            let bits: Vec<_> = steps
                .iter()
                .map(|step| (step.visits, step.policy.to_bits(), step.value.map(|value| value.0.to_bits())))
                .collect();
            (search.tree_text(), bits, search.choose(1.0))
        };
        assert_eq!(run(3), run(3));
        assert!((0..20).any(|seed| run(seed).0 != run(3).0), "noise must do something");
    }
}
