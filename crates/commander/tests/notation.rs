//! FEN faults, option faults, step texts and pictures.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

mod common;

use commander::{Commander, Rules};
use common::{preset, step_texts, steps};
use game::options::{parse_pairs, rules_from};
use game::{Game, Notation};

/// `place: message` of every fault of a FEN.
fn faults(fen: &str) -> Vec<String> {
    preset("official").read_position(fen).unwrap_err().0.iter().map(ToString::to_string).collect()
}

#[test]
fn all_faults_of_a_position_are_named_at_once_with_their_points() {
    let fen =
        "6c4/t10/11/4(tt)6/12/3(Nt)7/4+C6/11/5x5/11/(NFTI)10/6C3 y - x 7x 0 points:1 colour:red turn:e4";
    let found = faults(fen);
    for (place, words) in [
        ("a11:", "cannot stand"),
        ("e9:", "no legal stack"),
        ("a8:", "`12`"),
        ("d7:", "both sides"),
        ("e6:", "never a hero"),
        ("f4:", "`x`"),
        ("a2:", "more than three"),
        ("rank 1:", "10 points"),
        ("side:", "`y`"),
        ("field 4:", "`x`"),
        ("field 5:", "`7x`"),
        ("field 6:", "`0`"),
        ("points:", "`1`"),
        ("`colour:red`:", "unknown field"),
        ("turn:", "`e4`"),
        ("g1 and e6:", "2 commanders"),
    ] {
        let named = found.iter().any(|fault| fault.starts_with(place) && fault.contains(words));
        assert!(named, "{place} {words} not among {found:#?}");
    }
}

/// Found by libFuzzer: such stacks came onto the board, which can hold but one stack that no rules allow.
#[test]
fn commanders_in_one_stack_are_told_as_commanders_of_the_board() {
    let found = faults("6c4/11/11/11/11/11/2(NCC)8/2(NCC)8/11/11/11/11 r - - 0 1");
    assert!(found.len() == 1 && found[0].contains("Red has 4 commanders"), "{found:?}");
}

#[test]
fn single_faults() {
    for (fen, place) in [
        ("", "position"),
        ("11/11/11 r", "board"),
        ("6c4/11/11/11/11/11/11/11/11/11/11/6C4", "side"),
        ("6c4/11/11/11/11/11/11/11/11/11/I10/6C4 r", "a2"),
        ("6c4/11/11/11/11/11/11/11/11/11/1F9/6C4 r", "b2"),
        ("6c4/11/11/11/11/11/11/11/11/11/4(EI)6/6C4 r", "e2"),
        ("6c4/11/11/11/11/11/11/11/11/11/4(NF)+6/6C4 r", "f2"),
        ("6c4/11/11/11/11/11/11/11/11/11/4(T6/6C4 r", "e2"),
        ("6c4/11/11/11/11/11/11/11/11/11/11/6C4 r - - 0 1 turn:g1:g1-g14", "turn"),
        ("6c4/11/11/11/11/11/11/11/11/11/11/6C4 r - - 0 1 turn:g1:g1-h1", "turn"),
        ("6c4/11/11/11/11/11/11/11/11/11/11/6C4 r - - 0 1 turn:h1:g1-h1", "turn"),
    ] {
        let found = faults(fen);
        assert!(found.iter().any(|fault| fault.starts_with(place)), "{fen}: {found:?}");
    }
}

/// A navy on dry land is in a reference position, so it is refused only where asked for, or named
/// beside other faults.
#[test]
fn a_navy_ashore() {
    let fen = "4c6/11/11/11/11/11/11/11/4N6/11/11/7C3 r - - 0 1";
    let lenient = preset("official");
    assert_eq!(lenient.write_position(&lenient.read_position(fen).unwrap()), fen);
    let pairs = parse_pairs(&["navy_ashore=refuse".to_owned()]).unwrap();
    let strict = Commander::new(rules_from::<Commander>(None, &pairs).unwrap());
    assert!(strict.read_position(fen).unwrap_err().to_string().starts_with("e4: "));
    let two = faults("4c6/I10/11/11/11/11/11/11/4N6/11/11/7C3 r - - 0 1");
    assert!(two.len() == 2 && two[1].starts_with("e4: "), "{two:?}");
}

#[test]
fn unknown_options_and_values_are_named() {
    let message = |texts: &[&str]| {
        let texts: Vec<String> = texts.iter().map(|text| (*text).to_owned()).collect();
        rules_from::<Commander>(None, &parse_pairs(&texts).unwrap()).unwrap_err().to_string()
    };
    let both = message(&["stack_cap=slots", "air_zones=three"]);
    for word in ["stack_cap", "air_zones", "three", "share", "two_block"] {
        assert!(both.contains(word), "{word} not in: {both}");
    }
    assert!(message(&["win_set=marine,sky"]).contains("sky"));
    assert!(message(&["win_set=commander,air"]).contains("commander"));
    assert!(message(&["hero_hq_range=3"]).contains("hero_hq_range"));
    assert!(message(&["board_at_sea=maybe"]).contains("board_at_sea"));
    assert!(message(&["max_turns=0"]).contains("max_turns"));
    assert!(rules_from::<Commander>(Some("house"), &[]).unwrap_err().to_string().contains("house"));
}

