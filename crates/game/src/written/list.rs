//! Bare turns without tags.

use super::lexer::{Parentheses, Token, tokens, without_number};
use super::{Checked, Place, RecordFault, RecordFormat, Replay, Score, TurnNotation, Written};
use crate::Notation;

/// Whether blanks stand between the turns of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Spacing {
    /// Blanks between turns.
    Blank,
    /// None: each turn has this many characters.
    Width(usize),
}

/// Turns one after the other, a game to a line:
///
/// ```text
/// h2e2 h9g7 h0g2
/// fen 4k4/9/9/9/9/9/9/9/9/4K4 w - - 0 1 moves e0e1 e9e8
/// ```
///
/// Reading also takes games over several lines with an empty line between games, the words
/// `startpos` and `position` of engine protocols, numbers of turns, results and comments. Tags,
/// comments, judgements and results are not written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct MoveList<N> {
    /// The name of the format.
    pub name: &'static str,
    /// What it is, in a line.
    pub about: &'static str,
    /// Whether blanks stand between turns.
    pub spacing: Spacing,
    /// How turns are written.
    pub notation: N,
}

impl<G: Notation, N: TurnNotation<G>> RecordFormat<G> for MoveList<N> {
    fn name(&self) -> &'static str {
        self.name
    }

    fn about(&self) -> &'static str {
        self.about
    }

    fn keeps_scores(&self) -> bool {
        false
    }

    fn read(&self, game: &G, text: &str) -> Vec<Result<Checked<G>, RecordFault>> {
        let chunks = chunks(text).into_iter().enumerate();
        chunks.map(|(index, (line, text))| self.read_game(game, index + 1, line, text)).collect()
    }

    fn write(&self, game: &G, written: &[Written<G>]) -> Result<String, RecordFault> {
        let standard = game.write_position(&game.start());
        let mut games = Vec::with_capacity(written.len());
        for written in written {
            let mut line = String::new();
            let start = game.write_position(&written.start);
            if start != standard {
                line.push_str(&format!("fen {start} moves "));
            } else if written.turns.is_empty() {
                line.push_str("startpos");
            }
            let mut here = written.start;
            for (index, turn) in written.turns.iter().enumerate() {
                if index > 0 && self.spacing == Spacing::Blank {
                    line.push(' ');
                }
                line.push_str(&self.notation.turn_text(game, &here, &turn.steps));
                for &step in &turn.steps {
                    game.play(&mut here, step);
                }
            }
            games.push(line.trim_end().to_owned() + "\n");
        }
        Ok(games.join("\n"))
    }
}

impl<N> MoveList<N> {
    fn read_game<G: Notation>(
        &self,
        game: &G,
        number: usize,
        first_line: usize,
        text: &str,
    ) -> Result<Checked<G>, RecordFault>
    where
        N: TurnNotation<G>,
    {
        let mut tokens: Vec<(Place, Token)> = tokens(text, Parentheses::Text);
        for (place, _) in &mut tokens {
            place.line += first_line - 1;
        }
        let mut rest = tokens.as_slice();
        skip(&mut rest, &["position"]);
        let start = take_start(&mut rest);
        let start = start.as_ref().map(|(text, place)| (text.as_str(), *place));
        let mut replay = Replay::new(game, number, start)?;
        let mut score = Score::Open;
        let mut last_place = Place { line: first_line, column: 1 };
        for (place, token) in rest {
            last_place = *place;
            match token {
                Token::Comment(text) => replay.comment(text),
                Token::Tag { name, .. } => {
                    return Err(replay.fault(*place, name, format!("{} has no tags", self.name)));
                }
                Token::Wrong { text, .. } if text.starts_with('[') => {
                    return Err(replay.fault(*place, text, format!("{} has no tags", self.name)));
                }
                Token::Wrong { text, message } => return Err(replay.fault(*place, text, *message)),
                Token::Word(word) => match Score::read(word) {
                    Some(found) => score = found,
                    None => self.read_word(&mut replay, word, *place)?,
                },
            }
        }
        Ok(replay.finish(score, last_place))
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
        match self.spacing {
            Spacing::Blank => {
                let turn = without_number(word);
                let skipped = word[..word.len() - turn.len()].chars().count();
                let place = Place { column: place.column + skipped, ..place };
                if turn.is_empty() { Ok(()) } else { replay.judged_turn(&self.notation, turn, place) }
            }
            Spacing::Width(width) => {
                let letters: Vec<char> = word.chars().collect();
                for (index, turn) in letters.chunks(width.max(1)).enumerate() {
                    let place = Place { column: place.column + index * width, ..place };
                    replay.turn(&self.notation, &turn.iter().collect::<String>(), place)?;
                }
                Ok(())
            }
        }
    }
}

/// The games of a text: first line and text of each. Empty lines part games, and so does a line that
/// says where a game starts.
fn chunks(text: &str) -> Vec<(usize, &str)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut chunks = Vec::new();
    let mut begin: Option<(usize, usize)> = None;
    let mut offset = 0;
    for (index, line) in text.split_inclusive('\n').enumerate() {
        let first_word = line.split_whitespace().next();
        let starts = matches!(first_word, Some("position" | "startpos" | "fen"));
        if (first_word.is_none() || starts)
            && let Some((number, from)) = begin.take()
        {
            chunks.push((number, &text[from..offset]));
        }
        if first_word.is_some() && begin.is_none() {
            begin = Some((index + 1, offset));
        }
        offset += line.len();
    }
    if let Some((number, from)) = begin {
        chunks.push((number, &text[from..]));
    }
    chunks
}

/// Drops a leading word if it is one of these; tells which place it had.
fn skip(rest: &mut &[(Place, Token)], words: &[&str]) -> Option<Place> {
    let (first, others) = rest.split_first()?;
    match first {
        (place, Token::Word(word)) if words.contains(&word.as_str()) => {
            *rest = others;
            Some(*place)
        }
        _ => None,
    }
}

/// The position that a list names before its turns: `startpos [moves]` or `fen … [moves]`. The
/// position goes to `moves` or to the end.
fn take_start(rest: &mut &[(Place, Token)]) -> Option<(String, Place)> {
    if skip(rest, &["startpos"]).is_some() {
        skip(rest, &["moves"]);
        return None;
    }
    let place = skip(rest, &["fen"])?;
    let mut fields: Vec<&str> = Vec::new();
    let mut first_place = place;
    while let Some((place, Token::Word(word))) = rest.first() {
        *rest = &rest[1..];
        if word == "moves" {
            break;
        }
        if fields.is_empty() {
            first_place = *place;
        }
        fields.push(word);
    }
    Some((fields.join(" "), first_place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn games_are_parted_by_empty_lines_and_starts() {
        let text = "a b\nc\n\n \nd\nposition startpos moves e\nfen f\ng\n";
        assert_eq!(
            chunks(text),
            [(1, "a b\nc\n"), (5, "d\n"), (6, "position startpos moves e\n"), (7, "fen f\ng\n")]
        );
        assert!(chunks(" \n\n").is_empty());
    }
}
