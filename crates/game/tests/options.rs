//! Options from the command line and from configs.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

mod pile;

use game::options::{OptionError, as_table, parse_pairs, rules_from};
use pile::{Last, Pile, Rules, Word};
use toml::Value;

fn read(preset: Option<&str>, texts: &[&str]) -> Result<Rules, OptionError> {
    let texts: Vec<String> = texts.iter().map(ToString::to_string).collect();
    rules_from::<Pile>(preset, &parse_pairs(&texts)?)
}

fn fault(preset: Option<&str>, texts: &[&str]) -> String {
    read(preset, texts).unwrap_err().to_string()
}

#[test]
fn presets_and_options_over_them() {
    assert_eq!(read(None, &[]).unwrap().last, Last::Wins);
    assert_eq!(read(Some("misere"), &[]).unwrap().last, Last::Loses);
    let rules = read(Some("misere"), &["pile=30", " most = 5 ", "visible=false", "last=wins"]).unwrap();
    assert_eq!(rules, Rules { pile: 30, most: 5, last: Last::Wins, visible: false, words: vec![Word::Red] });
    // The last one of a key counts.
    assert_eq!(read(None, &["pile=30", "pile=31"]).unwrap().pile, 31);
}

#[test]
fn lists_are_words_with_commas() {
    assert_eq!(read(None, &["words=green,red"]).unwrap().words, [Word::Green, Word::Red]);
    assert_eq!(read(None, &["words= green , red "]).unwrap().words, [Word::Green, Word::Red]);
    assert_eq!(read(None, &["words=green"]).unwrap().words, [Word::Green]);
    assert_eq!(read(None, &["words="]).unwrap().words, []);
}

#[test]
fn values_of_configs_keep_their_kind() {
    let options = [("pile".to_owned(), Value::Integer(9)), ("visible".to_owned(), Value::Boolean(false))];
    let rules = rules_from::<Pile>(None, &options).unwrap();
    assert_eq!((rules.pile, rules.visible), (9, false));
    let wrong = [("visible".to_owned(), Value::Integer(1))];
    assert!(rules_from::<Pile>(None, &wrong).unwrap_err().to_string().starts_with("option `visible`: "));
}

#[test]
fn faults_name_key_value_and_mend() {
    assert_eq!(fault(Some("odd"), &[]), "unknown preset `odd` for pile: use one of usual, misere");
    assert_eq!(
        fault(None, &["pill=3"]),
        "unknown option `pill` for pile: known are last, most, pile, visible, words"
    );
    for (text, words) in [
        ("last=never", ["option `last`", "never", "`wins` or `loses`"]),
        ("words=red,blue", ["option `words`", "blue", "`red` or `green`"]),
        ("pile=many", ["option `pile`", "many", "u8"]),
        ("pile=300", ["option `pile`", "300", "u8"]),
        ("visible=maybe", ["option `visible`", "maybe", "bool"]),
    ] {
        let message = fault(None, &[text]);
        for word in words {
            assert!(message.contains(word), "`{message}` does not say `{word}`");
        }
        assert!(!message.contains('\n'), "`{message}` has several lines");
    }
}

#[test]
fn all_faults_are_named_at_once() {
    let message = fault(None, &["pill=3", "pile=4", "last=never"]);
    assert!(
        message.contains("`pill`") && message.contains("`last`") && !message.contains("`pile`:"),
        "{message}"
    );
    assert_eq!(
        fault(None, &["pile", "=3", "pile=3"]),
        "option `pile`: write it as key=value; option `=3`: write it as key=value"
    );
}

#[test]
fn rules_are_a_table() {
    let table = as_table(&read(None, &[]).unwrap()).unwrap();
    assert_eq!(table["pile"], Value::Integer(21));
    assert_eq!(table["words"], Value::Array(vec![Value::String("red".to_owned())]));
}
