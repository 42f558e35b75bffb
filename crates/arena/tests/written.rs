//! Every game's written games come back as they were, in every format.

// Helpers of tests may unwrap as tests do.
#![allow(clippy::unwrap_used)]

use arena::games::{WithGame, names, with_game};
use game::random::{Purpose, stream};
use game::written::{RecordFormat, Score, Tag, Written, WrittenGame, WrittenTurn, formats};
use game::{BoardGame, Play, Turns};
use rand::Rng;
use rand_chacha::ChaCha8Rng;

/// Random games for each format.
const GAMES: u64 = 3;
/// Every how many turns of a game all legal turns of the position are written and read.
const STRIDE: usize = 12;
/// Damaged texts for each format.
const DAMAGED: usize = 150;
/// Most turns of one position that are tried.
const TURNS: usize = 150;

/// A random game with something said about it, and its positions before every turn.
fn random_game<G: BoardGame>(game: &G, random: &mut ChaCha8Rng) -> (Written<G>, Vec<G::Position>) {
    let mut play = Play::new(game, game.start());
    let mut positions = Vec::new();
    let mut turns = Vec::new();
    let mut legal = Vec::new();
    while play.outcome(game).is_none() {
        positions.push(play.position);
        let mut steps = Vec::new();
        loop {
            game.legal_steps(&play.position, &mut legal);
            let step = legal[random.random_range(0..legal.len())];
            steps.push(step);
            play.step(game, step);
            if !game.mid_turn(&play.position) || play.outcome(game).is_some() {
                break;
            }
        }
        turns.push(WrittenTurn::new(steps));
    }
    turns[0].comment = "a comment [with] \"brackets\"".to_owned();
    turns[1].judgements.push("!?".to_owned());
    let written = WrittenGame {
        tags: vec![Tag::new("Event", "any"), Tag::new("Red", "\\ \"x\"")],
        start: game.start(),
        comment: "before".to_owned(),
        turns,
        score: play.outcome(game).map_or(Score::Open, |outcome| Score::of(&outcome)),
    };
    (written, positions)
}

fn read_back<G: BoardGame>(game: &G, format: &dyn RecordFormat<G>, games: &[Written<G>]) -> Vec<Written<G>> {
    let text = format.write(game, games).unwrap_or_else(|fault| panic!("{}: {fault}", format.name()));
    let read = format.read(game, &text).into_iter();
    read.map(|read| {
        let checked = read.unwrap_or_else(|fault| panic!("{} {}: {fault}\n{text}", G::NAME, format.name()));
        assert_eq!(checked.remarks, [], "{} {}", G::NAME, format.name());
        checked.written
    })
    .collect()
}

struct RoundTrip;

impl WithGame for RoundTrip {
    type Output = ();

    fn with<G: BoardGame>(self, game: G) {
        let formats = formats::<G>();
        let known: Vec<&str> = formats.iter().map(|format| format.name()).collect();
        assert_eq!(known[..2], ["turns", "json"]);
        for (index, format) in formats.into_iter().enumerate() {
            assert_eq!(known.iter().filter(|&&name| name == format.name()).count(), 1);
            let mut random = stream(17, Purpose::Playout, &[index as u64]);
            let (games, positions): (Vec<_>, Vec<_>) =
                (0..GAMES).map(|_| random_game(&game, &mut random)).unzip();
            let read = read_back(&game, format, &games);
            assert_eq!(read.len(), games.len());
            for (read, written) in read.iter().zip(&games) {
                assert!(same_play(&game, read, written), "{} {}", G::NAME, format.name());
                if index < 2 {
                    assert_eq!(read, written, "{} {}", G::NAME, format.name());
                }
            }
            for position in positions.iter().flatten().step_by(STRIDE) {
                all_turns(&game, format, position);
            }
        }
    }
}

fn same_play<G: BoardGame>(game: &G, one: &Written<G>, other: &Written<G>) -> bool {
    let steps = |written: &Written<G>| -> Vec<Vec<G::Step>> {
        written.turns.iter().map(|turn| turn.steps.clone()).collect()
    };
    let starts = [one, other].map(|written| game.write_position(&written.start));
    starts[0] == starts[1] && steps(one) == steps(other) && one.score == other.score
}

