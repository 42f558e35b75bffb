//! Faults of written games, each with its place.

use std::fmt;

/// A place in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Place {
    /// Line, from 1.
    pub line: usize,
    /// Character of the line, from 1.
    pub column: usize,
}

impl Place {
    /// The beginning of a text.
    pub const START: Place = Place { line: 1, column: 1 };
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "line {} column {}", self.line, self.column)
    }
}

/// What is wrong with a written game. Its text is one line.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("{place}, game {game}{}: {}{}", turn_words(self.turn), quoted(&self.text), line(&self.message))]
pub struct RecordFault {
    /// Where it stands.
    pub place: Place,
    /// Number of the game in the text, from 1.
    pub game: usize,
    /// Number of the turn in the game, from 1 and counted a side at a time; `None` for faults of
    /// other parts.
    pub turn: Option<usize>,
    /// The text in question; may be empty.
    pub text: String,
    /// What was found and what would be right.
    pub message: String,
}

fn turn_words(turn: Option<usize>) -> String {
    turn.map(|number| format!(", turn {number}")).unwrap_or_default()
}

/// The text as it is told: in one line, long ones cut.
fn quoted(text: &str) -> String {
    const TOLD: usize = 60;
    if text.is_empty() {
        return String::new();
    }
    let mut told: String = text.chars().take(TOLD).flat_map(plain).collect();
    if text.chars().nth(TOLD).is_some() {
        told.push('…');
    }
    format!("`{told}`: ")
}

/// A message in one line, whatever of the text it repeats.
fn line(message: &str) -> String {
    message.chars().flat_map(plain).collect()
}

/// A character as it may stand in a message: no control characters.
fn plain(letter: char) -> impl Iterator<Item = char> {
    let escaped = letter.is_control();
    letter.escape_default().filter(move |_| escaped).chain((!escaped).then_some(letter))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_one_line_with_its_place() {
        let fault = RecordFault {
            place: Place { line: 3, column: 14 },
            game: 2,
            turn: Some(7),
            text: format!("h2\n炮{}", "x".repeat(100)),
            message: "not\nlegal".to_owned(),
        };
        let told = fault.to_string();
        assert!(told.starts_with("line 3 column 14, game 2, turn 7: `h2\\n炮xxx"), "{told}");
        assert!(told.ends_with("x…`: not\\nlegal"), "{told}");
        let fault = RecordFault { turn: None, text: String::new(), ..fault };
        assert_eq!(fault.to_string(), "line 3 column 14, game 2: not\\nlegal");
    }
}
