//! The classical record: examples, every legal turn of random games, and what is refused.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

use commander::record::{Classical, Letters};
use commander::{Commander, Position, Rules, Step};
use game::written::{Score, TurnNotation, find};
use game::{Game, Notation, Turns};
use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::HashSet;

const SETS: [Letters; 3] = [Letters::Own, Letters::English, Letters::Vietnamese];

fn official() -> Commander {
    Commander::new(Rules::preset("official").unwrap())
}

fn position(game: &Commander, fen: &str) -> Position {
    game.read_position(fen).unwrap_or_else(|faults| panic!("{fen}: {faults}"))
}

/// Position, letters, the text as booklet and rule book have it, the same turn in machine notation,
/// and as it is written here.
const EXAMPLES: [(&str, Letters, &str, &str, &str); 4] = [
    (
        "2n1c6/11/2(NFT)8/10f/n9i/11/11/11/11/11/11/6C4 r - - 0 1",
        Letters::Vietnamese,
        "(HTK)H9.2@H11.2/T9.2_9.4/K9.2>*11.4",
        "(N)c10xc12/(T)c10-e10",
        "(HKT)H9,2@H11,2/T9,2_9,4^",
    ),
    (
        "5c5/n3t6/11/2(NFT)7f/10i/n10/11/11/11/11/11/6C4 r - - 0 1",
        Letters::English,
        "(NTAf)N8,2@N10,0&T10,4/T8,2_8,4/Af8,2>C11,5",
        "(N)c9_e11/(N)c9xa11/(T)c9-e9",
        "(NAfT)N8,2@^T10,4/N8,2@N10,0/T8,2_8,4/+Af8,2>C11,5",
    ),
    (
        "4c6/11/11/6g4/7i3/6(TM)4/11/10t/11/11/11/6C4 r - - 0 1",
        Letters::English,
        "(TM)T6,6@Aa8,6/M6,6@In7,7",
        "(T)g7xg9/(M)g7xh8",
        "(TM)T6,6@Aa8,6/M6,6@In7,7",
    ),
    (
        "10c/11/8F2/10i/11/11/8ag1/11/11/11/4F6/6C4 r - - 0 1",
        Letters::Vietnamese,
        "K9,8@\"P5,8",
        "i10@i6",
        "K9,8@\"A5,8",
    ),
];

#[test]
fn examples_of_booklet_and_rule_book_are_read() {
    let game = official();
    for (fen, letters, text, machine, written) in EXAMPLES {
        let position = position(&game, fen);
        let notation = Classical(letters);
        let steps = notation.read_turn(&game, &position, text);
        let steps = steps.unwrap_or_else(|fault| panic!("{fen}: {fault}"));
        assert_eq!(game.turn_text(&position, &steps), machine);
        assert_eq!(notation.turn_text(&game, &position, &steps), written);
        assert_eq!(notation.read_turn(&game, &position, written), Ok(steps));
    }
}

#[test]
fn marks_follow_from_the_position() {
    let game = official();
    for (fen, machine, text) in [
        // The last navy is taken.
        ("6c4/11/n9f/N10/10i/11/11/11/11/11/4F6/2I2C5 r - - 0 1", "a9xa10", "N8,0@N9,0^"),
        // The own last air force crashes.
        ("6c4/9f1/9g1/9F1/10i/n10/11/11/N10/11/2I8/5C5 r - - 0 1", "j9@j10", "Af8,9><Aa9,9!!"),
        // A headquarters is breached over its commander.
        ("4(hc)6/4T6/11/10f/n9i/11/11/11/11/11/4F6/N5C4 r - - 0 1", "e11!e12", "T10,4@!H11,4/+T10,4>C11,4"),
        // Passengers are dropped.
        ("6c4/11/11/2(FT)7f/n9i/11/11/11/11/11/11/N4C5 r - - 0 1", "c9~e9", "(AfT)8,2~8,4"),
    ] {
        let position = position(&game, fen);
        let steps = game.read_turn(&position, machine).unwrap_or_else(|fault| panic!("{fen}: {fault}"));
        let notation = Classical(Letters::English);
        assert_eq!(notation.turn_text(&game, &position, &steps), text);
        assert_eq!(notation.read_turn(&game, &position, text), Ok(steps));
    }
}

