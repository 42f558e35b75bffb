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

#[test]
fn every_format_of_every_game_gives_games_back() {
    for name in names() {
        with_game(name, None, &[], RoundTrip).unwrap();
    }
}
