//! Positions with known answers: one or more for every rule and every option.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

mod common;

use common::{read, small, standard, with};
use emergo::Emergo;
use game::{Game, Line, Notation, Play, Turns};

/// The texts of all legal turns, sorted.
fn texts(game: &Emergo, fen: &str) -> Vec<String> {
    let position = read(game, fen);
    let mut turns = Turns::new(game, &position);
    let mut texts = Vec::new();
    while turns.advance(game) {
        texts.push(game.turn_text(&position, turns.steps()));
    }
    texts.sort();
    texts
}

/// The position after a legal turn.
fn after(game: &Emergo, fen: &str, turn: &str) -> String {
    let mut position = read(game, fen);
    for step in game.read_turn(&position, turn).unwrap() {
        game.play(&mut position, step);
    }
    game.write_position(&position)
}

/// Why a turn is refused.
fn refused(game: &Emergo, fen: &str, turn: &str) -> String {
    game.read_turn(&read(game, fen), turn).unwrap_err().to_string()
}

/// Winner and reason, no position counting as repeated.
fn end(game: &Emergo, fen: &str) -> Option<(&'static str, &'static str)> {
    let outcome = game.outcome(&read(game, fen), &Line::new());
    outcome.map(|outcome| (outcome.winner_word(), outcome.reason.0))
}

#[test]
fn whites_first_man_may_not_be_entered_in_the_centre() {
    for (game, centre) in [(standard(), "@e5"), (small(), "@d4")] {
        let start = game.write_position(&game.start());
        assert_eq!(
            refused(&game, &start, centre),
            format!("{centre}: not legal here: White's first man may not be entered in the centre")
        );
    }
    let game = standard();
    // Black's first man may, and White's second one.
    assert!(texts(&game, "9/9/9/9/9/9/9/9/A@8 b 1 11,12").contains(&"@e5".to_owned()));
    assert!(texts(&game, "9/9/9/9/9/9/9/9/A@7a@ w 2 11,11").contains(&"@e5".to_owned()));
    // Black with a full hand as the first to move is not White.
    assert!(texts(&game, "9/9/9/9/9/9/9/9/9 b 0 12,12").contains(&"@e5".to_owned()));
    // White's shadow piece is a first man too.
    assert!(!texts(&game, "9/9/9/9/9/9/9/9/a@8 w 30 12,0").contains(&"@e5".to_owned()));
}

#[test]
fn no_man_is_fed_to_a_side_that_has_no_capture() {
    let game = standard();
    let turns = texts(&game, "9/9/9/9/9/3A@5/9/9/9 b 1 11,12");
    assert_eq!(turns.len(), 36);
    for barred in ["@c3", "@c5", "@e3", "@e5"] {
        assert_eq!(
            refused(&game, "9/9/9/9/9/3A@5/9/9/9 b 1 11,12", barred),
            format!("{barred}: not legal here: the man could be captured at once")
        );
    }
    // A jump that would land on a column or beyond the edge is none.
    assert!(texts(&game, "9/9/9/9/9/3A@5/9/1A@7/9 b 1 10,12").contains(&"@c3".to_owned()));
    assert!(texts(&game, "9/9/9/9/9/9/9/1A@7/9 b 1 11,12").contains(&"@a1".to_owned()));
}

#[test]
fn a_side_that_already_has_a_capture_may_be_fed_or_blocked() {
    let game = standard();
    // Black's c1 attacks d2 and b2; White may enter anywhere, behind them too.
    let turns = texts(&game, "9/9/9/9/9/9/9/1A@1A@5/2a@6 w 4 10,11");
    assert_eq!(turns.len(), 38);
    for text in ["@a3", "@e3", "@e5"] {
        assert!(turns.contains(&text.to_owned()), "{text}");
    }
}

