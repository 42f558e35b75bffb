//! A whole game: repetition and the limit of turns on top of what one position knows (section 8).

use super::board::Side;
use super::fen::board_text;
use super::position::{Ending, Position};

/// A game from its start position.
#[derive(Clone, Debug)]
pub struct Game {
    pub position: Position,
    pub played: u32,
    seen: Vec<(String, Side)>,
}

impl Game {
    pub fn new(start: Position) -> Game {
        let seen = vec![(board_text(&start.board), start.side)];
        Game { position: start, played: 0, seen }
    }

    /// Plays a complete turn by its text and says how it ended the game, if it did.
    pub fn play(&mut self, text: &str) -> Result<Option<Ending>, String> {
        let (after, ending) = self
            .position
            .play(text)
            .ok_or_else(|| format!("`{text}` is not a legal turn in {}", self.position.text()))?;
        let repeated = self.accept(after.clone());
        Ok(ending.or_else(|| limits(&after, repeated, self.played)))
    }

    /// Goes on to a position; whether it has occurred for the third time.
    fn accept(&mut self, after: Position) -> bool {
        let key = (board_text(&after.board), after.side);
        self.seen.push(key.clone());
        self.position = after;
        self.played += 1;
        self.seen.iter().filter(|seen| **seen == key).count() >= 3
    }
}

/// Rules 5 to 7, for a position that rules 1 to 4 have not ended.
pub fn limits(after: &Position, repeated: bool, played: u32) -> Option<Ending> {
    let options = &after.options;
    if repeated {
        return Some(Ending::new(None, "repetition"));
    }
    if after.quiet >= options.number("no_capture_turns") {
        let winner = if options.is("no_capture_result", "points") { ahead(after) } else { None };
        return Some(Ending::new(winner, "no_captures"));
    }
    if played >= options.number("max_turns") {
        return Some(match options.get("adjudicate") {
            "points" => Ending::new(ahead(after), "points"),
            "draw" => Ending::new(None, "points"),
            _ => Ending::new(None, "truncated"),
        });
    }
    None
}

/// The side with more points.
fn ahead(position: &Position) -> Option<Side> {
    let [red, blue] = position.points;
    match red.cmp(&blue) {
        std::cmp::Ordering::Greater => Some(Side::Red),
        std::cmp::Ordering::Less => Some(Side::Blue),
        std::cmp::Ordering::Equal => None,
    }
}
