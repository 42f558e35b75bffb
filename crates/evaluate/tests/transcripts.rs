//! What `--help` says of every command, compared with `tests/transcripts/help.txt`.
//!
//! After a change that is meant, `GARRISON_REWRITE=1 cargo test -p evaluate --test transcripts` writes the
//! file anew.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

use clap::{CommandFactory, Parser};
use evaluate::arguments::{Arguments, Command, Economy};
use std::path::Path;

#[test]
fn help_is_what_it_was() {
    let mut evaluate = Arguments::command();
    let names: Vec<String> =
        evaluate.get_subcommands().map(|command| command.get_name().to_owned()).collect();
    let mut found = format!("$ evaluate --help\n{}", evaluate.render_long_help());
    for name in names {
        let command = evaluate.find_subcommand_mut(&name).unwrap();
        let help = command.clone().bin_name(format!("evaluate {name}")).render_long_help();
        found.push_str(&format!("\n$ evaluate {name} --help\n{help}"));
    }
    let found: String = found.lines().map(|line| format!("{}\n", line.trim_end())).collect();
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts/help.txt");
    if std::env::var_os("GARRISON_REWRITE").is_some() {
        return std::fs::write(&path, found).unwrap();
    }
    let expected = std::fs::read_to_string(&path).unwrap();
    for (number, (found, expected)) in (1..).zip(found.lines().zip(expected.lines())) {
        assert_eq!(found, expected, "line {number}");
    }
    assert_eq!(found.lines().count(), expected.lines().count());
}

/// What matches, sequential tests and ladders have in common is declared once.
#[test]
fn conditions_are_the_same_for_everybody() {
    let mut evaluate = Arguments::command();
    let mut lines = |name: &str| -> Vec<String> {
        let help = evaluate.find_subcommand_mut(name).unwrap().render_long_help().to_string();
        let begin = help.find("      --game <GAME>").unwrap();
        help[begin..]
            .lines()
            .take_while(|line| !line.contains("--save") && !line.contains("--json"))
            .map(str::to_owned)
            .collect()
    };
    let of_match = lines("match");
    assert!(of_match.iter().any(|line| line.contains("--clock <CLOCK>")), "{of_match:?}");
    assert_eq!(of_match, lines("sprt"));
    assert_eq!(of_match, lines("ladder"));
}

/// A ladder does not waste what is limited.
#[test]
fn ladders_save_what_is_limited() {
    for (words, wanted) in [
        (&[][..], Economy::Pairs),
        (&["--pairs", "9"], Economy::Pairs),
        (&["--minutes", "3"], Economy::Time),
        (&["--minutes", "3", "--economy", "pairs"], Economy::Pairs),
        (&["--economy", "time"], Economy::Time),
    ] {
        let words = [&["evaluate", "ladder", "greedy", "--game", "connect4"], words].concat();
        let Command::Ladder(arguments) = Arguments::try_parse_from(words).unwrap().command else {
            panic!("no ladder");
        };
        assert_eq!(arguments.economy(), wanted);
    }
}