#[test]
fn judgements_stand_apart() {
    let notation = Classical(Letters::Own);
    let split = |word| TurnNotation::<Commander>::split_judgement(&notation, word);
    for (word, turn, judgement) in [
        ("T3,5_5,5", "T3,5_5,5", ""),
        ("T3,5_5,5++", "T3,5_5,5", "++"),
        ("F3,5><G5,5!!", "F3,5><G5,5!!", ""),
        ("F3,5><G5,5!!--", "F3,5><G5,5!!", "--"),
        ("N8,0@N9,0^$", "N8,0@N9,0^", "$"),
        ("T3,5_5,5?", "T3,5_5,5", "?"),
        ("T3,5_5,5=", "T3,5_5,5", "="),
    ] {
        assert_eq!(split(word), (turn, judgement));
    }
}

#[test]
fn refusals_say_why() {
    let game = official();
    let start = game.start();
    for (text, message) in [
        ("T3,5", "no part of a turn at its end: write it as in T3,4_5,4"),
        ("T3,5_4,4", "not legal: T on 3,5 cannot do this upon 4,4"),
        ("M3,5_4,5", "not legal: T on 3,5 cannot do this upon 4,5"),
        ("T5,5_6,5", "not legal: 5,5 is empty"),
        ("T8,5_7,5", "not legal: T on 8,5 is not to move"),
        ("T3,5@T4,5", "no T on 4,5, which has nothing"),
        ("(TM)T3,5_4,5", "3,5 has T"),
        ("T3,5_4,5/T8,5_7,5", "the turn is complete before 7,5"),
        ("T3,5>C11,6", "no step in it"),
    ] {
        let fault = Classical(Letters::Own).read_turn(&game, &start, text).unwrap_err();
        assert_eq!(fault.message, message, "{text}");
    }
}

#[test]
fn games_with_tags_judgements_and_results_come_back() {
    let game = official();
    let text = "[Game \"commander\"]\n[Red \"A\"]\n[Result \"*\"]\n[Format \"classical-english\"]\n\n\
                1. T3,5_5,5++ {forward} T8,5_6,5? 2. Af1,4_5,4 *\n";
    let format = find::<Commander>("classical-english").unwrap();
    let checked = format.read(&game, text).remove(0).unwrap();
    assert_eq!(checked.written.turns[0].judgements, ["++"]);
    assert_eq!(checked.written.turns[1].judgements, ["?"]);
    assert_eq!(checked.written.score, Score::Open);
    assert_eq!(format.write(&game, &[checked.written]).unwrap(), text.replace("} T8", "} 1... T8"));
}

fn every_turn(game: &Commander, position: &Position) {
    let mut list: Vec<Vec<Step>> = Vec::new();
    let mut turns = Turns::new(game, position);
    while list.len() < 2000 && turns.advance(game) {
        list.push(turns.steps().to_vec());
    }
    let stride = list.len().div_ceil(60).max(1);
    for letters in SETS {
        let notation = Classical(letters);
        let mut texts = HashSet::new();
        for (index, steps) in list.iter().enumerate() {
            let text = notation.turn_text(game, position, steps);
            assert!(texts.insert(text.clone()), "{}: {text}", game.write_position(position));
            if index % stride == 0 {
                let read = notation.read_turn(game, position, &text);
                assert_eq!(read.as_ref(), Ok(steps), "{}: {text}", game.write_position(position));
            }
        }
    }
}

#[test]
fn every_legal_turn_of_random_games_has_a_text_of_its_own() {
    let mut random = ChaCha8Rng::seed_from_u64(3);
    for preset in ["official", "core", "wiki"] {
        let game = Commander::new(Rules::preset(preset).unwrap());
        let mut position = game.start();
        let mut steps = Vec::new();
        for number in 0..160 {
            if number % 8 == 0 {
                every_turn(&game, &position);
            }
            loop {
                game.legal_steps(&position, &mut steps);
                if steps.is_empty() {
                    position = game.start();
                    break;
                }
                let step = steps[random.random_range(0..steps.len())];
                game.play(&mut position, step);
                if !game.mid_turn(&position) {
                    break;
                }
            }
        }
    }
}
