//! Tags and numbered turns, in the manner of PGN.

use super::lexer::{Token, tokens, without_number, write_tag};
use super::{Checked, Place, RecordFault, RecordFormat, Replay, Score, TurnNotation, Written, grouping};
use crate::{Notation, Player};

pub use super::lexer::Parentheses;

/// Width at which lines of turns are broken.
const WIDTH: usize = 80;

/// Games as PGN writes them, with some notation of turns:
///
/// ```text
/// [Game "commander"]
/// [Event "club evening"]
/// [Result "1-0"]
/// [FEN "…"]
/// [Format "turns"]
///
/// 1. e2-e5 g10-h10 {a comment} 2. (F)e5xe8/(I)e5-e6 1-0
/// ```
///
/// `FEN` is left out for the standard start. Numbers of turns are not looked at. Marks that the
/// notation does not know are written as comments.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Tagged<N> {
    /// The name of the format.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// Value of the tag `Game`; `None`: the game's name.
    pub game_tag: Option<&'static str>,
    /// Value of the tag `Format`.
    pub format_tag: &'static str,
    /// What parentheses mean.
    pub parentheses: Parentheses,
    /// How turns are written.
    pub notation: N,
}

impl<G: Notation, N: TurnNotation<G>> RecordFormat<G> for Tagged<N> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn read(&self, game: &G, text: &str) -> Vec<Result<Checked<G>, RecordFault>> {
        let games = grouping::games(tokens(text, self.parentheses)).into_iter();
        games.enumerate().map(|(index, group)| self.read_game(game, index + 1, &group)).collect()
    }

    fn write(&self, game: &G, written: &[Written<G>]) -> Result<String, RecordFault> {
        let games: Vec<String> = written.iter().map(|written| self.game_text(game, written)).collect();
        Ok(games.join("\n"))
    }
}

impl<N> Tagged<N> {
    fn read_game<G: Notation>(
        &self,
        game: &G,
        number: usize,
        group: &[(Place, Token)],
    ) -> Result<Checked<G>, RecordFault>
    where
        N: TurnNotation<G>,
    {
        let start = group.iter().find_map(|(place, token)| match token {
            Token::Tag { name, value } if name.eq_ignore_ascii_case("FEN") => Some((value.as_str(), *place)),
            _ => None,
        });
        let mut replay = Replay::new(game, number, start)?;
        let mut tag_score = None;
        let mut score = None;
        let mut last_place = group.first().map_or(Place::START, |(place, _)| *place);
        for (place, token) in group {
            last_place = *place;
            match token {
                Token::Tag { name, value } => match name.to_ascii_lowercase().as_str() {
                    "fen" => {}
                    "result" => tag_score = self.score_of_tag(&mut replay, value, *place)?,
                    "game" => self.compare(&replay, *place, value, self.game_tag.unwrap_or(G::NAME))?,
                    "format" => self.compare(&replay, *place, value, self.format_tag)?,
                    _ => replay.tag(name, value),
                },
                Token::Comment(text) => replay.comment(text),
                Token::Wrong { text, message } => return Err(replay.fault(*place, text, *message)),
                Token::Word(word) => match Score::read(word) {
                    Some(found) => score = Some(found),
                    None => self.read_word(&mut replay, word, *place)?,
                },
            }
        }
        if let (Some(tag), Some(score)) = (tag_score, score)
            && tag != score
            && score != Score::Open
        {
            let message = format!("the result at the end contradicts the tag, which says {}", tag.text());
            replay.remark(last_place, score.text(), message);
        }
        let stated = score.filter(|&score| score != Score::Open).or(tag_score).unwrap_or_default();
        Ok(replay.finish(stated, last_place))
    }

    fn read_word<G: Notation>(
        &self,
        replay: &mut Replay<'_, G>,
        word: &str,
        place: Place,
    ) -> Result<(), RecordFault>
    where
        N: TurnNotation<G>,
    {
        let turn = without_number(word);
        let skipped = word[..word.len() - turn.len()].chars().count();
        let place = Place { column: place.column + skipped, ..place };
        if turn.is_empty() {
            return Ok(());
        }
        let glyph = turn.strip_prefix('$').is_some_and(|digits| digits.parse::<u8>().is_ok());
        match glyph || turn.trim_start_matches(['!', '?']).is_empty() {
            true => replay.judge(turn, place),
            false => replay.judged_turn(&self.notation, turn, place),
        }
    }

