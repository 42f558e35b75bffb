//! Written games, with the pile game: turns of several steps whose texts are numbers.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

mod pile;

use game::Notation;
use game::written::{
    Checked, MachineNotation, MoveList, RecordFault, RecordFormat, Score, Spacing, Tag, Written, find,
    formats,
};
use pile::{Flaw, Pile};

static LIST: MoveList<MachineNotation> =
    MoveList { name: "list", about: "bare turns", spacing: Spacing::Blank, notation: MachineNotation };

fn game() -> Pile {
    Pile::new(9, 3, Flaw::None)
}

fn format(name: &str) -> &'static dyn RecordFormat<Pile> {
    if name == "list" { &LIST } else { find(name).unwrap() }
}

fn read(name: &str, text: &str) -> Vec<Result<Checked<Pile>, RecordFault>> {
    format(name).read(&game(), text)
}

/// The only game of a text.
fn one(name: &str, text: &str) -> Checked<Pile> {
    let mut games = read(name, text);
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0).unwrap_or_else(|fault| panic!("{text}: {fault}"))
}

fn turns(written: &Written<Pile>) -> Vec<String> {
    let game = game();
    let mut here = written.start;
    let told = |steps: &Vec<pile::Step>| {
        let text = game.turn_text(&here, steps);
        steps.iter().for_each(|&step| game::Game::play(&game, &mut here, step));
        text
    };
    written.turns.iter().map(|turn| &turn.steps).map(told).collect()
}

fn faults(name: &str, text: &str) -> Vec<String> {
    let found = read(name, text).into_iter().flat_map(|read| match read {
        Ok(checked) => checked.remarks,
        Err(fault) => vec![fault],
    });
    found.map(|fault| fault.to_string()).collect()
}

const TAGGED: &str = "[Game \"pile\"]\n[Event \"a \\\"club\\\" evening\"]\n[Result \"1-0\"]\n\
                      [FEN \"8 0 0 0 second plain\"]\n[Format \"turns\"]\n\n\
                      {at first} 1... 3!? {why\nnot} 2. 2 $4 2... 2 1-0\n";

#[test]
fn tags_turns_and_comments_are_kept() {
    let checked = one("turns", TAGGED);
    assert_eq!(checked.remarks, []);
    let written = checked.written;
    assert_eq!(written.tags, [Tag::new("Event", "a \"club\" evening")]);
    assert_eq!(turns(&written), ["3", "2", "2"]);
    assert_eq!(written.comment, "at first");
    assert_eq!(written.turns[0].comment, "why\nnot");
    assert_eq!(written.turns[0].judgements, ["!?"]);
    assert_eq!(written.turns[1].judgements, ["$4"]);
    // A stone is left: the second player gave up.
    assert_eq!(written.score, Score::First);
}

#[test]
fn what_is_written_is_read_back() {
    let written = one("turns", TAGGED).written;
    for format in formats::<Pile>() {
        let text = format.write(&game(), &[written.clone(), written.clone()]).unwrap();
        let read = format.read(&game(), &text);
        assert_eq!(read.len(), 2, "{text}");
        for read in read {
            assert_eq!(read.unwrap().written, written, "{text}");
        }
    }
    assert_eq!(
        format("turns").write(&game(), std::slice::from_ref(&written)).unwrap(),
        TAGGED.replace(" 2... 2", " 2")
    );
    assert_eq!(LIST.write(&game(), &[written]).unwrap(), "fen 8 0 0 0 second plain moves 3 2 2\n");
}

#[test]
fn a_list_says_that_it_keeps_no_scores() {
    assert!(formats::<Pile>().iter().all(|format| format.keeps_scores()));
    assert!(!RecordFormat::<Pile>::keeps_scores(&LIST));
    let given_up = one("list", "1-0").written;
    assert_eq!(given_up.score, Score::First);
    let text = LIST.write(&game(), &[given_up]).unwrap();
    assert_eq!(text, "startpos\n");
    assert_eq!(one("list", &text).written.score, Score::Open);
}

#[test]
fn the_rules_complete_an_open_result() {
    assert_eq!(one("list", "3 3 3").written.score, Score::First);
    assert_eq!(one("list", "3 3 1").written.score, Score::Open);
    assert_eq!(one("list", "1. 3 3 2. 1 0-1").written.score, Score::Second);
}

#[test]
fn lists_take_what_engines_write() {
    for text in ["position startpos moves 3 2", "startpos moves 3\n2", "3 2", "1. 3 2", "\u{feff}3 2\r\n"] {
        assert_eq!(turns(&one("list", text).written), ["3", "2"], "{text}");
    }
    assert_eq!(turns(&one("list", "position fen 2 0 0 0 first plain moves 1").written), ["1"]);
    assert_eq!(turns(&one("list", "fen 2 0 0 0 first plain").written), [""; 0]);
    let sizes: Vec<usize> = read("list", "1 1\n\n2\nstartpos\n")
        .into_iter()
        .map(|read| read.unwrap().written.turns.len())
        .collect();
    assert_eq!(sizes, [2, 1, 0]);
    assert_eq!(read("list", " \n").len(), 0);
}

