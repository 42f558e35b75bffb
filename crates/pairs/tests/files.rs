//! Files of pairs: written, continued, torn, damaged, mistaken for others.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used, clippy::expect_used)]

use game::{Player, StepCode};
use pairs::{
    Budget, Clock, FORMAT, MatchHeader, Pair, PairFile, PairFileError, PlayedGame, PlayerHeader, PlayerKind,
    StartsHeader, Thought, VERSION, Winner,
};
use serde_json::json;
use std::path::Path;

fn header() -> MatchHeader {
    let player = |name: &str, kind, budget| PlayerHeader {
        name: name.to_owned(),
        kind,
        identity: name.to_owned(),
        budget,
        settings: json!(null),
    };
    let budget = Budget::Time { milliseconds: 500, clock: Clock::Processor };
    MatchHeader {
        format: FORMAT.to_owned(),
        version: VERSION,
        game: "connect4".to_owned(),
        rules_version: 1,
        rules: json!({}),
        players: [
            player("runs/mine", PlayerKind::Checkpoint, budget),
            player("greedy", PlayerKind::BuiltIn, Budget::Own),
        ],
        seed: 3,
        opening_turns: 2,
        starts: StartsHeader::of_text("7/7/7/7/7/7 x # the usual one\n"),
    }
}

fn pair(number: u64) -> Pair {
    let game = |a_plays| PlayedGame {
        a_plays,
        start: "7/7/7/7/7/7 x".to_owned(),
        opening_turns: 1,
        turns: vec!["d".to_owned(), "e".to_owned()],
        steps: vec![StepCode(3), StepCode(number as u32 % 7)],
        winner: Winner::First,
        reason: "four".to_owned(),
        points: [0, 0],
        forfeit: (number == 2).then(|| "B: no answer within 5 s".to_owned()),
        thoughts: vec![
            None,
            Some(Thought { win: Some(0.123_456_79), nodes: Some(64), ..Thought::default() }),
        ],
    };
    Pair { pair: number, games: [game(Player::First), game(Player::Second)] }
}

/// A file with pairs 1, 0 and 2.
fn written(path: &Path) {
    let (mut file, record) = PairFile::open(path, &header()).unwrap();
    assert!(record.pairs.is_empty());
    for number in [1, 0, 2] {
        file.append(&pair(number)).unwrap();
    }
}

#[test]
fn what_is_written_is_read_and_continued() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("pairs.jsonl");
    written(&path);
    let record = pairs::read(&path).unwrap();
    assert_eq!(record.header, header());
    assert_eq!(record.pairs, [pair(0), pair(1), pair(2)]);
    assert_eq!(record.torn, None);
    let (mut file, resumed) = PairFile::open(&path, &header()).unwrap();
    assert_eq!(resumed, record);
    file.append(&pair(7)).unwrap();
    assert_eq!(pairs::read(&path).unwrap().pairs.last(), Some(&pair(7)));
    // Every line is JSON that any reader takes.
    let text = std::fs::read_to_string(&path).unwrap();
    let lines: Vec<serde_json::Value> =
        text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!((lines.len(), &lines[0]["format"]), (5, &json!(FORMAT)));
    assert_eq!(lines[3]["games"][0]["forfeit"], "B: no answer within 5 s");
}

#[test]
fn games_count_for_side_a() {
    assert_eq!(pair(0).games.each_ref().map(PlayedGame::half_points), [2, 0]);
    assert_eq!(pair(0).half_points(), 2);
    assert_ne!(pair(0).games[0].fingerprint(), pair(0).games[1].fingerprint());
    assert_ne!(pair(0).games[0].fingerprint(), pair(1).games[0].fingerprint());
    assert_eq!(pair(0).games[0].fingerprint(), pair(7).games[0].fingerprint());
}

/// Cut anywhere, the file loses the pair under way and nothing else.
#[test]
fn a_torn_last_line_is_dropped_and_named() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("pairs.jsonl");
    written(&path);
    let whole = std::fs::read(&path).unwrap();
    let ends: Vec<usize> =
        whole.iter().enumerate().filter(|&(_, &byte)| byte == b'\n').map(|(end, _)| end + 1).collect();
    // Every place near the end of a line, and some others.
    let near = |length: usize| ends.iter().any(|end| end.abs_diff(length) <= 2);
    for length in (0..=whole.len()).filter(|&length| near(length) || length % 61 == 0) {
        std::fs::write(&path, &whole[..length]).unwrap();
        let lines = ends.iter().filter(|&&end| end <= length).count();
        let (mut file, record) = PairFile::open(&path, &header()).unwrap();
        assert_eq!(record.pairs.len(), lines.saturating_sub(1), "{length}");
        let torn = lines > 0 && !ends.contains(&length);
        assert_eq!(record.torn.as_ref().map(|torn| torn.line), torn.then_some(lines + 1), "{length}");
        file.append(&pair(9)).unwrap();
        let found: Vec<u64> = pairs::read(&path).unwrap().pairs.iter().map(|pair| pair.pair).collect();
        assert_eq!(found.len(), record.pairs.len() + 1, "{length}");
    }
    std::fs::write(&path, &whole[..ends[1] + 5]).unwrap();
    let torn = pairs::read(&path).unwrap().torn.unwrap();
    assert_eq!(torn.to_string(), format!("{}: line 3 was cut off and is dropped (5 bytes)", path.display()));
}

