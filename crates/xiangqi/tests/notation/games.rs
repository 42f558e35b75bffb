//! Whole games in every format.

use game::written::{Checked, RecordFault, Score, Tag, find};
use game::{Game, Notation};
use xiangqi::{Position, Step, Xiangqi};

fn game() -> Xiangqi {
    Xiangqi::with_rules(Xiangqi::preset("cxq").unwrap()).unwrap()
}

fn read(format: &str, text: &str) -> Vec<Result<Checked<Xiangqi>, RecordFault>> {
    find::<Xiangqi>(format).unwrap().read(&game(), text)
}

fn one(format: &str, text: &str) -> Checked<Xiangqi> {
    let mut games = read(format, text);
    assert_eq!(games.len(), 1, "{text}");
    games.remove(0).unwrap_or_else(|fault| panic!("{fault}\n{text}"))
}

fn moves(checked: &Checked<Xiangqi>) -> String {
    let steps = checked.written.turns.iter().flat_map(|turn| turn.steps.iter().map(Step::to_string));
    steps.collect::<Vec<_>>().join(" ")
}

fn convert(from: &str, to: &str, text: &str) -> String {
    let games: Vec<_> = read(from, text).into_iter().map(|read| read.unwrap().written).collect();
    find::<Xiangqi>(to).unwrap().write(&game(), &games).unwrap()
}

/// The same opening in every list of moves.
const OPENING: [(&str, &str); 6] = [
    ("ucci", "h2e2 h9g7 h0g2 i9h9 i0h0 g6g5 b0c2 c6c5\n"),
    ("uci", "h3e3 h10g8 h1g3 i10h10 i1h1 g7g6 b1c3 c7c6\n"),
    ("iccs", "H2-E2 H9-G7 H0-G2 I9-H9 I0-H0 G6-G5 B0-C2 C6-C5\n"),
    ("wxf", "C2=5 H8+7 H2+3 R9=8 R1=2 P7+1 H8+7 P3+1\n"),
    ("chinese", "炮二平五 马8进7 马二进三 车9平8 车一平二 卒7进1 马八进七 卒3进1\n"),
    ("dhtmlxq", "77477062796780708979636419272324\n"),
];

#[test]
fn lists_of_moves_say_the_same() {
    for (from, text) in OPENING {
        for (to, expected) in OPENING {
            assert_eq!(convert(from, to, text), expected, "{from} to {to}");
        }
    }
}

#[test]
fn pgn_as_real_files_have_it() {
    let text = "[Game \"Chinese Chess\"]\r\n[Event \"第1届全国赛\"]\r\n[Red \"甲\"]\r\n[Black \"乙\"]\r\n\
                [Result \"1-0\"]\r\n[Format \"Chinese\"]\r\n\r\n\
                {布局} 1. 炮二平五 馬８進７\r\n2．馬二進三　車9平8 (2... 卒7进1 3. 車一平二)\r\n\
                3. 車一平二 {好棋} 卒7進1 4.馬八進七 1-0\r\n";
    let checked = one("pgn-chinese", text);
    assert_eq!(moves(&checked), "h2e2 h9g7 h0g2 i9h9 i0h0 g6g5 b0c2");
    let written = &checked.written;
    assert_eq!(
        written.tags,
        [Tag::new("Event", "第1届全国赛"), Tag::new("Red", "甲"), Tag::new("Black", "乙")]
    );
    assert_eq!(written.score, Score::First);
    assert_eq!(written.comment, "布局");
    assert_eq!(written.turns[3].comment, "(2... 卒7进1 3. 車一平二)");
    assert_eq!(written.turns[4].comment, "好棋");
    assert_eq!(
        convert("pgn-chinese", "pgn-wxf", text),
        "[Game \"Chinese Chess\"]\n[Event \"第1届全国赛\"]\n[Red \"甲\"]\n[Black \"乙\"]\n[Result \"1-0\"]\n\
         [Format \"WXF\"]\n\n{布局} 1. C2=5 H8+7 2. H2+3 R9=8 {(2... 卒7进1 3. 車一平二)} 3. R1=2 {好棋} 3... P7+1\n\
         4. H8+7 1-0\n"
    );
    assert!(
        convert("pgn-chinese", "pgn-iccs", text).contains("[Format \"ICCS\"]\n\n{布局} 1. H2-E2 H9-G7 2.")
    );
}

#[test]
fn tags_of_results_and_starts_are_read_as_real_files_have_them() {
    for (value, score) in
        [("红胜", Score::First), ("黑勝", Score::Second), ("和棋", Score::Draw), ("?", Score::Open)]
    {
        let text =
            format!("[Result \"{value}\"]\n[FEN \"4k4/9/9/9/4P4/9/9/9/9/3K5 r - - 0 1\"]\n1. P5+1 K5=6");
        let checked = one("pgn-wxf", &text);
        assert_eq!((checked.written.score, moves(&checked).as_str()), (score, "e5e6 e9f9"), "{value}");
    }
    let black = one("pgn-wxf", "[FEN \"4k4/9/9/9/4p4/9/9/9/9/3K5 b - - 0 1\"]\n1... P5+1 2. K6=5 *");
    assert_eq!(moves(&black), "e5e4 d0e0");
}

#[test]
fn formats_are_named_and_not_guessed() {
    // The same text is legal in both, and another move.
    let start = "fen 4k4/9/9/9/9/9/9/R8/R8/3K5 w - - 0 1 moves";
    assert_eq!(moves(&one("ucci", &format!("{start} a2b2"))), "a2b2");
    assert_eq!(moves(&one("uci", &format!("{start} a2b2"))), "a1b1");
    let fault = read("pgn-wxf", "[Format \"ICCS\"]\n1. C2=5").remove(0).unwrap_err();
    assert_eq!(
        fault.to_string(),
        "line 1 column 1, game 1: `ICCS`: pgn-wxf reads games whose tag says `WXF`"
    );
}