#[test]
fn win_set_in_all_its_forms() {
    let read = |text: &str| {
        let pairs = parse_pairs(&[format!("win_set={text}")]).unwrap();
        rules_from::<Commander>(None, &pairs).unwrap().win_set
    };
    for (text, set) in [
        ("marine,air,land", [true, true, true]),
        ("land", [false, false, true]),
        ("", [false; 3]),
        ("commander", [false; 3]),
    ] {
        let found = read(text);
        assert_eq!([found.marine, found.air, found.land], set, "{text}");
    }
    let table = game::options::as_table(&Rules::official()).unwrap();
    let again: Rules = toml::Value::Table(table).try_into().unwrap();
    assert_eq!(again, Rules::official());
}

#[test]
fn presets_differ_as_the_rules_page_says() {
    let table = |name: &str| game::options::as_table(&Rules::preset(name).unwrap()).unwrap();
    let official = table("official");
    let differing =
        |name: &str| table(name).iter().filter(|(key, value)| official[key.as_str()] != **value).count();
    assert_eq!(differing("core"), 18);
    assert_eq!(differing("wiki"), 4);
}

#[test]
fn the_standard_start() {
    let game = preset("official");
    let fen =
        "6c4/1n2fh1hf2/3a2s2a1/2n1gt1tg2/2ie2m2ei/11/11/2IE2M2EI/2N1GT1TG2/3A2S2A1/1N2FH1HF2/6C4 r - - 0 1";
    assert_eq!(game.write_position(&game.start()), fen);
    let blue =
        Commander::new(Rules { first_player: commander::rules::FirstPlayer::Blue, ..Rules::official() });
    assert_eq!(blue.write_position(&blue.start()), fen.replace(" r ", " b "));
}

#[test]
fn a_turn_is_read_with_its_end_and_written_without() {
    let game = preset("official");
    let fen = "6c4/1n9/11/11/11/11/11/11/4(TM)6/11/11/3C7 r - - 10 14";
    let position = game.read_position(fen).unwrap();
    let turn = game.read_turn(&position, "(T)e4-e5").unwrap();
    assert_eq!(turn.len(), 2, "the tank moves, then the turn ends although the militia could act");
    assert_eq!(game.turn_text(&position, &turn), "(T)e4-e5");
    assert!(game.read_turn(&position, "(T)e4-e5/.").is_err());
    assert!(game.read_turn(&position, "(T)e4-e5/(M)e4-e3/(M)e4-e3").is_err());
    let mut middle = position;
    game.play(&mut middle, turn[0]);
    assert_eq!(game.write_position(&middle), format!("{fen} turn:e4:(T)e4-e5"));
    assert_eq!(step_texts(&game, &middle).first().map(String::as_str), Some("(M)e4&e5"));
    assert!(step_texts(&game, &middle).contains(&".".to_owned()));
    let (before, steps) = game.turn_so_far(&middle);
    assert_eq!((before, steps.len()), (position, 1));
}

/// A drop by everything on the point is written without parentheses, and read with them too.
#[test]
fn drops_are_read_in_both_forms() {
    let game = preset("official");
    let position = game.read_position("6c4/11/11/2(FT)8/11/11/11/11/11/11/11/5C5 r").unwrap();
    let short = game.read_step(&position, "c9~e9").unwrap();
    assert_eq!(game.read_step(&position, "(FT)c9~e9"), Ok(short));
    assert_eq!(game.step_text(&position, short), "c9~e9");
}

#[test]
fn pictures_show_every_piece() {
    let game = preset("official");
    let position = game.read_position("(ni)5c4/11/11/4(E+A)6/11/11/11/11/11/11/11/5(HC)5 r").unwrap();
    let text = game.board_text(&position);
    for piece in ["(ni)", "c", "(E+A)", "(HC)"] {
        assert!(text.contains(piece), "{piece} in\n{text}");
    }
    assert_eq!(text.lines().count(), 13);
    let step = steps(&game, &position)[0];
    let mut after = position;
    game.play(&mut after, step);
    let svg = game.board_svg(&after, Some((&position, &[step])));
    assert!(svg.starts_with("<svg ") && svg.ends_with("</svg>\n"));
    assert_eq!(svg.matches("marker-end").count(), 1, "one arrow");
    assert_eq!(svg.matches("#c62f2f").count(), 4, "four red pieces");
    assert_eq!(svg.matches("<polygon").count(), 1, "one hero");
}