#[test]
fn damage_is_refused_with_its_line() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("pairs.jsonl");
    written(&path);
    let whole = std::fs::read_to_string(&path).unwrap();
    let refusal = |text: String| {
        std::fs::write(&path, text).unwrap();
        let error = pairs::read(&path).unwrap_err();
        assert!(error.is_input());
        let message = error.to_string();
        message.strip_prefix(&format!("{}: ", path.display())).unwrap().to_owned()
    };
    let lines: Vec<&str> = whole.lines().collect();
    let with = |index: usize, line: &str| {
        let mut lines = lines.clone();
        lines[index] = line;
        lines.join("\n") + "\n"
    };
    assert!(refusal(whole.replacen("four", "fuor", 1)).starts_with("line 2: damaged: its checksum is "));
    let mend = "without this line its pair is played again";
    assert_eq!(refusal(with(2, "{}")), format!("line 3: no checksum at its end; {mend}"));
    assert!(refusal(whole.replacen("four", "fuor", 1)).ends_with(mend));
    assert_eq!(refusal(with(3, lines[1])), "line 4: pair 1 again, it is in line 2 already");
    assert_eq!(
        refusal(whole.replacen("\"version\":1", "\"version\":2", 1)),
        "no file of pairs: version 2 of the format: this program reads version 1"
    );
    assert_eq!(
        refusal(whole.replacen(FORMAT, "garrison game", 1)),
        format!("no file of pairs: its format is \"garrison game\", not \"{FORMAT}\"")
    );
    assert!(
        refusal("rubbish\n".to_owned()).starts_with("no file of pairs: its first line is no JSON object")
    );
    assert!(refusal("rubbish".to_owned()).starts_with("no file of pairs: its first line is no JSON object"));
    assert!(refusal(String::new()).starts_with("nothing in it"));
    assert!(refusal(whole.replacen("\"seed\":3", "\"seed\":4", 1)).starts_with("line 1: damaged"));
    // Letters of several bytes: a cut inside one is a cut, another damage has its line.
    let mut odd = header();
    odd.players[0].name = "läufe".to_owned();
    std::fs::remove_file(&path).unwrap();
    let (mut file, _) = PairFile::open(&path, &odd).unwrap();
    let named = |number| {
        let mut pair = pair(number);
        pair.games[0].reason = "fünf".to_owned();
        pair
    };
    file.append(&named(0)).unwrap();
    file.append(&named(1)).unwrap();
    drop(file);
    let bytes = std::fs::read(&path).unwrap();
    let inside = bytes.iter().rposition(|&byte| byte == "ü".as_bytes()[1]).unwrap();
    std::fs::write(&path, &bytes[..inside]).unwrap();
    let cut = pairs::read(&path).unwrap();
    assert_eq!((cut.pairs.len(), cut.torn.unwrap().line), (1, 3));
    let mut damaged = bytes.clone();
    damaged[inside] = b'!';
    std::fs::write(&path, damaged).unwrap();
    let error = pairs::read(&path).unwrap_err();
    assert!(
        error.is_input() && error.to_string().ends_with(": line 3: damaged: it is no text in UTF-8"),
        "{error}"
    );
    let missing = pairs::read(&place.path().join("none")).unwrap_err();
    assert!(missing.is_input() && missing.to_string().ends_with("No such file or directory (os error 2)"));
}

#[test]
fn another_match_is_refused_with_its_differences() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("pairs.jsonl");
    written(&path);
    let before = std::fs::read(&path).unwrap();
    let mut other = header();
    other.seed = 4;
    other.players[0].identity = "other weights".to_owned();
    other.players[1].budget = Budget::Nodes(1_000);
    other.starts = StartsHeader::Standard;
    let error = PairFile::open(&path, &other).unwrap_err();
    assert!(error.is_input());
    let PairFileError::OtherMatch { differences, .. } = &error else { panic!("{error}") };
    assert_eq!(
        differences[..3],
        [
            "player A checkpoint other weights here, checkpoint runs/mine in the file",
            "budget of B 1000 nodes here, its own in the file",
            "seed 4 here, 3 in the file",
        ]
    );
    assert!(differences[3].starts_with("starts standard here, file "), "{differences:?}");
    assert_eq!(std::fs::read(&path).unwrap(), before);
    // Another name alone is the same match.
    let mut moved = header();
    moved.players[0].name = "elsewhere/mine".to_owned();
    assert!(moved.players[0].same_player(&header().players[0]));
    assert_eq!(PairFile::open(&path, &moved).unwrap().1.pairs.len(), 3);
}

#[test]
fn two_processes_do_not_write_one_file() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("pairs.jsonl");
    let held = PairFile::open(&path, &header()).unwrap();
    let error = PairFile::open(&path, &header()).unwrap_err();
    assert!(matches!(error, PairFileError::Busy { .. }), "{error}");
    drop(held);
    PairFile::open(&path, &header()).unwrap();
}

#[test]
fn comments_of_start_positions_do_not_count() {
    let bare = StartsHeader::of_text("one\ntwo\n");
    assert_eq!(bare, StartsHeader::of_text("# first\none # usual\n\n  two\n"));
    assert_ne!(bare, StartsHeader::of_text("two\none\n"));
    let text = "# first\none # usual\n\n  two\n";
    assert_eq!(StartsHeader::positions(text).collect::<Vec<_>>(), [(2, "one"), (4, "two")]);
}

/// Nobody writes to it or reads from it: to look for pairs in it would wait for ever.
#[test]
fn a_pipe_is_refused() {
    let place = tempfile::tempdir().unwrap();
    let path = place.path().join("match.jsonl");
    assert!(std::process::Command::new("mkfifo").arg(&path).status().unwrap().success());
    for error in [PairFile::open(&path, &header()).unwrap_err(), pairs::read(&path).unwrap_err()] {
        assert!(error.to_string().ends_with("match.jsonl: is a pipe, expected a file"), "{error}");
        assert!(error.is_input(), "{error}");
    }
}
