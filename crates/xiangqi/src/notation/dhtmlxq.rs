//! DhtmlXQ: games as web pages embed them.

use super::coordinates::from_digit_pair;
use super::formats::{Spelled, score};
use super::{Coordinates, Spelling};
use crate::{Kind, Piece, Position, RANKS, Setup, Square, Xiangqi};
use game::written::{Checked, MoveList, Place, RecordFault, RecordFormat, Replay, Score, Spacing, Written};
use game::{Game, Notation, Player};

/// DhtmlXQ, read in both layouts and written in one.
///
/// ```text
/// [DhtmlXQ]
/// [DhtmlXQ_red]…[/DhtmlXQ_red]
/// [DhtmlXQ_binit]8979695949392919097717866646260600102030405060708012720323436383[/DhtmlXQ_binit]
/// [DhtmlXQ_movelist]77477242[/DhtmlXQ_movelist]
/// [DhtmlXQ_comment1]…[/DhtmlXQ_comment1]
/// [/DhtmlXQ]
/// ```
///
/// `binit` has two digits a piece, Red's sixteen first: the back rank as it stands at the start,
/// cannons and pawns, each side from its own right; `99` for one that is gone. The side to
/// move is that of the first move, or else Red. A start that this does not express (Black to move,
/// counters other than 0 and 1, more pieces of a kind) is written as a FEN in a tag of its own too, which
/// is read first.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DhtmlXq {
    /// The name of the format.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// What is written.
    pub layout: Layout,
}

/// A way to put a game down.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Layout {
    /// The digits of the moves alone, a game to a line.
    Moves,
    /// Tags around everything.
    Tags,
}

/// The kinds of the sixteen pieces of a side in `binit`.
const BINIT: [Kind; 16] = [
    Kind::Rook,
    Kind::Horse,
    Kind::Elephant,
    Kind::Advisor,
    Kind::King,
    Kind::Advisor,
    Kind::Elephant,
    Kind::Horse,
    Kind::Rook,
    Kind::Cannon,
    Kind::Cannon,
    Kind::Pawn,
    Kind::Pawn,
    Kind::Pawn,
    Kind::Pawn,
    Kind::Pawn,
];

/// Names of tags that have other names elsewhere: DhtmlXQ's and the usual one.
const NAMES: [(&str, &str); 6] = [
    ("event", "Event"),
    ("place", "Site"),
    ("date", "Date"),
    ("round", "Round"),
    ("red", "Red"),
    ("black", "Black"),
];

/// Names of what is written from the game itself, in small letters.
const OWN: [&str; 6] = ["binit", "movelist", "fen", "init", "ver", "result"];

impl RecordFormat<Xiangqi> for DhtmlXq {
    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn keeps_scores(&self) -> bool {
        self.layout == Layout::Tags
    }

    fn read(&self, game: &Xiangqi, text: &str) -> Vec<Result<Checked<Xiangqi>, RecordFault>> {
        if !text.contains("[DhtmlXQ") {
            return self.moves().read(game, text);
        }
        let blocks = blocks(text).into_iter().enumerate();
        blocks.map(|(index, block)| read_block(game, index + 1, block)).collect()
    }

    fn write(&self, game: &Xiangqi, written: &[Written<Xiangqi>]) -> Result<String, RecordFault> {
        match self.layout {
            Layout::Moves => self.moves().write(game, written),
            Layout::Tags => {
                let games: Vec<String> = written.iter().map(|written| block_text(game, written)).collect();
                Ok(games.join("\n"))
            }
        }
    }
}

impl DhtmlXq {
    const fn moves(&self) -> MoveList<Spelled<Coordinates>> {
        MoveList {
            name: self.name,
            about: self.about,
            spacing: Spacing::Width(4),
            notation: Spelled(Coordinates::DhtmlXq),
        }
    }
}

/// One tag of a block; `close` is false where its end is missing.
struct Part<'t> {
    name: &'t str,
    value: &'t str,
    place: Place,
    closed: bool,
}

