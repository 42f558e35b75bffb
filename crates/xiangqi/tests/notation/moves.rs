//! Single moves: examples, every legal move of many positions, and what is refused.

use rand::{Rng, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::collections::HashSet;
use xiangqi::notation::{Chinese, Coordinates, Spelling, Wxf};
use xiangqi::{Position, Setup, Step};

const START: &str = "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C5C1/9/RNBAKABNR w - - 0 1";

fn position(fen: &str) -> Position {
    Setup::read(fen).and_then(|setup| setup.position()).unwrap_or_else(|faults| panic!("{fen}: {faults}"))
}

fn steps(position: &Position) -> Vec<Step> {
    let mut steps = Vec::new();
    position.board().any_step(|step| {
        steps.push(step);
        false
    });
    steps
}

fn spellings() -> [&'static dyn Spelling; 6] {
    [&Coordinates::Ucci, &Coordinates::Uci, &Coordinates::Iccs, &Coordinates::DhtmlXq, &Wxf, &Chinese]
}

/// Each line: FEN; move in UCCI; then what each notation writes: UCI, ICCS, DhtmlXQ, WXF, Chinese.
const EXAMPLES: &[(&str, &[[&str; 6]])] = &[
    (
        START,
        &[
            ["h2e2", "h3e3", "H2-E2", "7747", "C2=5", "炮二平五"],
            ["b2e2", "b3e3", "B2-E2", "1747", "C8=5", "炮八平五"],
            ["h0g2", "h1g3", "H0-G2", "7967", "H2+3", "马二进三"],
            ["g3g4", "g4g5", "G3-G4", "6665", "P3+1", "兵三进一"],
            ["g0e2", "g1e3", "G0-E2", "6947", "E3+5", "相三进五"],
            ["d0e1", "d1e2", "D0-E1", "3948", "A6+5", "仕六进五"],
            ["e0e1", "e1e2", "E0-E1", "4948", "K5+1", "帅五进一"],
            ["b2b9", "b3b10", "B2-B9", "1710", "C8+7", "炮八进七"],
            ["i0i2", "i1i3", "I0-I2", "8987", "R1+2", "车一进二"],
        ],
    ),
    (
        "rnbakabnr/9/1c5c1/p1p1p1p1p/9/9/P1P1P1P1P/1C2C4/9/RNBAKABNR b - - 1 1",
        &[
            ["h9g7", "h10g8", "H9-G7", "7062", "H8+7", "马8进7"],
            ["b7e7", "b8e8", "B7-E7", "1242", "C2=5", "炮2平5"],
            ["a9a8", "a10a9", "A9-A8", "0001", "R1+1", "车1进1"],
            ["c6c5", "c7c6", "C6-C5", "2324", "P3+1", "卒3进1"],
            ["g9e7", "g10e8", "G9-E7", "6042", "E7+5", "象7进5"],
            ["f9e8", "f10e9", "F9-E8", "5041", "A6+5", "士6进5"],
            ["b7b0", "b8b1", "B7-B0", "1219", "C2+7", "炮2进7"],
        ],
    ),
    // Two rooks and two horses on a file; advisors and elephants need no sign.
    (
        "4k4/9/2R1N4/9/2R1N4/2B6/9/3A5/8C/2BAK2C1 w - - 0 1",
        &[
            ["c7b7", "c8b8", "C7-B7", "2212", "R+=8", "前车平八"],
            ["c5c6", "c6c7", "C5-C6", "2423", "R-+1", "后车进一"],
            ["c5d5", "c6d6", "C5-D5", "2434", "R-=6", "后车平六"],
            ["e7g8", "e8g9", "E7-G8", "4261", "H++3", "前马进三"],
            ["e5d3", "e6d4", "E5-D3", "4436", "H--6", "后马退六"],
            ["d2e1", "d3e2", "D2-E1", "3748", "A6-5", "仕六退五"],
            ["c4e2", "c5e3", "C4-E2", "2547", "E7-5", "相七退五"],
            ["c0a2", "c1a3", "C0-A2", "2907", "E7+9", "相七进九"],
            ["h0h9", "h1h10", "H0-H9", "7970", "C2+9", "炮二进九"],
        ],
    ),
    (
        "4k4/9/9/9/8c/9/8c/9/9/3K5 b - - 0 1",
        &[
            ["i3h3", "i4h4", "I3-H3", "8676", "C+=8", "前炮平8"],
            ["i5i6", "i6i7", "I5-I6", "8483", "C--1", "后炮退1"],
            ["i3i0", "i4i1", "I3-I0", "8689", "C++3", "前炮进3"],
        ],
    ),
    // Two pawns on one file.
    (
        "3k5/9/4P4/4P4/9/9/9/9/9/5K3 w - - 0 1",
        &[
            ["e7d7", "e8d8", "E7-D7", "4232", "P+=6", "前兵平六"],
            ["e7e8", "e8e9", "E7-E8", "4241", "P++1", "前兵进一"],
            ["e6f6", "e7f7", "E6-F6", "4353", "P-=4", "后兵平四"],
        ],
    ),
    // Three, four and five on one file.
    (
        "3k5/9/4P4/4P4/4P4/9/P8/9/9/5K3 w - - 0 1",
        &[
            ["e7d7", "e8d8", "E7-D7", "4232", "15=6", "前兵平六"],
            ["e6f6", "e7f7", "E6-F6", "4353", "25=4", "中兵平四"],
            ["e5d5", "e6d6", "E5-D5", "4434", "35=6", "后兵平六"],
            ["a3a4", "a4a5", "A3-A4", "0605", "P9+1", "兵九进一"],
        ],
    ),
    (
        "4k4/9/9/9/7p1/7p1/7p1/7p1/9/3K5 b - - 0 1",
        &[
            ["h2g2", "h3g3", "H2-G2", "7767", "18=7", "一卒平7"],
            ["h3i3", "h4i4", "H3-I3", "7686", "28=9", "二卒平9"],
            ["h4g4", "h5g5", "H4-G4", "7565", "38=7", "三卒平7"],
            ["h2h1", "h3h2", "H2-H1", "7778", "18+1", "一卒进1"],
        ],
    ),
    (
        "3k5/2P6/2P6/2P6/2P6/2P6/9/9/9/5K3 w - - 0 1",
        &[
            ["c8b8", "c9b9", "C8-B8", "2111", "17=8", "一兵平八"],
            ["c4c5", "c5c6", "C4-C5", "", "", ""],
            ["c5b5", "c6b6", "C5-B5", "2414", "47=8", "四兵平八"],
        ],
    ),
    // Two files with several pawns each.
    (
        "3k5/9/2P3P2/2P3P2/6P2/9/9/9/9/5K3 w - - 0 1",
        &[
            ["g7f7", "g8f8", "G7-F7", "6252", "13=4", "一兵平四"],
            ["g6h6", "g7h7", "G6-H6", "6373", "23=2", "二兵平二"],
            ["g5f5", "g6f6", "G5-F5", "6454", "33=4", "三兵平四"],
            ["c7d7", "c8d8", "C7-D7", "2232", "7+=6", "四兵平六"],
            ["c6b6", "c7b7", "C6-B6", "2313", "7-=8", "五兵平八"],
        ],
    ),
    (
        "3k5/9/4P1P2/4P1P2/9/9/9/9/9/5K3 w - - 0 1",
        &[
            ["g7f7", "g8f8", "G7-F7", "6252", "3+=4", "一兵平四"],
            ["g6g7", "", "", "", "", ""],
            ["e6f6", "e7f7", "E6-F6", "4353", "5-=4", "四兵平四"],
        ],
    ),
];

#[test]
fn examples_are_written_and_read() {
    for (fen, moves) in EXAMPLES {
        let position = position(fen);
        for texts in *moves {
            let step = Step::read(texts[0]).unwrap();
            // Texts that are left out say that the move is not legal.
            if texts[4].is_empty() {
                assert!(!position.board().is_legal(step), "{fen} {step}");
                continue;
            }
            for (spelling, text) in spellings().into_iter().zip(texts) {
                assert_eq!(spelling.write(&position, step), *text, "{fen} {step}");
                assert_eq!(spelling.read(&position, text), Ok(step), "{fen} {text}");
            }
        }
    }
}

/// Other spellings of the same moves.
const TOLERATED: &[(&str, &str, &[&str], &[&str])] = &[
    (
        START,
        "h2e2",
        &["C2=5", "C2.5", "c2=5", "c2.5", "Ｃ２＝５", "C２．5", "C2·5"],
        &["炮二平五", "砲二平五", "包二平五", "炮2平5", "炮２平５"],
    ),
    (START, "h0g2", &["H2+3", "N2+3", "n2＋3"], &["马二进三", "馬二進三", "傌二進三", "马2进3"]),
    (START, "g0e2", &["E3+5", "B3+5", "b3+5"], &["相三进五", "象三進五"]),
    (START, "d0e1", &["A6+5"], &["仕六进五", "士六进五"]),
    (START, "e0e1", &["K5+1"], &["帅五进一", "帥五進一", "将五进一", "將五進１"]),
    (START, "i0i1", &["R1+1"], &["车一进一", "車一進一", "俥一進一"]),
    (
        "4k4/9/2R1N4/9/2R1N4/2B6/9/3A5/8C/2BAK2C1 w - - 0 1",
        "c7b7",
        &["R+=8", "R+.8", "+R=8", "+R.8"],
        &["前车平八", "前車平八", "前俥平8"],
    ),
    (
        "4k4/9/9/9/8c/9/8c/9/9/3K5 b - - 0 1",
        "i5i6",
        &["C--1", "C-−1", "-C-1"],
        &["后炮退1", "後砲退一", "后包退１"],
    ),
    (
        "3k5/9/4P1P2/4P1P2/9/9/9/9/9/5K3 w - - 0 1",
        "g7f7",
        &["3+=4", "3+.4", "13=4", "13.4", "Pa=4"],
        &["一兵平四", "１兵平四", "前三平四", "前兵三平四"],
    ),
    (
        "3k5/9/4P4/4P4/4P4/9/P8/9/9/5K3 w - - 0 1",
        "e6f6",
        &["25=4", "25.4", "P.=4", "Pb=4"],
        &["中兵平四", "二兵平四", "中卒平4", "中兵五平四"],
    ),
    (
        "4k4/9/9/9/7p1/7p1/7p1/7p1/9/3K5 b - - 0 1",
        "h2g2",
        &["18=7", "P+=7", "8+=7"],
        &["一卒平7", "前卒平7", "１兵平７"],
    ),
    // Only one of two is able to: files with two pieces need no sign then.
    ("3k5/9/2R6/9/2R6/9/9/9/9/4K4 w - - 0 1", "c7c9", &["R7+2"], &["车七进二"]),
];

#[test]
fn other_spellings_are_read() {
    for (fen, ucci, wxf, chinese) in TOLERATED {
        let position = position(fen);
        let step = Step::read(ucci).unwrap();
        for text in *wxf {
            assert_eq!(Wxf.read(&position, text), Ok(step), "{fen} {text}");
        }
        for text in *chinese {
            assert_eq!(Chinese.read(&position, text), Ok(step), "{fen} {text}");
        }
    }
    let position = position(START);
    let step = Step::read("h2e2").unwrap();
    for (spelling, texts) in [
        (Coordinates::Ucci, &["H2E2", "ｈ2ｅ2"][..]),
        (Coordinates::Uci, &["H3E3"]),
        (Coordinates::Iccs, &["h2-e2", "H2E2", "H2–E2", "Ｈ２－Ｅ２"]),
        (Coordinates::DhtmlXq, &["７７４７"]),
    ] {
        for text in texts {
            assert_eq!(spelling.read(&position, text), Ok(step), "{text}");
        }
    }
}

#[test]
fn refusals_say_why() {
    let ucci: &dyn Spelling = &Coordinates::Ucci;
    let wxf: &dyn Spelling = &Wxf;
    let pinned = "4k4/9/9/9/4r4/9/4R4/9/9/4K4 w - - 0 1";
    for (fen, spelling, text, message) in [
        (START, ucci, "h2e", "no move: write it as in h2e2"),
        (START, ucci, "h2e22", "no move: write it as in h2e2"),
        (START, ucci, "h2e02", "no move: write it as in h2e2"),
        (START, ucci, "j2e2", "no move: write it as in h2e2"),
        (START, ucci, "h5e5", "not legal: nothing stands on h5"),
        (START, ucci, "h7e7", "not legal: Red is to move, and h7 holds the black cannon"),
        (START, ucci, "h2b2", "not legal: b2 holds a piece of its own side"),
        (START, ucci, "h2i4", "not legal: the red cannon on h2 does not go to i4"),
        (pinned, ucci, "e3d3", "not legal: the red king on e0 could be captured"),
        (START, &Coordinates::Uci, "h0e3", "no move: write it as in h3e3"),
        (START, &Coordinates::Uci, "h11e3", "no move: write it as in h3e3"),
        (START, &Coordinates::Uci, "h03e3", "no move: write it as in h3e3"),
        (START, &Coordinates::Iccs, "H-2E2", "no move: write it as in H2-E2"),
        (START, &Coordinates::Iccs, "H2--E2", "no move: write it as in H2-E2"),
        (START, &Coordinates::DhtmlXq, "9747", "no move: write it as in 7747"),
        (START, wxf, "X2=5", "no move: write it as in C2=5, R+=3 or 13+1"),
        (START, wxf, "C0=5", "no move: write it as in C2=5, R+=3 or 13+1"),
        (START, wxf, "C2=5!", "no move: write it as in C2=5, R+=3 or 13+1"),
        (START, wxf, "C3=5", "not legal: no red cannon stands there"),
        (START, wxf, "R+=5", "not legal: no red rook stands there"),
        (START, wxf, "C2=8", "not legal: the red cannon on h2 does not go there"),
        (pinned, wxf, "R5=6", "not legal: the red king on e0 could be captured"),
        ("3k5/9/2R6/9/2R6/9/9/9/9/4K4 w - - 0 1", wxf, "R7=8", "may mean c5b5 or c7b7: name the points"),
        ("3k5/9/2R6/9/2R6/9/9/9/9/4K4 w - - 0 1", wxf, "R7-9", "not legal: no such red rook goes there"),
        (START, &Chinese, "炮二平", "no move: write it as in 炮二平五 or 前车平3"),
        (START, &Chinese, "炮二走五", "no move: write it as in 炮二平五 or 前车平3"),
        (START, &Chinese, "炮十平五", "no move: write it as in 炮二平五 or 前车平3"),
        (START, &Chinese, "前车进一", "not legal: no red rook stands there"),
    ] {
        assert_eq!(spelling.read(&position(fen), text), Err(message.to_owned()), "{fen} {text}");
    }
}

/// Every legal move has a text of its own in every notation, and the text gives the move back.
fn every_move(position: &Position) {
    let steps = steps(position);
    let fen = Setup::from(position).write();
    for spelling in spellings() {
        let mut texts = HashSet::new();
        for &step in &steps {
            let text = spelling.write(position, step);
            assert_eq!(spelling.read(position, &text), Ok(step), "{fen} {text}");
            assert!(texts.insert(text.clone()), "{fen} {text}");
        }
    }
}

#[test]
fn every_legal_move_of_random_games_is_read_back() {
    let mut random = ChaCha8Rng::seed_from_u64(5);
    for _ in 0..20 {
        let mut setup = Setup::read(START).unwrap();
        for _ in 0..150 {
            let position = setup.position().unwrap();
            every_move(&position);
            let steps = steps(&position);
            if steps.is_empty() {
                break;
            }
            let step = steps[random.random_range(0..steps.len())];
            setup.pieces[step.to.index()] = setup.pieces[step.from.index()].take();
            setup.mover = setup.mover.opponent();
        }
    }
}

/// Boards with many like pieces on few files, where signs and numbers are needed or do not suffice.
#[test]
fn every_legal_move_of_crowded_files_is_read_back() {
    let mut random = ChaCha8Rng::seed_from_u64(6);
    let mut boards = 0;
    while boards < 2000 {
        let mut setup = Setup::read("3k5/9/9/9/9/9/9/9/9/5K3 w - - 0 1").unwrap();
        let files = [random.random_range(0..9), random.random_range(0..9)];
        for letter in "PPPPPRRRCCNNpppppccrrrr".chars() {
            let rank = random.random_range(0..10);
            let file = files[random.random_range(0..2)];
            let point = &mut setup.pieces[rank * 9 + file];
            if point.is_none() && random.random_bool(0.8) {
                *point = xiangqi::Piece::from_letter(letter);
            }
        }
        if random.random_bool(0.5) {
            setup.mover = setup.mover.opponent();
        }
        // Many have pawns where none can be, or a king that can be captured.
        let Ok(position) = setup.position() else { continue };
        every_move(&position);
        boards += 1;
    }
}
