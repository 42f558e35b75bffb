//! What the command line prints, compared with transcripts.
//!
//! A transcript holds commands (`$ rules …`, single quotes around words with blanks) and below each
//! what it printed: standard output, standard error with `! ` before each line, and `= code` where
//! the exit code is not 0. Lines with `#` are comments. Times and speeds stand as `N`, blank lines as `(blank)`, and
//! what a command prints with `#` begins with `\#`. After a change that is meant, `GARRISON_REWRITE=1 cargo
//! test -p rules` writes the transcripts anew.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

use std::path::{Path, PathBuf};
use std::process::Command;

fn transcript(name: &str) {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts").join(name);
    let expected = std::fs::read_to_string(&path).unwrap();
    let mut found = String::new();
    let mut commands = 0;
    for line in expected.lines() {
        if line.starts_with('#') || line.is_empty() {
            found.push_str(line);
            found.push('\n');
        } else if let Some(command) = line.strip_prefix("$ rules") {
            commands += 1;
            found.push_str(line);
            found.push('\n');
            found.push_str(&answer(&words(command)));
        }
    }
    assert!(commands > 0, "{name} has no commands");
    if std::env::var_os("GARRISON_REWRITE").is_some() {
        return std::fs::write(&path, found).unwrap();
    }
    if found != expected {
        let place = expected.lines().zip(found.lines()).position(|(one, other)| one != other);
        let line = place.unwrap_or(expected.lines().count().min(found.lines().count()));
        let at = |text: &str| text.lines().nth(line).unwrap_or("(the end)").to_owned();
        panic!("{name} line {}:\nexpected: {}\nfound:    {}", line + 1, at(&expected), at(&found));
    }
}

fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (index, part) in command.split('\'').enumerate() {
        if index % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

fn answer(words: &[String]) -> String {
    let mut command = Command::new(env!("CARGO_BIN_EXE_rules"));
    let output = command.args(words).current_dir(env!("CARGO_MANIFEST_DIR")).output().unwrap();
    let mut answer = steady(&String::from_utf8(output.stdout).unwrap());
    for line in String::from_utf8(output.stderr).unwrap().lines() {
        answer.push_str(&format!("! {line}\n"));
    }
    match output.status.code() {
        Some(0) => {}
        Some(code) => answer.push_str(&format!("= {code}\n")),
        None => answer.push_str("= killed\n"),
    }
    answer
}

/// The text with `N` in place of times and speeds, and with `(blank)` on blank lines, since blank lines of
/// a transcript are its own, and so are lines with `#`.
fn steady(text: &str) -> String {
    let mut steady = String::new();
    for line in text.lines() {
        if line.starts_with('#') {
            steady.push('\\');
        }
        steady.push_str(if line.is_empty() { "(blank)" } else { line });
        steady.push('\n');
    }
    for (before, after) in [
        ("\"seconds\":", ['}', ',']),
        ("_per_s\":", ['}', ',']),
        (" in ", [' ', ' ']),
        ("es/s ", ['\n', '\n']),
        ("steps/s ", ['\n', '\n']),
        ("positions/s ", ['\n', '\n']),
    ] {
        let mut from = 0;
        while let Some(at) = steady[from..].find(before) {
            let start = from + at + before.len();
            let end = steady[start..].find(after).map_or(steady.len(), |length| start + length);
            if steady[start..end].trim().parse::<f64>().is_ok() {
                steady.replace_range(start..end, "N");
            }
            from = start;
        }
    }
    steady
}

#[test]
fn connect_four() {
    transcript("connect-four.txt");
}

#[test]
fn commander_chess() {
    transcript("commander-chess.txt");
}

#[test]
fn emergo() {
    transcript("emergo.txt");
}

#[test]
fn xiangqi() {
    transcript("xiangqi.txt");
}

#[test]
fn written_games() {
    transcript("written-games.txt");
}

#[test]
fn set_ups() {
    transcript("set-ups.txt");
}

#[test]
fn faults() {
    transcript("faults.txt");
}

#[test]
fn all_transcripts_are_compared() {
    let directory = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/transcripts");
    assert_eq!(std::fs::read_dir(directory).unwrap().count(), 7, "add a test for each file");
}
