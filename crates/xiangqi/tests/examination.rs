//! The examination that every game must pass, under every preset and every option.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use game::Game;
use game::examination::{Examination, examine};
use game::options::{as_table, parse_pairs, rules_from};
use std::collections::BTreeSet;
use xiangqi::Xiangqi;

/// Positions with checks and chases under way; the first is the start.
const STARTS: [&str; 6] = [
    "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1",
    "3k5/8R/9/9/9/9/9/4K4/2c6/9 w - - 0 1",
    "9/4c4/3k5/3r5/9/9/4C4/9/4K4/3R5 w - - 50 40",
    "4k4/4c4/9/4p4/9/9/3rn4/3NR4/4K4/9 b - - 0 1",
    "1rbaka2R/5r3/6n2/2p1p1p2/4P1bP1/PpC3Bc1/1nPR2P2/2N2AN2/1c2K1p2/2BAC4 w - - 0 1",
    "2r2k3/9/9/9/9/2r6/3N5/4B4/9/4K4 w - - 0 1",
];

/// One option over a preset each: with the presets' own values every value of every option.
const OPTIONS: [(&str, &str); 16] = [
    ("cxq", "draw_unit=ply"),
    ("cxq", "perpetual_effect=move_forbidden"),
    ("cxq", "protected_exempt=off"),
    ("cxq", "new_attack_only=on"),
    ("cxq", "discovered_attacks=all"),
    ("cxq", "discovered_attacks=all_incl_king_pawn"),
    ("cxq", "undermined_root=on"),
    ("cxq", "guard_attacks_major=on"),
    ("cxq", "check_also_chase=on"),
    ("cxq", "reset_on_capture=on"),
    ("cxq", "progress_counts_crossing_step=on"),
    ("cxq", "effective_answer=only_if_it_resolves"),
    ("cxq", "repetition_draw=3"),
    ("cxq", "insufficient_material=on"),
    ("cxq", "judge=cycle3"),
    ("asian", "perpetual_effect=move_forbidden"),
];

fn passes(preset: &str, options: &[String], games: u32) {
    let rules = rules_from::<Xiangqi>(Some(preset), &parse_pairs(options).unwrap()).unwrap();
    let game = Xiangqi::with_rules(rules).unwrap();
    let starts = STARTS.map(str::to_owned).to_vec();
    let report = examine(&game, &Examination { games, thorough_every: 48, starts, ..Examination::default() });
    assert!(report.passed(), "{preset} {options:?}: {}", report.complaint());
    let statistics = &report.statistics;
    println!("{preset} {options:?}\n{statistics}");
    assert_eq!(statistics.aliased_steps, 0);
}

#[test]
fn under_every_preset() {
    for preset in Xiangqi::presets() {
        passes(preset, &[], 12);
    }
}

#[test]
fn from_the_standard_start() {
    let game = Xiangqi::with_rules(Xiangqi::preset("cxq").unwrap()).unwrap();
    let report = examine(&game, &Examination { games: 2, thorough_every: 48, ..Examination::default() });
    assert!(report.passed(), "{}", report.complaint());
}

#[test]
fn under_every_option() {
    for (preset, option) in OPTIONS {
        passes(preset, &[option.to_owned()], 6);
    }
    let tested: BTreeSet<&str> =
        OPTIONS.iter().map(|(_, option)| option.split('=').next().unwrap()).collect();
    let all = as_table(&Xiangqi::preset("cxq").unwrap()).unwrap();
    assert_eq!(tested, all.keys().map(String::as_str).collect());
}
