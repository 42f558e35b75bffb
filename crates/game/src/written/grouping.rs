//! Which tokens belong to the same game.

use super::lexer::Token;
use super::{Place, Score};

/// The tokens of one game.
pub(super) type Group = Vec<(Place, Token)>;

/// Splits the tokens of a text into games: tags after turns begin another game, so does a tag that
/// this game has already, and anything but a comment after its result.
pub(super) fn games(tokens: Vec<(Place, Token)>) -> Vec<Group> {
    let mut games: Vec<Group> = Vec::new();
    let mut part = Part::Finished;
    for (place, token) in tokens {
        let next = match &token {
            Token::Tag { .. } => Part::Tags,
            Token::Word(word) if Score::read(word).is_some() => Part::Finished,
            Token::Word(_) | Token::Wrong { .. } => Part::Turns,
            Token::Comment(_) => part,
        };
        let another = match (&token, part) {
            (Token::Comment(_), _) => games.is_empty(),
            (_, Part::Finished) => true,
            (Token::Tag { .. }, Part::Turns) => true,
            (Token::Tag { name, .. }, Part::Tags) => games.last().is_some_and(|game| has_tag(game, name)),
            _ => false,
        };
        if another {
            games.push(Group::new());
        }
        // A comment that opens the text is the first game's.
        part = if part == Part::Finished && matches!(token, Token::Comment(_)) && another {
            Part::Tags
        } else {
            next
        };
        if let Some(game) = games.last_mut() {
            game.push((place, token));
        }
    }
    games
}

/// What was read last of a game.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    Tags,
    Turns,
    Finished,
}

fn has_tag(game: &Group, sought: &str) -> bool {
    game.iter().any(|(_, token)| matches!(token, Token::Tag { name, .. } if name == sought))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::written::lexer::{Parentheses, tokens};

    fn sizes(text: &str) -> Vec<usize> {
        games(tokens(text, Parentheses::Text)).iter().map(Vec::len).collect()
    }

    #[test]
    fn results_and_tags_part_games() {
        assert_eq!(sizes(""), [0; 0]);
        assert_eq!(sizes("{only a comment}"), [1]);
        assert_eq!(sizes("{before} [A \"\"] a b 1-0 {after} c * *"), [6, 2, 1]);
        assert_eq!(sizes("[A \"\"] [B \"\"] a [A \"\"] [A \"\"] b"), [3, 1, 2]);
    }
}