#[test]
fn faults_tell_game_turn_and_place() {
    assert_eq!(
        faults("turns", "1. 3 2\n 4 *\n\n[Game \"go\"]\n*\n[FEN \"x\"] 1 *\n1. 1 {"),
        [
            "line 2 column 2, game 1, turn 3: `4`: not a legal turn here",
            "line 4 column 1, game 2: `go`: turns reads games whose tag says `pile`",
            "line 6 column 1, game 3: `x`: stones: write a number below 100; taken: write a number below 100; \
             first: write a number below 100; second: write a number below 100; mover: write first or second; \
             colour: write plain or mirrored",
            "line 7 column 6, game 4: `{`: no `}` after it",
        ]
    );
    assert_eq!(
        faults("turns", "[Result \"soon\"] 1 *\n[Format \"wxf\"]\n*\n$1 3\n"),
        [
            "line 1 column 1, game 1: `soon`: no result: write 1-0, 0-1, 1/2-1/2 or *",
            "line 2 column 1, game 2: `wxf`: turns reads games whose tag says `turns`",
            "line 4 column 1, game 3: `$1`: a judgement before the first turn",
        ]
    );
    assert_eq!(
        faults("list", "1 2\n\n3 3\n5\n\n[A \"\"]\n\nfen 8 1 0 0 first plain moves 2"),
        [
            "line 4 column 1, game 2, turn 3: `5`: not a legal turn here",
            "line 6 column 1, game 3: `A`: list has no tags",
            "line 8 column 5, game 4: `8 1 0 0 first plain`: in the middle of a turn: a written game starts between turns",
        ]
    );
}

#[test]
fn what_does_not_fit_is_remarked() {
    assert_eq!(
        faults("turns", "[Result \"1-0\"] 1. 3 3 2. 3 0-1"),
        [
            "line 1 column 28, game 1: `0-1`: the result at the end contradicts the tag, which says 1-0",
            "line 1 column 28, game 1: `0-1`: the result contradicts the turns: first won by last",
        ]
    );
    assert_eq!(
        faults("list", "3 3 3 1"),
        ["line 1 column 7, game 1, turn 4: `1`: the game had ended: first won by last"]
    );
}

#[test]
fn lines_of_json_are_compared_with_their_turns() {
    assert_eq!(
        faults(
            "json",
            "{\"turns\":[\"3\",\"3\",\"3\"],\"winner\":\"first\",\"reason\":\"first\",\"points\":[1,1],\"fen\":\"\"}\n\n\
             {\"turns\":[\"1\",\"4\"]}\n{\"turn\":[]}\n{\"turns\":[]\n{\"turns\":[],\"winner\":\"x\"}\n\
             {\"turns\":[],\"game\":\"go\"}\n{\"turns\":[],\"comments\":[{\"turn\":1,\"text\":\"!\"}]}"
        ),
        [
            "line 1 column 1, game 1: `first`: reason: the turns give last",
            "line 1 column 1, game 1: `[1, 1]`: points: the turns give [2, 2]",
            "line 1 column 1, game 1: fen: the turns give 0 0 2 2 second plain",
            "line 3 column 1, game 2, turn 2: `4`: not a legal turn here",
            "line 4 column 7, game 3: unknown field `turn`, expected one of `game`, `start`, `turns`, `winner`, `reason`, `points`, `fen`, `tags`, `comments`",
            "line 5 column 11, game 4: EOF while parsing an object",
            "line 6 column 1, game 5: `x`: no winner: write first, second, draw or none",
            "line 7 column 1, game 6: `go`: the game here is pile",
            "line 8 column 1, game 7: `!`: a comment on turn 1 of 0",
        ]
    );
}

#[test]
fn a_tag_of_a_line_has_a_name_that_every_format_can_say() {
    for (name, message) in [
        ("Re)6 d", "no name of a tag"),
        ("a]b", "no name of a tag"),
        ("a\\\"", "no name of a tag"),
        ("", "no name of a tag"),
        ("Result", "a field of its own"),
    ] {
        let text = format!("{{\"turns\":[],\"tags\":[[\"{name}\",\"A. B.\"]]}}");
        let found = faults("json", &text);
        assert!(found.len() == 1 && found[0].contains(message), "{name}: {found:?}");
    }
    assert_eq!(faults("json", "{\"turns\":[],\"tags\":[[\"Round-2)\",\"1\"]]}"), Vec::<String>::new());
}
