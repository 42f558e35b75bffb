//! The tokens of tags and turns, in the manner of PGN.

use super::Place;
use std::iter::Peekable;
use std::str::Chars;

/// A piece of text with a meaning.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Token {
    /// `[Name "value"]`.
    Tag { name: String, value: String },
    /// Anything between blanks: a turn, a number, a result.
    Word(String),
    /// `{…}`, `; …` to the end of the line, or a variation in its parentheses; blanks at the ends
    /// left out.
    Comment(String),
    /// What cannot be read: the text and what is wrong with it.
    Wrong { text: String, message: &'static str },
}

/// What parentheses mean.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Parentheses {
    /// They are part of turns.
    Text,
    /// They hold variations: other turns that might have been played.
    Variation,
}

/// All tokens of a text with their places.
pub(super) fn tokens(text: &str, parentheses: Parentheses) -> Vec<(Place, Token)> {
    let text = text.strip_prefix('\u{feff}').unwrap_or(text);
    let mut lexer = Lexer { letters: text.chars().peekable(), place: Place::START, parentheses };
    let mut tokens = Vec::new();
    while let Some(token) = lexer.token() {
        tokens.push(token);
    }
    tokens
}

struct Lexer<'t> {
    letters: Peekable<Chars<'t>>,
    place: Place,
    parentheses: Parentheses,
}

impl Lexer<'_> {
    fn token(&mut self) -> Option<(Place, Token)> {
        loop {
            let place = self.place;
            let token = match *self.letters.peek()? {
                '%' if place.column == 1 => {
                    self.line();
                    continue;
                }
                letter if letter.is_whitespace() => {
                    self.take();
                    continue;
                }
                '[' => self.tag(),
                '{' => self.braces(),
                ';' => {
                    self.take();
                    Token::Comment(self.line().trim().to_owned())
                }
                '(' if self.parentheses == Parentheses::Variation => self.variation(),
                ')' if self.parentheses == Parentheses::Variation => {
                    self.take();
                    Token::Wrong { text: ")".to_owned(), message: "no `(` before it" }
                }
                _ => self.word(),
            };
            return Some((place, token));
        }
    }

    fn take(&mut self) -> Option<char> {
        let letter = self.letters.next()?;
        if letter == '\n' {
            self.place = Place { line: self.place.line + 1, column: 1 };
        } else {
            self.place.column += 1;
        }
        Some(letter)
    }

    /// The rest of the line; its end stays.
    fn line(&mut self) -> String {
        let mut text = String::new();
        while self.letters.peek().is_some_and(|&letter| letter != '\n') {
            text.extend(self.take());
        }
        text
    }

    fn word(&mut self) -> Token {
        let mut text = String::new();
        while let Some(&letter) = self.letters.peek() {
            let bracket = matches!(letter, '(' | ')') && self.parentheses == Parentheses::Variation;
            if letter.is_whitespace() || matches!(letter, '{' | ';') || bracket {
                break;
            }
            text.extend(self.take());
        }
        Token::Word(text)
    }

    fn braces(&mut self) -> Token {
        self.take();
        let mut text = String::new();
        loop {
            match self.take() {
                Some('}') => return Token::Comment(text.trim().to_owned()),
                Some(letter) => text.push(letter),
                None => return Token::Wrong { text: format!("{{{text}"), message: "no `}` after it" },
            }
        }
    }

    /// A variation with those inside it, as a comment in parentheses.
    fn variation(&mut self) -> Token {
        let mut text = String::new();
        let mut depth = 0_usize;
        let mut inside_comment = false;
        loop {
            let Some(letter) = self.take() else {
                return Token::Wrong { text, message: "no `)` after it" };
            };
            match letter {
                '{' => inside_comment = true,
                '}' => inside_comment = false,
                '(' if !inside_comment => depth += 1,
                ')' if !inside_comment => depth -= 1,
                _ => {}
            }
            text.push(letter);
            if depth == 0 {
                return Token::Comment(text);
            }
        }
    }

    fn tag(&mut self) -> Token {
        let line = self.tag_line();
        match read_tag(&line) {
            Some((name, value)) => Token::Tag { name, value },
            None => Token::Wrong { text: line, message: "no tag: write it as [Name \"value\"]" },
        }
    }

    /// A tag with its brackets, to the `]` after the closing quote or else to the end of the line.
    fn tag_line(&mut self) -> String {
        let mut text = String::new();
        let mut quotes = 0;
        let mut after_quote = false;
        while let Some(&letter) = self.letters.peek() {
            if letter == '\n' {
                break;
            }
            text.extend(self.take());
            match letter {
                '\\' => {
                    if self.letters.peek().is_some_and(|&next| matches!(next, '"' | '\\')) {
                        text.extend(self.take());
                    }
                    after_quote = false;
                }
                '"' => {
                    quotes += 1;
                    after_quote = quotes > 1;
                }
                ']' if after_quote || quotes == 0 => break,
                letter if letter.is_whitespace() => {}
                _ => after_quote = false,
            }
        }
        text
    }
}