    fn score_of_tag<G: Notation>(
        &self,
        replay: &mut Replay<'_, G>,
        value: &str,
        place: Place,
    ) -> Result<Option<Score>, RecordFault>
    where
        N: TurnNotation<G>,
    {
        let value = value.trim();
        if matches!(value, "" | "?" | "-") {
            return Ok(None);
        }
        match Score::read(value).or_else(|| self.notation.read_score(value)) {
            Some(score) => Ok(Some(score)),
            None => Err(replay.fault(place, value, "no result: write 1-0, 0-1, 1/2-1/2 or *")),
        }
    }

    /// Refuses a tag that says the text is something else.
    fn compare<G: Notation>(
        &self,
        replay: &Replay<'_, G>,
        place: Place,
        found: &str,
        expected: &str,
    ) -> Result<(), RecordFault> {
        match found.trim().eq_ignore_ascii_case(expected) {
            true => Ok(()),
            false => {
                let message = format!("{} reads games whose tag says `{expected}`", self.name);
                Err(replay.fault(place, found, message))
            }
        }
    }

    fn game_text<G: Notation>(&self, game: &G, written: &Written<G>) -> String
    where
        N: TurnNotation<G>,
    {
        let mut text = write_tag("Game", self.game_tag.unwrap_or(G::NAME));
        for tag in &written.tags {
            text.push_str(&write_tag(&tag.name, &tag.value));
        }
        text.push_str(&write_tag("Result", written.score.text()));
        let start = game.write_position(&written.start);
        if start != game.write_position(&game.start()) {
            text.push_str(&write_tag("FEN", &start));
        }
        text.push_str(&write_tag("Format", self.format_tag));
        text.push('\n');
        let mut lines = Lines::default();
        lines.comment(&written.comment);
        let mut here = written.start;
        let mut number = 1;
        let mut numbered = false;
        for turn in &written.turns {
            let mover = game.mover(&here);
            let prefix = match mover {
                Player::First => format!("{number}. "),
                Player::Second if !numbered => format!("{number}... "),
                Player::Second => String::new(),
            };
            numbered = true;
            number += usize::from(mover == Player::Second);
            let mut word = self.notation.turn_text(game, &here, &turn.steps);
            let mut apart = Vec::new();
            for judgement in &turn.judgements {
                let joined = format!("{word}{judgement}");
                if self.notation.split_judgement(&joined) == (word.as_str(), judgement.as_str()) {
                    word = joined;
                } else {
                    apart.push(judgement);
                }
            }
            lines.word(&(prefix + &word));
            for judgement in apart {
                match judgement.starts_with('$') && judgement[1..].parse::<u8>().is_ok() {
                    true => lines.word(judgement),
                    false => lines.comment(judgement),
                }
            }
            lines.comment(&turn.comment);
            numbered &= turn.comment.is_empty();
            for &step in &turn.steps {
                game.play(&mut here, step);
            }
        }
        lines.word(written.score.text());
        text.push_str(&lines.text);
        text.push('\n');
        text
    }
}

/// Words in lines of limited width.
#[derive(Default)]
struct Lines {
    text: String,
    column: usize,
}

impl Lines {
    fn word(&mut self, word: &str) {
        let width = word.chars().count();
        if self.column > 0 {
            let fits = self.column + 1 + width <= WIDTH;
            self.text.push(if fits { ' ' } else { '\n' });
            self.column = if fits { self.column + 1 } else { 0 };
        }
        self.text.push_str(word);
        self.column += width;
    }

    /// A comment, its own lines kept. Braces inside, which the form cannot express, become
    /// parentheses.
    fn comment(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let inner: String = text
            .chars()
            .map(|letter| match letter {
                '{' => '(',
                '}' => ')',
                letter => letter,
            })
            .collect();
        self.word(&format!("{{{inner}}}"));
        if let Some((_, last)) = inner.rsplit_once('\n') {
            self.column = last.chars().count() + 1;
        }
    }
}
