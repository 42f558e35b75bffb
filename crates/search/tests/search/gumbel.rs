//! What the Gumbel search promises.

use crate::games::twigs::Twigs;
use crate::games::{begun, drive, noisy, quiet, seeded, uniform};
use game::{Game, OfMover};
use search::{GumbelConfig, SearchConfig};

/// A root whose steps all end the game as a draw, told apart by points: exact values at once.
fn fan(seed: u64, steps: usize) -> Twigs {
    let mut random = seeded(seed);
    let mut number = || f64::from(rand::RngCore::next_u32(&mut random)) / f64::from(u32::MAX);
    let mut text = String::from("root first\n");
    for step in 0..steps {
        let (logit, points) = (4.0 * number() - 2.0, (20.0 * number()) as i32);
        text += &format!("  s{step} second logit {logit} points {points} 10 end draw\n");
    }
    Twigs::parse(&text)
}

/// Values by points alone.
fn by_points(considered: u32) -> SearchConfig {
    let gumbel = GumbelConfig { considered, value_scale: 0.2, ..GumbelConfig::default() };
    SearchConfig { gumbel, margin_weight: 1.0, ..SearchConfig::default() }
}

fn value(game: &Twigs, to: u32) -> f32 {
    let [first, second] = game.twigs[to as usize].points;
    ((first - second) as f32 / 10.0).tanh()
}

#[test]
fn with_exact_values_the_improved_policy_is_no_worse_than_the_prior() {
    for seed in 0..200 {
        let game = fan(seed, 2 + seed as usize % 9);
        let mut search = begun(&game, game.start(), by_points(16), seed).with_margin_unit(10.0);
        drive(&mut search, &game, noisy(16 + seed as u32 % 40), |position, steps| {
            game.judge(position, steps)
        });
        let report = search.report();
        let expected = |weight: fn(&search::StepReport<_>) -> f32| -> f32 {
            report.steps.iter().map(|step| weight(step) * value(&game, step.step.to)).sum()
        };
        for step in &report.steps {
            let OfMover(found) = step.value.unwrap();
            assert!((found - value(&game, step.step.to)).abs() < 1e-5);
        }
        assert!(expected(|step| step.policy) >= expected(|step| step.prior) - 1e-5, "seed {seed}");
        assert!((report.steps.iter().map(|step| step.policy).sum::<f32>() - 1.0).abs() < 1e-5);
        assert!((report.steps.iter().map(|step| step.prior).sum::<f32>() - 1.0).abs() < 1e-5);
    }
}

#[test]
fn with_exact_values_its_choices_are_no_worse_than_the_prior() {
    // Fewer simulations than steps: the promise of the paper's section 3, averaged over the noise.
    for (tree, considered, simulations) in [(1, 2, 2), (2, 4, 4), (3, 4, 9), (4, 3, 7)] {
        let game = fan(tree, 10);
        let rounds = 2_000;
        let (mut chosen, mut prior) = (0.0, 0.0);
        for seed in 0..rounds {
            let mut search = begun(&game, game.start(), by_points(considered), seed).with_margin_unit(10.0);
            drive(&mut search, &game, noisy(simulations), |position, steps| game.judge(position, steps));
            chosen += value(&game, search.choose(0.0).to) / rounds as f32;
            prior = search.report().steps.iter().map(|step| step.prior * value(&game, step.step.to)).sum();
        }
        assert!(chosen > prior + 0.05, "tree {tree}: {chosen} against {prior}");
    }
}

#[test]
fn one_simulation_draws_from_the_prior() {
    let game = fan(5, 4);
    let rounds = 20_000;
    let mut counts = [0.0f32; 4];
    let mut priors = Vec::new();
    for seed in 0..rounds {
        let mut search = begun(&game, game.start(), by_points(1), seed);
        drive(&mut search, &game, noisy(1), |position, steps| game.judge(position, steps));
        counts[search.choose(0.0).to as usize - 1] += 1.0 / rounds as f32;
        priors = search.report().steps.iter().map(|step| step.prior).collect();
    }
    for (count, prior) in counts.iter().zip(priors) {
        assert!((count - prior).abs() < 0.015, "{counts:?}");
    }
}

#[test]
fn visits_follow_the_schedule() {
    for (steps, considered, simulations, expected) in [
        (20, 16, 16, vec![1; 16]),
        (20, 16, 32, [vec![4; 4], vec![2; 4], vec![1; 8]].concat()),
        (20, 4, 16, vec![6, 6, 2, 2]),
        (3, 16, 8, vec![4, 3, 1]),
        (2, 16, 5, vec![3, 2]),
        (20, 1, 5, vec![5]),
        (20, 16, 3, vec![1, 1, 1]),
    ] {
        for seed in 0..20 {
            let game = fan(seed, steps);
            let mut search = begun(&game, game.start(), by_points(considered), seed);
            drive(&mut search, &game, noisy(simulations), uniform);
            let mut visits: Vec<u32> = search.report().steps.iter().map(|step| step.visits).collect();
            visits.sort_by_key(|&visits| std::cmp::Reverse(visits));
            visits.retain(|&visits| visits > 0);
            let mut expected = expected.clone();
            expected.sort_by_key(|&visits| std::cmp::Reverse(visits));
            assert_eq!(visits, expected, "m {considered}, n {simulations}");
        }
    }
}

#[test]
fn tiny_priors_do_not_hide_a_win() {
    let text =
        "root first\n  bad second value 0.9\n    on first end second\n  good second logit -200 end first\n";
    let game = Twigs::parse(text);
    let mut search = begun(&game, game.start(), SearchConfig::default(), 0);
    drive(&mut search, &game, quiet(200), |position, steps| game.judge(position, steps));
    let report = search.report();
    assert!(report.steps[1].prior > 0.0 && report.steps[1].policy > 0.9, "{report:?}");
    assert_eq!(search.choose(0.0), game.step("good"));
}