#[test]
fn dhtmlxq_with_tags() {
    let text = "<div>[DhtmlXQ]\n[DhtmlXQ_ver]any[/DhtmlXQ_ver]\n[DhtmlXQ_init]500,350[/DhtmlXQ_init]\n\
                [DhtmlXQ_title]甲 先胜 乙[/DhtmlXQ_title]\n[DhtmlXQ_red]甲[/DhtmlXQ_red]\n\
                [DhtmlXQ_result]红胜[/DhtmlXQ_result]\n\
                [DhtmlXQ_binit]8979695949392919097717866646260600102030405060708012720323436383[/DhtmlXQ_binit]\n\
                [DhtmlXQ_movelist]7747\n7062 7967[/DhtmlXQ_movelist]\n\
                [DhtmlXQ_comment0]开始[/DhtmlXQ_comment0]\n[DhtmlXQ_comment2]一||二[/DhtmlXQ_comment2]\n\
                [/DhtmlXQ]</div>\n\
                [DhtmlXQ][DhtmlXQ_binit]9999999939999999999999999999999999999999409999999999999923999999[/DhtmlXQ_binit]\
                [DhtmlXQ_movelist]2324[/DhtmlXQ_movelist][/DhtmlXQ]";
    for format in ["dhtmlxq", "dhtmlxq-tags"] {
        let games: Vec<_> = read(format, text).into_iter().map(Result::unwrap).collect();
        assert_eq!(games.len(), 2);
        assert_eq!(moves(&games[0]), "h2e2 h9g7 h0g2");
        let written = &games[0].written;
        assert_eq!(written.tags, [Tag::new("title", "甲 先胜 乙"), Tag::new("Red", "甲")]);
        assert_eq!((written.score, written.comment.as_str()), (Score::First, "开始"));
        assert_eq!(written.turns[1].comment, "一\n二");
        assert_eq!(game().write_position(&games[1].written.start), "4k4/9/9/2p6/9/9/9/9/9/3K5 b - - 0 1");
        assert_eq!(moves(&games[1]), "c6c5");
    }
    let again = convert("dhtmlxq", "dhtmlxq-tags", text);
    assert!(
        again.contains("[DhtmlXQ_binit]8979695949392919097717866646260600102030405060708012720323436383["),
        "{again}"
    );
    assert_eq!(convert("dhtmlxq-tags", "dhtmlxq-tags", &again), again);
}

#[test]
fn faults_of_dhtmlxq_are_told() {
    let faults = |text: &str| -> Vec<String> {
        read("dhtmlxq", text).into_iter().map(|read| read.map(drop).unwrap_err().to_string()).collect()
    };
    assert_eq!(
        faults(
            "[DhtmlXQ_movelist]7747\n77[/DhtmlXQ_movelist][/DhtmlXQ]\n[DhtmlXQ_movelist]7747\n\n[/DhtmlXQ]\
             [DhtmlXQ_binit]89[/DhtmlXQ_binit][DhtmlXQ_movelist][/DhtmlXQ_movelist]"
        ),
        [
            "line 2 column 1, game 1, turn 2: `77`: no move: write it as in 7747",
            "line 3 column 19, game 2: `movelist`: no [/DhtmlXQ_movelist] after it",
            "line 5 column 26, game 3: `89`: 2 digits: there must be 64, two for each of 32 pieces",
        ]
    );
    assert_eq!(
        faults("774770627967 7770")[0],
        "line 1 column 14, game 1, turn 4: `7770`: not legal: nothing stands on h2"
    );
}

/// A game that is recorded beyond the end that the counters give it.
#[test]
fn turns_after_the_end_are_remarked_and_kept() {
    let shuffle = "d0d1 e9e8 d1d0 e8e9 ".repeat(16);
    let checked = one("ucci", &format!("fen 4k4/9/9/9/P8/9/9/9/9/3K5 w - - 0 1 moves {shuffle}"));
    assert_eq!(checked.written.turns.len(), 64);
    assert_eq!(checked.remarks.len(), 1);
    assert_eq!(checked.remarks[0].turn, Some(61));
    assert_eq!(checked.remarks[0].message, "the game had ended: a draw by progress");
}

#[test]
fn what_the_judge_forbids_is_not_legal() {
    let mut rules = Xiangqi::preset("cxq").unwrap();
    rules.perpetual_effect = xiangqi::PerpetualEffect::MoveForbidden;
    let game = Xiangqi::with_rules(rules).unwrap();
    let cycle = "i8i9 d9d8 i9i8 d8d9 ".repeat(3) + "i8i9";
    let text = format!("fen 3k5/8R/9/9/9/9/9/4K4/2c6/9 w - - 0 1 moves {cycle}");
    let fault = find::<Xiangqi>("ucci").unwrap().read(&game, &text).remove(0).unwrap_err();
    assert_eq!((fault.turn, fault.message.as_str()), (Some(13), "not legal: the judge forbids it"));
}

#[test]
fn ends_are_compared_with_results() {
    let mate = "fen 4k4/9/9/9/9/9/9/R8/1R7/3K5 w - - 0 1 moves b1b8 e9f9 a2a9";
    let checked = one("ucci", mate);
    assert_eq!(checked.written.score, Score::First);
    let position: Position = checked.written.start;
    assert_eq!(position.mover(), game::Player::First);
    let checked = one("ucci", &format!("{mate} 0-1"));
    assert_eq!(checked.remarks[0].message, "the result contradicts the turns: first won by mate");
}
