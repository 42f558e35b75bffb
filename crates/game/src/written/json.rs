//! A game to a line of JSON.

use super::lexer::is_tag_name;
use super::{Checked, MachineNotation, Place, RecordFault, RecordFormat, Replay, Score, Written};
use crate::{Notation, Play};
use serde::{Deserialize, Serialize};

/// One JSON object a line, with the fields of `rules play --json`: `start` (left out: the game's
/// standard start), `turns` in machine notation, `winner`, `reason`, `points` and `fen` (the last
/// position); also `game`, `tags` and `comments`. Only `turns` must be there. What a line says of
/// the end is compared with its turns.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct JsonLines;

#[derive(Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Line {
    #[serde(default, skip_serializing_if = "Option::is_none")]
    game: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    start: Option<String>,
    turns: Vec<String>,
    #[serde(default)]
    winner: Option<String>,
    #[serde(default)]
    reason: Option<String>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    points: Option<[i32; 2]>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    fen: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    tags: Vec<(String, String)>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    comments: Vec<Comment>,
}

/// What is said about the beginning (turn 0) or a turn.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Comment {
    turn: usize,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    judgements: Vec<String>,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    text: String,
}

impl<G: Notation> RecordFormat<G> for JsonLines {
    fn name(&self) -> &'static str {
        "json"
    }

    fn about(&self) -> &'static str {
        "a JSON object a line with start, turns in machine notation and result"
    }

    fn read(&self, game: &G, text: &str) -> Vec<Result<Checked<G>, RecordFault>> {
        let text = text.strip_prefix('\u{feff}').unwrap_or(text);
        let lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
        lines.enumerate().map(|(index, (line, text))| read_line(game, index + 1, line + 1, text)).collect()
    }

    fn write(&self, game: &G, written: &[Written<G>]) -> Result<String, RecordFault> {
        let mut text = String::new();
        for (index, written) in written.iter().enumerate() {
            let line = serde_json::to_string(&line(game, written)).map_err(|error| RecordFault {
                place: Place::START,
                game: index + 1,
                turn: None,
                text: String::new(),
                message: error.to_string(),
            })?;
            text.push_str(&line);
            text.push('\n');
        }
        Ok(text)
    }
}

fn read_line<G: Notation>(
    game: &G,
    number: usize,
    line_number: usize,
    text: &str,
) -> Result<Checked<G>, RecordFault> {
    let place = Place { line: line_number, column: 1 };
    let line: Line = serde_json::from_str(text).map_err(|error| {
        // The error's own line is always 1: it saw one line.
        let told = error.to_string();
        let message = told.rsplit_once(" at line ").map_or(told.as_str(), |(message, _)| message).to_owned();
        let place = Place { line: line_number, column: error.column().max(1) };
        RecordFault { place, game: number, turn: None, text: String::new(), message }
    })?;
    let start = line.start.as_deref().map(|start| (start, place));
    let mut replay = Replay::new(game, number, start)?;
    if let Some(found) = line.game.as_deref().filter(|&found| found != G::NAME) {
        return Err(replay.fault(place, found, format!("the game here is {}", G::NAME)));
    }
    for (name, value) in line.tags {
        // Every other format must be able to say it.
        let own = ["fen", "result", "game", "format"].contains(&name.to_ascii_lowercase().as_str());
        if own || !is_tag_name(&name) {
            let message = match own {
                true => "the line has a field of its own for this tag",
                false => "no name of a tag: write it without blanks, quotes, brackets and backslashes",
            };
            return Err(replay.fault(place, &name, message));
        }
        replay.tag(name, value);
    }
    if let Some(comment) = line.comments.iter().find(|comment| comment.turn > line.turns.len()) {
        let message = format!("a comment on turn {} of {}", comment.turn, line.turns.len());
        return Err(replay.fault(place, &comment.text, message));
    }
    for turn in 0..=line.turns.len() {
        if turn > 0 {
            replay.turn(&MachineNotation, &line.turns[turn - 1], place)?;
        }
        for comment in line.comments.iter().filter(|comment| comment.turn == turn) {
            for judgement in &comment.judgements {
                replay.judge(judgement, place)?;
            }
            replay.comment(&comment.text);
        }
    }
    let score = match line.winner.as_deref() {
        None => Score::Open,
        Some(word) => Score::from_word(word)
            .ok_or_else(|| replay.fault(place, word, "no winner: write first, second, draw or none"))?,
    };
    compare_end(
        game,
        &mut replay,
        place,
        &[
            ("reason", line.reason),
            ("points", line.points.map(|points| format!("{points:?}"))),
            ("fen", line.fen),
        ],
    );
    Ok(replay.finish(score, place))
}

/// Compares what a line says of the end of its game with what its turns give.
fn compare_end<G: Notation>(
    game: &G,
    replay: &mut Replay<'_, G>,
    place: Place,
    stated: &[(&str, Option<String>); 3],
) {
    let play: &Play<G> = replay.play();
    let reason = play.outcome(game).map_or("none", |outcome| outcome.reason.0);
    let found = [
        reason.to_owned(),
        format!("{:?}", game.points(&play.position)),
        game.write_position(&play.position),
    ];
    for ((name, stated), found) in stated.iter().zip(found) {
        if let Some(stated) = stated.as_ref().filter(|&stated| *stated != found) {
            replay.remark(place, stated, format!("{name}: the turns give {found}"));
        }
    }
}

fn line<G: Notation>(game: &G, written: &Written<G>) -> Line {
    let mut play = Play::new(game, written.start);
    let mut turns = Vec::with_capacity(written.turns.len());
    let mut comments = Vec::new();
    if !written.comment.is_empty() {
        comments.push(Comment { turn: 0, judgements: Vec::new(), text: written.comment.clone() });
    }
    for (index, turn) in written.turns.iter().enumerate() {
        turns.push(game.turn_text(&play.position, &turn.steps));
        for &step in &turn.steps {
            play.step(game, step);
        }
        if !turn.comment.is_empty() || !turn.judgements.is_empty() {
            comments.push(Comment {
                turn: index + 1,
                judgements: turn.judgements.clone(),
                text: turn.comment.clone(),
            });
        }
    }
    let outcome = play.outcome(game);
    Line {
        game: Some(G::NAME.to_owned()),
        start: Some(game.write_position(&written.start)),
        turns,
        winner: (written.score != Score::Open || outcome.is_some()).then(|| written.score.word().to_owned()),
        reason: outcome.map(|outcome| outcome.reason.0.to_owned()),
        points: Some(game.points(&play.position)),
        fen: Some(game.write_position(&play.position)),
        tags: written.tags.iter().map(|tag| (tag.name.clone(), tag.value.clone())).collect(),
        comments,
    }
}
