//! `evaluate play` with scripts on standard input.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use std::io::Write;
use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Runs `evaluate play` in a directory with these lines of input.
fn play(directory: &Path, arguments: &[&str], lines: &[&str]) -> Output {
    let mut child = Command::new(env!("CARGO_BIN_EXE_evaluate"))
        .arg("play")
        .args(arguments)
        .current_dir(directory)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    // A program that has refused its command line reads nothing.
    let _ = child.stdin.take().unwrap().write_all(lines.join("\n").as_bytes());
    child.wait_with_output().unwrap()
}

/// What a script prints; it must end well.
fn script(directory: &Path, arguments: &[&str], lines: &[&str]) -> String {
    let output = play(directory, arguments, lines);
    let errors = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(output.status.code(), Some(0), "{errors}");
    String::from_utf8(output.stdout).unwrap()
}

#[test]
fn a_game_against_a_built_in_opponent() {
    let place = tempfile::tempdir().unwrap();
    let opponent = ["alphabeta:2", "--game", "connect4", "--fen", "7/7/7/7/ooo4/xxx4 x"];
    let text = script(
        place.path(),
        &opponent,
        &["", "z", "steps", "hint", "d", "a", "back", "turns", "a", "turns", "help", "save", "quit", "d"],
    );
    let has = |part: &str| assert!(text.contains(part), "no `{part}` in:\n{text}");
    has("You play first against alphabeta:2");
    has("1 x x x . . . .\n  a b c d e f g\n7/7/7/7/ooo4/xxx4 x\nYour turn (first).\n");
    has("`z`: no step: write a file from a to g\nLegal here: a b c d e f g\n");
    has("7 of 7 legal steps\n  a\n");
    has("alphabeta:2 would play d\n");
    has("7/7/7/7/ooo4/xxxx3 o\nYou win: four.\n");
    has("`a`: the game has ended\nThe game has ended: `back` takes a turn back, `quit` ends.\n");
    // After the turn was taken back another one is answered.
    has("alphabeta:2 plays d\n");
    has("  1 first  a\n  2 second d\n");
    has("svg FILE    draw the board into a file\n");
    has("`save` needs a file");
    assert_eq!(text.matches("Your turn (first).").count(), 3, "{text}");
}

#[test]
fn the_second_side_can_be_played_and_the_end_of_the_input_ends() {
    let place = tempfile::tempdir().unwrap();
    let arguments = ["random", "--game", "connect4", "--side", "second", "--seed", "3"];
    let text = script(place.path(), &arguments, &["back", "d"]);
    assert!(text.starts_with("You play second against random"), "{text}");
    assert_eq!(text.matches("random plays ").count(), 2, "{text}");
    assert!(text.contains("There is no turn of yours to take back.\n"), "{text}");
    assert_eq!(text, script(place.path(), &arguments, &["back", "d"]), "the seed decides");
    assert!(script(place.path(), &arguments, &[]).ends_with("Your turn (second).\n"));
}

#[test]
fn games_are_saved_and_loaded() {
    let place = tempfile::tempdir().unwrap();
    let greedy = ["greedy", "--game", "connect4"];
    let text = script(place.path(), &greedy, &["d", "d", "save game.json", "svg board.svg", "board"]);
    let fen = text.lines().rfind(|line| line.contains('/')).unwrap().to_owned();
    assert!(text.contains("The game is in game.json.\n") && text.contains("The board is in board.svg.\n"));
    assert!(std::fs::read_to_string(place.path().join("board.svg")).unwrap().starts_with("<svg"));

    let loaded = script(place.path(), &["random", "--game", "connect4", "--load", "game.json"], &["turns"]);
    assert!(loaded.contains(&fen) && loaded.contains("  3 first  d\n"), "{loaded}");
    let loaded = script(place.path(), &greedy, &["load game.json", "load none.json"]);
    assert!(loaded.contains(&fen) && loaded.contains("none.json: No such file"), "{loaded}");

    // Damaged and strange files are refused by name, and the game goes on.
    let path = place.path().join("game.json");
    let good = std::fs::read_to_string(&path).unwrap();
    let refusal = |text: String, part: &str| {
        std::fs::write(&path, text).unwrap();
        let output = play(place.path(), &["greedy", "--game", "connect4", "--load", "game.json"], &[]);
        let errors = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{errors}");
        assert!(errors.starts_with("error: game.json: ") && errors.contains(part), "{errors}");
    };
    refusal(good.replacen("\"first\"", "\"second\"", 1), "damaged: the checksum of line 1 is");
    refusal(good.replacen("\"version\":1", "\"version\":2", 1), "version 2: this program reads version 1");
    refusal("[]\n".to_owned(), "no saved game");
    refusal(String::new(), "line 1 is no saved game");
    std::fs::write(&path, good).unwrap();
    let output = play(place.path(), &["greedy", "--game", "commander", "--load", "game.json"], &[]);
    let errors = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(2));
    assert!(errors.contains("a game of connect4, here is commander played"), "{errors}");
}

#[test]
fn turns_of_several_steps_are_played_whole_or_step_by_step() {
    let place = tempfile::tempdir().unwrap();
    let start = "6c4/10i/11/11/11/11/11/11/4(TI)6/11/11/4M2C3 r - - 0 1";
    let arguments = ["greedy", "--game", "commander", "--fen", start];
    let text = script(
        place.path(),
        &arguments,
        &["(T)e4-e9", "step (T)e4-e5", "steps (I)", "back", "(T)e4-e5/(I)e4-f4"],
    );
    let has = |part: &str| assert!(text.contains(part), "no `{part}` in:\n{text}");
    has("`(T)e4-e9`: not a legal step here\nLegal here: (T)e4-");
    has("Your turn so far: (T)e4-e5. Go on.\n");
    has("  (I)e4-f4\n");
    has("greedy plays ");
    assert_eq!(text.matches("Your turn (first).").count(), 3, "{text}");
}

#[test]
fn wrong_command_lines_are_refused() {
    let place = tempfile::tempdir().unwrap();
    let refusal = |arguments: &[&str]| {
        let output = play(place.path(), arguments, &[]);
        assert_eq!(output.status.code(), Some(2));
        String::from_utf8(output.stderr).unwrap()
    };
    assert!(refusal(&["greedy", "--game", "go"]).contains("unknown game `go`"));
    assert!(refusal(&["nobody", "--game", "connect4"]).contains("unknown opponent `nobody`"));
    assert!(refusal(&["greedy", "--game", "connect4", "--fen", "7 x"]).contains("1 rows: there must be 6"));
    assert!(refusal(&["greedy", "--game", "connect4", "--load", "none"]).contains("none: No such file"));
    assert!(refusal(&["greedy", "--game", "connect4", "--side", "third"]).contains("first, second"));
}