/// Name and value of `[Name "value"]`. Quotes inside the value may stand with or without `\`.
fn read_tag(text: &str) -> Option<(String, String)> {
    let inner = text.trim_end().strip_prefix('[')?.strip_suffix(']')?.trim();
    let (name, value) = inner.split_once('"')?;
    let name = name.trim_end();
    if !is_tag_name(name) {
        return None;
    }
    let value = value.strip_suffix('"')?;
    let mut plain = String::with_capacity(value.len());
    let mut letters = value.chars().peekable();
    while let Some(letter) = letters.next() {
        match letters.peek() {
            Some(&next @ ('"' | '\\')) if letter == '\\' => {
                plain.push(next);
                letters.next();
            }
            _ => plain.push(letter),
        }
    }
    Some((name.to_owned(), plain))
}

/// Whether `[name "value"]` can be read as a tag of that name.
pub(super) fn is_tag_name(name: &str) -> bool {
    let part = |letter: char| {
        !letter.is_whitespace() && !letter.is_control() && !matches!(letter, '"' | '\\' | '[' | ']')
    };
    !name.is_empty() && name.chars().all(part)
}

/// `[Name "value"]`, the value in one line.
pub(super) fn write_tag(name: &str, value: &str) -> String {
    let mut text = format!("[{name} \"");
    for letter in value.chars() {
        match letter {
            '"' | '\\' => text.extend(['\\', letter]),
            letter if letter.is_control() => text.push(' '),
            _ => text.push(letter),
        }
    }
    text.push_str("\"]\n");
    text
}

/// A word without the number of a turn before it: `12.C2=5`, `12...`, `１２．炮二平五`. A single digit
/// behind a dot belongs to a turn (`14.5`).
pub(super) fn without_number(word: &str) -> &str {
    let digit = |letter: char| letter.is_ascii_digit() || ('０'..='９').contains(&letter);
    let dot = |letter: char| matches!(letter, '.' | '．' | '…' | '、' | '。');
    let dots = word.trim_start_matches(digit);
    let rest = dots.trim_start_matches(dot);
    let mut letters = rest.chars();
    match (dots.len() == rest.len(), letters.next(), letters.next()) {
        (true, _, _) => word,
        (false, Some(letter), None) if digit(letter) => word,
        (false, _, _) => rest,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str, parentheses: Parentheses) -> Vec<String> {
        let told = |(place, token): (Place, Token)| {
            let told = match token {
                Token::Tag { name, value } => format!("tag {name}={value}"),
                Token::Word(word) => format!("word {word}"),
                Token::Comment(text) => format!("comment {text}"),
                Token::Wrong { text, message } => format!("wrong {text}: {message}"),
            };
            format!("{}.{} {told}", place.line, place.column)
        };
        tokens(text, parentheses).into_iter().map(told).collect()
    }

    #[test]
    fn tokens_have_places() {
        let text = "\u{feff}[Event \"a \\\"b\\\" ]\"] [X\"\"]\n%skip [me]\n1. C2=5{one} ; two }\n\u{3000}炮二平五 1-0";
        assert_eq!(
            words(text, Parentheses::Text),
            [
                "1.1 tag Event=a \"b\" ]",
                "1.21 tag X=",
                "3.1 word 1.",
                "3.4 word C2=5",
                "3.8 comment one",
                "3.14 comment two }",
                "4.2 word 炮二平五",
                "4.7 word 1-0",
            ]
        );
    }

    #[test]
    fn parentheses_are_variations_or_text() {
        let text = "a (b {)} (c)) (d";
        assert_eq!(
            words(text, Parentheses::Variation),
            ["1.1 word a", "1.3 comment (b {)} (c))", "1.15 wrong (d: no `)` after it"]
        );
        assert_eq!(
            words(text, Parentheses::Text),
            ["1.1 word a", "1.3 word (b", "1.6 comment )", "1.10 word (c))", "1.15 word (d"]
        );
        assert_eq!(words(")", Parentheses::Variation), ["1.1 wrong ): no `(` before it"]);
    }

    #[test]
    fn wrong_tags_and_braces_are_told() {
        assert_eq!(
            words("[a b]\n[a \"b]\n[\"b\"]\n{x", Parentheses::Text),
            [
                "1.1 wrong [a b]: no tag: write it as [Name \"value\"]",
                "2.1 wrong [a \"b]: no tag: write it as [Name \"value\"]",
                "3.1 wrong [\"b\"]: no tag: write it as [Name \"value\"]",
                "4.1 wrong {x: no `}` after it",
            ]
        );
        // Quotes that were not escaped, as real files have them.
        assert_eq!(words("[a \"x \"y\" z\"]", Parentheses::Text), ["1.1 tag a=x \"y\" z"]);
    }

    #[test]
    fn tags_are_read_as_they_are_written() {
        for value in ["", "plain", "with \"quotes\" and \\ and ]", "\\", "\"]"] {
            let read = tokens(&write_tag("Name", value), Parentheses::Text);
            let tag = Token::Tag { name: "Name".to_owned(), value: value.to_owned() };
            assert_eq!(read, [(Place::START, tag)]);
        }
    }

    #[test]
    fn numbers_of_turns_are_left_out() {
        for (word, rest) in [
            ("12.", ""),
            ("12...", ""),
            ("12", "12"),
            ("1.C2=5", "C2=5"),
            ("3…马8进7", "马8进7"),
            ("１２．炮二平五", "炮二平五"),
            ("1.d", "d"),
            ("14.5", "14.5"),
            ("1.14.5", "14.5"),
            ("3+.4", "3+.4"),
            ("7747", "7747"),
            ("...", ""),
            ("C2.5", "C2.5"),
        ] {
            assert_eq!(without_number(word), rest, "{word}");
        }
    }
}