#[test]
fn columns_do_not_step_while_their_own_hand_holds_men() {
    let game = standard();
    let fen = "9/9/9/9/9/9/9/9/A@7a@ w 20 3,3";
    assert!(texts(&game, fen).iter().all(|text| text.starts_with('@')));
    assert_eq!(
        refused(&game, fen, "a1-b2"),
        "a1-b2: not legal here: columns do not step while men are in hand"
    );
    // The other side's hand does not matter.
    assert_eq!(texts(&game, "9/9/9/9/9/9/9/9/A@7a@ w 20 0,3"), ["a1-b2"]);
    assert_eq!(
        refused(&game, "9/9/9/9/9/9/9/9/A@8 w 20 0,3", "@c1"),
        "@c1: not legal here: no men are in hand"
    );
}

#[test]
fn a_shadow_piece_is_entered_as_one_column() {
    let game = standard();
    let fen = "9/9/9/9/9/3lh5/9/9/9 w 20 4,0";
    assert_eq!(texts(&game, fen).len(), 36);
    assert_eq!(after(&game, fen, "@a1"), "9/9/9/9/9/3lh5/9/9/D@8 b 21 0,0");
    // Not fed.
    assert!(!texts(&game, fen).contains(&"@c3".to_owned()));
    // With men in both hands it is one man.
    assert_eq!(after(&game, "9/9/9/9/9/3ke5/9/9/9 w 20 4,1", "@a1"), "9/9/9/9/9/3ke5/9/9/A@8 b 21 3,1");
    // Also the last man alone.
    assert_eq!(after(&game, "9/9/9/9/9/9/9/9/A@8 b 20 0,1", "@i9"), "8a@/9/9/9/9/9/9/9/A@8 w 21 0,0");
}

#[test]
fn the_holder_of_a_shadow_piece_captures_first_and_keeps_it() {
    let game = standard();
    let fen = "a@8/9/9/9/9/3a@5/2A@6/9/9 w 20 3,0";
    assert_eq!(texts(&game, fen), ["c3xe5"]);
    assert_eq!(after(&game, fen, "c3xe5"), "a@8/9/9/9/4AA4/9/9/9/9 b 21 3,0");
    assert_eq!(refused(&game, fen, "@a1"), "@a1: not legal here: there is a capture to make");
}

#[test]
fn a_capture_takes_the_top_man_only() {
    let game = standard();
    // Of a shadow piece as of any column.
    assert_eq!(after(&game, "9/9/9/9/9/3d@5/2A@6/9/9 w 40 0,0", "c3xe5"), "9/9/9/9/4AA4/3c@5/9/9/9 b 41 0,0");
    // Prisoners stay under the next guard…
    assert_eq!(after(&game, "9/9/9/9/9/3bc5/2AB6/9/9 w 40 0,0", "c3xe5"), "9/9/9/9/4AC4/3ac5/9/9/9 b 41 0,0");
    // …and are free under the last.
    assert_eq!(
        after(&game, "a@8/9/9/9/9/3ac5/2AB6/9/9 w 40 0,0", "c3xe5"),
        "a@8/9/9/9/4AC4/3C@5/9/9/9 b 41 0,0"
    );
}

#[test]
fn a_column_does_not_turn_back_but_may_turn_aside() {
    let game = standard();
    // Jumping back over the rest of d4 would be a turn of 180 degrees.
    assert_eq!(texts(&game, "9/9/9/9/9/3b@5/2A@6/9/9 w 40 0,0"), ["c3xe5"]);
    // Aside, then straight on.
    assert_eq!(texts(&game, "9/1a@7/9/3a@5/9/3a@5/2A@6/9/9 w 40 0,0"), ["c3xe5xc7xa9"]);
    let fen = "9/9/2a@1a@4/9/2bb1a@4/3C@5/9/9/9 w 30 0,0";
    assert_eq!(texts(&game, fen), ["d4xb6xd8xf6xd4xb6"]);
    // c5 is jumped twice: its second guard is taken, and its prisoners are White's.
    assert_eq!(after(&game, fen, "d4xb6xd8xf6xd4xb6"), "9/9/9/1CE7/2B@6/9/9/9/9 b 31 0,0");
}