/// The tags of each game of a text. A game ends with `[/DhtmlXQ]` or before a tag that it has
/// already; what stands between tags is not looked at.
fn blocks(text: &str) -> Vec<Vec<Part<'_>>> {
    let mut blocks: Vec<Vec<Part<'_>>> = vec![Vec::new()];
    let mut places = Places::new(text);
    let mut from = 0;
    for (begin, _) in text.match_indices('[') {
        let tag = text[begin..].starts_with("[DhtmlXQ") || text[begin..].starts_with("[/DhtmlXQ]");
        if begin < from || !tag {
            continue;
        }
        let Some(length) = text[begin..].find(']') else {
            let name = text[begin + 1..].lines().next().unwrap_or_default();
            push(&mut blocks, Part { name, value: "", place: places.of(begin), closed: false });
            break;
        };
        let name = &text[begin + 1..begin + length];
        from = begin + length + 1;
        let Some(short) = name.strip_prefix("DhtmlXQ_") else {
            // `DhtmlXQ` and `/DhtmlXQ` part games.
            if blocks.last().is_some_and(|block| !block.is_empty()) {
                blocks.push(Vec::new());
            }
            continue;
        };
        let place = places.of(from);
        let end = format!("[/{name}]");
        // What ends the block ends the tag too.
        let rest = text[from..].split("[/DhtmlXQ]").next().unwrap_or_default();
        match rest.find(&end) {
            Some(length) => {
                push(
                    &mut blocks,
                    Part { name: short, value: &text[from..from + length], place, closed: true },
                );
                from += length + end.len();
            }
            None => push(&mut blocks, Part { name: short, value: "", place, closed: false }),
        }
    }
    blocks.retain(|block| !block.is_empty());
    blocks
}

fn push<'t>(blocks: &mut Vec<Vec<Part<'t>>>, part: Part<'t>) {
    let again = blocks.last().is_none_or(|block| block.iter().any(|other| other.name == part.name));
    if again {
        blocks.push(Vec::new());
    }
    if let Some(block) = blocks.last_mut() {
        block.push(part);
    }
}

/// Places of growing offsets of a text.
struct Places<'t> {
    text: &'t str,
    offset: usize,
    place: Place,
}