/// Every legal turn of a position is read back as itself, so that no two have one text.
fn all_turns<G: BoardGame>(game: &G, format: &dyn RecordFormat<G>, position: &G::Position) {
    let mut games = Vec::new();
    let mut turns = Turns::new(game, position);
    while games.len() < TURNS && turns.advance(game) {
        let play = Play::new(game, *turns.position());
        games.push(WrittenGame {
            tags: Vec::new(),
            start: *position,
            comment: String::new(),
            turns: vec![WrittenTurn::new(turns.steps().to_vec())],
            score: play.outcome(game).map_or(Score::Open, |outcome| Score::of(&outcome)),
        });
    }
    let read = read_back(game, format, &games);
    assert_eq!(read.len(), games.len());
    for (read, written) in read.iter().zip(&games) {
        let text = || format.write(game, std::slice::from_ref(written)).unwrap_or_default();
        assert!(same_play(game, read, written), "{} {}:\n{}", G::NAME, format.name(), text());
    }
}

/// Reads whatever is handed in: nothing panics, a fault is one line with a place, and what could be
/// read is written and read back.
fn read_anything<G: BoardGame>(game: &G, format: &dyn RecordFormat<G>, text: &str) {
    let mut games = Vec::new();
    for read in format.read(game, text) {
        match read {
            Ok(checked) => games.push(checked.written),
            Err(fault) => {
                let told = fault.to_string();
                assert!(told.starts_with("line ") && !told.contains('\n'), "{}: {told}", format.name());
            }
        }
    }
    let written = format.write(game, &games).unwrap_or_else(|fault| panic!("{fault}\n{text}"));
    let again: Vec<_> = format.read(game, &written);
    assert_eq!(again.len(), games.len(), "{}\n{text}\n{written}", format.name());
    for (again, first) in again.into_iter().zip(&games) {
        let again = again.unwrap_or_else(|fault| panic!("{}: {fault}\n{text}\n{written}", format.name()));
        assert_eq!(again.written.turns.len(), first.turns.len(), "{}\n{text}\n{written}", format.name());
    }
}

/// The text with pieces cut out, doubled, exchanged, or replaced by characters that mean something.
fn damaged(text: &[char], random: &mut ChaCha8Rng) -> String {
    let strange: Vec<char> = "[](){}\"\\;%*/.,=+-!$ \n\r\t0189aZ@#&~_>^炮进９．\u{feff}\0é".chars().collect();
    let mut letters = text.to_vec();
    for _ in 0..random.random_range(1..=3) {
        let from = random.random_range(0..=letters.len());
        let to = (from + random.random_range(0..12)).min(letters.len());
        match random.random_range(0..4) {
            0 => drop(letters.drain(from..to)),
            1 => {
                let piece = letters[from..to].to_vec();
                let place = random.random_range(0..=letters.len());
                letters.splice(place..place, piece);
            }
            _ => {
                let put: Vec<char> = (0..random.random_range(1..4))
                    .map(|_| strange[random.random_range(0..strange.len())])
                    .collect();
                letters.splice(from..to.min(from + 2), put);
            }
        }
    }
    letters.into_iter().collect()
}

struct Damage;

impl WithGame for Damage {
    type Output = ();

    fn with<G: BoardGame>(self, game: G) {
        for (index, format) in formats::<G>().into_iter().enumerate() {
            let mut random = stream(23, Purpose::Playout, &[index as u64]);
            let mut games: Vec<Written<G>> = Vec::new();
            for length in [6, 3] {
                let (mut written, _) = random_game(&game, &mut random);
                written.turns.truncate(length);
                written.score = Score::Open;
                games.push(written);
            }
            let text = format.write(&game, &games).unwrap();
            let letters: Vec<char> = text.chars().collect();
            for _ in 0..DAMAGED {
                read_anything(&game, format, &damaged(&letters, &mut random));
            }
            for other in formats::<G>() {
                read_anything(&game, other, &text);
            }
        }
    }
}

#[test]
fn damaged_texts_are_read_or_refused_with_a_place() {
    for name in names() {
        with_game(name, None, &[], Damage).unwrap();
    }
}

#[test]
fn every_format_of_every_game_gives_games_back() {
    for name in names() {
        with_game(name, None, &[], RoundTrip).unwrap();
    }
}