#[test]
fn men_freed_in_mid_chain_block_or_help_at_once() {
    let game = standard();
    assert_eq!(texts(&game, "9/9/9/5a@3/9/3ac5/2A@6/9/9 w 40 0,0").len(), 1);
    // Ten jumps round columns of several men, by four ways to one result.
    let fen = "8ac/1a@1ab5/9/1aa1aa5/9/1a@1a@5/9/1aa1aa1bb3/6AA2 w 68 0,0";
    let turns = texts(&game, fen);
    assert_eq!(turns.len(), 4);
    let results: std::collections::BTreeSet<String> =
        turns.iter().map(|turn| after(&game, fen, turn)).collect();
    assert_eq!(results.len(), 1);
}

#[test]
fn majority_on_takes_the_most_men() {
    let fen = "9/9/9/5a@3/9/1a@1a@5/A@1A@6/9/9 w 40 0,0";
    let [on, off] = ["on", "off"].map(|value| with(&[("majority", value)]));
    assert_eq!(texts(&on, fen), ["a3xc5xe3", "c3xe5xg7"]);
    assert_eq!(texts(&off, fen), ["a3xc5xe3", "c3xa5", "c3xe5xg7"]);
    assert_eq!(refused(&on, fen, "c3xa5"), "c3xa5: not legal here: another capture takes more men");
    // Off: a free choice, but the column goes on while it can.
    assert_eq!(refused(&off, fen, "c3xe5"), "c3xe5: the column on e5 must go on capturing");
    assert_eq!(texts(&on, "9/9/9/9/2a@1a@4/3A@5/9/9/9 w 40 0,0"), ["d4xb6", "d4xf6"]);
}

#[test]
fn only_jumps_that_can_still_reach_the_maximum_are_steps() {
    let [on, off] = ["on", "off"].map(|value| with(&[("majority", value)]));
    let fen = "9/9/9/5a@3/9/1a@1a@5/A@1A@6/9/9 w 40 0,0";
    let steps = |game: &Emergo| {
        let position = read(game, fen);
        let mut steps = Vec::new();
        game.legal_steps(&position, &mut steps);
        steps.iter().map(|&step| game.step_text(&position, step)).collect::<Vec<_>>()
    };
    assert_eq!(steps(&on), ["a3xc5", "c3xe5"]);
    assert_eq!(steps(&off), ["a3xc5", "c3xe5", "c3xa5"]);
    // In the middle of a turn too: from e5 one branch takes two more men, the other one.
    let branches = "9/5a@3/9/3a@1a@3/9/3a@5/2A@6/9/9 w 40 0,0";
    assert_eq!(texts(&on, branches), ["c3xe5xg7xe9"]);
    let mut position = read(&on, branches);
    let first = on.read_step(&position, "c3xe5").unwrap();
    on.play(&mut position, first);
    assert!(on.mid_turn(&position));
    assert_eq!(on.write_position(&position), "9/5a@3/9/3a@1a@3/4AA4/9/9/9/9 w 40 0,0 e5ne");
    assert_eq!(
        on.read_step(&position, "e5xc7").unwrap_err().message,
        "not legal here: another capture takes more men"
    );
}

#[test]
fn a_side_without_men_has_lost() {
    let game = standard();
    assert_eq!(end(&game, "9/9/9/9/9/9/9/9/A@8 b 40 0,0"), Some(("first", "no_men")));
    assert_eq!(end(&game, "9/9/9/9/9/9/9/9/ab8 w 40 0,0"), Some(("second", "no_men")));
    // Men in hand are men.
    assert_eq!(end(&game, "9/9/9/9/9/9/9/9/A@8 b 40 0,1"), None);
}

#[test]
fn blocked_is_a_draw_or_a_loss() {
    let fen = "2AD5AB/9/9/5AA3/9/3AA1B@3/6A@1A@/7A@1/AA3AB1A@1a@ b 55 0,0";
    assert_eq!(end(&standard(), fen), Some(("draw", "blocked")));
    assert_eq!(end(&with(&[("blocked", "loss")]), fen), Some(("first", "blocked")));
    // It comes before the longest game.
    assert_eq!(end(&with(&[("blocked", "loss"), ("max_turns", "55")]), fen), Some(("first", "blocked")));
}

