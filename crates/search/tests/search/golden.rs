//! Whole trees against files that a person has checked by hand.
//!
//! Run the tests with `GARRISON_REWRITE_GOLDEN=1` to write the files anew, then read the difference.

use crate::games::twigs::Twigs;
use crate::games::{begun, drive, quiet};
use game::Game;
use search::{GumbelConfig, Method, PuctConfig, SearchConfig};
use std::fmt::Write;
use std::path::Path;

fn check(name: &str, text: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/search/golden").join(name);
    if std::env::var_os("GARRISON_REWRITE_GOLDEN").is_some() {
        std::fs::write(&path, text).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text, expected, "{name}: rewrite with GARRISON_REWRITE_GOLDEN=1 and read the difference");
}

/// The tree and report after every number of simulations up to `most`.
fn history(game: &Twigs, config: &SearchConfig, unit: f32, most: u32) -> String {
    let mut text = String::new();
    for simulations in 0..=most {
        let mut search = begun(game, game.start(), config.clone(), 0).with_margin_unit(unit);
        drive(&mut search, game, quiet(simulations), |position, steps| game.judge(position, steps));
        writeln!(text, "simulations {simulations} choice {:?}", search.choose(0.0)).unwrap();
        for step in search.report().steps {
            let (visits, policy) = (step.visits, step.policy);
            let value = step.value.map_or("-".to_owned(), |value| format!("{:.4}", value.0));
            writeln!(
                text,
                "  {:?} prior {:.4} visits {visits} value {value} policy {policy:.4}",
                step.step, step.prior
            )
            .unwrap();
        }
        let after = search.report().after;
        writeln!(text, "  root utility {:.4} margin {:.4}", after.utility.0 + 0.0, after.margin.0 + 0.0)
            .unwrap();
        for line in search.tree_text().lines() {
            writeln!(text, "  | {line}").unwrap();
        }
    }
    text
}

fn config(method: Method) -> SearchConfig {
    // Round numbers, so that a person can follow: σ(q) = (9 + max N) · 0.2 · (q + 1) / 2 for bounds of
    // ±1; C(s) = 1 but for a hundred-thousandth.
    let gumbel =
        GumbelConfig { considered: 2, visit_offset: 9.0, value_scale: 0.2, ..GumbelConfig::default() };
    let puct = PuctConfig { exploration: 1.0, exploration_base: 1e6, ..PuctConfig::default() };
    SearchConfig { method, gumbel, puct, ..SearchConfig::default() }
}

#[test]
fn turns_of_several_steps() {
    let game = Twigs::parse(include_str!("trees/turns.tree"));
    check("turns-gumbel.txt", &history(&game, &config(Method::Gumbel), 0.0, 8));
    check("turns-puct.txt", &history(&game, &config(Method::Puct), 0.0, 8));
}

#[test]
fn margins_of_points() {
    let game = Twigs::parse(include_str!("trees/points.tree"));
    let weighted = |method| SearchConfig { margin_weight: 0.5, ..config(method) };
    check("points-gumbel.txt", &history(&game, &weighted(Method::Gumbel), 4.0, 6));
    check("points-puct.txt", &history(&game, &weighted(Method::Puct), 4.0, 6));
}
