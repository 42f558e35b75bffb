//! Legal moves, compared with the lists of an independent program.
//!
//! `data/moves.txt.gz` is a sample of what `scripts/check-xiangqi` compares: a FEN, a semicolon and the legal
//! moves in alphabetical order on each line. The variable `GARRISON_XIANGQI_MOVES` names another file
//! of this form.

// Helpers of tests may unwrap as tests do; how much was compared is for whoever runs the script.
#![allow(clippy::unwrap_used, clippy::print_stdout)]

use flate2::read::GzDecoder;
use std::collections::BTreeSet;
use std::io::Read;
use std::path::PathBuf;
use xiangqi::Setup;

fn lists() -> String {
    let file = std::env::var_os("GARRISON_XIANGQI_MOVES").map(PathBuf::from);
    let file =
        file.unwrap_or_else(|| PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/moves.txt.gz"));
    let mut text = String::new();
    GzDecoder::new(std::fs::File::open(file).unwrap()).read_to_string(&mut text).unwrap();
    text
}

#[test]
fn legal_moves_agree() {
    let text = lists();
    let (mut positions, mut moves, mut differences) = (0, 0, Vec::new());
    for line in text.lines() {
        let (fen, listed) = line.split_once(';').unwrap();
        let position = Setup::read(fen).and_then(|setup| setup.position());
        let position = position.unwrap_or_else(|faults| panic!("{fen}: {faults}"));
        let mut found = Vec::new();
        position.board().any_step(|step| {
            found.push(step.to_string());
            false
        });
        let count = found.len();
        let found: BTreeSet<String> = found.into_iter().collect();
        assert_eq!(found.len(), count, "{fen}: a move is listed twice");
        let listed: BTreeSet<String> = listed.split_whitespace().map(str::to_owned).collect();
        if found != listed {
            let ours: Vec<_> = found.difference(&listed).collect();
            let theirs: Vec<_> = listed.difference(&found).collect();
            differences.push(format!("{fen}: only ours {ours:?}, only theirs {theirs:?}"));
        }
        positions += 1;
        moves += listed.len();
    }
    println!("{positions} positions, {moves} moves, {} lists differ", differences.len());
    assert!(positions >= 300);
    assert!(
        differences.is_empty(),
        "{}",
        differences.iter().take(20).cloned().collect::<Vec<_>>().join("\n")
    );
}
