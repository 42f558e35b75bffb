//! Equilibria of games whose solutions are known, from noisy pairs. `scripts/check-equilibria` does the same
//! with a hundred runs of each.

mod synthetic;

use statistics::equilibrium::Kind;
use synthetic::{Run, Sampling, Synthetic, dominated, hidden_circle, rock_paper_scissors};

fn runs(game: &Synthetic, sampling: Sampling, pairs: usize, number: u64) -> Vec<Run> {
    (0..number).map(|seed| game.run(sampling, pairs, seed)).collect()
}

fn count(runs: &[Run], holds: impl Fn(&Run) -> bool) -> usize {
    runs.iter().filter(|run| holds(run)).count()
}

#[test]
fn mixtures_are_hard_to_exploit_and_intervals_hold_the_value() {
    for game in [rock_paper_scissors(), dominated()] {
        let found = runs(&game, Sampling::Adaptive, game.pairs, 6);
        assert!(count(&found, |run| run.exploitability <= 0.03) >= 5, "{}: {found:?}", game.name);
        assert!(count(&found, |run| run.covered) >= 4, "{}: {found:?}", game.name);
        assert!(count(&found, |run| run.bounded) >= 4, "{}: {found:?}", game.name);
        assert!(found.iter().all(|run| run.width <= 0.06), "{}: {found:?}", game.name);
    }
}

#[test]
fn adaptive_pairs_are_worth_more_than_twice_as_many_uniform_ones() {
    let game = hidden_circle(Kind::Symmetric);
    let mean = |runs: Vec<Run>| runs.iter().map(|run| run.exploitability).sum::<f64>() / runs.len() as f64;
    let adaptive = mean(runs(&game, Sampling::Adaptive, 4_000, 2));
    let uniform = mean(runs(&game, Sampling::Uniform, 8_000, 2));
    assert!(adaptive < 0.8 * uniform, "{adaptive} {uniform}");
}

#[test]
fn the_same_seed_gives_the_same_answer() {
    let game = dominated();
    let [one, other] = [0, 1].map(|_| game.run(Sampling::Adaptive, 300, 5));
    assert_eq!(format!("{one:?}"), format!("{other:?}"));
}