#[test]
fn men_without_a_square_to_enter_are_a_draw_or_a_loss() {
    // Every empty square lies between a black column and an empty square.
    let fen = "a@1a@1A@1a@/7/A@5A@/1A@1a@1A@1/A@5A@/7/a@1a@1a@1a@ w 20 1,0";
    assert_eq!(end(&small(), fen), Some(("draw", "no_entry")));
    assert_eq!(end(&with(&[("board", "7x7"), ("no_entry", "loss")]), fen), Some(("second", "no_entry")));
    // `blocked` is about empty hands.
    assert_eq!(end(&with(&[("board", "7x7"), ("blocked", "loss")]), fen), Some(("draw", "no_entry")));
}

#[test]
fn the_third_occurrence_is_a_draw() {
    let start = "8a@/9/9/9/9/9/9/9/A@8 w 40 0,0";
    let play = |game: &Emergo| {
        let mut play = Play::new(game, read(game, start));
        let mut ends = Vec::new();
        for turn in ["a1-b2", "i9-h8", "b2-a1", "h8-i9"].repeat(2) {
            assert_eq!(play.outcome(game), None);
            for step in game.read_turn(&play.position, turn).unwrap() {
                play.step(game, step);
            }
            ends.push(play.outcome(game).map(|outcome| (outcome.winner_word(), outcome.reason.0)));
        }
        ends.pop().unwrap()
    };
    assert_eq!(play(&standard()), Some(("draw", "repetition")));
    assert_eq!(play(&with(&[("repetition", "off")])), None);
}

#[test]
fn the_longest_game_is_a_draw_or_cut_off() {
    let fen = "8a@/9/9/9/9/9/9/9/A@8 w 40 0,0";
    assert_eq!(end(&with(&[("max_turns", "41")]), fen), None);
    assert_eq!(end(&with(&[("max_turns", "40")]), fen), Some(("draw", "max_turns")));
    let cut = with(&[("max_turns", "40"), ("max_turns_result", "truncate")]);
    assert_eq!(end(&cut, fen), Some(("none", "truncated")));
    // A capture that has begun is finished.
    let middle = "9/9/2a@1a@4/9/2bb1a@4/3C@5/9/9/9 w 40 0,0 d4sw";
    assert_eq!(end(&cut, middle), None);
    assert!(!texts(&cut, middle).is_empty());
    assert_eq!(
        Emergo::with_rules(emergo::Rules { max_turns: 0, ..*cut.rules() }).err().unwrap(),
        "max_turns is 0, expected at least 1"
    );
}

#[test]
fn entries_alone_are_irreversible() {
    let game = standard();
    let mut position = read(&game, "9/9/9/9/9/3a@5/2A@6/9/9 w 20 1,1");
    for (turn, irreversible) in [("c3xe5", false), ("@a1", true), ("@i9", true), ("a1-b2", false)] {
        for step in game.read_turn(&position, turn).unwrap() {
            game.play(&mut position, step);
        }
        assert_eq!(game.irreversible(&position), irreversible, "{turn}");
    }
}

#[test]
fn points_are_prisoners_held() {
    let game = standard();
    let points = |fen: &str| game.points(&read(&game, fen));
    assert_eq!(points("a@8/9/9/9/9/3ac5/2AB6/9/9 w 40 0,0"), [2, 3]);
    // The capture takes one man and frees three.
    assert_eq!(points("a@8/9/9/9/4AC4/3C@5/9/9/9 b 41 0,0"), [3, 0]);
}

#[test]
fn the_position_says_its_phase() {
    let game = standard();
    for (fen, phase) in [
        ("9/9/9/9/9/9/9/9/9 w 0 12,12", "entry"),
        ("9/9/9/9/9/9/9/9/A@8 w 20 0,3", "entry"),
        ("9/9/9/9/9/9/9/9/A@7a@ w 20 0,0", "movement"),
    ] {
        assert_eq!(game.phase(&read(&game, fen)), Some(phase), "{fen}");
    }
}