impl<'t> Places<'t> {
    const fn new(text: &'t str) -> Places<'t> {
        Places { text, offset: 0, place: Place::START }
    }

    fn of(&mut self, offset: usize) -> Place {
        for letter in self.text[self.offset..offset].chars() {
            match letter {
                '\n' => self.place = Place { line: self.place.line + 1, column: 1 },
                _ => self.place.column += 1,
            }
        }
        self.offset = offset;
        self.place
    }
}

fn read_block(game: &Xiangqi, number: usize, block: Vec<Part<'_>>) -> Result<Checked<Xiangqi>, RecordFault> {
    let first_place = block.first().map_or(Place::START, |part| part.place);
    let fault = |place, text: &str, message: String| RecordFault {
        place,
        game: number,
        turn: None,
        text: text.to_owned(),
        message,
    };
    if let Some(part) = block.iter().find(|part| !part.closed) {
        return Err(fault(part.place, part.name, format!("no [/DhtmlXQ_{}] after it", part.name)));
    }
    let part = |name: &str| block.iter().find(|part| part.name.eq_ignore_ascii_case(name));
    let moves = part("movelist").map_or_else(Vec::new, digits);
    let start = match (part("fen"), part("binit")) {
        (Some(fen), _) => Some((fen.value.trim().to_owned(), fen.place)),
        (None, Some(binit)) if !binit.value.trim().is_empty() => {
            let setup = read_binit(
                binit.value,
                moves.first().map(|&(_, digit)| digit),
                moves.get(1).map(|&(_, digit)| digit),
            );
            let setup = setup.map_err(|message| fault(binit.place, binit.value.trim(), message))?;
            Some((setup.write(), binit.place))
        }
        _ => None,
    };
    let mut replay = Replay::new(game, number, start.as_ref().map(|(text, place)| (text.as_str(), *place)))?;
    let mut stated = Score::Open;
    for part in &block {
        let value = part.value.trim();
        let known = NAMES.iter().find(|(name, _)| name.eq_ignore_ascii_case(part.name));
        match part.name.to_ascii_lowercase().as_str() {
            "result" => stated = Score::read(value).or_else(|| score(value)).unwrap_or_default(),
            name if OWN.contains(&name) || comment_number(name).is_some() => {}
            _ => replay.tag(known.map_or(part.name, |(_, name)| name), one_line(value)),
        }
    }
    let comment = |turn: usize| {
        let texts = block.iter().filter(|part| comment_number(&part.name.to_ascii_lowercase()) == Some(turn));
        texts.map(|part| part.value.trim().replace("||", "\n")).collect::<Vec<_>>().join(" ")
    };
    replay.comment(&comment(0));
    let mut last_place = first_place;
    for digits in moves.chunks(4) {
        last_place = digits[0].0;
        let text: String = digits.iter().map(|&(_, digit)| digit).collect();
        replay.turn(&Spelled(Coordinates::DhtmlXq), &text, last_place)?;
        replay.comment(&comment(replay.turns()));
    }
    Ok(replay.finish(stated, last_place))
}

/// The number of the turn that a comment is about, 0 for the beginning.
fn comment_number(name: &str) -> Option<usize> {
    name.strip_prefix("comment")?.parse().ok()
}

/// Characters of a list of moves with their places; blanks left out.
fn digits(part: &Part<'_>) -> Vec<(Place, char)> {
    let mut places = Places { text: part.value, offset: 0, place: part.place };
    let letters = part.value.char_indices().filter(|(_, letter)| !letter.is_whitespace());
    letters.map(|(offset, letter)| (places.of(offset), letter)).collect()
}

/// The position of `binit`. The side to move is whose piece the first move moves.
fn read_binit(text: &str, x: Option<char>, y: Option<char>) -> Result<Setup, String> {
    let digits: Vec<char> = text.chars().filter(|letter| !letter.is_whitespace()).collect();
    if digits.len() != 64 {
        return Err(format!("{} digits: there must be 64, two for each of 32 pieces", digits.len()));
    }
    let mut setup = Setup::EMPTY;
    for (index, pair) in digits.chunks(2).enumerate() {
        if pair == ['9', '9'] {
            continue;
        }
        let side = if index < BINIT.len() { Player::First } else { Player::Second };
        let square = from_digit_pair(pair[0], pair[1]).ok_or_else(|| {
            format!(
                "`{}{}` is no point: write a file from 0 to 8 and a rank from 0 to 9, or 99",
                pair[0], pair[1]
            )
        })?;
        let point = &mut setup.pieces[square.index()];
        if point.is_some() {
            return Err(format!("two pieces on {}{}", pair[0], pair[1]));
        }
        *point = Some(Piece { side, kind: BINIT[index % BINIT.len()] });
    }
    let first = x.zip(y).and_then(|(x, y)| from_digit_pair(x, y));
    if let Some(piece) = first.and_then(|square| setup.pieces[square.index()]) {
        setup.mover = piece.side;
    }
    Ok(setup)
}

fn binit(position: &Position) -> String {
    let mut text = String::new();
    for side in Player::BOTH {
        let mut placed: Vec<Square> = Vec::new();
        for kind in BINIT {
            // Each side from its own right, as the start has it.
            let squares = Square::all().filter(|&square| {
                position.piece(square) == Some(Piece { side, kind }) && !placed.contains(&square)
            });
            match squares.max_by_key(|square| square.seen_by(side).file()) {
                Some(square) => {
                    text.push_str(&format!("{}{}", square.file(), RANKS - 1 - square.rank()));
                    placed.push(square);
                }
                None => text.push_str("99"),
            }
        }
    }
    text
}

fn block_text(game: &Xiangqi, written: &Written<Xiangqi>) -> String {
    let mut text = "[DhtmlXQ]\n".to_owned();
    let mut names: Vec<String> = OWN.map(str::to_owned).to_vec();
    let mut push = |name: &str, value: &str| {
        text.push_str(&format!("[DhtmlXQ_{name}]{}[/DhtmlXQ_{name}]\n", value.replace("[/", "[ /")));
    };
    for tag in &written.tags {
        let known = NAMES.iter().find(|(_, name)| *name == tag.name);
        let name = known.map_or(tag.name.as_str(), |(name, _)| name);
        let lower = name.to_ascii_lowercase();
        let word = name.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
        if word && comment_number(&lower).is_none() && !names.contains(&lower) {
            push(name, &tag.value);
            names.push(lower);
        }
    }
    if written.score != Score::Open {
        push("result", result_word(written.score));
    }
    let start = game.write_position(&written.start);
    let pieces = binit(&written.start);
    if read_binit(&pieces, None, None).map(|setup| setup.write()).as_ref() != Ok(&start) {
        push("fen", &start);
    }
    push("binit", &pieces);
    let mut here = written.start;
    let mut moves = String::new();
    for turn in &written.turns {
        for &step in &turn.steps {
            moves.push_str(&Coordinates::DhtmlXq.write(&here, step));
            game.play(&mut here, step);
        }
    }
    push("movelist", &moves);
    let comments = std::iter::once(&written.comment).chain(written.turns.iter().map(|turn| &turn.comment));
    for (index, comment) in comments.enumerate().filter(|(_, comment)| !comment.is_empty()) {
        push(&format!("comment{index}"), &comment.replace('\n', "||"));
    }
    text.push_str("[/DhtmlXQ]\n");
    text
}

const fn result_word(score: Score) -> &'static str {
    match score {
        Score::First => "红胜",
        Score::Second => "黑胜",
        Score::Draw => "和棋",
        Score::Open => "",
    }
}

fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
